"""Reports with covers put straight into the store: rating, price, authors and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records import Place
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline_tests.store.facts.rows import BASE, add_facts

#: Where each field stands on a cover; every row is a region of its own.
ROWS: dict[str, tuple[float, float, float, float]] = {
    "title": (50, 40, 500, 60),
    "broker": (50, 70, 300, 85),
    "published_on": (310, 70, 500, 85),
    "rating": (50, 100, 200, 115),
    "analysts": (50, 130, 300, 145),
    "opening": (50, 190, 500, 260),
}


def add_report(
    connection: Connection[Any],
    document_id: str,
    *,
    broker: str = "长风证券",
    published_on: date = date(2026, 3, 1),
    title: str = "年报点评：量价齐升",
    rating: str | None = "买入",
    change: str = "维持",
    price: str | None = None,
    profit: dict[int, str] | None = None,
    analysts: Sequence[str] = ("林望舒",),
    facts: Sequence[FinancialFact] = (),
    body: Sequence[str] = (),
    opening: str = "",
    **told: Any,
) -> None:
    """A report whose cover says who rates whom, and whose tables say what it expects.

    Args:
        profit: by fiscal year, in 亿元.
        body: kept sentences of its second page.
        opening: text of its first page below the cover.
        told: as for `add_document`.
    """
    company = {
        "company_key": told.get("code", BASE.company_key),
        "company_code": told.get("code", BASE.company_code),
        "company_name": told.get("company", BASE.company_name),
    }
    expected = [*facts]
    if price:
        expected.append(
            replace(
                BASE,
                **company,
                metric="target_price",
                period=FactPeriod(published_on.year, "other", published_on),
                value=Decimal(price),
                unit="CNY/股",
                text=price,
                label="目标价",
                quote=f"目标价（元） {price}",
                source="report_target_price",
                nature="forecast",
                broker=broker,
                place=Place(1, (50, 160, 200, 175)),
            )
        )
    for year, value in (profit or {}).items():
        expected.append(
            replace(
                BASE,
                **company,
                metric="net_profit_attributable",
                period=FactPeriod(year, "FY", date(year, 12, 31), date(year, 1, 1)),
                value=Decimal(value) * 10**8,
                text=value,
                label="归母净利润",
                quote=f"归母净利润（亿元） {value}",
                source="report_forecast",
                nature="forecast",
                broker=broker,
                place=Place(2, (50, 200, 400, 215)),
            )
        )
    add_facts(
        connection,
        document_id,
        expected,
        title=title,
        broker=broker,
        published_on=published_on,
        **told,
    )
    day = f"{published_on.year}年{published_on.month}月{published_on.day}日"
    rows = {
        "title": title,
        "broker": f"{broker}研究所",
        "published_on": day,
        "rating": f"投资评级：{rating}（{change}）" if rating else "",
        "analysts": f"分析师：{'、'.join(analysts)}" if analysts else "",
    }
    if opening:
        rows["opening"] = opening
    for ordinal, (name, text) in enumerate(rows.items()):
        connection.execute(
            "insert into cleaned_text (document_id, revision, ordinal, page, bbox, kind, rule,"
            " text) values (%s, 'r1', %s, 1, %s, 'cover', 'cover_block', %s)",
            (document_id, 1000 + ordinal, list(ROWS[name]), text or "-"),
        )
    if body:
        connection.execute(
            "insert into pages (document_id, revision, page, width_pt, height_pt)"
            " values (%s, 'r1', 2, 595, 842) on conflict do nothing",
            (document_id,),
        )
    for ordinal, text in enumerate(body):
        connection.execute(
            "insert into cleaned_text (document_id, revision, ordinal, page, bbox, kind, section,"
            " text) values (%s, 'r1', %s, 2, %s, 'text', %s, %s)",
            (document_id, 2000 + ordinal, [50, 300, 500, 330], ["风险提示"], text),
        )
    places = {
        name: [{"page": 1, "bbox": list(box)}] for name, box in ROWS.items() if rows.get(name)
    }
    connection.execute(
        "update document_revisions set rating = %s, target_price = %s, analysts = %s,"
        " metadata_places = %s, published_basis = 'day' where document_id = %s",
        (rating, float(price) if price else None, list(analysts), Jsonb(places), document_id),
    )
