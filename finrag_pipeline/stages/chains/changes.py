"""What became of a chain, or of a sector's links, since last week's report."""

from __future__ import annotations

from collections.abc import Mapping

from finrag_pipeline.records.communities import Build, Json
from finrag_pipeline.records.graph import EdgeKey


def changes_since(before: Build | None, then: Json | None, now: Json) -> Json:
    """Entities and links that are new or gone, and links of which more or less is stated.

    Args:
        before: the build to compare with; None for the first week.
        then: what its report with the same id held; None where it had none.
        now: what this week's report holds.

    Returns:
        ``{"since": {"build_id", "week", "published_by"} or null, "is_new", "nodes": {"new",
        "gone"}, "links": {"new", "gone", "grown", "shrunk"}}``; nodes and links by id and name, so
        that what is gone can be told.
    """
    since = before and {
        "build_id": before.build_id,
        "week": before.week.isoformat(),
        "published_by": before.published_by.isoformat(),
    }
    nodes: Json = {"new": [], "gone": []}
    links: Json = {"new": [], "gone": [], "grown": [], "shrunk": []}
    if then is not None:
        names = {each["entity_id"]: each["name"] for each in (*then["nodes"], *now["nodes"])}
        earlier, present = _links(then), _links(now)
        old = {each["entity_id"] for each in then["nodes"]}
        new = {each["entity_id"] for each in now["nodes"]}
        nodes = {"new": _named(new - old, names), "gone": _named(old - new, names)}
        for key in sorted(earlier.keys() | present.keys()):
            counts = [held[key]["statements"] if key in held else 0 for held in (earlier, present)]
            kind = _kind(*counts)
            if kind:
                ends = {"src_name": names[key[0]], "dst_name": names[key[2]]}
                src, relation, dst = key
                told = {"src": src, "relation": relation, "dst": dst} | ends
                links[kind].append(told | {"statements": counts})
    return {"since": since, "is_new": then is None, "nodes": nodes, "links": links}


def is_changed(changes: Json) -> bool:
    """Whether anything is otherwise than last week."""
    told = [*changes["nodes"].values(), *changes["links"].values()]
    return changes["is_new"] or any(told)


def _kind(before: int, after: int) -> str | None:
    if not before or not after:
        return "new" if after else "gone"
    if before == after:
        return None
    return "grown" if after > before else "shrunk"


def _links(content: Json) -> dict[EdgeKey, Json]:
    return {(each["src"], each["relation"], each["dst"]): each for each in content["links"]}


def _named(entities: set[str], names: Mapping[str, str]) -> list[Json]:
    return [{"entity_id": each, "name": names[each]} for each in sorted(entities)]
