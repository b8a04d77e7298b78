"""Names that covers and profiles of filings print: beside, below and above their labels."""

from __future__ import annotations

from finrag_pipeline.records import PageReading, TextLine
from finrag_pipeline.stages.metadata.own_names import read_own_names


def page(number: int, *lines: tuple[float, float, str]) -> PageReading:
    """A page of lines by their left edge, their height and their text; ten points each."""
    return PageReading(
        number,
        600,
        800,
        tuple(TextLine((x, y, x + 6 * len(text), y + 10), text, 10, False) for x, y, text in lines),
        (),
    )


def names(*pages: PageReading) -> tuple[str, ...]:
    found = read_own_names(pages)
    return found.value if found else ()


def test_reads_names_beside_their_labels() -> None:
    profile = page(
        6,
        (50, 100, "公司的中文名称"),
        (250, 100, "星河电器股份有限公司"),
        (50, 115, "公司的外文名称（如有）"),
        (250, 115, "XINGHE ELECTRIC CO.,LTD. OF"),
        (250, 128, "YUANSHAN"),
        (50, 145, "公司的外文名称缩写（如"),
        (250, 145, "XHE"),
        (50, 158, "有）"),
        (50, 175, "曾用名"),
        (250, 175, "远山电机、远山股份"),
        (50, 190, "公司网址"),
        (250, 190, "www.example.com"),
    )
    assert names(page(1, (50, 50, "2024年年度报告")), profile) == (
        "星河电器股份有限公司",
        "XINGHE ELECTRIC CO.,LTD. OF YUANSHAN",
        "XHE",
        "远山电机",
        "远山股份",
    )


def test_reads_names_glued_to_their_labels() -> None:
    assert names(page(5, (50, 90, "公司的英文名称：Galaxy Works Inc."))) == ("Galaxy Works Inc.",)


def test_reads_no_name_where_there_is_none() -> None:
    profile = page(
        5, (50, 90, "公司的外文名称缩写"), (250, 90, "不适用"), (50, 105, "曾用名"), (250, 105, "-")
    )
    assert read_own_names((profile,)) is None


def test_reads_the_name_under_the_head_of_its_column() -> None:
    table = page(
        7,
        (50, 100, "股票简称"),
        (150, 100, "股票代码"),
        (250, 100, "变更前股票简称"),
        (50, 115, "星河电器"),
        (150, 115, "600999"),
        (255, 115, "远山电机"),
    )
    assert names(table) == ("远山电机",)


def test_reads_the_symbol_of_the_shares() -> None:
    below = page(
        1,
        (50, 100, "Title of each class"),
        (250, 100, "Trading Symbol(s)"),
        (50, 115, "Common Stock"),
        (280, 115, "XGHE"),
        (50, 130, "1.000% Notes due 2030"),
        (278, 130, "XGHEA"),
    )
    above = page(1, (250, 85, "XGHE"), (240, 100, "(Trading symbol)"), (50, 85, "Common Stock"))
    release = page(1, (50, 90, "Galaxy Works (NYSE: XGHE) today announced results"))
    assert names(below) == names(above) == names(release) == ("XGHE",)
