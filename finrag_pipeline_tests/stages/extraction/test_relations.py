"""Relations by rules: direction, lists, modality, period; and what a classifier adds."""

from dataclasses import dataclass

import pytest

from finrag_pipeline.evaluation.graph.examples import LABELS
from finrag_pipeline.stages.extraction.offline import build_lexicon
from finrag_pipeline.stages.extraction.vocabulary import CLASSIFIED
from finrag_pipeline_tests.stages.extraction.cases import OWN, modalities, read, relations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("隔川膜业为澄光储能的独家隔膜供应商。", [("隔川膜业", "supplies", "澄光储能")]),
        ("汐原电力是远岫能源第一大客户。", [("远岫能源", "supplies", "汐原电力")]),
        ("远岫能源向澄光储能采购电芯。", [("澄光储能", "supplies", "远岫能源")]),
        (
            "星河新材的主要客户包括澄光储能和凌峤科技。",
            [("星河新材", "supplies", "澄光储能"), ("星河新材", "supplies", "凌峤科技")],
        ),
        ("澄光储能收购隔川膜业。", [("澄光储能", "acquires", "隔川膜业")]),
        ("隔川膜业被澄光储能收购。", [("澄光储能", "acquires", "隔川膜业")]),
        ("澄光储能拟收购隔川膜业。", [("澄光储能", "plans_to_acquire", "隔川膜业")]),
        ("隔川膜业是澄光储能的全资子公司。", [("澄光储能", "owns", "隔川膜业")]),
        ("澄光储能持有隔川膜业12%股权。", [("澄光储能", "holds_stake_in", "隔川膜业")]),
        ("澄光储能与远岫能源签署战略合作协议。", [("澄光储能", "cooperates_with", "远岫能源")]),
        ("凌峤科技受益于以旧换新。", [("凌峤科技", "benefits_from", "以旧换新")]),
        ("凌峤科技得益于以旧换新。", [("凌峤科技", "benefits_from", "以旧换新")]),
        (
            "Acme Pumps Inc. was acquired by Delta Valves Corp.",
            [("Delta Valves Corp.", "acquires", "Acme Pumps Inc.")],
        ),
        (
            "Acme Pumps Inc. supplies seals to Delta Valves Corp.",
            [("Acme Pumps Inc.", "supplies", "Delta Valves Corp.")],
        ),
        # who sells is no buyer
        (
            "凌峤科技以现金方式向澄光储能购买其持有的隔川膜业股权。",
            [("凌峤科技", "acquires", "隔川膜业"), ("澄光储能", "holds_stake_in", "隔川膜业")],
        ),
        ("隔川膜业控股股东由澄光储能变更为凌峤科技。", [("凌峤科技", "owns", "隔川膜业")]),
        (
            "控股股东由澄光储能变更为凌峤科技，隔川膜业的实际控制人变更为汐原电力。",
            [("汐原电力", "owns", "隔川膜业")],
        ),
        ("澄光储能子公司隔川膜业投产。", [("澄光储能", "owns", "隔川膜业")]),
        # another subsidiary, which no lexicon knows, has to do with them
        ("澄光储能子公司岚山软件拜访凌峤科技。", []),
        # a guarantee is no delivery
        ("澄光储能向隔川膜业提供银行贷款担保。", [("澄光储能", "guarantees", "隔川膜业")]),
        # where it was set up is a place; where it is listed it set nothing up
        (
            "澄光储能为一家设立于开曼群岛并在香港联交所上市的企业。",
            [("澄光储能", "located_in", "开曼群岛"), ("澄光储能", "listed_on", "香港联交所")],
        ),
        ("澄光储能设立了隔川膜业。", [("澄光储能", "establishes", "隔川膜业")]),
        ("凌峤科技位于英国的子公司投产。", []),
        # the other party of a contract is no subsidiary
        (
            "澄光储能的子公司隔川膜业与凌峤科技签订协议。",
            [("澄光储能", "owns", "隔川膜业"), ("隔川膜业", "signs_with", "凌峤科技")],
        ),
        ("澄光储能与凌峤科技签订燃气供销合同。", [("澄光储能", "signs_with", "凌峤科技")]),
        # who decides on a chairman does not regulate the company by that
        ("证监会决定对澄光储能董事长进行立案。", []),
        ("证监会对澄光储能立案调查。", [("证监会", "regulates", "澄光储能")]),
        # effects: no places, metrics only by a verb of cause, 影响 no noun
        ("收入增长得益于英国子公司。", []),
        ("澄光储能利润增长，主要得益于毛利率的提升。", []),
        ("对收入影响和折旧上升对毛利率的影响。", []),
        ("扣除股权激励影响后的净利润。", []),
        ("收入下降进一步拖累毛利率。", []),
        ("产能利用率提升带动毛利率上行。", [("产能利用率", "drives", "毛利率")]),
        ("光伏行业必须推动人工智能走向应用。", []),
        ("关税影响光伏。", [("关税", "affects", "光伏")]),
        (
            "澄光储能净利润增长，主要受益于以旧换新。",
            [("澄光储能", "benefits_from", "以旧换新")],
        ),
        # a name of its own in brackets is the same company
        ("星海芯片有限公司（Xinghai Chips Limited）的子公司投产。", []),
        # no relation where nothing says one
        ("推荐澄光储能、凌峤科技。", []),
    ],
)
def test_direction(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert relations(text) == expected


def test_company_as_an_argument() -> None:
    found = relations("公司最大客户为澄光储能。", metadata=OWN)
    assert found == [("星河新材", "supplies", "澄光储能")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("澄光储能收购隔川膜业。", "asserted"),
        ("澄光储能否认收购隔川膜业。", "negated"),
        ("澄光储能未收购隔川膜业。", "negated"),
        ("澄光储能终止收购隔川膜业。", "negated"),
        ("澄光储能不再持有隔川膜业的股份。", "negated"),
        ("澄光储能未再持有隔川膜业的股份。", "negated"),
        ("澄光储能并未收购隔川膜业。", "negated"),
        ("澄光储能收购隔川膜业的交易已告终止。", "negated"),
        ("澄光储能收购隔川膜业的手续尚未完成。", "negated"),
        ("如果宏观环境恶化，可能影响澄光储能收购隔川膜业。", "conditional"),
        ("若审批通过，澄光储能收购隔川膜业。", "conditional"),
        ("澄光储能有望收购隔川膜业。", "forecast"),
        ("2026年凌峤科技预计受益于以旧换新。", "forecast"),
        ("Acme Pumps Inc. may acquire Delta Valves Corp.", "forecast"),
        ("铄星材料为澄光储能的材料供应商。", "asserted"),
    ],
)
def test_modality(text: str, expected: str) -> None:
    assert set(modalities(text)) <= {expected}
    if "may" not in text:
        assert modalities(text) == [expected]


def test_period_and_evidence() -> None:
    text = "行业回暖。2024年前三季度，隔川膜业为澄光储能的供应商。"
    (statement,) = read(text)[0].relations
    assert statement.period is not None
    assert statement.period.text == "2024年前三季度"
    assert str(statement.period.first_on) == "2024-01-01"
    assert str(statement.period.last_on) == "2024-09-30"
    assert text[statement.start : statement.end] == "隔川膜业为澄光储能的供应商"
    assert statement.description == "2024年前三季度，隔川膜业为澄光储能的供应商。"


@dataclass(frozen=True)
class Pair:
    head: int
    relation: str
    tail: int
    sure: bool = True


def classified(text: str, *pairs: Pair) -> list[tuple[int, str, int]]:
    (found,) = read(text, classify=lambda text, spans: pairs)
    return [(r.head, r.relation, r.tail) for r in found.relations]


def test_classifier_has_the_last_word_on_what_it_knows() -> None:
    text = "澄光储能收购隔川膜业。"
    assert classified(text) == []
    assert classified(text, Pair(0, "acquires", 1, sure=False)) == [(0, "acquires", 1)]
    assert classified(text, Pair(0, "plans_to_acquire", 1)) == [(0, "plans_to_acquire", 1)]
    assert classified(text, Pair(0, "plans_to_acquire", 1, sure=False)) == []
    assert set(LABELS.values()) == CLASSIFIED


@pytest.mark.parametrize("relation", ["competes_with", "cooperates_with"])
def test_lists_state_nothing(relation: str) -> None:
    pair = Pair(0, relation, 1)
    assert classified("推荐澄光储能、隔川膜业。", pair) == []
    assert classified("澄光储能与隔川膜业上涨。", pair) == []
    said = "争夺份额" if relation == "competes_with" else "联手"
    assert classified(f"澄光储能与隔川膜业{said}。", pair) == [(0, relation, 1)]


def test_what_stands_for_a_name_is_not_classified() -> None:
    (found,) = read(
        "公司与隔川膜业上涨，争夺份额。", metadata=OWN, classify=lambda *_: [Pair(0, "owns", 1)]
    )
    assert len(found.mentions) >= 2
    assert found.relations == ()


def test_makers_of_inputs_are_no_partners() -> None:
    text = "正极来自澄光储能，隔膜来自隔川膜业，双方合作。"
    assert classified(text, Pair(0, "cooperates_with", 1)) == []


def test_names_far_apart_are_not_classified() -> None:
    far = f"澄光储能{'的产能仍在爬坡' * 10}，隔川膜业上涨。"
    assert classified(far, Pair(0, "owns", 1)) == []


@pytest.mark.parametrize(
    ("text", "makers"),
    [
        ("正极来自澄光储能与铄星材料，隔膜来自隔川膜业。", ["澄光储能", "铄星材料", "隔川膜业"]),
        ("铜箔由凌峤科技供应，浆料采购自铄星材料。", ["凌峤科技", "铄星材料"]),
        ("碳酸锂主要向澄光储能采购，并签有长单。", ["澄光储能"]),
        ("主要向澄光储能、铄星材料长期采购隔膜。", ["澄光储能", "铄星材料"]),
        ("碳酸锂主要从澄光储能等供应商采购。", ["澄光储能"]),
        (
            "Cathodes are mainly sourced from Acme Pumps Inc. and Delta Valves Corp. ",
            ["Acme Pumps Inc.", "Delta Valves Corp."],
        ),
        ("It mainly buys cathodes from Acme Pumps Inc. ", ["Acme Pumps Inc."]),
        ("收入来自澄光储能。", []),
        ("远岫能源的电芯来自澄光储能。", []),
        # who buys is somebody else, or nobody says who
        ("经销商主要向澄光储能采购。", []),
        ("鸡肉向澄光储能采购。", []),
        ("Customers buy cathodes from Acme Pumps Inc. ", []),
        # what is bought is no input, or nothing is bought
        ("部分主要从澄光储能购买其持有的股权。", []),
        ("Shares were purchased from Acme Pumps Inc. ", []),
    ],
)
def test_inputs_come_from_their_makers(text: str, makers: list[str]) -> None:
    expected = [(maker, "supplies", "星河新材") for maker in makers]
    assert relations(f"{text}公司毛利率为20%。", metadata=OWN) == expected
    # whose inputs they are nobody says
    assert relations(text) == []


@pytest.mark.parametrize(
    ("text", "customers"),
    [
        ("公司毛利率为20%；第二大客户澄光储能占比14.2%。", ["澄光储能"]),
        ("公司扩产，此前铄星材料占收入的33.6%，新增客户凌峤科技开始提货。", ["凌峤科技"]),
        # whose customer it is, is unsure
        ("公司毛利率为20%。隔川膜业的份额升至33.6%，新增客户凌峤科技开始提货。", []),
        ("公司新增客户需求旺盛，凌峤科技开始提货。", []),
    ],
)
def test_customers_without_their_supplier(text: str, customers: list[str]) -> None:
    expected = [("星河新材", "supplies", customer) for customer in customers]
    assert relations(text, metadata=OWN) == expected


def test_another_buyer_is_no_own_purchase() -> None:
    text = "远岫能源的电芯主要向澄光储能采购。公司毛利率为20%。"
    assert relations(text, metadata=OWN) == [("澄光储能", "supplies", "远岫能源")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("澄光储能董事长顾清远表示看好。", [("顾清远", "works_for", "澄光储能")]),
        ("澄光储能实际控制人为顾清远。", [("顾清远", "owns", "澄光储能")]),
        ("澄光储能实际控制人由顾清远变更为沈知微。", []),
        ("澄光储能原董事长顾清远先生出席。", []),
        ("澄光储能原实际控制人顾清远先生出席。", []),
        ("澄光储能董事长顾清远先生辞职。", []),
    ],
)
def test_people_and_their_companies(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert relations(text) == expected


def test_classifier_speaks_where_rules_are_silent() -> None:
    def classify(text: str, spans: object) -> list[Pair]:
        return [Pair(1, "competes_with", 0)]

    (silent, read_by_rule) = read(
        "澄光储能领先凌峤科技。", "隔川膜业为澄光储能的供应商。", classify=classify
    )
    assert [(r.head, r.relation, r.tail) for r in silent.relations] == [(1, "competes_with", 0)]
    assert [r.relation for r in read_by_rule.relations] == ["supplies"]


def test_lexicon_tells_its_names() -> None:
    assert build_lexicon([("甲乙丙丁", "600001.SH")]).fingerprint != build_lexicon([]).fingerprint
