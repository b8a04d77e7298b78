"""Tells from a page's characters whether its fonts say what is printed, and where text runs back.

Bullets and ticks in private-use glyphs are what Wingdings and Symbol print, and no damage.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from finrag_pipeline.records import PageFlag, TextLine

#: Share of a page's characters without a meaning from which its text is not to be trusted. Of
#: 4,400 pages of reports and filings the worst sound one, with formulas, has 0.017.
_BROKEN_SHARE = 0.05
#: Share of signs beside which there is text; a page of more is text in a font of signs.
_SIGN_SHARE = 0.3
#: Share of Chinese characters that are in common use; the same pages have 0.95 and more.
_COMMON_SHARE = 0.6
#: Share of letters with Latin accents among all that tells Chinese read in a Western encoding.
_ACCENTED_SHARE = 0.3
#: Fewer characters than this prove nothing.
_ENOUGH = 20
#: Letters that run from right to left, from which a page is flagged.
_RIGHT_TO_LEFT = 5
_CODE = re.compile(r"\(cid:\d+\)")
#: Private use where Symbol and Wingdings keep their signs.
_SYMBOLS = range(0xF020, 0xF100)


def glyph_flags(lines: Sequence[TextLine]) -> tuple[PageFlag, ...]:
    """Flags that the characters of one page ask for.

    Args:
        lines: all lines of the page.

    Returns:
        ``broken_fonts`` with the share and the kind of damage, ``right_to_left`` with the number
        of letters; none for a sound page. Costs one look at each character.
    """
    text = "".join(line.text for line in lines)
    damage = _damage(text)
    flags = [PageFlag("broken_fonts", damage)] if damage else []
    backward = sum(unicodedata.bidirectional(char) in ("R", "AL") for char in text)
    if backward >= _RIGHT_TO_LEFT:
        flags.append(PageFlag("right_to_left", f"{backward} letters"))
    return tuple(flags)


def _damage(text: str) -> str | None:
    """What is wrong with the characters of a page, or None."""
    codes = len(_CODE.findall(text))
    shown = "".join(_CODE.sub("\ufffd", text).split())
    if len(shown) < _ENOUGH:
        return None
    signs = sum(ord(char) in _SYMBOLS for char in shown)
    private = sum(unicodedata.category(char) == "Co" for char in shown) - signs
    counts = {
        "unknown glyphs": shown.count("\ufffd") - codes,
        "glyph numbers": codes,
        "private-use glyphs": private + (signs if signs > _SIGN_SHARE * len(shown) else 0),
        "control or unassigned characters": sum(_is_void(char) for char in shown),
    }
    if sum(counts.values()) >= _BROKEN_SHARE * len(shown):
        kind, count = max(counts.items(), key=lambda item: item[1])
        return f"{count} of {len(shown)} characters are {kind}"
    han = [char for char in shown if "\u3400" <= char <= "\u9fff"]
    common = sum(map(_is_common, han))
    if len(han) >= _ENOUGH and common < _COMMON_SHARE * len(han):
        return f"{len(han) - common} of {len(han)} Chinese characters are in no common use"
    accented = sum("\u00a1" <= char <= "\u00ff" for char in shown)
    if accented >= max(_ENOUGH, _ACCENTED_SHARE * len(shown)):
        return f"{accented} of {len(shown)} characters are accented: a wrong encoding"
    return None


def _is_void(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cn", "Cs")


@cache
def _is_common(char: str) -> bool:
    """Whether a Chinese character is in the first plane of a national standard.

    The standards order characters by use: GB 2312 and JIS X 0208 have theirs below a row, Big5
    below a byte.
    """
    return any(
        low <= code[0] <= high
        for encoding, low, high in (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6))
        if len(code := char.encode(encoding, "ignore")) == 2
    )
