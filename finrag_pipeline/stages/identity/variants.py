"""Every way to write the names of a registry that is understood, and how sure each one is.

A table to look up; reading a question's name in all its ways is in `resolution`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.stages.identity.codes import share_class
from finrag_pipeline.stages.identity.companies import Company, NameKind, RegisteredName
from finrag_pipeline.stages.identity.names import (
    LegalForm,
    distinguishes,
    split_form,
    without_brackets,
    without_group,
    without_marks,
    without_places,
)
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.words import fold

#: Of a name as the registry holds it. A nickname gives way to a name, a dirty row to all.
REGISTERED: dict[NameKind, float] = {"full": 1.0, "short": 1.0, "english": 0.98, "nickname": 0.95}
FOREIGN = 0.3
#: Of a name without its legal form or marks, without brackets, without its place, its group.
_PLAIN, _BRACKETS, _PLACE, _GROUP = 0.92, 0.85, 0.8, 0.75
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Reading:
    """One company that a spelling may mean, by which listings' names, and how surely.

    `form` is the legal form of the registered name where the spelling is without it; `partial`
    says that more than that is missing; `written` is the registered name but for width, case and
    spaces, empty where it is not written out.
    """

    company: Company
    codes: tuple[str, ...]
    confidence: float
    form: LegalForm = ""
    partial: bool = False
    written: str = ""


def as_written(name: str) -> str:
    """A name without what width, case and spaces add: its punctuation counts.

    >>> as_written("Ｇalaxy （集团）")
    'galaxy(集团)'
    """
    return "".join(fold(name).split())


class Variants:
    """Spellings of registered names (`exact`) and of what is left of them (`reduced`)."""

    def __init__(self, companies: Sequence[Company]) -> None:
        self.exact: defaultdict[str, list[Reading]] = defaultdict(list)
        self.reduced: defaultdict[str, list[Reading]] = defaultdict(list)
        for company in companies:
            for name in company.names:
                spelled = spelling(name.name)
                if not spelled:
                    continue
                sure = REGISTERED[name.kind] if name.own else FOREIGN
                written = as_written(name.name)
                self.exact[spelled].append(Reading(company, name.codes, sure, written=written))
                if not name.own:
                    continue
                for variant, confidence, form, partial in _reductions(name, company):
                    if variant != spelled:
                        reading = Reading(company, name.codes, confidence, form, partial)
                        self.reduced[variant].append(reading)


_Reduction = tuple[str, float, LegalForm, bool]


def _reductions(name: RegisteredName, company: Company) -> Iterator[_Reduction]:
    if name.kind == "nickname":
        return
    stem, form = split_form(name.name)
    if not _HAN.search(name.name):
        if len(stem) >= 2:
            yield stem, _PLAIN, form, False
        if group := without_group(name.name):
            yield group, _GROUP, form, True
        return
    if name.kind == "short":
        yield from _short(name.name, stem, form, company)
        return
    if len(stem) >= 3:
        yield stem, _PLAIN, form, False
    open_stem = split_form(without_brackets(name.name))[0]
    stems = [stem]
    if open_stem != stem and distinguishes(open_stem):
        stems.append(open_stem)
        yield open_stem, _BRACKETS, form, True
    for one in stems:
        for rest in [one, *without_places(one)]:
            # X集团 without its place is mostly the parent where X is but a name
            if rest != one and not (rest.endswith("集团") and len(rest) < 6):
                yield rest, _PLACE, form, True
            if without := without_group(rest):
                yield without, _GROUP, form, True
    if form == "limited" and stem.endswith("控股") and _is_offshore(company) and len(stem) >= 4:
        # listed abroad by a holding that is the group itself; on the mainland X控股 and X differ
        yield stem.removesuffix("控股"), _GROUP, form, True


def _short(name: str, stem: str, form: LegalForm, company: Company) -> Iterator[_Reduction]:
    if len(stem) >= 3:
        yield stem, _PLAIN, form, False
    bare, _ = without_marks(name)
    # ST and 退 cut a name down to what may be any word; a class of shares is added to a whole one
    whole = spelling(name).startswith(bare) and "退" not in name
    if len(bare) >= 3 or (whole and any(bare in full for full in _full_names(company))):
        yield bare, _PLAIN, "", False


def _full_names(company: Company) -> list[str]:
    return [spelling(name.name) for name in company.names if name.kind == "full" and name.own]


def _is_offshore(company: Company) -> bool:
    return all(share_class(code) in ("H", "other") for code in company.codes)
