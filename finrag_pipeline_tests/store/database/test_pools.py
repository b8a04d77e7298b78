"""Pools of writers and readers: what each of their connections is opened with."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import date

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


def test_connections_that_the_server_ended_are_replaced(
    settings: Settings, database: Database
) -> None:
    with Reader.open(settings) as reader:
        with ExitStack() as held:
            lent = [held.enter_context(reader.reading("default")) for _ in range(3)]
            ended = [connection.info.backend_pid for connection in lent]
        with database.connection() as connection:
            for pid in ended:
                connection.execute("select pg_terminate_backend(%s, 5000)", [pid])
        for _ in range(3):
            with reader.reading("o'neil\\", date(2026, 1, 1)) as connection:
                told = connection.execute(
                    "select current_setting('finrag.app_id') as app, "
                    "current_setting('finrag.day') as day, pg_backend_pid() as pid"
                ).fetchone()
                assert told is not None and told.pop("pid") not in ended
                assert told == {"app": "o'neil\\", "day": "2026-01-01"}
