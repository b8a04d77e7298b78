"""What `dg scaffold defs` writes is part of the code location."""

import sys
import tomllib
from collections.abc import Generator
from importlib import import_module, reload
from pathlib import Path

import dagster as dg
import pytest

from finrag_pipeline import definitions
from finrag_pipeline.defs import own

#: As `dg scaffold defs dagster.asset share_prices.py` writes it.
SCAFFOLDED = """import dagster as dg


@dg.asset
def share_prices(context: dg.AssetExecutionContext) -> dg.MaterializeResult: ...
"""


@pytest.fixture
def scaffolded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    (tmp_path / "share_prices.py").write_text(SCAFFOLDED, encoding="utf-8")
    monkeypatch.setattr(own, "__path__", [*own.__path__, str(tmp_path)])
    yield
    monkeypatch.undo()
    sys.modules.pop(f"{own.__name__}.share_prices", None)
    reload(definitions)


def test_dg_writes_where_definitions_are_loaded_from() -> None:
    project = Path(__file__).parents[2] / "pyproject.toml"
    configured = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]["dg"]["project"]
    assert import_module(configured["defs_module"]) is own
    assert import_module(configured["code_location_target_module"]) is definitions


@pytest.mark.usefixtures("scaffolded")
def test_a_scaffolded_asset_stands_beside_those_that_ship() -> None:
    keys = {key.to_user_string() for key in reload(definitions).defs.resolve_all_asset_keys()}
    assert {"share_prices", "raw_pdfs"} <= keys


def test_nothing_of_its_own_ships() -> None:
    assert isinstance(definitions.defs, dg.Definitions)
    assert [each.name for each in Path(own.__path__[0]).glob("*.py")] == ["__init__.py"]
