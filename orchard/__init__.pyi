"""The public names, by the modules that define them. This is the only list: `__init__.py` reads it, too."""

from algorithms.data.table import DecisionTable as DecisionTable, Labels as Labels, TableError as TableError
from algorithms.data.tables_from_data import decision_table as decision_table
from algorithms.data.data_set_of import data_set_of as data_set_of
from algorithms.data.random_tables import RandomTables as RandomTables
from algorithms.data.data_set import Attribute as Attribute, AttributeKind as AttributeKind, MISSING as MISSING
from algorithms.data.data_set import DataSet as DataSet, DataSetError as DataSetError
from algorithms.data.rule_sets import RULE_SETS as RULE_SETS
from algorithms.data.tables_from_data import (
    filled_with_modes as filled_with_modes,
    missing_as_value as missing_as_value,
)
from algorithms.data.tables_from_data import numbers_as_values as numbers_as_values
from algorithms.data.attributes.binary import binary_attributes as binary_attributes
from algorithms.data.attributes.discretisation import discretised as discretised, equal_frequency as equal_frequency
from algorithms.data.attributes.discretisation import equal_width as equal_width
from algorithms.data.attributes.fayyad_irani import fayyad_irani as fayyad_irani

from algorithms.trees.arrays import NodeKind as NodeKind, TreeError as TreeError
from algorithms.trees.decision_tree import DecisionTree as DecisionTree, cost_of_tree as cost_of_tree
from algorithms.trees.text import export_text as export_text
from algorithms.trees.export import ExportError as ExportError, to_graphviz as to_graphviz, to_sklearn as to_sklearn
from algorithms.trees.export import to_c as to_c, to_python as to_python, to_sql as to_sql
from algorithms.trees.export import to_onnx as to_onnx, to_pmml as to_pmml
from algorithms.trees.json_text import from_json as from_json, to_json as to_json
from algorithms.trees.costs import AVERAGE_DEPTH as AVERAGE_DEPTH, DEPTH as DEPTH, NODES as NODES
from algorithms.trees.costs import NONTERMINAL_NODES as NONTERMINAL_NODES, TERMINAL_NODES as TERMINAL_NODES
from algorithms.trees.costs import TOTAL_PATH_LENGTH as TOTAL_PATH_LENGTH, COST_FUNCTIONS as COST_FUNCTIONS
from algorithms.trees.costs import CostFunction as CostFunction, Costs as Costs
from algorithms.trees.arrays import NO_ATTRIBUTE as NO_ATTRIBUTE, NO_NODE as NO_NODE

from algorithms.measures.impurity import IMPURITY_FUNCTIONS as IMPURITY_FUNCTIONS, ImpurityFunction as ImpurityFunction
from algorithms.measures.impurity import impurity_function as impurity_function
from algorithms.greedy import greedy_costs as greedy_costs, greedy_tree as greedy_tree
from algorithms.greedy import tree_from_parents as tree_from_parents
from algorithms.batch import BatchCosts as BatchCosts, costs_of_tables as costs_of_tables
from algorithms.exact.graph import SubtableGraph as SubtableGraph, GraphTooLargeError as GraphTooLargeError
from algorithms.exact.graph import exact_costs as exact_costs
from algorithms.exact.tree_set import TreeSet as TreeSet, TreeSetTooLargeError as TreeSetTooLargeError
from algorithms.exact.pareto import ParetoFront as ParetoFront, FrontTooLargeError as FrontTooLargeError
from algorithms.exact.pareto import pareto_front as pareto_front
from algorithms.exact.alpha import alpha_trees as alpha_trees

from algorithms.estimators.tree_classifier import TreeClassifier as TreeClassifier
from algorithms.options import ParameterError as ParameterError
from algorithms.estimators.version_stamp import OrchardVersionWarning as OrchardVersionWarning
from algorithms.induction.c45 import C45Classifier as C45Classifier
from algorithms.induction.id3 import ID3Classifier as ID3Classifier, GainRatioClassifier as GainRatioClassifier
from algorithms.induction.did import DIDClassifier as DIDClassifier
from algorithms.induction.look_ahead import LookAheadClassifier as LookAheadClassifier
from algorithms.induction.mid_level import MidLevelClassifier as MidLevelClassifier
from algorithms.induction.cart import CARTClassifier as CARTClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier as GenerateTreeClassifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier as LogisticTreeClassifier

from algorithms.induction.pruned import CostComplexityClassifier as CostComplexityClassifier
from algorithms.induction.pruned import PessimisticClassifier as PessimisticClassifier
from algorithms.induction.pruned import ReducedErrorClassifier as ReducedErrorClassifier
from algorithms.induction.tuned_cart import TunedCARTClassifier as TunedCARTClassifier
from algorithms.pruning.cost_complexity import CostComplexity as CostComplexity, cost_complexity as cost_complexity
from algorithms.pruning.pessimistic import pessimistic as pessimistic
from algorithms.pruning.reduced_error import reduced_error as reduced_error
from algorithms.rules.rule_classifiers import TreeRulesClassifier as TreeRulesClassifier
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier as SequentialCoveringClassifier
from algorithms.rules.rule_list import Rule as Rule, RuleList as RuleList

from algorithms.optimal.search import OCTClassifier as OCTClassifier
from algorithms.optimal.conditions.conditions import Conditions as Conditions
from algorithms.optimal.conditions.solve_under import ConditionsPrice as ConditionsPrice
from algorithms.optimal.mio.mio_classifiers import OCTMIOClassifier as OCTMIOClassifier
from algorithms.optimal.mio.mio_classifiers import OCTFlowClassifier as OCTFlowClassifier
from algorithms.optimal.rashomon_classifier import RashomonClassifier as RashomonClassifier
from algorithms.optimal.tuned_oct import TunedOCTClassifier as TunedOCTClassifier
from algorithms.optimal.lookahead.split_classifiers import LicketySPLITClassifier as LicketySPLITClassifier
from algorithms.optimal.lookahead.split_classifiers import SPLITClassifier as SPLITClassifier
from algorithms.optimal.t3.classifiers import T2Classifier as T2Classifier, T3Classifier as T3Classifier
from algorithms.optimal.t3.classifiers import T3CClassifier as T3CClassifier
from algorithms.optimal.solution import Solution as Solution, Frontier as Frontier, Status as Status
from algorithms.optimal.solution import FrontierPoint as FrontierPoint, Progress as Progress
from algorithms.optimal.solution import Effort as Effort
from algorithms.optimal.solution import EffortSpentError as EffortSpentError
from algorithms.optimal.trace import Trace as Trace
from algorithms.optimal.rashomon.rashomon_set import RashomonSet as RashomonSet
from algorithms.optimal.rashomon.set_answers import AttributeUse as AttributeUse, GoodSize as GoodSize
from algorithms.optimal.rashomon.set_answers import ImportanceInterval as ImportanceInterval
from algorithms.optimal.rashomon.fairness import FairTree as FairTree
from algorithms.optimal.consistent.fewest import FewestLeaves as FewestLeaves
from algorithms.optimal.smallest_tree import fewest_leaves as fewest_leaves

from algorithms.evolutionary.evo_tree import EVOTreeClassifier as EVOTreeClassifier
from algorithms.evolutionary.front import EVOTreeFrontClassifier as EVOTreeFrontClassifier
from algorithms.evolutionary.front import EvolvedFront as EvolvedFront, FrontTree as FrontTree
from algorithms.evolutionary.stream import EVOTreeStreamClassifier as EVOTreeStreamClassifier

from algorithms.baselines.random_tree import RandomTreeClassifier as RandomTreeClassifier
from algorithms.baselines.naive_bayes import NaiveBayesClassifier as NaiveBayesClassifier
from algorithms.baselines.one_hot_classifiers import RandomForestClassifier as RandomForestClassifier
from algorithms.baselines.one_hot_classifiers import MLPClassifier as MLPClassifier, SVMClassifier as SVMClassifier

__version__: str
__all__: list[str]
