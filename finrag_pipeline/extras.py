"""How to install what is missing, into the environment that runs: pip lines for messages.

What needs which extra belongs to the modules that use it.
"""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires

_DISTRIBUTION = "finrag-pipeline"


def pip_install(*requirements: str) -> str:
    """The shell command that adds packages to this environment, wherever it is."""
    return shlex.join([sys.executable, "-m", "pip", "install", *requirements])


def install_extra(extra: str) -> str:
    """The shell command that adds what an extra of this package asks for.

    It names the requirements, not the extra: this package is in no registry, and who installed a
    wheel or runs a container has no checkout to install from.
    """
    return pip_install(*requirements_of(extra))


def requirements_of(extra: str) -> list[str]:
    """What an extra asks for, from the metadata of the installed package.

    Raises:
        ValueError: there is no such extra.
    """
    try:
        listed = requires(_DISTRIBUTION) or []
    except PackageNotFoundError:  # run from its sources, without having been installed
        return [f"{_DISTRIBUTION}[{extra}]"]
    marker = re.compile(rf"""extra\s*==\s*['"]{re.escape(extra)}['"]""")
    found = [line.partition(";")[0].strip() for line in listed if marker.search(line)]
    if not found:
        raise ValueError(f"{_DISTRIBUTION} has no extra {extra!r}")
    return found
