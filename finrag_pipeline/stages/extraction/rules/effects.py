"""Patterns of what affects, makes and regulates what."""

from __future__ import annotations

from finrag_pipeline.stages.extraction.rules.pattern import ANY, FIRM, Rule

_GOODS = "product commodity industry"
#: What has effects. Places have none, and metrics only where a verb of cause stands between two.
_CAUSE = f"{FIRM} {_GOODS} concept policy event"
_FELT = f"{FIRM} {_GOODS}"
_MEASURED = f"{_FELT} metric"
_BENEFITS = "(?:受益于|得益于|受惠于|获益于)"
#: 影响 right behind its cause: neither 影响力 nor 扣除…影响后 tells of an effect.
_AFFECTS = (
    "(?:的[^的，。；]{1,6})?(?:会|可能|直接|间接|显著|严重|不利|进一步|正在|已经?|将|或|也|均|都|持续)*影响"
    "(?:了|到|着|公司|其)?"
)
#: 积极推动 tells what somebody strives for, not what something does.
_CAUSES = (
    "(?<!必须)(?<!积极)(?<!大力)(?<!努力)(?<!加快)(?<!持续)(?<!致力于)(?<!应)(?<!要)"
    "(?:带动|推动|驱动|拉动|促进|提振|刺激|催化|催生|导致)"
)
#: 对甲公司董事长立案 is no case of the company.
_NOT_ITS_PEOPLE = "(?!的?(?:董事|监事|高管|高级|实际|实控|股东|控股|原))"
EFFECTS = (
    Rule("benefits_from", f"{{H:{_FELT}}}_{_BENEFITS}_{{T:{_CAUSE}}}", "medium"),
    # the clause before names the company and what it achieved
    Rule(
        "benefits_from",
        f"{{H:{FIRM}}}~，(?:主要|部分)?(?:是|系)?{_BENEFITS}_{{T:{_CAUSE}}}",
        "medium",
    ),
    Rule("benefits_from", f"{{T:{_CAUSE}}}_(?:利好|有利于|将利好|惠及)_{{H:{_FELT}}}", "medium"),
    Rule("benefits_from", rf"{{H:{_FELT}}}~benefit(?:s|ed|ing)?_from_{{T:{_CAUSE}}}", "medium"),
    Rule(
        "harmed_by",
        f"{{H:{_MEASURED}}}_(?:受累于|受损于|受制于|受){{T:{_CAUSE}}}_(?:拖累|冲击|压制|制约|下滑|压力)",
        "medium",
    ),
    Rule(
        "harmed_by",
        f"{{T:{_CAUSE}}}_(?:拖累|冲击|压制|利空|侵蚀|挤压)(?:了|着)?{{H:{_MEASURED}}}",
        "medium",
    ),
    Rule(
        "harmed_by",
        rf"{{T:{_CAUSE}}}_(?:hurts?|weighs? on|weighed on|pressures?|pressured)_{{H:{_MEASURED}}}",
        "medium",
    ),
    Rule("drives", f"{{H:{_CAUSE}}}_{_CAUSES}(?:了)?_{{T:{_MEASURED} concept}}", "medium"),
    Rule("drives", "{H:metric}_(?:带动|推动|拉动|导致)(?:了)?_{T:metric}", "medium"),
    Rule(
        "drives",
        f"{{T:{_MEASURED}}}_(?:受|由){{H:{_CAUSE}}}_(?:带动|推动|驱动|拉动|提振)",
        "medium",
    ),
    Rule("drives", rf"{{T:{_MEASURED}}}_(?:was|were|is|are)?_driven by_{{H:{_CAUSE}}}", "medium"),
    Rule("affects", f"{{H:{_CAUSE}}}{_AFFECTS}{{T:{_MEASURED}}}", "medium"),
    Rule(
        "affects",
        f"{{T:{_MEASURED}}}_受(?:到)?{{H:{_CAUSE}}}(?:等|等因素|的|政策|因素)*影响",
        "medium",
    ),
    Rule(
        "affects",
        rf"{{H:{_CAUSE}}}_(?:affects?|affected|impacts?|impacted)_{{T:{_MEASURED}}}",
        "medium",
    ),
    Rule("depends_on", f"{{H:{_FELT}}}_(?:依赖于?|高度依赖|取决于|有赖于){{T:{_CAUSE}}}", "medium"),
    Rule(
        "depends_on", rf"{{H:{_FELT}}}_(?:depends? on|relies on|rely on)_{{T:{_CAUSE}}}", "medium"
    ),
    Rule(
        "upstream_of",
        "{H:commodity industry product}_(?:是|为|位于){T:commodity industry product}_上游",
    ),
    Rule(
        "upstream_of",
        "{T:commodity industry product}_(?:的)?上游(?:主要)?(?:是|为|包括|原材料为)_"
        "{H:commodity industry product}",
    ),
    Rule(
        "upstream_of",
        "{H:commodity industry product}_(?:的)?下游(?:主要)?(?:是|为|包括|应用于)_{T:commodity "
        "industry product}",
    ),
    Rule(
        "produces",
        "{H:company}_(?:主营|生产|研发|主要从事|推出|开发|研制|专注于|从事)(?:了)?_{T:product "
        "commodity industry}",
        "medium",
    ),
    Rule(
        "produces",
        r"{H:company}_(?:makes?|produces?|manufactures?|develops?|launched)_{T:product commodity}",
        "medium",
    ),
    Rule(
        "substitutes", "{H:product commodity}_(?:替代|取代)(?:了)?{T:product commodity}", "medium"
    ),
)
REGULATION = (
    Rule(
        "regulates",
        f"{{H:organisation}}_(?:监管|处罚|约谈|立案调查)(?:了)?{{T:company industry}}"
        f"{_NOT_ITS_PEOPLE}",
        "medium",
    ),
    Rule(
        "regulates",
        f"{{H:organisation}}_对{{T:company industry}}{_NOT_ITS_PEOPLE}"
        "_(?:监管|处罚|立案|调查|监督)",
        "medium",
    ),
    Rule(
        "defines",
        "{H:policy}_(?:定义了?|界定了?|明确了?_定义|所称)_{T:concept product industry metric "
        "policy}",
    ),
    Rule(
        "requires",
        f"{{H:policy organisation}}_(?:要求|规定|责令|强制要求|应当){{T:{FIRM} industry product}}",
    ),
    Rule(
        "requires",
        r"{H:policy organisation}_(?:requires?|required|mandates?)_{T:company organisation "
        r"industry product}",
    ),
    Rule("exempts", f"{{H:policy organisation}}_(?:豁免|免除|免征|减免|暂免)(?:了)?_{{T:{ANY}}}"),
    Rule(
        "exempts",
        r"{H:policy organisation}_exempt(?:s|ed)?_{T:company organisation industry product}",
    ),
    Rule(
        "refers_to",
        "{H:policy company organisation}_(?:根据|依据|按照|参照|遵照|依照|适用)_{T:policy}",
    ),
    Rule("refers_to", "{H:policy}_(?:引用|援引|参见|援用)_{T:policy}"),
    Rule(
        "refers_to",
        r"{H:policy company organisation}~(?:pursuant to|in accordance with|as defined in)_"
        r"{T:policy}",
    ),
    Rule("amends", "{H:policy}_(?:修订|废止|替代|取代)(?:了)?_{T:policy}"),
)
