"""The classifier of relations is learned anew, the same from the same sentences."""

import json
from pathlib import Path

import numpy as np

from finrag_pipeline.evaluation.graph.examples import LABELS, read_examples
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline.stages.extraction.vocabulary import CLASSIFIED
from training.relation_classifier import class_names, targets, train_classifier


def test_labels_are_what_the_vocabulary_calls_classified() -> None:
    assert set(LABELS.values()) == CLASSIFIED


_EXAMPLES = [
    ["青岚仪器", "白芷药业", "收购", "青岚仪器收购白芷药业"],
    ["白芷药业", "青岚仪器", "被收购", "青岚仪器收购白芷药业"],
    ["青岚仪器", "白芷药业", "unknown", "青岚仪器收购白芷药业"],
    ["白芷药业", "青岚仪器", "合作", "青岚仪器与白芷药业合作"],
    ["青岚仪器", "白芷药业", "合作", "青岚仪器与白芷药业合作"],
    ["青岚仪器", "青岚", "自己", "青岚仪器又名青岚"],
    ["甲", "乙", "合作", "此句没有他们"],
]


def test_mirrored_pairs_are_one_example(tmp_path: Path) -> None:
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(_EXAMPLES), encoding="utf-8")
    acquires, cooperates, alike = read_examples(path)
    assert acquires.relations == (("first", "acquires", "second"),)
    assert cooperates.relations == (("first", "cooperates_with", "second"),)
    assert alike.relations == ()
    assert alike.text[slice(*alike.second)] == "青岚"
    # 青岚 inside 青岚仪器 is none of its own
    assert alike.second[0] > alike.first[0]


def test_training_is_deterministic(tmp_path: Path) -> None:
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(_EXAMPLES), encoding="utf-8")
    examples = read_examples(path) * 3
    assert class_names(examples) == ["", "acquires>", "cooperates_with"]
    assert targets(examples, class_names(examples)).sum(axis=1).tolist() == [1.0] * 9
    once, again = (train_classifier(examples) for _ in range(2))
    assert all((once[name] == again[name]).all() for name in once)
    np.savez(tmp_path / "weights.npz", **once)
    classifier = RelationClassifier.read(tmp_path / "weights.npz")
    assert classifier.best("青岚仪器收购白芷药业", (0, 4), (6, 10))[0] == "acquires>"
