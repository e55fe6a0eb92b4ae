"""C4.5 (Quinlan, 1993) by the rules of Weka's J48: the estimator (`c45_classifier`) and its loops.

`c45_growth` grows a tree from a node's rows (`shares`), the counts of an attribute (`entries`, `numbers`), the tests
(`gain_ratio`) and the child nodes (`nodes`). `c45_pruning` prunes it.
"""

from algorithms.induction.c45.c45_classifier import C45Classifier, weka_size

__all__ = ["C45Classifier", "weka_size"]
