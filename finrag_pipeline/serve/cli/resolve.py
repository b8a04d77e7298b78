"""`finrag resolve`: names to securities codes by the registry, for people and other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.cli.options import App, Json, print_json, print_table, settings_for

if TYPE_CHECKING:
    from finrag_pipeline.stages.identity.registry import Registry
    from finrag_pipeline.stages.identity.resolution import Resolution

_MOST_WARNINGS = 5
Names = Annotated[
    list[str],
    typer.Argument(metavar="NAME…", help="Names of companies in any form, or codes."),
]


def resolve(names: Names, app: App = "", as_json: Json = False) -> None:
    """Securities codes of company names, by the registry that FINRAG_REGISTRY names."""
    settings = settings_for(app)
    if settings.registry is None:
        raise ConfigurationError(
            "FINRAG_REGISTRY is not set: name a CSV of securities with the columns code and "
            "full_names (docs/operations.md tells how to make one from an exchange's list)"
        )
    from finrag_pipeline.registry import load_registry
    from finrag_pipeline.stages.identity.resolution import resolve as resolved

    registry = load_registry(settings)
    _tell(registry, settings.registry.name)
    found = [resolved(registry, name) for name in names]
    if as_json:
        print_json({"results": [_result(resolution) for resolution in found]})
        return
    print_table(
        ("NAME", "CODE", "COMPANY", "SURE", "CANDIDATES"),
        (
            (
                resolution.name,
                resolution.code,
                resolution.canonical_name,
                f"{resolution.confidence:.2f}" if resolution.company else None,
                ", ".join(c.code or c.canonical_name for c in resolution.candidates),
            )
            for resolution in found
        ),
    )


def _tell(registry: Registry, file: str) -> None:
    """Rows that were skipped, a few of them, on standard error."""
    for warning in registry.warnings[:_MOST_WARNINGS]:
        typer.echo(f"warning: {file}, {warning}", err=True)
    if (more := len(registry.warnings) - _MOST_WARNINGS) > 0:
        typer.echo(f"warning: {file}: {more} more lines like these", err=True)


def _result(resolution: Resolution) -> dict[str, Any]:
    return {
        "name": resolution.name,
        "code": resolution.code,
        "codes": list(resolution.codes),
        "canonical_name": resolution.canonical_name,
        "confidence": round(resolution.confidence, 3),
        "candidates": [
            {
                "code": candidate.code,
                "canonical_name": candidate.canonical_name,
                "confidence": candidate.confidence,
            }
            for candidate in resolution.candidates
        ],
    }
