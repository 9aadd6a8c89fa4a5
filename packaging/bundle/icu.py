"""The data of ICU, the library that Qt compares texts with: most of it is for what Qt never asks of ICU, and is taken out.

Qt's core calls ICU's functions of three kinds: collation (ucol_), converters (ucnv_) and names of time zones (ucal_). Words for
numbers, currencies, units, languages and regions, transliteration and the borders of words and lines are for others. The program
has two languages, and reads and writes UTF-8, for which no table is needed: those of other languages and encodings go too. Where
one is asked for, ICU takes the order that is for all languages, and Qt says that it has no such converter.

The data is one package (ICU's format CmnD) in the one symbol of an ELF file that has no code.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

from bundle.holes import UnknownLayout, loaded, without

LIBRARY = "libicudata.so.*"
_UNUSED = frozenset({"brkitr", "curr", "lang", "rbnf", "region", "translit", "unit"})
"""Folders of the package for what Qt does not ask."""
_UNUSED_KINDS = (".cnv", ".spp", ".cfu", "unames.icu")
"""Tables of encodings, of what names of hosts may have in them, of letters that look alike, and names of letters."""
_LANGUAGE = re.compile(r"(?!res_index)([a-z]{2,3})(_\w+)?\.res")
_LANGUAGES_KEPT = ("en", "zh")
_MAGIC = b"\xda\x27"
_FORMAT_AT, _FORMAT = 12, b"CmnD"
_ITEM_ALIGNMENT = 16


def trim(library: Path) -> int:
    """Take out of the library what Qt never asks for; returns by how many bytes it has become smaller. Raises `UnknownLayout`."""
    before = library.read_bytes()
    start = before.find(_FORMAT) - _FORMAT_AT
    if start < 0 or before[start + 2 : start + 4] != _MAGIC:
        raise UnknownLayout(f"{library.name} holds no package of ICU's data where it is looked for")
    after = _with_package(before, start)
    library.write_bytes(after)
    return len(before) - len(after)


def only_used(package: bytes) -> bytes:
    """The package with the items that Qt can ask for, in the order that they were in."""
    (contents,) = struct.unpack_from("<H", package)
    (count,) = struct.unpack_from("<I", package, contents)
    places = [struct.unpack_from("<II", package, contents + 4 + 8 * number) for number in range(count)]
    ends = [*(data for _, data in places[1:]), len(package) - contents]
    items = []
    for (name_at, begin), end in zip(places, ends, strict=True):
        name = package[contents + name_at : package.index(b"\0", contents + name_at)]
        if is_used(name.decode()):
            items.append((name, package[contents + begin : contents + end]))
    return package[:contents] + _packed(items)


def is_used(name: str) -> bool:
    """Whether Qt can ask for an item, by its name in the package: icudt73l/coll/zh.res."""
    _, *folders, file = name.split("/")
    if _UNUSED.intersection(folders) or file.endswith(_UNUSED_KINDS):
        return False
    language = _LANGUAGE.fullmatch(file)
    return language is None or language[1] in _LANGUAGES_KEPT


def _packed(items: list[tuple[bytes, bytes]]) -> bytes:
    """The list of contents and the items."""
    names_at = 4 + 8 * len(items)
    names = b"".join(name + b"\0" for name, _ in items)
    place, name_at = _aligned(names_at + len(names), _ITEM_ALIGNMENT), names_at
    table, data = [struct.pack("<I", len(items))], []
    for name, item in items:
        padded = item.ljust(_aligned(len(item), _ITEM_ALIGNMENT), b"\0")
        table.append(struct.pack("<II", name_at, place))
        data.append(padded)
        name_at, place = name_at + len(name) + 1, place + len(padded)
    listed = b"".join(table) + names
    return listed.ljust(_aligned(len(listed), _ITEM_ALIGNMENT), b"\0") + b"".join(data)


def _with_package(elf: bytes, start: int) -> bytes:
    """The ELF file with the smaller package at the same place, and a hole behind it."""
    first = loaded(elf)[0]
    end = first.offset + first.size
    if first.offset != first.address or not start < end:
        raise UnknownLayout("the library of ICU's data has other parts than it had")
    package = only_used(elf[start:end])
    return without(elf[:start] + package.ljust(end - start, b"\0") + elf[end:], [(start + len(package), end)])


def _aligned(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment
