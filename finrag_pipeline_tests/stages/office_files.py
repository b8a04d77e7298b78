"""Small DOCX, PPTX, HTML and Markdown files, written on the spot."""

from __future__ import annotations

from pathlib import Path

INTRO = "星河新材料股份有限公司2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"
DISCLAIMER = "本报告仅供参考，不构成对任何人的投资建议，本公司不承担任何法律责任。"
ROWS = (
    ("项目（百万元）", "2024A", "2025E"),
    ("营业收入", "3,924.43", "4,411.75"),
    ("净利润", "412", "-36"),
)


def make_docx(path: Path, *paragraphs: str) -> Path:
    """A report with a running head, two levels of headings, a table of three rows, a disclaimer."""
    from docx import Document

    document = Document()
    document.sections[0].header.paragraphs[0].text = "证券研究报告"
    document.add_heading("星河新材深度报告：储能需求回暖", 0)
    document.add_paragraph("投资评级：买入")
    document.add_heading("一、公司概况", 1)
    paragraph = document.add_paragraph("毛利率")
    paragraph.add_run("27.4%").bold = True
    paragraph.add_run("，较去年提升。")
    for text in paragraphs or (INTRO,):
        document.add_paragraph(text)
    document.add_heading("1.1 产能", 2)
    document.add_paragraph("新基地年内投产", style="List Bullet")
    document.add_paragraph("海外工厂明年投产", style="List Bullet")
    table = document.add_table(rows=3, cols=3)
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    document.add_heading("免责声明", 1)
    document.add_paragraph(DISCLAIMER)
    document.save(str(path))
    return path


def make_pptx(path: Path) -> Path:
    """Two slides: bullets under a title, and a table under another."""
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "业绩回顾与展望"
    first.placeholders[1].text = f"{INTRO}\n海外订单占比提升至三成。"
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "盈利预测"
    frame = second.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(5), Inches(2))
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row):
            frame.table.cell(r, c).text = text
    second.notes_slide.notes_text_frame.text = "讲稿：强调现金流改善。"
    deck.save(str(path))
    return path


def html(body: str, head: str = "") -> str:
    return f"<html><head><title>星河新材</title>{head}</head><body>{body}</body></html>"


TABLE = (
    "<table><caption>表1：盈利预测（百万元）</caption>"
    "<tr><th rowspan=2>项目</th><th colspan=2>年度</th></tr><tr><th>2024A</th><th>2025E</th></tr>"
    "<tr><td>营业收入<script>alert(1)</script></td><td>3,924.43</td><td>&lt;b&gt;</td></tr></table>"
)
