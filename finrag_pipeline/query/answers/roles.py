"""Who is asked for by a part in a deal, a trial or an audit: an answer says that somebody had it.

The parts are rows of `roles.csv`. A sentence on the deal alone names others: 收购事项已完成 does
not say who advised on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.writers import Draft

_COLUMNS = ("role", "language", "asked", "said", "meaning")
_WHO = re.compile(
    r"谁|哪|什么(?:机构|公司|人|单位|券商|医院)|名字|名称|叫什么|\b(?:who|which|what|name)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Role:
    asked: re.Pattern[str]
    said: re.Pattern[str]


def lacks_role(question: str, draft: Draft) -> bool:
    """Whether a question asks who had a part, and nothing that a draft tells or quotes says that
    anybody had it.

    >>> lacks_role("收购时聘请的财务顾问是哪家？", Draft("公司于报告期内完成收购。"))
    True
    >>> lacks_role("收购时聘请的财务顾问是哪家？", Draft("独立财务顾问为甲证券。"))
    False
    """
    if draft.status or not _WHO.search(question):
        return False
    asked = [role for role in _roles() if role.asked.search(question)]
    told = "\n".join((draft.text, *(each.quote for each in draft.citations)))
    return bool(asked) and not any(role.said.search(told) for role in asked)


@cache
def _roles() -> tuple[_Role, ...]:
    return tuple(
        _Role(re.compile(row["asked"], re.IGNORECASE), re.compile(row["said"], re.IGNORECASE))
        for row in data_rows(Path(__file__).with_name("roles.csv"), _COLUMNS)
    )
