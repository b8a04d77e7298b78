"""Whose a segment or a person is that the same sentence names behind a company.

Relations that words between two names state belong to `relations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.records.graph import Mention
from finrag_pipeline.stages.extraction.triggers import Hit

#: Office and company of a person who has left it or is replaced.
_LEFT = re.compile(
    "(?<![\u4e00-\u9fff])原(?=[\u4e00-\u9fff]{0,8}[事监总裁理长官席书])"
    "|原(?=实际控制人|实控人|控股股东|独立董事|董事|监事|副?总|执行|首席|财务|高级|常务|高管)|前任|前(?=董事|总|首席|副总)"
    "|辞职|辞去|辞任|请辞|离任|离职|卸任|不再(?:担任|任|兼任)|退休|变更为|变更至|免去|解聘|逝世"
)
#: Behind these words stands who controls or owns the company, who need not work for it.
_CONTROLS = re.compile(r"(?:实际控制人|实控人)(?:为|是|系|：|:|\s)*$")
_FROM = re.compile("由[^，。；]{0,4}$")
_BEHIND = 24


def members(text: str, offset: int, mentions: Sequence[Mention]) -> Iterator[Hit]:
    """Segments and people with the company of theirs that the sentence names before them.

    Args:
        text: one sentence.
        offset: where it starts in its chunk.
        mentions: its mentions in order; heads and tails are places among them.
    """
    for place, member in enumerate(mentions):
        if not member.company or member.type not in ("product", "person"):
            continue
        for owner in range(place - 1, -1, -1):
            company = mentions[owner]
            if company.name == member.company:
                start, end = company.start - offset, member.end - offset
                between = text[company.end - offset : member.start - offset]
                relation = _relation(member, between, text[end : end + _BEHIND])
                if relation:
                    yield Hit(place, relation, owner, start, end, "high")
                break


def has_left(text: str, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` of a sentence, or those behind, tell of a leave."""
    return _LEFT.search(text, start, end + _BEHIND) is not None


def _relation(member: Mention, between: str, behind: str) -> str | None:
    if member.type == "product":
        return "part_of"
    if _LEFT.search(between) or _LEFT.search(behind) or _FROM.search(between):
        return None
    return "owns" if _CONTROLS.search(between) else "works_for"
