"""The peers there are, by the names that a configuration and result rows have for them."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.grids.solvers.peers.base import Peer
from pipeline.grids.solvers.peers.contree import ConTree
from pipeline.grids.solvers.peers.dl85 import DL85
from pipeline.grids.solvers.peers.gosdt import GOSDT
from pipeline.grids.solvers.peers.pytrees import PytreesConTree, PytreesDL85
from pipeline.grids.solvers.peers.streed import STreeD

__all__ = ["PEERS"]

PEERS: Mapping[str, type[Peer]] = {
    "pystreed": STreeD,
    "pycontree": ConTree,
    "pydl8.5": DL85,
    "pytrees-rs DL8.5": PytreesDL85,
    "pytrees-rs ConTree": PytreesConTree,
    "gosdt": GOSDT,
}
"""They import what they stand for when they are asked to fit."""
