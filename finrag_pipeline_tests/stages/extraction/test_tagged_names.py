"""Names that a tagger proposes, in many wordings: what is borne out, where it ends, what it is."""

import pytest

from finrag_pipeline.models.names import Lac
from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.records.graph import Mention
from finrag_pipeline.stages.extraction.offline import extract
from finrag_pipeline_tests.stages.extraction.cases import lexicon

PLACE = Place(1, (0.0, 0.0, 1.0, 1.0))


def mentions(*texts: str, metadata: Metadata | None = None) -> list[Mention]:
    chunks = [Chunk(number, text, (PLACE,)) for number, text in enumerate(texts)]
    tag = Lac.packaged().tag
    read = extract(chunks, metadata or Metadata(), lexicon(), tag=tag)
    return [mention for each in read for mention in each.mentions]


def named(text: str, *kinds: str) -> list[str]:
    return [m.text.strip("“”") for m in mentions(text) if m.type in (kinds or ("company",))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # large companies of the world
        ("公司通过台积电代工其7nm芯片，并向ASML采购光刻机。", "台积电|ASML"),
        ("诺和诺德的新药与礼来的新药竞争激烈。", "诺和诺德|礼来"),
        ("沙特阿美与荣桐石化有限公司签署谅解备忘录。", "沙特阿美|荣桐石化有限公司"),
        (
            "Our customers include TSMC, Pfizer and Bright Harbor Foods Inc.",
            "TSMC|Pfizer|Bright Harbor Foods Inc.",
        ),
        ("北京大学汇丰商学院硕士，曾任研究员。", ""),
        # lists: one that is sure bears the others out, what the tagger cut is whole
        ("竞争对手主要有海辰储能、瑞浦兰钧、楚能新能源等企业。", "海辰储能|瑞浦兰钧|楚能新能源"),
        ("建议关注：晶澜股份、泽宇微、禾川传动。", "晶澜股份|泽宇微|禾川传动"),
        ("客户包括中澜京城、中澜东方等。", "中澜京城|中澜东方"),
        # a code in brackets
        ("看好思澜国际（6969.HK）与雾澜科技（RLXX.US）。", "思澜国际|6969.HK|雾澜科技"),
        ("通过职业安全管理系统（ISO 45001）认证。", ""),
        # where names begin and end
        ("公告西安曙澜汽车销售服务有限公司为公司股东。", "西安曙澜汽车销售服务有限公司"),
        ("向宁岚（苏州）精密制造有限公司提供担保。", "宁岚（苏州）精密制造有限公司"),
        ("公司完成对德国Singer Ridge Technologies AG的收购。", "Singer Ridge Technologies AG"),
        ("董事，历任云澜省能源投资集团有限公司总经理。", "云澜省能源投资集团有限公司"),
        ("副总经理兼云澜（控股）有限公司董事长。", "云澜（控股）有限公司"),
        ("公允价值经中联澜评估咨询（上海）有限公司评估。", "中联澜评估咨询（上海）有限公司"),
        # words that are no names
        ("员工根据其经营所处的国家缴纳社会保险。", ""),
        ("注册地为澜州经济技术开发区。", ""),
        ("控股股东及其一致行动人累计质押股份数量较少。", ""),
        ("先后获中国制冷学会科技进步特等奖。", ""),
        ("成果发表于JAMA Oncology（美国医学会杂志·肿瘤学）。", ""),
        ("合同负债主要系本集团预收货款。", ""),
        ("全球最大的连锁集团与两大医疗集团合并。", ""),
        ("审计委员会由三名独立董事组成。", ""),
        ("通过IPO募资，提升ESG水平和核心竞争力。", ""),
        ("减少原因：上期子公司晶澜财务有限公司吸收存款。", "晶澜财务有限公司"),
        ("下游的宠物食品用品集团也向医疗渗透。", ""),
        ("李、刘观赛作为持有公司股份的核心技术人员，分别承诺如下。", ""),
        ("曙澜智造体验中心投产运营，曙澜电源电站完成改造。", ""),
        ("凝心聚力，传承曙澜文化。", ""),
        ("搭载的细胞微休眠水润焕澜科技，使果蔬进入微休眠状态。", ""),
        ("公司与总部位于美国的精准医学肿瘤公司 IDEALYA签订了协议。", ""),
        ("冷藏产品已服务于人民银行冷库。", ""),
        ("历任中国石油天然气集团有限公司资本运营部处长。", "中国石油天然气集团有限公司"),
        (
            "杭州鼎澜（有限合伙）与 Long River\nGrowth Group Limited 为一致行动人。",
            "杭州鼎澜（有限合伙）|Long River\nGrowth Group Limited",
        ),
        ("于2月21日被TCAssociatesMana gement以4.5亿美元收购。", ""),
        ("曙澜光伏空调系统实现了全覆盖，引领曙澜光伏空调技术。", ""),
        ("全资子公司曙芯香港持有其股份。", ""),
        (
            "购买新增控股子公司Bioflare Nutrition Corporation Ltd.。",
            "Bioflare Nutrition Corporation Ltd.",
        ),
    ],
)
def test_companies(text: str, expected: str) -> None:
    assert named(text) == [name for name in expected.split("|") if name]


def test_what_a_firm_sells_under_names_is_no_firm() -> None:
    found = mentions("星河新材旗下拥有Astrel、Ankyl 等系统，覆盖全场景。")
    assert {each.text: each.type for each in found} == {"星河新材": "company"}


def test_a_name_broken_over_lines_is_joined() -> None:
    (found,) = mentions("重点排污单位：西安曙澜 乳业有限责任公司，排放口1个。")
    assert (found.text, found.name) == ("西安曙澜 乳业有限责任公司", "西安曙澜乳业有限责任公司")


def test_a_name_that_a_line_cuts_is_the_whole_one_of_its_document() -> None:
    whole, cut = mentions(
        "云南省曙澜投资集团有限公司董事长。", "南省曙澜投资集团有限公司董事长，任期三年。"
    )
    assert whole.name == cut.name == "云南省曙澜投资集团有限公司"


def test_a_company_called_after_a_place_is_another_one() -> None:
    found = mentions("曙澜医药有限公司董事长。", "上海曙澜医药有限公司董事长。")
    assert [each.name for each in found] == ["曙澜医药有限公司", "上海曙澜医药有限公司"]


def test_names_in_two_languages_have_one_spelling_of_the_document() -> None:
    first, second = mentions(
        "西安曙澜汽车销售服务有限公司违约。", "曙澜汽车向公司借款，曙澜汽车公司未还。"
    )[:2]
    assert first.name == second.name == "西安曙澜汽车销售服务有限公司"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("信迪利单抗注射液与司美格鲁肽获批。", "信迪利单抗注射液|司美格鲁肽"),
        ("达格列净、恩格列净已纳入集采。", "达格列净|恩格列净"),
        ("Pembrolizumab and ruxolitinib were approved.", "Pembrolizumab|ruxolitinib"),
        ("SHR-B2811用于肺癌的上市申请获受理，GFH935进入III期临床。", "SHR-B2811|GFH935"),
        ("天岚生物创新药“普岚克”获批新增适应症。", "普岚克"),
        ("公司推出“盘岳”大模型。", "盘岳”大模型"),
        ("理想L9销量环比下降，问界M9交付量突破1万辆。", "理想L9|问界M9"),
        ("游戏《星河纪元》上线首日流水过亿。", "《星河纪元》"),
        # a noun before 产品, 平台 or 项目 is none
        ("在“其他”项目列示，AI平台与IND项目增加。", ""),
        ("《过户登记确认书》《中国证券报》", ""),
        ("2025H1收入增长，1Q25环比下降，符合ISO9001。", ""),
    ],
)
def test_products(text: str, expected: str) -> None:
    assert named(text, "product") == [name for name in expected.split("|") if name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("公司控股股东为陈宜川和顾景行，直接持股比例为32%。", "陈宜川|顾景行"),
        ("章钟远，医药分析师，国际投融资硕士。", "章钟远"),
        ("王松川院士团队与公司共同完成研究。", "王松川"),
        ("何氏收入增长，高增长可期。", ""),
    ],
)
def test_people(text: str, expected: str) -> None:
    assert named(text, "person") == [name for name in expected.split("|") if name]


@pytest.mark.parametrize(
    "text",
    [
        "澄光储能（688992.SH/03892.HK）",
        "澄光储能(3892.HK+688992.SH)",
        "澄光储能（A股：688992；H股：03892）",
        "澄光储能 A股股票代码：688992 港股代码：03892",
        "澄光储能（688992.SH）（3892.HK）",
    ],
)
def test_codes_printed_together_are_of_one_company(text: str) -> None:
    first = mentions(text)[0]
    assert (first.code, first.aliases) == ("688992.SH", ("03892.HK",))


@pytest.mark.parametrize(
    "text",
    ["推荐688992.SH、03892.HK。", "澄光储能688992.SH/3892.HK，澄光储能688992.SH/3893.HK"],
)
def test_codes_of_a_list_are_of_several(text: str) -> None:
    assert not any(mention.aliases for mention in mentions(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is Chief Executive Officer of Harbor Foods Inc. and a director.", "Harbor Foods Inc."),
        ("Annual Report of Glenmoor Steel Corporation for 2023", "Glenmoor Steel Corporation"),
        ("Ridge GmbH RIDGE Taiwan Limited", "Ridge GmbH|RIDGE Taiwan Limited"),
        ("sponsors of Under Ridge, Inc. said", "Under Ridge, Inc."),
        ("a partner at Häuser-Lund Japan, Inc. said", "Häuser-Lund Japan, Inc."),
        ("CASH SEVERANCE POLICY Harbor Foods Inc. pays", "Harbor Foods Inc."),
        ("Company Ltd. and the Private Limited", ""),
    ],
)
def test_english_names(text: str, expected: str) -> None:
    assert named(text) == [name for name in expected.split("|") if name]


def test_an_english_company_is_the_same_without_its_form() -> None:
    first, second = mentions(
        "Glenmoor Steel Corporation makes steel.", "In 2024 Glenmoor Steel grew."
    )
    assert (second.text, second.name) == ("Glenmoor Steel", first.name)
