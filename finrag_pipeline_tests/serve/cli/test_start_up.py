"""What a question from the shell does not wait for: packages of other commands, a second look."""

from __future__ import annotations

import json
import subprocess
import sys

import psycopg
import pytest

from finrag_pipeline.errors import StoreUnusable
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader, open_reader

# each takes a tenth of a second and more; what answers needs of them is loaded where it is needed
_SLOW = {
    *("dagster", "rich", "pandas", "scipy", "spacy", "networkx", "openai", "pymupdf"),
    *("onnxruntime", "tantivy", "rjieba", "sqlalchemy", "psycopg_pool"),
    *("finrag_pipeline.pipelines", "finrag_pipeline.evaluation"),
    *("finrag_pipeline.stages.metadata", "finrag_pipeline.stages.cleaning.clean"),
}


def test_searching_imports_nothing_that_only_other_commands_need() -> None:
    program = (
        "import json, sys\n"
        "import finrag_pipeline.serve.cli.main\n"
        "import finrag_pipeline.store.database.reader, finrag_pipeline.query.engine\n"
        "print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert _SLOW.intersection(json.loads(done.stdout)) == set()


def test_who_reads_brings_an_empty_database_up_to_date(
    settings: Settings, empty_database_url: str
) -> None:
    empty = settings.model_copy(update={"database_url": empty_database_url})
    with pytest.raises(StoreUnusable, match="no store"):
        Reader.open(empty)
    with open_reader(empty) as reader, reader.reading("default") as connection:
        row = connection.execute("select count(*) as n from documents").fetchone()
    assert row == {"n": 0}


def test_who_reads_a_current_store_does_not_open_it_as_its_writer(
    settings: Settings, database_url: str
) -> None:
    with open_reader(settings):
        pass
    # held by whoever changes the schema: a writer would wait for it
    with psycopg.connect(database_url, autocommit=True) as writer:
        writer.execute("select pg_advisory_lock(%s::bigint)", (0x66696E726167,))
        with open_reader(settings) as reader, reader.reading("default"):
            pass


def test_a_login_of_its_own_is_not_mended(settings: Settings, empty_database_url: str) -> None:
    own = settings.model_copy(update={"reader_url": empty_database_url})
    with pytest.raises(StoreUnusable):
        open_reader(own)
