"""Operations on sets of decision trees as graphs: least costs, and subsets by the splits or the depth of trees.

A graph is (splits, split_edges, edge_to): node i has the splits from splits[i] to splits[i + 1], and split j has the
edges from split_edges[j] to split_edges[j + 1], ends not included. Edges lead to nodes of smaller numbers. The last
node is the root; a node without splits is terminal. A graph made from another is (node, splits, split, split_edges,
edge_to): node and split are the indices of its nodes and splits in the other graph.
"""

import numpy as np

from algorithms._numba.decorators import kernel

NO_TREE = np.iinfo(np.int64).max


@kernel
def decision_counts(size, decision, decisions, splits, split_edges, edge_to):
    """(nodes, decisions) int64: summed weight of the rows of each decision in every subtable.

    size (nodes,): summed weight of all rows; decision (nodes,): the common decision of a terminal node
    """
    counts = np.zeros((len(size), decisions), np.int64)
    for node in range(len(size)):
        split = splits[node]
        if split == splits[node + 1]:
            counts[node, decision[node]] = size[node]
            continue
        for edge in range(split_edges[split], split_edges[split + 1]):
            for i in range(decisions):
                counts[node, i] += counts[edge_to[edge], i]
    return counts


@kernel
def least_sums(added, at_leaf, splits, split_edges, edge_to):
    """(least cost at each node, least cost of each split) of a cost that is a sum over nodes.

    added (nodes,) : the amount that a nonterminal node adds to the costs of its subtrees
    at_leaf : the cost of a terminal node
    """
    value = np.full(len(added), at_leaf, np.int64)
    split_value = np.empty(len(split_edges) - 1, np.int64)
    for node in range(len(added)):
        least = NO_TREE
        for split in range(splits[node], splits[node + 1]):
            total = added[node]
            for edge in range(split_edges[split], split_edges[split + 1]):
                total += value[edge_to[edge]]
            split_value[split] = total
            least = min(least, total)
        if splits[node] < splits[node + 1]:
            value[node] = least
    return value, split_value


@kernel
def least_sums_within(below, added, splits, split_edges, edge_to):
    """(nodes,): least cost of the trees that may be one level deeper than those with the least costs `below`.

    The cost is as in `least_sums`; it is NO_TREE if there is no such tree. Terminal nodes keep their cost in `below`.
    """
    value = below.copy()
    for node in range(len(below)):
        for split in range(splits[node], splits[node + 1]):
            total = added[node]
            for edge in range(split_edges[split], split_edges[split + 1]):
                part = below[edge_to[edge]]
                if part == NO_TREE:
                    total = NO_TREE
                    break
                total += part
            value[node] = min(value[node], total)
    return value


@kernel
def depth_spans(splits, split_edges, edge_to):
    """(least depth, greatest depth, least depth by each split) of the trees at each node: (nodes,) twice, (splits,)."""
    nodes = len(splits) - 1
    least, greatest = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    needed = np.empty(len(split_edges) - 1, np.int64)
    for node in range(nodes):
        for split in range(splits[node], splits[node + 1]):
            shallow, deep = 0, 0
            for edge in range(split_edges[split], split_edges[split + 1]):
                shallow = max(shallow, least[edge_to[edge]])
                deep = max(deep, greatest[edge_to[edge]])
            needed[split] = shallow + 1
            least[node] = shallow + 1 if split == splits[node] else min(least[node], shallow + 1)
            greatest[node] = max(greatest[node], deep + 1)
    return least, greatest, needed


@kernel
def states(levels, needed, greatest, splits, split_edges, edge_to):
    """((nodes, levels + 1) bool, splits, edges): the states that the root reaches, and their split and edge counts.

    State (node, l) represents the trees of at most l levels at the node. It has the splits that need at most l levels.

    needed (splits,)  : the least levels of the trees of a split
    greatest (nodes,) : the greatest levels of a state, so that a node whose trees all fit has one state
    """
    nodes = len(splits) - 1
    reached = np.zeros((nodes, levels + 1), np.bool_)
    reached[nodes - 1, min(levels, greatest[nodes - 1])] = True
    n_splits, n_edges = 0, 0
    for node in range(nodes - 1, -1, -1):
        for left in range(levels + 1):
            if reached[node, left]:
                for split in range(splits[node], splits[node + 1]):
                    if needed[split] <= left:
                        n_splits += 1
                        n_edges += split_edges[split + 1] - split_edges[split]
                        for edge in range(split_edges[split], split_edges[split + 1]):
                            to = edge_to[edge]
                            reached[to, min(max(left - 1, 0), greatest[to])] = True
    return reached, n_splits, n_edges


@kernel
def unfolded(reached, n_splits, n_edges, needed, greatest, splits, split_edges, edge_to):
    """The graph with a node for each state that `states` found."""
    nodes, levels = reached.shape
    number = np.full((nodes, levels), -1, np.int32)
    count = 0
    for node in range(nodes):
        for left in range(levels):
            if reached[node, left]:
                number[node, left] = count
                count += 1
    from_node = np.empty(count, np.int64)
    new_splits = np.zeros(count + 1, np.int64)
    from_split = np.empty(n_splits, np.int64)
    new_split_edges = np.zeros(n_splits + 1, np.int64)
    new_edge_to = np.empty(n_edges, np.int32)
    s, e, i = 0, 0, 0
    for node in range(nodes):
        for left in range(levels):
            if reached[node, left]:
                for split in range(splits[node], splits[node + 1]):
                    if needed[split] <= left:
                        for edge in range(split_edges[split], split_edges[split + 1]):
                            to = edge_to[edge]
                            new_edge_to[e] = number[to, min(max(left - 1, 0), greatest[to])]
                            e += 1
                        from_split[s] = split
                        s += 1
                        new_split_edges[s] = e
                from_node[i] = node
                i += 1
                new_splits[i] = s
    return from_node, new_splits, from_split, new_split_edges, new_edge_to
