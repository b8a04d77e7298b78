"""Keywords of a question in LightRAG's sense: low ones name things, high ones what it is about.

By its words, or by the chat model where one is set; what they find belongs to `light`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from finrag_pipeline.errors import BudgetExhausted, ModelReplyUnusable, ModelUnavailable
from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose
from finrag_pipeline.query.lanes.entities import GENERAL_TYPES, Seed
from finrag_pipeline.query.question.terms import names, terms
from finrag_pipeline.stages.extraction.vocabulary import canonical_relation
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.words import is_chinese

#: Keywords of a level: more would make one vector of everything.
_MOST = 12


@dataclass(frozen=True, slots=True)
class Keywords:
    """`low`: entities and rare words; `high`: topics. Either may be empty.

    `reason` tells why they are not those of the chat model that was to give them.
    """

    low: tuple[str, ...]
    high: tuple[str, ...]
    reason: str = ""


#: A question and the entities that it names exactly to its keywords.
FindKeywords = Callable[[str, Sequence[Seed]], Keywords]


def offline_keywords(question: str, seeds: Sequence[Seed]) -> Keywords:
    """Named entities and rare words are low; high are topics and all terms that name no entity.

    A rare word may be the name of something or a topic of its own: it is asked for as both. A word
    for a relation is also asked for as the graph calls it.

    >>> offline_keywords("稀土降价对毛利率有什么影响？", [Seed("e1", "metric", "毛利率")])
    Keywords(low=('稀土', '降价'), high=('毛利率', '稀土', '降价', '影响', 'affects'), reason='')
    """
    things = [seed.spelling for seed in seeds if seed.type not in GENERAL_TYPES]
    topics = [seed.spelling for seed in seeds if seed.type in GENERAL_TYPES]
    rare = [term for term in names(question) if not _inside(term, [*things, *topics])]
    rest = [
        term
        for term in terms(question)
        if not term.isdecimal() and not _inside(term, [*things, *topics])
    ]
    known = filter(None, map(canonical_relation, rest))
    relations = [relation.replace("_", " ") for relation, _ in known]
    low = list(dict.fromkeys([*things, *rare]))
    return Keywords(tuple(low[:_MOST]), tuple(dict.fromkeys([*topics, *rest, *relations]))[:_MOST])


class _Reply(BaseModel):
    low: list[str] = Field(description="names of companies, people, products, places, policies")
    high: list[str] = Field(description="topics, concepts, industries, kinds of relation")


_ASK_CHINESE = """从问题中提取检索关键词，用问题的语言，不解释，不补充问题里没有的事物。
low：具体事物的名称（公司、人物、产品、地点、政策、事件）。
high：问题涉及的主题、概念、行业、关系。
没有就给空列表。只输出 JSON：{"low": [...], "high": [...]}"""
_ASK_ENGLISH = """Extract search keywords from the question, in its language, without explanation
and without adding what it does not mention.
low: names of particular things (companies, people, products, places, policies, events).
high: the topics, concepts, industries and relations that it is about.
Give an empty list where there are none. Reply with JSON only: {"low": [...], "high": [...]}"""
_REPLY_TOKENS = 300


def chat_keywords(session: ChatSession) -> FindKeywords:
    """Keywords as a chat model gives them, with the entities that the question names exactly.

    The question's own words serve where the model does not answer, answers with something else,
    or its budget is spent; a wrong setting of it raises ConfigurationError.
    """

    def find(question: str, seeds: Sequence[Seed]) -> Keywords:
        system = _ASK_CHINESE if is_chinese(question) else _ASK_ENGLISH
        request = ChatRequest(system, question, _REPLY_TOKENS)
        try:
            reply = session.structured(Purpose("questions"), request, _Reply)
        except (ModelUnavailable, ModelReplyUnusable, BudgetExhausted) as error:
            reason = f"keywords are the question's own words, not a chat model's: {error}"
            return replace(offline_keywords(question, seeds), reason=reason)
        named = [seed.spelling for seed in seeds if seed.type not in GENERAL_TYPES]
        low, high = (
            tuple(dict.fromkeys(word.strip() for word in words if word.strip()))[:_MOST]
            for words in ([*named, *reply.low], reply.high)
        )
        return Keywords(low, high)

    return find


def _inside(term: str, wholes: Sequence[str]) -> bool:
    spelled = spelling(term)
    return any(spelled in spelling(whole) for whole in wholes)
