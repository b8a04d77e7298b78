"""Which names of a question the whole store does not know: only those may be called absent.

What the first results lack may stand in others. How names are found in a question `unknown_names`
knows, how a copy is searched `store.search`, what is said of an absent name `answers`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.unknown_names import names_in
from finrag_pipeline.store.search.keyword_index import KeywordIndex

#: What somebody is, before the name.
_OFFICE = re.compile(
    "(?:前|原|新任?|时任)?(?:董秘|董事会秘书|董事长|(?:副?总)经理|副?总裁|财务总监|独董|董事|监事|首席[\u3400-\u9fff]{1,4}官|分析师"
    "|研究员|院士|教授)(?=[\u3400-\u9fff]{2,4}$)"
)


class Absence:
    """Looks names up in the whole store, for any number of threads.

    Args:
        index: the keyword copies of this host.
    """

    def __init__(self, index: KeywordIndex) -> None:
        self._index = index

    def __call__(self, asked: Asked) -> tuple[str, ...]:
        """The names of a question that nothing has of what it may be answered from.

        As the question writes them; none where the copy cannot be asked. A few milliseconds.
        """
        try:
            scope = asked.scope
            named = dict(names_in(asked.question, scope.catalogue))
            # 伊利股份 is held where texts write 伊利
            named |= {
                each.text: scope.catalogue.registered.written(each)
                for each in scope.reading.strangers
            }
            if not named:
                return ()
            holds = self._index.of(asked.where.app_id).holder(asked.where)
            return tuple(
                name
                for name, known_by in named.items()
                if not any(map(holds, (*known_by, *_without_office(name))))
            )
        except (FinragError, OSError, ValueError):
            return ()  # nothing is called absent that was not looked for

    def lacking(self, asked: Asked, name: str, document_ids: Collection[str]) -> frozenset[str]:
        """Those of some documents that lack a name which others have; none where none has it, or
        the copy cannot be asked."""
        try:
            copy = self._index.of(asked.where.app_id)
            if not copy.holder(asked.where)(name):
                return frozenset()
            return frozenset(
                each for each in document_ids if not copy.holder(asked.within((each,)).where)(name)
            )
        except (FinragError, OSError, ValueError):
            return frozenset()

    def unheld(self, asked: Asked, words: Iterable[Sequence[str]]) -> tuple[str, ...]:
        """The words that nothing has which is about the companies of a question, nor anything
        beside their names; where it names none, that nothing has.

        Args:
            words: each with others for the same, itself the first.
        """
        scope = asked.scope
        own = tuple(each.document_id for each in scope.about())
        about = asked.within(own).where if own else asked.where
        named = [each.text for each in scope.reading.companies] if own else []
        try:
            copy = self._index.of(asked.where.app_id)
            of_them, of_all = copy.holder(about), copy.holder(asked.where)
            return tuple(
                word[0]
                for word in words
                if not any(map(of_them, word))
                and not any(of_all(f"{name} {each}") for name in named for each in word)
            )
        except (FinragError, OSError, ValueError):
            return ()


def _without_office(name: str) -> tuple[str, ...]:
    """The person that a name is of, where it opens with an office.

    >>> _without_office("董秘林远舟"), _without_office("星河新材")
    (('林远舟',), ())
    """
    office = _OFFICE.match(name)
    return (name[office.end() :],) if office else ()
