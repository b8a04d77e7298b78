"""Documents that print no code of the company they are on, and whose they are all the same.

An extract of a report prints the whole name alone, minutes have it in the name of their file: who
asks for the company asks for them, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from finrag_pipeline.query.question.spellings import company_spellings
from finrag_pipeline.stages.identity.names import split_form
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline.words import is_chinese

#: Whose investors were told: 星河芯片机构调研纪要.
_MINUTES = re.compile(
    r"^(?P<name>[\u3400-\u9fff]{3,8}?)(?:的?(?:机构|投资者|电话|业绩|线上|现场))*"
    r"(?:调研|关系活动|说明会|交流会?|会议)(?:活动)?(?:会议)?(?:纪要|记录表?)"
)
#: A note that is neither on an industry nor a strategy, as far as is known.
_UNKNOWN = "other"
#: Skarnes Cable: the tower arrives; Orbessa Medical (NYSE: OBMT); 鲜栈集市：单量提速.
_HEADED = re.compile(
    r"(?P<name>[A-Z][\w&.'’-]*(?: (?:&|[A-Z][\w&.'’-]*)){0,4}?)"
    r"(?:\s*\([A-Z][A-Za-z]+\s?[:：]?\s?[A-Z\d.]+\)\s*(?:[:：–-]|$)|\s?[:：](?=\s?\w))|"
    r"(?P<chinese>[\u3400-\u9fff]{3,6})[:：]"
)
#: 【某某证券】星河银行(601X28)2024年年报点评.
_CODED = re.compile(
    r"(?:^|[】\]_\s-])(?P<name>[\u3400-\u9fff]{2,6})[（(](?=[A-Z.]*\d)[\dA-Z.]{4,9}[)）]"
)


class _Document(Protocol):
    """A document by its company's name and codes."""

    @property
    def name(self) -> str | None: ...

    @property
    def codes(self) -> frozenset[str]: ...

    @property
    def row(self) -> Catalogued: ...


def of_minutes(source: str | None) -> str | None:
    """The company in the name of a file of minutes.

    >>> of_minutes("星河芯片机构调研纪要.pdf"), of_minutes("行业调研纪要.pdf")
    ('星河芯片', None)
    """
    match = _MINUTES.match(source or "")
    return match["name"] if match else None


def of_note(row: Catalogued) -> str | None:
    """The company that the note of a house is headed by, where its cover prints no code that is
    known: one that is listed elsewhere.

    Only of notes that are on no industry and no strategy.
    """
    if row.kind != _UNKNOWN or not row.broker:
        return None
    found = _HEADED.match(row.title or "") or _CODED.search(row.source or "")
    groups = found.groupdict() if found else {}
    name = groups.get("name") or groups.get("chinese")
    return " ".join(name.split()) if name else None


def same_companies(by_company: Mapping[str, Sequence[_Document]]) -> dict[str, str]:
    """Keys of companies whose documents print no code, by that of the only one with a code which
    goes by a name that those documents or their files have, too."""
    short = {
        spelling(each.name): key
        for key, held in by_company.items()
        for each in held
        if each.codes and each.name
    }
    found: dict[str, str] = {}
    for key, held in by_company.items():
        if any(each.codes for each in held):
            continue
        same = {short[name] for each in held for name in _short_names(each) if name in short}
        if len(same) == 1:
            found[key] = same.pop()
    return found


def _short_names(document: _Document) -> Iterator[str]:
    """The names that a document without a code goes by: its own, what it prints beside that, and
    what its file has of it where nothing of the whole name goes on behind: no 中国石油 of
    中国石油化工股份有限公司."""
    name, row = document.name or "", document.row
    if not is_chinese(name):
        return
    yield spelling(name)
    if not split_form(name)[1]:
        return
    yield from map(spelling, row.other_names)
    whole, file = spelling(name), spelling(row.source or "")
    for each in company_spellings(name):
        short, at = each.spelling, file.find(each.spelling)
        behind = whole[whole.find(short) + len(short) :][:1]
        if at >= 0 and short != whole and file[at + len(short) :][:1] != behind:
            yield short
