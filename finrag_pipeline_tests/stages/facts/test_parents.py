"""What the notices of a filing say of the parent alone."""

from __future__ import annotations

import pytest

from finrag_pipeline_tests.stages.facts.made_filings import facts_of, line

NET, KEPT = "net_profit", "retained_earnings"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "经审计，公司（母公司）2024年度实现净利润9,529,007,857.85元，派发红利。",
            {NET: "9529007857.85"},
        ),
        ("母公司2024年度实现净利润1.25亿元，加年初未分配利润3.10亿元。", {NET: "125000000"}),
        ("截至2024年12月31日，母公司报表期末未分配利润为28,000元。", {KEPT: "28000"}),
        ("母公司期末可供股东分配利润为515,381,407.37元。", {KEPT: "515381407.37"}),
        ("母公司2023年度实现净利润9,529元。", {}),
        ("归属于母公司股东的净利润为68,896,722.55元。", {}),
    ],
)
def test_a_notice_tells_of_the_parent(text: str, expected: dict[str, str]) -> None:
    facts = [each for each in facts_of([], regions=[line(text)]) if each.scope == "parent"]
    assert {each.metric: f"{each.value.normalize():f}" for each in facts} == expected
    assert all(each.period.kind == "FY" and each.period.fiscal_year == 2024 for each in facts)
