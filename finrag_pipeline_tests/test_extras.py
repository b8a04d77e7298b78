"""Lines that say what to install name what pyproject.toml asks for."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement

from finrag_pipeline.errors import QUARANTINE_REASONS, SourceUnavailable
from finrag_pipeline.extras import install_extra, pip_install, requirements_of
from finrag_pipeline.store.documents import sources
from finrag_pipeline_tests.paths import PROJECT

EXTRAS = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", ["docling", "ocr", "models", "s3"])
def test_the_requirements_of_an_extra_are_those_of_the_project(extra):
    named = {str(Requirement(line)) for line in requirements_of(extra)}
    assert named == {str(Requirement(line)) for line in EXTRAS[extra]}


def test_an_unknown_extra_is_a_mistake_of_the_caller():
    assert requires("finrag-pipeline")
    with pytest.raises(ValueError, match="no extra 'oce'"):
        requirements_of("oce")


def test_the_line_is_a_command_of_this_environment():
    words = shlex.split(pip_install("Nonsense!=1", "other[x]>=2"))
    assert words[4:] == ["Nonsense!=1", "other[x]>=2"]
    version = subprocess.run([*words[:3], "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("pip ")
    assert words[0] == sys.executable


def test_reasons_name_the_command():
    assert install_extra("docling") in QUARANTINE_REASONS["needs_docling"][1]
    assert install_extra("ocr") in QUARANTINE_REASONS["image_only"][1]


def test_a_bucket_without_its_driver_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(SourceUnavailable) as caught:
        sources.discover("s3://bucket/reports")
    assert install_extra("s3") in str(caught.value)
