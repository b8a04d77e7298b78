"""Words that say the same, by groups of a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.passages import synonyms


def test_a_group_is_written_once() -> None:
    path = Path(synonyms.__file__).with_name("synonyms.csv")
    groups = Counter(row["group"] for row in data_rows(path, ("group", "words")))
    assert not [each for each, often in groups.items() if often > 1]


def test_a_share_of_a_market_is_said_in_several_words() -> None:
    assert synonyms.Text("市场份额分别为28.21%、14.37%").has("市占率")
