"""Questions for several figures under one head: 出货量、月产能和平均价格分别是多少.

Each is made a question of its own, with whom and when of the whole.
"""

from __future__ import annotations

import re

from finrag_pipeline.query.question.reading import Reading

#: What asks it of each: the verb, the interrogative, what is counted.
_EACH = re.compile(
    r"(?:分别|各自?)(?P<asks>[^，,。？?、]{0,4}?(?:多少|多大|多高|几|如何|怎么样)[^，,。？?、]{0,8})"
)
#: 这四家眼科现在: says again who they are.
_AGAIN = re.compile(r"(?:这|那)?[两二三四五六七八九十\d]+(?:家|个|种|类|项).*$")
_PARTED = re.compile(r"[、,，]|以及|和|与|及")
_CLAUSES = re.compile(r"[，,；;？?。]")
#: Characters of what is enumerated, and of a clause that says of what it asks: 增速多少 does not.
_LEAST, _LEAST_OF_CLAUSE = 2, 6


def figures_enumerated(question: str, said: Reading) -> tuple[str, ...]:
    """A question for each figure that is enumerated; empty where fewer than two are.

    Args:
        said: of whom and when the question speaks.
    """
    each = _EACH.search(question)
    if each is None:
        return ()
    parting = _PARTED.search(question)
    first = parting.start() if parting else 0
    spans = [*said.companies, *said.publishers, *(one for one in said.periods if one.text)]
    head = max((one.end for one in spans if one.end <= first), default=0)
    whose = question[:head]
    listed = _AGAIN.sub("", question[head : each.start()])
    named = (part.strip(" 的") for part in _PARTED.split(listed))
    items = [part for part in named if len(part) >= _LEAST]
    if len(items) < _LEAST:
        return ()
    rest = [part.strip() for part in _CLAUSES.split(question[each.end() :])]
    rest = [part for part in rest if len(part) >= _LEAST_OF_CLAUSE]
    return tuple(f"{whose}{part}" for part in (*(f"{one}{each['asks']}" for one in items), *rest))
