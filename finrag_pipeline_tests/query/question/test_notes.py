"""Which notes of a house a question means by their month, or by the report that they are on."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.houses import find_houses
from finrag_pipeline.query.question.notes import notes_meant
from finrag_pipeline.store.documents.catalogue import Catalogued

NOTES = {
    "annual": ("国信证券", date(2025, 4, 10)),
    "half": ("国信证券", date(2025, 8, 29)),
    "third": ("国信证券", date(2025, 10, 30)),
    "before": ("国信证券", date(2024, 8, 20)),
    "other": ("西南证券", date(2025, 8, 28)),
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    found: dict[str, DocumentFacts] = {}
    for name, (house, day) in NOTES.items():
        row = Catalogued(name, "星河智造", None, [], house, "company", day, True)
        found[name] = DocumentFacts(row, "星河智造", "星河智造", frozenset())
    return Catalogue(found)


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("国信8月那篇对星河智造给了几倍估值", {"half"}),
        ("国信证券2024年8月对星河智造的预测", {"before"}),
        ("西南8月那份怎么看星河智造", {"other"}),
        ("星河智造在手订单有多少（国信2025年半年报点评）", {"half"}),
        ("星河智造在手订单有多少（国信年报点评）", {"annual"}),
        ("国信的星河智造三季报点评里，毛利率多少", {"third"}),
        # of every year where none is named
        ("国信的星河智造中报点评里，毛利率多少", {"half", "before"}),
        # no such note, and no note that is meant
        ("国信1月那篇对星河智造给了几倍估值", set()),
        ("国信怎么看星河智造", set()),
        ("星河智造年报点评", set()),
    ],
)
def test_a_note_is_meant_by_house_and_time(
    catalogue: Catalogue, question: str, ids: set[str]
) -> None:
    companies = catalogue.companies_in(question)
    houses = find_houses(question, catalogue, companies, ("国信证券", "西南证券"))
    keys = frozenset(key for each in companies for key in each.keys)
    assert notes_meant(question, catalogue, houses, keys) == ids


def test_a_number_of_a_series_names_its_report() -> None:
    found: dict[str, DocumentFacts] = {}
    for number in ("54", "58"):
        title = f"多国外部形势报告第{number}号"
        day = date(2025, 6, int(number) - 50)
        row = Catalogued(number, None, None, [], "世界卫生组织", "other", day, True, title=title)
        found[number] = DocumentFacts(row, "", "", frozenset())
    series = Catalogue(found)
    asked = "第58号形势报告里首次报告病例的是哪国"
    assert notes_meant(asked, series, (), ()) == {"58"}
    assert notes_meant("企业会计准则解释第58号说什么", series, (), ()) == set()
    assert notes_meant(asked, series, (), {"星河智造"}) == set()
