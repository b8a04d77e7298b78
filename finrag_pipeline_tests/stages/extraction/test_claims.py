"""Figures, ratings, risks: tied to entity, metric, unit and period, or not claimed at all."""

import pytest

from finrag_pipeline.records.graph import ChunkExtraction, Claim
from finrag_pipeline_tests.stages.extraction.cases import OWN, read


def figures(extraction: ChunkExtraction) -> list[tuple[str, str | None, str | None, str | None]]:
    return [
        (extraction.mentions[c.subject].name, c.metric, c.value, c.unit)
        for c in extraction.claims
        if c.kind == "figure"
    ]


def test_a_figure_with_its_change() -> None:
    (found,) = read("2024年公司实现营业收入63.1亿元，同比增长20.0%。", metadata=OWN)
    assert figures(found) == [
        ("星河新材", "营业收入", "63.1", "亿元"),
        ("星河新材", "营业收入同比增长", "20.0", "%"),
    ]
    assert {claim.period.text for claim in found.claims if claim.period} == {"2024年"}


def test_a_figure_of_a_segment() -> None:
    (found,) = read("澄光储能2024年Q3家用储能业务海外营收同比增长15%。")
    assert figures(found) == [("家用储能业务", "海外营收同比增长", "15", "%")]
    (claim,) = found.claims
    assert claim.period is not None
    assert (str(claim.period.first_on), str(claim.period.last_on)) == ("2024-07-01", "2024-09-30")


@pytest.mark.parametrize(
    "text",
    [
        "营业收入63.1亿元。",
        "澄光储能毛利率高出凌峤科技约3个百分点。",
        "澄光储能与凌峤科技营收分别为12亿元、9亿元。",
        "公司预计2025-2027年净利润1.2/1.5/1.8亿元。",
        # as many values as periods, or none
        "公司2023年和2024年毛利率为31.5%。",
        "公司2024年毛利率为31.5%和32.5%。",
        # of a part of the company, and what follows is of that part, too
        "公司国内实现营业收入5.9亿元。",
        "公司膜材检测服务实现营业收入0.8亿元，毛利率为55.2%。",
        # an industry that is part of a longer term
        "预计眼科医疗服务市场规模达到25亿元。",
    ],
)
def test_unsure_subjects_claim_nothing(text: str) -> None:
    assert figures(read(text, metadata=OWN)[0]) == []


def test_forecast_figures_are_forecasts() -> None:
    (found,) = read("预计公司2026年净利润达到9.5亿元。", metadata=OWN)
    assert [claim.modality for claim in found.claims] == ["forecast"]


def test_rating_target_price_and_risks() -> None:
    text = "我们看好公司，维持“买入”评级，目标价31.00元。\n风险提示：需求不及预期；原料涨价。"
    (found,) = read(text, metadata=OWN)

    def of(kind: str) -> list[Claim]:
        return [claim for claim in found.claims if claim.kind == kind]

    assert [claim.value for claim in of("rating")] == ["买入"]
    assert [(claim.value, claim.unit) for claim in of("target_price")] == [("31.00", "元")]
    assert [claim.description for claim in of("risk")] == ["需求不及预期", "原料涨价"]
    assert {claim.modality for claim in of("risk")} == {"conditional"}


def test_parallel_lists_pair_up() -> None:
    text = "公司2024年全年和2025年Q1实现毛利率67.6%和70.2%，净利率24.6%和26.1%。"
    (found,) = read(text, metadata=OWN)
    assert [(c.metric, c.value, c.period and c.period.text) for c in found.claims] == [
        ("毛利率", "67.6", "2024年"),
        ("毛利率", "70.2", "2025年Q1"),
        ("净利率", "24.6", "2024年"),
        ("净利率", "26.1", "2025年Q1"),
    ]


def test_what_figures_are_compared_with_is_not_their_period() -> None:
    text = "2025年Q2，公司营业收入2.0亿元，环比2025年Q1增长58.1%，毛利率为31.5%。"
    (found,) = read(text, metadata=OWN)
    assert {claim.period.text for claim in found.claims if claim.period} == {"2025年Q2"}


def test_signs_and_units_of_changes() -> None:
    (found,) = read("2024年公司毛利率31.5%，同比下降-1.6个百分点，环比-0.3pcts。", metadata=OWN)
    assert figures(found) == [
        ("星河新材", "毛利率", "31.5", "%"),
        ("星河新材", "毛利率同比下降", "1.6", "个百分点"),
        ("星河新材", "毛利率环比", "-0.3", "pcts"),
    ]
    (adjusted,) = read("2024年前三季度公司经调整Non-IFRS净利润3.1亿元。", metadata=OWN)
    assert figures(adjusted) == [("星河新材", "经调整Non-IFRS净利润", "3.1", "亿元")]
    (quarters,) = read("公司2024年前三季度毛利率31.5%。", metadata=OWN)
    assert figures(quarters) == [("星河新材", "毛利率", "31.5", "%")]
    # points or percent of a ratio: unsure
    (bare,) = read("2024年公司毛利率31.5%（+2.1%）。", metadata=OWN)
    assert figures(bare) == [("星河新材", "毛利率", "31.5", "%")]


def test_english_changes_keep_their_direction() -> None:
    (found,) = read("Galaxy Ridge Holdings, Inc. gross margin decreased 80 basis points.")
    assert [(c.metric, c.value, c.unit) for c in found.claims] == [
        ("gross margin decreased", "80", "basis points")
    ]


@pytest.mark.parametrize(
    "text",
    ["澄光储能主营业务未涉及敏感方向。", "Galaxy Ridge Holdings, Inc. refers to as expense."],
)
def test_what_defines_nothing(text: str) -> None:
    assert read(text)[0].claims == ()
