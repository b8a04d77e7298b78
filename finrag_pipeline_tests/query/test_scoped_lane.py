"""One ranking of what a lane found inside the documents that a question names and among all."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.evidence.keys import Key, LaneHit, content_key
from finrag_pipeline.query.lanes.scoped import weighed
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.scope import Scope
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.query.question.filings import catalogue, filing

HELD = catalogue(
    filing("mills-2022", "Mills", date(2022, 12, 31)),
    filing("mills-2021", "Mills", date(2021, 12, 31)),
    filing("stores", "Stores", date(2022, 12, 31)),
    filing("industry", None, kind="industry"),
)
SCORES = st.dictionaries(
    st.tuples(st.sampled_from(sorted(HELD.documents)), st.integers(0, 5)),
    st.floats(0.01, 50),
    min_size=1,
)


def scope(question: str) -> Scope:
    return Scope(read_question(question, HELD), HELD, Filter("a"))


def hit(document_id: str, ordinal: int, score: float) -> LaneHit:
    return LaneHit(content_key("chunk", document_id, "r", ordinal), score)


def order(found: dict[Key, float]) -> list[str]:
    return [str(key.id[0]) for key in sorted(found, key=lambda key: -found[key])]


def test_what_agrees_leads_but_not_by_what_says_nothing() -> None:
    scores = {
        hit("stores", 0, 0).key: 10.0,
        hit("mills-2022", 0, 0).key: 9.0,
        hit("industry", 0, 0).key: 8.5,
        hit("mills-2021", 0, 0).key: 9.0,
        hit("mills-2022", 1, 0).key: 1.0,
        hit("mills-2022", 2, 0).key: 0.5,
    }
    found = order(weighed(scores, scope("Mills' sales in 2022?")))
    assert found == ["mills-2022", "industry", "mills-2021", "stores", "mills-2022", "mills-2022"]


def test_the_best_of_each_of_two_companies_counts_as_much() -> None:
    scores = {
        **{hit("mills-2022", n, 0).key: 20.0 - n for n in range(4)},
        **{hit("stores", n, 0).key: 8.0 - n for n in range(4)},
    }
    found = order(weighed(scores, scope("Did Mills or Stores sell more in 2022?")))
    assert set(found[:2]) == {"mills-2022", "stores"}


@given(SCORES, st.sampled_from(["Mills in 2022?", "Mills and Stores?", "2021?", "10-K of 2022"]))
def test_order_within_a_document_stays_and_nothing_is_lost(
    scores: dict[tuple[str, int], float], question: str
) -> None:
    keyed = {hit(*key, 0.0).key: score for key, score in scores.items()}
    found = weighed(keyed, scope(question))
    assert set(found) == set(keyed)
    assert all(0 <= share <= 1 + 1e-9 for share in found.values())
    for document in HELD.documents:
        own = sorted((key for key in keyed if key.id[0] == document), key=lambda key: keyed[key])
        assert [found[key] for key in own] == sorted(found[key] for key in own)
