"""Houses that a question names, short names included where they can mean nothing else.

Who is read so by whoever narrows documents is `question.names`'.
"""

from __future__ import annotations

from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.spellings import publisher_spellings


def houses_in(asked: Asked) -> list[tuple[str, int, int]]:
    """Houses that a question names, with their places; short names too where several are."""
    question = asked.question
    taken = [(each.start, each.end) for each in asked.scope.reading.companies]
    found: list[tuple[str, int, int]] = []
    for name in asked.scope.catalogue.by_publisher:
        for each in sorted(publisher_spellings(name), key=lambda each: -len(each.spelling)):
            at = question.casefold().find(each.spelling)
            end = at + len(each.spelling)
            if at >= 0 and all(end <= start or last <= at for start, last in taken):
                found.append((name, at, end))
                break
    # of two at one place the longer one
    found.sort(key=lambda each: each[1] - each[2])
    kept: list[tuple[str, int, int]] = []
    for each in found:
        if all(each[2] <= other[1] or other[2] <= each[1] for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda each: each[1])


def houses_on(asked: Asked) -> list[tuple[str, int, int]]:
    """Those of them that have written on a company that the question names, else its publishers.

    华泰 is a house in 华泰做中芯国际估值时 where it has a report on that company.
    """
    keys = {key for each in asked.scope.reading.companies for key in each.keys}
    wrote = asked.scope.catalogue.wrote_on(keys)
    said = {key for each in asked.scope.reading.publishers for key in each.keys}
    return [each for each in houses_in(asked) if each[0] in wrote | said]
