"""Where raw files come from: folders and fsspec URLs such as `s3://bucket/reports`.

Listing, hashing and local copies only; what a file means to the store is decided elsewhere.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any
from zoneinfo import ZoneInfo

from finrag_pipeline.errors import FinragError, SourceUnavailable
from finrag_pipeline.extras import install_extra
from finrag_pipeline.records import SourceFile
from finrag_pipeline.settings import TIME_ZONE

#: What is taken from a folder; which reader takes it is decided by the pipelines.
SUFFIXES = (".pdf", ".docx", ".pptx", ".html", ".htm", ".md")
_NAMED = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"


def absolute_uri(path: str) -> str:
    """The name under which a path is registered: absolute for local paths, URLs as they are."""
    return path.rstrip("/") if "://" in path else str(Path(path).expanduser().absolute())


def discover(path: str) -> list[SourceFile]:
    """List the documents at a path: the file itself, or all below a folder, hidden ones left out.

    Args:
        path: local path or fsspec URL.

    Returns:
        Files sorted by URI.

    Raises:
        SourceUnavailable: the path does not exist, cannot be read, or holds no document.
    """
    uri = absolute_uri(path)
    try:
        filesystem, root = _filesystem(uri)
        with _driver_errors():
            if not filesystem.exists(root):
                raise SourceUnavailable(f"{uri} does not exist; check the path")
            found: dict[str, dict[str, Any]] = filesystem.find(root, detail=True)
            if not found and filesystem.isdir(root):
                filesystem.ls(root)  # find() is silent about a folder that it may not read
    except ImportError as error:
        mend = f": run `{install_extra('s3')}`" if uri.startswith("s3:") else ""
        raise SourceUnavailable(f"{uri}: {error}{mend}") from error
    except ValueError as error:  # an unknown protocol
        raise SourceUnavailable(f"{uri}: {error}") from error
    except OSError as error:
        raise SourceUnavailable(f"{uri} cannot be read: {error.strerror or error}") from error
    files = [
        _source_file(filesystem, uri, name, info)
        for name, info in sorted(found.items())
        if _is_document(name, root)
    ]
    if not files:
        raise SourceUnavailable(f"{uri} holds no {_NAMED} file; nothing to ingest")
    return files


def content_sha256(uri: str) -> str:
    """SHA-256 of a file's bytes, read in pieces.

    Raises:
        OSError: the file cannot be read.
    """
    filesystem, name = _filesystem(uri)
    digest = hashlib.sha256()
    with _driver_errors(), filesystem.open(name, "rb") as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


@contextmanager
def local_copy(uri: str) -> Generator[Path]:
    """A local path with the file's bytes; remote files are fetched for as long as needed.

    Raises:
        OSError: the file cannot be read.
    """
    if "://" not in uri:
        yield Path(uri)
        return
    filesystem, name = _filesystem(uri)
    with tempfile.TemporaryDirectory(prefix="finrag-source-") as folder:
        path = Path(folder) / PurePosixPath(name).name
        with _driver_errors():
            filesystem.get_file(name, str(path))
        yield path


@contextmanager
def _driver_errors() -> Generator[None]:
    """Drivers of object stores raise classes of their own; callers see `OSError` for them all."""
    try:
        yield
    except (OSError, FinragError):
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}".splitlines()[0]) from error


def _filesystem(uri: str) -> tuple[Any, str]:
    import fsspec

    return fsspec.core.url_to_fs(uri)


def _is_document(name: str, root: str) -> bool:
    inside = PurePosixPath(name).relative_to(root) if name != root else PurePosixPath(name)
    hidden = name != root and any(part.startswith(".") for part in inside.parts)
    # Word and PowerPoint keep a lock file of such a name beside what they have open
    lock = inside.name.startswith("~$")
    return name.lower().endswith(SUFFIXES) and not (hidden or lock)


def _source_file(filesystem: Any, uri: str, name: str, info: dict[str, Any]) -> SourceFile:
    marks = [info.get(key) for key in ("ETag", "etag", "md5Hash", "mtime", "LastModified", "ino")]
    size = int(info.get("size") or 0)
    return SourceFile(
        uri=filesystem.unstrip_protocol(name) if "://" in uri else name,
        name=PurePosixPath(name).name,
        size_bytes=size,
        fingerprint="|".join(str(mark) for mark in (size, *marks) if mark is not None),
        modified_on=_modified(filesystem, name, info).astimezone(ZoneInfo(TIME_ZONE)).date(),
    )


def _modified(filesystem: Any, name: str, info: dict[str, Any]) -> datetime:
    if "mtime" in info:
        return datetime.fromtimestamp(info["mtime"], UTC)
    try:
        moment: datetime = filesystem.modified(name)
    except NotImplementedError:  # stores without a date: taken as just arrived
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
