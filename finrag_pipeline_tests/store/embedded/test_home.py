"""A data directory that cannot be used is one line for its user, whoever needs it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError, StorageFull
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.home import home_errors
from finrag_pipeline.store.embedded.server import embedded_server_url
from finrag_pipeline.store.search.keyword_index import KeywordIndex


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EROFS, ConfigurationError),
        (errno.EACCES, ConfigurationError),
        (errno.ENOTDIR, ConfigurationError),
        (errno.ENOSPC, StorageFull),
        (errno.EDQUOT, StorageFull),
    ],
)
def test_a_full_disk_may_pass_and_a_wrong_directory_does_not(number: int, kind: type) -> None:
    with pytest.raises(kind, match=os.strerror(number)), home_errors(Path("/data")):
        raise OSError(number, os.strerror(number))


def test_neither_server_nor_keyword_copy_is_made_under_a_file(
    database, tmp_path: Path, reader: Reader
) -> None:
    home = tmp_path / "home"
    home.write_text("a file")
    for use in (
        lambda: embedded_server_url(home),
        lambda: KeywordIndex(home / "keyword", reader).of("default").sync(),
    ):
        with pytest.raises(ConfigurationError, match="set FINRAG_HOME to a directory"):
            use()
