"""An inbox on a real S3 server that lists a file and does not hand it out: the file is named with
the server's reason, the others are ingested (`make test-s3`)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
import requests

from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.serve.dagster_service import free_port
from finrag_pipeline_tests.serve.faults.conftest import REPORTS, Start, one_line, wait_until

pytestmark = pytest.mark.s3

ARCHIVED, READABLE = REPORTS
BUCKET = "research"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A bucket with two reports, of which one lies in an archive: listed, but not to be had.

    Yields the variables with which a process reaches it.
    """
    boto3 = pytest.importorskip("boto3")
    pytest.importorskip("moto.server")
    url = f"http://127.0.0.1:{free_port()}"
    variables = {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", url.rpartition(":")[2]],
        env=os.environ | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def answers() -> bool:
        try:
            return requests.get(url, timeout=5).ok
        except requests.ConnectionError:
            return False

    try:
        wait_until(answers)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        s3 = boto3.client("s3")
        s3.create_bucket(
            Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"}
        )
        for name in REPORTS:
            s3.put_object(
                Bucket=BUCKET,
                Key=f"inbox/{name}",
                Body=(SAMPLE_PDFS / name).read_bytes(),
                StorageClass="GLACIER" if name == ARCHIVED else "STANDARD",
            )
        yield variables
    finally:
        server.kill()
        server.wait()


@pytest.mark.timeout(400)
def test_a_file_that_is_listed_and_not_handed_out_is_named(settings, bucket, start: Start) -> None:
    inbox = f"s3://{BUCKET}/inbox"
    code, told, err = start(settings, "ingest", inbox).ended()
    assert code == 0, err
    assert "2 documents: 1 indexed, 0 unchanged, 1 quarantined" in told
    (line,) = [line for line in told.splitlines() if ARCHIVED in line]
    assert "the file cannot be read" in line and "storage class" in line, line

    import boto3

    boto3.client("s3").put_object(
        Bucket=BUCKET, Key=f"inbox/{ARCHIVED}", Body=(SAMPLE_PDFS / ARCHIVED).read_bytes()
    )
    code, told, err = start(settings, "ingest", inbox).ended()
    assert code == 0 and "2 documents: 1 indexed, 1 unchanged, 0 quarantined" in told, err

    code, told, err = start(settings, "ingest", "s3://nobody/inbox").ended()
    assert code == 1 and "s3://nobody/inbox" in one_line(err)
