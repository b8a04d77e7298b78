"""Figures that a chat model chooses where the grammar leaves words of a question over.

What the model may choose is checked in `query.numbers.chat_sql`; without a model nothing is chosen.
"""

from __future__ import annotations

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.answers.global_chat import FAILURES
from finrag_pipeline.query.answers.numbers.looking_up import Held
from finrag_pipeline.query.evidence.fact import read_facts
from finrag_pipeline.query.numbers.chat_sql import chosen_by_chat
from finrag_pipeline.query.numbers.records import NumberQuestion
from finrag_pipeline.query.numbers.sql_gate import Selected, checked_sql, run_checked
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader


def choose(
    reader: Reader, session: ChatSession | None, question: NumberQuestion, asked: Asked
) -> tuple[Held | None, tuple[str, ...]]:
    """The figures that a model chooses, None where it chooses none; and why it did not serve."""
    if session is None:
        return None, ()
    where = asked.where

    def run(sql: str, limit: int) -> Selected:
        select = checked_sql(sql, limit)
        with reader.reading(where.app_id, where.as_of) as connection:
            return run_checked(connection, select)

    try:
        result = chosen_by_chat(session, run, question)
    except FAILURES as error:
        return None, (f"{session.name} chose no figures: {error}",)
    if result is None:
        return None, ()
    ids = dict.fromkeys(fact.fact_id for row in result.rows for fact in row.facts)
    with reader.reading(where.app_id, where.as_of) as connection:
        return Held(result, read_facts(connection, ids)), ()
