"""Main figures that a store holds, asked for in many words, times and frames: how many are told.

The wordings of `metric_wordings.csv` and `time_wordings.csv` in `labels` are laid over figures of
the store of the environment (`FINRAG_HOME`, `FINRAG_DATABASE_URL`); right is an answer whose value
is one that the store holds of that company, metric and time.

    python benchmarks/main_figures.py --questions 600 --seed 1 --misses
"""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

import typer

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.reader import Reader

LABELS = Path(__file__).with_name("labels")
HELD = """
select company_code, company_name, metric, fiscal_year, period_kind, value from financial_facts
where scope = 'consolidated' and nature = 'actual' and segment = '' and company_name is not null
  and company_code ~ '[.]S[HZ]$' and metric = any(%(metrics)s) and period_kind = any(%(kinds)s)
order by company_code, metric, fiscal_year, period_kind, value
"""
FRAMES = (
    *("{name}{time}{metric}", "{name} {time} {metric}", "{time}{name}的{metric}"),
    *("{name}，{time}，{metric}", "帮我看下{name}{time}{metric}", "{metric} {name} {time}"),
    *("{name}{metric}，{time}", "{name}的{metric}，{time}", "查{name}{time}{metric}"),
)
_CHARACTERS = "〇一二三四五六七八九"
_CLOSE = Decimal("1e-6")


def main(questions: int = 600, seed: int = 1, misses: bool = False) -> None:
    """Ask and count."""
    metrics = {row["metric"]: row["wordings"].split("|") for row in rows("metric")}
    times = {(row["timing"], row["kind"]): row["wordings"].split("|") for row in rows("time")}
    settings, draw = load_settings(), random.Random(seed)
    with Reader.open(settings) as reader:
        with reader.reading(settings.app) as connection:
            asked = {"metrics": list(metrics), "kinds": [kind for _, kind in times]}
            found = connection.execute(HELD, asked).fetchall()
        held: defaultdict[tuple[str, ...], set[Decimal]] = defaultdict(set)
        for row in found:
            key = (row["company_code"], row["company_name"], row["metric"])
            held[*key, str(row["fiscal_year"]), row["period_kind"]].add(row["value"])
        by_metric: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        for key in held:
            by_metric[key[2]].append(key)
        engine, told = QueryEngine(reader, settings), Counter[str]()
        in_turn = sorted(by_metric)
        for number in range(questions):
            metric = in_turn[number % len(in_turn)]
            key = draw.choice(by_metric[metric])
            timing = fact_metrics()[metric].timing
            if (timing, key[-1]) not in times:
                continue  # balances are of no quarter alone
            question = worded(key, metrics[metric], times[timing, key[-1]], draw)
            answer = engine.ask(question, Options())
            outcome = judged(answer.value, held[key])
            told[outcome] += 1
            if misses and outcome != "right":
                typer.echo(f"{outcome}: {question} | {answer.answer.splitlines()[0][:120]}")
    typer.echo(f"{sum(told.values())} questions: {dict(told)}")


def rows(what: str) -> list[dict[str, str]]:
    """The lines of a file of wordings."""
    path = LABELS / f"{what}_wordings.csv"
    return list(csv.DictReader(path.open(encoding="utf-8", newline="")))


def worded(key: tuple[str, ...], words: list[str], times: list[str], draw: random.Random) -> str:
    """A question for a figure."""
    code, name, _, year, _ = key
    characters = "".join(_CHARACTERS[int(each)] for each in year)
    time = draw.choice(times).format(y=year, s=year[2:], c=characters)
    bearer = draw.choice((name, f"{code.partition('.')[0]} "))
    frame = draw.choice(FRAMES)
    return frame.format(name=bearer, time=time, metric=draw.choice(words)).replace("  ", " ")


def judged(value: object, held: set[Decimal]) -> str:
    """Whether a value is one that is held: right, wrong, or told by none."""
    if not isinstance(value, dict) or "number" not in value:
        return "no value"
    number = Decimal(str(value["number"]))
    ways = {way for each in held for way in (each, each * 100)}
    close = any(abs(number - way) <= abs(way) * _CLOSE for way in ways)
    return "right" if close else "wrong"


if __name__ == "__main__":
    typer.run(main)
