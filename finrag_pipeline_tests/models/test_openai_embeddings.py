"""Embeddings over real HTTP, by a server that keeps the protocol and by one that does not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from finrag_pipeline.errors import ConfigurationError, ModelReplyUnusable, ModelUnavailable
from finrag_pipeline.models.embedders import load_embedder, recognised
from finrag_pipeline.models.embedding import Embedder, VectorSpace
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import Answer, ModelHost, embedded, refusal, vector_of

KEY = "sk-of-the-test"
TEXTS = ["营收增长。", "毛利率下降，主要因原材料涨价。", "Orders recovered."]


def embedder_of(host: ModelHost, model: str = "text-embed", **settings: Any) -> Embedder:
    configured = {"embedding_base_url": host.url, "embedding_api_key": KEY} | settings
    return load_embedder(Settings(_env_file=None, embedder=f"openai:{model}", **configured))


def unit(text: str, dimension: int = 8) -> np.ndarray:
    vector = np.array(vector_of(text, dimension))
    return vector / np.linalg.norm(vector)


def test_vectors_are_unit_rows_in_the_order_of_the_texts(host: ModelHost) -> None:
    embedder = embedder_of(host)
    assert host.asked == []  # nothing is asked for before it is needed
    vectors = embedder.embed_passages([TEXTS[1], "", TEXTS[0], " \n", TEXTS[2]])
    assert vectors.shape == (5, 8) and vectors.dtype == np.float32
    for row, text in ((0, TEXTS[1]), (2, TEXTS[0]), (4, TEXTS[2])):
        assert np.allclose(vectors[row], unit(text), atol=1e-6)
    assert not vectors[1].any() and not vectors[3].any()
    assert host.asked[-1]["encoding_format"] == "float" and "dimensions" not in host.asked[-1]
    assert host.headers[-1]["Authorization"] == f"Bearer {KEY}"
    assert embedder.space.name == "openai:text-embed" and embedder.space.dimension == 8


def test_no_text_is_no_request(host: ModelHost) -> None:
    embedder = embedder_of(host)
    assert embedder.space
    before = len(host.asked)
    assert embedder.embed_passages([]).shape == (0, 8)
    assert embedder.embed_passages(["", "  "]).shape == (2, 8)
    assert len(host.asked) == before


def test_one_embedder_a_configuration(host: ModelHost) -> None:
    assert embedder_of(host) is embedder_of(host)
    assert embedder_of(host) is not embedder_of(host, model="other")
    assert embedder_of(host) is not embedder_of(host, embedding_api_key="sk-another")


def test_the_variables_of_the_sdk_are_for_another_server(
    host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    embedder_of(host, embedding_api_key=None).embed_passages(TEXTS)
    assert "of-another" not in str(host.headers)


def test_batches_are_bounded_by_count_and_characters(host: ModelHost) -> None:
    embedder = embedder_of(host)
    texts = [f"{n} " + "字" * (n % 7) for n in range(80)] + ["长" * 60_000, "长" * 70_000]
    vectors = embedder.embed_passages(texts)
    assert all(np.allclose(v, unit(t), atol=1e-6) for v, t in zip(vectors, texts, strict=True))
    # after one text for the dimension and two for the fingerprint
    assert [len(body["input"]) for body in host.asked[2:]] == [32, 32, 17, 1]
    assert max(sum(map(len, body["input"])) for body in host.asked) <= 100_000


def test_a_family_that_needs_prefixes_gets_them(host: ModelHost) -> None:
    embedder = embedder_of(host, model="intfloat/multilingual-e5-large")
    embedder.embed_passages(["营收增长"])
    embedder.embed_questions(["营收如何", ""])
    assert [body["input"] for body in host.asked[-2:]] == [
        ["passage: 营收增长"],
        ["query: 营收如何"],
    ]


def test_answers_in_another_order_are_put_right(host: ModelHost) -> None:
    embedder = embedder_of(host)
    expected = embedder.embed_passages(TEXTS)

    def shuffled(body: Any) -> Answer:
        answer = embedded(body["input"])
        answer["data"] = answer["data"][::-1]
        return answer

    host.faults = [shuffled]
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)


def broken_off(body: Any) -> Answer:
    """The connection ends before the answer does."""
    answer = Response(json.dumps(embedded(body["input"]))[:-40], mimetype="application/json")
    answer.automatically_set_content_length = False
    answer.headers["Content-Length"] = "100000"
    return answer


@pytest.mark.parametrize(
    "fault",
    [lambda _: refusal(500, "out of memory"), lambda _: refusal(503, "starting"), broken_off],
)
def test_what_passes_is_asked_again(
    host: ModelHost, waits: list[float], fault: Callable[[Any], Answer]
) -> None:
    embedder = embedder_of(host)
    expected = embedder.embed_passages(TEXTS)
    host.faults = [fault, fault]
    assert np.array_equal(embedder.embed_passages(TEXTS), expected)
    assert len(waits) == 2 and waits[0] < waits[1]


def test_a_rate_limit_says_how_long_to_wait(host: ModelHost, waits: list[float]) -> None:
    embedder = embedder_of(host)
    assert embedder.space
    limited = refusal(429, "slow down")
    limited.headers["Retry-After"] = "7"
    host.faults = [lambda _: limited]
    embedder.embed_passages(TEXTS)
    assert waits == [7.0]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_asking_again_has_an_end(host: ModelHost, waits: list[float], status: int) -> None:
    embedder = embedder_of(host)
    assert embedder.space
    before = len(host.asked)
    host.faults = [lambda _: refusal(status, "no more\nfor today")] * 9
    line = rf"^localhost:\d+ answered {status} \(no more for today\), when asked again, too: wait.*"
    with pytest.raises(ModelUnavailable, match=line):
        embedder.embed_passages(TEXTS)
    assert len(host.asked) - before == 5 and len(waits) == 4


def test_a_server_that_hangs_is_given_up(host: ModelHost, waits: list[float]) -> None:
    embedder = embedder_of(host, model_timeout_s=0.2)
    host.faults = [host.hold] * 5
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0.2 s, asked 5 times: ra"):
        embedder.embed_passages(TEXTS)


def test_a_question_is_not_kept_waiting(host: ModelHost, waits: list[float]) -> None:
    embedder = embedder_of(host)
    host.faults = [lambda _: refusal(503, "overloaded")] * 2
    with pytest.raises(ModelUnavailable, match="overloaded"):
        embedder.embed_questions(["营收如何"])
    assert len(waits) == 1
    assert np.array_equal(embedder.embed_questions(TEXTS), embedder.embed_passages(TEXTS))


def test_a_server_that_is_not_there_is_named(host: ModelHost, waits: list[float]) -> None:
    embedder = embedder_of(host, embedding_base_url="http://user:secret@127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match=r"^127.0.0.1:9 cannot be reached .*BASE_URL") as met:
        embedder.embed_passages(TEXTS)
    assert "secret" not in str(met.value)


def test_json_that_is_cut_may_be_whole_next_time(host: ModelHost, waits: list[float]) -> None:
    embedder = embedder_of(host)
    assert embedder.space
    host.faults = [lambda _: Response('{"data": [{"ind', mimetype="application/json")]
    with pytest.raises(ModelUnavailable, match="JSON that is cut off or broken"):
        embedder.embed_passages(TEXTS)
    assert embedder.embed_passages(TEXTS).shape == (3, 8)


def changed(**first: Any) -> Callable[[Any], Answer]:
    """A fault: the first vector's entry has other fields."""

    def answer(body: Any) -> Answer:
        whole = embedded(body["input"])
        whole["data"][0] |= first
        return whole

    return answer


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (lambda body: embedded(body["input"][1:]), "with 2 vectors for 3 texts"),
        (lambda body: embedded([*body["input"], "more"]), "with 4 vectors for 3 texts"),
        (lambda body: embedded(body["input"], 5), "of 5 numbers instead of 8"),
        (changed(embedding=[math.nan] * 8), "numbers that are not finite"),
        (changed(embedding=[math.inf] * 8), "numbers that are not finite"),
        (changed(embedding=[1.0, 2.0]), "no lists of numbers of one length"),
        (changed(embedding="AAAA"), "no lists of numbers of one length"),
        (changed(embedding=None), "no lists of numbers of one length"),
        (changed(embedding={"x": 1}), "no lists of numbers of one length"),
        (changed(index=2), "which text is whose"),
        (changed(index=None), "which text is whose"),
        (changed(index=[0]), "which text is whose"),
        (lambda _: {"data": {"embedding": [1.0]}}, "without a list of vectors"),
        (lambda _: {"data": ["x", "y", "z"]}, "which text is whose"),
        (lambda _: {"object": "list"}, "without a list of vectors"),
        (lambda _: Response("[]", mimetype="application/json"), "without a list of vectors"),
        (lambda _: Response("<html>portal</html>", mimetype="text/html"), "without a list of vec"),
    ],
)
def test_a_wrong_answer_is_never_a_vector(
    host: ModelHost, fault: Callable[[Any], Answer], what: str
) -> None:
    embedder = embedder_of(host)
    assert embedder.space
    before = len(host.asked)
    host.faults = [fault]
    line = rf"^localhost:\d+ answered, but .*{what}.*: check FINRAG_EMBEDDING_BASE_URL and FINRAG"
    with pytest.raises(ModelReplyUnusable, match=line):
        embedder.embed_passages(TEXTS)
    assert len(host.asked) == before + 1  # it would answer the same again


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (400, r"^FINRAG_EMBEDDER: localhost:\d+ refused the request, 400 \(no \*\*\*\)"),
        (401, r"^FINRAG_EMBEDDING_API_KEY: localhost:\d+ refused it, 401 \(no \*\*\*\): set a key"),
        (403, r"^FINRAG_EMBEDDING_API_KEY: .* 403"),
        (404, r"^FINRAG_EMBEDDING_BASE_URL or FINRAG_EMBEDDER: .* 404 .* end in /v1"),
    ],
)
def test_what_only_a_person_can_mend_is_not_asked_again(
    host: ModelHost, waits: list[float], status: int, line: str
) -> None:
    host.faults = [lambda _: refusal(status, f"no {KEY}")] * 9
    with pytest.raises(ConfigurationError, match=line):
        assert embedder_of(host).space
    assert len(host.asked) == 1 and waits == []


def limited_to(tokens: int, texts: int) -> Callable[[Any], Answer]:
    """A server with a window of so many characters and batches of so many texts."""

    def answer(body: Any) -> Answer:
        if len(body["input"]) > texts:
            return refusal(422, f"batch size {len(body['input'])} > maximum {texts}")
        longest = max(map(len, body["input"]))
        if longest > tokens:
            return refusal(400, f"This model's maximum context length is {tokens} tokens")
        return embedded(body["input"])

    return answer


def test_small_batches_and_windows_are_found_by_asking(http_server: HTTPServer) -> None:
    host = ModelHost(http_server, "/embeddings", limited_to(500, 10))
    embedder = embedder_of(host)
    texts = [f"{n}号段落" * 8 for n in range(30)] + ["长" * 800, "更长" * 900]
    vectors = embedder.embed_passages(texts)
    for vector, text in zip(vectors[:30], texts[:30], strict=True):
        assert np.allclose(vector, unit(text), atol=1e-6)
    # cut by quarters until it fits, whatever else is embedded with it
    assert np.allclose(vectors[30], unit("长" * 450), atol=1e-6)
    assert np.array_equal(embedder.embed_passages([texts[31]])[0], vectors[31])


def test_a_refusal_that_is_not_for_length_ends(host: ModelHost) -> None:
    embedder = embedder_of(host)
    assert embedder.space
    host.faults = [lambda _: refusal(400, "not this content")] * 99
    with pytest.raises(ConfigurationError, match="not this content"):
        embedder.embed_passages(["不" * 2000])
    assert len(host.faults) > 80


def test_a_dimension_is_asked_for_and_checked(http_server: HTTPServer) -> None:
    host = ModelHost(
        http_server, "/embeddings", lambda b: embedded(b["input"], b.get("dimensions", 8))
    )
    embedder = embedder_of(host, embedding_dimension=4)
    assert embedder.embed_passages(TEXTS).shape == (3, 4) and embedder.space.dimension == 4
    host.faults = [lambda body: embedded(body["input"], 8)]
    with pytest.raises(ModelReplyUnusable, match="of 8 numbers instead of 4"):
        embedder.embed_passages(TEXTS)


def test_vectors_too_long_for_the_store_are_refused_at_once(http_server: HTTPServer) -> None:
    host = ModelHost(http_server, "/embeddings", lambda b: embedded(b["input"], 4096))
    with pytest.raises(ConfigurationError, match=r"4096 numbers.* set FINRAG_EMBEDDING_DIMENSION"):
        assert embedder_of(host).space


def noisy(host: ModelHost, share: float, seed: int) -> Embedder:
    """An embedder of the same model whose vectors are off by a share of their length."""
    noise = np.random.default_rng(seed)

    def answer(body: Any) -> Answer:
        whole = embedded(body["input"], 64)
        for entry in whole["data"]:
            vector = np.array(entry["embedding"])
            off = noise.normal(size=64)
            off *= share * np.linalg.norm(vector) / np.linalg.norm(off)
            entry["embedding"] = (vector + off).tolist()
        return whole

    host.faults = [answer] * 4
    return embedder_of(host, model_timeout_s=60.0 + seed)  # another process of the same settings


def test_a_hosted_model_that_varies_a_little_stays_in_its_space(host: ModelHost) -> None:
    stored = noisy(host, 0.0, 0).space
    written = set[str]()
    for seed in range(1, 40):
        embedder = noisy(host, 0.002, seed)
        written.add(embedder.space.fingerprint)
        assert recognised(embedder, [VectorSpace("x", 64, "00" * 12), stored]).space == stored
    # the strings do differ: comparing them would have refused the store
    assert len(written) > 1


def test_another_model_under_the_same_name_is_another_space(
    host: ModelHost, http_server: HTTPServer
) -> None:
    stored = noisy(host, 0.0, 100).space
    for seed in range(101, 121):
        embedder = noisy(host, 0.3, seed)  # a cosine of .96: a tuned model
        assert recognised(embedder, [stored]) is embedder


def test_an_openai_embedder_needs_its_server() -> None:
    with pytest.raises(ConfigurationError, match="FINRAG_EMBEDDING_BASE_URL is not set: name the"):
        load_embedder(Settings(_env_file=None, embedder="openai:m"))


@pytest.mark.parametrize("name", ["nonsense", "hashing", "openai:", "sentence-transformers", ""])
def test_unknown_embedders_are_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"'{name}' is unknown; use 'e5', 'offline'"):
        load_embedder(Settings(_env_file=None, embedder=name))
