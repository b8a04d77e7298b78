"""Several drafts as one: their lines one below the other, their citations numbered on.

Which parts a question has, and who answers them, belongs to the writers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import MARK


def merged(first: Draft, others: Sequence[Draft]) -> Draft:
    """The first draft with the lines of others below its own."""
    text, citations, sources = first.text, [*first.citations], [*first.sources]
    numbers = first.numbers
    for each in others:
        if MARK.sub("", each.text) in MARK.sub("", text):
            continue  # said already
        text = "\n".join(filter(None, [text, renumbered(each.text, len(citations))]))
        citations += [replace(one, n=one.n + len(citations)) for one in each.citations]
        sources += [one for one in each.sources if one not in sources]
        numbers = numbers or each.numbers
    return replace(
        first, text=text, citations=tuple(citations), sources=tuple(sources), numbers=numbers
    )


def without(draft: Draft, said: Collection[int]) -> Draft:
    """A draft without the lines that cite some citations alone, by their numbers; the others are
    numbered anew."""
    lines = [
        line
        for line in draft.text.split("\n")
        if not (marks := _marks(line)) or not marks <= {*said}
    ]
    text = "\n".join(lines)
    kept = [each for each in draft.citations if each.n in _marks(text)]
    new = {each.n: n for n, each in enumerate(kept, 1)}
    return replace(
        draft,
        text=MARK.sub(lambda match: f"[{new.get(int(match[1]), match[1])}]", text),
        citations=tuple(replace(each, n=new[each.n]) for each in kept),
    )


def _marks(text: str) -> set[int]:
    return {int(match[1]) for match in MARK.finditer(text)}


def renumbered(text: str, before: int) -> str:
    """A text whose marks count on from some that stand before it.

    >>> renumbered("甲[1][2]", 3)
    '甲[4][5]'
    """
    return MARK.sub(lambda match: f"[{int(match[1]) + before}]", text)
