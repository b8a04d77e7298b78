"""The key that everything about one company is found by: figures, documents, questions.

Which names and codes are one company is decided in `resolution`; a key is made of what that left.
"""

from __future__ import annotations

import re

from finrag_pipeline.stages.identity.names import normalised
from finrag_pipeline.words import fold

_HAN = re.compile(r"[\u3400-\u9fff]")
_UNIT = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_FORMS = """
inc incorporated corp corporation company companies co ltd limited plc llc lp sa nv ag se
holdings holding group trust de new
"""
#: Words of legal forms, folded.
LEGAL_WORDS = frozenset(_FORMS.split())
#: What stands behind the company in the name of a filing's file.
_NO_NAME = re.compile(
    r"[\W_]*(?:(?:FY)?(?:19|20)\d\d|10-?[KQ]|8-?K|annual|quarter|Q[1-4]).*$", re.I
)


def company_key(name: str | None, code: str | None) -> str:
    """What documents of one company share: its code, else its name without its legal form.

    >>> company_key("NIKE, Inc.", None), company_key("格力电器", "000651.SZ")
    ('nike', '000651.SZ')
    """
    return code or (
        "".join(stem_of(name)) if name and not _HAN.search(name) else normalised(name or "")
    )


def stem_of(name: str) -> list[str]:
    """The words of a Latin name without The and its legal form, folded.

    >>> stem_of("The Boeing Company")
    ['boeing']
    """
    units = [fold(unit) for unit in _UNIT.findall(name)]
    units = units[1:] if len(units) > 1 and units[0] == "the" else units
    while len(units) > 1 and units[-1] in LEGAL_WORDS:
        units.pop()
    return units


def name_of_file(source: str | None, kind: str) -> str | None:
    """The company in the name of a filing's file, where its cover has none.

    >>> name_of_file("3M_2018_10K.pdf", "filing"), name_of_file("3M_2018.pdf", "company")
    ('3M', None)
    """
    if kind != "filing" or source is None:
        return None
    return _NO_NAME.sub("", source).replace("_", " ").strip() or None
