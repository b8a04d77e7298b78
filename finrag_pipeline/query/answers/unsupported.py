"""What is said where no library of documents could answer: what is missing, why, what to ask.

Which questions those are say the rows of `unsupported` in `question/intents.csv`; the sentences are
rows of `unsupported.csv`.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import is_chinese

_SAID = MappingProxyType(
    {
        row["signal"]: (row["chinese"], row["english"])
        for row in data_rows(
            Path(__file__).with_name("unsupported.csv"), ("signal", "chinese", "english")
        )
    }
)
#: Whom the other questions would be about where none is named.
_NOBODY = ("某家公司", "a company")
#: What is said where a chat model read the question, which gives no signal.
_ANY = "elsewhere"


def write_unsupported(asked: Asked, found: SearchResult) -> Draft:
    """Say what is missing, why, and what could be asked instead, in the question's language."""
    intent = asked.intent
    english = not is_chinese(asked.question)
    named = [each.text for each in asked.scope.reading.companies]
    sentence = _SAID.get(intent.signal, _SAID[_ANY])[english]
    text = sentence.format(
        cue=intent.cue or asked.question, company=named[0] if named else _NOBODY[english]
    )
    return Draft(text, status="unsupported", kind="text", way=f"no evidence ({intent.name})")
