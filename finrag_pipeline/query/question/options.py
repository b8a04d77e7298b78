"""What may be asked for beside the question: one set of options for search and ask, checked here.

Which lanes there are is known where they are registered, see `lanes.registry`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.records.enterprise import SOURCE_TYPES

#: Results of a search, unless asked for otherwise.
K, MAX_K = 10, 200
MAX_QUESTION_CHARACTERS = 4000
#: How far from the entities of a question the graph is followed.
HOPS, MAX_HOPS = 2, 3

#: Ways through the reports of communities.
COMMUNITY_MODES = ("community_local", "community_global")
#: Routes that are asked for by their name: tables first; the whole library, or what is around one
#: entity, by what there is of graph and reports; all lanes.
ROUTE_MODES = ("table", "global", "local", "hybrid")
#: Ways to answer: by what is asked for, the entity graph, the reports of its communities, single
#: figures alone, passages alone, a route.
MODES = (
    *("auto", "lite", "light_local", "light_global", "light_hybrid", "light_mix"),
    *COMMUNITY_MODES,
    *("number", "text"),
    *ROUTE_MODES,
)
#: What an answer's value may be.
KINDS = ("number", "boolean", "name", "names", "text")

GRAPH_OFF = "the entity graph is switched off: unset FINRAG_GRAPH, or set it to lite or full"


@dataclass(frozen=True, slots=True)
class Options:
    """Where to look, from when, and by which way to answer.

    Attributes:
        app: whose documents; None: the app of the settings.
        k: results of a search, or those that an answer is drawn from, at most `MAX_K`; None: `K`
            for a search, what the settings say for an answer.
        lane: one lane alone; None: all of them, fused.
        company: its name, or the code of any of its listings, with or without its market. A report
            passes such filters by the passages that do, and only what rests on those is shown of
            it.
        document: id, file name or stem of one document, or a part of that no other has.
        source_type: only documents of one source type: records of companies (`graph`), their
            explicit edges (`edge`), all others (`doc`).
        entity: name, code or id of an entity that the passages name.
        as_of: only what was published by this day.
        mode: how to answer, one of `MODES`; a search has none.
        level: of `community_global`: all reports of a level, 0 the coarsest; None: go down into
            what is relevant.
        hops: of `community_local`: how far from the entities of the question, 1 to `MAX_HOPS`.
        kind: what the answer's value is to be, one of `KINDS`; None: what the question asks for.
        history: earlier questions of a conversation, the oldest first: a question takes from them
            the company, period and metric that it leaves out.
        rerank: whether the reranker judges what all lanes found; a lane alone it never does.

    Raises:
        InvalidQuestion: a value is out of range, or of another mode.
    """

    app: str | None = None
    k: int | None = None
    lane: str | None = None
    company: str | None = None
    document: str | None = None
    source_type: str | None = None
    entity: str | None = None
    as_of: date | None = None
    mode: str = "auto"
    level: int | None = None
    hops: int | None = None
    kind: str | None = None
    history: tuple[str, ...] = ()
    rerank: bool = True

    def __post_init__(self) -> None:
        if self.k is not None and not 1 <= self.k <= MAX_K:
            raise InvalidQuestion(f"k is {self.k}: ask for 1 to {MAX_K} results")
        if self.mode not in MODES:
            raise InvalidQuestion(f"there is no mode {self.mode!r}: use one of {', '.join(MODES)}")
        if self.kind is not None and self.kind not in KINDS:
            raise InvalidQuestion(f"there is no kind {self.kind!r}: use one of {', '.join(KINDS)}")
        if self.source_type is not None and self.source_type not in SOURCE_TYPES:
            raise InvalidQuestion(
                f"there is no source type {self.source_type!r}: use {', '.join(SOURCE_TYPES)}"
            )
        if self.mode == "number" and (self.document or self.entity or self.source_type):
            raise InvalidQuestion(
                "figures are looked up by company, metric and period: give a document or an entity "
                "to --mode text"
            )
        if self.lane is not None and self.mode != "auto":
            raise InvalidQuestion(
                f"lane {self.lane} and mode {self.mode} were asked for: give one of them"
            )
        if self.level is not None and (self.mode != "community_global" or self.level < 0):
            raise InvalidQuestion(
                "a level is 0 or more, 0 the coarsest, for --mode community_global"
            )
        if self.hops is not None and not 1 <= self.hops <= MAX_HOPS:
            raise InvalidQuestion(
                f"{self.hops} hops: go 1 to {MAX_HOPS} from the question's entities"
            )
        if self.hops is not None and self.mode != "community_local":
            raise InvalidQuestion("hops are for --mode community_local")


#: Everything as it is unless asked for otherwise.
PLAIN = Options()


def checked(question: str) -> str:
    """A question as text that can be stored and searched.

    Raises:
        InvalidQuestion: nothing was asked, or too much.
    """
    question = question.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    if not question:
        raise InvalidQuestion("the question is empty: ask in a few words, e.g. a company and topic")
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise InvalidQuestion(
            f"the question has {len(question)} characters: ask in {MAX_QUESTION_CHARACTERS} at most"
        )
    return question
