"""English statements of made companies: years, losses, units, spans, scopes, other layouts."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.records import Table
from finrag_pipeline_tests.stages.facts.english.made_filings import facts, filing, told
from finrag_pipeline_tests.stages.facts.made_reports import sentence, table

JANUARY = filing(date(2025, 2, 1), date(2024, 2, 4), 2024)
CALENDAR = filing(date(2024, 12, 31), date(2024, 1, 1), 2024)


def income(*head: str, unit: str = "(Dollars in millions, except per share data)") -> Table:
    """A statement of three columns."""
    return table(
        *head,
        f"{unit}|2024|2023|2022" if not head else "Revenues:|||",
        "Net sales|$ 5,120|$ 4,980|$ 4,700",
        "Other|30|20|10",
        "Total revenues|5,150|5,000|4,710",
        "Cost of sales|3,000|2,900|2,800",
        "(Loss) income before income taxes|(50)|(12)|7",
        "Income tax benefit (expense)|10|2|(1)",
        "Net (loss) income|(40)|(10)|6",
        "Less: net income attributable to noncontrolling interests|1|1|1",
        "Net (loss) income attributable to Starlight Foods, Inc.|$ (41)|$ (11)|$ 5",
        "Net (loss) income per common share:|||",
        "Basic|$ (0.41)|$ (0.11)|$ 0.05",
        "Diluted|$ (0.41)|$ (0.11)|$ 0.04",
        "Weighted-average common shares:|||",
        "Basic|100.0|100.0|100.0",
        "Diluted|100.0|100.0|125.0",
    )


def test_years_are_called_as_their_filer_calls_them() -> None:
    """Fiscal 2024 ends in February 2025, 53 weeks before that ends fiscal 2023."""
    found = facts(
        JANUARY,
        income(
            "|Fiscal Years Ended*3",
            "(In millions)|February 1, 2025|February 3, 2024|January 28, 2023",
        ),
    )
    assert told(found, "revenue") == {
        "2024FY": "5150000000",
        "2023FY": "5000000000",
        "2022FY": "4710000000",
    }
    assert {each.period.last_on for each in found if each.metric == "revenue"} == {
        date(2025, 2, 1),
        date(2024, 2, 3),
        date(2023, 1, 28),
    }
    assert {each.source for each in found} == {"annual", "annual_prior", "annual_earlier"}


def test_losses_taxes_and_whose_profit() -> None:
    """Brackets behind a sign are losses; a tax benefit is a negative tax."""
    found = facts(CALENDAR, income())
    assert told(found, "net_profit")["2024FY"] == "-40000000"
    assert told(found, "net_profit_attributable")["2024FY"] == "-41000000"
    assert told(found, "minority_profit")["2024FY"] == "1000000"
    assert told(found, "income_tax") == {
        "2024FY": "-10000000",
        "2023FY": "-2000000",
        "2022FY": "1000000",
    }


def test_basic_and_diluted_are_what_the_heading_over_them_counts() -> None:
    found = facts(CALENDAR, income())
    assert told(found, "eps")["2022FY"] == "0.05"
    assert told(found, "diluted_eps")["2022FY"] == "0.04"
    assert {each.unit for each in found if each.metric == "eps"} == {"USD/股"}
    assert told(found, "weighted_shares")["2022FY"] == "100000000"
    assert told(found, "diluted_shares")["2022FY"] == "125000000"


@pytest.mark.parametrize(
    ("unit", "currency", "power"),
    [
        ("(Dollars in thousands, except per share amounts)", "USD", 3),
        ("RMB'000", "CNY", 3),
        ("(HK$ in millions)", "HKD", 6),
        ("(Rs. in crores)", "INR", 7),
        ("(€ in millions)", "EUR", 6),
        ("(CNY in thousands)", "CNY", 3),
    ],
)
def test_units_of_many_countries(unit: str, currency: str, power: int) -> None:
    rows = ("Profit before tax|200|190", "Income tax expense|50|45", "Profit for the year|150|145")
    found = facts(
        CALENDAR,
        table(
            f"{unit}|2024|2023", "Revenue|1,234|1,111", *rows, "Basic earnings per share|1.5|1.4"
        ),
    )
    assert {each.unit for each in found if each.metric == "revenue"} == {currency}
    assert told(found, "revenue")["2024FY"] == str(1234 * 10**power)
    assert told(found, "eps") == {"2024FY": "1.5", "2023FY": "1.4"}


def test_spans_of_an_interim_report_stay_apart() -> None:
    """Three and nine months end on one day; the balance beside them ends a year."""
    found = facts(
        filing(date(2024, 9, 30), date(2024, 7, 1), 2024, "Form 10-Q"),
        table(
            "|Three Months Ended September 30,*2|Nine Months Ended September 30,*2",
            "(in thousands, except per share)|2024|2023|2024|2023",
            "Revenues|$ 1,200|$ 1,100|$ 3,500|$ 3,300",
            "Income before income taxes|190|140|480|380",
            "Provision for income taxes|40|30|100|80",
            "Net income|$ 150|$ 110|$ 380|$ 300",
            "Diluted earnings per share|$ 1.48|$ 1.09|$ 3.75|$ 2.97",
        ),
        table(
            "(in thousands)|September 30, 2024|December 31, 2023",
            "Total current assets|$ 900|$ 850",
            "Total assets|$ 1,500|$ 1,400",
            "Total liabilities|700|690",
            "Total stockholders' equity|800|710",
            "Total liabilities and stockholders' equity|$ 1,500|$ 1,400",
        ),
    )
    assert told(found, "revenue") == {
        "2024Q3": "1200000",
        "2023Q3": "1100000",
        "20249M": "3500000",
        "20239M": "3300000",
    }
    assert told(found, "total_assets") == {"20249M": "1500000", "2023FY": "1400000"}
    assert {each.checked for each in found if each.metric == "total_assets"} == {True}


def test_quarters_that_add_up_to_years_are_read_with_the_year_over_them() -> None:
    quarters = table(
        "|4th|3rd|2nd|1st|4th|3rd|2nd|1st",
        "|2024*4|2023*4",
        "Total revenues|$ 2,150|1,000|1,000|1,000|2,000|1,000|1,000|1,000",
        "Gross profit|1,150|300|400|300|1,100|500|300|200",
        "Net (loss) income|(10)|(10)|(10)|(10)|(1)|(2)|(3)|(4)",
        "Basic earnings per share|(0.10)|(0.10)|(0.10)|(0.11)|(0.02)|(0.03)|(0.03)|(0.04)",
    )
    found = facts(CALENDAR, income(), quarters)
    assert told(found, "revenue")["2024Q4"] == "2150000000"
    assert told(found, "eps")["2023Q1"] == "-0.04"
    assert {each.source for each in found if each.period.kind == "Q1"} == {"annual_quarters"}


def test_figures_of_affiliates_are_nobodys_and_the_parents_are_its_own() -> None:
    affiliate = table(
        "(In millions)|2024|2023",
        "Net sales|77|66",
        "Gross profit|20|10",
        "Net income|4|3",
        "Total assets|90|80",
    )
    parent = table(
        "(In millions)|2024|2023",
        "Cash and cash equivalents|7|6",
        "Total assets|310|300",
        "Total liabilities|10|10",
        "Retained earnings|200|190",
        "Total shareholders' equity|300|290",
        title="CONDENSED BALANCE SHEETS OF THE PARENT COMPANY",
    )
    found = facts(CALENDAR, income(), affiliate, parent)
    assert told(found, "revenue")["2024FY"] == "5150000000"
    assert {each.scope for each in found if each.metric == "total_assets"} == {"parent"}
    assert told(found, "total_assets")["2024FY"] == "310000000"


def test_a_statement_torn_over_two_pages_goes_on_under_its_headings() -> None:
    found = facts(
        CALENDAR,
        table(
            "(Dollars in millions)|2024|2023",
            "Cash flows from operating activities:|||",
            "Net income|40|10",
            "Depreciation and amortization|5|5",
            "Net cash provided by (used in) operating activities|60|(50)",
        ),
        table(
            "Capital expenditures|(20)|(18)",
            "Net cash used in investing activities|(20)|(18)",
            "Net cash used for financing activities|(5)|(5)",
            page=2,
        ),
    )
    assert told(found, "operating_cash_flow") == {"2024FY": "60000000", "2023FY": "-50000000"}
    assert told(found, "capex") == {"2024FY": "20000000", "2023FY": "18000000"}


def test_a_balance_without_headings_takes_the_days_printed_above_it() -> None:
    sheet = table(
        "Total current assets|900|850",
        "Goodwill|100|100",
        "Total assets|1,500|1,400",
        "Total current liabilities|300|310",
        "Total shareholders' equity|700|650",
        "Noncontrolling interests|100|60",
        "Total equity|800|710",
        unit="In millions",
    )
    lower = Table(0, 1, (0, 100, 500, 300), sheet.cells, None, "In millions")
    above = sentence("June 30, June 30, 2024 2023 ASSETS")
    year = filing(date(2024, 6, 30), date(2023, 7, 1), 2024)
    found = facts(year, lower, regions=[above])
    assert told(found, "total_assets") == {"2024FY": "1500000000", "2023FY": "1400000000"}
    assert told(found, "equity")["2024FY"] == "800000000"
    assert told(found, "equity_attributable")["2024FY"] == "700000000"


def test_adjusted_figures_and_changes_are_no_facts() -> None:
    found = facts(
        CALENDAR,
        table(
            "(In millions)|2024|2023|% Change|2024 Adjusted",
            "Net sales|500|400|25|510",
            "Income before income taxes|50|40|25|60",
            "Income tax expense|10|8|25|12",
            "Net income|40|32|25|48",
            "Adjusted measures:||||",
            "Net income|44|36|22|48",
            "Basic earnings per share|$ 4.40|$ 3.60|22|$ 4.80",
        ),
    )
    assert told(found, "net_profit") == {"2024FY": "40000000", "2023FY": "32000000"}
    assert len([each for each in found if each.metric == "net_profit"]) == 2
    assert not told(found, "eps")


def test_columns_of_segments_under_one_year_are_left_out() -> None:
    found = facts(
        CALENDAR,
        table(
            "|Year Ended December 31, 2024*3",
            "(In millions)|Retail|Wholesale|Consolidated",
            "Net sales|300|200|500",
            "Income before income taxes|30|20|50",
            "Income tax expense|6|4|10",
            "Net income|24|16|40",
        ),
    )
    assert told(found, "revenue") == {"2024FY": "500000000"}
    assert len([each for each in found if each.metric == "revenue"]) == 1


def test_deferred_taxes_below_what_is_owed_are_owed() -> None:
    found = facts(
        CALENDAR,
        table(
            "(In millions)|December 31, 2024|December 31, 2023",
            "Total current assets|900|850",
            "Deferred income taxes|10|20",
            "Total assets|1,500|1,400",
            "Total current liabilities|300|310",
            "Deferred income taxes|70|60",
            "Total equity|800|710",
        ),
    )
    assert told(found, "deferred_tax_assets")["2024FY"] == "10000000"
    assert told(found, "deferred_tax_liabilities")["2024FY"] == "70000000"
