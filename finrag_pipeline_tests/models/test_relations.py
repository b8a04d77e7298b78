"""The classifier of relations that ships: its weights, its directions, its training."""

import json
from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.models.relations import WEIGHTS_PATH, RelationClassifier
from finrag_pipeline.models.relations.examples import LABELS, SYMMETRIC, read_examples
from finrag_pipeline.models.relations.features import pair_features
from finrag_pipeline.models.relations.training import class_names, targets, train_classifier
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS


def test_weights_are_small_and_hold_no_words() -> None:
    assert WEIGHTS_PATH.stat().st_size < 3 << 20
    with np.load(WEIGHTS_PATH) as stored:
        kinds = {name: stored[name].dtype.kind for name in stored.files}
    assert set(kinds.values()) <= {"u", "i", "f"}


def test_labels_are_relations_of_the_vocabulary() -> None:
    assert set(LABELS.values()) <= set(RELATIONS)
    assert {name for name in LABELS.values() if RELATIONS[name].symmetric} == SYMMETRIC
    known = {name.rstrip("<>") for name in RelationClassifier.packaged().classes[1:]}
    assert known <= set(RELATIONS)


@pytest.mark.parametrize(
    ("text", "one", "two", "expected"),
    [
        ("青岚仪器以3亿元收购白芷药业。", "青岚仪器", "白芷药业", (0, "acquires", 1)),
        ("青岚仪器与白芷药业展开战略合作。", "青岚仪器", "白芷药业", (0, "cooperates_with", 1)),
        ("青岚仪器减持白芷药业股份。", "青岚仪器", "白芷药业", (0, "reduces_stake_in", 1)),
        ("会上，青岚仪器听取了意见，白芷药业参加。", "青岚仪器", "白芷药业", None),
    ],
)
def test_plain_sentences(
    text: str, one: str, two: str, expected: tuple[int, str, int] | None
) -> None:
    spans = [(text.index(name), text.index(name) + len(name)) for name in (one, two)]
    found = RelationClassifier.packaged().classify(text, spans)
    sure = [(r.head, r.relation, r.tail) for r in found if r.sure]
    assert sure == ([expected] if expected else [])


def test_features_hold_no_whole_name() -> None:
    one, other = "青岚精密仪器减持白芷药业。", "红枫精密仪器减持白芷药业。"
    assert (pair_features(one, (0, 6), (8, 12)) == pair_features(other, (0, 6), (8, 12))).all()


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
