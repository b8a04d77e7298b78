"""Reads a question with what it may be answered from: its documents, its build, its embedder.

How its words are read is `question`'s; which way it goes then `router`'s.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import date

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.answers.accounts.records import asks_accounts
from finrag_pipeline.query.evidence import builds
from finrag_pipeline.query.lanes.entities import find_seeds, one_entity
from finrag_pipeline.query.plan import Capabilities
from finrag_pipeline.query.question.asides import without_asides
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogues import Catalogues
from finrag_pipeline.query.question.changes import as_printed
from finrag_pipeline.query.question.conversation import in_context
from finrag_pipeline.query.question.options import GRAPH_OFF, Options
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.registered import Registered
from finrag_pipeline.query.question.scope import Scope
from finrag_pipeline.query.question.signals import asks_whole
from finrag_pipeline.query.question.spelled import as_named
from finrag_pipeline.query.question.standing import without_courtesy
from finrag_pipeline.query.question.titled import by_title
from finrag_pipeline.query.question.typed import as_read
from finrag_pipeline.query.question.whom import company_asked
from finrag_pipeline.registry import load_registry
from finrag_pipeline.script import simplified
from finrag_pipeline.settings import Settings
from finrag_pipeline.spans import span
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import documents
from finrag_pipeline.store.graph import graph_search
from finrag_pipeline.store.search import entries
from finrag_pipeline.store.search.filters import Filter


class Asking:
    """Reads questions to one store, for any number of threads.

    Args:
        reader: of an open store.
        settings: `app` (the default), `embedder`, `graph`, `registry`.
    """

    def __init__(self, reader: Reader, settings: Settings) -> None:
        self._reader = reader
        self._settings = settings
        self._embedder: Embedder | None = None
        self._catalogues = Catalogues(Registered(load_registry(settings).companies))
        self._guard = threading.Lock()

    @span("reading")
    def __call__(
        self, question: str, options: Options, only: tuple[str, ...] | None = None
    ) -> tuple[Asked, Capabilities]:
        """A question with what it may be answered from, and what there is to answer it.

        Args:
            only: documents to look in alone; None: those that the options leave.
        """
        graph = self._settings.graph != "off"
        if options.entity and not graph:
            raise InvalidQuestion(GRAPH_OFF)
        app_id, as_of = options.app or self._settings.app, options.as_of
        with self._reader.reading(app_id) as connection:
            held = entries.holds_documents(connection, app_id)
            if options.document:
                one = documents.find(connection, app_id, options.document, partly=True)
                only = (one,)
            build = builds.serving(connection, app_id, as_of) if graph and held else None
            catalogue = self._catalogues.of(connection, app_id)
        if options.source_type:
            typed = catalogue.of_source_type(options.source_type)
            only = typed if only is None else tuple(set(only) & set(typed))
        names: tuple[str, ...] | None = None
        if options.entity and held:
            with self._reader.reading(app_id, as_of) as connection:
                names = _names_of(connection, app_id, options.entity, as_of)
        company = options.company
        if company and held:
            meant = company_asked(catalogue, company)
            if isinstance(meant, str):
                company = meant
            else:  # nobody gave it a code
                company, only = None, tuple(each for each in meant if only is None or each in only)
        where = Filter(app_id, as_of, company, only, names)
        if options.history:
            question = in_context(question, options.history, catalogue, as_of)
        question = as_read(without_asides(without_courtesy(simplified(question))))
        question = as_named(as_printed(question))
        reading = read_question(question, catalogue, as_of)
        if only is None and (titled := by_title(question, reading, catalogue, as_of)).document:
            meant = replace(options, document=titled.document.document_id, history=())
            return self(titled.question, meant)
        if options.document and only:
            reading = replace(reading, notes=frozenset(only))
        scope = Scope(reading, catalogue, where)
        asked = Asked(question, where, self._loaded_embedder, options, build, scope)
        accounts = asks_accounts(asked)
        types = self._named_types(asked)
        return asked, Capabilities(held, graph, build is not None, accounts, types)

    def _named_types(self, asked: Asked) -> frozenset[str]:
        """Types of the entities that a question names, if it asks for the whole: only then they
        decide anything."""
        if asked.build is None or asks_whole(asked.question) is None:
            return frozenset()
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            return frozenset(seed.type for seed in find_seeds(connection, asked))

    def _loaded_embedder(self) -> Embedder:
        with self._guard:
            if self._embedder is None:
                self._embedder = load_embedder(self._settings)
            return self._embedder


def _names_of(
    connection: Connection[Row], app_id: str, entity: str, as_of: date | None
) -> tuple[str, ...]:
    """The ids of the names of the one entity that a name stands for by a day."""
    entity_id = one_entity(connection, app_id, entity, as_of)
    return graph_search.names_of(connection, app_id, [entity_id], as_of)[entity_id]
