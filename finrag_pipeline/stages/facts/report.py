"""What a broker's report says of itself that its figures need: whose they are, which house, when.

Filings are `filing`; what the tables and sentences say is read in rooms of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.grammar.measures import currencies
from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.records import Metadata, Table
from finrag_pipeline.stages.identity.company_keys import company_key, name_of_file
from finrag_pipeline.stages.tables.counting import Counting, currencies_in

_NO_REPORT = ("filing",)
#: Ends of codes of the mainland's exchanges.
MAINLAND = (".SH", ".SZ", ".BJ")


@dataclass(frozen=True, slots=True)
class Company:
    """Whose figures: see `company_keys`; `name` as the document writes it."""

    key: str
    code: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a broker.

    Attributes:
        company: that it is about; None for one on an industry or the market.
        codes: all codes that the cover gives the company: its listings.
        broker: the house; None where the cover does not tell it.
        published_on: years after it are forecasts where nothing marks them.
        currency: of amounts that are counted in 百万 alone; empty where nothing tells it.
    """

    company: Company | None
    codes: frozenset[str]
    broker: str | None
    published_on: date | None
    currency: str = ""


def report_of(metadata: Metadata, source_name: str, tables: Sequence[Table]) -> Report | None:
    """The report that a document is; None for a filing."""
    if metadata.kind in _NO_REPORT:
        return None
    name = metadata.company_name or name_of_file(source_name, metadata.kind)
    key = company_key(name, metadata.company_code)
    company = Company(key, metadata.company_code, name) if key else None
    codes = frozenset(filter(None, (metadata.company_code, *metadata.company_codes)))
    return Report(company, codes, metadata.broker, metadata.published_on, _currency(codes, tables))


def company_in(text: str) -> Company | None:
    """The one company that a title or a row's label names with its code; None for several.

    >>> company_in("表3：星河科技（600001.SH）盈利预测").name
    '星河科技'
    """
    named = {each.code: each.name for each in code_mentions(text)}
    names = {name for name in named.values() if name}
    if not named or len(names) > 1 or (len(named) > 1 and not names):
        return None
    code = sorted(named, key=lambda each: (not each.endswith(MAINLAND), each))[0]
    name = next(iter(names), None)
    return Company(company_key(name, code), code, name)


def _currency(codes: Iterable[str], tables: Sequence[Table]) -> str:
    """The one currency that its tables name, else that of companies listed on the mainland."""
    named = {code for table in tables for code in currencies_in(table, Counting(table).stated)}
    if len(named) == 1:
        return next(iter(named))
    foreign = named & (currencies() - {"CNY"})
    return "CNY" if not foreign and any(code.endswith(MAINLAND) for code in codes) else ""


def squeezed(text: str) -> str:
    """A text without its spaces: 截至12 月31 日 as 截至12月31日."""
    return re.sub(r"\s+", "", text)
