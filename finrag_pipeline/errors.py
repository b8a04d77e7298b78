"""The two families of errors, permanent and transient, decided where they are known.

Every error carries one clear line and its mend. Only transient ones are worth a retry.
What a single document suffers is a `DocumentError`: it quarantines that document and no other.
"""

from __future__ import annotations

from finrag_pipeline.extras import install_extra


class FinragError(Exception):
    """Base of every error a user may see: one line, with the mend."""

    @property
    def logged(self) -> str:
        """The line as logs may hold it: without what somebody asked."""
        return str(self)


class PermanentError(FinragError):
    """Trying again changes nothing until somebody mends the cause."""


class TransientError(FinragError):
    """The same call may succeed later."""


class ConfigurationError(PermanentError):
    """A setting is missing, malformed or points at something unusable."""


class StoreUnavailable(TransientError):
    """Postgres refused, dropped or never answered the connection."""


class StoreUnusable(PermanentError):
    """Postgres answers, but cannot serve: no pgvector, too old, foreign schema."""


class StorageFull(TransientError):
    """The disk under the data directory or under Postgres is full."""


class SourceUnavailable(PermanentError):
    """A folder or file to ingest does not exist, cannot be read, or holds nothing."""


class NotFound(PermanentError):
    """A name matches nothing, or more than one thing: the line lists the candidates."""


class NotAgreed(PermanentError):
    """Nobody agreed to what a command would take away: the line says what that is."""


class InvalidQuestion(PermanentError):
    """A question is empty or too long, or asks for a lane or a number of results there is not."""


class SqlRefused(PermanentError):
    """A statement over figures may not run, or Postgres does not take it: the line says why."""


class VectorSpaceMismatch(PermanentError):
    """Stored vectors were made by another embedder than the configured one."""


class ModelUnavailable(TransientError):
    """A model's server refused for now, broke off, or never answered."""


class ModelReplyUnusable(PermanentError):
    """A model's server answered with something that is not what was asked for."""


class ModelReplyRefused(ModelReplyUnusable):
    """A model declines one request for what it asks; other requests it answers."""


class ModelReplyRejected(ModelReplyUnusable):
    """A model's reply is of the right form, but it cannot be right: nothing where something is."""


class AlertUndelivered(TransientError):
    """An alert did not reach those who asked for it: the line says whom and why."""


class BudgetExhausted(PermanentError):
    """The next request could exceed what the run may spend on a chat model."""


class DocumentError(PermanentError):
    """One document cannot be indexed.

    Attributes:
        reason: stable code, e.g. ``encrypted``; listed in `QUARANTINE_REASONS`.
        detail: what was seen, for a person.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        if reason not in QUARANTINE_REASONS:
            raise ValueError(f"unknown quarantine reason {reason!r}")
        # both go to Exception so that the error survives pickling between processes
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return reason_line(self.reason, self.detail)


class DocumentDeferred(DocumentError):
    """A later pass of the same run reads the document: noted, lest the run ends before that."""


def reason_line(reason: str, detail: str | None) -> str:
    """Code, what happened and how to mend it, in one line.

    >>> reason_line("encrypted", None)
    'encrypted: the file needs a password; save a copy without a password and ingest that'
    """
    what, mend = QUARANTINE_REASONS[reason]
    return f"{reason}: {what}{f' ({detail})' if detail else ''}; {mend}"


#: reason code -> (what happened, how to mend it)
QUARANTINE_REASONS: dict[str, tuple[str, str]] = {
    "zero_bytes": ("the file is empty", "copy the file again and ingest it"),
    "not_a_pdf": ("the file is not a PDF", "export it as PDF and ingest that"),
    "wrong_format": (
        "the file is not of the format that its name says",
        "export it again under the right suffix and ingest that",
    ),
    "needs_docling": (
        "only the extra `docling` reads this format",
        f"run `{install_extra('docling')}`, then ingest it again",
    ),
    "encrypted": ("the file needs a password", "save a copy without a password and ingest that"),
    "truncated": ("the file is damaged or cut off", "fetch the file again and ingest it"),
    "no_pages": ("the PDF has no pages", "fetch the file again and ingest it"),
    "image_only": (
        "the pages are images without a text layer",
        f"set FINRAG_OCR=on, run `{install_extra('ocr')}`, and ingest it again",
    ),
    "no_content": (
        "nothing was left to index after cleaning",
        "look at `finrag documents show --text` for the rules that dropped it",
    ),
    "reader_crashed": (
        "its parser crashed on it",
        "print the file to a new PDF and ingest that",
    ),
    "reader_timeout": (
        "reading it exceeded the time bound",
        "raise FINRAG_PAGE_TIMEOUT_S (scans: FINRAG_OCR_PAGE_TIMEOUT_S), then ingest it again",
    ),
    "reader_memory": (
        "reading it exceeded the memory bound",
        "raise FINRAG_WORKER_MEMORY_MIB, then ingest it again",
    ),
    "source_missing": (
        "its file is no longer where it was registered",
        "put the file back and ingest it again",
    ),
}

#: flag of one page that is indexed all the same -> what happened
PAGE_FLAGS: dict[str, str] = {
    "layout_failed": "the layout model gave up on it: its lines were grouped by distance alone",
    "too_complex": "it holds more drawing commands than are worth analysing: it was read without "
    "the layout model, and beyond 20,000 commands without tables",
    "broken_fonts": "characters without a Unicode meaning were read from it",
    "right_to_left": "it holds text that runs from right to left",
    "tables_failed": "its tables could not be read: their text was kept as text",
    "image_only_page": "it is an image without a text layer and was not read: set FINRAG_OCR=on, "
    "withdraw the document and ingest the file by its name",
    "ocr": "its text was read from its image",
    "unreadable": "reading it exceeded its bounds or crashed: nothing of it is indexed",
}
