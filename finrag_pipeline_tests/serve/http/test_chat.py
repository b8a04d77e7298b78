"""Chat clients: OpenAI's own SDK, and the form that Open WebUI reads out of a stream."""

from __future__ import annotations

import json
import re
from typing import Any

import openai
import pytest
import requests

from finrag_pipeline.serve.http.chat import message
from finrag_pipeline.serve.http.markdown import page_url
from finrag_pipeline_tests.serve.samples import OTHER, OTHERS_DOCUMENT

QUESTION = "星河新材2024年对澄光储能的收入占比是多少？"


@pytest.fixture
def client(samples_url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{samples_url}/v1", api_key="none", max_retries=0)


def asking(*questions: str) -> Any:
    return [{"role": "user", "content": question} for question in questions]


def test_the_model_is_listed(client: openai.OpenAI) -> None:
    assert [each.id for each in client.models.list()] == ["finrag"]


def test_an_answer_cites_in_its_text_by_annotations_and_by_a_list(client: openai.OpenAI) -> None:
    completion = client.chat.completions.create(model="finrag", messages=asking(QUESTION))
    (choice,) = completion.choices
    content = choice.message.content or ""
    assert choice.finish_reason == "stop"
    assert "38.5%" in content and "[1]" in content
    annotations = choice.message.annotations or []
    assert annotations
    for annotation in annotations:
        cited = annotation.url_citation
        assert re.fullmatch(r"\[\d+\]", content[cited.start_index : cited.end_index])
        assert f"]({cited.url})" in content.split("\n---\n")[1]
        page = requests.get(cited.url, timeout=30)
        assert (page.status_code, page.headers["content-type"]) == (200, "image/png")
    assert completion.usage is not None
    assert completion.usage.total_tokens > completion.usage.prompt_tokens > 0


def test_a_stream_says_everything_once(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="finrag", messages=asking(QUESTION))
    stream = client.chat.completions.create(
        model="finrag",
        messages=asking(QUESTION),
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    said = [each.choices[0].delta.content or "" for each in chunks if each.choices]
    assert "".join(said) == whole.choices[0].message.content
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [each.choices[0].finish_reason for each in chunks if each.choices][-1] == "stop"
    assert chunks[-1].choices == [] and chunks[-1].usage == whole.usage
    assert len({each.id for each in chunks}) == 1


def test_open_webui_finds_its_cards_in_the_stream(samples_url: str) -> None:
    body = {"model": "finrag", "messages": asking(QUESTION), "stream": True}
    response = requests.post(f"{samples_url}/v1/chat/completions", json=body, timeout=60)
    lines = [line for line in response.text.split("\n") if line]
    assert all(line.startswith("data: ") for line in lines)
    assert lines[-1] == "data: [DONE]"
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    cards = [
        (annotation["url_citation"]["url"], annotation["url_citation"]["title"])
        for chunk in chunks
        for annotation in chunk["choices"][0]["delta"].get("annotations", ())
        if annotation["type"] == "url_citation"
    ]
    assert cards
    assert all(url.startswith(f"{samples_url}/v1/documents/") for url, _ in cards)
    assert all(re.search(r"\.pdf, p\. \d+$", title) for _, title in cards)


def test_earlier_messages_give_what_the_last_leaves_out(client: openai.OpenAI) -> None:
    def ask(*questions: str) -> str:
        messages = asking(*questions)
        return (
            client.chat.completions.create(model="finrag", messages=messages)
            .choices[0]
            .message.content
            or ""
        )

    follow_up = ask("星河新材2025年的营业收入是多少？", "2024年呢？")
    assert "63.12亿元" in follow_up and "\\" not in follow_up
    assert follow_up != ask("2024年呢？")


def test_parts_of_a_message_and_what_is_not_openais(client: openai.OpenAI) -> None:
    parts: Any = [{"role": "user", "content": [{"type": "text", "text": "湿粮总产能是多少？"}]}]
    completion = client.chat.completions.create(
        model="finrag", messages=parts, temperature=0.2, extra_body={"app": OTHER}
    )
    content = completion.choices[0].message.content or ""
    assert OTHERS_DOCUMENT in content.replace("\\", "")
    assert f"app={OTHER}" in content


def test_what_cannot_be_answered_is_an_error_of_the_sdk(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="no such model"):
        client.chat.completions.create(model="gpt", messages=asking(QUESTION))
    with pytest.raises(openai.UnprocessableEntityError, match="no message of the user"):
        client.chat.completions.create(
            model="finrag", messages=[{"role": "system", "content": "answer"}]
        )
    with pytest.raises(openai.UnprocessableEntityError, match="4000 at most"):
        client.chat.completions.create(model="finrag", messages=asking("x" * 4001), stream=True)


HOSTILE = (
    "<script>a()</script> <img src=x onerror=a()> ![x](http://b/c) [d](http://b) [e]: http://b"
)


def test_what_documents_say_becomes_no_link_image_or_tag() -> None:
    evidence = {
        "n": 1,
        "kind": "chunk",
        "document_id": "d1",
        "source": f"{HOSTILE}\n\n# a.pdf",
        "page": 2,
        "bbox": [1.0, 2.0, 3.5, 4.0],
        "regions": [],
        "quote": HOSTILE,
        "published_on": None,
    }
    found = {"answer": f"{HOSTILE}[1]", "evidence": [evidence]}
    content = message(found, "http://127.0.0.1/", None).content
    unescaped = re.sub(r"\\.", "", content)
    assert "<" not in unescaped
    links = re.findall(r"\]\(([^)]*)\)", unescaped)
    assert links == ["http://127.0.0.1/v1/documents/d1/pages/2.png?regions=1,2,3.5,4"]
    assert "](http://b" not in unescaped and "\n# " not in content


def test_a_page_marks_all_boxes_that_stand_on_it() -> None:
    evidence = {
        "document_id": "d1",
        "page": 2,
        "bbox": [1.0, 2.0, 3.0, 4.0],
        "regions": [
            {"page": 2, "bbox": [1.0, 2.0, 3.0, 4.0]},
            {"page": 2, "bbox": [5.0, 6.0, 7.0, 8.0]},
            {"page": 3, "bbox": [9.0, 9.0, 10.0, 10.0]},
        ],
    }
    url = page_url("http://a/", evidence, "other & more")
    assert url == "http://a/v1/documents/d1/pages/2.png?regions=1,2,3,4;5,6,7,8&app=other+%26+more"
    assert page_url("http://a/", evidence | {"document_id": None}, None) is None
