"""Questions over the stores that hold their documents, as commands name them: HOME=FILE,FILE."""

from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Asked:
    """Files of questions and the store that is asked.

    Attributes:
        settings: of that store.
        files: as `finrag evaluate answers` reads them.
    """

    settings: Settings
    files: tuple[Path, ...]


def read_asked(argument: str) -> Asked:
    """`HOME=FILE,FILE…`: HOME is a FINRAG_HOME that holds the documents.

    Raises:
        ArgumentTypeError: it is not written so.
    """
    home, told, files = argument.partition("=")
    if not (home and told and files):
        raise ArgumentTypeError(f"{argument}: write HOME=FILE,FILE")
    path = Path(home).expanduser().absolute()
    settings = load_settings().model_copy(update={"home": path})
    return Asked(settings, tuple(map(Path, files.split(","))))
