"""The data of ICU, the library that Qt compares texts with: most of it is for what Qt never asks of ICU, and is taken out.

Qt's core calls ICU's functions of three kinds: collation (ucol_), converters (ucnv_) and names of time zones (ucal_). Words for
numbers, currencies, units, languages and regions, transliteration and the borders of words and lines are for others.

The data is one package (ICU's format CmnD) in the one symbol of an ELF file that has no code.
"""

from __future__ import annotations

import struct
from pathlib import Path

LIBRARY = "libicudata.so.*"
_UNUSED = frozenset({"brkitr", "curr", "lang", "rbnf", "region", "translit", "unit"})
"""Folders of the package for what Qt does not ask."""
_ZONES, _ZONES_KEPT = "zone", ("root", "pool", "res_index", "tzdbNames", "en", "zh")
"""Of the names of time zones those in the program's languages, and what is for all."""
_MAGIC = b"\xda\x27"
_FORMAT_AT, _FORMAT = 12, b"CmnD"
_PAGE = 0x1000
_LOAD, _DYNAMIC, _RELRO = 1, 2, 0x6474E552
_HEADER = struct.Struct("<IIQQQQQQ")
_ITEM_ALIGNMENT = 16


class UnknownData(Exception):
    """The library is not built as it is expected to be."""


def trim(library: Path) -> int:
    """Take out of the library what Qt never asks for; returns by how many bytes it has become smaller. Raises `UnknownData`."""
    before = library.read_bytes()
    start = before.find(_FORMAT) - _FORMAT_AT
    if start < 0 or before[start + 2 : start + 4] != _MAGIC:
        raise UnknownData(f"{library.name} holds no package of ICU's data where it is looked for")
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
    if folders == [_ZONES]:
        return file.removesuffix(".res").split("_")[0] in _ZONES_KEPT or file.removesuffix(".res") in _ZONES_KEPT
    return not _UNUSED.intersection(folders)


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
    """The ELF file with the smaller package at the same place. What is behind it moves up in the file and keeps its address."""
    headers = _program_headers(elf)
    loads = [header for _, header in headers if header[0] == _LOAD]
    if len(loads) != 2 or any(header[2] > start and header[0] not in (_LOAD, _DYNAMIC, _RELRO) for _, header in headers):
        raise UnknownData("the library of ICU's data has other parts than it had")
    first, behind = loads
    package = only_used(elf[start : first[2] + first[5]])
    end = start + len(package)
    moved = _aligned(end, _PAGE) + behind[3] % _PAGE
    made = bytearray((elf[:start] + package).ljust(moved, b"\0") + elf[behind[2] : behind[2] + behind[5]])
    for place, (kind, flags, offset, address, physical, size, memory, alignment) in headers:
        if offset >= behind[2]:
            _HEADER.pack_into(made, place, kind, flags, moved + offset - behind[2], address, physical, size, memory, alignment)
        elif kind == _LOAD:
            _HEADER.pack_into(made, place, kind, flags, offset, address, physical, end, end, alignment)
    struct.pack_into("<Q", made, 40, 0)  # no table of sections: only linkers and debuggers read it
    struct.pack_into("<HHH", made, 58, 0, 0, 0)
    return bytes(made)


def _program_headers(elf: bytes) -> list[tuple[int, tuple[int, ...]]]:
    """Where each stands in the file, and the header: kind, flags, offset, address (twice), size, size in memory, alignment."""
    (table,) = struct.unpack_from("<Q", elf, 32)
    (count,) = struct.unpack_from("<H", elf, 56)
    places = [table + number * _HEADER.size for number in range(count)]
    return [(place, _HEADER.unpack_from(elf, place)) for place in places]


def _aligned(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment
