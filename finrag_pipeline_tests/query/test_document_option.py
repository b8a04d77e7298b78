"""What is asked for beside a question: one document by a part of its name, a company by name."""

from __future__ import annotations

import pytest

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import documents
from finrag_pipeline_tests.query.conftest import AddDocument

MARGIN = "薄膜业务毛利率下降至31.5%，主要因原材料涨价。"


@pytest.fixture(autouse=True)
def reports(add: AddDocument) -> None:
    add("d1", [MARGIN], source="2025年三季报点评：毛利承压.pdf", title="毛利承压")
    add("d2", [MARGIN], source="2025年年报点评：出货提速.pdf", title="出货提速")


def test_a_part_of_a_name_or_title_finds_the_one_that_has_it(engine: QueryEngine) -> None:
    for part in ("三季报点评", "毛利承压"):
        found = engine.search("毛利率", Options(document=part))
        assert {each.item.key.id[0] for each in found.results} == {"d1"}


def test_a_part_that_several_have_lists_them(engine: QueryEngine) -> None:
    with pytest.raises(NotFound, match=r"ambiguous, name one id: d1 \(.*\), d2 \("):
        engine.search("毛利率", Options(document="报点评"))


def test_what_nobody_is_named_offers_the_nearest(engine: QueryEngine) -> None:
    with pytest.raises(NotFound, match=r"near to it: d2 \(.*出货提速.*\), d1 "):
        engine.search("毛利率", Options(document="年报出货提速点评"))


def test_what_takes_a_document_away_wants_its_whole_name(
    database: Database,
) -> None:
    with database.connection() as connection, pytest.raises(NotFound, match="no document is named"):
        documents.find(connection, "default", "三季报点评")


def test_a_company_is_asked_for_by_name(engine: QueryEngine) -> None:
    assert engine.search("毛利率", Options(company="星河新材")).results
    with pytest.raises(NotFound, match="near to it: 星河新材"):
        engine.search("毛利率", Options(company="星河新才"))
