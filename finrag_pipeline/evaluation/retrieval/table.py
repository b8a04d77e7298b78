"""What `finrag evaluate retrieval` prints: one table of files and variants, notes, the misses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.evaluation.retrieval.latency import told
from finrag_pipeline.evaluation.retrieval.measure import Measured
from finrag_pipeline.evaluation.retrieval.rankings import CUTOFFS, FIRST, overlap
from finrag_pipeline.evaluation.retrieval.variants import SHIPPED, Found


def report(measured: Sequence[Measured], cutoffs: Sequence[int] = CUTOFFS) -> Report:
    """The table of all files and variants, what it leaves open, and the misses as shipped."""
    rows: list[tuple[object, ...]] = []
    columns: tuple[str, ...] = ()
    for each in measured:
        for variant, found in each.found.items():
            means = each.figures(variant, cutoffs) if each.tasks else {}
            columns = ("questions", "variant", "n", *means, "nothing", "errors")
            nothing = sum(not pieces for pieces in found.rankings.values()) - len(found.errors)
            values = [f"{value:.3f}" for value in means.values()]
            rows.append((each.name, variant, len(each.tasks), *values, nothing, len(found.errors)))
    return Report(
        title="Gold pages among the first results",
        columns=columns,
        rows=tuple(rows),
        notes=tuple(note for each in measured for note in _notes(each)),
        misses=tuple(line for each in measured for line in _misses(each)),
    )


def _notes(each: Measured) -> list[str]:
    notes: list[str] = []
    if each.left_out:
        notes.append(
            f"{each.name}: {each.left_out} questions are left out, since their gold stands in "
            "several documents."
        )
    if each.missing:
        notes.append(
            f"{each.name}: {len(each.missing)} documents of the gold are not in the store, and "
            f"what they answer counts as missed: {'; '.join(each.missing.values())}"
        )
    for variant, found in each.found.items():
        if found.errors:
            example = next(iter(found.errors.values()))
            notes.append(f"{each.name}, {variant}: {len(found.errors)} errors, such as: {example}")
    alone = {name: found for name, found in each.found.items() if name.startswith("lane ")}
    if alone:
        notes.append(f"{each.name}, shared by the first {FIRST} of two lanes: {_overlaps(alone)}.")
    if each.timed:
        notes.append(told(each.name, each.timed))
    return notes


def _overlaps(alone: dict[str, Found]) -> str:
    shares_told: list[str] = []
    for (one, first), (other, second) in combinations(alone.items(), 2):
        shares = [
            share
            for question, pieces in first.rankings.items()
            if (share := overlap(pieces, second.rankings[question])) is not None
        ]
        if shares:
            pair = f"{one.removeprefix('lane ')} and {other.removeprefix('lane ')}"
            shares_told.append(f"{pair} {np.mean(shares):.3f}")
    return ", ".join(shares_told)


def _misses(each: Measured) -> list[str]:
    ranks = each.ranks(SHIPPED)
    errors = each.found[SHIPPED].errors
    lines: list[str] = []
    for task in each.tasks:
        rank = ranks[task.question.id]
        if 0 < rank <= FIRST:
            continue
        why = errors.get(task.question.id) or (f"rank {rank}" if rank else "not found")
        gold = ", ".join(
            page.document + (f" p. {page.page}" if page.page else "") for page in task.question.gold
        )
        lines.append(f"{each.name} {task.question.id}, {why}: {task.question.question} [{gold}]")
    return lines
