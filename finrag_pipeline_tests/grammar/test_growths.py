"""Growths that stand right behind a figure, and what only looks like one."""

from __future__ import annotations

import pytest

from finrag_pipeline.grammar.growths import growth_behind


@pytest.mark.parametrize(
    ("text", "figure", "told"),
    [
        ("公司实现营业收入207.99亿元（+20.64%）", "207.99", "20.64 % year"),
        ("营收96.55亿元，同比增长20.96%；", "96.55", "20.96 % year"),
        ("归母净利润12.3亿元（同比-5.1%）", "12.3", "-5.1 % year"),
        ("净利润3.2亿元,yoy+8%", "3.2", "8 % year"),
        ("Q3营收58亿元，环比下降4.0%", "58", "-4.0 % quarter"),
        ("毛利率为42.9%，同比提升0.5pct", "42.9", "0.5 pp year"),
        ("revenue of 2.247 billion (up 28.4% yoy)", "2.247", "28.4 % year"),
        # a list of growths, a share, another figure's growth, a figure printed twice
        ("营收和净利分别为9亿元和3亿元，同比增长2%、3%", "3", None),
        ("其中海外收入3亿元（占比20%）", "3", None),
        ("营收9亿元，净利润3亿元，同比增长20%", "9", None),
        ("营收9亿元（+2%），目标9亿元（+3%）", "9", None),
    ],
)
def test_a_growth_is_read_only_right_behind_its_figure(
    text: str, figure: str, told: str | None
) -> None:
    found = growth_behind(text, figure)

    assert (f"{found.value} {found.unit} {found.since}" if found else None) == told
