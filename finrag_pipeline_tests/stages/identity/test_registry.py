"""Registries as people write them: what is read, what is told, what is refused."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.stages.identity.codes import listing_code, share_class
from finrag_pipeline.stages.identity.registry import read_registry, registered_names, registry_text
from finrag_pipeline.stages.identity.resolution import resolve
from finrag_pipeline_tests.stages.identity.registries import HEADER, INVENTED, registry

ROWS = INVENTED.strip().splitlines()


def test_two_columns_are_enough_and_others_are_ignored():
    read = read_registry("Sources,FULL_NAMES , code\nx|y,星河新材料科技股份有限公司,688991\n")
    assert read.companies[0].codes == ("688991.SH",)
    assert read.companies[0].name == "星河新材料科技股份有限公司"
    assert read.warnings == ()


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("600519", "600519.SH"),
        ("900901", "900901.SH"),
        ("000001", "000001.SZ"),
        ("200002", "200002.SZ"),
        ("201872", "201872.SZ"),
        ("301881", "301881.SZ"),
        ("430047", "430047.BJ"),
        ("832000", "832000.BJ"),
        ("920002", "920002.BJ"),
        ("700", "00700.HK"),
        ("0700.HK", "00700.HK"),
        ("hk00700", "00700.HK"),
        ("1.SZ", "000001.SZ"),
        ("SZ.000001", "000001.SZ"),
        ("600519.SS", "600519.SH"),
        ("600519.XSHG", "600519.SH"),
        ('="000001"', "000001.SZ"),
        ("aapl", "AAPL"),
        ("AAPL.O", "AAPL"),
        ("brk-b", "BRK.B"),
        ("1234567", None),
        ("500001", None),
        ("0", None),
        ("贵州", None),
    ],
)
def test_codes_get_their_market(written: str, code: str | None):
    assert listing_code(written) == code


def test_share_classes():
    codes = ("601881.SH", "900901.SH", "200991.SZ", "920002.BJ", "00700.HK", "AAPL")
    assert [share_class(code) for code in codes] == ["A", "B", "B", "BJ", "H", "other"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("code,names\n600519,x", "line 1: the header lacks the column full_names"),
        ("\n\ncodes,full_names\n", "line 3: the header lacks the column code"),
        ("code,code,full_names\n", "has code twice"),
        ('code,full_names\n600519,"星河', "is no CSV"),
        ("code,full_names\nabc123,星河\n", "no row that can be used: line 2: skipped"),
    ],
)
def test_what_is_no_registry_is_refused_in_one_line(text: str, told: str):
    with pytest.raises(ConfigurationError, match=told) as caught:
        read_registry(text)
    assert "\n" not in str(caught.value)


def test_bad_rows_are_left_out_and_told():
    read = registry(
        "688991,星河股份有限公司,星河新材,,,,",
        ",无码股份有限公司,无码,,,,",
        "12345678,错码股份有限公司,错码,,,,",
        "688992,澄光储能股份有限公司,澄光储能,Chengguang Co., Ltd.,,,2020-01-01",
        "688993,铄星材料股份有限公司,铄星材料,,,123,2020-13-41",
        "688991,星河股份有限公司,星河新材,,,,",
        "688994,,,,,,",
        f"688995,隔川膜业股份有限公司|{'北京' * 200},隔川膜业,,,,",
    )
    assert [company.codes for company in read.companies] == [
        ("688991.SH",), ("688993.SH",), ("688995.SH",),
    ]  # fmt: skip
    assert [warning.partition(": ")[0] for warning in read.warnings] == [
        "line 3", "line 4", "line 5", "line 6", "line 6", "line 7", "line 8", "line 9",
    ]  # fmt: skip
    assert "more cells than columns" in read.warnings[2]
    assert "'2020-13-41' ignored" in read.warnings[4]
    assert read.warnings[5].endswith("repeats line 2")


def test_encodings_that_spreadsheets_write():
    text = f"{HEADER}\n{ROWS[0]}\n"
    for encoding in ("utf-8", "utf-8-sig", "gb18030", "utf-16"):
        read = read_registry(registry_text(text.encode(encoding)))
        assert read.companies[0].name == "星河新材", encoding


def test_a_company_listed_twice_is_one_with_the_mainland_listing_first():
    by_credit_code = registry(INVENTED).by_code["04917.HK"]
    assert by_credit_code.codes == ("688992.SH", "04917.HK")
    assert by_credit_code.key == "company:688992.SH"
    by_name = registry(INVENTED).by_code["200991.SZ"]
    assert by_name.codes == ("000991.SZ", "200991.SZ")


def test_listings_of_one_short_name_are_one_where_only_the_language_differs():
    twice = registry(
        "688101,岫云集成电路制造有限公司,岫云国际,,,,",
        "00101.HK,Xiuyun Integrated Circuits Corporation,岫云国际,,,,",
        "600101,丹岚百货股份有限公司,新丹岚,,,,",
        "00102.HK,丹岚发展有限公司,新丹岚,,,,",
    )
    assert twice.by_code["00101.HK"].codes == ("688101.SH", "00101.HK")
    assert twice.by_code["00102.HK"].codes == ("00102.HK",)


def test_an_unlisted_company_is_anchored_by_its_credit_code():
    company = registry(INVENTED).by_credit_code["91990100MA0CK00034"]
    assert (company.key, company.codes) == ("company:91990100MA0CK00034", ())
    found = resolve(registry(INVENTED), "澄光控股集团有限公司")
    assert (found.code, found.codes, found.canonical_name) == (None, (), "澄光控股")


def test_a_dirty_row_merges_nobody():
    dirty = registry(
        "601001,丹岚重工股份有限公司,丹岚重工,,,,",
        "601002,丹岚银行股份有限公司,丹岚银行,,,,",
        "688001,丹岚重工股份有限公司|丹岚银行股份有限公司|北京龙汐软件股份有限公司,龙汐软件,,,,",
    )
    assert len(dirty.companies) == 3
    assert dirty.by_code["688001.SH"].name == "龙汐软件"
    found = resolve(dirty, "丹岚重工股份有限公司")
    assert (found.code, found.codes) == ("601001.SH", ("601001.SH",))
    assert [candidate.code for candidate in found.candidates] == ["601001.SH", "688001.SH"]
    assert ("丹岚银行股份有限公司", "688001.SH", "full") not in registered_names(dirty)


def test_a_code_that_a_company_moved_to_stands_before_the_old_one():
    moved = registry(
        "601268,星河重装集团股份有限公司,星河重装,,,,",
        "601399,星河重装集团股份有限公司,ST星重装,,,,",
    )
    assert moved.companies[0].codes == ("601399.SH", "601268.SH")


def test_names_hold_from_their_day():
    company = registry(INVENTED).by_code["688991.SH"]
    assert company.name_on(date(2021, 6, 18)) == company.name == "星河新材"
    assert company.name_on(date(2021, 6, 17)) == "蓝桥磷化"
    assert company.name_on(date(2001, 1, 1)) == "蓝桥磷化"


def test_rows_of_one_code_are_its_history():
    company = registry(
        "688991,蓝桥磷化股份有限公司,蓝桥磷化,,,,2008年5月20日",
        "688991,星河新材料股份有限公司,星河新材,,,,2021/6/18",
    ).companies[0]
    assert [company.name_on(date(year, 1, 1)) for year in (2010, 2021, 2022)] == [
        "蓝桥磷化", "蓝桥磷化", "星河新材",
    ]  # fmt: skip


def test_without_days_the_first_name_is_the_current_one():
    company = registry("688991,甲河股份有限公司|乙河股份有限公司,甲河|乙河,,,,").companies[0]
    assert company.name == "甲河"
    assert company.name_on(date(1999, 1, 1)) == "甲河"
    later = registry("688991,甲河股份有限公司|乙河股份有限公司,甲河|乙河,,,,2020-01-01").companies[
        0
    ]
    assert later.name_on(date(1999, 1, 1)) == "乙河"
    assert registry("688991,甲河股份有限公司,*ST甲|甲河,,,,").companies[0].name == "甲河"


def test_names_for_a_lexicon():
    names = registered_names(registry(INVENTED))
    assert names == tuple(sorted(set(names)))
    assert ("储芯一哥", "688992.SH", "nickname") in names
    assert ("远岫B", "000991.SZ", "short") in names
    assert ("澄光控股", "", "short") in names


@given(st.permutations(ROWS))
def test_the_order_of_rows_does_not_matter(rows: list[str]):
    one, other = registry(*ROWS), registry(*rows)
    assert other.companies == one.companies
    assert other.fingerprint == one.fingerprint


def test_the_fingerprint_follows_what_counts():
    base = registry(INVENTED)
    changed = registry(INVENTED.replace("2008-05-20", "2009-05-20"))
    named = registry(INVENTED.replace("储芯一哥", "储芯二哥"))
    assert len({base.fingerprint, changed.fingerprint, named.fingerprint}) == 3
    assert registry(INVENTED, ROWS[0]).fingerprint == base.fingerprint
