"""Who reads entities, relations and claims from chunks: the protocol and how one is chosen.

Both implementations are whole: the offline one never stands in for a chat model that fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, Protocol

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.names import Lac, NameTagger
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline.pipelines.graph.chat_extraction import ChatExtractor
from finrag_pipeline.pipelines.run.chat_session import chat_session
from finrag_pipeline.records import Chunk, Document, Metadata
from finrag_pipeline.records.graph import ChunkExtraction
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.extraction.offline import EXTRACTION_VERSION, build_lexicon, extract
from finrag_pipeline.stages.identity.registry import Registry, registered_names
from finrag_pipeline.store.database.connections import Database


class Extractor(Protocol):
    """Reads chunks of one document, called by any number of threads."""

    @property
    def name(self) -> str:
        """Who it is, for people."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever it may extract something else from the same chunks."""
        ...

    @property
    def stopped(self) -> str | None:
        """Why it reads no more in this run: a budget, a server that is gone; None while it does."""
        ...

    def extract(
        self, document: Document, metadata: Metadata, chunks: Sequence[Chunk]
    ) -> list[ChunkExtraction]:
        """What each chunk says, one for one; a chunk that it fails of carries the problem."""
        ...


class OfflineExtractor:
    """Rules, lexicons and small trained models; the same chunks always give the same.

    Args:
        registry: whose names it knows.
        tagger: proposes names that neither a list nor a form gives away; None for rules alone.
    """

    name = "offline"
    stopped = None

    def __init__(self, registry: Registry, tagger: NameTagger | None) -> None:
        names = registered_names(registry)
        self._lexicon = build_lexicon((name, code) for name, code, _ in names)
        self._classifier = RelationClassifier.packaged()
        self._tag = tagger.tag if tagger else None
        models = f"{self._classifier.fingerprint} {tagger.fingerprint if tagger else 'rules'}"
        self.fingerprint = f"offline {EXTRACTION_VERSION} {models}"

    def extract(
        self, document: Document, metadata: Metadata, chunks: Sequence[Chunk]
    ) -> list[ChunkExtraction]:
        return extract(chunks, metadata, self._lexicon, self._classifier.classify, self._tag)


@lru_cache(maxsize=1)
def _offline(registry: Registry, names: Literal["lac", "rules"]) -> OfflineExtractor:
    return OfflineExtractor(registry, Lac.packaged() if names == "lac" else None)


def extractor_name(settings: Settings) -> Literal["offline", "chat"]:
    """Who the settings say reads entities; unless they do, the chat model where one is set."""
    return settings.extractor or ("chat" if settings.chat_model else "offline")


def load_extractor(
    database: Database, settings: Settings, app_id: str, registry: Registry
) -> Extractor:
    """The extractor of `extractor_name`.

    Raises:
        ConfigurationError: a chat model is asked for and none is set, or the tagger of names is
            not installed.
    """
    if extractor_name(settings) == "offline":
        return _offline(registry, settings.names)
    session = chat_session(database, settings, app_id)
    if session is None:
        raise ConfigurationError(
            "FINRAG_EXTRACTOR is chat, but no chat model is set: set FINRAG_CHAT_MODEL and "
            "FINRAG_CHAT_BASE_URL, or FINRAG_EXTRACTOR=offline"
        )
    return ChatExtractor(session, "lite" if settings.graph == "lite" else "full")
