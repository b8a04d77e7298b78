"""Written relations come to one name and one direction."""

import pytest

from finrag_pipeline.stages.chains.sectors import FEELS, WORKS_ON
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS, canonical_relation
from finrag_pipeline.stages.reports.wording import GROUPS


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("受益于", ("benefits_from", False)),
        ("得益于", ("benefits_from", False)),
        ("Benefits From", ("benefits_from", False)),
        ("benefited_from", ("benefits_from", False)),
        ("利好", ("benefits_from", True)),
        ("供应商", ("supplies", False)),
        ("客户", ("supplies", True)),
        ("is a customer of", ("supplies", True)),
        ("is supplied by", ("supplies", True)),
        ("subsidiary_of", ("owns", True)),
        ("被持股", ("holds_stake_in", True)),
        ("was acquired by", ("acquires", True)),
        ("拟收购", ("plans_to_acquire", False)),
        ("下游", ("upstream_of", True)),
        ("driven by", ("drives", True)),
        ("被合作", ("cooperates_with", False)),
        ("competes with", ("competes_with", False)),
        ("吃掉", None),
        ("", None),
    ],
)
def test_canonical_relation(written: str, expected: tuple[str, bool] | None) -> None:
    assert canonical_relation(written) == expected


def test_each_relation_is_found_by_its_own_names() -> None:
    for relation in RELATIONS.values():
        for written in (relation.name, relation.zh, relation.en):
            assert canonical_relation(written) == (relation.name, False), written


def test_symmetric_relations_have_no_reverse() -> None:
    for relation in RELATIONS.values():
        found = [canonical_relation(f"被{relation.zh}"), canonical_relation(f"{relation.en} by")]
        if relation.symmetric:
            assert not relation.reversed_synonyms
            assert all(item is None or not item[1] for item in found)


def test_reports_tell_every_group() -> None:
    assert {relation.group for relation in RELATIONS.values()} <= {"", *GROUPS}
    assert {each.name for each in RELATIONS.values() if all(each.shared)} == FEELS | WORKS_ON
