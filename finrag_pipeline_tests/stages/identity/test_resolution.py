"""Names resolved to codes: as they are registered, as they are written, and not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.identity.names import normalised
from finrag_pipeline.stages.identity.resolution import resolve
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline_tests.stages.identity.registries import INVENTED, NAMED, registry

ROWS = INVENTED.strip().splitlines()
READ = registry(INVENTED)


@pytest.mark.parametrize(
    "name", ["腾讯", "腾讯控股", "0700.HK", "00700", "Tencent", "TENCENT HOLDINGS LTD.", "鹅厂"]
)
def test_one_company_by_all_its_names(name: str):
    found = resolve(registry(NAMED), name)
    assert (found.code, found.canonical_name) == ("00700.HK", "腾讯控股")


@pytest.mark.parametrize("name", ["600519", "600519.SH", "sh600519", "贵州茅台（600519.SH）"])
def test_codes_are_names(name: str):
    assert resolve(registry(NAMED), name).code == "600519.SH"


def test_a_group_and_its_bank_stay_apart():
    named = registry(NAMED)
    assert resolve(named, "中国平安").codes == ("601318.SH",)
    assert resolve(named, "平安银行").codes == ("000001.SZ",)
    assert resolve(named, "深发展").code == "000001.SZ"
    assert resolve(named, "平安").code is None
    assert resolve(READ, "汐原银行股份").codes == ("605984.SH",)
    assert resolve(READ, "中国汐原保险集团").codes == ("605985.SH",)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("星河新材", "688991.SH"),
        ("蓝桥磷化股份有限公司", "688991.SH"),
        (" 星 河　新材 ", "688991.SH"),
        ("XINGHE advanced  materials", "688991.SH"),
        ("Ｘｉｎｇｈｅ Advanced Materials Company Limited", "688991.SH"),
        ("星河新材料科技", "688991.SH"),
        ("星河新材料科技股份", "688991.SH"),
        ("星河新材料科技有限公司", "688991.SH"),
        ("星河新材股份有限公司", "688991.SH"),
        ("XD星河新材", "688991.SH"),
        ("远岫电器集团", "000991.SZ"),
        ("浙江省远岫电器", "000991.SZ"),
        ("远岫电器股份有限公司", "000991.SZ"),
        ("北京蓬山技术", "301886.SZ"),
        ("蓬山技", "301886.SZ"),
        ("ST蓬山技", "301886.SZ"),
    ],
)
def test_written_variants(name: str, code: str):
    assert resolve(READ, name).code == code


def test_a_listing_is_told_by_its_own_name_or_class():
    assert resolve(READ, "浙江省远岫电器（集团）股份有限公司").code == "200991.SZ"
    assert resolve(READ, "远岫B").code == "200991.SZ"
    shared = resolve(READ, "澄光储能")
    assert (shared.code, shared.codes) == ("688992.SH", ("688992.SH", "04917.HK"))
    assert [candidate.code for candidate in shared.candidates] == ["688992.SH", "04917.HK"]
    assert resolve(READ, "澄光储能H股").code == "04917.HK"
    assert resolve(READ, "星河新材H股").code is None


def test_a_name_of_two_companies_is_nobodys():
    found = resolve(READ, "丹岚")
    assert (found.code, found.canonical_name, found.confidence) == (None, None, 0.0)
    assert {candidate.code for candidate in found.candidates} == {"605986.SH", "301887.SZ"}
    assert resolve(READ, "丹岚文具").code == "605986.SH"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "公司",
        "星河",
        "星河大学",
        "星河新材慈善基金会",
        "星河新材料科技股份有限公司工会委员会",
        "澄光",
        "澄光集团",
        "澄光储能集团",
        "澄光储能科技集团有限公司",
        "汐原",
        "汐原银行芷州分行",
        "汐原保险代理有限公司上海分公司",
        "浙江省远岫电器集团有限公司",
        "浙江",
        "蓬山",
        "999999",
        "2024",
    ],
)
def test_others_resolve_to_nothing(name: str):
    assert resolve(READ, name).company is None


@pytest.mark.parametrize("piece", ["股份有限公司", "Co., Ltd. ", "浙江省", "(", "*ST", "１", "星 "])
def test_a_text_is_no_name(piece: str):
    text = piece * 20_000
    assert resolve(READ, text).candidates == ()
    assert normalised(normalised(text)) == normalised(text) == spelling(text)


def test_an_empty_registry_knows_nobody():
    assert resolve(registry(), "星河新材").candidates == ()


NAMES = st.one_of(
    st.sampled_from([name.name for company in READ.companies for name in company.names]),
    st.text("星河新材料远岫电器集团股份有限公司STA（） 中国", max_size=14),
    st.text(max_size=20),
)


@given(st.permutations(ROWS), NAMES)
def test_the_order_of_rows_decides_nothing(rows: list[str], name: str):
    assert resolve(registry(*rows), name) == resolve(READ, name)


@given(NAMES)
def test_a_resolution_is_one_of_its_candidates(name: str):
    found = resolve(READ, name)
    assert 0 <= found.confidence <= 1
    assert (found.company is None) == (found.confidence == 0)
    if found.code:
        assert found.candidates[0].code == found.code
        assert found.code in found.codes
    assert list(found.candidates) == sorted(found.candidates, key=lambda c: -c.confidence)


@given(NAMES, st.integers(1, 40))
def test_normal_forms_are_idempotent(name: str, times: int):
    name = name * times
    assert spelling(spelling(name)) == spelling(name)
    assert normalised(normalised(name)) == normalised(name)


def test_a_company_in_question_never_merges_with_a_namesake_by_form():
    names = ("星河集团有限公司", "星河集团股份有限公司", "星河集团")
    assert len({normalised(name) for name in names}) == 3
    assert normalised("芷州岫云软件有限责任公司") == normalised("芷州岫云软件 有限公司")
