"""Holes in a library: ranges of addresses that nothing asks for are taken out of the file. What is left keeps its address.

Whole pages go: the loader maps what the headers name, and the rest is nobody's. In pages with something else in them all bytes of a hole
become the instruction to stop, which takes no room in an archive.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

PAGE = 0x1000
_LOAD, _WRITABLE, _EXCEPTIONS = 1, 2, 0x6474E550
_STOP = b"\xcc"
"""The instruction that stops a process, of x86."""
_HEADER = struct.Struct("<IIQQQQQQ")
_TABLE_AT, _COUNT_AT = 32, 56
"""Where an ELF file of 64 bits says where its headers are, and how many."""
_NO_SECTIONS = ((40, "<Q", 0), (60, "<HH", 0, 0))
"""No table of sections: only linkers and debuggers read it."""


class UnknownLayout(Exception):
    """A library is not built as it is expected to be."""


class Segment(NamedTuple):
    """A program header: what lies where in the file and at which address."""

    kind: int
    flags: int
    offset: int
    address: int
    physical: int
    size: int
    memory: int
    alignment: int


def segments(elf: bytes) -> list[Segment]:
    """The program headers, in order."""
    (table,) = struct.unpack_from("<Q", elf, _TABLE_AT)
    (count,) = struct.unpack_from("<H", elf, _COUNT_AT)
    return [Segment(*_HEADER.unpack_from(elf, table + number * _HEADER.size)) for number in range(count)]


def loaded(elf: bytes) -> list[Segment]:
    """The parts that are loaded, by address."""
    return [each for each in segments(elf) if each.kind == _LOAD]


def without(elf: bytes, holes: Iterable[tuple[int, int]]) -> bytes:
    """The library without these ranges of addresses, which are in order. Raises `UnknownLayout`."""
    listed, blank = list(holes), bytearray(elf)
    made, parts = bytearray(), []
    for segment in loaded(elf):
        within = [each for each in listed if segment.address <= each[0] and each[1] <= segment.address + segment.size]
        for begin, end in () if segment.flags & _WRITABLE else within:
            at = segment.offset + begin - segment.address
            blank[at : at + end - begin] = _STOP * (end - begin)
        for part in _around(segment, within):
            made += bytes((part.address - len(made)) % PAGE)
            parts.append((part, part._replace(offset=len(made), alignment=PAGE)))
            made += blank[part.offset : part.offset + part.size]
    headers = [*_others(elf, parts), *(placed for _, placed in parts)]
    made += bytes(-len(made) % 8)
    table = len(made)
    for header in headers:
        made += _HEADER.pack(*header)
    struct.pack_into("<Q", made, _TABLE_AT, table)
    struct.pack_into("<H", made, _COUNT_AT, len(headers))
    for place, form, *numbers in _NO_SECTIONS:
        struct.pack_into(form, made, place, *numbers)
    return bytes(made)


def _around(segment: Segment, holes: Iterable[tuple[int, int]]) -> Iterator[Segment]:
    """The parts of a segment before, between and behind the holes; a hole that reaches its end takes the last page too.

    What can be written to stays whole: the loader itself writes addresses there.
    """
    start, end = segment.address, segment.address + segment.size
    for begin, behind in () if segment.flags & _WRITABLE else holes:
        first, last = -(-begin // PAGE) * PAGE, behind if behind == end else behind // PAGE * PAGE
        if start < first < last <= end:
            yield _part(segment, start, first, first - start)
            start = last
    if start < end:
        yield _part(segment, start, end, segment.memory - (start - segment.address))


def _part(segment: Segment, start: int, end: int, memory: int) -> Segment:
    begin = start - segment.address
    return segment._replace(
        offset=segment.offset + begin, address=start, physical=segment.physical + begin, size=end - start, memory=memory
    )


def _others(elf: bytes, parts: list[tuple[Segment, Segment]]) -> Iterator[Segment]:
    """The headers of what lies within the loaded parts, with its new place in the file. Of exceptions there may be no tables."""
    for segment in segments(elf):
        if segment.kind == _LOAD:
            continue
        within = [new for old, new in parts if old.address <= segment.address and segment.address + segment.size <= old.address + old.size]
        if segment.kind == _EXCEPTIONS and not within:
            continue
        if segment.size and not within:
            raise UnknownLayout("a hole would take a part of a library that its headers name")
        yield segment._replace(offset=within[0].offset + segment.address - within[0].address) if segment.size else segment
