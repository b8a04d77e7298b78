"""Who is asked for by a part in a deal: what tells of the deal alone does not answer."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.query.conftest import AddDocument

DEAL = "公司于报告期内完成对远岫药业28%股权的收购事项，远岫药业成为公司的控股子公司。"
ADVISER = "本次收购远岫药业股权的独立财务顾问为汐原证券股份有限公司。"
ASKED = "星河口腔收购远岫药业股权时聘请的独立财务顾问是哪家？"


@pytest.mark.parametrize(("texts", "told"), [([DEAL], None), ([DEAL, ADVISER], "汐原证券")])
def test_an_adviser_is_told_where_one_is_named(
    engine: QueryEngine, add: AddDocument, texts: list[str], told: str | None
) -> None:
    add(
        "annual",
        texts,
        published_on=date(2025, 4, 27),
        title="2024年年度报告",
        kind="filing",
        company="星河口腔",
        code="300999.SZ",
    )
    answer = engine.ask(ASKED)
    if told is None:
        assert answer.status == "insufficient_evidence", answer.answer
    else:
        assert answer.status == "answered" and told in answer.answer
