"""Whom and when through the real engine: what agrees leads, what does not is still found."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.documents import publish
from finrag_pipeline_tests.query.conftest import AddDocument

#: The same sentence in every report: only whom and when tell them apart.
SALES = "营业收入较上年增长，毛利率因原材料价格回落而上升。"


def year(number: int) -> tuple[date, date, int]:
    return date(number, 1, 1), date(number, 12, 31), number


@pytest.fixture
def filings(add: AddDocument) -> None:
    for code, company in (("300991.SZ", "星河电器"), ("300992.SZ", "远山能源")):
        for number in (2022, 2023, 2024, 2025):
            add(
                f"{company}{number}",
                [f"{company}{SALES}第{number}号。", f"{company}管理层讨论与分析。"],
                company=company,
                code=code,
                kind="filing",
                period=year(number),
                title=f"{company}{number}年年度报告",
                published_on=date(number + 1, 4, 1),
            )


def found(engine: QueryEngine, question: str, **options: object) -> list[str]:
    results = engine.search(question, Options(**options)).to_dict()["results"]  # type: ignore[arg-type]
    return [each["document_id"] for each in results]


@pytest.mark.usefixtures("filings")
def test_company_and_year_choose_the_document(engine: QueryEngine) -> None:
    for company in ("星河电器", "远山能源"):
        for number in (2022, 2024):
            first = found(engine, f"{company}{number}年毛利率为什么上升？", k=2)[0]
            assert first == f"{company}{number}"
    by_code = found(engine, "300992在FY2023的毛利率为什么上升？", k=3)
    assert by_code[0] == "远山能源2023"


@pytest.mark.usefixtures("filings")
def test_what_was_narrowed_is_told(engine: QueryEngine) -> None:
    question = "星河电器2024年毛利率为什么上升？"
    scope = {
        "companies": ["星河电器"],
        "publishers": [],
        "periods": ["2024"],
        "forms": [],
        "newest": False,
        "documents": 4,
    }
    assert engine.search(question).to_dict()["scope"] == scope
    route = engine.ask(question).to_dict()["route"]
    assert route["scope"] == scope
    assert "documents that agree go first (星河电器, 2024)" in route["reason"]
    assert "scope" not in engine.search("毛利率为什么上升？").to_dict()
    assert "scope" not in engine.ask("毛利率为什么上升？").to_dict()["route"]


@pytest.mark.usefixtures("filings")
def test_each_of_two_companies_has_its_share(engine: QueryEngine) -> None:
    first = found(engine, "2024年星河电器和远山能源谁的毛利率上升更多？", k=4)
    assert set(first[:2]) == {"星河电器2024", "远山能源2024"}
    assert {each[:4] for each in first} == {"星河电器", "远山能源"}


@pytest.mark.usefixtures("filings")
def test_a_wrong_guess_of_whom_is_meant_still_finds(engine: QueryEngine, add: AddDocument) -> None:
    add("note", ["磷矿石的到岸价由星河电器的客户承担。"], company=None, code=None, kind="industry")
    assert "note" in found(engine, "星河电器的客户承担磷矿石的到岸价吗？", k=10)
    # a year that no document reports on excludes none
    assert len(found(engine, "星河电器2011年毛利率？", k=4)) == 4


@pytest.mark.usefixtures("filings")
def test_what_was_asked_for_beside_the_question_stays_hard(engine: QueryEngine) -> None:
    question = "星河电器2024年毛利率为什么上升？"
    assert set(found(engine, question, document="远山能源2022")) == {"远山能源2022"}
    assert {each[:4] for each in found(engine, question, company="300992")} == {"远山能源"}
    early = found(engine, question, as_of=date(2024, 12, 31))
    assert early[0].startswith("星河电器")
    assert not {each for each in early if each.endswith(("2024", "2025"))}
    told = engine.search("远山能源的毛利率？", Options(as_of=date(2020, 1, 1))).to_dict()
    assert (told["results"], told.get("scope")) == ([], None)


def test_the_newest_view_goes_first_where_it_is_asked_for(
    engine: QueryEngine, add: AddDocument
) -> None:
    for month in (2, 5, 8, 11):
        add(f"m{month}", [f"{SALES}目标价上调。"], published_on=date(2025, month, 1))
    assert found(engine, "星河新材最新目标价？", k=1) == ["m11"]
    assert engine.search("星河新材最新目标价？", Options(k=1)).results[0].copies


def test_a_house_leads_to_what_it_wrote(engine: QueryEngine, add: AddDocument) -> None:
    for house in ("辰光证券", "澄海证券"):
        add(house, [f"毛利率上升，{house[:2]}给予买入评级。"], broker=house)
    assert found(engine, "澄海证券怎么看星河新材的毛利率？", k=1) == ["澄海证券"]
    assert found(engine, "辰光证券的研报怎么看毛利率？", k=1) == ["辰光证券"]


def test_the_catalogue_follows_what_is_published_and_withdrawn(
    engine: QueryEngine, add: AddDocument, database: Database
) -> None:
    def companies() -> list[str]:
        told = engine.search("星河电器与远山能源的毛利率？").to_dict().get("scope") or {}
        return told.get("companies", [])

    add("a", [SALES], company="星河电器", code="300991.SZ")
    assert companies() == ["星河电器"]
    add("b", [SALES], company="远山能源", code=None)
    assert companies() == ["星河电器", "远山能源"]
    with database.transaction() as connection:
        publish(connection, "a", None)
    assert companies() == ["远山能源"]


def test_applications_do_not_name_each_others_companies(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("a", [SALES], company="星河电器", app_id="one")
    add("b", [SALES], company="远山能源", app_id="two")
    told = engine.search("星河电器与远山能源的毛利率？", Options(app="two")).to_dict()
    assert told["scope"]["companies"] == ["远山能源"]
