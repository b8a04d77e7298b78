"""What `finrag worker` and `finrag exec` say where they cannot do what they are asked."""

from __future__ import annotations

import subprocess

import pytest

from finrag_pipeline.extras import install_extra
from finrag_pipeline_tests.serve.conftest import command, environment

pytestmark = pytest.mark.scale


def said(settings, tmp_path, *arguments: str, **variables: str) -> str:
    done = subprocess.run(
        command(*arguments),
        env=environment(settings) | variables,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    return done.stderr


def test_a_worker_says_what_it_lacks(settings, tmp_path):
    assert "FINRAG_BROKER_URL is not set" in said(settings, tmp_path, "worker")
    url = {"FINRAG_BROKER_URL": "redis://127.0.0.1:1/0"}
    alone = said(settings, tmp_path, "worker", FINRAG_DATABASE_URL="", **url)
    assert "FINRAG_DATABASE_URL is not set, though FINRAG_BROKER_URL is" in alone
    # a module that cannot be found, as without the extra
    (tmp_path / "celery.py").write_text("raise ModuleNotFoundError(name='celery')")
    without = said(settings, tmp_path, "worker", PYTHONPATH=str(tmp_path), **url)
    assert install_extra("celery") in without
    assert "there is no command" in said(settings, tmp_path, "exec", "no-such-tool")


def test_tools_of_dagster_see_the_deployments_instance(settings, tmp_path):
    done = subprocess.run(
        command("exec", "dagster", "instance", "info"),
        env=environment(settings),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert str(settings.home / "dagster") in done.stdout
    assert "PostgresRunStorage" in done.stdout
