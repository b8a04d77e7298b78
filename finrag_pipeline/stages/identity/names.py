"""What a company's name is made of: legal form, marks of its listing, what distinguishes it.

Purely by how names are written; whose name it is belongs to `resolution`.
"""

from __future__ import annotations

import re
from typing import Literal

from finrag_pipeline.stages.identity.places import PLACES
from finrag_pipeline.stages.identity.spelling import joined, spelling
from finrag_pipeline.words import fold

#: By shares, limited otherwise, 公司 alone, or nothing.
LegalForm = Literal["shares", "limited", "company", ""]

_CHINESE_FORM = re.compile(
    r"(?:(?P<shares>股份有限公司|股份公司|股份)|(?P<limited>有限责任公司|有限公司)|(?<!总)公司)$"
)
#: Longer than any name: it is compared as it stands, so that no text makes a pattern run wild.
LONGEST_NAME = 200
_WRITTEN: dict[LegalForm, str] = {
    "shares": "股份有限公司",
    "limited": "有限公司",
    "company": "公司",
}
_ENGLISH_FORM = re.compile(
    r"[\s,.]+(?:company|co|corporation|corp|incorporated|inc|limited|ltd|plc|llc|lp|ag|nv|n\.v|sa"
    r"|s\.a|se|kk|pte|bhd)[\s,.]*$"
)
_ENGLISH_GROUP = re.compile(r"[\s,.]+(?:holdings?|group)[\s,.]*$")
#: Marks of trouble, of the day and of a class of shares around a Chinese short name.
_OPENING_MARK = re.compile(r"(?:s?\*?st|sst|s\*|pt|xd|xr|dr|[sgncuw])(?=[\u3400-\u9fff])")
_CLASS_MARK = re.compile(r"(?<=[\u3400-\u9fff])(?:-(?:sw|[wsubprh])|([abh])股?)$")
_DELISTED = re.compile(r"^退市|\(?退(?:市)?\)?$")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_HAN = re.compile(r"[\u3400-\u9fff]")

#: Lines of business and kinds of firm: a name of these alone names nobody.
_BUSINESS_WORDS = """
集团 控股 实业 发展 投资 股份 产业 工业 企业 国际 中国 全国 有限 公司 总厂 工厂 科技 技术 高科
高新 科学 电子 电气 电器 电力 电机 电缆 电源 电池 电信 电讯 通信 通讯 信息 软件 网络 互联 数据
数字 智能 智慧 系统 设备 装备 机械 机电 机床 机器 仪器 仪表 制造 精密 精工 重工 轻工 化工 化学
化纤 化肥 石油 石化 燃气 天然气 能源 新能源 光伏 风电 热电 水电 火电 核电 煤炭 煤业 焦化 矿业
矿产 资源 钢铁 特钢 不锈钢 有色 金属 黄金 铜业 铝业 锂业 稀土 材料 新材料 新材 建材 水泥 玻璃
陶瓷 塑料 橡胶 轮胎 纺织 服装 服饰 家纺 纸业 造纸 包装 印刷 家居 家具 家电 汽车 汽配 零部件
客车 摩托车 航空 航天 航运 船舶 港口 机场 铁路 高速 公路 高速公路 交通 运输 物流 供应链 仓储
港务 建设 建筑 建工 工程 路桥 设计 咨询 规划 装饰 园林 环境 环保 生态 水务 水利 供水 排水 地产
房地产 置业 物业 开发 城建 城市 城投 旅游 酒店 文化 传媒 影视 出版 广告 教育 体育 娱乐 游戏
商业 商贸 贸易 外贸 物资 百货 商场 零售 连锁 超市 商城 食品 饮料 酒业 啤酒 乳业 粮油 农业
农产品 种业 牧业 渔业 饲料 糖业 盐业 医药 药业 制药 生物 生命 医疗 医学 医院 健康 器械 中药
药房 保健 银行 农村 农商 商业银行 农村商业银行 证券 保险 信托 期货 金融 租赁 基金 资产 资本
管理 经营 服务 进出口 股权 创业 创新 综合 联合 高压 安全 检测 认证 测控 自动化 光电 光学 激光
半导体 微电子 集成电路 芯片 显示 照明 传感
"""
_BUSINESS = re.compile("|".join(sorted(_BUSINESS_WORDS.split(), key=len, reverse=True)))


def normalised(name: str) -> str:
    """The form by which names that no registry anchors are the same; idempotent.

    Spelled alike, and without the legal form where it is no more than that: what remains has
    four characters and is no group or holding, whose companies differ by the form alone.

    >>> [normalised(name) for name in ("星河 新材料科技（有限责任公司）", "Galaxy Works Co., Ltd.")]
    ['星河新材料科技', 'galaxyworks']
    >>> normalised("星河集团有限责任公司"), normalised("星河集团股份公司")
    ('星河集团有限公司', '星河集团股份有限公司')
    """
    spelled = spelling(name)
    if len(spelled) > LONGEST_NAME:
        return spelled
    stem, form = split_form(name if len(name) <= LONGEST_NAME else spelled)
    while form:
        if len(stem) < 4 or is_group(stem):
            return stem + _WRITTEN[form]
        stem, form = split_form(stem)
    return stem or spelled


def split_form(name: str) -> tuple[str, LegalForm]:
    """The spelling of a name without its legal form, and the form.

    >>> split_form("星河新材料科技（集团）股份有限公司"), split_form("Galaxy Works, Inc.")
    (('星河新材料科技集团', 'shares'), ('galaxyworks', 'limited'))
    >>> split_form("GalaxyWorksCompanyLimited")
    ('galaxyworks', 'limited')
    """
    folded = fold(joined(name))
    english = re.sub(r"^the\s+(?=\w)", "", folded)
    while (match := _ENGLISH_FORM.search(english)) and match.start():
        english = english[: match.start()]
    if english != folded:
        return spelling(english), "limited"
    spelled = spelling(folded)
    match = _CHINESE_FORM.search(spelled)
    if match is None or not match.start():
        return spelled, ""
    form = "shares" if match["shares"] else "limited" if match["limited"] else "company"
    return spelled[: match.start()], form


def is_group(stem: str) -> bool:
    """Whether companies that share this name may be parent and subsidiary.

    >>> [is_group(stem) for stem in ("星河集团", "星河控股", "星河新材")]
    [True, True, False]
    """
    return "集团" in stem or "控股" in stem


def without_group(name: str) -> str | None:
    """A stem that ends in a group, or an English one in Group or Holdings, without that word.

    >>> without_group("星河电器集团"), without_group("Galaxy Holdings Limited")
    ('星河电器', 'galaxy')
    """
    if _HAN.search(name):
        rest = spelling(name).removesuffix("集团")
        return rest if rest != spelling(name) and distinguishes(rest) else None
    folded = fold(name)
    while (match := _ENGLISH_FORM.search(folded)) and match.start():
        folded = folded[: match.start()]
    match = _ENGLISH_GROUP.search(folded)
    rest = spelling(folded[: match.start()]) if match else ""
    return rest if len(rest) >= 5 else None


def without_marks(name: str) -> tuple[str, str]:
    """The spelling of a short name without ST, XD, N, 退, -W, A and the like, and its class.

    >>> [without_marks(name) for name in ("*ST星河", "星河新材A股", "星河集团-SW", "退市星河")]
    [('星河', ''), ('星河新材', 'A'), ('星河集团', ''), ('星河', '')]
    """
    folded = fold(name).strip().replace(" ", "")
    opened = _OPENING_MARK.match(folded)
    bare = _DELISTED.sub("", folded[opened.end() :] if opened else folded)
    match = _CLASS_MARK.search(bare)
    if match is None:
        return spelling(bare), ""
    return spelling(bare[: match.start()]), (match[1] or "").upper()


def is_marked(name: str) -> bool:
    """Whether a short name opens or ends with a mark of trouble or of a day: ST, XD, N, 退.

    >>> is_marked("*ST星河"), is_marked("星河退"), is_marked("星河新材A")
    (True, True, False)
    """
    folded = fold(name).strip().replace(" ", "")
    return bool(_OPENING_MARK.match(folded) or _DELISTED.search(folded))


def without_brackets(name: str) -> str:
    """The spelling of a name without what stands in brackets, unless that is the group.

    >>> without_brackets("星河医药集团（天津）股份有限公司")
    '星河医药集团股份有限公司'
    """
    return spelling(_BRACKETS.sub(lambda match: match[0] if "集团" in match[0] else "", fold(name)))


def without_places(stem: str) -> list[str]:
    """A stem without the places that it opens with, one after the other.

    >>> without_places("浙江省杭州市星河电器"), without_places("上海银行")
    (['杭州市星河电器', '星河电器'], [])
    """
    found: list[str] = []
    rest = stem
    while match := PLACES.match(rest):
        rest = rest[match.end() :]
        if distinguishes(rest):
            found.append(rest)
    return found


def distinguishes(stem: str) -> bool:
    """Whether a part of a name still names one company: long enough, no place, no business alone.

    >>> [distinguishes(stem) for stem in ("星河电器", "电力发展", "深圳市", "星河")]
    [True, False, False, False]
    """
    return len(stem) >= 4 and len(core_of(stem)) >= 2


def opens_business(text: str) -> bool:
    """Whether a text opens with a line of business or a kind of firm.

    >>> opens_business("证券的毛利率"), opens_business("的毛利率")
    (True, False)
    """
    return _BUSINESS.match(text) is not None


def core_of(stem: str) -> str:
    """What is left of a stem without its place and its lines of business.

    >>> core_of("上海星河电器集团"), core_of("电力发展")
    ('星河', '')
    """
    place = PLACES.match(stem)
    return _BUSINESS.sub("", stem[place.end() :] if place else stem)
