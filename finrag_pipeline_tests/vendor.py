"""Files of a made-up data vendor in every format, and the mapping that reads them."""

from __future__ import annotations

import os
from pathlib import Path

import pandas
from openpyxl import Workbook

COLUMNS = "columns: {code: 代码, company: 简称, year: 年度, period: 报告期}"
MAPPING = f"""
files:
  - file: 利润表.csv
    encoding: gb18030
    {COLUMNS}
    period_codes: {{Q2: H1, Q3: 9M}}
    unit: 万元
    metrics: {{营业收入: revenue, 净利润: net_profit, 毛利率(%): printed_gross_margin}}
  - file: book.xlsx
    sheet: 资产负债表
    header: 2
    {COLUMNS}
    metrics: {{总资产(亿元): total_assets}}
  - file: estimates.parquet
    columns: {{code: code, year: year, metric: item, value: value, unit: unit, broker: broker,
              nature: nature, published_on: date}}
"""
CSV = "代码,简称,年度,报告期,营业收入,净利润,毛利率(%)\n"


def write_vendor(folder: Path) -> Path:
    """A mapping with a file of every format, the CSV of 20 April 2025; returns the mapping."""
    folder.mkdir()
    (folder / "vendor.yaml").write_text(MAPPING, "utf-8")
    rows = '600519,星河新材,2024,FY,"1,234.5",100,12.3\n000651,云岭电器,2024,Q3,--,-7,\n'
    write_csv(folder, rows)
    book = Workbook()
    sheet = book.create_sheet("资产负债表")
    headings = ["代码", "简称", "年度", "报告期", "总资产(亿元)"]
    for row in (["合并"], headings, ["600519.SH", "星河新材", 2024, "FY", 1.5], []):
        sheet.append(row)
    book.save(folder / "book.xlsx")
    estimates(folder, [88.5, 90.25])
    return folder / "vendor.yaml"


def write_csv(folder: Path, rows: str) -> None:
    path = folder / "利润表.csv"
    path.write_bytes((CSV + rows).encode("gb18030"))
    os.utime(path, (1745136000, 1745136000))  # 2025-04-20 in Shanghai


def estimates(folder: Path, values: list[float]) -> None:
    frame = pandas.DataFrame(
        {
            "code": ["600519"] * len(values),
            "year": [2026 + n for n in range(len(values))],
            "item": "target_price",
            "value": values,
            "unit": "元",
            "broker": "甲证券",
            "nature": "forecast",
            "date": pandas.Timestamp("2025-03-01"),
        }
    )
    frame.to_parquet(folder / "estimates.parquet", engine="fastparquet")
