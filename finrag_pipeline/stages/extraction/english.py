"""English names by their form: companies with a legal form, and what a document calls them; acts.

A name in capitals begins where the sentence, the office or the heading before it ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.identity.world import canonical

_CAPITAL = r"(?:\d{1,2}-(?=[A-Z][a-z])|\d(?=[A-Z]\b))?[A-ZÀ-Þ][A-Za-zÀ-ÿ0-9&'’.\-]*"
#: Words in small letters that stand inside names.
_SMALL = r"(?:of|and|&|the|de|du|des|di|da|do|dos|del|della|la|le|van|von|der|den|ter|y|e)"
_FORM = (
    r"(?:(?:(?:Holdings?,? )?(?:Inc|INC|Corp|Ltd|LTD)|(?:Co|CO)\.?,? (?:Ltd|Inc|LTD|INC|KG|KGaA)"
    r"|& Co|Pty(?:\.? Ltd)?|Bhd)(?![A-Za-z0-9])\.?"
    r"|(?:Incorporated|INCORPORATED|Corporation|CORPORATION|Limited|LIMITED|LLC|LLP|LP|plc|PLC"
    r"|NV|BV|SA|SAS|SÀRL|Sàrl|SNC|AG|GmbH|KGaA|ApS|AB|ASA|Oyj?|OYJ?|SE|Ltda|Holdings,? (?:LLC|plc"
    r"|Limited)|Holdings)(?![A-Za-z0-9])"
    r"|L\.L\.C\.|L\.P\.|N\.V\.|B\.V\.|C\.V\.|S\.A\.S\.?|S\.A\.|S\.p\.A\.|S\.L\.U?\.?|S\.N\.C\.|S\.R\.L\."
    r"|S\.?à ?r\.?l\.?|s\.r\.o\.|z o\.o\.|A/S|K\.K\.)"
)
_COMPANY = re.compile(
    rf"(?<![A-Za-z\d])((?:{_CAPITAL}(?:, (?={_CAPITAL} &)| )(?:{_SMALL} ){{0,2}}){{0,5}}?"
    rf"{_CAPITAL},? (?:(?:of|and|&) )?{_FORM})(?![A-Za-z])"
)
#: A legal form inside: what stands before it is another name, as in the lists of subsidiaries.
_ANOTHER = re.compile(rf".*?(?<![A-Za-z]){_FORM},? (?:and )?(?=[A-ZÀ-Þ])")
_KEPT_FORMS = re.compile(r"(?:Holdings|AG|SE|SA|NV|AB|& Co\.?),? $")
#: Heads of what belongs to a company or speaks of it: Annual Report of X, Chairman of X.
_HEADS = (
    r"(?:(?:Vice |Executive |Senior |Co-)*(?:Chair(?:man|woman|person)?|President|Officers?|CEO|CFO"
    r"|COO|Directors?|Controller|Treasurer|Secretary|Counsel|Members?|Partners?|Managers?|Founders?"
    r"|Trustees?|Employees|Stockholders?|Shareholders|Shareowners|Management|Subsidiar(?:y|ies)"
    r"|Affiliates?|Divisions?|Units?|Owners?|Holders?|Board|Committee|Reports?|Statements?|Form"
    r"|Portions?|Consent|Behalf|Copy|Certificates?|By-?[Ll]aws|Articles|Notes?|Shares?|Stock"
    r"|Acquisition|Purchase|Sale|Merger|Results|Operations|Income|Part|Office|Headquarters"
    r"|Auditors?|Name|Opinion|Letter|Description|Claims|[KQ]|Title|Total|Includes|Registrants?"
    r"|Defendants?|Plaintiffs?|Company|Partnership|Issuers?|Liability)\b)"
)
_OF = re.compile(rf".*\b{_HEADS}(?:,| of| and| by| for| to| at| with| the)+ (?=\d?-?[A-ZÀ-Þ])")
_LEADING = re.compile(
    r"^(?:(?:The|THE|A|An|In|On|At|As|For|From|By|With|And|But|If|When|While|Our|Its|Their|This"
    r"|That|These|Such|Since|After|Before|Under|To|Of|Both|Each|Note|Exhibit|Item|Between|Among"
    rf"|FY\d*|Total|Includes|Entity Name|Description|Delaware|Re|{_HEADS}) )+"
)
#: Where a sentence, a line or a quotation begins: there any word has a capital.
_OPENS = re.compile(r"(?:^|[.!?:;•|\n(“\"]\s*)$")
_ALWAYS = re.compile(
    r"^(?:The|THE|and|Among|FY\d*|Total|Includes|Entity Name|Description|Delaware|Re|Liability"
    r"|Company|Registrant|Company Name|Name|(?:Latin|North|South) American) "
)
_FORM_BEFORE = re.compile(rf"{_FORM}[\s,|]+$")
_PLACE = re.compile(
    r"(?:Alabama|Arizona|California|Colorado|Connecticut|Florida|Hawaii|Illinois|Indiana|Iowa"
    r"|Kansas|Kentucky|Maryland|Massachusetts|Michigan|Minnesota|Missouri|Nevada|New Jersey"
    r"|North Carolina|Ohio|Oregon|Pennsylvania|Tennessee|Texas|Utah|Wisconsin"
    r"|Argentina|Australia|Austria|Belgium|Bermuda|Brazil|Canada|Chile|China|Denmark|Finland|France"
    r"|Germany|Hong Kong|Hungary|India|Indonesia|Ireland|Israel|Italy|Japan|Luxembourg|Malaysia"
    r"|Mexico|Netherlands|New York|Norway|Poland|Portugal|Singapore|South Africa|South Korea|Korea"
    r"|Spain|Sweden|Switzerland|Taiwan|Thailand|Turkey|United Kingdom|Vietnam) "
    r"(?=[A-Z\d][\w&.'’\-]*,? [A-Z])"
)
#: A heading in capitals before a name that is not: CASH SEVERANCE POLICY Pfizer Inc.
_HEADING = re.compile(r"(?:[A-Z&]{2,} ){2,}(?=[A-Z][a-z])")
_GENERIC = re.compile(
    r"(?:Company|Companies|General|Private|Stock|Group|USA|US|U\.S\.|Corporation|Corporate|Co|Holding"
    r"|Holdings|International|Business|Delaware|Nevada|New|York|Global|Parent|Hosp|Hospital|Ctr"
    r"|Ass['’]n|Memorial|City|Public|Foreign|Domestic|Trust|Partners|Partnership|Limited|Subsidiary"
    r"|Optical|Communications|Services|Common|Preferred|Capital|(?<![A-Za-z])[A-Z](?![A-Za-z])|Pty|Inc|D[Ee]|DOCUMENTS|Documents|Acquisition|Merger"
    r"|Taiwan|Japan|China|Korea|[.,&\s])+"
)
_FORM_END = re.compile(rf",? (?:(?:Company|Co\.?|COMPANY),? )?{_FORM}$")
_ACT = re.compile(
    rf"(?<![A-Za-z])((?:{_CAPITAL} (?:(?:and|of|for|on|to) )?){{1,7}}(?:Act|Directive|"
    rf"Regulation)(?: of \d{{4}})?)(?![A-Za-z])"
)
_NO_ACT = re.compile(r"^(?:Act|The Act|This Act|Such Act|Regulation|Directive|Securities Act)$")
#: Another form behind one: Nutrition Corporation|Ltd.
_FURTHER = re.compile(r",? (?:Ltd|Limited|Inc|LLC)\b\.?")
#: A line of Chinese that ends within a name in Latin letters: 与 Long Star|Growth Group Limited.
_BROKEN = re.compile(r"[\u3400-\u9fff] ?(?P<head>(?:[A-Z][a-z]+ ){0,3}[A-Z][a-z]+)\n$")
#: Characters of a line that may hold the head of a name.
_LINE = 200
#: A name of one word is as short as this, or may be any abbreviation.
_SHORTEST = 4


def english_companies(text: str) -> Iterator[Found]:
    """Companies with their legal form."""
    for match in _COMPANY.finditer(text):
        further = _FURTHER.match(text, match.end(1))
        end = further.end() if further else match.end(1)
        start = match.start(1) + _cut(text, match.start(1), match[1])
        base = _FORM_END.sub("", text[start:end])
        if base != text[start:end] and not _GENERIC.fullmatch(base):
            broken = _BROKEN.search(text, max(0, start - _LINE), start)
            first = broken.start("head") if broken else start
            name = " ".join(text[first:end].split()) if broken else None
            yield Found(first, end, "company", "high", 3, name)


def english_acts(text: str) -> Iterator[Found]:
    """Acts, directives and regulations."""
    for match in _ACT.finditer(text):
        lead = _LEADING.match(match[1])
        start = match.start() + (lead.end() if lead else 0)
        name = text[start : match.end(1)]
        if not _NO_ACT.match(name) and len(name.split()) > 1:
            yield Found(start, match.end(1), "policy", "medium", 2)


def english_settled(texts: Sequence[str], found: Sequence[Sequence[Found]]) -> list[list[Found]]:
    """The names of a document as its other places show them: where they begin, and in short.

    A name whose end is found alone as often is that one with words before it: Johnson Foot Locker,
    Inc. And what is left without the legal form is the same company wherever it stands.

    Args:
        texts: of the chunks.
        found: what `english_companies` and others found in each.
    """
    times = Counter(
        text[each.start : each.end]
        for text, some in zip(texts, found, strict=True)
        for each in some
        if _is_formed(text, each)
    )
    bases = _bases(texts, {name for name in times if _shorter(name, times, {}) is None})
    for left, conjunction, _ in (name.partition(" and ") for name in times):
        if conjunction and canonical(left) != left:
            bases.setdefault(left, left)
    settled = [
        [_shortened(text, each, times, bases) for each in some]
        for text, some in zip(texts, found, strict=True)
    ]
    if not bases:
        return settled
    longest_first = sorted(map(re.escape, bases), key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w&-])(?:{'|'.join(longest_first)})(?![\w&-])")
    for text, some in zip(texts, settled, strict=True):
        some += [
            Found(*match.span(), "company", "medium", 1, bases[match.group()])
            for match in pattern.finditer(text)
        ]
    return settled


def _listed_place(text: str, start: int, name: str) -> re.Match[str] | None:
    """The place of the company before, where a list of subsidiaries is one line."""
    place = _PLACE.match(name)
    return place if place and _FORM_BEFORE.search(text[:start]) else None


def _cut(text: str, start: int, name: str) -> int:
    """How many characters at the beginning are no part of a name."""
    cut = 0
    while True:
        rest = name[cut:]
        another = _ANOTHER.match(rest)
        if another and _KEPT_FORMS.search(another.group()) and " and " not in another.group():
            another = None
        lead = _LEADING.match(rest) if _OPENS.search(text[: start + cut]) else _ALWAYS.match(rest)
        match = (
            another
            or _listed_place(text, start + cut, rest)
            or _OF.match(rest)
            or lead
            or _HEADING.match(rest)
        )
        if match is None or not match.end():
            return cut
        cut += match.end()


def _is_formed(text: str, each: Found) -> bool:
    shown = text[each.start : each.end]
    return each.type == "company" and shown.isascii() and _FORM_END.search(shown) is not None


def _shorter(name: str, times: Counter[str], bases: Mapping[str, str]) -> str | None:
    """The end of a name that is one by itself: found alone as often, behind another company's
    name, or opening with the same word again."""
    words = name.split(" ")
    for at in range(1, len(words) - 1):
        rest = " ".join(words[at:])
        joined = words[at - 1] in ("and", "und") or words[at - 1].endswith(",")
        before = " ".join(words[: at - 1] if words[at - 1] == "and" else words[:at]).rstrip(",")
        known = canonical(before) != before or any(
            before == base or before.endswith((f" {base}", f", {base}")) for base in bases
        )
        listed = joined and known
        again = words[at] == words[0] and words[at - 1] != "&" and words[at].isalpha()
        if times[rest] >= max(1, times[name]) or listed or again:
            return rest
    return None


def _shortened(text: str, each: Found, times: Counter[str], bases: Mapping[str, str]) -> Found:
    if not _is_formed(text, each):
        return each
    shown = text[each.start : each.end]
    while (shorter := _shorter(shown, times, bases)) is not None:
        shown = shorter
    return replace(each, start=each.end - len(shown))


def _bases(texts: Sequence[str], names: set[str]) -> dict[str, str]:
    """Names without their legal form, and whose they are; none that may be an ordinary word."""
    bases: dict[str, set[str]] = {}
    for name in names:
        base = _FORM_END.sub("", name).rstrip(",")
        if len(base) >= _SHORTEST and not _GENERIC.fullmatch(base):
            bases.setdefault(base, set()).add(name)
    small = [base for base in bases if " " not in base]
    every = "\n".join(texts)
    ordinary = {
        base for base in small if re.search(rf"(?<![\w-]){re.escape(base.lower())}(?![\w-])", every)
    }
    return {
        base: min(whose, key=lambda name: (len(name), name))
        for base, whose in bases.items()
        if base not in ordinary
    }
