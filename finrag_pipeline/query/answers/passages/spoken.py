"""What a sentence speaks of beside its own words: a figure may be of what the one before it says.

本次总价款29.02亿元，每股13.67元 goes on with a sentence that names what was bought.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from finrag_pipeline.query.evidence.kinds import Quotable

#: A sentence that goes on with the one before it.
_GOES_ON = re.compile(r"\W*(?:本次|此次|该|其|上述|前述|对应|同期|两者|这[一笔项些])")


def spoken_of(quotes: Iterable[Quotable], *, figure: bool) -> Iterator[tuple[Quotable, str]]:
    """Quotes of one passage, each with the text by which it is judged.

    Where a figure is asked for the sentence before stands around each, and what opens by pointing
    back says what that says.

    >>> first, second = "公司收购远山28%股份。", "本次每股13.67元。"
    >>> [text for _, text in spoken_of([Quotable(first, first, first),
    ...     Quotable(second, second, second)], figure=True)][1].splitlines()
    ['公司收购远山28%股份。', '本次每股13.67元。']
    """
    before = ""
    for said in quotes:
        if not figure:
            yield said, said.about
            continue
        goes_on = before and _GOES_ON.match(said.told)
        spoken = f"{before}\n{said.about}" if goes_on else said.about
        yield replace(said, context=f"{said.context}\n{before}"), spoken
        before = "" if said.row else said.told
