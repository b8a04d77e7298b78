"""Questions for several figures under one head: 出货量、月产能和平均价格分别是多少.

Each is made a question of its own, with whom and when of the whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from finrag_pipeline.query.question.reading import Reading
from finrag_pipeline.words import fold

#: What asks it of each: the verb, the interrogative, what is counted.
_EACH = re.compile(
    r"(?:分别|各自?)(?P<asks>[^，,。？?、]{0,4}?(?:多少|多大|多高|几|如何|怎么样)"
    r"(?P<counted>[^，,。？?、]{0,8}))"
)
#: 这四家眼科现在: says again who they are.
_AGAIN = re.compile(r"(?:这|那)?[两二三四五六七八九十\d]+(?:家|个|种|类|项).*$")
#: What else is asked before, or which of them is ahead: no enumeration alone answers that.
_MORE = re.compile(r"[？?；;。]|多少|哪|谁|几[家个项]|相比|对比|比较|为什么|为何")
_ASKS = re.compile(r"又?[是为有]?(?:多少|多大|多高|几|如何|怎么样).*$")
_PARTED = re.compile(r"[、,，]|以及|和|与|及")
_CLAUSES = re.compile(r"[，,；;？?。]")
#: Characters of what is enumerated, and of a clause that says of what it asks: 增速多少 does not.
_LEAST, _LEAST_OF_CLAUSE = 2, 6
#: Share of its pairs of characters by which a line names what is asked for.
_NAMED = 0.6


@dataclass(frozen=True, slots=True)
class FigureAsked:
    """One of the figures that a question enumerates.

    Attributes:
        text: a question for it alone.
        item: what it is of.
        counted: what is counted of that; empty where that is not said.
    """

    text: str
    item: str
    counted: str = ""

    def named_in(self, line: str) -> bool:
        """Whether a line says of what it tells.

        >>> asked = FigureAsked("晶圆平均价格是多少", "晶圆平均价格")
        >>> asked.named_in("平均价格为933美元"), asked.named_in("产能为97万片")
        (True, False)
        >>> FigureAsked("A是多少", "A").named_in("平均价格为933美元")
        False
        """
        said, item = "".join(fold(line).split()), "".join(fold(self.item).split())
        pairs = {item[n : n + 2] for n in range(len(item) - 1)} or {item}
        share = sum(pair in said for pair in pairs) / len(pairs)
        return share >= _NAMED and fold(self.counted) in said


def figures_enumerated(question: str, said: Reading) -> tuple[FigureAsked, ...]:
    """The figures that a question enumerates; empty where fewer than two are, or where they are of
    several times.

    Args:
        said: of whom and when the question speaks.
    """
    each = _EACH.search(question)
    if each is None or _MORE.search(question[: each.start()]):
        return ()
    parting = _PARTED.search(question)
    first = parting.start() if parting else 0
    times = [one for one in said.periods if one.text]
    spans = [*said.companies, *said.publishers, *times]
    head = max((one.end for one in spans if one.end <= first), default=0)
    if any(head < one.end <= each.start() for one in times):
        return ()
    whose = question[:head]
    listed = _AGAIN.sub("", question[head : each.start()])
    named = (part.strip(" 的：:") for part in _PARTED.split(listed))
    items = [part for part in named if len(part) >= _LEAST]
    if len(items) < _LEAST:
        return ()
    rest = [part.strip() for part in _CLAUSES.split(question[each.end() :])]
    rest = [part for part in rest if len(part) >= _LEAST_OF_CLAUSE]
    counted = each["counted"]
    return (
        *(FigureAsked(f"{whose}{one}{each['asks']}", one, counted) for one in items),
        *(FigureAsked(f"{whose}{one}", _ASKS.sub("", one)) for one in rest),
    )
