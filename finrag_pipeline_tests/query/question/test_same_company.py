"""Documents that print no code are of the company whose name they, or their files, have."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.same_company import of_minutes, of_note
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline_tests.query.conftest import AddDocument, told_number


@pytest.fixture
def dentists(add: AddDocument) -> None:
    add(
        "summary",
        ["截至2024年末，公司拥有已开业口腔医疗机构87家。"],
        title="沐岚口腔2024年年度报告摘要",
        company="沐岚口腔",
        code="300994.SZ",
        kind="filing",
        published_on=date(2025, 4, 24),
        period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
    )
    add(
        "half",
        ["截至报告期末，公司拥有已开业口腔医疗机构98家。"],
        title="沐岚口腔医疗集团股份有限公司2025年半年度报告",
        company="沐岚口腔医疗集团股份有限公司",
        code=None,
        kind="filing",
        source="2025-08-27_沐岚口腔_2025年半年度报告全文.pdf",
        published_on=date(2025, 8, 26),
        period=(date(2025, 1, 1), date(2025, 6, 30), 2025),
    )


@pytest.mark.usefixtures("dentists")
@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("沐岚口腔2025年6月末开业了多少家机构", 98),
        ("沐岚口腔2024年末开业了多少家机构", 87),
        ("沐岚口腔医疗集团2024年末开业了多少家机构", 87),
        ("沐岚口腔2025年6月底的已开业机构数，比2024年末多出几家", 11),
    ],
)
def test_an_extract_without_a_code_is_of_the_company_whose_name_it_has(
    engine: QueryEngine, question: str, right: float
) -> None:
    assert told_number(engine, question) == right


def test_a_longer_name_is_of_another_company(engine: QueryEngine, add: AddDocument) -> None:
    add("oil", ["产量增长。"], title="中国岚油点评", company="中国岚油", code="600995.SH")
    add(
        "chemicals",
        ["产量下降。"],
        title="中国岚油化工股份有限公司2025年半年度报告",
        company="中国岚油化工股份有限公司",
        code=None,
        kind="filing",
        source="中国岚油化工股份有限公司2025年半年度报告.pdf",
    )
    asked, _ = engine.passages("中国岚油的产量")
    assert {each for named in asked.scope.reading.companies for each in named.keys} == {"600995.SH"}


def _row(
    title: str, source: str, kind: str = "other", broker: str | None = "云麓证券"
) -> Catalogued:
    day = date(2025, 5, 14)
    return Catalogued("d1", None, None, [], broker, kind, day, True, title=title, source=source)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (_row("Galaxy Cable: the tower arrives on time", "note.pdf"), "Galaxy Cable"),
        (_row("Galaxy Medical Technologies (NYSE: GLXM)", "n.pdf"), "Galaxy Medical Technologies"),
        (_row("对冲息差压力", "【云麓证券】星河银行(601X28)2024年年报点评.pdf"), "星河银行"),
        (_row("Liquid cooling for data centers: from niche to norm", "paper.pdf"), None),
        (_row("星河集市：单量提速", "n.pdf", kind="industry"), None),
        (_row("Galaxy Cable: the tower arrives", "n.pdf", broker=None), None),
    ],
)
def test_a_note_is_on_whom_it_is_headed_by(row: Catalogued, name: str | None) -> None:
    assert of_note(row) == name


def test_minutes_are_of_the_company_before_what_they_are() -> None:
    assert of_minutes("星河芯片机构调研纪要.pdf") == "星河芯片"
    assert of_minutes("2025年调研纪要.pdf") is None
