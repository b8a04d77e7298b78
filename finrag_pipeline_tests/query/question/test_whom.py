"""Companies that are asked for beside a question: by name or code, and what is offered instead."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import facts_of
from finrag_pipeline.query.question.whom import company_asked
from finrag_pipeline.store.documents.catalogue import Catalogued


def _row(number: int, name: str, *codes: str) -> Catalogued:
    code = codes[0] if codes else None
    day = date(2026, 3, 1)
    return Catalogued(f"d{number}", name, code, [*codes], None, "company", day, True)


CATALOGUE = Catalogue(
    facts_of(
        [
            _row(1, "星河新材料科技股份有限公司", "300999.SZ", "09999.HK"),
            _row(2, "澄光储能", "300998.SZ"),
            _row(
                3,
                "远岫生物",
            ),
            _row(4, "远岫生物"),
        ]
    )
)


@pytest.mark.parametrize("name", ["300999", "300999.SZ", "09999.hk", " 300999 "])
def test_codes_of_any_listing_are_taken_as_they_are(name: str) -> None:
    assert company_asked(CATALOGUE, name) == name.strip()


def test_names_become_a_code_that_all_documents_bear() -> None:
    assert company_asked(CATALOGUE, "澄光储能") == "300998.SZ"
    assert company_asked(CATALOGUE, "星河新材料科技") in ("300999.SZ", "09999.HK")


def test_a_company_without_a_code_is_its_documents() -> None:
    assert company_asked(CATALOGUE, "远岫生物") == ("d3", "d4")


def test_what_is_not_known_is_said_with_what_is_near() -> None:
    with pytest.raises(
        NotFound, match=r"no document is about a company '澄海储能'.*澄光储能.*300998.SZ"
    ):
        company_asked(CATALOGUE, "澄海储能")
    with pytest.raises(NotFound, match=r"'600000'$"):
        company_asked(CATALOGUE, "600000")
