"""Houses as questions name them, and words that name none where they stand."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.houses import find_houses, published_within
from finrag_pipeline.store.documents.catalogue import Catalogued

HELD = {
    "国信证券": date(2025, 4, 29),
    "东方证券": date(2025, 5, 11),
    "上海证券": date(2025, 4, 21),
    "太平洋证券": date(2025, 12, 29),
    "浦银国际证券": date(2025, 10, 27),
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    found: dict[str, DocumentFacts] = {}
    for name, day in HELD.items():
        row = Catalogued(name, "星河智造", None, [], name, "company", day, True)
        found[name] = DocumentFacts(row, "星河智造", "星河智造", frozenset())
    row = Catalogued("长江", "长江电力", "600900.SH", [], None, "filing", date(2025, 4, 1), True)
    found["长江"] = DocumentFacts(row, "长江电力", "600900.SH", frozenset(["600900.SH"]))
    return Catalogue(found)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("国信对星河智造2025年EPS的预测", "国信证券"),
        ("星河智造2025年EPS，国信给的多少", "国信证券"),
        ("东方、太平洋和上海三家对星河智造的预测", "东方证券|太平洋证券|上海证券"),
        ("星河智造2025年净利，上海和东方谁更乐观", "上海证券|东方证券"),
        ("浦银预计星河智造明年营收", "浦银国际证券"),
        ("What does Guosen forecast for Xinghe's revenue?", "国信证券"),
        ("Compare Guosen and Orient forecasts of Xinghe's EPS", "国信证券|东方证券"),
        # houses that nobody has documents of are houses, too
        ("招商证券对星河智造2025年EPS的预测", "招商证券"),
        ("银河归到什么事上", ""),
        ("按国信的说法，星河智造为什么下滑", "国信证券"),
        ("Who supplies lithium to Xinghe?", ""),
        ("Why did China Xinghe's income fall?", ""),
        # words that are no houses where they stand
        ("星河智造上海工厂的产能", ""),
        ("东方市场和太平洋地区的收入", ""),
        ("长江电力2024年营收", ""),
        ("长江电力对上海的供电量", ""),
    ],
)
def test_houses_are_found_by_what_stands_around(
    catalogue: Catalogue, question: str, names: str
) -> None:
    found = find_houses(question, catalogue, catalogue.companies.find(question))

    assert "|".join(each.name for each in found) == names


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("国信4月那份对星河智造的预测", [(date(2025, 4, 1), date(2025, 4, 30))]),
        ("国信2024年12月的研报对星河智造的预测", [(date(2024, 12, 1), date(2024, 12, 31))]),
        ("国信4月29日的报告预测多少", [(date(2025, 4, 29), date(2025, 4, 29))]),
        (
            "国信4月和10月那份对星河智造的预测",
            [(date(2025, 4, 1), date(2025, 4, 30)), (date(2025, 10, 1), date(2025, 10, 31))],
        ),
        (
            "国信和太平洋12月那份分别预测多少",
            [None, (date(2025, 12, 1), date(2025, 12, 31))],
        ),
        (
            "Guosen's April note on Xinghe",
            [(date(2025, 4, 1), date(2025, 4, 30))],
        ),
        ("国信预计2025年3月星河智造的营收", [None]),
    ],
)
def test_a_month_behind_a_house_chooses_its_document(
    catalogue: Catalogue, question: str, days: list[tuple[date, date] | None]
) -> None:
    found = find_houses(question, catalogue)

    assert [published_within(each, catalogue) for each in found] == days


def test_who_wrote_on_a_company_is_named_wherever_its_short_name_stands(
    catalogue: Catalogue,
) -> None:
    question = "星河智造的目标价东方写了吗"
    companies = catalogue.companies.find(question)

    assert not find_houses(question, catalogue, companies)
    (found,) = find_houses(question, catalogue, companies, ["东方证券"])
    assert found.name == "东方证券"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("星河智造上海给的目标价", "上海证券"),
        ("星河智造上海工厂扩建工程的余额", ""),
        ("上海单城零售规模", ""),
        ("屹澜上海把股份转让给谁", ""),
    ],
)
def test_a_house_that_is_called_as_a_place_is_none_where_something_stands_there(
    catalogue: Catalogue, question: str, names: str
) -> None:
    companies = catalogue.companies.find(question)
    found = find_houses(question, catalogue, companies, ["上海证券"])
    assert "|".join(each.name for each in found) == names


def test_an_arm_that_only_files_name_is_the_house_on_their_covers() -> None:
    row = Catalogued(
        *("x", "星河智造", None, [], "国信证券", "company", date(2025, 5, 1), True),
        source="【招商证券】星河智造点评.pdf",
    )
    catalogue = Catalogue({"x": DocumentFacts(row, "星河智造", "星河智造", frozenset())})

    (found,) = find_houses("招商证券对星河智造2025年EPS的预测", catalogue)
    assert found.name == "国信证券"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("国信量价行业轮动组合跑赢多少", ["国信证券"]),
        ("国信科技2024年营收多少", []),
        ("轮动组合国信跑赢多少", []),
    ],
)
def test_a_question_opens_with_a_house_that_writes_on_more_than_companies(
    question: str, names: list[str]
) -> None:
    row = Catalogued("x", None, None, [], "国信证券", "strategy", date(2025, 5, 1), True)
    catalogue = Catalogue({"x": DocumentFacts(row, "", "", frozenset())})

    assert [each.name for each in find_houses(question, catalogue)] == names
