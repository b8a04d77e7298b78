"""The English sector note on pet food and hogs: scenarios and a supply table."""

from __future__ import annotations

import itertools

from brokers import ALDER, closing_en
from drawing.charts import Chart, draw_charts
from drawing.covers import ledger_cover
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import Meta, Report, Table, num, pct

SOURCE = "Source: company data, Alder & Finch Securities"
META = Meta(
    file="alder_petfood_hogs_20260210.pdf",
    title="Pet food and hogs: two cycles, one feed bill",
    kind="industry",
    language="en",
    company_code="",
    company_codes=(),
    company_name="",
    broker="Alder & Finch Securities",
    analysts=("Marguerite Oyelaran",),
    rating="Overweight",
    target_price=None,
    published_on="2026-02-10",
)


def build(sheet: Sheet) -> None:
    """Draw the sector note: a left fact column, peers, scenarios and a long feed table."""
    sheet.running = ("A&F | Asia Consumer Desk", "Sector note | Consumer and agriculture")
    ledger_cover(
        sheet,
        "Sector note",
        "China pet food and hogs",
        "Overweight",
        ("Top pick: Tinglan Pet Foods", "Least liked: none"),
        "10 February 2026",
        (
            "Analyst",
            (("Marguerite Oyelaran", "Licence SOURCE-1187", "m.oyelaran@alderfinch.example"),),
        ),
        (("Sector data", (("Companies", "23"), ("Median P/E (x)", "19.6"), ("Weight", "2.8%"))),),
    )
    sheet.heading("Key points", 2)
    for lead, text in (
        (
            "Brands win. ",
            "Tinglan Pet Foods (301885.SZ) raised the share of its own brand from 52.1% in "
            "the first "
            "half of 2024 to 61.4% in 2025. Contract work did not shrink in absolute terms.",
        ),
        (
            "Hogs near the floor. ",
            "Heqiu Farming (001752.SZ) has cut its full cost to CNY 11.8 per kg. If the sow "
            "herd falls "
            "below 38.5 million, we think prices could turn in the third quarter of 2026.",
        ),
        (
            "One feed bill. ",
            "Guman Agritech (605983.SH) sells feed to Heqiu under a five-year contract and "
            "premix to "
            "Tinglan, so cheaper corn helps both. A rise in pork prices hurts only Tinglan.",
        ),
        ("Risks. ", "Disease, platform fees, corn prices, and slow uptake of prescription food."),
    ):
        sheet.para(text, lead, "-")
    sheet.new_page()
    sheet.heading("Pet food")
    sheet.two_columns(
        (
            (
                "Capacity. ",
                "The Qingyu wet-food plant of Tinglan opened in October 2024 and ran at 63% in "
                "2025. "
                "We expect 80% in 2026, which should lift gross margin by about one point.",
            ),
            (
                "Clinics. ",
                "Beiyu Pet Clinics (301886.SZ) and Tinglan hold 51% and 49% of Yulan Health, their "
                "joint venture in prescription food. Tinglan does not consolidate it.",
            ),
            (
                "Exports. ",
                "Tinglan chose Mengta for a contract plant in January 2026 after tariffs rose. The "
                "plant will not open before 2027.",
            ),
        )
    )
    years = ("2023A", "2024A", "2025E", "2026E")
    revenue = (1620, 2041, 2530, 3087)
    draw_charts(
        sheet,
        (
            Chart(
                "Figure 1: Tinglan revenue", years, (("Revenue", revenue),), (), "CNY m", "", SOURCE
            ),
            Chart(
                "Figure 2: Hog price and full cost",
                ("25Q1", "25Q2", "25Q3", "25Q4"),
                (),
                (
                    ("Hog price", (14.9, 14.4, 13.5, 12.4)),
                    ("Heqiu full cost", (12.9, 12.5, 12.1, 11.8)),
                ),
                "",
                "CNY/kg",
                SOURCE,
            ),
        ),
    )
    rises = ["-", *(pct(b / a - 1) for a, b in itertools.pairwise(revenue))]
    profit = (145, 201, 262, 341)
    draw_table(
        sheet,
        Table(
            "Table 1: Tinglan Pet Foods forecasts",
            [
                ["Year to December", *years],
                ["Revenue", *(num(v) for v in revenue)],
                ["Growth", *rises],
                ["Net profit", *(num(v) for v in profit)],
                ["Net margin", *(pct(p / r) for p, r in zip(profit, revenue, strict=True))],
            ],
            "CNY m",
            SOURCE,
            style="three",
        ),
        size=8.8,
    )
    sheet.new_page()
    sheet.heading("Hogs and feed")
    sheet.para(
        "Heqiu sold 9.6 million hogs in 2025, 14% more than in 2024. It has stopped new farms, and "
        "we do not expect it to raise equity in 2026."
    )
    prices, volume, cost = (11.5, 13.5, 16.0), 10.2, 11.8
    draw_table(
        sheet,
        Table(
            "Table 2: Heqiu profit by hog price in 2026",
            [
                ["Case", "Assumptions", "<", "Result", "<"],
                ["^", "Hog price (CNY/kg)", "Hogs (m)", "Margin (CNY/kg)", "Profit (CNY m)"],
                *(
                    [
                        case,
                        num(p, 1),
                        num(volume, 1),
                        num(p - cost, 1),
                        num((p - cost) * volume * 120),
                    ]
                    for case, p in zip(("Low", "Base", "High"), prices, strict=True)
                ),
            ],
            "120 kg per hog",
            SOURCE,
            header_rows=2,
            style="grid",
        ),
        size=8.8,
    )
    draw_table(
        sheet,
        Table(
            "Table 3: Who buys from whom",
            [
                ["Seller", "Buyer", "Item", "Terms"],
                ["Guman Agritech", "Heqiu Farming", "Feed", "Five-year contract"],
                ["^", "Tinglan Pet Foods", "Premix", "Yearly contract"],
                ["^", "Xinghe Advanced Materials", "Ammonium phosphate", "Spot"],
                ["Heqiu Farming", "Tinglan Pet Foods", "Pork by-products", "Spot"],
                [
                    "Tinglan Pet Foods",
                    "Beiyu Pet Clinics",
                    "Prescription food",
                    "Through Yulan Health",
                ],
            ],
            "",
            SOURCE,
            widths=(1.3, 1.5, 1.3, 1.4),
            align_left=(0, 1, 2, 3),
            style="band",
        ),
        size=8.8,
    )
    sheet.heading("Risks", 2)
    sheet.para("Disease: an outbreak would cut volumes at Heqiu and feed sales at Guman together.")
    sheet.para(
        "Corn: if corn rises by 15%, Heqiu's full cost would increase to about CNY 12.7 per kg."
    )
    closing_en(
        sheet,
        [
            ["Region", "Name", "Phone", "Mail"],
            ["Asia", "Piers Lund", "+65 5550 0166", "p.lund@alderfinch.example"],
        ],
    )


REPORT = Report(
    META,
    ALDER,
    build,
    (
        "Contract work did not shrink in absolute terms",
        "A rise in pork prices hurts only Tinglan",
        "Tinglan does not consolidate it",
        "Heqiu sold 9.6 million hogs in 2025",
        "an outbreak would cut volumes at Heqiu and feed sales at Guman together",
    ),
)
