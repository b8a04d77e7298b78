"""finrag_pipeline: research reports in, indexed assets and cited answers out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from finrag_pipeline.serve.library import FinRag

__version__ = "0.1.0"
__all__ = ["FinRag", "__version__"]


def __getattr__(name: str) -> Any:
    # loaded when it is asked for: Dagster imports this package for its definitions
    if name == "FinRag":
        return import_module("finrag_pipeline.serve.library").FinRag
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
