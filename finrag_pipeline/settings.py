"""Every setting of the product; only this module reads `FINRAG_*` variables and `.env`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.setting_forms import HeaderKey, HttpUrl, MailServer, RedisUrl, owners

#: Arrival days, schedules and printed dates all speak of this zone.
TIME_ZONE = "Asia/Shanghai"

_PREFIX = "FINRAG_"
_ENV_FILE = ".env"
# Read by `dagster.yaml`, not by us.
_NO_SETTINGS = ("FINRAG_DAGSTER_URL",)


class Settings(BaseSettings):
    """Settings of one process; `.env.example` documents each with unit and example."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, env_file=_ENV_FILE, env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Path = Field(Path("~/.finrag"), description="data directory")
    database_url: str | None = Field(
        None, repr=False, description="Postgres URL; unset: the embedded server"
    )
    reader_url: str | None = Field(
        None, repr=False, description="Postgres URL of a role that only reads; unset: it is made"
    )
    app: str = Field("default", min_length=1, description="whose documents: one store, many apps")
    inbox: str = Field("", description="folder or fsspec URL that the nightly ingestion reads")
    first_day: date | None = Field(
        None, description="first arrival day that a backfill can name; unset: `defs.partitions`"
    )
    batches: int = Field(1, ge=1, description="runs that a night, or a look at the inbox, makes")
    concurrent_runs: int = Field(2, ge=1, description="runs at a time, on all machines together")
    model_runs: int | None = Field(
        None, ge=1, description="runs that embed or ask a chat model at a time; unset: no limit"
    )
    broker_url: RedisUrl | None = Field(
        None, repr=False, description="Redis by which runs go to `finrag worker`; unset: none"
    )
    owners: Annotated[tuple[str, ...], NoDecode] = Field(
        ("team:research-data",), min_length=1, description="who answers for the assets, in the UI"
    )
    embedder: str | None = Field(
        None,
        description="e5 | offline | onnx:<folder> | sentence-transformers:<hub id or path> | "
        "openai:<model>; unset: e5 where its wheel is installed, else offline",
    )
    embedding_base_url: HttpUrl | None = Field(None, description="server of an openai: embedder")
    embedding_api_key: HeaderKey | None = Field(None, description="its key; unset: none is needed")
    embedding_dimension: int | None = Field(
        None, ge=1, description="length that a model is asked to shorten its vectors to"
    )
    reranker: str = Field(
        "offline",
        description="offline | none | onnx:<folder> | sentence-transformers:<hub id or path> | "
        "chat",
    )
    lane_depth: int = Field(50, ge=1, le=1000, description="entries that each lane finds at least")
    # a keyword copy of 92,000 entries is built in under two minutes, by the first search of a host
    lane_timeout_s: float = Field(
        150.0, gt=0, description="seconds until a lane is given up for a question"
    )
    lane_failures: int = Field(
        3, ge=1, description="failures in a row after which a lane is left out"
    )
    lane_pause_s: float = Field(60.0, ge=0, description="seconds for which such a lane is left out")
    rrf_k: int | None = Field(
        None, ge=0, description="k of reciprocal rank fusion; unset: as in `query.weights`"
    )
    reranked: int = Field(40, ge=1, le=1000, description="entries that the reranker judges")
    answered: int = Field(10, ge=1, le=200, description="results that an answer is drawn from")
    chat_base_url: HttpUrl | None = Field(None, description="OpenAI-compatible chat server")
    chat_model: str | None = Field(None, description="its model; unset: no chat model is used")
    chat_api_key: HeaderKey | None = Field(None, description="its key; unset: none is needed")
    chat_requests_per_minute: int | None = Field(None, ge=1, description="unset: no limit")
    chat_tokens_per_minute: int | None = Field(
        None, ge=1, description="prompts and replies together; unset: no limit"
    )
    chat_price_per_million_prompt_tokens: float = Field(0.0, ge=0, description="in any currency")
    chat_price_per_million_completion_tokens: float = Field(
        0.0, ge=0, description="in the same currency"
    )
    chat_budget_tokens: int | None = Field(
        None, ge=0, description="what one run may use; unset: no limit"
    )
    chat_budget: float | None = Field(
        None, ge=0, description="what one run may cost, by the prices; unset: no limit"
    )
    model_timeout_s: float = Field(60.0, gt=0, description="time for a model's server to answer")
    evaluation_questions: Path | None = Field(
        None, description="JSONL of questions, or a folder of such, measured weekly; unset: none"
    )
    registry: Path | None = Field(None, description="CSV of listed companies; unset: none")
    structured: Path | None = Field(
        None, description="YAML that maps files of a data vendor's figures; unset: none"
    )
    enterprise: Path | None = Field(
        None, description="file or folder of company records; unset: none"
    )
    slow_ms: float | None = Field(
        None, gt=0, description="time of one step of a search from which it is told; unset: never"
    )
    graph: Literal["off", "lite", "full"] = Field(
        "full", description="how much of the entity graph is made"
    )
    extractor: Literal["offline", "chat"] | None = Field(
        None, description="who reads entities; unset: the chat model where one is set"
    )
    names: Literal["lac", "rules"] = Field(
        "lac", description="what proposes names that no list holds, where no chat model reads"
    )
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
    alert_webhook: HttpUrl | None = Field(
        None, repr=False, description="URL that failed runs are told to; unset: none"
    )
    alert_mail: str | None = Field(None, description="address that failed runs are told to")
    smtp_url: MailServer | None = Field(None, repr=False, description="mail server for alert_mail")
    ui_url: HttpUrl | None = Field(None, description="where people open the Dagster UI, for links")
    public_url: HttpUrl | None = Field(
        None, description="where people reach `finrag serve`, for links; unset: as they asked it"
    )

    log_format: Literal["json", "text"] | None = Field(
        None, description="lines for each step and error; unset: text for `finrag serve`, else none"
    )
    traces_url: HttpUrl | None = Field(
        None, description="OpenTelemetry collector that takes OTLP by HTTP; unset: none"
    )
    keep_builds: int | None = Field(
        None, ge=1, description="weekly builds that stay; unset: all of them"
    )
    keep_replies_days: int | None = Field(
        None, ge=1, description="days for which replies of chat models stay; unset: for ever"
    )
    serve_requests_per_minute: int = Field(
        600, ge=1, description="that `finrag serve` answers one token, or one address without any"
    )

    @field_validator(
        "home", "docling_artifacts", "evaluation_questions", "registry", "structured", "enterprise"
    )
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        return value and value.expanduser().absolute()

    @field_validator("first_day")
    @classmethod
    def _past(cls, value: date | None) -> date | None:
        if value is not None and value > today():
            raise ValueError("is a day to come")
        return value

    @field_validator("owners", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(owner.strip() for owner in value.split(",") if owner.strip())

    @field_validator("owners")
    @classmethod
    def _reachable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return owners(value)

    @model_validator(mode="after")
    def _chat_is_whole(self) -> Self:
        if (self.chat_base_url is None) != (self.chat_model is None):
            there, missing = "FINRAG_CHAT_MODEL", "FINRAG_CHAT_BASE_URL"
            if self.chat_model is None:
                there, missing = missing, there
            raise ValueError(f"{missing} is not set, though {there} is: set both or none")
        return self

    @model_validator(mode="after")
    def _machines_share_a_database(self) -> Self:
        if self.broker_url is not None and self.database_url is None:
            raise ValueError(
                "FINRAG_DATABASE_URL is not set, though FINRAG_BROKER_URL is: machines share a "
                "Postgres, and the embedded one serves its own alone"
            )
        return self

    @model_validator(mode="after")
    def _mail_has_a_server(self) -> Self:
        if self.alert_mail is not None and self.smtp_url is None:
            raise ValueError("FINRAG_SMTP_URL is not set, though FINRAG_ALERT_MAIL is: set it, too")
        return self

    @model_validator(mode="after")
    def _money_has_prices(self) -> Self:
        prices = (
            self.chat_price_per_million_prompt_tokens,
            self.chat_price_per_million_completion_tokens,
        )
        if self.chat_budget is not None and not any(prices):
            raise ValueError(
                "FINRAG_CHAT_BUDGET is set, but no price: set "
                "FINRAG_CHAT_PRICE_PER_MILLION_PROMPT_TOKENS and "
                "FINRAG_CHAT_PRICE_PER_MILLION_COMPLETION_TOKENS"
            )
        return self


def load_settings() -> Settings:
    """Read the environment; one clear line when a value is malformed.

    Raises:
        ConfigurationError: naming the variable and what is wrong with it.
    """
    _refuse_unknown({*os.environ, *dotenv_values(_ENV_FILE)})
    try:
        return Settings()  # type: ignore[call-arg]
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:  # of several variables, which the message names
            raise ConfigurationError(message) from None
        name = _PREFIX + "_".join(str(part) for part in first["loc"]).upper()
        # no secret in an error, nor in the chain of its causes
        got = (
            ""
            if name.endswith(("_KEY", "_WEBHOOK", "SMTP_URL", "BROKER_URL"))
            else f" (got {first['input']!r})"
        )
        raise ConfigurationError(f"{name}: {message}{got}") from None


def _refuse_unknown(names: Iterable[str]) -> None:
    """A variable that is misspelt would be a setting that is not made, and nobody would know."""
    known = [f"{_PREFIX}{field.upper()}" for field in Settings.model_fields]
    lines: list[str] = []
    for name in sorted(names):
        if not name.upper().startswith(_PREFIX) or name.upper() in (*known, *_NO_SETTINGS):
            continue
        # the nearest by what follows the prefix: that alone would make any two alike
        own = [each.removeprefix(_PREFIX) for each in known]
        near = get_close_matches(name.upper().removeprefix(_PREFIX), own, n=1)
        mend = f"did you mean {_PREFIX}{near[0]}?" if near else "unset it; .env.example lists all"
        lines.append(f"{name} is no setting: {mend}")
    if lines:
        raise ConfigurationError("; ".join(lines))


def today() -> date:
    """The current day in the product's time zone."""
    return datetime.now(ZoneInfo(TIME_ZONE)).date()
