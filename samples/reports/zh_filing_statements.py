"""The statements of the Yuanxiu filing; totals and closing balances are computed."""

from __future__ import annotations

from model import num

Line = tuple[str, float, float]

CURRENT_ASSETS: list[Line] = [
    ("货币资金", 286_430.20, 241_918.50),
    ("交易性金融资产", 40_000.00, 55_000.00),
    ("应收票据", 31_207.45, 28_640.11),
    ("应收账款", 318_552.87, 246_380.42),
    ("预付款项", 22_418.09, 19_275.36),
    ("存货", 214_906.33, 187_450.94),
    ("合同资产", 48_115.60, 39_902.18),
]
FIXED_ASSETS: list[Line] = [
    ("长期股权投资", 18_640.00, 17_980.00),
    ("固定资产", 196_377.52, 172_804.66),
    ("在建工程", 45_810.73, 38_266.20),
    ("无形资产", 33_129.48, 34_005.81),
    ("递延所得税资产", 7_704.26, 6_912.37),
]
CURRENT_DEBTS: list[Line] = [
    ("短期借款", 68_000.00, 75_500.00),
    ("应付票据", 142_336.71, 118_207.94),
    ("应付账款", 313_167.02, 232_561.27),
    ("合同负债", 76_220.15, 58_904.63),
    ("应付职工薪酬", 12_418.66, 15_730.92),
    ("应交税费", 9_806.24, 8_115.48),
]
FIXED_DEBTS: list[Line] = [
    ("长期借款", 92_000.00, 98_000.00),
    ("预计负债", 21_544.90, 17_263.05),
]
EQUITY: list[Line] = [
    ("股本", 62_000.00, 62_000.00),
    ("资本公积", 214_318.44, 214_318.44),
    ("盈余公积", 21_706.12, 21_706.12),
]
MINORITY: Line = ("少数股东权益", 15_902.37, 14_388.09)


def total(lines: list[Line]) -> tuple[float, float]:
    """Return the sums of both periods."""
    return sum(line[1] for line in lines), sum(line[2] for line in lines)


def show(label: str, values: tuple[float, float]) -> list[str]:
    """Return one printed row of a statement."""
    return [label, num(values[0], 2), num(values[1], 2)]


def add(*pairs: tuple[float, float]) -> tuple[float, float]:
    """Add pairs period by period."""
    return sum(p[0] for p in pairs), sum(p[1] for p in pairs)


def less(left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    """Subtract one pair from another, period by period."""
    return left[0] - right[0], left[1] - right[1]


ASSETS = add(total(CURRENT_ASSETS), total(FIXED_ASSETS))
DEBTS = add(total(CURRENT_DEBTS), total(FIXED_DEBTS))
OWNERS = less(ASSETS, DEBTS)
PARENT_EQUITY = less(OWNERS, MINORITY[1:])
RETAINED = less(PARENT_EQUITY, total(EQUITY))

REVENUE, COST = (984_260.00, 750_200.00), (791_345.04, 607_662.00)
EXPENSES: list[Line] = [
    ("税金及附加", 4_921.30, 3_751.00),
    ("销售费用", 36_417.62, 29_257.80),
    ("管理费用", 28_543.54, 23_256.20),
    ("研发费用", 41_338.92, 33_008.80),
    ("财务费用", 3_104.77, 4_126.10),
]
OTHER: Line = ("加：其他收益及投资收益", 6_230.18, 5_417.36)
IMPAIRED: Line = ("减：信用及资产减值损失", 9_845.11, 7_120.08)
OPERATING = add(less(less(REVENUE, COST), total(EXPENSES)), OTHER[1:], less((0, 0), IMPAIRED[1:]))
OUTSIDE: Line = ("加：营业外收支净额", -214.36, 182.55)
BEFORE_TAX = add(OPERATING, OUTSIDE[1:])
TAX = (round(BEFORE_TAX[0] * 0.15, 2), round(BEFORE_TAX[1] * 0.15, 2))
NET = less(BEFORE_TAX, TAX)
MINOR_NET = (1_514.28, 1_106.40)
PARENT_NET = less(NET, MINOR_NET)

OPERATING_IN: list[Line] = [
    ("销售商品、提供劳务收到的现金", 968_450.66, 731_822.09),
    ("收到其他与经营活动有关的现金", 14_203.85, 11_560.72),
]
OPERATING_OUT: list[Line] = [
    ("购买商品、接受劳务支付的现金", 778_196.40, 612_337.51),
    ("支付给职工以及为职工支付的现金", 71_862.93, 60_218.44),
    ("支付的各项税费", 33_540.17, 27_106.38),
    ("支付其他与经营活动有关的现金", 31_209.55, 27_984.10),
]
INVEST: Line = ("投资活动产生的现金流量净额", -21_468.30, -47_206.15)
FINANCE: Line = ("筹资活动产生的现金流量净额", -1_865.46, 18_440.92)
OPENING = (241_918.50, 209_704.88)
FLOW = less(total(OPERATING_IN), total(OPERATING_OUT))
CHANGE = add(FLOW, INVEST[1:], FINANCE[1:])
CLOSING = add(OPENING, CHANGE)


def balance_rows() -> list[list[str]]:
    """Return the balance sheet."""
    rows = [["项目", "2025年9月30日", "2024年12月31日"]]
    blocks = (
        ("流动资产：", CURRENT_ASSETS, "流动资产合计"),
        ("非流动资产：", FIXED_ASSETS, "非流动资产合计"),
    )
    for name, lines, closing in blocks:
        rows += [[name, "", ""], *(show(x[0], x[1:]) for x in lines), show(closing, total(lines))]
    rows.append(show("资产总计", ASSETS))
    blocks = (
        ("流动负债：", CURRENT_DEBTS, "流动负债合计"),
        ("非流动负债：", FIXED_DEBTS, "非流动负债合计"),
    )
    for name, lines, closing in blocks:
        rows += [[name, "", ""], *(show(x[0], x[1:]) for x in lines), show(closing, total(lines))]
    rows.append(show("负债合计", DEBTS))
    rows += [["所有者权益：", "", ""], *(show(x[0], x[1:]) for x in EQUITY)]
    rows += [
        show("未分配利润", RETAINED),
        show("归属于母公司所有者权益合计", PARENT_EQUITY),
        show(MINORITY[0], MINORITY[1:]),
        show("所有者权益合计", OWNERS),
        show("负债和所有者权益总计", add(DEBTS, OWNERS)),
    ]
    return rows


def income_rows() -> list[list[str]]:
    """Return the income statement."""
    return [
        ["项目", "2025年1—9月", "2024年1—9月"],
        show("一、营业总收入", REVENUE),
        show("减：营业成本", COST),
        *(show(x[0], x[1:]) for x in EXPENSES),
        show(OTHER[0], OTHER[1:]),
        show(IMPAIRED[0], IMPAIRED[1:]),
        show("二、营业利润", OPERATING),
        show(OUTSIDE[0], OUTSIDE[1:]),
        show("三、利润总额", BEFORE_TAX),
        show("减：所得税费用", TAX),
        show("四、净利润", NET),
        show("归属于母公司股东的净利润", PARENT_NET),
        show("少数股东损益", MINOR_NET),
    ]


def cash_rows() -> list[list[str]]:
    """Return the cash flow statement."""
    return [
        ["项目", "2025年1—9月", "2024年1—9月"],
        *(show(x[0], x[1:]) for x in OPERATING_IN),
        show("经营活动现金流入小计", total(OPERATING_IN)),
        *(show(x[0], x[1:]) for x in OPERATING_OUT),
        show("经营活动现金流出小计", total(OPERATING_OUT)),
        show("经营活动产生的现金流量净额", FLOW),
        show(INVEST[0], INVEST[1:]),
        show(FINANCE[0], FINANCE[1:]),
        show("现金及现金等价物净增加额", CHANGE),
        show("加：期初现金及现金等价物余额", OPENING),
        show("期末现金及现金等价物余额", CLOSING),
    ]
