"""Templates filled in: everything that a document says is escaped, and none of its HTML is shown.

What a page shows belongs to the module of its noun.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from finrag_pipeline.serve.page.visits import Visit

STATIC = Path(__file__).with_name("static")
#: Characters for private use.
_SYMBOLS = re.compile(r"[\ue000-\uf8ff]")
_TEMPLATES = Path(__file__).with_name("templates")


def page(name: str, visit: Visit, /, status: int = 200, **told: Any) -> HTMLResponse:
    """A whole page, or its part where a template is one."""
    return HTMLResponse(fragment(name, visit, **told), status)


def fragment(name: str, visit: Visit, /, **told: Any) -> str:
    """A template filled in."""
    return _environment().get_template(name).render(visit=visit, link=_Link(visit), **told)


def plain(name: str, /, **told: Any) -> str:
    """A template that nobody's documents are in, filled in."""
    return _environment().get_template(name).render(**told)


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
        finalize=_drawable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"told": told, "grouped": grouped, "begun": begun}
    environment.globals["static"] = _static
    return environment


def _drawable(value: Any) -> Any:
    """Bullets of symbol fonts as one that every font has; others would show an empty box."""
    return _SYMBOLS.sub("•", value) if type(value) is str and _SYMBOLS.search(value) else value


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


def begun(text: str) -> str:
    """A text as a sentence begins; the rest as it is, unlike what Jinja capitalizes.

    >>> begun("basic EPS, 2023 FY")
    'Basic EPS, 2023 FY'
    """
    return text[:1].upper() + text[1:]


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
