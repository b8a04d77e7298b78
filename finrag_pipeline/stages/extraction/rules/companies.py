"""Patterns between companies and people: supply, ownership, dealings."""

from __future__ import annotations

from finrag_pipeline.stages.extraction.rules.pattern import BUY, HEAD, IS, SHARE, TAIL, Rule

#: What one company gives another besides goods.
_PROVIDE = (
    "提供(?![^，。；]{0,12}(?:担保|贷款|借款|资金|授信|资助|融资|支持|帮助|咨询|援助|信贷|保障))"
)
_PURCHASE = "购买(?![^，。；]{0,20}(?:持有|股权|股份|资产))"
SUPPLY = (
    Rule("supplies", f"{HEAD}_{IS}_{TAIL}_(?:供应商|供货商|配套商|代工厂|独家供应|主要供应方)"),
    Rule("supplies", f"{HEAD}~{IS}_{TAIL}_(?:供应商|供货商|配套商|独家供应)", "medium"),
    Rule(
        "supplies",
        f"{HEAD}_(?:向|为|给|对){TAIL}_(?:供应|供货|供给|{_PROVIDE}|配套|代工|出货|交付|销售)",
    ),
    Rule(
        "supplies",
        f"{HEAD}~(?:供应给|供货给|供应于|销往|配套于|(?<!资产)(?<!股权)(?<!股份)(?<!业务)出售给){TAIL}",
    ),
    Rule(
        "supplies",
        f"{HEAD}~(?:进入|打入|切入|纳入|导入){TAIL}_(?:供应链|供应商|合格供应商|采购名录|供应体系|"
        f"供货体系)",
    ),
    Rule(
        "supplies",
        f"{HEAD}~(?:通过|获得|取得|获){TAIL}_(?:产品认证|供应商认证|认证|定点|认证通过)",
        "medium",
    ),
    Rule(
        "supplies",
        f"{HEAD}_(?:的|之)?_(?:客户|下游客户|大客户|采购方)(?:主要)?(?:{IS}|包括|有|涵盖|覆盖|以)"
        f"{{0,1}}[:：“]?{TAIL}",
    ),
    Rule("supplies", f"{HEAD}~(?:客户|大客户)(?:主要)?(?:包括|有|为|涵盖|覆盖)_{TAIL}", "medium"),
    Rule(
        "supplies",
        f"{TAIL}_{IS}_{HEAD}_(?:第[一二三四五]大|主要|核心|重要|最大|独家|长期|战略)?(?:的)?_"
        f"(?:客户|大客户|采购方)",
    ),
    Rule(
        "supplies",
        f"{TAIL}~{IS}{HEAD}的?(?:第[一二三四五]大|主要|核心|重要|最大|长期|战略)?(?:客户|大客户)",
        "medium",
    ),
    Rule(
        "supplies",
        f"{TAIL}_(?:的|之)?_(?:供应商|供货商|原料供应商)(?:主要)?(?:{IS}|包括|有|涵盖)_{HEAD}",
    ),
    Rule("supplies", f"{TAIL}_(?:向|从|自){HEAD}_(?:采购|{_PURCHASE}|进口|订购|购入|下单|外购)"),
    Rule("supplies", f"{TAIL}~由{HEAD}_(?:供应|供货|代工|配套|独家提供)"),
    Rule(
        "supplies",
        f"{HEAD}_(?:的)?_(?:最大|第[一二三四五]大|主要|核心)_(?:客户|下游客户)_(?:{IS}|包括|有)_"
        f"{TAIL}",
    ),
    Rule(
        "supplies",
        f"{HEAD}_(?:与|和|同)_{TAIL}_(?:签订|签署|签有|达成)_(?:供应|供货|销售)_(?:协议|合同|订单)",
    ),
    Rule("supplies", f"{TAIL}_(?:与|和|同)_{HEAD}_(?:签订|签署|签有|达成)_采购_(?:协议|合同|订单)"),
    Rule("supplies", f"{TAIL}_(?:对|向){HEAD}_采购(?:份额|额|量|金额)"),
    Rule(
        "supplies", rf"{HEAD}_\b(?:sells?|supplies|sold|supplied|ships?)\b[^.;,]{{0,40}}? to {TAIL}"
    ),
    Rule("supplies", f"{TAIL}_(?:采购自|外购自|购自){HEAD}"),
    Rule("supplies", f"{HEAD}_(?:获|获得|取得|中标|拿到|拿下|斩获){TAIL}_(?:订单|采购|大单|集采)"),
    Rule(
        "supplies",
        rf"{HEAD}~\b(?:suppl(?:ies|ied|y)|ships?|shipped|delivers?|delivered|sells?|sold|provides)"
        rf"\b[^.;]{{0,40}}? to {TAIL}",
    ),
    Rule("supplies", rf"{HEAD}_\bsuppl(?:ies|ied|y)\b(?: \w+)?{TAIL}"),
    Rule(
        "supplies",
        rf"{HEAD}~\b(?:is|are|was|were|as|remains?|an?|the)\b[^.;]{{0,30}}?\b(?:suppliers?|"
        rf"vendors?) (?:of [^.;,]{{0,30}}? )?(?:to|for|of) {TAIL}",
    ),
    Rule(
        "supplies",
        rf"{TAIL}_(?:is|are|was|remains?|became)\b[^.;]{{0,30}}?\bcustomers? (?:of|for) {HEAD}",
    ),
    Rule(
        "supplies",
        rf"{HEAD}['’]s? (?:largest |main |key |biggest |top |major )?customers?,? (?:is|are|"
        rf"include|includes|including|was) {TAIL}",
    ),
    Rule(
        "supplies",
        rf"{TAIL}_\b(?:buys?|bought|sources?|sourced|procures?|purchases|orders?)\b[^.;]{{0,40}}? "
        rf"from {HEAD}",
    ),
)
#: 向甲、乙购买丙: those behind 向 sell.
_BUYER = f"(?<![向从自由被、和与及]){HEAD}"
OWNERSHIP = (
    Rule("acquires", f"{TAIL}_(?:被|由|遭){HEAD}_{BUY}"),
    Rule("plans_to_acquire", f"{HEAD}_(?:拟|计划|有意|筹划|打算|欲|意向|将)_{BUY}(?:了)?_{TAIL}"),
    Rule("acquires", f"{_BUYER}_{BUY}(?:了)?_{TAIL}"),
    Rule("acquires", rf"{TAIL}_(?:was|were|is|has been|had been|being)_acquired_by_{HEAD}"),
    Rule(
        "plans_to_acquire",
        rf"{HEAD}_(?:to|plans to|will|agreed to|intends to|proposes to|seeks to)_(?:acquire|buy|"
        rf"take over)_{TAIL}",
    ),
    Rule(
        "acquires",
        rf"{HEAD}_(?:acquired|acquires|bought|took over|completed (?:its|the) acquisition of)_"
        rf"{TAIL}",
    ),
    Rule("owns", f"{HEAD}_{IS}_{TAIL}_(?:控股股东|实际控制人|母公司|间接控股股东)"),
    Rule("owns", f"{TAIL}_(?:的)?_(?:控股股东|实际控制人|母公司)_{IS}_{HEAD}"),
    Rule(
        "owns",
        f"{TAIL}_(?:的)?_(?:控股股东|实际控制人)(?:将|已)?(?:由[^，。；]{{0,24}}?)?变更为_{HEAD}",
    ),
    Rule("owns", f"{TAIL}_(?:的)?实际控制人(?:系|是|为){{H:person}}"),
    Rule(
        "owns", f"{TAIL}_{IS}_{HEAD}_(?:全资|控股|的)?_(?:子公司|孙公司|附属公司|分公司|附属企业)"
    ),
    Rule(
        "owns",
        f"{HEAD}_(?:的)?_(?:全资|控股)?(?:子公司|孙公司|附属公司|分公司)(?:——|：|:|是|为|“)?{TAIL}",
        "medium",
    ),
    Rule("owns", f"{HEAD}_旗下(?:的)?(?:公司|子公司)?{TAIL}", "medium"),
    Rule("owns", rf"{TAIL}_(?:is|are|was),?_(?:subsidiar(?:y|ies)|unit|affiliate) of {HEAD}"),
    Rule("owns", rf"{TAIL}, an? [^.;,]{{0,30}}?subsidiary of {HEAD}"),
    Rule("holds_stake_in", f"{HEAD}_(?:持有|持)_{TAIL}_{SHARE}"),
    Rule("holds_stake_in", f"{HEAD}_(?:参股|持股){TAIL}"),
    Rule("holds_stake_in", f"{HEAD}_{IS}_{TAIL}_(?:第[一二三四五]大|主要|重要)?股东"),
    Rule(
        "holds_stake_in",
        rf"{HEAD}_(?:holds?|owns?|held|owned)_(?:stake|interest|shares?) (?:in|of) {TAIL}",
    ),
    Rule("increases_stake_in", f"{HEAD}_增持(?:了)?_{TAIL}"),
    Rule("reduces_stake_in", f"{HEAD}_减持(?:了)?_{TAIL}"),
    Rule("holds_stake_in", f"{HEAD}_(?:持有|持){{T:company organisation}}_(?:[0-9.]+ ?[%％])"),
    Rule("takes_stake_in", f"{HEAD}_(?:入股|战略入股|认购)(?:了)?_{TAIL}"),
    Rule("injects_capital_into", f"{HEAD}_(?:向|对|为){TAIL}_(?:增资|注资|出资)"),
    Rule("injects_capital_into", f"{HEAD}_(?:增资|注资){TAIL}"),
    Rule("invests_in", f"{HEAD}_(?:战略投资|投资|领投|跟投)(?:了|于)?{TAIL}"),
    Rule("invests_in", rf"{HEAD}_invest(?:s|ed)_in_{TAIL}"),
    Rule("transfers_to", f"{HEAD}_(?:将|把)~(?:转让|出售|划转)(?:给|予|至){TAIL}"),
    Rule(
        "establishes",
        f"{HEAD}_(?:设立|成立|新设|组建|创办)(?:了|的|全资|控股|境外|子公司|孙公司|合资公司|公司|“)"
        f"{{0,4}}{{T:company}}",
    ),
    Rule(
        "jointly_establishes_with",
        f"{HEAD}_(?:与|和|同|联合|携手)_{TAIL}~(?:合资|共同(?:设立|成立|出资|投资)|合资成立|"
        f"合资设立|联合成立)",
    ),
    Rule("merges_with", f"{HEAD}_(?:与|和|同)_{TAIL}_(?:合并|换股合并|实施合并)"),
    Rule("merges_with", rf"{HEAD}_merge[sd]?_with_{TAIL}"),
    Rule("lists_through", f"{HEAD}_借壳_{TAIL}"),
    Rule(
        "lends_to",
        f"{HEAD}_(?:向|为|对){TAIL}_(?:提供(?:了)?(?:[^，。]{{0,8}})?(?:贷款|授信|借款)(?!担保)|放贷|授信)",
    ),
    Rule("guarantees", f"{HEAD}_(?:为|对|向){TAIL}_(?:提供)?_担保"),
    Rule("owes", f"{HEAD}_(?:欠|拖欠|欠付)(?:了)?{TAIL}"),
    Rule(
        "issues",
        "{H:company organisation}_(?:发布|印发|颁布|出台|公布|修订并发布|联合发布|联合印发)"
        "(?:了|的)?_{T:policy}",
    ),
    Rule("listed_on", "{H:company}_(?:在|于)_{T:organisation}_(?:上市|挂牌|IPO)"),
    Rule(
        "listed_on", r"{H:company}_(?:is |are |was )?(?:listed|traded|trades) on_{T:organisation}"
    ),
)
DEALINGS = (
    Rule(
        "cooperates_with",
        f"{HEAD}_(?:与|和|同|联合|携手|联手)_{TAIL}_(?:达成|开展|建立|展开|签署|签订|保持|深化|"
        f"进行)"
        f"?_(?:合作|联盟|伙伴|战略合作)",
    ),
    Rule(
        "cooperates_with",
        f"{HEAD}~(?:与|和|同)_{TAIL}_(?:达成|开展|建立|展开|签署|签订|保持|深化)_(?:合作|联盟|伙伴|"
        f"战略合作)",
        "medium",
    ),
    Rule("cooperates_with", f"{HEAD}_(?:携手|联手|牵手){TAIL}"),
    Rule(
        "cooperates_with",
        rf"{HEAD}_(?:partner(?:s|ed)?|collaborat(?:es|ed)|cooperat(?:es|ed)|teamed up)_with_{TAIL}",
    ),
    Rule("signs_with", f"{HEAD}_(?:与|和|同)_{TAIL}_(?:签署|签订|签约|订立)"),
    Rule("signs_with", rf"{HEAD}_(?:signed|entered into)\b[^.;]{{0,40}}? with {TAIL}"),
    Rule(
        "competes_with",
        f"{HEAD}(?:与|和|同)_{TAIL}_(?:展开|形成|存在|转为|之间)?_(?:竞争|抗衡|争夺)",
    ),
    Rule("competes_with", f"{HEAD}_(?:的)?_(?:竞争对手|竞品|对手)(?:主要)?(?:{IS}|包括|有)_{TAIL}"),
    Rule("competes_with", f"{HEAD}_{IS}_{TAIL}_(?:主要)?竞争对手"),
    Rule("competes_with", rf"{HEAD}_compet(?:es|ed|e|ing)_(?:with|against)_{TAIL}"),
    Rule(
        "competes_with",
        rf"{HEAD}['’]?s? (?:main |key |major )?competitors?,? (?:is|are|include|includes|"
        rf"including) {TAIL}",
    ),
    Rule("disputes_with", f"{HEAD}_(?:起诉|状告|指控|诉){TAIL}"),
    Rule("disputes_with", f"{HEAD}_(?:与|和|同)_{TAIL}_(?:诉讼|纠纷|仲裁|争议|官司)"),
    Rule(
        "disputes_with",
        rf"{HEAD}_(?:sued|sues|filed [^.;]{{0,30}}?(?:suit|complaint) against)_{TAIL}",
    ),
    Rule("restructures_with", f"{HEAD}_(?:与|和|同)_{TAIL}_重组"),
    Rule("covers", f"{HEAD}_(?:首次覆盖|上调|下调|维持)(?:对)?{TAIL}_(?:评级|目标价)"),
    Rule(
        "works_for",
        "{H:person}_(?:任|担任|就任|出任|现任|历任|任职于|就职于|加入)_{T:company organisation}",
    ),
    Rule(
        "works_for",
        "{T:company organisation}_(?:董事长|总经理|总裁|首席执行官|CEO|CFO|财务总监|董秘|"
        "董事会秘书|副总裁|创始人|法定代表人|独立董事|董事|监事)(?:兼[^，。]{1,6})"
        "?{H:person}",
    ),
    Rule(
        "works_for",
        r"{H:person},? (?:the |our |its )?(?:\w+ ){0,4}(?:Officer|President|Chairman|Chair|"
        r"Director|CEO|CFO|COO|Counsel),? (?:of|at) {T:company organisation}",
    ),
    Rule("located_in", "{H:company}_(?:设立于|成立于|注册于|注册地址?(?:为|在|位于))_{T:place}"),
    Rule(
        "located_in",
        # 甲位于某地的子公司: there is the other one
        "{H:company product}_(?:位于|坐落于|总部位于|总部设在|地处|落户)(?:于)?_{T:place}"
        "(?![^，。；、]{0,8}的)",
    ),
    Rule(
        "located_in",
        r"{H:company}_(?:is |are )?(?:headquartered|based|located) (?:in|at)_{T:place}",
    ),
)
