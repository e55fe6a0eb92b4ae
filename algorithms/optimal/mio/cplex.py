"""CPLEX as a solver of models, through cplex; its community edition takes 1,000 columns and rows."""

from __future__ import annotations

import math

import cplex
import numpy as np
from cplex.callbacks import MIPInfoCallback
from cplex.exceptions import CplexError
from numpy.typing import NDArray

from algorithms.optimal.mio.model import Model
from algorithms.optimal.mio.solver import Limits, Outcome, Report, SolverError
from algorithms.optimal.solution import Status

__all__ = ["solve"]

Numbers = NDArray[np.float64]
