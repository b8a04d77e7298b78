"""Names in chunks: where words end, whom aliases and 公司 mean, what belongs to whom."""

import pytest

from finrag_pipeline.records import Metadata
from finrag_pipeline_tests.stages.extraction.cases import OWN, names, read


def test_empty_chunks_say_nothing() -> None:
    for text in ("", " \n", "。", "The quick brown fox."):
        (found,) = read(text)
        assert (found.mentions, found.relations, found.claims) == ((), (), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("凌峤科技与澄光储能先后提价。", ["凌峤科技", "澄光储能"]),
        # a short name that is an ordinary word needs a company beside it
        ("太阳能装机快速增长。", []),
        ("太阳能（001759.SZ）发布公告。", ["太阳能", "001759.SZ"]),
        ("铁匠用风箱鼓风。", []),
        ("推荐澄光储能、风箱和凌峤科技。", ["澄光储能", "风箱", "凌峤科技"]),
        # a place, or a quality of a thing
        ("秦皇岛工厂投产。", []),
        ("新技术、新河流、新业态。", []),
        ("新河流（301892.SZ）发布公告。", ["新河流", "301892.SZ"]),
        # words of the sentence are no part of a name
        ("100股股份由岚山（上海）投资有限公司持有。", ["岚山（上海）投资有限公司"]),
        ("变动原因青岚精密仪器有限公司增资。", ["青岚精密仪器有限公司"]),
        ("与外商投资有限公司签约。", []),
        ("新能源发展有限公司 30%", []),
        ("是否团有限公司 关联方", []),
        ("Peers are RIDGE, Galaxy Pumps Corporation.", ["Galaxy Pumps Corporation"]),
        # the longest name wins
        ("星河新材料科技股份有限公司成立于2011年。", ["星河新材料科技股份有限公司"]),
        ("公司收购了青岚精密仪器有限公司。", ["青岚精密仪器有限公司"]),
        ("Galaxy Ridge Holdings, Inc. reported results.", ["Galaxy Ridge Holdings, Inc."]),
    ],
)
def test_companies(text: str, expected: list[str]) -> None:
    assert names(read(text)[0]) == expected


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (("公司城里城外同步推进。", "城里城外全面融合。"), 0),
        (("通过筛选的绿色农场进行训练。",), 0),
        # shown once to be a company, it is one wherever nothing speaks against it
        (("城里城外（301890.SZ）披露年报。", "昨日城里城外涨停。", "城里城外渠道增长。"), 2),
        (("推荐绿色农场、澄光储能。",), 1),
        (("| 绿色农场 | 12.5 |",), 1),
    ],
)
def test_names_that_are_ordinary_words(texts: tuple[str, ...], count: int) -> None:
    found = [name for e in read(*texts) for name in names(e)]
    assert sum(name in ("城里城外", "绿色农场") for name in found) == count


def test_declared_aliases_hold_in_the_whole_document() -> None:
    first, second = read(
        "青岚精密仪器有限公司（以下简称“青岚仪器”或“标的公司”）主营传感器。",
        "青岚仪器的毛利率为31.5%。",
    )
    assert first.mentions[0].aliases == ("青岚仪器",)
    assert "主营传感器" in first.mentions[0].description
    assert [(m.text, m.name) for m in second.mentions if m.type == "company"] == [
        ("青岚仪器", "青岚精密仪器有限公司")
    ]


def test_another_name_in_brackets_is_an_alias() -> None:
    (found,) = read("星海芯片有限公司（Xinghai Chips Limited）投产。Xinghai Chips Limited扩产。")
    assert names(found) == ["星海芯片有限公司"] * 3
    assert found.mentions[0].aliases == ("Xinghai Chips Limited",)
    (turned,) = read("Xinghai Chips Limited（星海芯片有限公司）投产。")
    assert names(turned) == ["星海芯片有限公司"] * 2
    (other,) = read("星海芯片有限公司（隔川膜业）投产。")
    assert names(other) == ["星海芯片有限公司", "隔川膜业"]


def test_company_stands_for_whom_the_document_declares() -> None:
    text = 'Galaxy Ridge Holdings, Inc. ("Galaxy" or the "Company") makes pumps.'
    first, second = read(text, "In 2024 the Company sold Galaxy pumps.")
    assert first.mentions[0].aliases == ("Galaxy",)
    assert names(second) == ["Galaxy Ridge Holdings, Inc."] * 2


def test_company_stands_for_the_subject_of_the_document() -> None:
    (found,) = read("2024年公司实现营业收入63.1亿元。", metadata=OWN)
    (company,) = (m for m in found.mentions if m.type == "company")
    assert (company.text, company.name, company.code) == ("公司", "星河新材", "688991.SH")
    assert company.aliases == ()


@pytest.mark.parametrize(
    "text",
    [
        "上市公司治理水平提升。",
        "子公司亏损。",
        "发行公司债券。",
        # the sentence before speaks of another company
        "澄光储能市占率第一。公司产能充足。",
    ],
)
def test_company_stands_for_nobody(text: str) -> None:
    assert "星河新材" not in names(read(text, metadata=OWN)[0])


def test_company_stands_for_nobody_in_an_industry_report() -> None:
    assert names(read("公司产能充足。", metadata=Metadata(kind="industry"))[0]) == []


def test_policies_people_and_codes() -> None:
    (found,) = read("《医疗器械监督管理条例》由国务院公布。澄光储能董事长顾清远表示看好。")
    assert names(found, "policy") == ["《医疗器械监督管理条例》"]
    assert names(found, "organisation") == ["国务院"]
    (person,) = (m for m in found.mentions if m.type == "person")
    assert (person.name, person.company) == ("顾清远", "澄光储能")


def test_analysts_work_for_the_broker() -> None:
    metadata = Metadata(broker="栖岭证券", analysts=("程牧之",))
    (found,) = read("证券分析师：程牧之\n栖岭证券研究所", metadata=metadata)
    (person,) = (m for m in found.mentions if m.type == "person")
    assert (person.name, person.company) == ("程牧之", "栖岭证券")
    assert "栖岭证券" in names(found)


def test_segments_belong_to_their_company() -> None:
    (found,) = read("澄光储能工商业储能业务快速增长。")
    (segment,) = (m for m in found.mentions if m.type == "product")
    assert (segment.name, segment.company) == ("工商业储能业务", "澄光储能")
    assert [r.relation for r in found.relations] == ["part_of"]
    (other,) = read("澄光储能的主体并非工商业储能业务。")
    assert names(other, "product") == []


@pytest.mark.parametrize(
    "text",
    [
        "澄光储能平台业务增长。",
        "澄光储能增量业务增长。",
        "澄光储能高毛利业务增长。",
        "澄光储能转融通业务增长。",
        "澄光储能集团业务增长。",
        "澄光储能无报告分部。",
        "顾清远曾就职于澄光储能负责储能团队卖方业务。",
        "澄光储能隔膜与铜箔业务增长。",
        "澄光储能抗体及其他试剂业务增长。",
        "澄光储能国内、国外业务毛利率稳定。",
        # named in passing: nothing is said of it
        "澄光储能与银行签约，围绕工商业储能业务。",
        "《澄光储能（688992.SH）：储能龙头深度研究》工商业储能业务增长。",
    ],
)
def test_what_is_no_segment(text: str) -> None:
    assert names(read(text)[0], "product") == []


def test_segments_are_not_cut() -> None:
    (found,) = read("澄光储能主要从事集成电路晶圆代工业务。")
    assert names(found, "product") == ["集成电路晶圆代工业务"]
    (two,) = read("澄光储能铜箔业务和隔膜业务增长，预计电解液业务增长。")
    assert names(two, "product") == ["铜箔业务", "隔膜业务", "电解液业务"]
