"""Other ways to write a company's name, and names that are no listed company's: for measuring.

Written without a look at how the product understands names, so that it can fail here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FORM = re.compile(r"(?:股份有限公司|股份公司|有限责任公司|有限公司)$")
_ENGLISH_FORM = re.compile(
    r",?\s*(?:Co\s?\.?\s?,?\s*Ltd\.?|Inc\.?|Corp\.?|Limited)$", re.IGNORECASE
)
_PLACE = re.compile(
    r"^(?:北京|上海|天津|重庆|浙江|江苏|广东|山东|福建|安徽|湖南|湖北|四川|河南|河北|江西|辽宁|吉林"
    r"|黑龙江|陕西|山西|云南|贵州|海南|甘肃|青海|广西|新疆|内蒙古|深圳|广州|杭州|南京|苏州|武汉|成都"
    r"|厦门|青岛)"
    r"(?:省|市)?"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")

#: Put after a listed name they make the name of something else.
_ADDED = """
保险代理有限公司上海分公司 物业 物业服务有限公司 集团财务有限公司 大学 慈善基金会 工会委员会
证券营业部 员工持股计划 产业投资基金 研究院 体育俱乐部 大厦 小区 营销有限公司 （香港）有限公司
创业投资合伙企业（有限合伙） 酒店管理 镇 概念股 1号资管计划
"""
_GENERAL = {
    "universities": """
    清华大学 北京大学 复旦大学 上海交通大学 浙江大学 南京大学 中国人民大学 中山大学 武汉大学
    厦门大学 四川大学 同济大学 南开大学 天津大学 西安交通大学 哈尔滨工业大学 中国科学技术大学
    华中科技大学 东南大学 山东大学 吉林大学 兰州大学 重庆大学 湖南大学 中央财经大学 上海财经大学
    西南财经大学 对外经济贸易大学 中国农业大学 中国石油大学
    """,
    "authorities": """
    国务院 财政部 商务部 教育部 工业和信息化部 国家发展和改革委员会 国家发改委 中国人民银行
    中国证监会 中国证券监督管理委员会 国家金融监督管理总局 银保监会 国家税务总局 国家统计局
    海关总署 国家能源局 国家药品监督管理局 国家医疗保障局 国家知识产权局 自然资源部 生态环境部
    交通运输部 农业农村部 水利部 国务院国资委 上海证券交易所 深圳证券交易所 北京证券交易所
    香港联合交易所 中国证券业协会 中国汽车工业协会 中国钢铁工业协会 中国银行业协会
    北京市人民政府 上海市国资委 深圳市国资委 最高人民法院 世界银行 国际货币基金组织 美联储
    欧洲央行 国际能源署
    """,
    "places": """
    北京 上海 深圳 广东省 浙江省 长三角 珠三角 粤港澳大湾区 京津冀 成渝地区 海南自由贸易港
    浦东新区 雄安新区 苏州工业园区 茅台镇 东南亚 北美 欧洲 美国 日本 澳大利亚 青藏高原 长江 黄河
    太湖流域
    """,
    "people": """
    张伟 王芳 李娜 刘洋 陈静 杨帆 赵敏 黄磊 周杰 吴迪 徐丽 孙浩 马超 朱琳 胡军 郭涛 何欢 高翔
    林峰 罗敏
    """,
    "unlisted": """
    华为技术有限公司 华为 字节跳动 抖音 蚂蚁集团 大疆创新 菜鸟网络 国家电网有限公司
    中国华电集团有限公司 中国烟草总公司 中国邮政集团有限公司 国家开发银行 中国进出口银行
    中国农业发展银行 中国投资有限责任公司 娃哈哈集团 老干妈 方太集团 商飞公司
    中国商用飞机有限责任公司 普华永道中天会计师事务所 安永华明会计师事务所 金杜律师事务所 麦肯锡
    毕马威 中诚信国际信用评级有限责任公司 Huawei ByteDance SpaceX OpenAI Stripe Deloitte
    """,
    "products and words": """
    高端白酒 动力电池 磷酸铁锂 光刻机 集成电路 新能源汽车 人工智能 云计算 创新药 单抗 钙钛矿
    储能系统 碳酸锂 多晶硅 螺纹钢 动力煤 原油 黄金 公司 本公司 集团 股份 有限公司 科技 银行 证券
    医药 控股 子公司 董事会 控股股东 前五大客户 营业收入 净利润 毛利率 市盈率 沪深300 上证指数
    十四五规划 双碳 年度报告 股东大会
    """,
}  # fmt: skip


def writings(name: str) -> Iterator[tuple[str, str]]:
    """Ways to write a registered name, each with its kind: spaces, full width, case and so on.

    >>> dict(writings("浙江星河电器股份有限公司"))["partial"]
    '星河电器'
    """
    chinese = bool(_HAN.search(name))
    middle = len(name) // 2
    yield "spaces", f" {name[:2]} {name[2:]} " if chinese else "  ".join(name.split(" "))
    yield "spaces", name[:middle] + "\u3000" + name[middle:] if chinese else f"\t{name}"
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    if wide != name:
        yield "full width", wide
    for other in (name.lower(), name.upper(), name.swapcase()):
        if other != name:
            yield "case", other
    stem = _FORM.sub("", name)
    if stem != name:
        yield "suffix dropped", stem
        if name.endswith("股份有限公司"):
            yield "suffix changed", stem + "股份"
            yield "suffix changed", stem + "股份公司"
            yield "suffix changed", stem + "有限公司"
        yield from (("partial", part) for part in _parts(stem))
    elif chinese and len(name) >= 3 and not re.search(r"[A-Z退]", name):
        yield "suffix added", name + "股份有限公司"
        yield "suffix added", name + "公司"
    elif not chinese and _ENGLISH_FORM.search(name):
        yield "suffix dropped", _ENGLISH_FORM.sub("", name)
        yield "suffix changed", _ENGLISH_FORM.sub("", name) + " Company Limited"


def _parts(stem: str) -> Iterator[str]:
    """A full name without place, group or brackets, where four characters are left."""
    bare = _PLACE.sub("", stem)
    for part in (bare, bare.removesuffix("集团"), re.sub(r"[(（].*?[)）]", "", stem)):
        if part != stem and len(part) >= 4:
            yield part


def nobodies(listed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names of what is no listed company, each with its kind.

    Args:
        listed: names of listed companies, whose names with words added are somebody else's.
    """
    for kind, names in _GENERAL.items():
        yield from ((kind, name) for name in names.split())
    added = _ADDED.split()
    for at, name in enumerate(listed):
        yield "listed name, words added", name + added[at % len(added)]
