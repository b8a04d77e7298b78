"""How text becomes words, for every lane and embedder alike: folding, Chinese words, English stems.

What a word weighs belongs to `models.word_weights`, what is done with words to their callers.
`stem` is the measure of trained tables and of segmentation, which move with it; keyword copies,
which are made anew, go by `english_stem`.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from finrag_pipeline.script import simplified

#: Part of every derived copy's version: raise it whenever any text may get other words.
WORDS_VERSION = 3

#: What has no other spelling but capitals.
_PLAIN = re.compile(r"[\x00-\x7f\u3400-\u9fff]*")
_COMBINING = re.compile(r"[\u0300-\u036f]")
_HAN = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"""
    (?P<code>(?<![a-z0-9.])\d{{4,6}}\s?\.\s?(?:sh|sz|bj|hk|ss)(?![a-z0-9]))
  | (?P<prefixed>(?<![a-z0-9])(?:sh|sz|bj|hk)[.:]?\d{{5,6}}(?![a-z0-9]))
  | (?P<number>(?<![a-z0-9])\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![a-z0-9]|,\d)
              |(?<![a-z0-9])\d+(?:\.\d+)?(?![a-z0-9]))
  | (?P<latin>(?=[a-z0-9]*[a-z])[a-z0-9]+(?:[&'’\-][a-z0-9]+)*)
  | (?P<digits>\d+)
  | (?P<han>[{_HAN}]+)
  | (?P<other>[^\W_]+?(?=[a-z0-9{_HAN}]|\W|_|$))
    """,
    re.VERBOSE,
)
_POSSESSIVE = re.compile(r"['’]s?$")
_JOINERS = re.compile(r"[&'’\-]")
_DECIMALS = re.compile(r"\d+\.\d*0")
#: FY2024, FY24, 2025E, 2024A: a year under which others write it bare.
_YEAR = re.compile(r"(?:fy)?((?:19|20)\d\d)[aef]?|fy(\d\d)", re.ASCII)

# Words that ask rather than tell: filings seldom ask, so their rarity there says nothing.
_ASKING = """
的 地 得 了 着 过 是 在 和 与 及 或 而 也 都 就 还 又 吗 呢 吧 啊 么 请 请问 多少 什么
哪些 哪个 哪家 哪 哪里 哪儿 谁 几 如何 怎么 怎样 怎么样 为什么 为何 是否 有无 介绍 简要
简要介绍 简单 简述 说明 告诉 我 我们 你 你们 您 能 能否 可以 可否 需要 根据 按照 基于 关于
对于 对 中 为 其 以及 该 这 那 这个 那个 这些 那些 有 有关 相关 具体 分别 情况 方面 时候
一下 哪种 何 何时 多大 多高 想 知道 了解 请给出 给 给出 提供 帮 帮我 被 把 从 到 由 于 以
等 上 下 里 内 之 所 并 且 一个 进行 具有 会 要 将 回答 问题 问 列出 列举 分析 总结 概述
描述 查 我查 查询 查找 跟 比 相比 相比于 比较 对比 比起来 起来 百分之 百分之几 几个 年 年度
年份 年末 年底 年报 年初 月 月份 日 期间 报告期 期末 保留 小数 小数点 位 两位 二位 位数 后
确认 算 算一下 计算 请以 形式 结果 单位 元 万元 亿元 这项 该项 一项 披露 数据 来看 来说
而言 指 是不是 还是 不 没有 当年 同期 一起 目前 现在 哪年
a an the of in on at to for from by with and or as is are was were be been being it its
this that these those what which who whom whose when where why how many much did do does
done has have had can could would should will shall may might please tell me give us we
our you your i my about into than then there their they he she his her not no any all if
according based between during per also describe explain list
"""
FUNCTION_WORDS = frozenset(_ASKING.split())

#: A stemmer keeps the word that it is at: one a thread.
_stemmers = threading.local()


def fold(text: str) -> str:
    """One spelling for each character: half width, lower case, no accents, simplified; idempotent.

    >>> fold("ＲＯＥ　Nestlé"), fold("冷鏈物流")
    ('roe nestle', '冷链物流')
    """
    text = simplified(text)
    if _PLAIN.fullmatch(text):
        return text.lower()
    folded = _COMBINING.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return unicodedata.normalize("NFKC", _COMBINING.sub("", unicodedata.normalize("NFKD", folded)))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A folded English word without its inflection; idempotent, the same for all its forms.

    >>> [stem(word) for word in ("revenues", "increased", "increasing", "companies", "business")]
    ['revenu', 'increa', 'increa', 'company', 'business']
    """
    while (shorter := _stem_once(word)) != word:
        word = shorter
    return word


@lru_cache(maxsize=100_000)
def english_stem(word: str) -> str:
    """A folded English word by Snowball's English stemmer (Porter 2).

    >>> [english_stem(word) for word in ("increased", "operating", "operations", "companies")]
    ['increas', 'oper', 'oper', 'compani']
    """
    return _snowball().stemWord(word) if word.isascii() and word.isalpha() else word


@cache
def segmenter() -> Any:
    """`rjieba`, which cuts Chinese; its dictionary takes .1 s to load, which English needs not."""
    import rjieba

    return rjieba


def words(text: str) -> list[str]:
    """The words of a text in order, each character in at most one of them.

    Chinese is segmented, English stemmed, thousands separators dropped; a securities code stays
    whole, whether its market stands before or after it. About 5 MB of text a second.

    >>> words("凯莱英(002821.SZ)营收1,234.5万元, revenues")
    ['凯莱', '英', '002821.sz', '营收', '1234.5', '万元', 'revenu']
    """
    return [word for kind, piece in _pieces(text) for word in _plain(kind, piece)]


def search_words(text: str) -> list[str]:
    """The words under which a text is found: `words` and the forms others may write.

    Adds the words inside longer Chinese words, every pair of Chinese neighbours (a name that no
    dictionary holds is still found), a code without its market, the parts of a hyphenated word.
    """
    return _found(text, stem)


def keywords(text: str) -> list[str]:
    """The words of a keyword copy: `search_words` under `english_stem`, and written forms as one.

    Adds the year of a fiscal year or a forecast; a figure stands without its last zeros.

    >>> keywords("FY2024 revenues increased"), keywords("2025E: 1,234.50"), keywords("10.0%")
    (['fy2024', '2024', 'revenu', 'increas'], ['2025e', '2025', '1234.5'], ['10'])
    """
    found: list[str] = []
    for word in _found(text, english_stem):
        if _DECIMALS.fullmatch(word):
            word = word.rstrip("0").rstrip(".")
        found.append(word)
        if (year := _YEAR.fullmatch(word)) and not word.isdigit():
            found.append(year[1] or f"20{year[2]}")
    return found


def subject(question: str) -> str:
    """A question without the words that only ask: what is left says what it is about.

    >>> subject("请问凯莱英2024年的营收是多少？"), subject("What was the margin of Nestlé?")
    ('凯莱英 2024 营收', 'margin nestle')
    """
    kept: list[str] = []
    for kind, piece in _pieces(question):
        # Chinese words stay joined, so that pairs across them (an unknown name) stay pairs
        found = segmenter().cut(piece) if kind == "han" else [" ", piece, " "]
        kept += [" " if word in FUNCTION_WORDS else word for word in found]
    return " ".join("".join(kept).split())


def is_chinese(text: str) -> bool:
    """Whether a reader would call the text Chinese: a Chinese character for every four letters."""
    han = len(re.findall(rf"[{_HAN}]", text))
    return han * 4 >= len(re.findall(r"[A-Za-z]", text)) and han > 0


def _found(text: str, stemmed: Callable[[str], str]) -> list[str]:
    found: list[str] = []
    for kind, piece in _pieces(text):
        if kind == "han":
            longer = list(segmenter().cut_for_search(piece))
            found += longer
            known = set(longer)
            pairs = (piece[at : at + 2] for at in range(len(piece) - 1))
            found += [pair for pair in pairs if pair not in known]
        elif kind in ("code", "prefixed"):
            code = _code(piece)
            found += [code, code.partition(".")[0]]
        elif kind == "latin" and _JOINERS.search(piece):
            found += _plain(kind, piece, stemmed)
            found += [stemmed(part) for part in _JOINERS.split(_POSSESSIVE.sub("", piece)) if part]
        else:
            found += _plain(kind, piece, stemmed)
    return found


def _snowball() -> Any:
    if not hasattr(_stemmers, "english"):
        import snowballstemmer

        _stemmers.english = snowballstemmer.stemmer("english")
    return _stemmers.english


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(fold(text)):
        yield match.lastgroup or "other", match.group()


def _plain(kind: str, piece: str, stemmed: Callable[[str], str] = stem) -> list[str]:
    if kind == "han":
        return list(segmenter().cut(piece))
    if kind in ("code", "prefixed"):
        return [_code(piece)]
    if kind == "number":
        return [piece.replace(",", "")]
    if kind == "latin":
        return [stemmed(_JOINERS.sub("", _POSSESSIVE.sub("", piece)))]
    return [piece]


def _code(piece: str) -> str:
    digits = "".join(re.findall(r"\d", piece))
    market = "".join(re.findall(r"[a-z]", piece)).replace("ss", "sh")
    return f"{digits.zfill(5) if market == 'hk' else digits}.{market}"


def _stem_once(word: str) -> str:
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    for suffix in ("ing", "ed", "ly"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= 3 and re.search("[aeiouy]", rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word[:-1] if word.endswith("e") and len(word) >= 5 else word
