"""A report as one HTML file that needs nothing else: no network, no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
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

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 1.2rem 1rem 3rem; background: #fff;
  color: #1d2733; font: 16px/1.6 system-ui, -apple-system, "Noto Sans CJK SC", "PingFang SC",
  "Microsoft YaHei", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; padding-bottom: .2rem;
  border-bottom: 1px solid #d9dfe6; }
p { margin: .4rem 0; }
ul, ol { margin: .4rem 0; padding-left: 1.3rem; }
li { margin: .25rem 0; }
a { color: #24578f; text-decoration: none; }
a:hover { text-decoration: underline; }
.facts { color: #5a6572; font-size: .9rem; }
.facts span + span::before { content: " · "; }
.wide { overflow-x: auto; }
svg.chain { display: block; margin: 0 auto; width: 100%; height: auto; }
.legend { font-size: .9rem; color: #5a6572; }
.legend span { display: inline-block; margin-right: 1rem; }
.legend i { display: inline-block; width: .9em; height: .9em; margin-right: .35em;
  border: 1px solid; border-radius: 3px; vertical-align: -.1em; }
.inside { background: #eaf6ec; border-color: #43905a !important; }
.outside { background: #f4f5f7; border-color: #8a94a0 !important; }
.upstream { background: #e8f1fb; border-color: #3d74b0 !important; }
.midstream { background: #eaf6ec; border-color: #43905a !important; }
.downstream { background: #fdf1e3; border-color: #b97a2b !important; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { border-bottom: 1px solid #e3e8ee; padding: .35rem .5rem; text-align: left;
  vertical-align: top; }
th { background: #f5f7f9; font-weight: 600; white-space: nowrap; }
.cite { white-space: nowrap; font-size: .85em; }
.sources { list-style: none; padding-left: 0; font-size: .92rem; }
.sources li { display: grid; grid-template-columns: 2.6rem minmax(0, 1fr); padding: .3rem 0; }
.sources b { font-weight: 600; grid-row: span 2; }
.sources li:target { background: #fff8dc; }
blockquote { margin: .15rem 0 0; padding-left: .7rem; border-left: 3px solid #d9dfe6;
  color: #39434e; white-space: pre-line; }
@media (max-width: 600px) {
  body { font-size: 15px; padding: .8rem .7rem 2rem; }
  h1 { font-size: 1.3rem; }
  th, td { padding: .3rem .3rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  .wide { overflow: visible; }
  svg.chain { min-width: 0 !important; max-height: 24cm; }
  tr, li, svg { break-inside: avoid; }
  a { color: inherit; }
}
"""


def to_html(report: ReportDocument) -> str:
    """The report as a page; what it quotes and names is escaped."""
    say = Wording(report.language != "en")
    body = [f"<h1>{_inline(report.title)}</h1>", _facts(report.facts)]
    for section in report.sections:
        body.append(f"<section>\n<h2>{_inline(section.heading)}</h2>")
        body += [_block(block, say) for block in section.blocks]
        body.append("</section>")
    return html_page(report.title, report.language, body)


def html_page(title: str, language: str, body: Iterable[str]) -> str:
    """A whole page around a body that is HTML already."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{escape(language)}">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_inline(title)}</title>",
            f"<style>{STYLE}</style></head>",
            "<body>",
            *body,
            "</body></html>",
            "",
        ]
    )


def _inline(text: str) -> str:
    return escape(" ".join(text.split()))


def _facts(facts: Iterable[str]) -> str:
    return '<p class="facts">' + "".join(f"<span>{_inline(f)}</span>" for f in facts) + "</p>"


def _block(block: Block, say: Wording) -> str:
    match block:
        case Line():
            return f"<p>{_line(block)}</p>"
        case Bullets(lines):
            return "\n".join(["<ul>", *(f"<li>{_line(line)}</li>" for line in lines), "</ul>"])
        case Table(header, rows):
            head = "".join(f"<th>{_inline(name)}</th>" for name in header)
            shown = ["".join(f"<td>{_line(cell)}</td>" for cell in row) for row in rows]
            lines = (f"<tr>{row}</tr>" for row in shown)
            return "\n".join(
                ['<div class="wide"><table>', f"<tr>{head}</tr>", *lines, "</table></div>"]
            )
        case Drawing(svg, _, legend):
            colours = "".join(
                f'<span><i class="{escape(stage)}"></i>{_inline(name)}</span>'
                for stage, name in legend
            )
            return f'<div class="wide">\n{svg}\n</div>\n<p class="legend">{colours}</p>'
        case Sources(citations):
            items = (_source(each, say) for each in citations)
            return "\n".join(['<ol class="sources">', *items, "</ol>"])


def _line(line: Line) -> str:
    links = ", ".join(f'<a href="#source-{n}">{n}</a>' for n in line.cites)
    cites = f'<span class="cite">[{links}]</span>' if links else ""
    text = _inline(line.text)
    if line.file:
        text = f'<a href="{quote(line.file)}.html">{text}</a>'
    return f"{text} {cites}".strip()


def _source(citation: Json, say: Wording) -> str:
    n = citation["n"]
    place = say(
        "source",
        source=citation["source"],
        page=citation["page"],
        day=citation["published_on"],
    )
    return (
        f'<li id="source-{n}"><b>[{n}]</b>{_inline(place)}'
        f"<blockquote>{escape(citation['quote'])}</blockquote></li>"
    )


def drawing_of(page: str, most_width: int) -> str:
    """The drawing in a page that `to_html` made, no wider than so many pixels; "" without one.

    >>> drawing_of('<p><svg viewBox="0 0 90 20" width="90" height="20" style="a:b">…</svg>', 60)
    '<svg viewBox="0 0 90 20" width="60">…</svg>'
    """
    start, end = page.find("<svg"), page.find("</svg>")
    if not 0 <= start < end:
        return ""
    size = re.compile(r' width="(\d+)" height="\d+" style="[^"]*"')

    def fitting(given: re.Match[str]) -> str:
        return f' width="{min(int(given[1]), most_width)}"'

    return size.sub(fitting, page[start : end + len("</svg>")], count=1)
