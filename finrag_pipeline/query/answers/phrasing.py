"""What writers say in both languages: rows of a CSV file beside each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.numbers.wording import Phrase


class Phrasebook:
    """The phrases of a file with the columns phrase, zh, en.

    Args:
        path: of the file; it is read at first use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _phrases(self) -> Mapping[str, Phrase]:
        found: dict[str, Phrase] = {}
        for row in data_rows(self._path, ("phrase", "zh", "en")):
            if row["phrase"] in found:
                row.wrong(f"{row['phrase']} stands twice")
            found[row["phrase"]] = Phrase(row["zh"], row["en"])
        return found

    def __call__(self, phrase: str, chinese: bool, **parts: object) -> str:
        """A phrase in one language.

        Raises:
            KeyError: the file has no such phrase.
        """
        return self._phrases[phrase].told(chinese, **parts)
