"""Data sets that tests of the builders share."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from algorithms.data.data_set import DataSet
from algorithms.data.table import DecisionTable
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.strategies import GivenTable
from tests.oracles import dual_information as oracle
from tests.oracles.brute_force import Table
from tests.oracles.uci_files import nominal_data_set, rows_of_file


def data_of(given: GivenTable, spread: int = 1) -> DataSet:
    """The rows as a data set, codes `spread` apart, so that most labels of an attribute may be absent."""
    codes = np.array(given.codes, np.int32) * spread
    return coded(codes, np.array(given.decisions, np.int32))


def coded(codes: np.ndarray, decisions: np.ndarray) -> DataSet:
    return data_set_of(list(codes.T), decisions.tolist(), [False] * codes.shape[1])


def weights_of(given: GivenTable) -> np.ndarray | None:
    return None if given.weights is None else np.array(given.weights, np.float64)


def oracle_of(given: GivenTable) -> Table:
    return oracle.table_of_rows(given.codes, given.decisions, given.weights)


def data_of_table(table: DecisionTable) -> DataSet:
    """A table's rows, equal ones merged."""
    return coded(table.codes, table.decisions)


def uci(shared: Path, file: str) -> DataSet:
    """A file of the data sets beside the checkout, all its attributes nominal, none of its values missing."""
    return nominal_data_set(*rows_of_file(shared, file))


def path_length(tree: DecisionTree, data: DataSet, weights: np.ndarray | None = None) -> float:
    return tree.costs_of_rows(data.values(), weights).total_path_length
