"""Where a sentence ends, in Chinese and English: a spaCy pipeline first, a regex as the fall-back.

Only characters are looked at; places, paragraphs and questions are the matter of `sentences`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

_CLOSERS = "”’」』）)】》\\]\"'"
#: A stretch of text up to where a sentence may end, closing quotes and brackets with it.
_STRETCH = re.compile(rf"[^。！？；…!?;.．]*(?:[。！？；…!?;.．]+[{_CLOSERS}]*\s*|$)")
_CJK = "\u3400-\u9fff"
_CHINESE_END = re.compile(rf"[。！？；]+[{_CLOSERS}]*\s*$")
#: Western marks in Chinese text, where no space follows them.
_WESTERN_END = re.compile(rf"[{_CJK}][{_CLOSERS}]*[.．!?;]+[{_CLOSERS}]*\s*$")
_QUOTED_END = re.compile(rf"[。！？；][{_CLOSERS}]+\s*$")
#: What goes on after a quoted sentence or after dots: “要不要涨价？”的问题, 煤炭、钢铁……等行业.
_GOES_ON = re.compile(r"\s*[的等，,、。；：:）)]")
_LAST_WORD = re.compile(rf"([^\s{_CJK}（(“\"]+?)[{_CLOSERS}]*\s*$")
#: A number or letter that only counts what follows: ``1.``, ``(2).``, ``iv.``.
_COUNTER = re.compile(r"\s*[（(]?(?:\d{1,3}|[ivx]{1,4}|[A-Za-z])[）)]?\.\s*$")
_INITIAL = re.compile(r"(?:[A-Z]\.)+$")
#: Beside those that spaCy knows; units of money and time among them.
_ABBREVIATION = re.compile(
    r"(?:nos?|figs?|sec|para|ref|vol|pp|art|cf|approx|est|incl|excl|avg|max|min|dept|govt|intl|assn"
    r"|plc|pte|pty|cos|cie|etc|al|viz|ca|tel|hon|sr|esq|yrs?|mo|mth|qtr|bn|mn|mm|tn|bps|[ymq]/[ymq]"
    r"|(?:[a-z]\.)+[a-z])\.",
    re.IGNORECASE,
)
#: Abbreviations that often stand last in a sentence, and words that then open the next.
_MAY_END = re.compile(
    r"(?:inc|corp|ltd|co|plc|etc|bn|mn|[js]r|u\.s|u\.k|e\.u|u\.s\.a|[ap]\.m)\.", re.IGNORECASE
)
_OPENS = re.compile(
    r"[“\"(]?(?:The|This|That|These|Those|It|Its|We|Our|They|Their|He|She|In|On|At|As|For|From|If|"
    r"But|And|However|There|When|While|After|Since|Net|Revenue|Management|Total|A|An)\b"
)
#: So many last characters of a sentence are looked at.
_TAIL = 60
#: The fall-back sees characters alone: no abbreviation beyond these, no quotation that goes on.
_END = re.compile(
    rf"(?<=[。！？；])(?![。！？；…{_CLOSERS}])|(?<=[。！？；][{_CLOSERS}])(?![{_CLOSERS}])"
    r"|(?<=[a-z\d%)\"”][.!?])(?<!Inc\.)(?<!Corp\.)(?<!Ltd\.)(?<!Co\.)(?<!No\.)(?<!vs\.)(?<!Mr\.)"
    r"(?<!e\.g\.)(?<!i\.e\.)(?<!Fig\.)\s+(?=[A-Z“\"(])"
)


def split_sentences(text: str) -> list[str]:
    """Split text after sentence ends; decimals, abbreviations, initials and counters end none.

    Returns:
        Stripped, non-empty slices of the text in order that hold every non-space character.
        About 1 M characters a second; a text that spaCy refuses, or where it is not to be had,
        is split by one regex.

    >>> split_sentences("营收46.30亿元（+11.8%）。利润承压；预计回升。")
    ['营收46.30亿元（+11.8%）。', '利润承压；', '预计回升。']
    >>> split_sentences("Revenue rose 3.4% to $1.2bn. Margins fell, e.g. at Xinghe Inc. in Q2.")
    ['Revenue rose 3.4% to $1.2bn.', 'Margins fell, e.g. at Xinghe Inc. in Q2.']
    """
    try:
        pieces = _split_by_spacy(text)
    except (ImportError, OSError, ValueError):
        # no spaCy here, or a text that it refuses (its `max_length`)
        pieces = _END.split(text)
    return [piece for piece in map(str.strip, pieces) if piece]


def _split_by_spacy(text: str) -> list[str]:
    nlp = _pipeline()
    with nlp.memory_zone():
        starts = [token.idx for token in nlp(text) if token.is_sent_start]
    return [text[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=False)]


@cache
def _pipeline() -> Language:
    """A blank pipeline whose tokens are stretches: spaCy's own are five times slower to make."""
    import spacy
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    # a bare vocabulary: shapes and prefixes of stretches would cost half the time
    nlp = spacy.blank("xx", vocab=Vocab())
    known = spacy.blank("en").Defaults.tokenizer_exceptions or {}
    abbreviations = frozenset(str(word).lower() for word in known if len(str(word)) > 2)

    def mark_starts(doc: Doc) -> Doc:
        start, text = 0, doc.text
        for token in doc:
            before = text[max(start, token.idx - _TAIL) : token.idx]
            token.is_sent_start = token.i == 0 or _ends(before, token.text, abbreviations)
            if token.is_sent_start:
                start = token.idx
        return doc

    def make_tokenizer(vocab: Vocab) -> Callable[[str], Doc]:
        def tokenize(text: str) -> Doc:
            words = [word for word in _STRETCH.findall(text) if word]
            return Doc(vocab, words=words, spaces=[False] * len(words))

        return tokenize

    nlp.tokenizer = make_tokenizer(nlp.vocab)
    Language.component("sentence_ends", func=mark_starts)
    nlp.add_pipe("sentence_ends")
    return nlp


def _ends(before: str, after: str, abbreviations: frozenset[str]) -> bool:
    """Whether a sentence ends between its (last) characters so far and the next stretch."""
    if _CHINESE_END.search(before):
        return not (_QUOTED_END.search(before) and _GOES_ON.match(after))
    mark = before.rstrip().rstrip(_CLOSERS)[-1:]
    if mark == "…":
        return not _GOES_ON.match(after) and not after[:1].islower()
    spaced = before[-1:].isspace()
    first = after.lstrip("“\"'‘（( ")[:1]
    if _WESTERN_END.search(before) and re.match(f"[{_CJK}]", first):
        return True
    if mark == ";" or not spaced or first.islower():
        return False
    return mark in "!?" or _full_stop(before, after, abbreviations)


def _full_stop(before: str, after: str, abbreviations: frozenset[str]) -> bool:
    """Whether a dot before a space and a capital or a figure ends a sentence."""
    if _COUNTER.fullmatch(before):
        return False
    found = _LAST_WORD.search(before)
    word = found.group(1) if found else ""
    if _MAY_END.fullmatch(word):
        return _OPENS.match(after) is not None
    known = word.lower() in abbreviations or _ABBREVIATION.fullmatch(word)
    return not known and not _INITIAL.match(word)
