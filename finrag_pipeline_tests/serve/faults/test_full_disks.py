"""A disk that is full under the store, or under the home of a host that only asks."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.documents import add_document
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.serve.faults.conftest import (
    Start,
    fill,
    mounted,
    one_line,
    own_postgres,
)

pytestmark = pytest.mark.faults


# three ingestions, one of which tries again after twenty seconds, twice
@pytest.mark.timeout(600)
def test_a_full_store_is_one_line_and_the_same_command_goes_on(
    home_parent: Path, tmp_path: Path, reports, start: Start
) -> None:
    place = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    try:
        with mounted(place, "size=400m"), own_postgres(place, tmp_path / "own") as postgres:
            settings = postgres.settings
            code, _, err = start(settings, "ingest", str(reports), "--app", "whole").ended()
            assert code == 0, err
            filling = fill(place)
            code, told, err = start(settings, "ingest", str(reports), "--app", "cut").ended()
            assert (code, told) == (1, "")
            line = one_line(err)
            assert "No space left on device" in line and "free some space" in line
            filling.unlink()
            # a server that could not write its log has ended
            postgres.stop()
            postgres.start()
            code, told, err = start(settings, "ingest", str(reports), "--app", "cut").ended()
            assert code == 0 and "2 indexed" in told, err
            with Database.open(settings) as database:
                assert rows_of(database, "cut") == rows_of(database, "whole")
    finally:
        shutil.rmtree(place)


@pytest.mark.timeout(400)
def test_without_room_for_a_keyword_copy_the_other_lanes_answer(
    settings: Settings, database: Database, start: Start, tmp_path: Path
) -> None:
    with database.transaction() as connection:
        add_document(connection, "d1", ["储能系统出货增长。", "储能电芯降价。"])
    node = settings.model_copy(update={"home": tmp_path / "node"})
    with mounted(node.home, "size=1m"):
        filling = fill(node.home)
        code, told, err = start(node, "search", "储能", "--json").ended()
        assert code == 0, err
        (lane,) = json.loads(told)["degraded"]
        assert lane["lane"] == "keyword" and "No space left on device" in lane["reason"]
        filling.unlink()
        code, told, err = start(node, "search", "储能", "--json").ended()
        assert code == 0, err
        reply = json.loads(told)
        assert reply["degraded"] == [] and reply["results"]
