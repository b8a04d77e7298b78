"""Steps: timed, told to whoever watches as they end, under the id of their question."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from finrag_pipeline import spans
from finrag_pipeline.spans import Span


@pytest.fixture
def ended() -> Generator[list[Span]]:
    found: list[Span] = []

    @contextmanager
    def watch(step: Span) -> Generator[None]:
        try:
            yield
        finally:
            found.append(step)

    with spans.watched(watch):
        yield found


def test_a_step_is_told_whole_once_it_ended(ended: list[Span]) -> None:
    with pytest.raises(KeyError), spans.span("outer", stage="a"), spans.span("inner") as step:
        step.attributes["rows"] = 3
        raise KeyError("words of a question")
    inner, outer = ended
    assert (inner.name, inner.attributes, inner.error) == ("inner", {"rows": 3}, "KeyError")
    assert (outer.name, outer.attributes, outer.error) == ("outer", {"stage": "a"}, "KeyError")
    assert outer.seconds >= inner.seconds > 0


def test_a_decorated_function_is_a_step_each_time(ended: list[Span]) -> None:
    @spans.span("twice")
    def double(number: int) -> int:
        return 2 * number

    assert [double(2), double(3)] == [4, 6]
    assert [step.name for step in ended] == ["twice", "twice"]
    assert ended[0] is not ended[1]


def test_questions_have_ids_of_their_own_and_parts_the_one_of_the_whole(ended: list[Span]) -> None:
    with spans.numbered_question() as given, spans.question_span("ask"):
        assert spans.current_question() == given
        with spans.question_span("search"):
            pass
    with spans.question_span("ask"):
        pass
    assert spans.current_question() is None
    part, whole, other = (step.attributes["question_id"] for step in ended)
    assert part == whole == given != other
