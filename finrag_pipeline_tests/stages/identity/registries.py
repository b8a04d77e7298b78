"""Registries of invented companies for the tests, and the one that the issue tells of."""

from __future__ import annotations

from finrag_pipeline.stages.identity.registry import Registry, read_registry

HEADER = "code,full_names,short_names,english_names,nicknames,credit_code,valid_from"

INVENTED = """
688991.SH,星河新材料科技股份有限公司|蓝桥磷化股份有限公司,星河新材|蓝桥磷化,"Xinghe Advanced Materials Co., Ltd.",,,2021-06-18|2008-05-20
688992.SH,澄光储能科技股份有限公司,澄光储能,Chengguang Energy Storage,储芯一哥,91990100MA0CG00022,2020-11-05
04917.HK,澄光储能科技股份有限公司,澄光储能,Chengguang Energy Storage,,91990100MA0CG00022,2025-12-18
301881.SZ,澄光动力系统股份有限公司,澄光动力,,,,
,澄光控股集团有限公司,澄光控股,,,91990100MA0CK00034,
000991.SZ,浙江省远岫电器集团股份有限公司,远岫A,,,,
200991.SZ,浙江省远岫电器（集团）股份有限公司,远岫B,,,,
605984.SH,汐原银行股份有限公司,汐原银行,,,,
605985.SH,中国汐原保险(集团)股份有限公司,中国汐原,,,,
301886.SZ,北京蓬山技术股份有限公司,*ST蓬山技,,,,
605986.SH,丹岚文具股份有限公司,丹岚,,,,
301887.SZ,丹岚重工股份有限公司,丹岚,,,,
"""  # noqa: E501

#: The companies that the issue names.
NAMED = """
0700,腾讯控股有限公司,腾讯控股,Tencent Holdings Limited,鹅厂,,
600519,贵州茅台酒股份有限公司,贵州茅台,,,,
601318,中国平安保险(集团)股份有限公司,中国平安,,,,
000001,平安银行股份有限公司,平安银行|深发展A,,,,
"""


def registry(*rows: str) -> Registry:
    """A registry of rows with the header of all columns; rows may be several lines."""
    return read_registry("\n".join([HEADER, *(row.strip() for row in rows)]))
