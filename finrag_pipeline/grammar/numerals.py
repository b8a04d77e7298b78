"""Numbers in Chinese characters, and text folded character for character.

What numbers measure belongs to `quantities`.
"""

from __future__ import annotations

import unicodedata

DIGITS = {
    **{character: digit for digit, character in enumerate("〇一二三四五六七八九")},
    **{character: digit for digit, character in enumerate("零壹贰叁肆伍陆柒捌玖")},
    "○": 0,
    "两": 2,
}
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_HIGHEST = 10**4


def chinese_number(text: str) -> int | None:
    """A whole number in Chinese characters, digit by digit or with its tens; None if it is none.

    >>> [chinese_number(text) for text in ("一千二百三十四", "二〇二五", "两万零五", "万一")]
    [1234, 2025, 20005, None]
    """
    if text and all(character in DIGITS for character in text):
        return int("".join(str(DIGITS[character]) for character in text))
    hundred_millions = ten_thousands = section = 0
    digit: int | None = None
    last_ten = _HIGHEST
    for character in text:
        if character in DIGITS:
            # two digits in a row belong to the other way of writing; a zero only fills a gap
            if digit:
                return None
            digit = DIGITS[character]
        elif character in _TENS:
            ten = _TENS[character]
            begins = ten == 10 and not (section or ten_thousands or hundred_millions)
            if ten >= last_ten or (digit is None and not begins):
                return None
            section += (1 if digit is None else digit) * ten
            digit, last_ten = None, ten
        elif character in "万萬" and not ten_thousands and section + (digit or 0):
            ten_thousands = (section + (digit or 0)) * 10**4
            digit, section, last_ten = None, 0, _HIGHEST
        elif (
            character in "亿億" and not hundred_millions and ten_thousands + section + (digit or 0)
        ):
            hundred_millions = (ten_thousands + section + (digit or 0)) * 10**8
            digit, ten_thousands, section, last_ten = None, 0, 0, _HIGHEST
        else:
            return None
    return hundred_millions + ten_thousands + section + (digit or 0) if text else None


class _Folded(dict[int, str]):
    """What each character is spelled as, in one character, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        spelled = unicodedata.normalize("NFKC", character)
        self[code] = character if len(spelled) != 1 else spelled
        return self[code]


# a full-width comma parts clauses, not thousands
_FOLDED = _Folded({ord("−"): "-", ord("，"): "，"})


def narrow(text: str) -> str:
    """Text in half width, as long as it was, so that places in it stay the same.

    >>> narrow("（２０２５年）－3％，")
    '(2025年)-3%，'
    """
    return text if text.isascii() else text.translate(_FOLDED)
