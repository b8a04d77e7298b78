"""A kind of evidence and a lane from outside the package, through search and ask.

Nothing of the package is edited: both are registered here, as a module of one's own would do it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from psycopg import Connection

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.answers import writers
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence import kinds
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.keys import Key, LaneHit
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable, ReadItems
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.lanes import registry
from finrag_pipeline.query.lanes.registry import Found, Tools
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.query.conftest import AddDocument

NOTES = {
    "n1": ("远岫能源的食堂每天供应三种汤。", date(2026, 3, 2)),
    "n2": ("远岫能源的食堂周五供应18种菜品。", date(2026, 3, 9)),
}
QUESTION = "远岫能源的食堂供应多少种菜品？"


@dataclass(frozen=True)
class NoteItem(EvidenceItem):
    """A note that somebody wrote down; it stands in no document."""

    name: str

    @property
    def key(self) -> Key:
        return Key("note", (self.name,))

    @property
    def text(self) -> str:
        return NOTES[self.name][0]

    def quotes(self, question: str) -> Iterable[Quotable]:
        yield Quotable(self.text, self.text, self.text, has_figure=True)

    def cite(self, n: int, quote: str, places: tuple[Any, ...]) -> Citation:
        return Citation(n, self.key, quote, places, published_on=NOTES[self.name][1])

    def holds(self, citation: Citation) -> bool:
        return citation.quote in self.text

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "note": self.name}


class NoteKind(kinds.EvidenceKind):
    """Notes, as far as they were written by the day asked for."""

    name = "note"

    def read(
        self, connection: Connection[Any], keys: Sequence[Key], asked: Asked, most: int
    ) -> ReadItems:
        day = asked.where.as_of or date.max
        names = [str(key.id[0]) for key in keys]
        items = [NoteItem(name) for name in names if NOTES[name][1] <= day]
        return ReadItems({item.key: item for item in items})


class NoteLane:
    """Every note, the newest first."""

    def __init__(self, tools: Tools) -> None:
        self._reader = tools.reader

    def search(self, asked: Asked, depth: int) -> Found:
        names = sorted(NOTES, key=lambda name: NOTES[name][1], reverse=True)
        return Found([LaneHit(Key("note", (name,)), 1.0) for name in names[:depth]])


@pytest.fixture(autouse=True)
def _registries(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    for module, name in ((kinds, "_kinds"), (registry, "_lanes"), (writers, "_writers")):
        held: Mapping[str, Any] = getattr(module, name)
        monkeypatch.setattr(module, name, dict(held))


@pytest.fixture
def engine(reader: Reader, settings: Settings, add: AddDocument) -> Iterator[QueryEngine]:
    add("d1", ["星河新材毛利率回升，产能利用率超过九成。"])
    kinds.register(NoteKind())
    registry.register("note", NoteLane, joins=("search", "ask"))
    yield QueryEngine(reader, settings)


def test_a_kind_and_a_lane_join_every_search(engine: QueryEngine) -> None:
    found = engine.search(QUESTION).to_dict()
    json.dumps(found)
    assert {each["kind"] for each in found["results"]} == {"chunk", "note"}
    note = next(each for each in found["results"] if each["kind"] == "note")
    assert note["lanes"] == {"note": 1} and note["note"] == "n2"
    assert [note[name] for name in ("document_id", "source", "page", "bbox")] == [None] * 4
    assert note["text"] == NOTES["n2"][0] and "note" in found["latency_ms"]
    chunk = next(each for each in found["results"] if each["kind"] == "chunk")
    assert chunk.keys() == note.keys() - {"note"}


def test_an_answer_quotes_the_new_kind_and_the_gate_checks_it(engine: QueryEngine) -> None:
    answer = engine.ask(QUESTION).to_dict()
    json.dumps(answer)
    assert (answer["status"], answer["answer"]) == ("answered", f"{NOTES['n2'][0]}[1]")
    assert answer["evidence"] == [
        {
            "n": 1,
            "kind": "note",
            "document_id": None,
            "source": None,
            "page": None,
            "bbox": None,
            "regions": [],
            "quote": NOTES["n2"][0],
            "published_on": "2026-03-09",
        }
    ]
    assert all(answer["checks"].values()) and "note" in answer["route"]["lanes"]


def test_the_lane_can_be_asked_for_alone_and_a_day_holds(engine: QueryEngine) -> None:
    alone = engine.search(QUESTION, Options(lane="note"))
    assert [each.item.key.id for each in alone.results] == [("n2",), ("n1",)]
    then = engine.search(QUESTION, Options(lane="note", as_of=date(2026, 3, 5)))
    assert [each.item.key.id for each in then.results] == [("n1",)]
    answer = engine.ask(QUESTION, Options(lane="note"))
    assert answer.route["lanes"] == ["note"] and "lane note" in answer.route["reason"]
    with pytest.raises(
        InvalidQuestion, match="keyword, vector, table, fact, graph, community, note"
    ):
        engine.search(QUESTION, Options(lane="notes"))


@pytest.mark.parametrize(
    ("text", "quote", "published_on", "told"),
    [
        ("18种菜品[1]", NOTES["n2"][0], date(2026, 3, 9), None),
        ("19种菜品[1]", NOTES["n2"][0], date(2026, 3, 9), "a number of it"),
        ("菜品很多[1]", "远岫能源没有食堂。", date(2026, 3, 9), "its evidence does not hold"),
        ("18种菜品[1]", NOTES["n2"][0], date(2026, 4, 1), "after the day asked for"),
    ],
)
def test_what_a_writer_cannot_ground_is_not_said(
    engine: QueryEngine,
    reader: Reader,
    settings: Settings,
    text: str,
    quote: str,
    published_on: date,
    told: str | None,
) -> None:
    def write(asked: Asked, found: SearchResult) -> Draft:
        item = NoteItem("n2")
        cited = Citation(1, item.key, quote, published_on=published_on)
        return Draft(text, (cited,), (item,), way="as it pleases")

    writers.register("extractive", lambda _: write)
    answer = QueryEngine(reader, settings).ask(
        QUESTION, Options(mode="text", as_of=date(2026, 3, 20))
    )
    if told is None:
        assert (answer.status, answer.answer, answer.warnings) == ("answered", text, ())
    else:
        assert (answer.status, answer.evidence) == ("insufficient_evidence", ())
        assert text not in answer.answer and told in answer.warnings[0]


def test_a_writer_with_nothing_to_say_is_a_refusal(
    engine: QueryEngine, reader: Reader, settings: Settings
) -> None:
    writers.register("extractive", lambda _: lambda asked, found: None)
    answer = QueryEngine(reader, settings).ask(QUESTION, Options(mode="text"))
    assert (answer.status, answer.evidence) == ("insufficient_evidence", ())
    assert all(answer.checks.values())
