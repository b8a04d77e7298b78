"""Contact lines: phones, addresses, licences and sales rosters of people and offices."""

from __future__ import annotations

import re

from finrag_pipeline.stages.cleaning.text import folded, weight

_PHONE = re.compile(
    r"(?<!\d)(0\d{2,3}[-\s]?\d{7,8}|1[3-9]\d{9}|[48]00[-\s]{1,3}\d{3,4}[-\s]{1,3}\d{3,4}|"
    r"(\(\+?\d{2,3}\)|\+\d{2,3})[-\s]?\d{3,4}[-\s]?\d{4}|\d{3}-\d{3}-\d{4})(?!\d)"
)
_EMAIL = re.compile(r"[\w.\-]+@[\w\-]+(\.[\w\-]+)+")
_CONTACT = re.compile(
    r"(电话|手机|传真|邮箱|邮编|地址|网址|邮件|联系方式|\bTel\b|\bFax\b|E-?mail|Address)\s*[:：]"
    r"|https?://|www\.",
    re.IGNORECASE,
)
#: An address within a site names a publication; that of the site alone is its owner's.
_REFERENCE = re.compile(r"(https?://|www\.)[^\s/]+(/[^\s/]+){2,}", re.IGNORECASE)
#: An analyst's life: a name, what he is, where he studied or what he did before.
_BIOGRAPHY = re.compile(
    r"^\W*[\u4e00-\u9fff]{2,4}\s?[(（]?[，,：:、\s].{0,40}?(分析师|研究员|研究助理|研究所|研究组|首席)"
)
_TEAM = re.compile(r"^\S{0,8}(研究)?(团队|小组|分析师|研究员|作者)\S{0,4}(简介|介绍)$")
_LIFE = re.compile(
    r"硕士|博士|学士|本科|大学|学院|毕业|曾任|曾就职|从业|年.{0,12}(经验|经历)|CFA|CPA|FRM"
)
_ADDRESS = re.compile(r"[省市区县].{0,20}[路街道].{0,16}\d+\s*号|\d+\s*[层楼座室]$")
_LICENCE = re.compile(
    r"(执业|SAC|证书|资格).{0,8}(编号|证号|证书|No)?\s*[:：]?\s*S\d{13}|^S\d{13}$"
)
#: The head over a roster of people.
_ROSTER = re.compile(
    r"^(?=.*(电话|座机|手机|邮箱))((所在)?(区域|地区)|姓名|职[务位称]|岗位|"
    r"(办公|移动|固定|联系)?电话|座机|手机号?码?|传真|((企业|电子)?邮箱|邮件)(地址)?){3,}$"
)
_SALES = re.compile(r"^(机构)?销售(团队|人员|经理|总监|联系人)?(通讯录|联系方式|名单)?$")


def is_contact_text(row: str) -> bool:
    """Whether one row or cell is a phone, an address, a licence or the like."""
    bare = _REFERENCE.sub("", folded(row))
    return bool(
        _EMAIL.search(bare)
        or _LICENCE.search(bare)
        or _ADDRESS.search(bare)
        or _SALES.search(bare)
        or _ROSTER.search("".join(bare.split()))
        or (_CONTACT.search(bare) and weight(without_contacts(bare)) < 40)
        or (_PHONE.search(bare) and weight(_PHONE.sub("", bare)) < 30)
    )


def without_contacts(text: str) -> str:
    """What a text says beside its contacts."""
    for pattern in (_EMAIL, _LICENCE, _PHONE, _CONTACT):
        text = pattern.sub("", text)
    return text


def is_team_title(text: str) -> bool:
    """Whether a line is the title over the lives of a research team."""
    return bool(_TEAM.match(folded(text).strip(": 【】[]■●◆▌|")))


def is_biography(text: str) -> bool:
    """Whether a paragraph tells an analyst's life, as pages on research teams do.

    >>> is_biography("王小明，医药首席分析师，某某大学硕士，五年行业研究经验。")
    True
    >>> is_biography("王小明，公司董事长，某某大学硕士，曾任总经理。")
    False
    """
    bare = folded(text)
    return bool(_BIOGRAPHY.match(bare) and _LIFE.search(bare))
