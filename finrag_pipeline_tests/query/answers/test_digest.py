"""The morning note: what came on a day, what changed, what is new, and how it is written."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from finrag_pipeline.query.answers.digest.rendering import to_html, to_markdown
from finrag_pipeline.query.answers.digest.writer import note_of
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.query.conftest import AddDocument
from finrag_pipeline_tests.query.covers import add_report
from finrag_pipeline_tests.store.facts.rows import BASE, add_facts

DAY = date(2026, 3, 20)
EARLIER = date(2025, 10, 28)
OLD_RISKS = "风险提示：碳酸锂价格大幅波动；市场竞争加剧。"
NEW_RISKS = "风险提示：碳酸锂价格波动；海外关税上调。"


def profit(year: int, value: str) -> FinancialFact:
    return replace(
        BASE,
        metric="net_profit_attributable",
        period=FactPeriod(year, "FY", date(year, 12, 31), date(year, 1, 1)),
        value=Decimal(value) * 10**8,
        text=value,
        quote=f"归母净利润（亿元） {value}",
        label="归母净利润",
    )


@pytest.fixture
def arrived(database: Database, add: AddDocument) -> None:
    """A day with a report that changes its house's view, an annual report and a broken file."""
    with database.transaction() as connection:
        house: dict[str, Any] = {"broker": "华泰证券"}
        add_report(
            connection,
            "a1",
            published_on=EARLIER,
            rating="买入",
            price="52.5",
            profit={2025: "9.5"},
            **house,
        )
        add_report(
            connection,
            "a2",
            published_on=DAY,
            title="年报点评：<b>承压</b>",
            rating="增持",
            change="下调",
            price="44",
            **house,
        )
        told: dict[str, Any] = {"kind": "filing", "title": "2025年年度报告"}
        add_facts(connection, "f1", [profit(2025, "8.1")], published_on=DAY, **told)
        connection.execute(
            "insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on,"
            " status, reason, detail) values ('q1', 'default', 'q1', 1, %s, 'quarantined',"
            " 'encrypted', 'needs a password')",
            (DAY,),
        )
    add("r0", [OLD_RISKS], broker="华泰证券", published_on=EARLIER, title="深度报告")
    add("r1", [NEW_RISKS], broker="海石证券", published_on=DAY, title="跟踪报告")


@pytest.mark.usefixtures("arrived")
def test_a_day_tells_changes_figures_risks_and_what_was_not_read(reader: Reader) -> None:
    note = note_of(reader, "default", DAY)
    told = {each.name: each.lines for each in note.sections}
    assert [line.partition("[")[0] for line in told["changes"]] == [
        "华泰证券对星河新材的评级由买入（2025年10月28日）下调至增持（2026年3月20日）",
        "华泰证券对星河新材的目标价由52.5元/股（2025年10月28日）下调至44元/股（2026年3月20日）",
    ]
    (figure,) = told["figures"]
    assert figure.startswith("星河新材2025年归母净利润8.10亿元[")
    assert "此前预测：华泰证券 9.50亿元[" in figure and "低于全部预测" in figure
    (risk,) = told["risks"]
    assert risk.startswith("星河新材：海石证券（2026年3月20日）首次提到：海外关税上调[")
    assert told["quarantined"] == ("q1：encrypted needs a password",)
    assert any("《年报点评：<b>承压</b>》" in line for line in told["company"])
    # every line but that of a file that nobody could read is cited, and every mark stands for one
    assert all("[" in line for name, own in told.items() if name != "quarantined" for line in own)
    numbers = [each.n for each in note.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(each.places and each.document_id for each in note.citations)


@pytest.mark.usefixtures("arrived")
def test_pages_escape_what_documents_say(reader: Reader) -> None:
    note = note_of(reader, "default", DAY)
    page, text = to_html(note), to_markdown(note)
    assert "<b>承压" not in page and "&lt;b&gt;承压&lt;/b&gt;" in page
    assert '<a href="#c1">[1]</a>' in page and '<li id="c1"' in page
    assert r"\<b\>承压" in text and "## 评级、目标价与预测的调整" in text
    assert "- [1] a2.pdf" in text or "- [1] a1.pdf" in text


@pytest.mark.usefixtures("arrived")
def test_a_day_on_which_nothing_came_says_so(reader: Reader) -> None:
    note = note_of(reader, "default", date(2026, 1, 1))
    assert (note.sections, note.citations) == ((), ())
    assert note.lead == "2026年1月1日没有新文档。"


@pytest.mark.usefixtures("arrived")
@pytest.mark.parametrize(
    "question", ["昨天有什么新报告？", "2026年3月20日有哪些新研报？", "最近一个月有哪些研报"]
)
def test_a_question_for_a_day_is_answered_by_the_note(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question, Options(as_of=date(2026, 3, 21)))
    assert answer.status == "answered" and all(answer.checks.values()), answer
    assert "目标价由52.5元/股（2025年10月28日）下调至44元/股" in answer.answer
    assert "低于全部预测" in answer.answer


@pytest.mark.usefixtures("arrived")
def test_an_earlier_day_is_told_where_the_one_asked_for_is_empty(engine: QueryEngine) -> None:
    answer = engine.ask("昨天有什么新报告？", Options(as_of=date(2026, 2, 2)))
    assert answer.status == "answered"
    assert answer.answer.startswith("所问的日子没有新文档，以下是最近一批：")
    assert "52.5" in answer.answer and "44元" not in answer.answer
