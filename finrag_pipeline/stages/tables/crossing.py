"""Words over which a drawn rule runs: 吨364,931 of two cells that touch is two words.

Producers that set cells without space between them print the texts of a row as one word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.records import Box
from finrag_pipeline.stages.tables.phrases import Word, is_value, overlap_of

#: A rule so near to the side of a word, in points, runs beside it.
_BESIDE_PT = 1.0
#: White space between the texts of two cells, as a share of the height of their letters.
_WIDE = 0.15


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight printed line: at `at` across, from `start` to `stop` along its direction."""

    at: float
    start: float
    stop: float


def rules_over(box: Box, vertical: Sequence[Rule]) -> list[float]:
    """Where vertical rules run over the height of a box inside its sides, from the left."""
    x0, y0, x1, y1 = box
    return sorted(
        rule.at
        for rule in vertical
        if x0 + _BESIDE_PT < rule.at < x1 - _BESIDE_PT
        and overlap_of(rule.start, rule.stop, y0, y1) > (y1 - y0) / 2
    )


def apart(word: Word, characters: Sequence[tuple[str, Box]], rules: Sequence[float]) -> list[Word]:
    """A word in the parts that rules make of it, where a figure or white space stands beside each.

    Args:
        characters: of the word, with their boxes.
        rules: where they run over it.
    """
    if is_value(word.text):
        return [word]  # too wide for its column
    parts: list[list[tuple[str, Box]]] = [[]]
    left = [*rules]
    for each, box in characters:
        if left and parts[-1] and (box[0] + box[2]) / 2 > left[0]:
            rule, (before, at) = left.pop(0), parts[-1][-1]
            # set apart as letters of a word are not
            wide = at[2] - 0.5 <= rule <= box[0] + 0.5 and box[0] - at[2] > _WIDE * (
                box[3] - box[1]
            )
            if wide or before.isdigit() or each.isdigit():
                parts.append([])
        parts[-1].append((each, box))
    if len(parts) == 1:
        return [word]
    return [
        Word(
            (held[0][1][0], word.bbox[1], held[-1][1][2], word.bbox[3]),
            "".join(each for each, _ in held),
        )
        for held in parts
    ]


def characters_of(blocks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Box]]:
    """The characters of a page with their boxes, without blanks, in order of print."""
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for each in span["chars"]:
                    if each["c"].strip():
                        yield each["c"], each["bbox"]


def runs(row: Sequence[Word], vertical: Sequence[Rule]) -> Iterator[list[Word]]:
    """The words of one printed row in runs, parted where a rule stands beside a figure: words may
    reach over one into the cell beside their own."""
    run: list[Word] = []
    for word in row:
        if run and (is_value(run[-1].text) or is_value(word.text)):
            last = run[-1].bbox
            gap = (last[2] - 2 * _BESIDE_PT, last[1], word.bbox[0] + 2 * _BESIDE_PT, last[3])
            if rules_over(gap, vertical):
                yield run
                run = []
        run.append(word)
    if run:
        yield run
