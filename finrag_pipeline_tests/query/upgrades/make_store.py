"""Makes a store of a release for `test_upgrade.py`, with what its questions got there.

In a checkout of that release, with its `finrag` on the PATH:

    FINRAG_HOME=NEW_FOLDER python make_store.py NNNN

writes `store_NNNN.backup` and `store_NNNN.json` beside this file, NNNN being the release's last
migration. Only commands are used, since they stay what they are from one release to the next.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

UPGRADES = Path(__file__).parent
SAMPLES = UPGRADES.parents[2] / "samples"
#: A report on a company, one on an industry, a filing.
DOCUMENTS = (
    "canglan_xinghe_q3_20251030",
    "qiling_storage_industry_20251208",
    "yuanxiu_q3_report_20251028",
)
#: Enough of a citation to tell it from any other.
CITED = ("n", "kind", "source", "page", "bbox", "quote")
#: Migrations since which there are figures, feedback, records of companies and tokens to keep.
FEEDBACK, FIGURES, RECORDS, TOKENS = 13, 18, 19, 21
#: A vendor's figures, of a year that no document tells of.
VENDOR = {
    "figures.yaml": """
files:
  - file: figures.csv
    columns: {code: code, year: year, metric: item, value: value, unit: unit,
              published_on: published_on}
""",
    "figures.csv": """code,year,item,value,unit,published_on
688991.SH,2019,营业收入,1234.5,百万元,2020-04-20
688991.SH,2019,归母净利润,98.7,百万元,2020-04-20
""",
}


def finrag(*arguments: str) -> str:
    """What a command of the release prints; in this process, as most of a question is its start."""
    from finrag_pipeline.serve.cli.main import main as command

    sys.argv = ["finrag", *arguments]
    with redirect_stdout(StringIO()) as printed:
        try:
            command()
        except SystemExit as end:
            if end.code:
                raise
    return printed.getvalue()


def fill(level: int) -> None:
    """Documents, a weekly build, and whatever else a release of that level can be given."""
    paths = [str(SAMPLES / "pdfs" / f"{name}.pdf") for name in DOCUMENTS]
    finrag("ingest", "--arrival", "2025-12-10", *paths)
    with TemporaryDirectory() as folder:
        if level >= FIGURES:
            for name, text in VENDOR.items():
                Path(folder, name).write_text(text.lstrip())
            finrag("structured", "load", str(Path(folder, "figures.yaml")))
        if level >= RECORDS:
            records = json.loads((SAMPLES / "enterprise" / "companies.json").read_text())
            company = records["companies"][0]
            records["companies"] = [company]
            records["relations"] = [each for each in records["relations"] if "鼎盛" in str(each)]
            Path(folder, "companies.json").write_text(json.dumps(records, ensure_ascii=False))
            finrag("enterprise", "load", str(Path(folder, "companies.json")))
    finrag("rebuild", "--week", "2025-12-10")
    if level >= FEEDBACK:
        finrag("feedback", "mark", "星河新材的主要风险有哪些？", "--good")
    if level >= TOKENS:
        finrag("tokens", "create", "research desk")


def reply(question: str, options: dict[str, str]) -> dict[str, Any]:
    """What the release answers, by which figure or names, and from where."""
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    whole = json.loads(finrag("ask", "--json", question, *flags))
    cited = [{name: each[name] for name in CITED} for each in whole["evidence"]]
    return {name: whole[name] for name in ("status", "value", "warnings")} | {"evidence": cited}


def main() -> None:
    level = sys.argv[1]
    os.environ["FINRAG_REGISTRY"] = str(SAMPLES / "registry.csv")
    fill(int(level))
    finrag("backup", str(UPGRADES / f"store_{level}.backup"))
    asked = json.loads((UPGRADES / "questions.json").read_text())
    for each in asked:
        each["reply"] = reply(each["question"], each["options"])
    (UPGRADES / f"store_{level}.json").write_text(
        json.dumps(asked, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    )


if __name__ == "__main__":
    main()
