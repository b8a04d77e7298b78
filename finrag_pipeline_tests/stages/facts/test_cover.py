"""What a cover forecasts, where no table of the report could be read."""

from __future__ import annotations

from dataclasses import replace

from finrag_pipeline.records import EpsForecast, Place
from finrag_pipeline_tests.stages.facts.made_reports import REPORT, facts, sentence, table

BOX = (60.0, 60.0, 200.0, 80.0)
COVER = replace(
    REPORT,
    eps_forecasts=(EpsForecast(2025, 0.65), EpsForecast(2026, 0.8)),
    target_price=20.5,
    places={"eps_forecasts": (Place(1, BOX),), "target_price": (Place(1, BOX),)},
)


def test_the_cover_fills_what_tables_lack() -> None:
    found = facts(regions=[sentence("摊薄每股收益 0.65 0.80")], metadata=COVER)

    assert [(f.metric, f.period.fiscal_year, str(f.value), f.broker) for f in found] == [
        ("eps", 2025, "0.65", "云岭证券"),
        ("eps", 2026, "0.8", "云岭证券"),
        ("target_price", 2025, "20.5", "云岭证券"),
    ]
    assert {f.quote for f in found} == {"摊薄每股收益 0.65 0.80"}


def test_a_table_goes_before_the_cover() -> None:
    found = facts(table("|2025E", "EPS(元)|0.66"), metadata=replace(COVER, target_price=None))

    assert [str(f.value) for f in found] == ["0.66"]


def test_two_listings_have_two_currencies() -> None:
    assert facts(metadata=replace(COVER, company_codes=("600001.SH", "00999.HK"))) == ()
