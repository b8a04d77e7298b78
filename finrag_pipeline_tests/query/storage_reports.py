"""A small library on an invented chain and the build of one week over it."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.graph_documents import add_read
from finrag_pipeline_tests.query.weekly_builds import ChainSketch, Sketch, add_build

WEEK = date(2026, 3, 1)
EARLY, LATE = date(2026, 1, 5), date(2026, 3, 5)
QUESTION = "储能产业链有哪些关键公司？上下游关系是什么？"
RISKS = "各公司面临哪些共同风险？"
CATHODE = "星河新材向澄光储能供应正极材料，占其采购的38.5%。"
CELLS = "澄光储能向远岫能源供应储能电芯，合同期三年。"
PRICE = "碳酸锂价格波动是主要风险。"
TARIFF = "关税上调是澄光储能海外业务的风险。"
MARGIN = "星河新材毛利率回升，产能利用率超过九成。"

CHAIN = ChainSketch(
    "k1",
    "储能产业链图谱",
    [
        ("星河新材", "澄光储能", [("cathode", 0, CATHODE)]),
        ("澄光储能", "远岫能源", [("cells", 0, CELLS)]),
    ],
    [("星河新材", "upstream"), ("澄光储能", "midstream"), ("远岫能源", "downstream")],
)
WHOLE = Sketch(
    "c0",
    "储能材料与电芯",
    [
        ("星河新材供应正极材料", [("cathode", 0, CATHODE)]),
        ("风险：关税与价格", [("cells", 1, TARIFF), ("cathode", 1, PRICE)]),
    ],
    "储能材料与电芯的供应，风险在关税与价格。",
)
MATERIALS = Sketch(
    "c1",
    "正极材料：碳酸锂价格风险",
    [("碳酸锂价格风险", [("cathode", 1, PRICE)])],
    "碳酸锂价格风险。",
    level=1,
    parent="c0",
    entities=["星河新材", "碳酸锂"],
)
ABROAD = Sketch(
    "c2",
    "海外业务：关税风险",
    [("关税风险", [("cells", 1, TARIFF)])],
    "关税风险。",
    level=1,
    parent="c0",
    entities=["澄光储能", "远岫能源"],
)
#: Not divided any further: it is the same on level 1.
OTHER = Sketch(
    "c3",
    "盈利能力",
    [("毛利率回升", [("margin", 0, MARGIN)])],
    "毛利率回升。",
    entities=["毛利率"],
)
COMMUNITIES = (WHOLE, MATERIALS, ABROAD, OTHER)


def add_library(database: Database) -> None:
    """Three documents: two on the chain, of different companies, and one on a margin."""
    add_read(
        database,
        "cathode",
        [CATHODE, PRICE],
        relations=[("星河新材", "supplies", "澄光储能")],
        published_on=EARLY,
        code="688991.SH",
    )
    add_read(
        database,
        "cells",
        [CELLS, TARIFF],
        relations=[("澄光储能", "supplies", "远岫能源")],
        published_on=LATE,
        company="澄光储能",
        code="688992.SH",
    )
    add_read(database, "margin", [MARGIN], published_on=EARLY, code="688991.SH")


def add_week(database: Database) -> str:
    """The library and its build; the id of that."""
    add_library(database)
    return add_build(database, WEEK, COMMUNITIES, [CHAIN])
