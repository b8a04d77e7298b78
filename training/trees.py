"""What LightGBM learns, as the arrays that the package reads."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np

from finrag_pipeline.models.trees import Trees

#: What all trees are learned with: the same each time, on one core.
SAME = {
    "min_data_in_leaf": 20,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "seed": 0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "boost_from_average": False,
    "verbose": -1,
}


def as_trees(model: lightgbm.Booster, names: tuple[str, ...]) -> Trees:
    """The trees of a booster over columns of some names."""
    column: list[int] = []
    bound: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaf: list[float] = []

    def add(node: dict[str, Any]) -> int:
        at = len(column)
        inner = "split_feature" in node
        column.append(node["split_feature"] if inner else -1)
        bound.append(node["threshold"] if inner else 0.0)
        leaf.append(0.0 if inner else node["leaf_value"])
        left.append(0)
        right.append(0)
        if inner:
            left[at] = add(node["left_child"])
            right[at] = add(node["right_child"])
        return at

    roots = [add(each["tree_structure"]) for each in model.dump_model()["tree_info"]]
    whole = (np.array(each, np.int64) for each in (roots, column, left, right))
    first, asked, lower, upper = whole
    return Trees(names, first, asked, np.array(bound), lower, upper, np.array(leaf))
