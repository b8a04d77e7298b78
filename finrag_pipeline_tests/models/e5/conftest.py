"""The embedder of the real weights, loaded once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.models import e5
from finrag_pipeline.models.e5 import E5Embedder


@pytest.fixture(scope="session")
def embedder(e5_home: Path) -> E5Embedder:
    return e5.load(e5_home)
