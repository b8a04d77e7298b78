"""The many words by which texts state suppliers, rivals, holdings, deals, partners and goods."""

import pytest

from finrag_pipeline.evaluation.graph.stated import KINDS
from finrag_pipeline.records import Metadata
from finrag_pipeline.stages.extraction.goods import listed_goods
from finrag_pipeline_tests.stages.extraction.cases import OWN, relations

_KIND_OF = {relation: kind for kind, relations in KINDS.items() for relation in relations}
#: A company that files in English; short names of those beside it.
ACME = Metadata(kind="filing", language="en", company_name="Acme Shoes, Inc.")


def stated(text: str, metadata: Metadata | None = OWN) -> set[tuple[str, str, str]]:
    """Head, kind and tail of what a text states about a document's company, which it opens with."""
    named = f"{OWN.company_name}毛利率为20%。{text}" if metadata is OWN else text
    return {
        (head, _KIND_OF[relation], tail)
        for head, relation, tail in relations(named, metadata=metadata)
        if relation in _KIND_OF
    }


def facts(told: str) -> set[tuple[str, str, str]]:
    """`甲 supply 乙; …` with 公司 for the document's company."""
    parts = (each.strip().split(" ", 2) for each in told.split(";") if each.strip())
    return {
        (head.replace("公司", "星河新材"), kind, tail.replace("公司", "星河新材"))
        for head, kind, tail in parts
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("公司产品已批量供货澄光储能、远岫能源。", "公司 supply 澄光储能; 公司 supply 远岫能源"),
        (
            "客户资源优质，覆盖澄光储能、汐原电力等头部企业。",
            "公司 supply 澄光储能; 公司 supply 汐原电力",
        ),
        ("公司深度绑定澄光储能等大客户。", "公司 supply 澄光储能"),
        ("公司对澄光储能的销售收入占比达30%。", "公司 supply 澄光储能"),
        (
            "公司积累了澄光储能、远岫能源等一批优质客户。",
            "公司 supply 澄光储能; 公司 supply 远岫能源",
        ),
        ("公司是澄光储能隔膜的一供。", "公司 supply 澄光储能"),
        (
            "公司为澄光储能、远岫能源等客户提供检测服务。",
            "公司 supply 澄光储能; 公司 supply 远岫能源",
        ),
        ("公司代理澄光储能等品牌的产品。", "澄光储能 supply 公司"),
        ("公司收到澄光储能的中标通知书。", "公司 supply 澄光储能"),
        ("澄光储能采用了公司的隔膜。", "公司 supply 澄光储能"),
        (
            "公司的主要客户（澄光储能、远岫能源）扩产。",
            "公司 supply 澄光储能; 公司 supply 远岫能源",
        ),
        ("公司打破了凌峤科技的垄断。", "公司 competition 凌峤科技"),
        ("公司份额仅次于凌峤科技，位居第二。", "公司 competition 凌峤科技"),
        ("公司与凌峤科技同处第一梯队。", "公司 competition 凌峤科技"),
        ("凌峤科技为公司最主要的竞争者。", "凌峤科技 competition 公司"),
        ("我们选取同行业的凌峤科技作为可比公司。", "公司 competition 凌峤科技"),
        ("公司抢占了凌峤科技的市场份额。", "公司 competition 凌峤科技"),
        ("隔川膜业隶属于凌峤科技。", "凌峤科技 holding 隔川膜业"),
        ("公司参与了隔川膜业的B轮融资。", "公司 holding 隔川膜业"),
        (
            "公司控股股东凌峤科技与隔川膜业签订合同。",
            "凌峤科技 holding 公司; 凌峤科技 cooperation 隔川膜业",
        ),
        ("公司引入战略投资者凌峤科技。", "凌峤科技 holding 公司"),
        ("公司控股的隔川膜业投产。", "公司 holding 隔川膜业"),
        ("公司对隔川膜业的持股比例提升至51%。", "公司 holding 隔川膜业"),
        ("隔川膜业纳入公司合并报表范围。", "公司 holding 隔川膜业"),
        ("公司对隔川膜业的收购已于6月完成交割。", "公司 acquisition 隔川膜业"),
        ("公司授予凌峤科技独家商业化权益。", "公司 cooperation 凌峤科技"),
        ("公司联合储能龙头凌峤科技共建实验室。", "公司 cooperation 凌峤科技"),
        ("公司主要产品包括隔膜、各类电解液等。", "公司 product 隔膜; 公司 product 电解液"),
        ("公司主要从事隔膜、正极的研发和生产。", "公司 product 隔膜; 公司 product 正极"),
        ("公司是国内领先的隔膜供应商。", "公司 product 隔膜"),
        ("公司主营磷酸铁锂正极材料。", "公司 product 磷酸铁锂"),
        ("公司形成了以隔膜、电解液为主的产品矩阵。", "公司 product 隔膜; 公司 product 电解液"),
        ("公司同时提供抗体、试剂盒等产品。", "公司 product 抗体; 公司 product 试剂盒"),
    ],
)
def test_what_is_stated_in_chinese(text: str, told: str) -> None:
    assert stated(text) == facts(told)


@pytest.mark.parametrize(
    "text",
    [
        "凌峤科技与隔川膜业同属新能源板块。",
        "产业链上游主要产品包括硅料、硅片。",
        "公司聚焦肿瘤、免疫等疾病领域进行新药研发。",
        "公司产品覆盖妇科、抗感染等治疗领域。",
        "公司将继续深耕智能制造领域。",
        "公司聚焦核心技术的创新升级及平台建设研究。",
        "公司与其他生物技术公司达成合作。",
        "公司原实际控制人顾清远提供担保。",
        "公司集中力量服务销售。",
        "公司聚焦工艺验证、质量研究、生产跟踪等环节。",
        "公司以储能产品为基础，逐步拓展。",
        "公司及子公司开展套期保值业务。",
        "公司推出多项举措，产品品质有望提升。",
        "公司认购8份认购和认沽期权。",
    ],
)
def test_what_states_nothing(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "We compete with many footwear companies, apparel companies and companies having "
            "diversified lines, including zenlark, Norvik, Olvik and others.",
            {("competition", "zenlark"), ("competition", "Norvik"), ("competition", "Olvik")},
        ),
        ("We have a long-term partnership with Norvik, a maker.", {("cooperation", "Norvik")}),
        (
            "We formed Norvik in May, and Zenlark Inc., our wholly owned subsidiary, grew.",
            {("holding", "Zenlark Inc.")},
        ),
        ("We grew. Margins rose on the Zenlark acquisition.", {("acquisition", "Zenlark")}),
        (
            "Sales of our brands products, which include Insiga, Modalo and Dynux, grew.",
            {("product", "Insiga"), ("product", "Modalo"), ("product", "Dynux")},
        ),
        ("We also offer Picture Elements separately.", {("product", "Picture Elements")}),
        (
            "We developed Paxa and collaborated with Zenlark on it.",
            {("product", "Paxa"), ("cooperation", "Zenlark")},
        ),
    ],
)
def test_what_is_stated_in_english(text: str, told: set[tuple[str, str]]) -> None:
    found = stated(text, ACME)
    assert {(kind, tail) for _, kind, tail in found} == told
    assert {head for head, _, _ in found} == {"Acme Shoes, Inc."}


@pytest.mark.parametrize(
    ("text", "goods"),
    [
        ("主营业务为高端隔膜及其他电解液的研发、生产和销售。", ["隔膜", "电解液"]),
        ("公司从事贸易、管理和销售。", []),
        ("主要产品包括“青穹电芯及模组”等。", []),
        ("Its products include pumps.", []),
    ],
)
def test_lists_of_goods(text: str, goods: list[str]) -> None:
    assert [text[a:b] for each in listed_goods(text) for a, b in each.items] == goods
