"""What the page makes people wait for: first words of an answer, and a cited page with its boxes.

    python benchmarks/page_waits.py [--rounds 3] [--questions FILE]

Over the store of the settings, as a browser asks it: one question at a time, all of them once
before anything counts. A cited page is what stands around its image, boxes included, and the image.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

from serving import QUESTIONS, served

from finrag_pipeline.serve.page.asking import DIRECT, READING

_PART = {"HX-Request": "true"}
_FORM = _PART | {"Content-Type": "application/x-www-form-urlencoded"}
_TARGET = re.compile(r'hx-target="#([a-z-]+)"')
_CITED = re.compile(r'href="(/documents/[^"/]+/pages/[^"]+)"')
_IMAGE = re.compile(r'<img src="([^"]+)"')
_PNG = b"\x89PNG"

Waits = defaultdict[str, list[float]]


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    given = parser.parse_args()
    lines = given.questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    waits: Waits = defaultdict(list)
    with served() as (address, _):
        connection = HTTPConnection(address, timeout=120)
        sheets = [
            each for question in questions for each in _asked(connection, question, Waits(list))
        ]
        for _ in range(given.rounds):
            for question in questions:
                _asked(connection, question, waits)
        drawn: set[str] = set()
        for sheet in dict.fromkeys(sheets):
            _shown(connection, sheet, drawn, waits)
        for _ in range(given.rounds):
            for sheet in dict.fromkeys(sheets):
                _shown(connection, sheet, drawn, waits)
    print(f"load beside it: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    print(f"{'ms':<28}{'times':>7}{'median':>8}{'p95':>8}{'most':>8}")
    for name, held in waits.items():
        p95 = quantiles(held, n=20, method="inclusive")[18]
        print(f"{name:<28}{len(held):>7}{median(held):>8.0f}{p95:>8.0f}{max(held):>8.0f}")


def _asked(connection: HTTPConnection, question: str, waits: Waits) -> list[str]:
    """Ask as the page does; addresses of the places that the answer cites."""
    start = time.perf_counter()
    connection.request("POST", "/ask", urlencode({"question": question}).encode(), _FORM)
    cited: list[str] = []
    for place, message in _messages(connection):
        if place in (READING, DIRECT):
            name = "how it was read" if place == READING else "first words of an answer"
            waits[name].append((time.perf_counter() - start) * 1000)
        cited += map(html.unescape, _CITED.findall(message))
    waits["the whole answer"].append((time.perf_counter() - start) * 1000)
    return cited


def _messages(connection: HTTPConnection) -> Iterator[tuple[str, str]]:
    """Places of the page, and what comes for them, as soon as it is there."""
    response = connection.getresponse()
    assert response.status == 200, response.status
    message = ""
    while line := response.readline().decode():
        message += line
        if line == "\n":
            target = _TARGET.search(message)
            yield target[1] if target else READING, message
            message = ""


def _shown(connection: HTTPConnection, sheet: str, drawn: set[str], waits: Waits) -> None:
    """Open a cited page as the viewer does, and load its image."""
    start = time.perf_counter()
    body = _got(connection, sheet).decode()
    around_ms = (time.perf_counter() - start) * 1000
    found = _IMAGE.search(body)
    assert found, sheet
    image = html.unescape(found[1])
    assert _got(connection, image).startswith(_PNG), image
    whole_ms = (time.perf_counter() - start) * 1000
    waits["a cited page, " + ("again" if image in drawn else "first")].append(whole_ms)
    waits["of it what is around"].append(around_ms)
    drawn.add(image)


def _got(connection: HTTPConnection, path: str) -> bytes:
    connection.request("GET", path, headers=_PART)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, (path, response.status)
    return body


if __name__ == "__main__":
    main()
