"""Relations by rules: direction, lists, modality, period; and what a classifier adds."""

from dataclasses import dataclass

import pytest

from finrag_pipeline.stages.extraction.offline import build_lexicon
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
