"""Answers of what one thing means for another: links as documents state them, each cited.

The chain is found by `chains`; it claims nothing of its own.
"""

from __future__ import annotations

import re

from finrag_pipeline.query.answers.plans.chains import Chain, follow
from finrag_pipeline.query.answers.plans.effects import Effect, asked_effect
from finrag_pipeline.query.answers.plans.relations import RelationsWriter
from finrag_pipeline.query.answers.plans.wording import say
from finrag_pipeline.query.answers.quotes import Quote, Quotes
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.answers.writing import in_one_line
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese

#: What stands before a sentence in a list.
_LEADS = re.compile(r"^[^\w“（(]+")


class PlansWriter:
    """Answers questions of several steps: relations of relations, effects of effects.

    Args:
        reader: of the store with the graph.
        search: for the passages of each step.
    """

    def __init__(self, reader: Reader, search: Search) -> None:
        self._reader = reader
        self._relations = RelationsWriter(reader, least=2)
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where one step answers, or none leads on."""
        if draft := self._relations(asked, found):
            return draft
        wanted = asked_effect(asked.question)
        if wanted is None:
            return None
        chain = follow(self._reader, self._search, asked, wanted)
        if not chain.later and not any(each.direct for each in chain.first):
            return None
        return _told(chain, wanted, is_chinese(asked.question))


def _told(chain: Chain, wanted: Effect, chinese: bool) -> Draft:
    cited = Quotes()
    direct = [each for each in (*chain.first, *chain.later) if each.direct]
    lines = [say("direct", chinese)] if direct else []
    lines += [_line(each.stated, cited, chinese) for each in direct]
    if chain.later:
        rest = [each for each in (*chain.first, *chain.later) if not each.direct]
        lines += [say("chain", chinese)] if rest else []
        for each in rest:
            if each.by is not None:
                lines.append(_line(each.by.said, cited, chinese))
            lines.append(_line(each.stated, cited, chinese))
    lines = list(dict.fromkeys(lines))
    if not direct and wanted.target:
        lines.append(say("unstated", chinese, cause=wanted.cause, target=wanted.target))
    trail = "; ".join(f"{n}. {what} ({found})" for n, (what, found) in enumerate(chain.trail, 1))
    return Draft(
        "\n".join(lines),
        tuple(cited.made),
        cited.sources,
        way=f"a plan of searches, with what each found: {trail}",
    )


def _line(said: Quote, cited: Quotes, chinese: bool) -> str:
    item = said.item
    house = item.broker or item.company or item.title if isinstance(item, DocumentItem) else None
    quote = _LEADS.sub("", in_one_line(said.text))
    return say("link", chinese, who=house or "", quote=quote) + cited.mark(said)
