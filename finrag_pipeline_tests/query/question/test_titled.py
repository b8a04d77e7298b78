"""Reports that questions name by words of their titles, and what is left of the questions."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.titled import by_title
from finrag_pipeline.store.documents.catalogue import Catalogued

TITLES = {
    "half": ("星河智造", "国信证券", "薄膜业务高速增长，产能爬坡提速", date(2025, 8, 29)),
    "third": ("星河智造", "国信证券", "薄膜业务高速增长，海外订单翻倍", date(2025, 10, 30)),
    "cover": ("星河智造", "西南证券", "隔膜涂覆龙头，海外基地投产", date(2025, 8, 28)),
    "trade": (None, "华泰证券", "量价齐升的光伏逆变器出口", date(2025, 5, 1)),
    "54": (None, "世界卫生组织", "多国外部形势报告第54号", date(2025, 6, 27)),
    "58": (None, "世界卫生组织", "多国外部形势报告第58号", date(2025, 9, 19)),
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    found: dict[str, DocumentFacts] = {}
    for key, (company, house, title, day) in TITLES.items():
        kind = "company" if company else "industry"
        row = Catalogued(key, company, None, [], house, kind, day, True, title=title)
        found[key] = DocumentFacts(row, company, company or "", frozenset())
    filing = Catalogued("filing", "星河智造", None, [], None, "filing", date(2025, 8, 1), True)
    found["filing"] = DocumentFacts(filing, "星河智造", "星河智造", frozenset())
    return Catalogue(found)


@pytest.mark.parametrize(
    ("question", "key", "left"),
    [
        # behind what is asked, before it, in brackets, in quotation marks
        ("星河智造27E存货，隔膜涂覆龙头那篇", "cover", "星河智造27E存货"),
        (
            "在认为隔膜涂覆龙头的海外基地已投产的星河智造报告里，2027年的存货是多少？",
            "cover",
            "星河智造，2027年的存货是多少？",
        ),
        ("星河智造26年毛利率（海外订单翻倍那篇）", "third", "星河智造26年毛利率"),
        (
            "星河智造点评《海外订单翻倍》指出，2026年毛利率是多少？",
            "third",
            "星河智造，2026年毛利率是多少？",
        ),
        # of the notes on one report a single word tells
        (
            "星河智造2025年中报点评（讲薄膜的）给2027年存货的预测是多少？",
            "half",
            "星河智造，给2027年存货的预测是多少？",
        ),
        # the one on a report, by the time that it is on where no other is asked for
        (
            "星河智造2025年三季报点评里，存货是多少？",
            "third",
            "星河智造2025年三季报，存货是多少？",
        ),
        # what the clause itself asks stays
        ("隔膜涂覆龙头那篇谁写的，存货预测多少？", "cover", "谁写的，存货预测多少？"),
        # on no company; of a series by its number
        ("光伏逆变器量价齐升的报告里，出口额是多少？", "trade", "出口额是多少？"),
        ("形势报告第54号里确诊多少例？", "54", "第54号里确诊多少例？"),
        ("猴痘多国外部形势58号报告，确诊多少例？", "58", "确诊多少例？"),
    ],
)
def test_a_title_tells_the_report_and_goes(
    catalogue: Catalogue, question: str, key: str, left: str
) -> None:
    titled = by_title(question, read_question(question, catalogue), catalogue)
    assert titled.document is not None and titled.document.document_id == key
    assert titled.question == left


@pytest.mark.parametrize(
    "question",
    [
        "星河智造2025年半年度报告显示，存货是多少？",  # its own report, and no note on it
        "星河智造薄膜业务高速增长的那篇，2027年存货是多少？",  # two have that
        "星河智造2027年存货，隔膜涂覆龙头那篇和海外订单翻倍那篇相差多少？",
        "隔膜涂覆龙头那篇里星河智造的存货，海外订单翻倍那篇里的",  # two reports
        "星河智造的薄膜业务增长多少？",
        "国信怎么看星河智造",
        "西南证券的星河智造中报点评里，存货是多少？",  # whose it is, `notes` tells
        "“隔膜涂覆”因子的胜率是多少？",  # a thing in quotation marks
        "光伏逆变器出口额是多少？",
    ],
)
def test_no_title_leaves_a_question_as_it_is(catalogue: Catalogue, question: str) -> None:
    titled = by_title(question, read_question(question, catalogue), catalogue)
    assert titled.document is None
    assert titled.question == question


def test_a_report_to_come_is_not_meant(catalogue: Catalogue) -> None:
    question = "星河智造27E存货，海外订单翻倍那篇"
    reading = read_question(question, catalogue)
    assert by_title(question, reading, catalogue, date(2025, 9, 1)).document is None
