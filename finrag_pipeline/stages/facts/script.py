"""Traditional characters of statements as simplified ones: what filings of Hong Kong print."""

from __future__ import annotations

_PAIRS = (
    "資资產产負负債债權权益益損损綜综併并現现金金營营業业務务總总額额淨净潤润稅税費费"
    "銷销財财應应東东屬属於于擁拥佔占與与對对報报動动長长價价貨货幣币預预餘余員员"
    "聯联會会計计當当處处變变後后匯汇開开發发購购買买賣卖項项時时間间觸触遞递無无"
    "攤摊薄薄盈盈期期溢溢經经儲储備备積积備备據据貸贷還还償偿製制據据級级關关"
    "終终給给條条認认確确實实際际號号類类團团個个節节單单億亿萬万狀状況况歸归儲储壞坏賬账證证參参職职資资設设備备無无術术專专許许擔担劃划協协從从來来國国區区內内與与為为於于產产業业門门間间開开關关邊边過过進进還还遠远運运達达"
)
_TABLE = str.maketrans({_PAIRS[n]: _PAIRS[n + 1] for n in range(0, len(_PAIRS), 2)})


def simplified(text: str) -> str:
    """A text with the traditional characters of statements simplified.

    >>> simplified("綜合財務狀況表"), simplified("本公司擁有人應佔溢利")
    ('综合财务状况表', '本公司拥有人应占溢利')
    """
    return text.translate(_TABLE)
