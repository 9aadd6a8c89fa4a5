"""What an ELF file asks of the system: the libraries that it needs, the versions of their symbols, and whether a loader takes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection


@dataclass(frozen=True, slots=True)
class Elf:
    """`needed` are names of libraries; `versions`, like GLIBC_2.34, those of its symbols. `loadable` is what strip breaks."""

    needed: tuple[str, ...]
    versions: frozenset[str]
    soname: str
    loadable: bool


def read_elf(path: Path) -> Elf | None:
    """What the file asks for; None if it is no ELF file of 64 bits."""
    with path.open("rb") as file:
        try:
            elf = ELFFile(file)
        except ELFError:
            return None
        if elf.elfclass != 64:
            return None
        loads = [each.header for each in elf.iter_segments("PT_LOAD")]
        loadable = all((each.p_offset - each.p_vaddr) % max(each.p_align, 1) == 0 and each.p_offset <= elf.stream_len for each in loads)
        dynamic = next((each for each in elf.iter_segments() if isinstance(each, DynamicSegment)), None)
        tags = [] if dynamic is None else list(dynamic.iter_tags())
        needed = tuple(str(vars(tag)["needed"]) for tag in tags if tag.entry.d_tag == "DT_NEEDED")
        soname = next((str(vars(tag)["soname"]) for tag in tags if tag.entry.d_tag == "DT_SONAME"), "")
        sections = [each for each in elf.iter_sections() if isinstance(each, GNUVerNeedSection)]
        versions = frozenset(version.name for section in sections for _, found in section.iter_versions() for version in found)
        return Elf(needed, versions, soname, loadable)


def highest(versions: frozenset[str], library: str) -> tuple[int, ...]:
    """The highest version of one library, (2, 34) for GLIBC_2.34; () if none is asked for."""
    found = [re.fullmatch(rf"{library}_(\d+(?:\.\d+)*)", version) for version in versions]
    return max((tuple(int(part) for part in match[1].split(".")) for match in found if match), default=())
