"""Settings of models: what is wrong is one line that names the variable and shows no key."""

from __future__ import annotations

import re

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.settings import load_settings
from finrag_pipeline_tests.paths import PROJECT


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # away from anybody's .env


def test_the_default_needs_no_model_server():
    settings = load_settings()
    assert settings.embedder == "offline"
    assert settings.embedding_base_url is settings.chat_model is settings.chat_api_key is None


def test_a_key_is_read_without_its_line_end_and_never_shown(monkeypatch):
    monkeypatch.setenv("FINRAG_EMBEDDING_API_KEY", "sk-secret\r\n")
    settings = load_settings()
    assert settings.embedding_api_key is not None
    assert settings.embedding_api_key.get_secret_value() == "sk-secret"
    assert "sk-secret" not in f"{settings!r} {settings}"


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("EMBEDDING_BASE_URL", "localhost:8000/v1", "must start with http:// or https://"),
        ("CHAT_BASE_URL", "localhost:8000/v1", "must start with http:// or https://"),
        ("EMBEDDING_DIMENSION", "0", "greater than or equal to 1"),
        ("MODEL_TIMEOUT_S", "0", "greater than 0"),
        ("CHAT_REQUESTS_PER_MINUTE", "0", "greater than or equal to 1"),
        ("CHAT_BUDGET_TOKENS", "-1", "greater than or equal to 0"),
        ("FIRST_DAY", "2999-01-01", "is a day to come"),
        ("FIRST_DAY", "soon", "valid date"),
        ("OWNERS", "team:a, somebody", "'somebody' is neither a mail address nor team:NAME"),
    ],
)
def test_a_malformed_value_is_named(monkeypatch, name, value, line):
    monkeypatch.setenv(f"FINRAG_{name}", value)
    with pytest.raises(ConfigurationError, match=rf"^FINRAG_{name}: .*{line}.*{value}"):
        load_settings()


def test_a_key_that_no_header_can_carry_is_not_repeated(monkeypatch):
    monkeypatch.setenv("FINRAG_CHAT_API_KEY", "你的secret")
    with pytest.raises(ConfigurationError, match=r"^FINRAG_CHAT_API_KEY: .*copy it again") as met:
        load_settings()
    assert "secret" not in str(met.value) and met.value.__cause__ is None


@pytest.mark.parametrize(
    ("name", "value", "missing"),
    [
        ("CHAT_MODEL", "qwen", "FINRAG_CHAT_BASE_URL"),
        ("CHAT_BASE_URL", "http://localhost/v1", "FINRAG_CHAT_MODEL"),
    ],
)
def test_half_a_chat_model_is_none(monkeypatch, name, value, missing):
    monkeypatch.setenv(f"FINRAG_{name}", value)
    with pytest.raises(ConfigurationError, match=rf"^{missing} is not set, though FINRAG_{name}"):
        load_settings()


def test_machines_that_share_runs_share_a_database(monkeypatch):
    monkeypatch.setenv("FINRAG_BROKER_URL", "redis://:secret@127.0.0.1:6379/0")
    with pytest.raises(ConfigurationError, match=r"^FINRAG_DATABASE_URL is not set") as met:
        load_settings()
    assert "secret" not in str(met.value)
    monkeypatch.setenv("FINRAG_BROKER_URL", "amqp://guest:secret@127.0.0.1")
    with pytest.raises(ConfigurationError, match=r"^FINRAG_BROKER_URL: write it as redis") as met:
        load_settings()
    assert "secret" not in str(met.value)


def test_a_budget_of_money_needs_prices(monkeypatch):
    monkeypatch.setenv("FINRAG_CHAT_BUDGET", "20")
    with pytest.raises(ConfigurationError, match=r"^FINRAG_CHAT_BUDGET is set, but no price: set "):
        load_settings()
    monkeypatch.setenv("FINRAG_CHAT_PRICE_PER_MILLION_PROMPT_TOKENS", "2")
    assert load_settings().chat_budget == 20


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("FINRAG_CHAT_BUGET_TOKENS", "did you mean FINRAG_CHAT_BUDGET_TOKENS?"),
        ("FINRAG_EMBEDER", "did you mean FINRAG_EMBEDDER?"),
        ("finrag_inbx", "did you mean FINRAG_INBOX?"),
        ("FINRAG_QQQQQQ", "unset it; .env.example lists all"),
    ],
)
def test_a_misspelt_variable_is_an_error_with_the_nearest_one(monkeypatch, tmp_path, name, mend):
    line = re.escape(f"{name} is no setting: {mend}")
    with monkeypatch.context() as outside:
        outside.setenv(name, "")
        with pytest.raises(ConfigurationError, match=line):
            load_settings()
    (tmp_path / ".env").write_text(f"FINRAG_WORKERS=1\nOTHER=2\n{name}=3\n")
    with pytest.raises(ConfigurationError, match=line):
        load_settings()


def test_every_variable_of_the_example_is_known(monkeypatch, tmp_path):
    example = (PROJECT / ".env.example").read_text()
    names = re.findall(r"^#(FINRAG_[A-Z_]+)=", example, re.MULTILINE)
    assert len(names) > 20
    for name in [*names, "FINRAG_DAGSTER_URL"]:
        monkeypatch.setenv(name, "")
    assert load_settings().embedder is None
