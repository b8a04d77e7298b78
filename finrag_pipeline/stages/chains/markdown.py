"""A report as Markdown that reads well on GitHub and in a terminal, and as plain text to search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.document import (
    Block,
    Bullets,
    Drawing,
    Line,
    ReportDocument,
    Sources,
    Table,
)
from finrag_pipeline.stages.chains.wording import Wording

_MARKS = re.compile(r"([\\`*_{}\[\]#|~$!])")
#: What opens a list, a quotation or a line under a heading where it opens a line.
_OPENERS = re.compile(r"^(\d+)([.)])|^([-+=>])")
#: What the two above put a backslash before.
_ESCAPES = re.compile(r"\\([\\`*_{}\[\]#|~$!.)\-+=>])")


def to_markdown(report: ReportDocument) -> str:
    """The report as GitHub shows it; what it quotes and names is escaped."""
    say = Wording(report.language != "en")
    parts = [f"# {escaped(report.title)}", " · ".join(escaped(fact) for fact in report.facts)]
    for section in report.sections:
        parts.append(f"## {escaped(section.heading)}")
        parts += [_block(block, say) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def to_text(report: ReportDocument) -> str:
    """The report without marks: what it is searched by. Where its quotes stand is left out."""
    lines = [report.title]
    for section in report.sections:
        lines.append(section.heading)
        lines += [" ".join(line.split()) for block in section.blocks for line in _plain(block)]
    return "\n".join(line for line in lines if line)


def escaped(text: str) -> str:
    """A text in one line in which nothing is a mark of Markdown or HTML.

    >>> escaped("甲|乙 <b>*丙*</b>")
    '甲\\\\|乙 &lt;b>\\\\*丙\\\\*&lt;/b>'
    """
    line = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return _OPENERS.sub(r"\1\\\2\3", _MARKS.sub(r"\\\1", line))


def unescaped(markdown: str) -> str:
    """Markdown of `to_markdown` as a terminal shows it: the signs themselves, not their escapes.

    >>> unescaped(escaped("甲|乙 <b>*丙*</b> R&D"))
    '甲|乙 <b>*丙*</b> R&D'
    """
    shown = _ESCAPES.sub(r"\1", markdown)
    return shown.replace("&lt;", "<").replace("&amp;", "&")


def _block(block: Block, say: Wording) -> str:
    match block:
        case Line():
            return _line(block)
        case Bullets(lines):
            return "\n".join(f"- {_line(line)}" for line in lines)
        case Table(header, rows):
            shown = [_row(escaped(name) for name in header), _row("---" for _ in header)]
            return "\n".join([*shown, *(_row(_line(cell) for cell in row) for row in rows)])
        case Drawing():
            # a fence ends where a line opens with another
            lines = (line.replace("`", "'") for line in block.lines)
            return "\n".join(["```text", *lines, "```"])
        case Sources(citations):
            return "\n".join(f"- {_source(each, say)}" for each in citations)


def _line(line: Line) -> str:
    numbers = f"[{', '.join(str(n) for n in line.cites)}]" if line.cites else ""
    text = f"[{escaped(line.text)}]({quote(line.file)}.md)" if line.file else escaped(line.text)
    return f"{text} {numbers}".strip()


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _source(citation: Json, say: Wording) -> str:
    place = say(
        "source",
        source=citation["source"],
        page=citation["page"],
        day=citation["published_on"],
    )
    said = [f"  > {escaped(line)}" for line in citation["quote"].splitlines() if line.strip()]
    return "\n".join([f"[{citation['n']}] {escaped(place)}", *said])


def _plain(block: Block) -> Iterator[str]:
    match block:
        case Line(text):
            yield text
        case Bullets(lines):
            yield from (line.text for line in lines)
        case Table(_, rows):
            # who, how, whom: the figures behind them tell a reader, not a search
            yield from (" ".join(cell.text for cell in row[:3]) for row in rows)
        case Drawing():
            return
        case Sources(citations):
            yield from (each["quote"] for each in citations)
