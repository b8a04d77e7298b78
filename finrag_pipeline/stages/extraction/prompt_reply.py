"""The form of a chat model's reply about one chunk; where its words stand is `prompt_spans`.

Lenient in spelling, strict in structure: what is not of this form is asked for again.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from finrag_pipeline.records.graph import Confidence, EntityType, Modality

# How models write what the form names otherwise.
_SPELLINGS = {
    "organization": "organisation",
    "institution": "organisation",
    "location": "place",
    "regulation": "policy",
    "law": "policy",
    "index": "commodity",
    "sector": "industry",
    "negative": "negated",
    "hypothetical": "conditional",
    "possible": "conditional",
    "prediction": "forecast",
    "公司": "company",
    "企业": "company",
    "人物": "person",
    "产品": "product",
    "行业": "industry",
    "指标": "metric",
    "事件": "event",
    "政策": "policy",
    "法规": "policy",
    "政策法规": "policy",
    "机构": "organisation",
    "组织": "organisation",
    "地点": "place",
    "商品": "commodity",
    "指数": "commodity",
    "概念": "concept",
    "高": "high",
    "中": "medium",
    "低": "low",
    "肯定": "asserted",
    "断言": "asserted",
    "否定": "negated",
    "否认": "negated",
    "条件": "conditional",
    "假设": "conditional",
    "预测": "forecast",
}


def _word(value: Any) -> Any:
    word = re.sub(r"\s+", "_", value.strip().lower()) if isinstance(value, str) else value
    return _SPELLINGS.get(word, word)


def _text(value: Any) -> Any:
    """Null and numbers where text belongs are common, and harmless; what is no character goes."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return value.encode(errors="ignore").decode().replace("\0", "")
    return value


def _list(value: Any) -> Any:
    return [] if value is None else value


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[list[Text], BeforeValidator(_list)]
Kind = Annotated[EntityType, BeforeValidator(_word)]
Certainty = Annotated[Confidence, BeforeValidator(_word)]
Mood = Annotated[Modality, BeforeValidator(_word)]


class EntityReply(BaseModel):
    """An entity that the chunk names; `text` as it is printed there."""

    text: Text
    type: Kind
    name: Text = ""
    aliases: Texts = []
    company: Text = ""
    code: Text = ""
    confidence: Certainty = "medium"
    description: Text = ""


class RelationReply(BaseModel):
    """A relation of two entities by their texts, with the words that say so."""

    head: Text
    relation: Text
    tail: Text
    evidence: Text
    modality: Mood = "asserted"
    confidence: Certainty = "medium"
    time: Text = ""
    description: Text = ""


class ClaimReply(BaseModel):
    """A statement about one entity, with the words that make it."""

    subject: Text
    evidence: Text
    kind: Text = "statement"
    metric: Text = ""
    value: Text = ""
    unit: Text = ""
    time: Text = ""
    modality: Mood = "asserted"
    description: Text = ""


class ExtractionReply(BaseModel):
    """All that a model reads from one chunk."""

    entities: Annotated[list[EntityReply], BeforeValidator(_list)]
    relations: Annotated[list[RelationReply], BeforeValidator(_list)] = []
    claims: Annotated[list[ClaimReply], BeforeValidator(_list)] = []
