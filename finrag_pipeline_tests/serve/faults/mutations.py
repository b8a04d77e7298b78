"""Files as damage and ill will make them: samples whose bytes and parts chance has changed."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.stages.office_files import INTRO, TABLE, html, make_docx, make_pptx

Change = Callable[[bytes, Random], bytes]

_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_TAG = re.compile(rb"<[A-Za-z][^<>]{0,200}>[^<>]{0,500}</[A-Za-z:]+>")
#: Numbers at which arithmetic and allocations break.
_ODD = (b"0", b"-1", b"65536", b"2147483648", b"-2147483649", b"99999999999999999999", b"1e308")
#: Words of a PDF that decide how the rest is read.
_WORDS = (b"/Type", b"/Length", b"/Filter", b"/Kids", b"/Count", b"/W", b"obj", b"stream", b"xref")


def seeds(folder: Path) -> list[Path]:
    """Whole files of each format that is read."""
    folder.mkdir(parents=True, exist_ok=True)
    made = [make_docx(folder / "a.docx"), make_pptx(folder / "b.pptx"), folder / "c.html"]
    made[-1].write_text(html(f"<h1>隔膜行业</h1><p>{INTRO}</p>{TABLE}"))
    return [*sorted(SAMPLE_PDFS.glob("*.pdf")), *made]


def mutated(path: Path, chance: Random) -> bytes:
    """The bytes of a file after one to four changes, some of them inside its parts."""
    data = path.read_bytes()
    for _ in range(chance.randint(1, 4)):
        change = chance.choice(_CHANGES[path.suffix])
        data = change(data, chance) or data
    return data


def _flip(data: bytes, chance: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 4, 40))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _span(data: bytes, chance: Random) -> slice:
    start = chance.randrange(len(data))
    return slice(start, start + chance.randint(1, max(1, len(data) // 20)))


def _cut(data: bytes, chance: Random) -> bytes:
    span = _span(data, chance)
    return data[: span.start] + data[span.stop :]


def _truncate(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(1, len(data) + 1)]


def _repeat(data: bytes, chance: Random) -> bytes:
    span = _span(data, chance)
    return data[: span.stop] + data[span] * chance.choice((1, 3, 20)) + data[span.stop :]


def _move(data: bytes, chance: Random) -> bytes:
    span = _span(data, chance)
    rest = data[: span.start] + data[span.stop :]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + data[span] + rest[at:]


def _one_of(pattern: re.Pattern[bytes], data: bytes, chance: Random) -> re.Match[bytes] | None:
    found = list(pattern.finditer(data))
    return chance.choice(found) if found else None


def _odd_number(data: bytes, chance: Random) -> bytes:
    found = _one_of(_NUMBER, data, chance)
    if found is None:
        return data
    return data[: found.start()] + chance.choice(_ODD) + data[found.end() :]


def _other_word(data: bytes, chance: Random) -> bytes:
    word = chance.choice([each for each in _WORDS if each in data] or [b""])
    at = data.find(word, chance.randrange(len(data)))
    if at < 0 or not word:
        return data
    return data[:at] + chance.choice(_WORDS) + data[at + len(word) :]


def _nest(data: bytes, chance: Random) -> bytes:
    """Put one element a thousand times into itself."""
    found = _one_of(_TAG, data, chance)
    if found is None:
        return data
    element = found.group()
    opening = element[: element.index(b">") + 1]
    closing = element[element.rindex(b"<") :]
    depth = chance.choice((10, 1000))
    around = opening * depth + element + closing * depth
    return data[: found.start()] + around + data[found.end() :]


def _plain_pdf(data: bytes, chance: Random) -> bytes:
    """The same document with its streams readable, and a change in one of them."""
    import pymupdf

    try:
        with pymupdf.open(stream=data, filetype="pdf") as document:
            plain = document.tobytes(expand=255, no_new_id=True)
    except Exception:  # it is no document any more
        return data
    return chance.choice(_BYTES)(plain, chance)


def _in_part(data: bytes, chance: Random) -> bytes:
    """A change inside a member of an office file, which stays a whole archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {info.filename: archive.read(info) for info in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
        return data
    except Exception:  # a damaged stream: zlib has an error of its own
        return data
    texts = [name for name in parts if name.endswith((".xml", ".rels"))]
    if not texts:
        return data
    name = chance.choice(texts)
    if chance.random() < 0.1:
        del parts[name]
    else:
        parts[name] = chance.choice((*_BYTES, _nest))(parts[name] or b" ", chance)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return written.getvalue()


_BYTES: Sequence[Change] = (_flip, _cut, _truncate, _repeat, _move, _odd_number)
_OFFICE = (*_BYTES[:3], *[_in_part] * 6)
_CHANGES: dict[str, Sequence[Change]] = {
    ".pdf": (*_BYTES, _other_word, _plain_pdf, _plain_pdf),
    ".docx": _OFFICE,
    ".pptx": _OFFICE,
    ".html": (*_BYTES, _nest),
}
