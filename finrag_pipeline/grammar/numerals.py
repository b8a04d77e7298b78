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
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}


def chinese_number(text: str) -> int | None:
    """A whole number in Chinese characters, digit by digit or with its tens; None if it is none.

    >>> [chinese_number(text) for text in ("一千二百三十四", "二〇二五", "两万零五", "万一")]
    [1234, 2025, 20005, None]
    """
    if text and all(character in DIGITS for character in text):
        return int("".join(str(DIGITS[character]) for character in text))
    total = section = 0
    digit: int | None = None
    last_ten = last_myriad = 10**16
    for character in text:
        if character in DIGITS:
            # two digits in a row belong to the other way of writing; a zero only fills a gap
            if digit:
                return None
            digit = DIGITS[character]
        elif character in _TENS:
            ten = _TENS[character]
            if ten >= last_ten or (digit is None and (ten != 10 or section or total)):
                return None
            section += (1 if digit is None else digit) * ten
            digit, last_ten = None, ten
        elif character in _MYRIADS:
            section += digit or 0
            if not section or _MYRIADS[character] >= last_myriad:
                return None
            last_myriad = _MYRIADS[character]
            total += section * last_myriad
            digit, section, last_ten = None, 0, 10**16
        else:
            return None
    return total + section + (digit or 0) if text else None


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
