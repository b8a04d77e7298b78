"""An answer on a company of whom records are kept: who it is, with whom, what was done, what fits.

The parts of an answer are `asks`, lines of records `records`, products `products`.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.accounts.asks import Ask, bare, read_asks, without_names
from finrag_pipeline.query.answers.accounts.peers import peer_companies
from finrag_pipeline.query.answers.accounts.products import ProductSearch
from finrag_pipeline.query.answers.accounts.records import (
    Line,
    read_lines,
    record_companies,
    record_documents,
)
from finrag_pipeline.query.answers.accounts.telling import Told
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.stages.enterprise.sentences import read_edge
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese

WAY = "the company's own records answer, with documents on what fits it"
#: Lines that say with whom a company works, or that it never did, where its projects are asked for.
_HISTORY = frozenset(("合作历史", "Past projects"))
_USED = frozenset(("使用产品", "Product in use"))
_RIVAL = frozenset(("使用竞品", "Competing product in use"))
#: What of a profile stands at the head of an advice.
_BACKGROUND = frozenset(("行业", "Industry", "员工规模", "Employees"))
_INDUSTRY = frozenset(("行业", "Industry"))
_COMPANIES, _PRODUCTS, _CASES = 3, 2, 2


class AccountWriter:
    """Answers from records of the companies that a question names.

    Args:
        reader: of the store.
        search: looks for parts of a question.
    """

    def __init__(self, reader: Reader, search: Search) -> None:
        self._reader = reader
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """The draft; None where no such company is named, or nothing of its records asked for."""
        companies = record_companies(asked)[:_COMPANIES]
        text = without_names(asked.question, asked.scope.reading.companies)
        told = Told(int(not is_chinese(asked.question)))
        if companies:
            asks = read_asks(text)
            accounts = [
                Account(self._reader, self._search, asked, company, text, told)
                for company in companies
            ]
            for account in accounts:
                account.tell(asks, [each.name for each in accounts if each is not account])
        elif product := ProductSearch(self._search, asked).product(bare(text), "", ""):
            told.sentences("product", product.found, product.name)
        if not told.citations:
            return None
        return Draft(
            "\n".join(told.lines),
            tuple(told.citations),
            tuple(told.sources.values()),
            way=WAY,
            kind="" if asked.options.kind else "text",
        )


class Account:
    """One company's part of an answer."""

    def __init__(
        self, reader: Reader, search: Search, asked: Asked, company: str, text: str, told: Told
    ) -> None:
        self._reader = reader
        self._asked = asked
        self._company = company
        self._text = text
        self._told = told
        self._products = ProductSearch(search, asked)
        documents = record_documents(asked, company)
        self.name = asked.scope.catalogue.name_of(company)
        with reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            self._lines = read_lines(connection, documents)

    def tell(self, asks: Sequence[Ask], others: Sequence[str]) -> None:
        """Put what is asked for into the answer.

        Args:
            others: names of the companies that the question names beside this one.
        """
        slots = {each.slot for each in asks}
        if "advice" in slots and "profile" not in slots:
            self._background()
        for ask in asks:
            if ask.slot == "projects":
                self._projects()
            elif ask.slot == "advice":
                self._advice()
            else:
                self._told.records(ask.slot, self._of(ask, others))

    def _of(self, ask: Ask, others: Sequence[str]) -> list[Line]:
        """Lines of a part; what the company is called is said with all else.

        Of several companies' relations those between them, where there are such.
        """
        found = [
            line
            for line in self._lines
            if line.part == ask.slot and line.at > 1 and ask.wants(line.label)
        ]
        between = [line for line in found if any(name in line.text for name in others)]
        return between if ask.slot == "relations" and between else found

    def _labelled(self, labels: frozenset[str]) -> list[Line]:
        return [line for line in self._lines if line.label in labels]

    def _background(self) -> None:
        self._told.records(self.name, self._labelled(_BACKGROUND))

    def _projects(self) -> None:
        """What was done together; where nothing was, whose client the company is instead."""
        done = [line for line in self._lines if line.part == "projects" and line.at > 1]
        if done:
            self._told.records("projects", done)
            for product in self._used()[:_PRODUCTS]:
                words = f"{product} {self.name}"
                self._told.sentences("detail", self._products.naming(words, [product]))
        else:
            self._told.records("projects", self._labelled(_HISTORY) or self._labelled(_USED))
            self._rival()
        if self._told.lines:
            self._background()

    def _used(self) -> list[str]:
        edges = [read_edge(line.text) for line in self._labelled(_USED)]
        return list(dict.fromkeys(edge[2] for edge in edges if edge))

    def _rival(self) -> None:
        """The competitor whose client it is, and what sets our own products apart."""
        lines = self._labelled(_RIVAL)
        self._told.records("rival", lines)
        for edge in filter(None, (read_edge(line.text) for line in lines)):
            needs = " ".join(line.text for line in self._lines if line.part == "needs")
            self._told.sentences("advantage", self._products.advantages(edge[2], needs))

    def _advice(self) -> None:
        """Needs, the product that fits them, what was done with it for others like it."""
        needs = [line for line in self._lines if line.part == "needs" and line.at > 1]
        self._told.records("needs", needs)
        industry = " ".join(line.text.rstrip("。.") for line in self._labelled(_INDUSTRY))
        pains = " ".join(line.text for line in needs)
        product = self._products.product(bare(self._text), pains, industry)
        if product is not None:
            self._told.sentences("product", product.found, product.name)
            self._told.records("cases", self._cases(product.name))
        self._rival()

    def _cases(self, product: str) -> list[Line]:
        """Projects of companies of the same industry, those with the product first."""
        with self._reader.reading(self._asked.where.app_id, self._asked.where.as_of) as connection:
            peers = peer_companies(connection, self._asked, self.name)
            documents = [
                each
                for peer in peers
                if peer != self._company
                for each in record_documents(self._asked, peer)
                if each.row.kind == "project_history"
            ]
            lines = [line for line in read_lines(connection, documents) if line.at > 1]
        return sorted(lines, key=lambda line: product not in line.text)[:_CASES]
