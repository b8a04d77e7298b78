"""The registry of securities that `FINRAG_REGISTRY` names, read again when its file changes."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.identity.registry import Registry, read_registry, registry_text

log = logging.getLogger(__name__)


def load_registry(settings: Settings) -> Registry:
    """The configured registry; an empty one where none is configured.

    Raises:
        ConfigurationError: the file cannot be read, or is no registry.
    """
    path = settings.registry
    if path is None:
        return Registry()
    try:
        seen = path.stat()
        return _read(path, seen.st_mtime_ns, seen.st_size)
    except OSError as error:
        raise ConfigurationError(
            f"FINRAG_REGISTRY cannot be read: {path}: {error.strerror}; name a CSV of securities "
            "with the columns code and full_names"
        ) from error


@lru_cache(maxsize=2)
def _read(path: Path, modified_ns: int, size_bytes: int) -> Registry:
    """The arguments beside the path tell one state of the file from the next."""
    registry = read_registry(registry_text(path.read_bytes()))
    for warning in registry.warnings:
        log.warning("%s: %s", path.name, warning)
    return registry
