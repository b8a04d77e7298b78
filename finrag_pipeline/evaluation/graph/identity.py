"""Names of a registry found again, also as it does not write them, and names of others not.

What the registry holds is the gold; how names are written otherwise is in `writings`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.writings import nobodies, writings
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.stages.identity.companies import Company
from finrag_pipeline.stages.identity.registry import Registry, read_registry, registry_text
from finrag_pipeline.stages.identity.resolution import resolve
from finrag_pipeline.stages.identity.spelling import spelling

#: Of a thousand companies this many are held back, to be looked for where they are not.
_HELD_BACK = 100


@dataclass
class _Tally:
    """Right ones of all, and the others one line each."""

    right: int = 0
    all: int = 0
    misses: list[str] = field(default_factory=list[str])

    def count(self, right: bool, miss: str) -> None:
        self.right += right
        self.all += 1
        if not right:
            self.misses.append(miss)

    def __str__(self) -> str:
        return percent(self.right, self.all)


def measure(path: Path) -> Report:
    """Resolve the names of a registry file, variants of them, and names of no listed company.

    Args:
        path: a registry as `FINRAG_REGISTRY` names one.

    Returns:
        Recall of names, companies that were merged wrongly, pairs of listings, variants by kind,
        and the share of other names that resolve to nothing: general ones, listed names with
        words added, and companies of this registry that were held back from it.

    Raises:
        ConfigurationError: the file is missing or no registry.
    """
    try:
        registry = read_registry(registry_text(path.read_bytes()))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    owners = _owners(registry)
    names, pairs, wrong = _registered(registry, owners)
    kinds, merged = _variants(registry, owners)
    wrong += merged
    nothing = _nothing(registry)
    variants = _Tally(sum(t.right for t in kinds.values()), sum(t.all for t in kinds.values()))
    none = _Tally(sum(t.right for t in nothing.values()), sum(t.all for t in nothing.values()))
    return Report(
        title=f"Names resolved: {len(registry.companies)} companies",
        columns=("measure", "reached", "asked"),
        rows=(
            ("registered names to their code", str(names), "100 %"),
            ("names of several listings: all are candidates", str(pairs), "100 %"),
            ("names resolved to another company", len(wrong), "0"),
            ("variants that the registry does not list", str(variants), "95 %"),
            *((f"- {kind}", str(tally), "") for kind, tally in sorted(kinds.items())),
            ("names of no listed company resolve to nothing", str(none), "98 %"),
            *((f"- {kind}", str(tally), "") for kind, tally in sorted(nothing.items())),
        ),
        notes=(
            "A name of one listing must give its code, one of several listings all of them; what "
            "one company bears and another one's dirty row lists, too, must give the company. "
            "Variants that two companies could write alike, or that are a name by themselves, are "
            "left out.",
        ),
        misses=(
            *wrong,
            *(miss for tally in (names, pairs) for miss in tally.misses),
            *(f"{kind}: {m}" for kind, tally in sorted(kinds.items()) for m in tally.misses),
            *(f"{kind}: {m}" for kind, tally in sorted(nothing.items()) for m in tally.misses),
        ),
    )


def _owners(registry: Registry) -> dict[str, list[tuple[Company, tuple[str, ...]]]]:
    """Companies and listings that the registry gives for each name, exactly as it is written."""
    owners: defaultdict[str, list[tuple[Company, tuple[str, ...]]]] = defaultdict(list)
    for company in registry.companies:
        for name in company.names:
            owners[name.name].append((company, name.codes))
    return dict(owners)


def _registered(
    registry: Registry, owners: Mapping[str, Sequence[tuple[Company, tuple[str, ...]]]]
) -> tuple[_Tally, _Tally, list[str]]:
    names, pairs = _Tally(), _Tally()
    wrong: list[str] = []
    for name, bearers in owners.items():
        codes = {code for _, some in bearers for code in some}
        found = resolve(registry, name)
        candidates = {candidate.code for candidate in found.candidates}
        shown = f"{name} of {', '.join(sorted(codes))} resolves to {found.code}"
        if len(codes) == 1:
            names.count(found.code in codes, shown)
        elif codes:
            pairs.count(codes <= candidates, f"{name} lacks {sorted(codes - candidates)}")
        if found.code and found.code not in codes:
            wrong.append(shown)
    return names, pairs, wrong


def _variants(
    registry: Registry, owners: Mapping[str, Sequence[tuple[Company, tuple[str, ...]]]]
) -> tuple[dict[str, _Tally], list[str]]:
    """Tallies by kind of variant, and those that resolve to another company."""
    registered = {spelling(name) for name in owners}
    written: dict[tuple[str, str], Company] = {}
    bearers: defaultdict[str, set[str]] = defaultdict(set)
    for name, some in owners.items():
        for kind, variant in writings(name):
            bearers[spelling(variant)] |= {company.key for company, _ in some}
            written[kind, variant] = some[0][0]
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    wrong: list[str] = []
    for (kind, variant), company in written.items():
        spelled = spelling(variant)
        if variant in owners or len(bearers[spelled]) > 1:
            continue
        if kind not in ("spaces", "full width", "case") and spelled in registered:
            continue
        found = resolve(registry, variant)
        shown = f"{variant} of {company.name} resolves to {found.canonical_name}"
        tallies[kind].count(found.company is company, shown)
        if found.company is not None and found.company is not company:
            wrong.append(f"{kind}: {shown}")
    return dict(tallies), wrong


def _nothing(registry: Registry) -> dict[str, _Tally]:
    every = max(1, 1000 // _HELD_BACK)
    held = registry.companies[::every]
    rest = Registry(tuple(c for at, c in enumerate(registry.companies) if at % every))
    known = Counter(spelling(n.name) for company in rest.companies for n in company.names)
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    for company in held:
        for name in company.names:
            if name.own and not known[spelling(name.name)]:
                _expect_none(tallies["companies held back"], rest, name.name)
    for kind, name in nobodies([company.name for company in held]):
        if not known[spelling(name)]:
            _expect_none(tallies[kind], registry, name)
    return dict(tallies)


def _expect_none(tally: _Tally, registry: Registry, name: str) -> None:
    found = resolve(registry, name)
    tally.count(found.code is None, f"{name} resolves to {found.canonical_name}")
