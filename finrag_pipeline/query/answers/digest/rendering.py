"""A morning note as Markdown and as one HTML page. Everything that a document says is escaped."""

from __future__ import annotations

import html
import re

from finrag_pipeline.query.answers.digest.composing import Digest, say
from finrag_pipeline.query.evidence.citation import MARK, Citation

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_STYLE = (
    "body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "li{margin:.3rem 0}sup a{text-decoration:none}ol.sources{font-size:.85rem;color:#444}"
)


def to_markdown(digest: Digest) -> str:
    """A note as Markdown; marks are links to the list of sources at its end.

    >>> _escaped("a*b [1] <i>")
    'a\\\\*b [1] \\\\<i\\\\>'
    """
    parts = [f"# {_escaped(digest.title)}", _escaped(digest.lead)]
    for section in digest.sections:
        parts.append(f"## {_escaped(section.title)}")
        parts.append("\n".join(f"- {_escaped(line)}" for line in section.lines))
    if digest.citations:
        parts.append(f"## {say('sources', digest.chinese)}")
        parts.append(
            "\n".join(f"- [{each.n}] {_escaped(_told(each, digest))}" for each in digest.citations)
        )
    return "\n\n".join(parts) + "\n"


def to_html(digest: Digest) -> str:
    """A note as one page without scripts or anything from elsewhere."""
    language = "zh" if digest.chinese else "en"
    title = html.escape(digest.title)
    body = [f"<h1>{title}</h1>", f"<p>{html.escape(digest.lead)}</p>"]
    for section in digest.sections:
        body.append(f"<h2>{html.escape(section.title)}</h2>")
        lines = "".join(f"<li>{_linked(line)}</li>" for line in section.lines)
        body.append(f"<ul>{lines}</ul>")
    if digest.citations:
        body.append(f"<h2>{html.escape(say('sources', digest.chinese))}</h2>")
        listed = "".join(
            f'<li id="c{each.n}" value="{each.n}">{html.escape(_told(each, digest))}</li>'
            for each in digest.citations
        )
        body.append(f'<ol class="sources">{listed}</ol>')
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body>{''.join(body)}</body></html>\n"
    )


def _told(citation: Citation, digest: Digest) -> str:
    """Where a citation stands and what it says."""
    page = citation.places[0].page if citation.places else None
    where = [citation.source or ""]
    if page:
        where.append(say("page", digest.chinese, page=page))
    comma, quote = ("，", "“{}”") if digest.chinese else (", ", '"{}"')
    return f"{comma.join(where)}: {quote.format(' '.join(citation.quote.split()))}"


def _linked(line: str) -> str:
    return MARK.sub(r'<sup><a href="#c\1">[\1]</a></sup>', html.escape(line))


def _escaped(text: str) -> str:
    """Text as Markdown shows it; marks stay as they are."""
    pieces = MARK.split(text)
    return "".join(
        f"[{piece}]" if n % 2 else _MARKDOWN.sub(r"\\\1", piece) for n, piece in enumerate(pieces)
    )
