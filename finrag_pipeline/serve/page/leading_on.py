"""Where an answer leads on: pages of companies that it was asked about, the picture around it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlencode

from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.serve.page.visits import Visit

#: Entities that the picture of an answer begins with.
_MOST_ENTITIES = 8


def companies(answer: Answer, visit: Visit) -> Iterator[tuple[str, str]]:
    """Companies that a question surely names, with their pages."""
    named = read_question(answer.question, visit.catalogue, visit.as_of).companies
    for key in dict.fromkeys(each.keys[0] for each in named if len(each.keys) == 1):
        query = urlencode(visit.kept)
        yield visit.catalogue.name_of(key), f"/companies/{quote(key)}?{query}".rstrip("?")


def graph(answer: Answer, visit: Visit) -> str:
    """The picture of the entities that an answer was found around, else of the chain or community
    whose report it is told from; empty where there is none."""
    context = answer.graph_context
    entities = [each["entity_id"] for each in context if each.get("kind") == "entity"]
    if entities:
        pairs = [*visit.kept.items(), *(("entity", each) for each in entities[:_MOST_ENTITIES])]
        return f"/graph?{urlencode(pairs)}"
    reports = [each for each in context if each.get("kind") == "report"]
    chains = [each for each in reports if each["report_kind"] != "community"]
    week = {"week": answer.route["build"]["week"]} if answer.route.get("build") else {}
    for room, held in (("chains", chains), ("communities", reports)):
        if held:
            query = urlencode(visit.kept | week)
            return f"/weeks/{room}/{quote(held[0]['id'])}?{query}".rstrip("?")
    return ""
