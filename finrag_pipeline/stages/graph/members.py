"""Which entity each of some connected names belongs to, on every day of publication.

What connects names (aliases that documents declare, decisions by hand) is given; spelling and
anchors are `stages.identity`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from finrag_pipeline.records.graph import AliasLink, Decision, Membership


def memberships(
    names: Iterable[str], links: Sequence[AliasLink], decisions: Sequence[Decision]
) -> dict[str, tuple[Membership, ...]]:
    """The entities of some names, for names that are not simply entities by themselves.

    An alias joins the name it is declared for while it is declared for that one alone: declared for
    two, it tells neither. A merge by hand goes before aliases, a split takes them back. The entity
    has the id of the name that all others point to. Nothing depends on order.

    Args:
        names: all names that `links` and `decisions` connect with each other.

    >>> from datetime import date
    >>> declared = AliasLink("short", "full", date(2026, 3, 2))
    >>> memberships(["full", "short"], [declared], [])["short"]
    (Membership(entity_id='short', since=None, until=datetime.date(2026, 3, 2)), \
Membership(entity_id='full', since=datetime.date(2026, 3, 2), until=None))
    """
    ordered = sorted(set(names))
    split = {each.name_id for each in decisions if each.kind == "split"}
    merged: dict[str, set[str]] = defaultdict(set)
    for each in decisions:
        if each.kind == "merge":
            merged[each.name_id].add(each.other_id)
    told = [link for link in links if link.alias_id not in split]
    days = sorted({link.published_on for link in told})
    found: dict[str, list[Membership]] = {name: [] for name in ordered}
    for since, until in zip([None, *days], [*days, None], strict=True):
        known = [link for link in told if since is not None and link.published_on <= since]
        roots = _roots(ordered, _parents(known, merged))
        for name in ordered:
            root, steps = roots[name], found[name]
            if steps and steps[-1].entity_id == root:
                steps[-1] = Membership(root, steps[-1].since, until)
            else:
                steps.append(Membership(root, since, until))
    return {name: tuple(steps) for name, steps in found.items() if steps != [Membership(name)]}


def _parents(links: Sequence[AliasLink], merged: Mapping[str, set[str]]) -> dict[str, set[str]]:
    declared: dict[str, set[str]] = defaultdict(set)
    for link in links:
        declared[link.alias_id].add(link.name_id)
    clear = {alias: names for alias, names in declared.items() if len(names) == 1}
    return clear | dict(merged)


def _roots(names: Sequence[str], parents: Mapping[str, set[str]]) -> dict[str, str]:
    joined: dict[str, set[str]] = defaultdict(set)
    for name, others in parents.items():
        for other in others:
            joined[name].add(other)
            joined[other].add(name)
    roots: dict[str, str] = {}
    for name in names:
        if name in roots:
            continue
        component, waiting = {name}, [name]
        while waiting:
            new = joined[waiting.pop()] - component
            component |= new
            waiting += new
        # the names that point to no other; in a ring of aliases none is left
        root = min(component - parents.keys(), default=min(component))
        roots |= dict.fromkeys(component, root)
    return roots
