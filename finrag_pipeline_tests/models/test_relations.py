"""The classifier of relations that ships: its weights, its directions."""

import numpy as np
import pytest

from finrag_pipeline.models.relations import WEIGHTS_PATH, RelationClassifier
from finrag_pipeline.models.relations.features import pair_features
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS


def test_weights_are_small_and_hold_no_words() -> None:
    assert WEIGHTS_PATH.stat().st_size < 3 << 20
    with np.load(WEIGHTS_PATH) as stored:
        kinds = {name: stored[name].dtype.kind for name in stored.files}
    assert set(kinds.values()) <= {"u", "i", "f"}


def test_classes_are_relations_of_the_vocabulary() -> None:
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
