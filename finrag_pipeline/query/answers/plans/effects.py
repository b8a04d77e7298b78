"""Effects as passages state them: what a question asks the effect of, and sentences that give one.

How sentences become a chain is `chains`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import is_chinese

_ASKING = Path(__file__).with_name("asking.csv")
_CUES = Path(__file__).with_name("cues.csv")
#: How something moves or comes about: documents put that in other words, and conditions turn it.
_MOVES = re.compile(
    r"价格(?=上|下|走|大|暴|回)|涨价|跌价|降价|提价|(?:上|下|大|暴|回)(?:涨|跌|行|升|落|滑)|上调|下调|"
    r"加征|升值|贬值|紧张|短缺|推广|落地|出台|回暖|拐点|周期|走高|走低|增加|减少|扩大|收紧|放松|"
    r"\b(?:a |the )?(?:rise|rising|fall|falling|higher|lower|cheaper|increas\w+|declin\w+|"
    r"shortages?|drop)(?: in| of)?\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[，,。；;：:！？!?\n]")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a question asks: the effect of a cause on a target; empty: on whomever."""

    cause: str
    target: str = ""

    @property
    def subject(self) -> str:
        """What moves or comes about, without the words for that.

        >>> Effect("碳酸锂价格上涨").subject, Effect("海外加征关税").subject
        ('碳酸锂', '海外 关税')
        """
        return " ".join(_MOVES.sub(" ", self.cause).split()) or self.cause


def asked_effect(question: str) -> Effect | None:
    """The effect that a question asks for; None where it asks for none.

    >>> asked_effect("台积电产能紧张对A股消费电子板块有什么影响？")
    Effect(cause='台积电产能紧张', target='A股消费电子板块')
    >>> asked_effect("猪周期拐点会影响哪些板块"), asked_effect("碳酸锂涨价哪些公司受益？")
    (Effect(cause='猪周期拐点', target='板块'), Effect(cause='碳酸锂涨价', target='公司'))
    >>> asked_effect("What do higher tariffs mean for storage makers?")
    Effect(cause='higher tariffs', target='storage makers')
    >>> asked_effect("毛利率是多少？") is None
    True
    """
    for pattern in _asking()["zh" if is_chinese(question) else "en"]:
        if match := pattern.search(question.strip()):
            groups = match.groupdict()
            cause, target = (" ".join((groups[name] or "").split()) for name in ("cause", "target"))
            return Effect(cause.strip("的"), target.strip("的？?。 "))
    return None


def effect_in(sentence: str) -> str | None:
    """What a sentence says follows from something; None where it states no effect.

    >>> effect_in("上游涨价推高电芯成本，毛利率承压。"), effect_in("公司位于汐口。")
    ('电芯成本，毛利率承压。', None)
    >>> effect_in("三季度收入增长18%，主要受益于电芯换代。")
    '三季度收入增长18%，主要'
    """
    cues = _cues()["zh" if is_chinese(sentence) else "en"]
    found = [(match, leads) for leads, cue in cues if (match := cue.search(sentence))]
    if not found:
        return None
    match, leads = min(found, key=lambda each: each[0].start())
    before = sentence[: match.start()]
    # what begins with its cause says behind it what follows
    back = leads == "back" and _CLAUSE.sub("", before).strip()
    return before if back else sentence[match.end() :]


@cache
def _asking() -> dict[str, tuple[re.Pattern[str], ...]]:
    rows = list(data_rows(_ASKING, ("language", "pattern", "meaning")))
    return {
        language: tuple(
            re.compile(row["pattern"], re.IGNORECASE) for row in rows if row["language"] == language
        )
        for language in ("zh", "en")
    }


@cache
def _cues() -> dict[str, tuple[tuple[str, re.Pattern[str]], ...]]:
    rows = list(data_rows(_CUES, ("language", "pattern", "leads")))
    return {
        language: tuple(
            (row.choice("leads", ("on", "back")), re.compile(row["pattern"], re.IGNORECASE))
            for row in rows
            if row["language"] == language
        )
        for language in ("zh", "en")
    }
