"""What this machine gives to the process."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Cores that the process may run on, of those that there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
