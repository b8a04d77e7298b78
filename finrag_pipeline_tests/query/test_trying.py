"""What another reading of a refused question finds is its answer only where it is of that kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.trying import tried
from finrag_pipeline_tests.query.conftest import AddDocument


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("星河新材为啥提了坏账", "insufficient_evidence"),
        ("星河新材提了多少坏账", "answered"),
    ],
)
def test_a_figure_is_no_reason(
    engine: QueryEngine, add: AddDocument, question: str, status: str
) -> None:
    add("d1", ["公司发布一季报。"])
    refused = replace(engine.ask("星河新材的审计机构为什么换了"), question=question)
    assert refused.status == "insufficient_evidence"
    figure = replace(refused, status="answered", value={"number": 900_000, "unit": "元"})
    answer = tried(refused, question, ["星河新材坏账准备"], lambda _: figure, lambda _: None)
    assert answer.status == status
