"""What an ELF file asks of the system: the libraries that it needs, the versions of their symbols, and how it is mapped into memory.

Reads 64-bit little-endian files, which all of x86-64 are. A file that is no such ELF file has no answer.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x7fELF\x02\x01"
_LOAD, _DYNAMIC = 1, 2
_NULL, _NEEDED, _STRING_TABLE, _SONAME = 0, 1, 5, 14
_VERSIONS_NEEDED, _VERSIONS_NEEDED_COUNT = 0x6FFFFFFE, 0x6FFFFFFF


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the file that the loader maps, or the table of what it must do."""

    kind: int
    offset: int
    address: int
    size: int
    alignment: int


@dataclass(frozen=True, slots=True)
class Elf:
    """`needed` are names of libraries; `versions`, like GLIBC_2.34, those of its symbols. `loadable` is what strip breaks."""

    needed: tuple[str, ...]
    versions: frozenset[str]
    soname: str
    loadable: bool


def read_elf(path: Path) -> Elf | None:
    """What the file asks for; None if it is no ELF file."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return None
    return _parse(path.read_bytes())


def highest(versions: frozenset[str], library: str) -> tuple[int, ...]:
    """The highest version of one library, (2, 34) for GLIBC_2.34; () if none is asked for."""
    found = [re.fullmatch(rf"{library}_(\d+(?:\.\d+)*)", version) for version in versions]
    return max((tuple(int(part) for part in match[1].split(".")) for match in found if match), default=())


def _parse(data: bytes) -> Elf:
    segments = tuple(_segments(data))
    loads = [segment for segment in segments if segment.kind == _LOAD]
    loadable = all((each.offset - each.address) % max(each.alignment, 1) == 0 and each.offset <= len(data) for each in loads)
    dynamic = next((segment for segment in segments if segment.kind == _DYNAMIC), None)
    entries = list(_entries(data, dynamic)) if dynamic else []
    values = dict(entries)
    if _STRING_TABLE not in values:
        return Elf((), frozenset(), "", loadable)
    strings = _place(loads, values[_STRING_TABLE])
    needed = tuple(_text(data, strings + value) for tag, value in entries if tag == _NEEDED)
    soname = _text(data, strings + values[_SONAME]) if _SONAME in values else ""
    versions = frozenset(_versions(data, loads, strings, values))
    return Elf(needed, versions, soname, loadable)


def _segments(data: bytes) -> Iterator[Segment]:
    (table,) = struct.unpack_from("<Q", data, 32)
    entry_size, count = struct.unpack_from("<HH", data, 54)
    for number in range(count):
        kind, _, offset, address, _, size, _, alignment = struct.unpack_from("<IIQQQQQQ", data, table + number * entry_size)
        yield Segment(kind, offset, address, size, alignment)


def _entries(data: bytes, dynamic: Segment) -> Iterator[tuple[int, int]]:
    for place in range(dynamic.offset, dynamic.offset + dynamic.size, 16):
        tag, value = struct.unpack_from("<QQ", data, place)
        if tag == _NULL:
            return
        yield tag, value


def _place(loads: list[Segment], address: int) -> int:
    """Where in the file an address is."""
    for segment in loads:
        if segment.address <= address < segment.address + segment.size:
            return address - segment.address + segment.offset
    raise ValueError(f"no part of the file is mapped to {address:#x}")


def _versions(data: bytes, loads: list[Segment], strings: int, values: dict[int, int]) -> Iterator[str]:
    if _VERSIONS_NEEDED not in values:
        return
    library = _place(loads, values[_VERSIONS_NEEDED])
    for _ in range(values[_VERSIONS_NEEDED_COUNT]):
        _, count, _, first, following = struct.unpack_from("<HHIII", data, library)
        version = library + first
        for _ in range(count):
            _, _, _, name, after = struct.unpack_from("<IHHII", data, version)
            yield _text(data, strings + name)
            version += after
        library += following


def _text(data: bytes, place: int) -> str:
    return data[place : data.index(b"\0", place)].decode()
