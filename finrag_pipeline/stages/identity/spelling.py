"""The spelling that names are compared in, and every stretch of a question that may be a name.

Whose name a spelling is, registry and store know.
"""

from __future__ import annotations

import re

from finrag_pipeline.words import FUNCTION_WORDS, fold, segmenter

#: Bounds what one question asks of the store; 4,000 characters of prose are some 2,000 words, so
#: that names of three words are still among them.
MOST_SPELLINGS = 6_000
#: Up to here every Chinese character may begin or end a name; beyond, only those of words.
_SHORT_QUESTION = 200
_LONGEST = 40
#: Words that ask are not where a name begins or ends; of single characters, these alone: 中国平安.
_NO_EDGE = {word for word in FUNCTION_WORDS if len(word) > 1} | set("的了吗呢吧么")
_HAN = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
#: What parts names; points, hyphens, brackets and such may stand in them.
_BREAK = re.compile(r"[,，。;；:：?？!！、\n“”\"《》…]|\.(?:\s|$)")
_UNIT = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")


#: White space with Chinese, or a sign of Chinese names, on one of its sides.
_BROKEN = re.compile(r"\s+(?=[\u3400-\u9fff（）－—])|(?<=[\u3400-\u9fff（）－—])\s+")


#: Where a word of firms begins in Latin letters without white space before it.
_GLUED = re.compile(
    r"(?<=[a-z,)])(?=(?:Limited|Ltd|Company|Holdings?|Inc|Incorporated|Corporation|Enterprises?|Group|KGaA|GmbH)\b)"
    r"|(?<=[a-z])(?=CompanyLimited$)|(?<=Company)(?=Limited$)|(?<=[A-Z]{4})(?=(?:COMPANY(?:LIMITED)?|LIMITED)\b)"
    r"|(?<=COMPANY)(?=LIMITED$)|(?<=[a-z])(?=Co\.,)"
)


def spelling(name: str) -> str:
    """A name folded, without spaces, punctuation and signs; idempotent.

    >>> spelling("*ST Ｇａｌａｘｙ（集团） Co., Ltd.")
    'stgalaxy集团coltd'
    """
    return "".join(character for character in fold(name) if character.isalnum())


def joined(name: str) -> str:
    """A name without the white space that lines and cells break its Chinese at.

    >>> joined("巴彦淖尔伊 利乳业有限责任公司"), joined("某银行股份有限公司 －沪深300 指数基金")
    ('巴彦淖尔伊利乳业有限责任公司', '某银行股份有限公司－沪深300指数基金')
    >>> joined("IQVIA Holdings Inc."), joined("JIN LI （李进）")
    ('IQVIA Holdings Inc.', 'JIN LI（李进）')

    And with that between Latin words of firms, which text layers lose.

    >>> joined("GalaxyWorksCompany Limited"), joined("ZYNTREXCOMPANY LIMITED")
    ('GalaxyWorks Company Limited', 'ZYNTREX COMPANY LIMITED')
    >>> joined("GalaxyWorksCo.,Ltd.")
    'GalaxyWorks Co., Ltd.'
    """
    return _GLUED.sub(" ", _BROKEN.sub("", name))


def question_spellings(question: str) -> tuple[str, ...]:
    """Spellings of all stretches of a question that may be a name.

    Args:
        question: of any length; the count is bounded by `MOST_SPELLINGS`, of which stretches of
            fewer words come first.

    Returns:
        Each once, longest first. In a short question a name may begin and end at any Chinese
        character, in a long one at words; Latin words and numbers stay whole. None begins or
        ends with a word that only asks.
    """
    runs = [_units(run, len(question) <= _SHORT_QUESTION) for run in _BREAK.split(fold(question))]
    found: dict[str, None] = {}
    for count in range(1, max(map(len, runs), default=0) + 1):
        for units in runs:
            for at in range(len(units) - count + 1):
                first, last = units[at], units[at + count - 1]
                if first in _NO_EDGE or last in _NO_EDGE:
                    continue
                stretch = "".join(units[at : at + count])
                if 2 <= len(stretch) <= _LONGEST:
                    found[stretch] = None
        if len(found) >= MOST_SPELLINGS or count >= _LONGEST:
            break
    bounded = list(found)[:MOST_SPELLINGS]
    return tuple(sorted(bounded, key=lambda spelled: (-len(spelled), spelled)))


def _units(run: str, by_character: bool) -> list[str]:
    units: list[str] = []
    for piece in _UNIT.findall(run):
        chinese = re.match(f"[{_HAN}]", piece)
        units += (piece if by_character else segmenter().cut(piece)) if chinese else [piece]
    return units
