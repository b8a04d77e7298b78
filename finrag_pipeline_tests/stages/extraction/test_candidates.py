"""What may be a name becomes a mention where a relation asks for it, and nowhere else."""

import pytest

from finrag_pipeline.records import Metadata
from finrag_pipeline.stages.extraction.candidates import candidates
from finrag_pipeline.stages.extraction.subjects import implied
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.tokens import tokens_of
from finrag_pipeline.stages.extraction.triggers import Name
from finrag_pipeline_tests.stages.extraction.cases import OWN, names, read

ACME = Metadata(kind="company", language="en", company_name="Acme Pumps Inc.")


def shown(text: str, metadata: Metadata | None = None) -> list[tuple[str, str | None]]:
    found = candidates(Tagged(text), tokens_of(text), (), metadata or Metadata())
    return sorted((mention.text, weak) for mention, weak in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Costs rose since the purchase of Zenlark in May.", ["Zenlark"]),
        ("In March, Bank of Norvik lent to two firms there.", ["Bank of Norvik"]),
        (
            "It sells to the Space and Marine Administration too.",
            ["Space and Marine Administration"],
        ),
        # what opens a sentence, headings, and words that name nobody
        ("Revenue rose; the revenue of others fell slowly.", []),
        ("Notes To Consolidated Financial Statements", []),
        ("The Company filed its Annual Report on Form 10-K with the SEC.", []),
    ],
)
def test_capitals_may_name_somebody(text: str, expected: list[str]) -> None:
    assert [name for name, weak in shown(text) if weak == "name"] == expected


def test_a_filing_speaks_of_itself() -> None:
    text = "We sold our mill."
    own = candidates(Tagged(text), tokens_of(""), (), ACME)
    found = [mention for mention, weak in own if not weak]
    assert [(m.text, m.name) for m in found] == [
        ("We", "Acme Pumps Inc."),
        ("our", "Acme Pumps Inc."),
    ]
    assert not [weak for _, weak in shown("We sold our mill.") if weak is None]


def test_chinese_text_has_foreign_names_models_and_phrases() -> None:
    found = shown("公司推出“青穹”系列，授权Zenlark Pharma开发SHR-A1904，RCM供应商参与")
    assert ("Zenlark Pharma", "name") in found
    assert {("青穹", "phrase"), ("SHR-A1904", "phrase")} <= set(found)
    assert "RCM" not in [name for name, _ in found]


def test_only_what_a_relation_takes_becomes_a_mention() -> None:
    (used,) = read("星河新材与Zenlark Pharma达成合作。", metadata=OWN)
    assert names(used) == ["星河新材", "Zenlark Pharma"]
    (made,) = read("星河新材推出“青穹”系列。", metadata=OWN)
    assert names(made, "product") == ["青穹"]
    (unused,) = read("星河新材参加Zenlark Pharma举办的展会。", metadata=OWN)
    assert names(unused) == ["星河新材"]


def companies(text: str, *shown: str) -> list[Name]:
    return [Name("company", text.index(each), text.index(each) + len(each)) for each in shown]


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        # the clause goes on about the one that the sentence speaks of
        ("甲公司扩产，收购乙公司。", ("甲公司", "乙公司"), [(6, 0)]),
        ("推出新品。", (), [(0, None)]),
        # those behind 与 are not whom it speaks of
        ("同行与甲公司扩产，收购乙公司。", ("甲公司", "乙公司"), [(9, None)]),
        ("收入来自德国子公司丙。", ("丙",), [(6, None)]),
        ("甲公司的子公司丙投产。", ("甲公司", "丙"), []),
    ],
)
def test_who_is_left_out(
    text: str, named: tuple[str, ...], expected: list[tuple[int, int | None]]
) -> None:
    assert list(implied(text, companies(text, *named), topic=True)) == expected


def test_nobody_is_left_out_where_no_company_is_spoken_of() -> None:
    assert list(implied("推出新品，收入来自子公司丙。", [], topic=False)) == []
