"""Where the project's SQL files lie, in a checkout and in an installed wheel.

What the files say belongs to `migrations` and `queries`.
"""

from __future__ import annotations

from pathlib import Path

from finrag_pipeline.errors import StoreUnusable


def sql_directory() -> Path:
    """The folder that holds `migrations/` and `queries/`.

    Raises:
        StoreUnusable: neither the wheel's copy nor the checkout's folder is there.
    """
    package = Path(__file__).resolve().parents[2]
    for candidate in (package / "sql", package.parent / "sql"):
        if (candidate / "migrations").is_dir():
            return candidate
    raise StoreUnusable(
        f"the SQL files of finrag_pipeline are missing beside {package}: install the package again"
    )
