"""The English initiation on Chengguang: contents, two columns, merged tables."""

from __future__ import annotations

from brokers import MERIDIAN, closing_en
from drawing.charts import Chart, draw_charts
from drawing.covers import banner_cover, contents, wide
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import EN_LABELS, Forecast, Meta, Report, Table, num, pct

SOURCE = "Source: company data, Meridian Quay Research estimates"
MODEL = Forecast(
    years=("2022A", "2023A", "2024E", "2025E", "2026E"),
    prior_revenue=11230,
    prior_profit=702,
    revenue=(14600, 18250, 22100, 27400, 33200),
    cost=(12264, 15148, 18232, 22468, 27058),
    profit=(905, 1168, 1500, 1950, 2440),
    equity=(8120, 9120, 10320, 11880, 13830),
    shares=1560,
    price=20.40,
)
META = Meta(
    file="meridian_chengguang_initiation_20241106.pdf",
    title="Chengguang Energy Storage: scale meets discipline; initiate at Buy",
    kind="company",
    language="en",
    company_code="688992.SH",
    company_codes=("688992.SH",),
    company_name="Chengguang Energy Storage",
    broker="Meridian Quay Research",
    analysts=("Isolde Marchetti", "Tobias Renfield"),
    rating="Buy",
    target_price=26.25,
    published_on="2024-11-06",
)


def build(sheet: Sheet) -> None:
    """Draw the initiation note: contents, two columns, merged and three-line tables."""
    sheet.running = ("MQR | Asia Energy Team", "Equity research | Energy storage | 6 November 2024")
    banner_cover(
        sheet,
        "Chengguang Energy Storage (688992.SH)",
        "Equity research - initiation of coverage",
        "BUY (new)",
        "6 November 2024",
        (
            "Analysts",
            (
                ("Isolde Marchetti", "Licence SOURCE-20417", "i.marchetti@mquay.example"),
                ("Tobias Renfield", "Licence SOURCE-20733", "t.renfield@mquay.example"),
            ),
        ),
        (
            (
                "Key data",
                (
                    ("Price (CNY)", num(MODEL.price, 2)),
                    ("Target price (CNY)", "26.25"),
                    ("Upside", pct(26.25 / MODEL.price - 1)),
                    ("Shares (m)", num(MODEL.shares)),
                    ("Market value (CNY m)", num(MODEL.market_value)),
                ),
            ),
            (
                "Relative return",
                (("1 month", "4.1%"), ("3 months", "11.8%"), ("12 months", "-6.3%")),
            ),
        ),
    )
    sheet.heading("Summary", 2)
    for lead, text in (
        (
            "Leader in storage cells. ",
            "Chengguang Energy Storage (hereafter 'Chengguang' or 'the company') shipped "
            "28.4 GWh of "
            "storage cells in 2023, ahead of Lingqiao Technology with 17.9 GWh.",
        ),
        (
            "Growth with restraint. ",
            f"We forecast revenue of CNY {num(MODEL.revenue[2])}m in 2024 "
            f"({pct(MODEL.revenue_growth[2])} "
            f"growth) and CNY {num(MODEL.revenue[3])}m in 2025 "
            f"({pct(MODEL.revenue_growth[3])}). Management "
            "has not committed to new capacity beyond the Xikou site.",
        ),
        (
            "Supply secured. ",
            "Xinghe Advanced Materials supplies 55% of its cathodes and Gechuan Membrane all "
            "of its "
            "wet separators. Chengguang also owns 4.9% of Xinghe.",
        ),
        (
            "Valuation. ",
            "Our target price of CNY 26.25 is 21 times our 2025 EPS of CNY "
            f"{num(MODEL.eps[3], 2)}.",
        ),
        ("Risks. ", "Tariffs, a price war with Lingqiao, and slow grid approvals."),
    ):
        sheet.para(text, lead, "-")
    wide(sheet)
    sheet.y = max(sheet.y, 540)
    draw_table(
        sheet,
        Table("Forecasts and valuation", MODEL.rows(EN_LABELS), "", SOURCE, style="three"),
        size=7.8,
    )
    contents(sheet, "Contents", "Tables and figures")
    sheet.new_page()
    sheet.heading("Investment case")
    sheet.two_columns(
        (
            (
                "Demand. ",
                "China added 26.9 GWh of new storage in 2023 and we expect 41 GWh in 2024. "
                "Capacity "
                "payments for stand-alone storage are under trial in two provinces. If the trial "
                "spreads, operators such as Xiyuan Power could double their tenders.",
            ),
            (
                "Cost. ",
                "Lithium carbonate has fallen by roughly four fifths from its peak. Liheng "
                "Resources, "
                "the main supplier to the chain, is still adding supply, which leads us to assume "
                "flat cell prices in 2025.",
            ),
            (
                "Customers. ",
                "Yuanxiu Energy Systems took 31% of shipments in 2023 and Pengshan Electric 14%. "
                "Yuanxiu does not make its own cells and has told us it has no plan to do so.",
            ),
            (
                "Subsidiary. ",
                "Chengguang Power Systems (301881.SZ), 51.2% owned, sells packs for construction "
                "machines. It is consolidated but is not a storage business.",
            ),
        )
    )
    draw_charts(
        sheet,
        (
            Chart(
                "Figure 1: Revenue and growth",
                MODEL.years,
                (("Revenue", MODEL.revenue),),
                (("Growth (right)", [v * 100 for v in MODEL.revenue_growth]),),
                "CNY m",
                "%",
                SOURCE,
            ),
            Chart(
                "Figure 2: Gross margin and ROE",
                MODEL.years,
                (),
                (
                    ("Gross margin", [v * 100 for v in MODEL.margin]),
                    ("ROE", [v * 100 for v in MODEL.roe]),
                ),
                "",
                "%",
                SOURCE,
            ),
        ),
    )
    draw_table(
        sheet,
        Table(
            "Table 1: Customers and suppliers in 2023",
            [
                ["Side", "Name", "Item", "Share"],
                ["Customer", "Yuanxiu Energy Systems", "Storage cells", "31%"],
                ["^", "Pengshan Electric", "Storage cells", "14%"],
                ["Supplier", "Xinghe Advanced Materials", "Cathodes", "55%"],
                ["^", "Gechuan Membrane", "Wet separators", "100%"],
            ],
            "",
            SOURCE,
            widths=(1, 2, 1.4, 0.8),
            align_left=(0, 1, 2),
        ),
        size=8.6,
    )
    sheet.new_page()
    sheet.heading("Forecasts and peers")
    sheet.para(
        "Our 2025 net profit forecast is 4% above the market average, because we assume a gross "
        f"margin of {pct(MODEL.margin[3])} against {pct(MODEL.margin[2])} in 2024."
    )
    profit_before = [p / 0.85 for p in MODEL.profit]
    draw_table(
        sheet,
        Table(
            "Table 2: Income statement",
            [
                ["Item", "Actual", "<", "Forecast", "<", "<"],
                ["^", *MODEL.years],
                ["Revenue", *(num(v) for v in MODEL.revenue)],
                ["Cost of sales", *(num(v) for v in MODEL.cost)],
                [
                    "Gross profit",
                    *(num(r - c) for r, c in zip(MODEL.revenue, MODEL.cost, strict=True)),
                ],
                ["Profit before tax", *(num(v) for v in profit_before)],
                ["Net profit", *(num(v) for v in MODEL.profit)],
            ],
            "CNY m",
            SOURCE,
            header_rows=2,
            bold_rows=(6,),
        ),
        size=8.6,
    )
    sheet.heading("Risks", 2)
    sheet.para(
        "A price war: if Lingqiao Technology cuts prices by a further 5%, our 2025 net profit "
        "forecast would fall by about CNY 310m."
    )
    sheet.para("Tariffs: the company has no plant outside China and could not shift production.")
    closing_en(
        sheet,
        [
            ["Region", "Name", "Phone", "Mail"],
            ["Europe", "Clara Voss", "+44 20 5550 0144", "c.voss@mquay.example"],
            ["Asia", "Jonah Pell", "+852 5555 0145", "j.pell@mquay.example"],
        ],
    )


REPORT = Report(
    META,
    MERIDIAN,
    build,
    (
        "Management has not committed to new capacity beyond the Xikou site",
        "Chengguang also owns 4.9% of Xinghe",
        "Yuanxiu does not make its own cells",
        "It is consolidated but is not a storage business",
        "forecast would fall by about CNY 310m",
    ),
)
