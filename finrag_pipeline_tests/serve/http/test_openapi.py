"""The OpenAPI document: what it says is what the server does, whatever is sent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.openapi import from_url
from schemathesis.specs.openapi.checks import positive_data_acceptance

#: Of each kind, what the document allows and what it does not.
EXAMPLES = 12


@pytest.fixture(scope="session")
def operations(samples_url: str) -> list[schemathesis.APIOperation]:
    # the first question loads the models, which a busy machine is not given ten seconds for
    first = requests.post(f"{samples_url}/v1/search", json={"question": "产能"}, timeout=120)
    assert first.ok, first.text
    found = from_url(f"{samples_url}/openapi.json").get_all_operations()
    return [each.ok() for each in found]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_what_comes_back_is_of_the_form_that_is_told(
    operations: list[schemathesis.APIOperation], mode: GenerationMode
) -> None:
    asked = 0
    for operation in operations:
        for status in _statuses(operation, mode):
            assert status < 500
            asked += 1
    assert asked > len(operations)


def _statuses(operation: schemathesis.APIOperation, mode: GenerationMode) -> Iterator[int]:
    """Ask by an operation, check what comes back, and tell its status."""
    found: list[int] = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        response = case.call()
        # options that exclude each other are told so: no schema says which
        case.validate_response(response, excluded_checks=[positive_data_acceptance])
        found.append(response.status_code)

    try:
        ask()
    except Unsatisfiable:  # what takes nothing cannot be asked wrongly
        assert mode is GenerationMode.NEGATIVE
    yield from found


def test_every_route_tells_its_errors_and_needs_a_token(samples_url: str) -> None:
    document = requests.get(f"{samples_url}/openapi.json", timeout=30).json()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["responses"].keys() & {"400", "503"}, path
            errors = [each for name, each in operation["responses"].items() if name != "200"]
            for each in errors:
                schema = each["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorBody"}, path
            if path != "/healthz":
                assert operation["security"] == [{"token": []}, {}], path
