"""Patterns of relations are rows of a file: a wrong one is named with its line."""

from pathlib import Path

import pytest

from finrag_pipeline.stages.extraction.patterns import PATTERNS, SLOT, Pattern, read_patterns

WORDS = "name,kind,text,note\nACTOR,types,company organisation,\nIS,words,(?:是|为),\n"


def read(tmp_path: Path, row: str, words: str = WORDS) -> list[Pattern]:
    (tmp_path / "words.csv").write_text(words, encoding="utf-8")
    (tmp_path / "patterns.csv").write_text(
        f"relation,confidence,alone,pattern,note\n{row}\n", encoding="utf-8"
    )
    return list(read_patterns(tmp_path / "patterns.csv", tmp_path / "words.csv"))


def test_words_in_capitals_are_spelled_out(tmp_path: Path) -> None:
    assert read(tmp_path, "owns,high,yes,{H}_{IS}_{T:ACTOR name}_母公司,") == [
        Pattern(
            "owns",
            "{H:company organisation}_(?:是|为)_{T:company organisation name}_母公司",
            "high",
            True,
        )
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("eats,high,,{H}_{T},", "patterns.csv:2: relation is 'eats'"),
        ("owns,sure,,{H}_{T},", "patterns.csv:2: confidence is 'sure', allowed are high"),
        ("owns,high,,{H}_母公司,", "patterns.csv:2: a pattern has one head and one tail"),
        ("owns,high,,{H}_{WAS}_{T},", "patterns.csv:2: {WAS} is no row of words"),
        ("owns,high,,{H:animal}_{T},", "patterns.csv:2: animal is no type of entity"),
        ("owns,high,,{H}(_{T},", "patterns.csv:2: no regular expression"),
        ("owns,high,maybe,{H}_{T},", "patterns.csv:2: alone is 'maybe', allowed are , yes"),
        ("owns,high,,{H}_{T}", "patterns.csv:2: 4 cells, not 5"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, row: str, problem: str) -> None:
    with pytest.raises(ValueError) as refused:
        read(tmp_path, row)
    assert str(refused.value).startswith(problem)


def test_a_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"words.csv:1: columns are \['name'\]"):
        read(tmp_path, "owns,high,{H}_{T},", words="name\n")


def test_every_pattern_has_a_head_and_a_tail() -> None:
    assert PATTERNS
    assert all(sorted(s for s, _ in SLOT.findall(each.text)) == ["H", "T"] for each in PATTERNS)
