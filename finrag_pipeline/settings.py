"""Every setting of the product; only this module reads `FINRAG_*` variables and `.env`."""

from __future__ import annotations

import os
from datetime import date, datetime
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from finrag_pipeline.errors import ConfigurationError

#: Arrival days, schedules and printed dates all speak of this zone.
TIME_ZONE = "Asia/Shanghai"


class Settings(BaseSettings):
    """Settings of one process; `.env.example` documents each with unit and example."""

    model_config = SettingsConfigDict(
        env_prefix="FINRAG_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Path = Field(Path("~/.finrag"), description="data directory")
    database_url: str | None = Field(
        None, repr=False, description="Postgres URL; unset: the embedded server"
    )
    app: str = Field("default", min_length=1, description="whose documents: one store, many apps")
    inbox: str = Field("", description="folder or fsspec URL that the nightly ingestion reads")
    embedder: str = Field("hashing", description="hashing | sentence-transformers:<hub id or path>")
    workers: int = Field(
        default_factory=lambda: os.cpu_count() or 1, ge=1, description="documents read in parallel"
    )
    open_timeout_s: float = Field(60.0, gt=0, description="time to open one PDF")
    page_timeout_s: float = Field(20.0, gt=0, description="time per page, averaged over a batch")
    worker_memory_mib: int = Field(4096, ge=512, description="memory one reading process may take")
    pdf_engine: Literal["pymupdf", "docling"] = Field("pymupdf", description="what reads PDFs")
    docling_artifacts: Path | None = Field(
        None, description="folder of Docling's PDF models; unset: where docling-tools puts them"
    )
    ocr: Literal["on", "off"] = Field("on", description="whether pages that are images are read")
    ocr_page_timeout_s: float = Field(120.0, gt=0, description="time to read one page's image")

    @field_validator("home", "docling_artifacts")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        return value and value.expanduser().absolute()


def load_settings() -> Settings:
    """Read the environment; one clear line when a value is malformed.

    Raises:
        ConfigurationError: naming the variable and what is wrong with it.
    """
    try:
        return Settings()  # type: ignore[call-arg]
    except ValidationError as error:
        first = error.errors()[0]
        name = "FINRAG_" + "_".join(str(part) for part in first["loc"]).upper()
        raise ConfigurationError(f"{name}: {first['msg']} (got {first['input']!r})") from error


def today() -> date:
    """The current day in the product's time zone."""
    return datetime.now(ZoneInfo(TIME_ZONE)).date()
