"""Tells what `scale` measured: a table with a column for each size, and a picture of growth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Results = dict[int, dict[str, Any]]

_FILLING = (
    *("documents and graph", "facts", "vectors", "vectors of the graph", "vector indexes"),
    *("summaries of entities", "keyword copy"),
)
_SEARCHES = ("searches beside a build", "searches")


def table(results: Results) -> str:
    """Markdown, a row for each figure."""
    sizes = sorted(results)
    lines = ["| | " + " | ".join(f"{size:,} chunks" for size in sizes) + " |"]
    lines.append("|---|" + "---|" * len(sizes))
    for name, read in _rows(results).items():
        told = [_told(read, results[size]) for size in sizes]
        if any(told):
            lines.append(f"| {name} | {' | '.join(each or '–' for each in told)} |")
    return "\n".join(lines)


def draw(results: Results, path: Path) -> None:
    """Milliseconds and megabytes by the number of chunks, on scales by powers of ten."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "scale"
    from matplotlib import pyplot

    sizes = sorted(results)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3))
    for axes, unit, lines in ((left, "ms", _LATENCIES), (right, "MB", _SIZES)):
        for name, read in lines.items():
            values = {size: _value(read, results[size]) for size in sizes}
            held = {size: value for size, value in values.items() if value is not None}
            axes.plot(held.keys(), held.values(), marker="o", label=name)
        axes.set(xscale="log", yscale="log", xlabel="chunks", ylabel=unit)
        # names stand above all lines
        axes.set_ylim(top=axes.get_ylim()[1] * 6)
        axes.legend(fontsize=7, frameon=False, loc="upper left", ncols=2)
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


Read = Callable[[dict[str, Any]], Any]


def _rows(results: Results) -> dict[str, Read]:
    rows: dict[str, Read] = {}
    for name in ("vectors", "entities", "edges", "facts"):
        rows[name] = lambda held, name=name: f"{held['size']['told']['rows'][name]:,}"
    for step in _FILLING:
        rows[f"{step}, s"] = lambda held, step=step: f"{held[step]['seconds']:.0f}"
    rows["Postgres, MB"] = lambda held: f"{held['size']['told']['mb_in_all']:,}"
    rows["of it indexes of vectors, MB"] = lambda held: (
        f"{held['size']['told']['mb_vector_indexes']:,}"
    )
    rows["keyword copy, MB"] = lambda held: f"{held['size']['told']['mb_keyword_copy']:,}"
    rows["vector recall@10"] = lambda held: f"{held['recall']['told']['recall@10']:.3f}"
    for name in _names(results, *_SEARCHES):
        rows[f"{name}, ms"] = lambda held, name=name: _percentiles(_searches(held)[name])
    for name in _names(results, "figures"):
        rows[f"{name}, ms"] = lambda held, name=name: _percentiles(held["figures"]["told"][name])
    for name in _names(results, "nights"):
        rows[f"{name}, ms"] = lambda held, name=name: _night(held["nights"]["told"][name])
    for week in _names(results, "weeks"):
        for step in ("communities", "reports", "chains and vectors"):
            rows[f"{week}, {step}, s"] = lambda held, week=week, step=step: held["weeks"]["told"][
                week
            ][step]
    return rows


def _names(results: Results, *steps: str) -> list[str]:
    """Every name that a step tells of, in order."""
    found = [each[step]["told"] for each in results.values() for step in steps if step in each]
    return list(dict.fromkeys(name for told in found for name in told))


def _searches(held: dict[str, Any]) -> dict[str, Any]:
    return next(held[step]["told"] for step in _SEARCHES if step in held)


def _percentiles(told: dict[str, float]) -> str:
    return " / ".join(f"{value:.0f}" if value >= 20 else f"{value:.1f}" for value in told.values())


def _night(told: dict[str, float]) -> str:
    return _percentiles(told) if "p50" in told else f"{told['in all']:,.0f}"


def _told(read: Read, held: dict[str, Any]) -> str:
    try:
        return str(read(held))
    except (KeyError, StopIteration):  # not measured yet
        return ""


def _value(read: Read, held: dict[str, Any]) -> float | None:
    try:
        return float(read(held))
    except (KeyError, StopIteration):
        return None


_LATENCIES: dict[str, Read] = {
    "all lanes, p95": lambda held: _searches(held)["all lanes"]["p95"],
    "all lanes, p50": lambda held: _searches(held)["all lanes"]["p50"],
    "keyword, p95": lambda held: _searches(held)["keyword"]["p95"],
    "vector, p95": lambda held: _searches(held)["vector"]["p95"],
    "graph, p95": lambda held: _searches(held)["graph"]["p95"],
    "publication, p95": lambda held: held["nights"]["told"]["one document, publish"]["p95"],
}
_SIZES: dict[str, Read] = {
    "Postgres": lambda held: held["size"]["told"]["mb_in_all"],
    "indexes of vectors": lambda held: held["size"]["told"]["mb_vector_indexes"],
    "keyword copy": lambda held: held["size"]["told"]["mb_keyword_copy"],
}
