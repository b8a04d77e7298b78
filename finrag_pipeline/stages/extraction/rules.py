"""Which words of a sentence show which relation, and where its head and tail stand around them.

How a pattern is matched belongs to `triggers`, what the relations are to `vocabulary`.

In a pattern `{H}` is the head, `{T}` the tail, each a list of names (甲、乙和丙 share what is said);
`{H:company}` restricts their types, `_` is a short gap without marks and companies, `~` a longer one
that may pass over commas and names of other types.
"""

from __future__ import annotations

from typing import NamedTuple

from finrag_pipeline.records.graph import Confidence


class Rule(NamedTuple):
    """One pattern of one relation of the vocabulary."""

    relation: str
    pattern: str
    confidence: Confidence = "high"


_FIRM = "company organisation"
_THING = "product commodity industry concept policy event metric"
_ANY = f"{_FIRM} {_THING} place"
_H, _T = f"{{H:{_FIRM}}}", f"{{T:{_FIRM}}}"
_IS = "(?:系|是|为|作为|成为|仍为|已成为)"
_SHARE = r"(?:的?[\d.]+\s?[%％]的?(?:股权|股份|权益)?|的?(?:全部|部分|控股)?(?:股权|股份))"
_BUY = "(?:收购|并购|兼并|吸收合并|要约收购|完成收购|受让|购买|买下|取得)"

_SUPPLY = (
    Rule("supplies", f"{_H}_{_IS}_{_T}_(?:供应商|供货商|配套商|代工厂|独家供应|主要供应方)"),
    Rule("supplies", f"{_H}~{_IS}_{_T}_(?:供应商|供货商|配套商|独家供应)", "medium"),
    Rule("supplies", f"{_H}_(?:向|为|给|对){_T}_(?:供应|供货|供给|提供|配套|代工|出货|交付|销售)"),
    Rule("supplies", f"{_H}~(?:供应给|供货给|供应于|销往|配套于|出售给){_T}"),
    Rule("supplies", f"{_H}~(?:进入|打入|切入|纳入|导入){_T}_(?:供应链|供应商|合格供应商|采购名录|供应体系|供货体系)"),
    Rule("supplies", f"{_H}~(?:通过|获得|取得|获){_T}_(?:产品认证|供应商认证|认证|定点|认证通过)", "medium"),
    Rule("supplies", f"{_H}_(?:的|之)?_(?:客户|下游客户|大客户|采购方)(?:主要)?(?:{_IS}|包括|有|涵盖|覆盖|以){{0,1}}[:：“]?{_T}"),
    Rule("supplies", f"{_H}~(?:客户|大客户)(?:主要)?(?:包括|有|为|涵盖|覆盖)_{_T}", "medium"),
    Rule("supplies", f"{_T}_{_IS}_{_H}_(?:第[一二三四五]大|主要|核心|重要|最大|独家|长期|战略)?(?:的)?_(?:客户|大客户|采购方)"),
    Rule("supplies", f"{_T}~{_IS}{_H}的?(?:第[一二三四五]大|主要|核心|重要|最大|长期|战略)?(?:客户|大客户)", "medium"),
    Rule("supplies", f"{_T}_(?:的|之)?_(?:供应商|供货商|原料供应商)(?:主要)?(?:{_IS}|包括|有|涵盖)_{_H}"),
    Rule("supplies", f"{_T}_(?:向|从|自){_H}_(?:采购|购买|进口|订购|购入|下单|外购)"),
    Rule("supplies", f"{_T}~由{_H}_(?:供应|供货|代工|配套|独家提供)"),
    Rule("supplies", f"{_H}_(?:的)?_(?:最大|第[一二三四五]大|主要|核心)_(?:客户|下游客户)_(?:{_IS}|包括|有)_{_T}"),
    Rule("supplies", f"{_H}_(?:与|和|同)_{_T}_(?:签订|签署|签有|达成)_(?:供应|供货|销售|供销)_(?:协议|合同|订单)"),
    Rule("supplies", f"{_T}_(?:与|和|同)_{_H}_(?:签订|签署|签有|达成)_采购_(?:协议|合同|订单)"),
    Rule("supplies", f"{_T}_(?:对|向){_H}_采购(?:份额|额|量|金额)"),
    Rule("supplies", rf"{_H}_\b(?:sells?|supplies|sold|supplied|ships?)\b[^.;,]{{0,40}}? to {_T}"),
    Rule("supplies", f"{_T}_(?:采购自|外购自|购自){_H}"),
    Rule("supplies", f"{_H}_(?:获|获得|取得|中标|拿到|拿下|斩获){_T}_(?:订单|采购|大单|集采)"),
    Rule("supplies", rf"{_H}~\b(?:suppl(?:ies|ied|y)|ships?|shipped|delivers?|delivered|sells?|sold|provides)\b[^.;]{{0,40}}? to {_T}"),
    Rule("supplies", rf"{_H}_\bsuppl(?:ies|ied|y)\b(?: \w+)?{_T}"),
    Rule("supplies", rf"{_H}~\b(?:is|are|was|were|as|remains?|an?|the)\b[^.;]{{0,30}}?\b(?:suppliers?|vendors?) (?:of [^.;,]{{0,30}}? )?(?:to|for|of) {_T}"),
    Rule("supplies", rf"{_T}_(?:is|are|was|remains?|became)\b[^.;]{{0,30}}?\bcustomers? (?:of|for) {_H}"),
    Rule("supplies", rf"{_H}['’]s? (?:largest |main |key |biggest |top |major )?customers?,? (?:is|are|include|includes|including|was) {_T}"),
    Rule("supplies", rf"{_T}_\b(?:buys?|bought|sources?|sourced|procures?|purchases|orders?)\b[^.;]{{0,40}}? from {_H}"),
)
_OWNERSHIP = (
    Rule("acquires", f"{_T}_(?:被|由|遭){_H}_{_BUY}"),
    Rule("plans_to_acquire", f"{_H}_(?:拟|计划|有意|筹划|打算|欲|意向|将)_{_BUY}(?:了)?_{_T}"),
    Rule("acquires", f"{_H}_{_BUY}(?:了)?_{_T}"),
    Rule("acquires", rf"{_T}_(?:was|were|is|has been|had been|being)_acquired_by_{_H}"),
    Rule("plans_to_acquire", rf"{_H}_(?:to|plans to|will|agreed to|intends to|proposes to|seeks to)_(?:acquire|buy|take over)_{_T}"),
    Rule("acquires", rf"{_H}_(?:acquired|acquires|bought|took over|completed (?:its|the) acquisition of)_{_T}"),
    Rule("owns", f"{_H}_{_IS}_{_T}_(?:控股股东|实际控制人|母公司|间接控股股东)"),
    Rule("owns", f"{_T}_(?:的)?_(?:控股股东|实际控制人|母公司)_{_IS}_{_H}"),
    Rule("owns", f"{_T}_{_IS}_{_H}_(?:全资|控股|的)?_(?:子公司|孙公司|附属公司|分公司|附属企业)"),
    Rule("owns", f"{_H}_(?:的)?_(?:全资|控股)?(?:子公司|孙公司|附属公司|分公司)(?:——|：|:|_)?{_T}", "medium"),
    Rule("owns", f"{_H}_旗下(?:的)?(?:公司|子公司)?{_T}", "medium"),
    Rule("owns", rf"{_T}_(?:is|are|was),?_(?:subsidiar(?:y|ies)|unit|affiliate) of {_H}"),
    Rule("owns", rf"{_T}, an? [^.;,]{{0,30}}?subsidiary of {_H}"),
    Rule("holds_stake_in", f"{_H}_(?:持有|持)_{_T}_{_SHARE}"),
    Rule("holds_stake_in", f"{_H}_(?:参股|持股){_T}"),
    Rule("holds_stake_in", f"{_H}_{_IS}_{_T}_(?:第[一二三四五]大|主要|重要)?股东"),
    Rule("holds_stake_in", rf"{_H}_(?:holds?|owns?|held|owned)_(?:stake|interest|shares?) (?:in|of) {_T}"),
    Rule("increases_stake_in", f"{_H}_增持(?:了)?_{_T}"),
    Rule("reduces_stake_in", f"{_H}_减持(?:了)?_{_T}"),
    Rule("holds_stake_in", f"{_H}_(?:持有|持){{T:company organisation}}_(?:[0-9.]+ ?[%％])"),
    Rule("takes_stake_in", f"{_H}_(?:入股|战略入股|认购)(?:了)?_{_T}"),
    Rule("injects_capital_into", f"{_H}_(?:向|对|为){_T}_(?:增资|注资|出资)"),
    Rule("injects_capital_into", f"{_H}_(?:增资|注资){_T}"),
    Rule("invests_in", f"{_H}_(?:战略投资|投资|领投|跟投)(?:了|于)?{_T}"),
    Rule("invests_in", rf"{_H}_invest(?:s|ed)_in_{_T}"),
    Rule("transfers_to", f"{_H}_(?:将|把)~(?:转让|出售|划转)(?:给|予|至){_T}"),
    Rule("establishes", f"{_H}_(?:设立|成立|新设|出资设立|发起设立|投资设立|注册成立|组建|创办)(?:了)?_{_T}"),
    Rule("jointly_establishes_with", f"{_H}_(?:与|和|同|联合|携手)_{_T}~(?:合资|共同(?:设立|成立|出资|投资)|合资成立|合资设立|联合成立)"),
    Rule("merges_with", f"{_H}_(?:与|和|同)_{_T}_(?:合并|换股合并|实施合并)"),
    Rule("merges_with", rf"{_H}_merge[sd]?_with_{_T}"),
    Rule("lists_through", f"{_H}_借壳_{_T}"),
    Rule("lends_to", f"{_H}_(?:向|为|对){_T}_(?:提供(?:了)?(?:[^，。]{{0,8}})?(?:贷款|授信|借款)|放贷|授信)"),
    Rule("guarantees", f"{_H}_(?:为|对){_T}_(?:提供)?_担保"),
    Rule("owes", f"{_H}_(?:欠|拖欠|欠付)(?:了)?{_T}"),
    Rule("issues", "{H:company organisation}_(?:发布|印发|颁布|出台|公布|修订并发布|联合发布|联合印发)(?:了|的)?_{T:policy}"),
    Rule("listed_on", "{H:company}_(?:在|于)_{T:organisation}_(?:上市|挂牌|IPO)"),
    Rule("listed_on", r"{H:company}_(?:is |are |was )?(?:listed|traded|trades) on_{T:organisation}"),
)
_DEALINGS = (
    Rule("cooperates_with", f"{_H}_(?:与|和|同|联合|携手|联手)_{_T}_(?:达成|开展|建立|展开|签署|签订|保持|深化|进行)?_(?:合作|联盟|伙伴|战略合作)"),
    Rule("cooperates_with", f"{_H}~(?:与|和|同)_{_T}_(?:达成|开展|建立|展开|签署|签订|保持|深化)_(?:合作|联盟|伙伴|战略合作)", "medium"),
    Rule("cooperates_with", f"{_H}_(?:携手|联手|牵手){_T}"),
    Rule("cooperates_with", rf"{_H}_(?:partner(?:s|ed)?|collaborat(?:es|ed)|cooperat(?:es|ed)|teamed up)_with_{_T}"),
    Rule("signs_with", f"{_H}_(?:与|和|同)_{_T}_(?:签署|签订|签约|订立)"),
    Rule("signs_with", rf"{_H}_(?:signed|entered into)\b[^.;]{{0,40}}? with {_T}"),
    Rule("competes_with", f"{_H}(?:与|和|同)_{_T}_(?:展开|形成|存在|转为|之间)?_(?:竞争|抗衡|争夺)"),
    Rule("competes_with", f"{_H}_(?:的)?_(?:竞争对手|竞品|对手)(?:主要)?(?:{_IS}|包括|有)_{_T}"),
    Rule("competes_with", f"{_H}_{_IS}_{_T}_(?:主要)?竞争对手"),
    Rule("competes_with", rf"{_H}_compet(?:es|ed|e|ing)_(?:with|against)_{_T}"),
    Rule("competes_with", rf"{_H}['’]?s? (?:main |key |major )?competitors?,? (?:is|are|include|includes|including) {_T}"),
    Rule("disputes_with", f"{_H}_(?:起诉|状告|指控|诉){_T}"),
    Rule("disputes_with", f"{_H}_(?:与|和|同)_{_T}_(?:诉讼|纠纷|仲裁|争议|官司)"),
    Rule("disputes_with", rf"{_H}_(?:sued|sues|filed [^.;]{{0,30}}?(?:suit|complaint) against)_{_T}"),
    Rule("restructures_with", f"{_H}_(?:与|和|同)_{_T}_重组"),
    Rule("covers", f"{_H}_(?:首次覆盖|上调|下调|维持)(?:对)?{_T}_(?:评级|目标价)"),
    Rule("works_for", "{H:person}_(?:任|担任|就任|出任|现任|历任|任职于|就职于|加入)_{T:company organisation}"),
    Rule("works_for", "{T:company organisation}_(?:董事长|总经理|总裁|首席执行官|CEO|CFO|财务总监|董秘|董事会秘书|副总裁|创始人|实际控制人|法定代表人|独立董事|董事|监事)(?:兼[^，。]{1,6})?{H:person}"),
    Rule("works_for", r"{H:person},? (?:the |our |its )?(?:\w+ ){0,4}(?:Officer|President|Chairman|Chair|Director|CEO|CFO|COO|Counsel),? (?:of|at) {T:company organisation}"),
    Rule("located_in", "{H:company product}_(?:位于|坐落于|总部位于|总部设在|地处|落户)(?:于)?_{T:place}"),
    Rule("located_in", r"{H:company}_(?:is |are )?(?:headquartered|based|located) (?:in|at)_{T:place}"),
)
_EFFECTS = (
    Rule("benefits_from", f"{{H:{_ANY}}}~(?:受益于|得益于|受惠于|获益于)_{{T:{_ANY}}}", "medium"),
    Rule("benefits_from", f"{{T:{_ANY}}}_(?:利好|有利于|将利好|惠及)_{{H:{_ANY}}}", "medium"),
    Rule("benefits_from", rf"{{H:{_ANY}}}~benefit(?:s|ed|ing)?_from_{{T:{_ANY}}}", "medium"),
    Rule("harmed_by", f"{{H:{_ANY}}}_(?:受累于|受损于|受制于|受){{T:{_ANY}}}_(?:拖累|冲击|压制|制约|下滑|压力)", "medium"),
    Rule("harmed_by", f"{{T:{_ANY}}}_(?:拖累|冲击|压制|利空|侵蚀|挤压)(?:了|着)?{{H:{_ANY}}}", "medium"),
    Rule("harmed_by", rf"{{T:{_ANY}}}_(?:hurts?|weighs? on|weighed on|pressures?|pressured)_{{H:{_ANY}}}", "medium"),
    Rule("drives", f"{{H:{_ANY}}}_(?:带动|推动|驱动|拉动|促进|提振|刺激|催化|催生)(?:了)?_{{T:{_ANY}}}", "medium"),
    Rule("drives", f"{{T:{_ANY}}}_(?:受|由){{H:{_ANY}}}_(?:带动|推动|驱动|拉动|提振)", "medium"),
    Rule("drives", rf"{{T:{_ANY}}}_(?:was|were|is|are)?_driven by_{{H:{_ANY}}}", "medium"),
    Rule("affects", f"{{H:{_ANY}}}_影响(?:了|到)?_{{T:{_ANY}}}", "medium"),
    Rule("affects", f"{{T:{_ANY}}}_受(?:到)?{{H:{_ANY}}}_影响", "medium"),
    Rule("affects", rf"{{H:{_ANY}}}_(?:affects?|affected|impacts?|impacted)_{{T:{_ANY}}}", "medium"),
    Rule("depends_on", f"{{H:{_ANY}}}_(?:依赖于?|高度依赖|取决于|有赖于){{T:{_ANY}}}", "medium"),
    Rule("depends_on", rf"{{H:{_ANY}}}_(?:depends? on|relies on|rely on)_{{T:{_ANY}}}", "medium"),
    Rule("upstream_of", "{H:commodity industry product}_(?:是|为|位于){T:commodity industry product}_上游"),
    Rule("upstream_of", "{T:commodity industry product}_(?:的)?上游(?:主要)?(?:是|为|包括|原材料为)_{H:commodity industry product}"),
    Rule("upstream_of", "{H:commodity industry product}_(?:的)?下游(?:主要)?(?:是|为|包括|应用于)_{T:commodity industry product}"),
    Rule("produces", "{H:company}_(?:主营|生产|研发|主要从事|推出|开发|研制|专注于|从事)(?:了)?_{T:product commodity industry}", "medium"),
    Rule("produces", r"{H:company}_(?:makes?|produces?|manufactures?|develops?|launched)_{T:product commodity}", "medium"),
    Rule("substitutes", "{H:product commodity}_(?:替代|取代)(?:了)?{T:product commodity}", "medium"),
)
_REGULATION = (
    Rule("regulates", "{H:organisation}_(?:监管|处罚|规范|约谈|立案调查|对){T:company industry}_(?:监管|处罚|立案|进行)?", "medium"),
    Rule("defines", "{H:policy}_(?:定义了?|界定了?|明确了?_定义|所称)_{T:concept product industry metric policy}"),
    Rule("requires", f"{{H:policy organisation}}_(?:要求|规定|责令|强制要求|应当){{T:{_FIRM} industry product}}"),
    Rule("requires", r"{H:policy organisation}_(?:requires?|required|mandates?)_{T:company organisation industry product}"),
    Rule("exempts", f"{{H:policy organisation}}_(?:豁免|免除|免征|减免|暂免)(?:了)?_{{T:{_ANY}}}"),
    Rule("exempts", r"{H:policy organisation}_exempt(?:s|ed)?_{T:company organisation industry product}"),
    Rule("refers_to", "{H:policy company organisation}_(?:根据|依据|按照|参照|遵照|依照|适用)_{T:policy}"),
    Rule("refers_to", "{H:policy}_(?:引用|援引|参见|援用)_{T:policy}"),
    Rule("refers_to", r"{H:policy company organisation}~(?:pursuant to|in accordance with|as defined in)_{T:policy}"),
    Rule("amends", "{H:policy}_(?:修订|废止|替代|取代)(?:了)?_{T:policy}"),
)

#: All rules; where two find the same relation between the same names, the earlier one counts.
RULES: tuple[Rule, ...] = (*_SUPPLY, *_OWNERSHIP, *_DEALINGS, *_EFFECTS, *_REGULATION)
