"""Groups of words that show what goes on between two companies, whichever of them is used.

A few thousand training sentences are too few to learn each verb by itself. Which group means which
relation is learned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_WORDS: Mapping[str, str] = {
    "acquire": "收购|并购|兼并|要约|吞并|揽入|买下|接盘|受让|竞得|拿下",
    "plan": "拟|计划|有意|意向|打算|筹划|欲|将|可能|有望|考虑|或",
    "stake": "持有|持股|股权|股份|大股东|股东|参股|%|％|控股权",
    "own": "旗下|控股|子公司|全资|下属|拥有|母公司|控制|所属|附属|品牌",
    "cooperate": "合作|携手|联手|联合|共同|伙伴|结盟|联盟|协同|合力|牵手",
    "compete": "竞争|对手|争夺|抗衡|较量|对决|pk|超越|超过|领先|叫板|抢|对阵|市场份额|同行|不如"
    "|之争|分别|巨头|双雄|同业",
    "sign": "签署|签订|签约|协议|合同|备忘录",
    "analyse": "分析师|研报|报告|认为|评级|预计|研究|指出|分析|目标价|推荐|看好|点评|表示|证券",
    "dispute": "起诉|诉讼|纠纷|法院|索赔|状告|告|仲裁|侵权|败诉|被告|争议|官司|冲突|指控|举报",
    "trade": "交易|出售|购买|买卖|采购|销售|租赁",
    "reduce": "减持|抛售|卖出|套现|出售.{0,6}股",
    "increase": "增持|增仓|买入|举牌|加仓|增加持股|扫货",
    "order": "订单|中标|供货|供应|采购|客户|订购|项目|下单",
    "merge": "合并|换股|吸并|整合",
    "restructure": "重组|重大资产",
    "enter": "入股|投资|参股|认购|引入|入主|注入",
    "inject": "注资|注入|增资|出资|输血",
    "help": "帮助|支持|担保|援助|援手|助|贷款|授信|救助|提供",
    "joint": "合资|共同出资|共同设立|共同投资|共同成立|联合成立",
    "found": "成立|设立|创立|组建|创办|发起",
    "issue": "发行|承销|保荐|债券|上市|募集|中期票据|融资券",
    "talk": "商讨|洽谈|谈判|磋商|商谈|协商|接触|沟通|讨论",
    "transfer": "转让|出让|划转|剥离|挂牌|脱手",
    "owe": "欠|债务|债权|偿还|贷款|逾期",
    "shell": "壳|置入|置换",
    "assets": "购买|买入|资产",
    "not": "终止|否认|未|没有|不|失败|流产|取消",
    "by": "被|由|遭|获|受",
    "to": "向|对|给|为|予",
    "with": "与|和|同|跟",
}
_GROUPS = {name: re.compile(words) for name, words in _WORDS.items()}
#: Words that say who does it to whom.
_CASES = ("by", "to", "with")
_CLAUSE = re.compile("[，。,;；]")
_BEFORE, _AFTER, _NEAR = 25, 30, 12


def cues(before: str, middle: str, after: str, joined: bool) -> Iterator[str]:
    """Features of the groups that occur before, between and after two names.

    Args:
        before, middle, after: the sentence around the names.
        joined: whether only 和, 、 or the like stands between them.
    """
    before, after = before[-_BEFORE:], after[:_AFTER]
    zones = {
        "m": middle,
        "A": _CLAUSE.split(after)[0],
        "a": after,
        "B": _CLAUSE.split(before)[-1],
        "b": before,
    }
    found = {
        zone: [name for name, r in _GROUPS.items() if r.search(t)] for zone, t in zones.items()
    }
    for zone, names in found.items():
        for at, name in enumerate(names):
            yield f"c{zone} {name}"
            if zone in "mAB":
                for other in names[at + 1 :]:
                    yield f"cc{zone} {name} {other}"
    for name in found["a"]:
        yield f"cj {joined} {name}"
    for case in _CASES:
        for zone in "mB":
            if case in found[zone]:
                for name in (*found["m"], *found["A"]):
                    yield f"cx {zone} {case} {name}"
    clause = _CLAUSE.split(after)[0]
    opening, inner, closing = _order(before[-_NEAR:]), _order(middle), _order(clause)
    yield f"o1 {' '.join(inner[:3])}|{' '.join(closing[:2])}"
    yield f"o2 {' '.join(inner[-2:])}|{' '.join(closing[:1])}"
    yield f"o3 {' '.join(opening[-1:])}|{' '.join(inner[:2])}|{' '.join(closing[:1])}"
    if inner:
        yield f"c0 {inner[0]}"
        yield f"c9 {inner[-1]}"
        yield f"co {' '.join(inner[:4])}"
    for name in sorted({name for names in found.values() for name in names}):
        yield f"cs {name}"


def _order(text: str) -> list[str]:
    """The groups of a stretch in order of print."""
    found = sorted((m.start(), name) for name, r in _GROUPS.items() for m in r.finditer(text))
    return [name for _, name in found]
