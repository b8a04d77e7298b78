"""Schemas as strict servers want them, and objects among other text."""

from __future__ import annotations

from pydantic import BaseModel

from finrag_pipeline.models.chat.structured import read_reply, strict_schema
from finrag_pipeline_tests.models.sessions import (
    Fruit,
)


def test_a_strict_schema_wants_every_field_and_no_other() -> None:
    class Basket(BaseModel):
        title: str = "mine"
        fruits: list[Fruit] = []

    schema = strict_schema(Basket)
    assert schema["required"] == ["title", "fruits"] and schema["additionalProperties"] is False
    inner = schema["$defs"]["Fruit"]
    assert inner["required"] == ["names", "mood"] and inner["additionalProperties"] is False
    assert "default" not in str(schema) and schema["properties"]["title"] == {"type": "string"}


def test_the_longest_object_of_a_text_counts() -> None:
    text = 'As in {"names": []} I find: {"names": ["苹果"], "mood": "merry"}'
    assert read_reply(text, Fruit).names == ["苹果"]
