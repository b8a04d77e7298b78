"""Scope: which documents agree with a question, in which order, and that none is excluded."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.scope import MOST_NARROWED, Scope
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.query.question.filings import catalogue, filing

#: Of a filer whose year ends in May, one whose year ends in January, one of the calendar.
HELD = catalogue(
    *(filing(f"shoes-{year}", "SHOES, Inc.", date(year, 5, 31)) for year in range(2016, 2024)),
    filing("shoes-q2", "SHOES, Inc.", date(2023, 11, 30), 2024, first_on=date(2023, 9, 1)),
    filing("shoes-q1", "SHOES, Inc.", date(2023, 8, 31), 2024, first_on=date(2023, 6, 1)),
    filing("stores-2021", "Stores Inc", date(2022, 1, 29), 2021),
    filing("stores-2022", "Stores Inc", date(2023, 1, 28), 2022),
    filing("mills", "MILLS CORP", date(2022, 12, 31)),
    filing("notice", "Mills Corp", published_on=date(2022, 8, 19)),
)


def scope(question: str, held: Catalogue = HELD, **where: object) -> Scope:
    return Scope(read_question(question, held), held, Filter("a", **where))  # type: ignore[arg-type]


def best(found: Scope, held: Catalogue = HELD) -> list[str]:
    return sorted(held.documents, key=lambda each: (-found.agreement(each), each))


def test_the_report_on_the_year_goes_first_then_those_that_tell_it_again() -> None:
    found = scope("How much total current assets did Shoes have at the end of FY2019?")
    assert best(found)[:3] == ["shoes-2019", "shoes-2020", "shoes-2021"]
    assert found.agreement("shoes-2019") == 1.0
    # what is older cannot know
    assert found.agreement("shoes-2018") < found.agreement("shoes-2022") < 1.0
    (group,) = found.groups
    assert group.document_ids[:2] == ("shoes-2019", "shoes-2020")
    assert (group.name, group.documents) == ("SHOES, Inc.", 10)


def test_a_fiscal_quarter_is_resolved_by_the_filers_year_end() -> None:
    assert best(scope("Shoes' revenue in the second quarter of fiscal 2024?"))[0] == "shoes-q2"
    assert best(scope("Shoes' revenue in Q1 FY2024?"))[0] == "shoes-q1"


def test_without_an_annual_report_the_quarter_of_a_files_name_tells_the_year_end() -> None:
    row = Catalogued(
        *("r", "Chips Inc", None, [], None, "filing", date(2025, 5, 22), True),
        period_first_on=date(2025, 2, 4),
        period_last_on=date(2025, 5, 3),
        fiscal_year=2025,
        source="CHIP_8-K_May_22_2025_F3Q25_release.pdf",
    )
    held = Catalogue({"r": DocumentFacts(row, "Chips Inc", "chips", frozenset())})
    found = scope("What were Chips' buybacks in the third quarter of fiscal 2025?", held)
    end = found.year_end("chips")
    assert end is not None and (end.last_on, end.fiscal_year) == (date(2025, 7, 31), 2025)
    assert found.agreement("r") == 1.0


def test_a_year_is_meant_as_its_filer_calls_it() -> None:
    assert best(scope("Stores' fiscal 2021 sales?"))[0] == "stores-2021"
    assert best(scope("Stores' fiscal 2022 sales?"))[:2] == ["stores-2022", "stores-2021"]
    ended = scope("Stores' sales for the year ended January 29, 2022?")
    assert best(ended)[0] == "stores-2021"


def test_a_range_is_told_by_the_report_on_its_last_year() -> None:
    assert best(scope("Shoes' average margin from FY2016 to FY2018?"))[0] == "shoes-2018"
    assert best(scope("Has Shoes' debt grown between FY2020 and the FY2019 period?"))[:2] == [
        "shoes-2020",
        "shoes-2021",
    ]


def test_nothing_is_excluded_and_nothing_is_narrowed_unless_said() -> None:
    found = scope("Mills sales in 1999?")
    assert all(0 < found.agreement(each) <= 1 for each in HELD.documents)
    assert {each for group in found.groups for each in group.document_ids} == {"mills", "notice"}
    silent = scope("why did margins fall?")
    assert (silent.groups, silent.to_dict(), silent.reason) == ((), None, "")
    assert {silent.agreement(each) for each in (*HELD.documents, "unknown")} == {1.0}


def test_two_companies_have_a_group_each() -> None:
    found = scope("Did Mills or Stores sell more in 2022?")
    assert [group.name for group in found.groups] == ["MILLS CORP", "Stores Inc"]
    assert found.to_dict() == {
        "companies": ["MILLS CORP", "Stores Inc"],
        "publishers": [],
        "periods": ["2022"],
        "forms": [],
        "newest": False,
        "documents": 4,
    }
    assert found.agreement("shoes-2022") < min(map(found.agreement, ("mills", "stores-2022")))


def test_what_is_asked_for_beside_the_question_holds() -> None:
    named = "Shoes' sales in FY2019?"
    early = scope(named, as_of=date(2020, 1, 1))
    assert early.groups == ()  # nothing of it was published by then
    assert early.agreement("mills") == early.agreement("shoes-2022")  # so nobody is meant
    one = scope(named, document_ids=("mills", "shoes-2016"))
    assert [group.document_ids for group in one.groups] == [("shoes-2016",)]


RESEARCH = catalogue(
    *(
        filing(
            f"{house}-{month}",
            "星河电器",
            kind="company",
            broker=f"{house}证券",
            code="300999.SZ",
            published_on=date(2025, month, 5),
        )
        for house in ("辰光", "澄海")
        for month in (2, 5, 11)
    ),
    filing("industry", None, kind="industry", broker="辰光证券", published_on=date(2025, 12, 1)),
)


def test_the_newest_goes_first_where_the_latest_view_is_asked_for() -> None:
    found = scope("星河电器最新目标价是多少？", RESEARCH)
    assert best(found, RESEARCH)[:2] == ["澄海-11", "辰光-11"]
    plain = scope("星河电器目标价是多少？", RESEARCH)
    assert plain.agreement("澄海-2") == plain.agreement("澄海-11") == 1.0
    assert found.reason == (
        "documents that agree go first (星河电器, research on companies, the newest)"
    )


def test_a_house_narrows_alone_and_weighs_beside_a_company() -> None:
    alone = scope("辰光证券怎么看？", RESEARCH)
    assert [set(group.document_ids) for group in alone.groups] == [
        {"辰光-2", "辰光-5", "辰光-11", "industry"}
    ]
    both = scope("辰光证券对星河电器的看法？", RESEARCH)
    assert both.groups[0].documents == 6
    assert both.agreement("辰光-5") == both.agreement("industry") > both.agreement("澄海-5")


def test_a_form_weighs() -> None:
    held = catalogue(
        filing("annual", "Mills", date(2022, 12, 31)),
        filing("quarter", "Mills", date(2022, 9, 30), first_on=date(2022, 7, 1)),
    )
    assert best(scope("What does Mills' 10-Q say of leases?", held), held)[0] == "quarter"
    assert best(scope("What does Mills' annual report say?", held), held)[0] == "annual"


@given(st.integers(2001, 2030), st.lists(st.integers(2001, 2030), min_size=1, unique=True))
def test_agreement_falls_with_the_years_after_and_never_reaches_nothing(
    asked: int, years: list[int]
) -> None:
    held = catalogue(*(filing(str(year), "Mills", date(year, 12, 31)) for year in years))
    found = scope(f"Mills sales in FY{asked}?", held)
    shares = {year: found.agreement(str(year)) for year in years}
    later = [shares[year] for year in sorted(years) if year >= asked]
    assert later == sorted(later, reverse=True)
    assert all(0 < share <= 1 for share in shares.values())
    (group,) = found.groups
    chosen = [shares[int(each)] for each in group.document_ids]
    assert chosen == sorted(shares.values(), reverse=True)[:MOST_NARROWED]


@pytest.mark.parametrize("question", ["Mills 2022", "2022", "Mills"])
def test_documents_that_nobody_knows_are_not_lowered(question: str) -> None:
    assert scope(question).agreement("community build") == 1.0
