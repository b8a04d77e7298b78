"""What is asked for in words that no table prints is found by the term that they stand for."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from finrag_pipeline.models import e5
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument, adding

HEAD = ["项目", "2023A", "2024A", "2025E"]
TABLE = simple_table(
    "财务报表（百万元）",
    [
        HEAD,
        ["应收账款", "310", "345", "371"],
        ["存货", "120", "133", "142"],
        ["营业成本", "640", "702", "755"],
        ["销售费用", "88", "93", "97"],
        ["扣非归母净利润", "71", "79", "86"],
        ["归母净利润", "75", "82", "91"],
    ],
)
NOTE = {
    "tables": [TABLE],
    "published_on": date(2025, 8, 28),
    "title": "薄膜业务稳步增长",
    "kind": "company",
    "company": "星河新材",
    "code": "300999.SZ",
    "broker": "长风证券",
}
TEXT = "公司薄膜业务保持增长，我们维持买入评级。"


@pytest.fixture
def by_e5(reader: Reader, settings: Settings, database: Database, e5_home: Path) -> QueryEngine:
    """An engine over the note, with the vectors of the model that the terms were learned in."""
    settings.home.mkdir(parents=True, exist_ok=True)
    (settings.home / "models").symlink_to(e5_home / "models")
    adding(database, e5.load(e5_home))("note", [TEXT], **NOTE)
    return QueryEngine(reader, settings.model_copy(update={"embedder": "e5"}))


@pytest.mark.parametrize(
    ("question", "number", "term"),
    [
        ("请告知星河新材截至2024年末，客户拖欠着的货款有多少百万元？", 345e6, "应收账款"),
        ("星河新材2024年为取得销售收入所付出的直接成本，是多少百万元？", 702e6, "营业成本"),
        ("长风证券预计星河新材2025年花在推广和卖货上的钱有多少百万元？", 97e6, "销售费用"),
        ("剔除偶发性损益之后，星河新材2024年归股东的盈利是多少百万元？", 79e6, "扣非归母净利润"),
        ("星河新材2023年归属上市公司股东所有的盈利是多少百万元？", 75e6, "归母净利润"),
    ],
)
def test_a_term_is_known_by_other_words(
    by_e5: QueryEngine, question: str, number: float, term: str
) -> None:
    answer = by_e5.ask(question)
    assert answer.status == "answered", answer.answer
    assert answer.value is not None
    assert answer.value["number"] == pytest.approx(number)
    assert term in answer.route["read_as"]
    assert any(term in each for each in answer.warnings)


@pytest.mark.parametrize(
    "question",
    [
        "星河新材2024年收到了多少起客户投诉？",
        "星河新材2024年从银行借来的一年期以内的款项有多少百万元？",
        "剔除偶发性损益之后，星河新材2022年归股东的盈利是多少百万元？",
        "星河新材2024年客户拖欠着的货款占收入的百分之几？",
    ],
)
def test_what_nothing_prints_stays_refused(by_e5: QueryEngine, question: str) -> None:
    answer = by_e5.ask(question)
    assert answer.status == "insufficient_evidence", answer.answer


def test_in_another_space_the_terms_say_nothing(engine: QueryEngine, add: AddDocument) -> None:
    add("note", [TEXT], **NOTE)
    answer = engine.ask("请告知星河新材截至2024年末，客户拖欠着的货款有多少百万元？")
    assert "应收账款" not in answer.route.get("read_as", "")
