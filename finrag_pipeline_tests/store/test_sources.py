"""Folders and object stores list alike; every failure is one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.store import sources


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket behind a real HTTP server that speaks S3."""
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    _, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"desk-{uuid4().hex}"  # the server keeps its buckets as long as the process lives
    s3fs.S3FileSystem().mkdir(name)
    yield f"s3://{name}"
    server.stop()
    s3fs.S3FileSystem.clear_instance_cache()


def test_an_object_store_lists_hashes_and_copies_like_a_folder(bucket: str, tmp_path: Path) -> None:
    import s3fs

    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.pdf").write_bytes(b"%PDF-first")
    (tmp_path / "in" / "sub" / "报告 1.PDF").write_bytes(b"%PDF-second")
    (tmp_path / "in" / "notes.txt").write_bytes(b"notes")
    s3fs.S3FileSystem().put(str(tmp_path / "in"), f"{bucket}/in", recursive=True)

    local = sources.discover(str(tmp_path / "in"))
    remote = sources.discover(f"{bucket}/in/")
    assert (
        [file.name for file in remote] == [file.name for file in local] == ["a.pdf", "报告 1.PDF"]
    )
    assert remote[0].uri == f"{bucket}/in/a.pdf"
    assert sources.discover(remote[0].uri) == remote[:1]
    for here, there in zip(local, remote, strict=True):
        assert here.size_bytes == there.size_bytes
        assert sources.content_sha256(here.uri) == sources.content_sha256(there.uri)
        with sources.local_copy(there.uri) as path:
            assert path.read_bytes() == Path(here.uri).read_bytes()
        assert not path.exists()

    before = remote[0].fingerprint
    s3fs.S3FileSystem().pipe(f"{bucket}/in/a.pdf", b"%PDF-third")
    s3fs.S3FileSystem.clear_instance_cache()
    assert sources.discover(f"{bucket}/in")[0].fingerprint != before


def test_an_object_store_that_cannot_be_reached_is_one_line(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import s3fs

    with pytest.raises(SourceUnavailable, match="does not exist"):
        sources.discover("s3://nobody/in")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(
        SourceUnavailable, match="cannot be read: EndpointConnectionError"
    ) as caught:
        sources.discover("s3://desk/in")
    assert "\n" not in str(caught.value)
