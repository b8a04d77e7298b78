"""An answer in pieces: how it was read, its direct line, then all that it stands on."""

from __future__ import annotations

import html
import re

from fastapi.testclient import TestClient

GROWTH = "星河新材2024年营收比2023年增长多少？"


def pieces(samples: TestClient, question: str, **form: str) -> list[str]:
    """The messages of the stream, as HTML."""
    response = samples.post(
        "/ask", data={"question": question, **form}, headers={"HX-Request": "true"}
    )
    assert response.headers["content-type"].startswith("text/event-stream")
    events = response.text.strip("\n").split("\n\n")
    return [re.sub(r"^data: ?", "", each, flags=re.MULTILINE) for each in events]


def test_the_reading_comes_first_then_the_direct_line_then_the_rest(samples: TestClient) -> None:
    reading, direct, rest = pieces(samples, GROWTH)
    assert "星河新材" in reading
    assert "data-rewrite" in reading
    assert "20.00%" in direct
    assert "How it is worked out" in rest
    assert "Sources" in rest


def test_a_chip_asks_the_question_with_other_words(samples: TestClient) -> None:
    reading = html.unescape(pieces(samples, GROWTH)[0])
    assert 'value="澄光储能2024年营收比2023年增长多少？"' in reading
    assert 'value="星河新材2023年营收比2023年增长多少？"' in reading
    assert 'value="星河新材2024年归母净利润比2023年增长多少？"' in reading


def test_a_question_is_read_while_it_is_written(samples: TestClient) -> None:
    told = samples.post("/reading", data={"question": GROWTH}, headers={"HX-Request": "true"})
    assert "data-rewrite" in told.text
    assert "answer-text" not in told.text
    assert samples.post("/reading", data={"question": " "}).status_code == 422


def test_figures_lead_to_their_cells_and_a_derived_one_to_its_formula(samples: TestClient) -> None:
    _, direct, rest = pieces(samples, GROWTH)
    assert 'href="#working-1"' in direct
    cells = re.findall(r'href="(/documents/\w+/pages/1\?at=[^"]*fact=\d+)"', html.unescape(rest))
    assert len(set(cells)) == 2
    sheet = samples.get(cells[0]).text
    assert re.search(r'cited"[^>]*>(6,312|5,260)</td>', sheet)
    assert sheet.count('<rect class="cited"') == 1


def test_a_list_says_how_many_there_are_and_each_figure_opens_its_cell(
    samples: TestClient,
) -> None:
    _, direct, rest = pieces(samples, "哪些公司2024年营业收入超过50亿元？")
    assert "符合条件的共2家公司" in direct
    assert re.findall(r'class="figure"[^>]*>([^<]+)</a>', rest) == ["63.12亿元", "226.30亿元"]


def test_a_refusal_says_what_was_searched_and_what_is_nearest(samples: TestClient) -> None:
    _, direct, _ = pieces(samples, "星河新材2030年营业收入是多少？")
    assert "What was searched" in direct
    assert "Nearest that is held" in direct


def test_an_empty_question_is_told_where_the_answer_would_be(samples: TestClient) -> None:
    (told,) = pieces(samples, "  ")
    assert "hx-partial" not in told  # in the place of the whole answer
    assert "the question is empty" in told


def test_a_mode_that_there_is_not_is_told(samples: TestClient) -> None:
    (told,) = pieces(samples, GROWTH, mode="guessing")
    assert "there is no mode" in html.unescape(told)


def test_words_of_a_question_are_text_on_the_page(samples: TestClient) -> None:
    for piece in pieces(samples, "<script>alert(1)</script><img src=x onerror=alert(1)> 营收"):
        assert "<script>" not in piece
        assert "<img" not in piece


def test_a_link_says_what_is_otherwise_since_it_was_made(samples: TestClient) -> None:
    rest = pieces(samples, GROWTH)[2]
    told = re.search(r'data-now="([^"]+)" data-fingerprint="(\w+)" data-build="(\w*)"', rest)
    assert told
    at, answer, build = told.groups()
    same = pieces(samples, GROWTH, seen_at=at, seen_answer=answer, seen_build=build)[2]
    assert "Nothing changed since this link was made" in same
    other = pieces(samples, GROWTH, seen_at="2020-01-01T00:00:00+00:00", seen_answer="otherwise")
    assert "the answer is another" in other[2]
    assert "documents came: " in other[2]
    assert "more" in other[2]


def test_an_answer_keeps_to_its_day(samples: TestClient) -> None:
    pages = "".join(pieces(samples, "星河新材的目标价是多少？", day="2025-05-01"))
    assert "云麓证券" in pages
    assert "沧澜证券" not in pages


def test_without_scripts_the_answer_is_a_page(samples: TestClient) -> None:
    whole = samples.post("/ask", data={"question": GROWTH})
    assert whole.headers["content-type"].startswith("text/html")
    assert "20.00%" in whole.text
    assert "Sources" in whole.text
    assert "aria-busy" not in whole.text
    assert "hx-partial" not in whole.text
    assert "the question is empty" in samples.post("/ask", data={"question": ""}).text


def test_sources_are_there_as_a_file(samples: TestClient) -> None:
    rows = samples.post("/sources.csv", data={"question": GROWTH}).text.splitlines()
    assert rows[0].endswith("n,kind,quote,published_on,document_id,source,page,box")
    assert sum("canglan_xinghe_q3_20251030.pdf,1," in row for row in rows) == 2
