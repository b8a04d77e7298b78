"""Templates filled in: everything that a document says is escaped, HTML of its own is cleaned.

What a page shows belongs to the module of its noun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import nh3
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from finrag_pipeline.serve.page.visits import Visit

STATIC = Path(__file__).with_name("static")
_TEMPLATES = Path(__file__).with_name("templates")
#: What HTML that is made of documents may consist of: tables and plain text, no link, no image.
_TAGS = {
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "p", "ul", "ol", "li", "br"),
    *("h1", "h2", "h3", "h4", "strong", "em", "sup", "sub", "blockquote", "dl", "dt", "dd"),
}
_ATTRIBUTES = {"td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"}}


def page(name: str, visit: Visit, /, status: int = 200, **told: Any) -> HTMLResponse:
    """A whole page, or its part where a template is one."""
    return HTMLResponse(fragment(name, visit, **told), status)


def fragment(name: str, visit: Visit, /, **told: Any) -> str:
    """A template filled in."""
    return _environment().get_template(name).render(visit=visit, link=_Link(visit), **told)


def plain(name: str, /, **told: Any) -> str:
    """A template that nobody's documents are in, filled in."""
    return _environment().get_template(name).render(**told)


def cleaned(html: str) -> Markup:
    """HTML that was made of what documents say, without anything that does something."""
    return Markup(nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES))


class _Link:
    """Addresses that keep the application and the day."""

    def __init__(self, visit: Visit) -> None:
        self._kept = visit.kept

    def __call__(self, path: str, **query: Any) -> str:
        """A path with its query; what is None or empty is left out.

        A list gives its name once for each.
        """
        told = self._kept | query
        pairs = [
            (name, each)
            for name, value in told.items()
            if value not in (None, "")
            for each in (value if isinstance(value, list | tuple) else [value])
        ]
        return f"{path}?{urlencode(pairs)}" if pairs else path


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"cleaned": cleaned, "told": told, "grouped": grouped}
    environment.globals["static"] = _static
    return environment


@cache
def _static(name: str) -> str:
    """The address of a static file, another one once its content is another."""
    digest = sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={digest}"


def told(value: object) -> str:
    """A value as a reader reads it; what there is not is empty."""
    match value:
        case None:
            return ""
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case str():
            return value
        case Mapping():
            return ", ".join(f"{name} {told(each)}" for name, each in value.items())
        case Sequence():
            return ", ".join(told(each) for each in value)
        case _:
            return str(value)


def grouped(value: Decimal | float | None, digits: int | None = None) -> str:
    """A number with its thousands apart.

    >>> grouped(Decimal("6312000000")), grouped(Decimal("14.40")), grouped(None)
    ('6,312,000,000', '14.4', '')
    """
    if value is None:
        return ""
    exact = Decimal(str(value))
    if digits is not None:
        exact = round(exact, digits)
    text = f"{exact:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
