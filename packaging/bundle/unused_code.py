"""Code and tables that nothing calls, taken out of three libraries: they are linked with all that LLVM, clang and OpenBLAS have.

What belongs to what is told by the symbols, so this comes before they are stripped.
"""

from __future__ import annotations

import io
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

from bundle.holes import UnknownLayout, without

_SYMBOL = struct.Struct("<IBBHQQ")
_FILE = 4
_ALIGNMENT = 64
"""Functions and tables that lie nearer to each other have nothing but padding between them."""


class Symbol(NamedTuple):
    """A function or a table; `file` is the source file of what only that file sees."""

    name: str
    file: str
    begin: int
    end: int


_TARGETS = (
    "AArch64|AMDGPU|AMDKernel|R600|GCN|Thumb|AVR|BPF|BTF|Hexagon|Lanai|LoongArch|MSP430|Mips|MicroMips|NVPTX|NVVM|PPC|RISCV|Sparc|SystemZ|"
    "SPIRV|WebAssembly|XCore"
)
"""How the names of LLVM's back ends begin, without that of x86: no other is initialised, by numba or here. ARM, SI and VE do too."""
_NAME_OF_TARGET = rf"(?:{_TARGETS}|(?:ARM|SI|VE)(?!ToFP)(?:TTI|[A-Z][a-z]))"
_OF_TARGET = re.compile(rf"^_Z(?:Z|TV)*NK?4llvm(?:L?\d+{_NAME_OF_TARGET})")
_FILE_OF_TARGET = re.compile(rf"(?:{_TARGETS}|(?:ARM|SI|VE)[A-Z])\w*\.cpp")
_OF_FILE = re.compile(r"^_ZZ*(?:L|NK?(?:12_GLOBAL__N_1|4llvmL))")
"""Mangled names of what a back end has itself: in LLVM's namespace, or seen by one file alone. Templates and their parts are there for
all, even where a type of a back end is put in; some are called when the library is loaded, which lists the options of each."""
_AT_START = re.compile(r"AMDGPUFunctionArgInfo|SPIRV18ModuleAnalysisInfo|D[012]Ev")
"""Values that a back end makes when the library is loaded, and destructors, which are called at the end. Were one of the first missing,
the library could not be loaded."""


def other_processors(symbol: Symbol) -> bool:
    """Whether a symbol of LLVM belongs to the back end of another processor."""
    if _AT_START.search(symbol.name):
        return False
    return bool(_OF_TARGET.search(symbol.name) or (_FILE_OF_TARGET.match(symbol.file) and _OF_FILE.search(symbol.name)))


def other_numbers(symbol: Symbol) -> bool:
    """Whether a symbol of OpenBLAS is for complex numbers or those of more than 64 bits, or an interface in C to LAPACK.

    NumPy asks for complex ones where matrices are; the program has none. The first letter of a name says which: c, z; q, x.
    """
    return bool(re.match(r"scipy_LAPACKE_|scipy_[cz](?!blas|hla)\w+_64_$|[czqx](?!blas)[a-z0-9]+_", symbol.name))


def holes(listed: Iterable[Symbol], unused: Callable[[Symbol], bool]) -> list[tuple[int, int]]:
    """The ranges of addresses, in order, in which only unused symbols lie."""
    found: list[tuple[int, int]] = []
    last_used = 0
    for symbol in sorted(listed, key=lambda each: (each.begin, each.end)):
        if not unused(symbol):
            last_used = max(last_used, symbol.end)
            if found and found[-1][1] > symbol.begin:
                found[-1] = (found[-1][0], symbol.begin)
        elif found and last_used <= found[-1][0] and symbol.begin - found[-1][1] < _ALIGNMENT:
            found[-1] = (found[-1][0], max(found[-1][1], symbol.end))
        elif symbol.end > last_used:
            found.append((max(symbol.begin, last_used), symbol.end))
    return [(begin, end) for begin, end in found if begin < end]


def _back_ends(elf: ELFFile) -> list[tuple[int, int]]:
    return sorted(holes(symbols(elf), other_processors) + _catching(elf))


def _numbers(elf: ELFFile) -> list[tuple[int, int]]:
    return holes(symbols(elf), other_numbers)


def _catching(elf: ELFFile) -> list[tuple[int, int]]:
    """The tables by which an exception finds who catches it: in LLVM and clang nobody does, and the process ends with them or without."""
    sections = [section for name in (".eh_frame_hdr", ".eh_frame") if (section := elf.get_section_by_name(name)) is not None]
    return [(each["sh_addr"], each["sh_addr"] + each["sh_size"]) for each in sections]


UNUSED: Mapping[str, tuple[str, Callable[[ELFFile], list[tuple[int, int]]]]] = {
    "libllvmlite.so": ("LLVM for other processors, and its tables of exceptions", _back_ends),
    "libclang.so": ("tables of exceptions in clang", _catching),
    "libscipy_openblas64_*.so": ("OpenBLAS for complex numbers", _numbers),
}
"""By the library's file: what is taken out of it."""


def trim(folder: Path) -> dict[str, int]:
    """Take out of a bundle's libraries what nothing calls; bytes by what that was. Raises `UnknownLayout`."""
    cut: Counter[str] = Counter()
    for pattern, (name, unused) in UNUSED.items():
        for path in sorted(folder.rglob(pattern)):
            if not path.is_symlink():
                before = path.read_bytes()
                path.write_bytes(without(before, unused(ELFFile(io.BytesIO(before)))))
                cut[name] += len(before) - path.stat().st_size
    return cut


def symbols(elf: ELFFile) -> Iterator[Symbol]:
    """All that has a size, from the table that linkers read. Raises `UnknownLayout` where there is none."""
    table = elf.get_section_by_name(".symtab")
    if table is None or elf["e_machine"] != "EM_X86_64":
        raise UnknownLayout("a library for another processor than x86-64, or one without symbols")
    names, file = elf.get_section(table["sh_link"]).data(), ""
    for begin, info, _, section, address, size in _SYMBOL.iter_unpack(table.data()):
        if info & 15 == _FILE:
            file = names[begin : names.index(b"\0", begin)].decode()
        elif size and section:
            yield Symbol(names[begin : names.index(b"\0", begin)].decode(), file, address, address + size)
