"""Answers at a terminal: tables as tables, sentences in lines. Elsewhere they are Markdown.

What an answer says is `query.answers`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import typer

from finrag_pipeline.serve.cli.options import print_table

#: Columns of a terminal that names of what is compared take at most to stand in one line.
_LONGEST_NAME = 24
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+$")
#: Where one cited sentence ends and the next begins.
_NEXT = re.compile(r"(?<=\])[ \t]+(?=[^\s\[(（|])")


def print_answer(text: str) -> None:
    """An answer on standard output.

    At a terminal its tables are drawn to fit, cells going on in the next line, and each cited
    sentence begins a line. Where another program reads it, it is Markdown, whole.
    """
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        typer.echo(text)
        return
    for table, lines in blocks(text):
        if table:
            header, *rows = (cells(line) for line in lines if not _RULE.match(line.strip()))
            names = max((cell_len(row[0]) for row in rows), default=0)
            print_table(header, rows, whole={0} if names <= _LONGEST_NAME else ())
        else:
            for line in lines:
                for sentence in _NEXT.split(line):
                    # as it is: marks in square brackets are no markup
                    console.print(Text(sentence))


def blocks(text: str) -> Iterator[tuple[bool, Sequence[str]]]:
    """Runs of lines of an answer: whether they are a table, and the lines.

    >>> [(table, len(lines)) for table, lines in blocks("甲更高[1]\\n\\n| a | b |\\n| - | - |")]
    [(False, 2), (True, 2)]
    """
    for table, lines in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        yield table, list(lines)


def cells(line: str) -> list[str]:
    """The cells of a table's line.

    >>> cells("| 甲 | 1元[1] | |")
    ['甲', '1元[1]', '']
    """
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
