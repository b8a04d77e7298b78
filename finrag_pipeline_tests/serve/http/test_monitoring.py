"""The board and the alerts that the product ships: every query reads metrics that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.service import Service
from finrag_pipeline_tests.paths import PROJECT
from finrag_pipeline_tests.serve.http.conftest import LOOPBACK

DEPLOY = PROJECT / "docs" / "deploy"
OPERATIONS = (PROJECT / "docs" / "operations.md").read_text()
#: What stands in a query and is no metric: strings, labels, times; functions, words of PromQL.
_LABELS = re.compile(r'"[^"]*"|\b(?:by|on|without|ignoring) \([^)]*\)|\[[^\]]*\]|\w+(?==)')
_FUNCTIONS = re.compile(r"\w+(?=\s*\()|\b(?:and|or|unless)\b")


def board() -> dict[str, Any]:
    return json.loads((DEPLOY / "grafana.json").read_text())


def panels() -> list[dict[str, Any]]:
    return [each for each in board()["panels"] if each["type"] != "row"]


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return group["rules"]


def queries() -> Iterator[str]:
    yield from (target["expr"] for panel in panels() for target in panel["targets"])
    yield from (rule["expr"] for rule in rules())


def names_of(query: str) -> set[str]:
    """The metrics that a query reads.

    >>> sorted(names_of('sum by (le) (rate(a_bucket{b="c"}[5m])) > 2 * d and on () e'))
    ['a_bucket', 'd', 'e']
    """
    return set(re.findall(r"\b[a-z_]+\b", _FUNCTIONS.sub(" ", _LABELS.sub(" ", query))))


@pytest.fixture
def told(service: Service) -> set[str]:
    """Names of samples that a server tells, those of labels that nothing has had yet included."""
    app = create_app(service)
    with TestClient(app, LOOPBACK, client=("127.0.0.1", 50000)) as client:
        text = client.get("/metrics").text
        while "\nfinrag_store_up 1.0" not in text:  # a busy machine: not within the first scrape
            text = client.get("/metrics").text
    found = set(re.findall(r"^([a-z_]+)(?=[{ ])", text, re.MULTILINE))
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE):
        endings = ("_bucket", "_count", "_sum") if kind == "histogram" else ("",)
        found |= {f"{name}{ending}" for ending in endings}
    return found


def test_every_query_reads_metrics_that_there_are(told: set[str]) -> None:
    #: Prometheus's own; of a store that holds nothing yet and had no run; of a copy that was never
    #: searched.
    elsewhere = {
        "up",
        "finrag_newest_arrival_timestamp_seconds",
        "finrag_weekly_build_timestamp_seconds",
        "finrag_keyword_copy_lag_seconds",
        "finrag_job_last_success_timestamp_seconds",
    }
    sources = "\n".join(
        path.read_text() for path in (PROJECT / "finrag_pipeline/serve/http").glob("*.py")
    )
    assert all(f'"{name}"' in sources for name in elsewhere - {"up"})
    for query in queries():
        assert names_of(query) <= told | elsewhere, query


def test_every_metric_of_ours_is_in_the_chapter_on_metrics(told: set[str]) -> None:
    ours = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in told}
    missing = {name for name in ours if name.startswith("finrag_") and name not in OPERATIONS}
    assert missing == set()


def test_the_board_is_whole() -> None:
    ids = [each["id"] for each in board()["panels"]]
    assert len(ids) == len(set(ids)) and len(panels()) > 15
    for panel in panels():
        assert panel["targets"] and panel["title"], panel["id"]
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24


def test_every_alert_says_for_how_long_how_grave_and_what_to_do() -> None:
    for rule in rules():
        assert re.fullmatch(r"\d+[mhd]", rule["for"]), rule
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]
        assert f"`{rule['alert']}`" in OPERATIONS, rule["alert"]
