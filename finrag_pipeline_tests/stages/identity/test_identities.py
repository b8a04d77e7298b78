"""Mentions identified: companies by code and registry, people and segments by their company."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import EntityType, Identity, Mention
from finrag_pipeline.stages.identity.identities import identify
from finrag_pipeline_tests.stages.identity.registries import INVENTED, NAMED, registry

READ = registry(INVENTED, NAMED)


def identity(
    name: str,
    kind: EntityType = "company",
    *,
    company: str | None = None,
    code: str | None = None,
    document: str = "d1",
    metadata: Metadata | None = None,
) -> Identity:
    mention = Mention(0, len(name), name, name, kind, "high", company=company, code=code)
    return identify(READ, mention, metadata or Metadata(), document)


def test_all_names_of_a_listed_company_have_one_key():
    names = ("腾讯", "腾讯控股有限公司", "Tencent", "鹅厂")
    assert {identity(name).key for name in names} == {"company:00700.HK"}
    listed_twice = identity("澄光储能")
    assert listed_twice.key == "company:688992.SH"
    assert listed_twice.codes == ("688992.SH", "04917.HK")


def test_a_group_and_its_bank_are_two():
    assert identity("中国平安").key != identity("平安银行").key


def test_a_renamed_company_is_called_as_on_the_day_of_the_document():
    day = Metadata(published_on=date(2020, 3, 2))
    before, after = identity("蓝桥磷化", metadata=day), identity("星河新材")
    assert (before.key, before.name) == ("company:688991.SH", "蓝桥磷化")
    assert (after.key, after.name) == ("company:688991.SH", "星河新材")


def test_people_of_one_name_are_told_apart_by_their_company():
    one = identity("林岚", "person", company="星河新材")
    same = identity("林 岚", "person", company="蓝桥磷化", document="d2")
    other = identity("林岚", "person", company="澄光动力")
    assert one.key == same.key == "person:company:688991.SH/林岚"
    assert other.key == "person:company:301881.SZ/林岚"
    assert one.plain_key == other.plain_key == "person:林岚"


def test_people_of_no_known_company_stay_in_their_document():
    one, other = identity("林岚", "person"), identity("林岚", "person", document="d2")
    assert (one.key, other.key) == ("person:d1/林岚", "person:d2/林岚")
    unlisted = identity("林岚", "person", company="岫云软件有限公司", document="d2")
    assert unlisted.key == "person:company:岫云软件/林岚"


def test_a_segment_belongs_to_its_company_whatever_that_is_called():
    names = (("腾讯游戏业务", "腾讯"), ("腾讯控股游戏板块", "Tencent"), ("游戏业务", "鹅厂"))
    keys = {identity(name, "product", company=company).key for name, company in names}
    assert keys == {"product:company:00700.HK/游戏"}
    assert identity("游戏业务", "product").key == "product:游戏业务"


def test_the_document_decides_between_companies_of_one_name():
    assert identity("丹岚").key == "company:丹岚"
    metadata = Metadata(company_name="丹岚", company_code="301887.SZ")
    assert identity("丹岚", metadata=metadata).key == "company:301887.SZ"


def test_a_printed_code_anchors_whom_the_registry_does_not_hold():
    found = identity("Galaxy Works", code="GLXW")
    assert (found.key, found.plain_key) == ("company:GLXW", "company:galaxyworks")
    assert found.codes == ("GLXW",)
    assert identity("谷满农科", code="605983").key == "company:605983.SH"
    assert identity("谷满农科", code="见附注").key == "company:谷满农科"
    own = Metadata(company_name="谷满农科", company_code="605983.SH")
    assert identity("谷满农科", metadata=own).key == "company:605983.SH"


def test_a_document_calls_its_own_company_the_company():
    own = Metadata(company_name="星河新材", company_code="688991.SH")
    assert identity("公司", metadata=own).key == "company:688991.SH"
    assert identity("林岚", "person", company="the Company", metadata=own).key == (
        "person:company:688991.SH/林岚"
    )
    one, other = identity("本公司"), identity("本公司", document="d2")
    assert len({one.key, one.plain_key, other.key, other.plain_key}) == 2


def test_a_registered_name_counts_more_than_a_code_beside_it():
    assert identity("汐原银行", code="688991").key == "company:605984.SH"
    assert identity("芷州项目", code="688991").key == "company:688991.SH"


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("company", "芷州岫云软件有限责任公司", "芷州岫云软件 有限公司"),
        ("company", "Galaxy Works, Inc.", "GALAXY WORKS"),
        ("metric", "营收", "营业收入"),
        ("metric", "归母净利润", "归属于上市公司股东的净利润"),
        ("industry", "半导体行业", "半导体"),
        ("commodity", "沪深300", "CSI 300"),
        ("policy", "《芷州储能条例》", "芷州储能条例"),
    ],
)
def test_spellings_of_one_thing(kind: EntityType, one: str, other: str):
    assert identity(one, kind) == Identity(
        identity(other, kind).key, identity(other, kind).plain_key, one
    )


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("metric", "净利润", "归母净利润"),
        ("company", "岫云集团有限公司", "岫云集团股份有限公司"),
        ("concept", "营收", "营业收入"),
    ],
)
def test_what_may_be_two_things_stays_two(kind: EntityType, one: str, other: str):
    assert identity(one, kind).key != identity(other, kind).key
