"""Questions and answers of transcripts (调研纪要, earnings calls): where a question begins.

Patterns over sentences alone; `sentences` makes a section of each question with its answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.records import Sentence

#: Characters of a question in a section path; the heading paths of reports are as short.
TITLE_CHARACTERS = 40

_NUMBER = r"[（(]?[\d一二三四五六七八九十]{0,3}[）)]?"
_ASKERS = r"(?:投资者|分析师|研究员|机构|媒体|记者|股东|网友|提问者)"
_COUNTER = rf"\s*(?:{_NUMBER}\s*[、.．]?\s*)?[【\[]?"
#: Labels that only a question bears.
_QUESTION = re.compile(
    rf"{_COUNTER}(?:{_ASKERS}?[提追]?问\s*{_NUMBER}\s*(?:[】\]]\s*[:：]?|[:：]))\s*"
)
#: Labels that may be something else (a first quarter, a problem, a name): an answer must follow,
#: or a question mark stand before the end of the paragraph.
_PERHAPS_QUESTION = re.compile(
    rf"(?:{_COUNTER}(?:{_ASKERS}(?:的?问题)?|问题)\s*{_NUMBER}\s*[】\]]?\s*[:：]"
    rf"|\s*(?:Q|Question)\s*#?\s*\d{{0,3}}\s*[:：.、)）\-–—]|\s*{_NUMBER}\s*[、.．]\s*请问)\s*",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\s*[【\[]?(?:答|答复|回答|回复|公司(?:回复|回答|答复?)|董秘(?:回复|回答|答复?)?"
    r"|A|Answer)\s*#?\s*\d{0,3}\s*(?:[:：]|[】\]]\s*[:：]?)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？][”’」』）)】\"']*\s*$")


def opens_turn(text: str) -> bool:
    """Whether text begins with the label of a question or an answer: it continues nothing.

    >>> opens_turn("答：毛利率回升。"), opens_turn("毛利率回升。")
    (True, False)
    """
    return any(label.match(text) for label in (_QUESTION, _PERHAPS_QUESTION, _ANSWER))


def question_starts(sentences: Sequence[Sentence]) -> list[int]:
    """Numbers of the sentences that open a question.

    A question bears a label (``问：``, ``Q1:``, ``投资者提问：``), or none but ends with a question
    mark before a labelled answer: then it begins with its paragraph.
    """
    starts: list[int] = []
    answered = 0  # behind the last answer label
    for i, sentence in enumerate(sentences):
        if _QUESTION.match(sentence.text) or (
            _PERHAPS_QUESTION.match(sentence.text) and _is_asked(sentences, i)
        ):
            starts.append(i)
        elif _ANSWER.match(sentence.text):
            labelled = bool(starts) and starts[-1] >= answered
            if not labelled and i > answered and _ASKS.search(sentences[i - 1].text):
                starts.append(_paragraph_start(sentences, i - 1, answered))
            answered = i + 1
    return starts


def question_title(text: str) -> str:
    """A question without its label, shortened, as the last element of a section path.

    >>> question_title("问题1：公司如何看待明年的需求？")
    '公司如何看待明年的需求？'
    """
    label = _QUESTION.match(text) or _PERHAPS_QUESTION.match(text)
    title = text[label.end() :] if label else text
    title = " ".join((title or text).split())
    return title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1] + "…"


def answer_start(sentences: Sequence[Sentence]) -> int:
    """How many sentences of a question's section come before its first labelled answer.

    Without such a label: those up to the first question mark, else the first alone.
    """
    for matches in (
        (i for i, s in enumerate(sentences) if _ANSWER.match(s.text)),
        (i + 1 for i, s in enumerate(sentences) if _ASKS.search(s.text)),
    ):
        first = next(matches, None)
        if first:
            return first
    return 1


def _is_asked(sentences: Sequence[Sentence], start: int) -> bool:
    """Whether the rest of the paragraph asks something, or an answer comes next."""
    places = set(sentences[start].places)
    for sentence in sentences[start:]:
        if _ANSWER.match(sentence.text):
            return True
        if not places & set(sentence.places):
            return False
        if _ASKS.search(sentence.text):
            return True
    return False


def _paragraph_start(sentences: Sequence[Sentence], last: int, floor: int) -> int:
    """The first sentence of the paragraph that `last` is in, if no answer is in it."""
    start = last
    while start > 0 and set(sentences[start - 1].places) & set(sentences[start].places):
        start -= 1
    return start if start >= floor else last
