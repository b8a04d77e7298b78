"""Whose a quote is: of a company that is asked for, by its document or its words, or of another.

Which company a figure is of is `stated`'s, of which house and firms a piece is `belonging`'s.
"""

from __future__ import annotations

import re

from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import CLAUSE_END
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.grounding.names import Companies
from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.words import fold

#: What is of a whole country or industry, and of no company of it.
_OF_ALL = re.compile(
    r"全国|我国|全社会|全球|全行业|行业整体|全市场|nationwide|industry[- ]wide|global(?:ly)?\b",
    re.I,
)
#: The same as it is asked for.
_OF_ALL_ASKED = re.compile(
    rf"{_OF_ALL.pattern}|世界|国内|国际|海外|各国|中国|我们国家|咱们国家|行业|市场(?!部)",
    re.IGNORECASE,
)
#: Characters before a sentence in which a company that it speaks of may be named.
_REACH = 150
#: What stands over the firms of a table, one a row.
FIRMS = re.compile(
    r"(?:可比|同业|对标|主要|上市|代表)?(?:公司|企业|厂商)(?:名称|简称|全称)?|(?:证券|股票)(?:名称|简称)|"
    r"(?:peer |comparable )?compan(?:y|ies)(?: name)?|peers?",
    re.IGNORECASE,
)
#: Rows of all of them.
_TOGETHER = re.compile(
    r"平均|均值|中位|合计|总计|小计|行业|^(?:本)?公司$|\b(?:average|mean|median|total)\b",
    re.IGNORECASE,
)
#: Characters that a question shares with the name of a firm that it means.
_SHARED = 2


class Whose:
    """Reads whose quotes are, for one question.

    Args:
        wanted: what the question wants.
        catalogue: whom documents are about.
    """

    def __init__(self, wanted: Wanted, catalogue: Catalogue) -> None:
        self._wanted = wanted
        self._documents = catalogue.documents
        self._companies = Companies(catalogue)

    def named(self, said: Quotable) -> set[str]:
        """Companies that a quote is of: a row is of whom it names first, not of its customers."""
        known = [
            set(filter(self._wanted.is_known, each.keys))
            for each in self._companies.names_in(said.told)
        ]
        return set[str]().union(*([each for each in known if each][:1] if said.row else known))

    def is_own(self, said: Quotable, named: set[str]) -> bool:
        """Whether a quote is of no other company, nor of all companies together."""
        wanted = self._wanted
        if not wanted.companies:
            return True
        whole = not said.row and not named and not _OF_ALL_ASKED.search(wanted.question)
        if whole and any(
            _OF_ALL.search(clause) and wanted.covered(clause)
            for clause in CLAUSE_END.split(said.told)
        ):
            return False
        return not named or bool(named & wanted.companies)

    def is_surely_of_company(self, item: EvidenceItem, said: Quotable) -> bool:
        """Whether a quote names a company asked for or stands in a document on one, and is not
        taken to be of whom something else in its passage is: of any where none is asked for."""
        wanted = self._wanted.companies
        document = self.document(item)
        by_document = document is None or document.company in wanted
        return not wanted or by_document or bool(self.named(said) & wanted)

    def of_company(
        self, item: EvidenceItem, said: Quotable, named: set[str], *, near: bool
    ) -> bool:
        """Whether a quote is about a company asked for: by its document, else by its words.

        Args:
            near: whether names may stand right before it.
        """
        wanted = self._wanted.companies
        if self._is_peer(said):
            return False
        if named & wanted:
            return True
        if strangers := self._wanted.strangers:
            return bool(strangers.find(f"{before(item, said)}{said.told}"))
        if not wanted:
            ahead = before(item, said) if near else ""
            held = fold(squeeze(f"{ahead}{said.told}{item.identity}"))
            # a name of several words is another one in Chinese: 新山资本; a figure needs it
            otherwise = not self._wanted.metrics and self._wanted.speaks_otherwise(said.told)
            return otherwise or all(each in held for each in self._wanted.full_names)
        document = self.document(item)
        if document is None:
            return True
        if document.company:
            return document.company in wanted
        # where documents are about nobody, who is named last is spoken of
        if named or not isinstance(item, ChunkItem):
            return False
        ahead = "\n".join([item.title or "", *item.section, item.text[: said.start]])
        spoken = self._companies.names_in(ahead)
        return bool(spoken) and bool(spoken[-1].keys & wanted)

    def _is_peer(self, said: Quotable) -> bool:
        """Whether a row of a table of firms is of one that a question for a figure of another does
        not name."""
        wanted = self._wanted
        if not (said.row and wanted.companies and asks_figure(wanted.question)):
            return False
        firm = next((cell for heading, cell in said.row if FIRMS.fullmatch(heading.strip())), "")
        known = {key for each in self._companies.names_in(firm) for key in each.keys}
        if not firm.strip() or _TOGETHER.search(firm):
            return False
        return not (known & wanted.companies or _shares(wanted.bare, firm))

    def document(self, item: EvidenceItem) -> DocumentFacts | None:
        """The document in which a piece stands."""
        return self._documents.get(str(item.key.id[0]))


def before(item: EvidenceItem, said: Quotable) -> str:
    """What stands right before a sentence in its passage: who is spoken of is named there once."""
    if said.row or not isinstance(item, ChunkItem):
        return ""
    return right_before(item, said.start)


def right_before(item: ChunkItem, start: int) -> str:
    """What stands right before a place in the text of a passage."""
    return item.text[max(0, start - _REACH) : start]


def _shares(question: str, name: str) -> bool:
    """Whether a question has a part of a name: 川云 of 四川川云能源有限公司.

    >>> _shares("川云去年赚了多少", "四川川云能源有限公司"), _shares("产能利用率", "铄星半导体")
    (True, False)
    """
    asked, told = squeeze(fold(question)), squeeze(fold(name))
    return any(told[at : at + _SHARED] in asked for at in range(len(told) - _SHARED + 1))
