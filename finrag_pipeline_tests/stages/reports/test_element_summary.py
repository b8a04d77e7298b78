"""Many descriptions as one: batches that fit, sentences chosen without a model."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.models.chat import count_tokens
from finrag_pipeline.stages.reports.element_summary import (
    Described,
    batches,
    extract_summary,
    instruction,
    message,
)

texts = st.lists(st.text("甲厂供应乙厂电芯a1。", min_size=1, max_size=300), min_size=1, max_size=12)


@settings(deadline=None)
@given(texts, st.integers(350, 900))
def test_every_batch_fits_its_request(given_texts: list[str], budget: int) -> None:
    described = Described("甲厂", tuple(given_texts))
    rows = batches(described, given_texts, budget, count_tokens)
    assert sum(map(len, rows)) == len(given_texts)
    for row in rows:
        told = message(described.name, row)
        assert count_tokens(instruction(described)) + count_tokens(told) + 8 <= budget


def test_what_newer_descriptions_say_is_not_said_again() -> None:
    described = Described(
        "甲厂",
        (
            "甲厂是国内领先的隔膜制造商。",
            "甲厂是国内领先的隔膜制造商之一。",
            "甲厂在海外建有两座基地。",
        ),
    )
    found = extract_summary(described, 200, count_tokens)
    assert found == "甲厂是国内领先的隔膜制造商；甲厂在海外建有两座基地"
    assert extract_summary(described, 5, count_tokens) == "甲厂是国内领先的隔膜制造商"


def test_the_same_descriptions_in_another_order_are_the_same_source() -> None:
    one, other = Described("甲厂", ("a", "b")), Described("甲厂", ("b", "a"))
    assert one.source_sha256("offline", 200) == other.source_sha256("offline", 200)
    assert one.source_sha256("offline", 200) != one.source_sha256("qwen", 200)
    assert one.source_sha256("offline", 200) != Described("甲厂", ("a",)).source_sha256(
        "offline", 200
    )
