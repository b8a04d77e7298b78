"""Who, when and where of a chunk: the short line `meta` and the sentence `context`.

Both come from metadata and headings alone; the text itself is summed up in `summary`.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.records import Metadata
from finrag_pipeline.stages.chunking.enrichment.periods import period_of

#: Characters of `meta`: longer ones would outweigh the content in its vector, shorter ones say
#: too little to tell two documents apart.
META_MAX = 40
META_MIN = 20
_SUBJECT_MAX = {"zh": 16, "en": 20}
_TITLE_MAX = 60
_HEADING_MAX = 40
#: Headings of a path that a context names: the last ones say most.
_HEADINGS = 3

_KINDS = {
    "zh": {"company": "公司研究", "industry": "行业研究", "strategy": "策略研究", "filing": "公告"},
    "en": {
        "company": "company report",
        "industry": "industry report",
        "strategy": "strategy report",
        "filing": "filing",
    },
}
_POSITIONS = {"zh": ("开头", "中部", "结尾"), "en": ("beginning", "middle", "end")}


def describe(metadata: Metadata, section: Sequence[str]) -> str:
    """The line that says whose text it is: subject, period, section; `META_MAX` characters at most.

    The subject is the company, else the title. Where that leaves the line shorter than `META_MIN`,
    headings above, the broker and the title fill it up, as far as the document has them.

    >>> report = Metadata(title="2024年年报点评", company_name="星河新材", broker="远山证券")
    >>> describe(report, ("投资要点",))
    '星河新材 2024年报 | 投资要点 | 远山证券'
    """
    subject = _cut(
        _line(metadata.company_name or metadata.title or ""), _SUBJECT_MAX[_of(metadata)]
    )
    who = " ".join(
        part for part in (subject, period_of(metadata.title, metadata.published_on)) if part
    )
    headings = [_line(heading) for heading in section if heading.strip()]
    where = headings[-1] if headings else ""
    parts = [part for part in (who, where) if part]
    # a filing's title is its company and period over again
    title = None if metadata.kind == "filing" else metadata.title
    fillers = [*reversed(headings[:-1]), metadata.broker, title]
    for filler in fillers:
        if len(" | ".join(parts)) >= META_MIN:
            break
        room = META_MAX - len(" | ".join(parts)) - 3
        piece = _cut(_line(filler or ""), room)
        if piece and not any(piece in part or part in piece for part in parts):
            # a heading above stands before the one below it
            parts.insert(max(1, len(parts) - 1) if filler in headings else len(parts), piece)
    return _cut(" | ".join(parts), META_MAX)


def place(metadata: Metadata, section: Sequence[str], ordinal: int, count: int) -> str:
    """One line, in the document's language, that places a chunk in its document.

    Args:
        ordinal: number of the chunk, from 0; `count`: how many there are.

    >>> report = Metadata(title="毛利率回升", broker="远山证券", kind="company")
    >>> place(report, ("业绩", "一季度"), 0, 9)
    '本段出自远山证券公司研究《毛利率回升》开头的“业绩 / 一季度”一节。'
    """
    language = _of(metadata)
    kind = _KINDS[language].get(metadata.kind, "")
    title = _cut(_line(metadata.title or ""), _TITLE_MAX)
    company = _line(metadata.company_name or "")
    named = "" if company in title else company
    period = period_of(metadata.title, metadata.published_on)
    path = " / ".join(_cut(_line(heading), _HEADING_MAX) for heading in section[-_HEADINGS:])
    position = _POSITIONS[language][min(2, 3 * ordinal // max(count, 1))]
    if language == "zh":
        about = named and (named if metadata.kind == "filing" else f"关于{named}的")
        source = f"{metadata.broker or ''}{about}{kind}" + (f"《{title}》" if title else "")
        when = f"（{period}）" if period else ""
        where = f"的“{path}”一节" if path else ""
        return f"本段出自{source or '本文'}{when}{position}{where}。"
    about = f" on {named}" if named else ""
    by = f" by {metadata.broker}" if metadata.broker else ""
    source = f"the {kind or 'document'}{about}{by}" + (f" “{title}”" if title else "")
    when = f" ({period})" if period else ""
    where = f", section “{path}”" if path else ""
    return f"From the {position} of {source}{when}{where}."


def _line(text: str) -> str:
    return " ".join(text.split()).strip(" ：:")


def _of(metadata: Metadata) -> str:
    """The language of what is written: Chinese, else English."""
    return "zh" if metadata.language == "zh" else "en"


def _cut(text: str, length: int) -> str:
    """At most `length` characters; English is cut between words where that leaves most of it."""
    if len(text) <= length:
        return text
    head = text[: max(length, 0)]
    if head and text[len(head)].isascii() and head[-1].isascii() and text[len(head)].isalnum():
        shorter = head.rpartition(" ")[0]
        head = shorter if 2 * len(shorter) > length else head
    return head.rstrip(" ,，、|（(“《-—:：")
