"""Pools of writers and readers: what each of their connections is opened with."""

from __future__ import annotations

import pytest
from psycopg.conninfo import make_conninfo

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader


@pytest.mark.parametrize(("given", "waits"), [({}, "10"), ({"connect_timeout": 7}, "7")])
def test_a_url_may_say_how_long_to_wait_for_a_server(
    settings: Settings, database_url: str, given: dict[str, int], waits: str
) -> None:
    url = make_conninfo(database_url, **given)
    own = settings.model_copy(update={"database_url": url})
    with Database.open(own) as database, database.connection() as connection:
        assert connection.info.get_parameters()["connect_timeout"] == waits
    with Reader.open(own) as reader, reader.reading("default") as connection:
        assert connection.info.get_parameters()["connect_timeout"] == waits
