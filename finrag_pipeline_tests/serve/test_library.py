"""The store from Python, on the samples: dataclasses, tables, one application, a day."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import date

import pandas as pd
import pytest

from finrag_pipeline import FinRag
from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_COMPANY


@pytest.fixture
def rag(sample_store: Settings) -> Iterator[FinRag]:
    with FinRag(home=sample_store.home, url=sample_store.database_url) as opened:
        yield opened


def test_answers_and_evidence_as_tables(rag: FinRag) -> None:
    answer = rag.ask("星河新材的目标价是多少？")
    assert answer.status == "answered"
    cited = answer.to_pandas()
    assert list(cited.n) == [1, 2] and set(cited.page) == {1}
    before = rag.ask("星河新材的目标价是多少？", as_of=date(2025, 6, 30))
    assert "38.00" in before.answer and "31.00" not in before.answer
    found = rag.search("碳酸锂", k=3).to_pandas()
    assert list(found["rank"]) == [1, 2, 3]
    with pytest.raises(InvalidQuestion):
        rag.ask("  ")


def test_figures_are_numbers_with_their_cells(rag: FinRag) -> None:
    revenue = rag.figures("星河新材", "营业收入", nature="actual").to_pandas()
    assert pd.api.types.is_float_dtype(revenue.value)
    assert pd.api.types.is_datetime64_any_dtype(revenue.last_on)
    assert {"page", "bbox", "printed", "quote"} <= set(revenue.columns)
    margin = rag.series("688991", "毛利率")
    assert [each.fiscal_year for each in margin.points][:2] == [2023, 2024]
    assert list(margin.to_pandas().unit.unique()) == ["%"]
    assert rag.outcomes("星河新材").to_pandas().empty
    assert rag.contradictions("星河新材").total == 0
    with pytest.raises(NotFound, match="near to it: gross_margin"):
        rag.series("688991", "gross_margins")


def test_companies_documents_views_and_the_graph(rag: FinRag) -> None:
    assert rag.companies("蓝桥").items[0].company_key == "688991.SH"
    assert "revenue" in set(rag.company("星河新材").to_pandas().metric)
    listed = rag.documents(company="星河新材", broker="沧澜证券")
    (one,) = listed.items
    assert rag.document("canglan_xinghe").document == one
    views = rag.views("星河新材").to_pandas()
    assert list(views.rating) == ["增持", "买入"]
    near = rag.neighbours("澄光储能", relations=["supplies"]).to_pandas()
    assert ("星河新材", "supplies", "澄光储能") in set(
        zip(near.src, near.relation, near.dst, strict=True)
    )
    assert rag.changes(date(2025, 10, 29), date(2026, 1, 31)).documents_total == 4
    with pytest.raises(NotFound, match="finrag rebuild"):
        rag.communities()


def test_another_application_is_another_store(sample_store: Settings) -> None:
    with FinRag(home=sample_store.home, url=sample_store.database_url, app=OTHER) as theirs:
        assert theirs.documents().total == 1
        assert theirs.company(OTHERS_COMPANY).name == OTHERS_COMPANY
        with pytest.raises(NotFound):
            theirs.company("星河新材")


def test_the_package_alone_loads_nothing_of_it() -> None:
    program = "import sys, finrag_pipeline; print([m for m in sys.modules if 'finrag' in m])"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "['finrag_pipeline']"
    with pytest.raises(AttributeError):
        __import__("finrag_pipeline").Nothing  # noqa: B018
