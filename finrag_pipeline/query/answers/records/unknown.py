"""What is said where no research on a company is held: whom it is on, and on whom there is some.

What houses say of companies that are covered is `composing`'s.
"""

from __future__ import annotations

from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.records.asked import named_houses
from finrag_pipeline.query.answers.records.telling import Telling, say
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.unknown_names import names_in
from finrag_pipeline.words import is_chinese

_WAY = "no research on whom is asked for"
#: Companies with research that are offered.
_OFFERED = 12


def not_held(asked: Asked) -> Draft | None:
    """A refusal that names the company asked for; None where the question names none."""
    catalogue = asked.scope.catalogue
    known = [key for each in asked.scope.reading.companies for key in each.keys]
    names = [catalogue.name_of(key) for key in known]
    names = names or _joined(
        [name for name, _ in names_in(_without_houses(asked), catalogue)], asked
    )
    if not names:
        return None
    chinese = is_chinese(asked.question)
    tell = Telling(chinese, ItemMarks())
    lines = [say("not_held", chinese, company=tell.listed(list(dict.fromkeys(names))[:3]))]
    if filed := [each for each in asked.scope.about() if each.row.kind == "filing"]:
        lines.append(say("filings_held", chinese, count=len(filed)))
    covered = dict.fromkeys(
        each.company for each in asked.scope.every() if each.company and each.row.broker
    )
    others = dict.fromkeys(catalogue.name_of(key) for key in covered if key not in known)
    if others:
        lines.append(say("houses_held", chinese, companies=tell.listed([*others][:_OFFERED])))
    return Draft("\n".join(lines), status="insufficient_evidence", way=_WAY)


def _without_houses(asked: Asked) -> str:
    bare = asked.question
    for start, end in named_houses(asked).values():
        bare = f"{bare[:start]}{' ' * (end - start)}{bare[end:]}"
    return bare


def _joined(names: list[str], asked: Asked) -> list[str]:
    """Names of which the question writes one behind the other as one: Alder Pet Food."""
    whole: list[str] = []
    for name in names:
        if whole and f"{whole[-1]} {name}" in asked.question:
            whole[-1] += f" {name}"
        else:
            whole.append(name)
    return whole
