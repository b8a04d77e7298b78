"""What rows of English statements are, in the words of many filers, and what they are not."""

from __future__ import annotations

import pytest

from finrag_pipeline.stages.facts.english.labels import metric_of

ROWS = """
Total net sales and revenue: revenue
Revenues, net (Note 4): revenue
Cost of goods sold (exclusive of depreciation): cost_of_sales
Selling, general & administrative expenses: sga_expenses
Earnings (loss) from continuing operations before income tax expense: profit_before_tax
Income before provision for (benefit from) income taxes: profit_before_tax
(Benefit from) provision for income taxes: income_tax
Net earnings, including earnings attributable to redeemable and noncontrolling interests: net_profit
Net income before allocation to noncontrolling interests: net_profit
Consolidated net loss: net_profit
Net (loss) earnings attributable to Silver River Co., Inc. shareholders: net_profit_attributable
Net income available to common stockholders: -
Cost of services: -
Interest (income) expense, net: -
Net loss attributable to noncontrolling interests: minority_profit
Basic net (loss) income per share: eps
Net income per common share - diluted: diluted_eps
Earnings per share — basic: eps
Earnings per ordinary share, diluted: diluted_eps
Cash dividends declared per common share: dividends_per_share
TOTAL ASSETS: total_assets
Total Silver River shareholders’ equity: equity_attributable
Total stockholders' deficit: equity
Property, plant, and equipment, net ......: fixed_assets
Cash used by operations: operating_cash_flow
Net cash (used in)/provided by operating activities: operating_cash_flow
Net cash flows used for financing activities: financing_cash_flow
Purchases of land, buildings, and equipment: capex
Additions to property and equipment, net of $48, $92 and $14 of non-cash capital expenditures: -
Property, plant and equipment additions: capex
Depreciation: depreciation_alone
Net income as a percentage of sales: -
Adjusted net sales: -
Net sales growth: -
Net income from continuing operations: -
Increase in accounts receivable: -
Proceeds from sale of property and equipment: -
Adjustments to reconcile net income to net cash provided by operating activities: -
Net cash provided by operating activities from discontinued operations: -
Comprehensive income attributable to noncontrolling interests: -
Total costs of acquisitions: -
"""


@pytest.mark.parametrize("row", [row for row in ROWS.splitlines() if row])
def test_rows_without_a_heading(row: str) -> None:
    label, _, wanted = row.rpartition(": ")
    found = metric_of(label)
    assert (found.name if found else "-") == wanted


@pytest.mark.parametrize(
    ("label", "blocks", "wanted"),
    [
        ("Basic", ("Earnings per common share:",), "eps"),
        ("Basic", ("Weighted average number of shares outstanding",), "weighted_shares"),
        ("Diluted", ("Shares used in computing net income per share:",), "diluted_shares"),
        ("Basic", ("Earnings from discontinued operations per common share",), None),
        (
            "Net income attributable to Silver River",
            ("Earnings per share––diluted:",),
            "diluted_eps",
        ),
        ("Net earnings", ("Per share data",), None),
        (
            "Owners of the parent",
            ("Profit for the year attributable to:",),
            "net_profit_attributable",
        ),
        ("Non-controlling interests", ("Attributable to:",), "minority_profit"),
        ("Owners of the parent", ("Total comprehensive income attributable to:",), None),
        ("Net income", ("Non-GAAP financial measures",), None),
        ("Total assets", ("Earnings per share:",), "total_assets"),
    ],
)
def test_rows_under_a_heading(label: str, blocks: tuple[str, ...], wanted: str | None) -> None:
    found = metric_of(label, blocks)
    assert (found.name if found else None) == wanted
