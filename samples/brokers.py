"""The invented brokers: templates, rating definitions, disclaimers and sales contacts."""

from __future__ import annotations

from drawing.covers import contact_table
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import Table, Theme

YUNLU = Theme(
    broker="云麓证券",
    accent=(0.07, 0.22, 0.45),
    second=(0.80, 0.36, 0.16),
    disclaimer="请务必阅读正文之后的免责声明及评级说明",
)
CANGLAN = Theme(
    broker="沧澜证券",
    accent=(0.60, 0.10, 0.13),
    second=(0.78, 0.58, 0.22),
    disclaimer="敬请参阅末页重要声明，请务必阅读正文之后的免责声明",
    total_in_footer=False,
)
HENGYU = Theme(
    broker="衡屿国际证券",
    accent=(0.10, 0.38, 0.36),
    second=(0.35, 0.68, 0.55),
    disclaimer="本报告由衡屿国际证券研究部编制，请务必阅读正文之后的免责声明",
    body_size=9.0,
    side_title="公司更新报告 | 储能设备 | 衡屿国际证券研究部",
)
QILING = Theme(
    broker="栖岭证券",
    accent=(0.28, 0.20, 0.50),
    second=(0.55, 0.62, 0.86),
    disclaimer="栖岭证券版权所有，请务必阅读正文之后的免责声明",
    body_size=9.4,
    side_title="公司调研纪要 | 农林牧渔 | 栖岭证券研究中心",
)
FILING = Theme(
    broker="远岫能源系统股份有限公司",
    accent=(0.1, 0.1, 0.1),
    second=(0.6, 0.6, 0.6),
    disclaimer="本公告内容以信息披露平台登载的正式文本为准",
    body_size=9.8,
)
MERIDIAN = Theme(
    broker="Meridian Quay Research",
    accent=(0.05, 0.30, 0.42),
    second=(0.90, 0.60, 0.20),
    disclaimer="Please read the disclosures and disclaimer at the end of this note",
    language="en",
    leading=1.45,
)
ALDER = Theme(
    broker="Alder & Finch Securities",
    accent=(0.16, 0.36, 0.20),
    second=(0.62, 0.72, 0.36),
    disclaimer="Important disclosures appear on the last page of this publication",
    language="en",
    leading=1.45,
    total_in_footer=False,
)

RATING_ROWS_ZH = [
    ["类别", "评级", "标准（报告日后六个月内相对沪深三百指数）"],
    ["公司评级", "买入", "预期涨幅在百分之十五以上"],
    ["^", "增持", "预期涨幅介于百分之五与百分之十五之间"],
    ["^", "中性", "预期涨幅介于负百分之五与百分之五之间"],
    ["^", "减持", "预期跌幅在百分之五以上"],
    ["行业评级", "强于大市", "行业指数预期跑赢大盘百分之五以上"],
    ["^", "同步大市", "行业指数预期与大盘的差距不超过百分之五"],
    ["^", "弱于大市", "行业指数预期跑输大盘百分之五以上"],
]


def closing_zh(sheet: Sheet, desk: list[list[str]] | None = None) -> None:
    """Draw the last page of a Chinese report: rating scale, statements and contacts."""
    broker = sheet.theme.broker
    sheet.new_page()
    sheet.disclaimer(
        "分析师承诺",
        [
            "本报告署名分析师具备证券投资咨询执业资格，以勤勉的职业态度独立、客观地出具本报告，"
            "所述观点不受任何第三方授意，报酬亦不与具体推荐意见挂钩。"
        ],
    )
    sheet.disclaimer("评级说明", [])
    draw_table(
        sheet,
        Table("", RATING_ROWS_ZH, widths=(1, 1, 4), align_left=(0, 1, 2)),
        record=False,
    )
    sheet.disclaimer(
        "免责声明",
        [
            f"本报告仅供{broker}的签约客户使用，{broker}不会因接收人收到本报告而视其为当然客户。",
            "本报告所载资料来源被认为可靠，但我们不对其准确性与完整性作出任何明示或暗示的保证，"
            "投资者据此操作，风险自担。",
            "在任何情况下，本报告中的信息或意见均不构成对任何人的投资建议，"
            "过往表现不应作为日后表现的依据。",
            f"未经{broker}书面许可，任何机构和个人不得以翻版、复制、刊登等形式使用本报告全文或部分内容。",
        ],
    )
    if desk:
        contact_table(sheet, "销售联系人", desk)


def closing_en(sheet: Sheet, desk: list[list[str]]) -> None:
    """Draw the last page of an English note: certification, disclaimer and contacts."""
    broker = sheet.theme.broker
    sheet.new_page()
    sheet.disclaimer(
        "Analyst certification",
        [
            "The analysts named on the cover certify that the views expressed here reflect their "
            "personal views and that no part of their pay is tied to a specific recommendation."
        ],
    )
    sheet.disclaimer(
        "Rating definitions",
        [
            "Buy: expected total return of more than 15% within twelve months of publication.",
            "Hold: expected total return between minus 5% and 15% within the same period.",
            "Sell: expected total return below minus 5% within the same period.",
        ],
    )
    sheet.disclaimer(
        "Disclaimer",
        [
            f"This publication is issued by {broker} for institutional clients only and may not be "
            "passed on to any other person without prior written consent.",
            "Nothing in this publication is an offer to buy or sell any security, and past "
            "performance is no guide to future returns.",
        ],
    )
    contact_table(sheet, "Sales contacts", desk)
