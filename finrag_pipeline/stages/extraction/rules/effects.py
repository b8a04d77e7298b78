"""Patterns of what affects, makes and regulates what."""

from __future__ import annotations

from finrag_pipeline.stages.extraction.rules.pattern import ANY, FIRM, Rule

EFFECTS = (
    Rule("benefits_from", f"{{H:{ANY}}}~(?:受益于|得益于|受惠于|获益于)_{{T:{ANY}}}", "medium"),
    Rule("benefits_from", f"{{T:{ANY}}}_(?:利好|有利于|将利好|惠及)_{{H:{ANY}}}", "medium"),
    Rule("benefits_from", rf"{{H:{ANY}}}~benefit(?:s|ed|ing)?_from_{{T:{ANY}}}", "medium"),
    Rule(
        "harmed_by",
        f"{{H:{ANY}}}_(?:受累于|受损于|受制于|受){{T:{ANY}}}_(?:拖累|冲击|压制|制约|下滑|压力)",
        "medium",
    ),
    Rule(
        "harmed_by",
        f"{{T:{ANY}}}_(?:拖累|冲击|压制|利空|侵蚀|挤压)(?:了|着)?{{H:{ANY}}}",
        "medium",
    ),
    Rule(
        "harmed_by",
        rf"{{T:{ANY}}}_(?:hurts?|weighs? on|weighed on|pressures?|pressured)_{{H:{ANY}}}",
        "medium",
    ),
    Rule(
        "drives",
        f"{{H:{ANY}}}_(?:带动|推动|驱动|拉动|促进|提振|刺激|催化|催生)(?:了)?_{{T:{ANY}}}",
        "medium",
    ),
    Rule("drives", f"{{T:{ANY}}}_(?:受|由){{H:{ANY}}}_(?:带动|推动|驱动|拉动|提振)", "medium"),
    Rule("drives", rf"{{T:{ANY}}}_(?:was|were|is|are)?_driven by_{{H:{ANY}}}", "medium"),
    Rule("affects", f"{{H:{ANY}}}_影响(?:了|到)?_{{T:{ANY}}}", "medium"),
    Rule("affects", f"{{T:{ANY}}}_受(?:到)?{{H:{ANY}}}_影响", "medium"),
    Rule("affects", rf"{{H:{ANY}}}_(?:affects?|affected|impacts?|impacted)_{{T:{ANY}}}", "medium"),
    Rule("depends_on", f"{{H:{ANY}}}_(?:依赖于?|高度依赖|取决于|有赖于){{T:{ANY}}}", "medium"),
    Rule("depends_on", rf"{{H:{ANY}}}_(?:depends? on|relies on|rely on)_{{T:{ANY}}}", "medium"),
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
        "{H:organisation}_(?:监管|处罚|规范|约谈|立案调查|对){T:company industry}_(?:监管|处罚|"
        "立案|进行)?",
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
