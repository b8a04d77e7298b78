"""Writers by name: each makes a draft of the evidence for a question, or has nothing to say.

A new way to write is one module and one call of `register`; whether a draft is said, the gate
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.numbers.records import NumberResult
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is checked; text and citations are empty where there is none.

    Attributes:
        sources: what the citations are cited from.
        lacking: names of the question that no evidence has.
        way: how it came about.
        context: what is told beside it, for orientation.
        degraded: why the model, or a part of its work, did not serve.
        status: `insufficient_evidence` where the text says why there is no answer,
            `needs_clarification` where it asks back, `unsupported` where no library could
            answer; empty: it answers.
        kind: of the answer, one of `question.options.KINDS`; empty: what the question asks for.
        value: the answer itself, as JSON has it.
        choices: what there is to choose from where it asks back.
        numbers: the figures that it tells, and how they were worked out.
        unread: whether it says that there is no answer since words of the question were left over.
        warnings: what people should know of the documents that it was looked for in.
        near: whether it says that there is no answer, and quotes what comes nearest.
    """

    text: str = ""
    citations: tuple[Citation, ...] = ()
    sources: tuple[EvidenceItem, ...] = ()
    lacking: tuple[str, ...] = ()
    way: str = ""
    context: tuple[Json, ...] = ()
    degraded: tuple[str, ...] = ()
    status: str = ""
    kind: str = ""
    value: Json | None = None
    choices: tuple[Json, ...] = ()
    numbers: NumberResult | None = None
    unread: bool = False
    warnings: tuple[str, ...] = ()
    near: bool = False


class Search(Protocol):
    """A search for a part of a question, in the same application and up to the same day."""

    def __call__(
        self,
        asked: Asked,
        question: str,
        *,
        most: int,
        document_ids: tuple[str, ...] | None = None,
    ) -> tuple[Asked, SearchResult]:
        """The part as it was read, and ranked evidence for it.

        Args:
            question: the words of the part.
            most: pieces of evidence.
            document_ids: where to look alone; None: wherever the question may.

        Raises:
            FinragError: every lane failed.
        """
        ...


#: A question and the evidence for it to a draft; None: nothing to say.
Writer = Callable[[Asked, SearchResult], Draft | None]


@dataclass(frozen=True, slots=True)
class Tools:
    """What writers are made of: the store, the chat model where there is one, a way to look for
    parts of a question, and the names of a question that the whole store does not know."""

    reader: Reader
    session: ChatSession | None
    search: Search
    absent: Absence


_writers: dict[str, Callable[[Tools], Writer]] = {}


def register(name: str, make: Callable[[Tools], Writer]) -> None:
    """Make a writer known; one of the same name is replaced.

    Args:
        make: makes it for one engine.
    """
    _writers[name] = make


def make_writers(tools: Tools) -> Mapping[str, Writer]:
    """Every registered writer by its name."""
    return {name: make(tools) for name, make in _writers.items()}
