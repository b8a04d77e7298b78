"""The embedder of the real weights, loaded once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.models import e5
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder


@pytest.fixture(scope="session")
def embedder(e5_home: Path) -> OnnxEmbedder:
    return e5.load(e5_home)
