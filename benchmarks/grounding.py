"""How many right answers the gate lets pass, and how many wrong ones it catches.

Asks for figures that the store of the environment (`FINRAG_HOME`, `FINRAG_DATABASE_URL`) holds, in
the language of their documents, then flips one thing of each answer: a digit, a sign, a unit, a
time, the scope, the company.

    python benchmarks/grounding.py --answers 200 --seed 7
"""

from __future__ import annotations

import random
import time
from collections import Counter

import typer

from finrag_pipeline.evaluation.mutations import mutations
from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.answers.numbers.wording import period_told
from finrag_pipeline.query.answers.numbers.writer import NumbersWriter
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.grounding import Grounding, grounded
from finrag_pipeline.query.numbers.records import AskedPeriod
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese

#: Asked for in turn with what is held; each is worked out of several figures.
FORMULAS = {
    True: ("毛利率", "净利率", "资产负债率", "营业收入增长率"),
    False: ("gross margin", "net margin", "revenue growth"),
}
#: Companies that no store holds.
STRANGERS = {True: ("青屿能源", "霁川股份"), False: ("Globex", "Initech")}
HELD = """
select company_name, metric, fiscal_year, period, scope, nature from best_facts
where segment = '' and period <> 'other' and company_name is not null and metric = any(%(metrics)s)
order by fact_id
"""


def question_for(row: Row, draw: random.Random) -> str:
    """A question for a figure that is held, or for one that is worked out beside it."""
    chinese = is_chinese(row["company_name"])
    metric = fact_metrics()[row["metric"]]
    name = metric.name_zh if chinese else metric.name_en
    if row["nature"] == "actual" and draw.random() < 0.4:
        name = draw.choice(FORMULAS[chinese])
    when = period_told(AskedPeriod(row["fiscal_year"], row["period"]), False, chinese)
    if chinese:
        scope = "母公司" if row["scope"] == "parent" else ""
        return f"{row['company_name']}{when}{scope}{name}是多少？"
    return f"What was the {name} of {row['company_name']} in {when}?"


def held(draft: Draft, text: str, catalogue: Catalogue, spent: list[float]) -> Grounding:
    """What the evidence of a draft holds of a text; the milliseconds of a core that it took."""
    start = time.process_time()
    found = grounded(text, draft.citations, draft.sources, catalogue, draft.numbers)
    spent.append(1000 * (time.process_time() - start))
    return found


def main(answers: int = 200, seed: int = 7, app: str = "default") -> None:
    draw = random.Random(seed)
    caught: Counter[str] = Counter()
    every: Counter[str] = Counter()
    refused: list[str] = []
    missed: list[str] = []
    spent: list[float] = []
    told = 0
    settings = load_settings()
    with Reader.open(settings) as reader:
        engine = QueryEngine(reader, settings)
        writer = NumbersWriter(reader, engine._search_part)  # pyright: ignore[reportPrivateUsage]
        with reader.reading(app) as connection:
            rows = connection.execute(HELD, {"metrics": list(fact_metrics())}).fetchall()
        draw.shuffle(rows)
        names = sorted({row["company_name"] for row in rows})
        for row in rows:
            if told == answers:
                break
            question = question_for(row, draw)
            asked, _ = engine._asked(question, Options(app=app))  # pyright: ignore[reportPrivateUsage]
            draft = writer(asked, SearchResult(question, (), {}))
            if draft is None or draft.status or not draft.citations:
                continue
            told += 1

            catalogue = asked.scope.catalogue
            if held(draft, draft.text, catalogue, spent).lacking:
                refused.append(draft.text)
                continue
            name = max((each for each in names if each in draft.text), key=len, default="")
            chinese = is_chinese(question)
            others = [each for each in names if is_chinese(each) == chinese]
            others = [each for each in others if each not in name and name not in each]
            others += STRANGERS[chinese]
            for wrong in mutations(draft.text, name, others, seed):
                every[wrong.flip] += 1
                if held(draft, wrong.text, catalogue, spent).lacking:
                    caught[wrong.flip] += 1
                else:
                    missed.append(f"{wrong.flip}: {wrong.text.splitlines()[0]}")
    print(f"{told} right answers, {len(refused)} refused")
    for flip, count in every.items():
        print(f"{flip:8} {caught[flip]} of {count} caught")
    spent.sort()
    if spent:
        middle, late = spent[len(spent) // 2], spent[-1 - len(spent) // 20]
        print(f"{middle:.1f} ms of a core an answer, p95 {late:.1f}")
    for each in (*refused, *missed):
        print("-", each)


if __name__ == "__main__":
    typer.run(main)
