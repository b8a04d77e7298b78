"""The data directory `FINRAG_HOME`: what is wrong with it, in one line.

What lies in it belongs to whoever puts it there.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError, StorageFull


@contextmanager
def home_errors(home: Path) -> Generator[None]:
    """Errors of the file system as errors for a user.

    Args:
        home: the data directory, or what is written in it.

    Raises:
        ConfigurationError: it cannot be made or written, or belongs to another user.
        StorageFull: its disk is full.
    """
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull(f"{home}: {reason}: free some space, then run it again") from error
        raise ConfigurationError(
            f"the data directory {home} cannot be used ({reason}): "
            "set FINRAG_HOME to a directory that this user can write"
        ) from error
