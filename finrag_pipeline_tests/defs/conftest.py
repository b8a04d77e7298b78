"""What assets, schedules and sensors of a test run on."""

import pytest


@pytest.fixture
def environment(settings, monkeypatch):
    """The test's store as the environment that assets read."""
    monkeypatch.setenv("FINRAG_HOME", str(settings.home))
    monkeypatch.setenv("FINRAG_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("FINRAG_INBOX", settings.inbox)
    monkeypatch.setenv("FINRAG_WORKERS", "1")
    return settings
