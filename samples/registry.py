"""The register of the invented companies: names, codes and since when they hold.

Among them: a rename with both days, a company listed twice, a listed subsidiary, its parent that
is not listed (a credit code, no code), nicknames, and two companies of like names.
"""

from __future__ import annotations

import csv
from pathlib import Path

FIELDS = (
    "code",
    "full_names",
    "short_names",
    "english_names",
    "nicknames",
    "credit_code",
    "valid_from",
)
ROWS = (
    ("688991.SH", "星河新材料科技股份有限公司|蓝桥磷化股份有限公司", "星河新材|蓝桥磷化",
     "Xinghe Advanced Materials", "", "91990100MA0XH00011", "2021-06-18|2008-05-20"),
    ("688992.SH", "澄光储能科技股份有限公司", "澄光储能",
     "Chengguang Energy Storage", "储芯一哥", "91990100MA0CG00022", "2020-11-05"),
    ("04917.HK", "澄光储能科技股份有限公司", "澄光储能",
     "Chengguang Energy Storage", "储芯一哥", "91990100MA0CG00022", "2025-12-18"),
    ("301881.SZ", "澄光动力系统股份有限公司", "澄光动力",
     "Chengguang Power Systems", "", "91990100MA0CD00033", "2022-03-22"),
    ("", "澄光控股集团有限公司", "澄光控股",
     "Chengguang Holdings", "", "91990100MA0CK00034", ""),
    ("605981.SH", "远岫能源系统股份有限公司", "远岫能源",
     "Yuanxiu Energy Systems", "", "91990200MA0YX00044", "2019-09-12"),
    ("605982.SH", "汐原电力股份有限公司", "汐原电力",
     "Xiyuan Power", "", "91990200MA0XY00055", "2016-04-28"),
    ("605984.SH", "汐原银行股份有限公司", "汐原银行",
     "Xiyuan Bank", "", "91990200MA0XB00056", "2018-08-08"),
    ("001751.SZ", "锂衡资源股份有限公司", "锂衡资源",
     "Liheng Resources", "", "91990300MA0LH00066", "2015-07-01"),
    ("301882.SZ", "隔川膜业股份有限公司", "隔川膜业",
     "Gechuan Membrane", "", "91990300MA0GC00077", "2021-01-15"),
    ("301883.SZ", "凌峤科技股份有限公司", "凌峤科技",
     "Lingqiao Technology", "", "91990300MA0LQ00088", "2021-08-09"),
    ("688993.SH", "铄星材料股份有限公司", "铄星材料",
     "Shuoxing Materials", "", "91990400MA0SX00099", "2020-05-20"),
    ("301884.SZ", "蓬山电气股份有限公司", "蓬山电气",
     "Pengshan Electric", "", "91990400MA0PS00101", "2022-10-31"),
    ("301885.SZ", "汀澜宠物食品股份有限公司", "汀澜宠物",
     "Tinglan Pet Foods", "澜小爪", "91990500MA0TL00112", "2023-02-14"),
    ("001752.SZ", "禾丘牧业股份有限公司", "禾丘牧业",
     "Heqiu Farming", "丘大猪", "91990500MA0HQ00123", "2014-12-03"),
    ("605983.SH", "谷满农科股份有限公司", "谷满农科",
     "Guman Agritech", "", "91990500MA0GM00134", "2017-03-17"),
    ("301886.SZ", "北榆宠物医疗股份有限公司", "北榆宠医",
     "Beiyu Pet Clinics", "", "91990500MA0BY00145", "2023-09-26"),
)  # fmt: skip


def write_registry(path: Path) -> None:
    """Write the register as CSV; several names in a cell are joined by a bar."""
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(ROWS)
