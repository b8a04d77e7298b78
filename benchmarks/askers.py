"""What askers at once wait for while the embedding model's server is quick, and slow: one table.

`python benchmarks/askers.py [--askers 32] [--slow-s 2] [--chunks 2000]` fills a store of its own in
a temporary home with vectors of a server on loopback, and lets half the askers search in all lanes,
half by keywords alone.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from graph_lane import fill

from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import stop_embedded_server

ROUNDS = 6


class Model(ThreadingHTTPServer):
    """Embeds as the offline model does, after `delay_s`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Embeddings)
        self.delay_s = 0.0
        self.embedder = OfflineEmbedder()


class _Embeddings(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, Model)
        time.sleep(self.server.delay_s)
        vectors = self.server.embedder.embed_questions(body["input"]) + 1e-6
        data = [
            {"object": "embedding", "index": n, "embedding": vector.tolist()}
            for n, vector in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        reply = json.dumps({"object": "list", "model": "m", "data": data, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """A table is printed, and nothing else."""


def main() -> None:
    """Fill, ask with a quick and with a slow server, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--askers", type=int, default=32)
    parser.add_argument("--slow-s", type=float, default=2.0)
    parser.add_argument("--chunks", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=16, help="size of the reader's pool")
    options = parser.parse_args()
    with served() as model, tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]
            home=Path(home),
            embedder="openai:m",
            embedding_base_url=f"http://127.0.0.1:{model.server_port}/v1",
        )
        try:
            with (
                Database.open(settings) as database,
                Reader.open(settings, max_connections=options.connections) as reader,
            ):
                fill(database, settings, options.chunks)
                engine = QueryEngine(reader, settings)
                engine.search("毛利率")
                print(f"{'server':<8}{'lane':<18}searches   p50 ms   p95 ms  failed")
                quick = ask(engine, options.askers)
                show("quick", quick)
                model.delay_s = options.slow_s
                slow = ask(engine, options.askers)
                show("slow", slow)
        finally:
            stop_embedded_server(Path(home))
    alone = [np.percentile(each["keyword alone"], 95) for each in (quick, slow)]
    print(f"SUMMARY askers={options.askers} keyword_p95_ratio={alone[1] / alone[0]:.2f}")


@contextmanager
def served() -> Generator[Model]:
    """The server, listening."""
    with Model() as model:
        thread = threading.Thread(target=model.serve_forever, daemon=True)
        thread.start()
        try:
            yield model
        finally:
            model.shutdown()


def ask(engine: QueryEngine, askers: int) -> dict[str, list[float]]:
    """Milliseconds of each lane, of whole searches, and how many lanes failed."""
    held: defaultdict[str, list[float]] = defaultdict(list)

    def one(number: int) -> None:
        for turn in range(ROUNDS):
            question = f"公司{number * ROUNDS + turn + 1}的毛利率为什么提升？"
            if number % 2:
                found = engine.search(question, Options(lane="keyword"))
                held["keyword alone"].append(found.latency_ms["total"])
            else:
                found = engine.search(question)
                for lane, elapsed_ms in found.latency_ms.items():
                    held[lane].append(elapsed_ms)
            held["failed"] += [1.0] * len(found.degraded)

    with ThreadPoolExecutor(askers) as pool:
        for done in [pool.submit(one, number) for number in range(askers)]:
            done.result()
    return dict(held)


def show(name: str, held: dict[str, list[float]]) -> None:
    """One line for each lane."""
    failed = len(held.pop("failed", []))
    for lane, times in sorted(held.items()):
        p50, p95 = np.percentile(times, [50, 95])
        print(f"{name:<8}{lane:<18}{len(times):>9}{p50:>9.0f}{p95:>9.0f}{failed:>8}")


if __name__ == "__main__":
    main()
