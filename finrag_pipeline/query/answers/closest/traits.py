"""What tells how far figures are meant: by themselves, and beside the others of a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.passages.times import Time

#: Figures of rows and of sentences that are judged: those that say most.
_MOST_ROWS, _MOST_SENTENCES = 40, 26
#: What counts beside the share of the question that a figure says.
_KIND, _FITS, _MEANT, _AGREES, _TIMELY, _LACKS = 0.3, 0.2, 0.5, 0.3, 0.3, 0.3
#: The same of how near it is, and how many times as many as are judged are compared by that.
_NEAR, _MOST_COMPARED = 1.0, 2
#: How far a figure leads where no other one stands.
_ALONE = 2.0
#: Traits that tell more beside those of the other figures.
_COMPARED = (
    "said",
    "own",
    "covered",
    "topic",
    "heading",
    "near",
    "near_whole",
    "near_left",
    "near_label",
    "alike",
    "unsaid_weight",
    "unsaid_most",
    "strange",
    "time",
    "agrees",
    "meant",
)
_PLACED = ("near", "near_left", "covered", "said", "alike")
#: Traits that tell more beside those of the same table, row and column, or sentence.
_BESIDE = ("near", "near_left", "near_label", "covered", "said", "alike", "time")
#: What figures are, which `compared` reads and nothing learns from.
_TOLD = ("number", "in_table", "in_row", "in_column")


def likely(found: Sequence[FoundFigure], wording: Wording) -> list[FoundFigure]:
    """The figures that are judged: of rows and of sentences those that say most, and are nearest
    in meaning of those."""
    rows = [each for each in found if each.traits["table"]]
    sentences = [each for each in found if not each.traits["table"]]
    return [*_first(rows, _MOST_ROWS, wording), *_first(sentences, _MOST_SENTENCES, wording)]


def _first(found: Sequence[FoundFigure], most: int, wording: Wording) -> list[FoundFigure]:
    told = sorted(found, key=_said, reverse=True)[: _MOST_COMPARED * most]
    near = wording.near([each.name for each in told])
    places = [_said(each) + _NEAR * bare for each, (bare, _) in zip(told, near, strict=True)]
    order = sorted(range(len(told)), key=lambda at: -places[at])
    return [told[at] for at in order[:most]]


def _said(figure: FoundFigure) -> float:
    traits = figure.traits
    lacks = traits["lacks"]
    if traits["table"]:
        share = traits["said"] + _MEANT * traits["meant"]
    else:
        lacks += traits["names_other"] + traits["other"] + traits["other_end"]
        share = traits["covered"] + 0.5 * traits["said"]
    timely = _TIMELY * (traits["time"] >= Time.DOCUMENT)
    return (
        share
        - _LACKS * lacks
        + timely
        + _KIND * traits["kind"]
        + _FITS * traits["fits"]
        + _AGREES * traits["agrees"]
    )


def traits_of(found: Sequence[FoundFigure], wording: Wording) -> list[dict[str, float]]:
    """The traits of figures, each by itself."""
    worded = wording.traits(found)
    places = _codes(found)
    return [
        {**each.traits, **words, "number": each.value["number"], **place}
        for each, words, place in zip(found, worded, places, strict=True)
    ]


def _codes(found: Sequence[FoundFigure]) -> Iterator[dict[str, float]]:
    """In which table, row and column each figure stands: alike for those that stand in the same."""
    codes: dict[object, float] = {}
    for each in found:
        table, row, column = each.place
        keys = {"in_table": table, "in_row": (table, 0, row), "in_column": (table, 1, column)}
        yield {name: codes.setdefault(key, float(len(codes))) for name, key in keys.items()}


def numbers_of(traits: Sequence[Mapping[str, float]]) -> list[float]:
    """The number that each figure prints, whatever its sign."""
    return [round(abs(float(each["number"])), 6) for each in traits]


def compared(traits: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """The traits of figures with what they are beside those of the others."""
    held = [{name: value for name, value in each.items() if name not in _TOLD} for each in traits]
    printed = Counter(round(float(each["number"]), 6) for each in traits)
    for each, told in zip(held, traits, strict=True):
        each["printed"] = printed[round(float(told["number"]), 6)]
        each["figures"] = len(held)
    for name in _COMPARED:
        values = [each[name] for each in held]
        kinds = {each["table"] for each in held}
        such = {kind: [each[name] for each in held if each["table"] == kind] for kind in kinds}
        for each in held:
            alike = such[each["table"]]
            each[f"{name} beside all"] = each[name] - max(values)
            each[f"{name} beside such"] = each[name] - max(alike)
            each[f"{name} over least"] = each[name] - min(alike)
    _set_beside(held, traits)
    for name in _PLACED:
        ranked = sorted((each[name] for each in held), reverse=True)
        for each in held:
            each[f"place by {name}"] = ranked.index(each[name])
    return held


def _set_beside(held: Sequence[dict[str, float]], traits: Sequence[Mapping[str, float]]) -> None:
    """Adds how far each figure leads the best of other tables, of other rows of its own and of
    other columns of its row."""
    table, row, column = (np.array([each[name] for each in traits]) for name in _TOLD[1:])
    same = table[:, None] == table
    others = {
        "tables": ~same,
        "rows": same & (row[:, None] != row),
        "columns": (row[:, None] == row) & (column[:, None] != column),
    }
    for kind, among in others.items():
        any_other = among.any(axis=1)
        for each, count in zip(held, among.sum(axis=1).tolist(), strict=True):
            each[f"other {kind}"] = count
        for name in _BESIDE:
            values = np.array([float(each[name]) for each in held])
            best = np.where(among, values, -np.inf).max(axis=1)
            leads = np.where(any_other, values - best, _ALONE)
            for each, lead in zip(held, leads.tolist(), strict=True):
                each[f"{name} over {kind}"] = lead
