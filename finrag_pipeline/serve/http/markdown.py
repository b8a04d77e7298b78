"""Answers as Markdown for chat clients: quoted text that stays text, and a list of sources.

What documents say is shown by clients that draw Markdown and HTML: a link, an image or a tag in it
must not become one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

Json = Mapping[str, Any]

#: A citation of the answer itself, or a character that opens a link, an image, code or a tag.
_MARKS = re.compile(r"(?P<citation>\[\d{1,3}\])(?P<opens>[(:]?)|[\\`\[\]<>]")
#: A title's own line end would begin a block.
_SPACES = re.compile(r"\s+")


def escaped(text: str, *, citations: bool = False) -> str:
    r"""Text of documents as it is to be read, whatever Markdown or HTML stands in it.

    Args:
        citations: whether ``[1]`` is a citation of the answer, and stays as it is.

    >>> escaped("see [a](http://b) <img src=x>", citations=True)
    'see \\[a\\](http://b) \\<img src=x\\>'
    >>> escaped("up 3%[1]", citations=True), escaped("up 3%[1]")
    ('up 3%[1]', 'up 3%\\[1\\]')
    >>> escaped("up 3%[1](of sales)", citations=True)
    'up 3%[1]\\(of sales)'
    """

    def one(match: re.Match[str]) -> str:
        mark, opens = match["citation"], match["opens"]
        if mark is None:
            return f"\\{match[0]}"
        told = mark if citations else f"\\[{mark[1:-1]}\\]"
        return f"{told}\\{opens}" if opens else told

    return _MARKS.sub(one, text)


def source_title(evidence: Json) -> str:
    """What a piece of evidence is called: its file and page, else its kind."""
    source, page = evidence["source"], evidence["page"]
    if not source:
        return str(evidence["kind"])
    name = _SPACES.sub(" ", source)
    return f"{name}, p. {page}" if page else name


def page_url(base: str, evidence: Json, app_id: str | None) -> str | None:
    """The image of a cited page with its boxes marked; None for what stands on no page.

    Args:
        base: of this server, ending in a slash.
        app_id: named in the URL; None where the token says it.
    """
    document_id, page = evidence["document_id"], evidence["page"]
    if not document_id or not page:
        return None
    boxes = [each["bbox"] for each in evidence["regions"] if each["page"] == page]
    boxes = [each for each in boxes or [evidence["bbox"]] if each]
    given = {
        "regions": ";".join(",".join(f"{value:g}" for value in box) for box in boxes),
        "app": app_id or "",
    }
    query = urlencode({name: value for name, value in given.items() if value}, safe=",;")
    return f"{base}v1/documents/{document_id}/pages/{page}.png{f'?{query}' if query else ''}"


def source_list(evidence: Sequence[Json], urls: Mapping[int, str | None]) -> str:
    """The sources of an answer as a numbered list; empty where it cites nothing.

    Args:
        urls: by the number of the evidence.
    """
    if not evidence:
        return ""
    lines: list[str] = []
    for each in evidence:
        title, url = escaped(source_title(each)), urls[each["n"]]
        day = f" ({each['published_on']})" if each["published_on"] else ""
        lines.append(f"{each['n']}. {f'[{title}]({url})' if url else title}{day}")
    return "\n\n---\n\n" + "\n".join(lines)
