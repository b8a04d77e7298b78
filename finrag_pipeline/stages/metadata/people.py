"""Reads the names of analysts from the rows of a report's first page.

Only forms that print a role, a licence or a mail address beside the name count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.records import Place
from finrag_pipeline.stages.metadata.families import COMPOUND, FAMILIES
from finrag_pipeline.stages.metadata.front import Found, Row

_HAN = r"\u3400-\u9fff"
_NAME = rf"(?:(?:{COMPOUND})[{_HAN}]{{1,2}}|[{FAMILIES}][{_HAN}]{{1,2}})"
_FOREIGN = rf"[{_HAN}]{{1,8}}[·・•][{_HAN}·・•]{{1,12}}"
#: Any word after ``分析师：`` is a name, also of a family that no list holds.
_WORD = rf"(?:{_FOREIGN}|[{_HAN}]{{2,4}}?)"
_END = (
    rf"(?=[^{_HAN}]|$|执业|电话|手机|邮箱|邮件|证书|登记|联系|研究|分析|证券|首席|资格|编号|"
    r"职业|投资|行业)"
)
_START = rf"(?<![{_HAN}])"
_FIELD = rf"[{_HAN}/与及和]{{0,10}}?"
_ANALYST = rf"(?:{_FIELD}(?:分析师|分析员|研究员))"
_HELPER = r"(?:助理(?:证券)?分析师|研究助理|助理研究员|联系人|研究支持)"
_ROLE = rf"(?:{_HELPER}|{_ANALYST})"
_CREDENTIALS = r"(?:CFA|CPA|FRM|ACCA|CAIA|Ph\.?\s?D|博士)"
_LICENCE = re.compile(r"(?<![A-Za-z\d])[SA]\d{13}(?!\d)")
_LICENCE_LABEL = (
    r"(?:SAC|NO|No|[.#:：()（）\s]|执业|执证|证券|投资|咨询|资格|分析师|登记|证书|编号|编码|号码?)*"
)
_MAIL = r"[A-Za-z][\w.\-]*\s?@"
_PHONE = r"\+?\(?(?:0\d{2,3}|86|852|1\d{2})\)?[- ()\d]{7,16}[\d*]*"
#: Words that begin like a family name and stand where names do.
_NO_NAMES = frozenset(
    {
        "石化",
        "金融",
        "金属",
        "金工",
        "计算机",
        "于此",
        "方法",
        "任何",
        "高级",
        "白酒",
        "农业",
        "华南",
        "华东",
        "华北",
        "华中",
        "简介",
        "申明",
        "公司",
    }
)
#: Sections of a cover that name people: a bare row of names may follow.
_HEADING = re.compile(
    rf"^\W*(?:{_ANALYST}|{_HELPER}|作者|分析师(?:及|与|和|、|/)(?:联系人|研究助理))\s*[:：]?$"
)
_NAMES = re.compile(rf"{_NAME}(?:[\s、,，/]+{_NAME})*")


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to print a person: group 1 is the name, `analyst` None where no role is told."""

    pattern: re.Pattern[str]
    analyst: bool | None


_FORMS = (
    _Form(re.compile(rf"{_HELPER}\s*[:：]\s*({_WORD}){_END}"), False),
    _Form(re.compile(rf"{_HELPER}\s+({_NAME}){_END}"), False),
    _Form(re.compile(rf"{_START}({_NAME}|{_FOREIGN})\s*[:：]?\s*[（(]{_HELPER}[)）]"), False),
    _Form(re.compile(rf"{_START}({_NAME})[ ,，、|]+{_FIELD}{_HELPER}"), False),
    _Form(
        re.compile(
            rf"(?<!助理)(?<!理证券)(?:分析师|分析员|研究员|作者|主编|编辑|撰写人?)\s*(?:\d\s*)?[:：]\s*({_WORD}){_END}"
        ),
        True,
    ),
    _Form(re.compile(rf"(?<!助理)(?:分析师|分析员|研究员)\s+({_NAME}|{_FOREIGN}){_END}"), True),
    _Form(
        re.compile(rf"{_START}({_NAME}|{_FOREIGN})\s*[:：]?\s*[（(](?!助理){_ANALYST}[)）]"), True
    ),
    _Form(
        re.compile(
            rf"{_START}({_NAME})[ ,，、|]+(?:{_CREDENTIALS}[ ,，、]*)*(?!助理|研究助理){_ANALYST}"
        ),
        True,
    ),
    _Form(re.compile(rf"{_START}({_NAME})\s*{_LICENCE_LABEL}[SA]\d{{13}}"), None),
    _Form(re.compile(rf"{_START}({_NAME})\s*[,，、]?\s*{_CREDENTIALS}(?![a-z])"), None),
    _Form(re.compile(rf"(?:^|[\s|])({_NAME})[ ,，]+(?:{_PHONE}\s*)?{_MAIL}"), None),
    _Form(re.compile(rf"^({_NAME})[ ,，]*{_PHONE}"), None),
)
_TAIL = re.compile(r"\s+(?:SAC|执业|执证|证券投资|投资咨询|资格|登记|证书)\S*$")
_BESIDE_NAMES = re.compile(rf"[SA]\d{{13}}|@|SAC|执业|证书|登记编|电话|邮箱|CFA|{_ANALYST}|\d{{7}}")
_ENGLISH = re.compile(
    r"(?:Analysts?|Authors?)\s*[:：]\s*([A-Z][a-zA-Z.\-]+(?: [A-Z][a-zA-Z.\-]+){1,2})"
)
_ENGLISH_NAME = re.compile(r"([A-Z][a-z]+(?: [A-Z][\w.\-]*){1,2})(?:,? (?:CFA|CPA|FRM|PhD))*")
_MAILBOX = re.compile(r"([\w.\-]+)@")
#: Rows below a name in which its licence may stand: phone, mail, two licences, a second phone.
_LICENCE_ROWS = 6


@dataclass(slots=True)
class _Person:
    name: str
    place: Place
    analyst: bool | None
    licensed: bool = False


def read_analysts(rows: Sequence[Row]) -> Found[tuple[str, ...]]:
    """Names of the analysts who sign, in order of print, each once.

    Contacts and assistants count where they bear a licence, as those who list authors have it;
    a name with a mail address alone counts where nobody bears a licence or a role.

    Args:
        rows: of a first page, in reading order.

    Returns:
        Chinese names; without any, English names after ``Analyst:`` or beside a mail address.
    """
    people = list(_people(rows))
    signing = [person for person in people if person.licensed or person.analyst]
    signing = signing or [person for person in people if person.analyst is None]
    found: dict[str, Place] = {}
    for person in signing:
        found.setdefault(person.name, person.place)
    if not found:
        found = dict(_english(rows))
    return Found(tuple(found), tuple(dict.fromkeys(found.values())))


def licensed_analysts(rows: Iterable[Row]) -> Found[tuple[str, ...]]:
    """Names printed on one row with a licence, wherever it stands: a last page's signatures."""
    found: dict[str, Place] = {}
    for row in rows:
        if _LICENCE.search(row.text):
            for person in _in_row(row):
                found.setdefault(person.name, person.place)
    return Found(tuple(found), tuple(dict.fromkeys(found.values())))


def _people(rows: Sequence[Row]) -> Iterator[_Person]:
    """All people named, licences given to those they stand beside or under."""
    waiting: list[_Person] = []
    since = 0
    heading: bool | None = None
    headed = False
    for number, row in enumerate(rows):
        here = list(_in_row(row))
        if not here:
            following = rows[number + 1].text if number + 1 < len(rows) else ""
            here = list(_bare(row, following, heading, headed))
        if _HEADING.match(row.text):
            headed, heading = True, not re.search(_HELPER, row.text) or "分析师" in row.text
        elif not here:
            headed = headed and bool(_BESIDE_NAMES.search(row.text))
        if here:
            waiting, since = here, number
            yield from here
        licences = len(_LICENCE.findall(row.text)) if number - since <= _LICENCE_ROWS else 0
        for person in [person for person in waiting if not person.licensed][:licences]:
            person.licensed = True


def _in_row(row: Row) -> Iterator[_Person]:
    """People whose role, licence or address stands in the row, from the left."""
    spots: dict[int, _Person] = {}
    for form in _FORMS:
        for match in form.pattern.finditer(row.text):
            name = match[1]
            known = any(start <= match.start(1) < start + len(p.name) for start, p in spots.items())
            if not known and name not in _NO_NAMES:
                spots[match.start(1)] = _Person(name, row.place, form.analyst)
    for start in sorted(spots):
        yield spots[start]


def _bare(row: Row, following: str, heading: bool | None, headed: bool) -> Iterator[_Person]:
    """Names alone on a row under a heading, or above a row with a licence or an address."""
    names = _TAIL.sub("", re.sub(rf"[,，]?\s*{_CREDENTIALS}", "", row.text)).strip(" :：")
    if not _NAMES.fullmatch(names):
        return
    if headed or (_BESIDE_NAMES.search(following) and not any(_in_row(Row(following, row.place)))):
        for name in re.split(r"[\s、,，/]+", names):
            if name not in _NO_NAMES:
                yield _Person(name, row.place, heading if headed else None)


def _english(rows: Sequence[Row]) -> Iterator[tuple[str, Place]]:
    """English names after a role, or alone on a row when a mail address holds the family name."""
    mails = " ".join(mail.lower() for row in rows for mail in _MAILBOX.findall(row.text))
    for row in rows:
        for match in _ENGLISH.finditer(row.text):
            yield match[1], row.place
        alone = _ENGLISH_NAME.fullmatch(row.text)
        if alone and any(part.lower() in mails for part in alone[1].split() if len(part) > 2):
            yield alone[1], row.place
