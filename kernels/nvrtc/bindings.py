"""NVRTC, NVIDIA's run-time compiler, called through ctypes. It needs neither a driver nor a GPU."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from kernels.base.values import dataclass


class CompilerRefused(Exception):
    """The source does not compile; the text is the compiler's own, with lines of the source in it."""


@dataclass(frozen=True, slots=True)
class MachineCode:
    """Machine code of a kernel. `cubin` is an ELF file, `symbol` the kernel's name in it, `log` what the assembler said."""

    cubin: bytes
    symbol: str
    log: str


class Nvrtc:
    """The library, loaded. Calls hold no lock of Python's, and one that has begun cannot be interrupted."""

    def __init__(self, library: Path) -> None:
        """Raises OSError where the library cannot be loaded."""
        self._folder = _search(library.parent)
        self._helpers = [ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL) for path in sorted(library.parent.glob("libnvrtc-builtins.so.*"))]
        self._library = ctypes.CDLL(str(library))
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p

    def version(self) -> tuple[int, int]:
        """(13, 0) for CUDA 13.0."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        return major.value, minor.value

    def capabilities(self) -> tuple[int, ...]:
        """The compute capabilities that it compiles for, ascending; 90 is 9.0."""
        count = ctypes.c_int()
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        found = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", found)
        return tuple(sorted(found))

    def install_headers(self, folder: Path) -> bool:
        """Unpack CUDA's own headers (26 MB) below `folder` unless they are there; False where this release carries none.

        Wants a path that the compiler can open: on Windows, an ASCII one.
        """
        if not hasattr(self._library, "nvrtcInstallBundledHeaders"):
            return False
        return bool(self._library.nvrtcInstallBundledHeaders(str(folder).encode(), 0, None) == 0)

    def compile(self, source: str, name: str, entry: str, options: Sequence[str], headers: Mapping[str, str]) -> MachineCode:
        """Compile a text called `name` for a real architecture.

        `entry` is the kernel as C++ writes it, for example "reduce<128>"; `headers` are texts by the names they are included by.
        Raises `CompilerRefused`.
        """
        program = ctypes.c_void_p()
        texts, names = _strings([*headers.values()]), _strings([*headers])
        self._call("nvrtcCreateProgram", ctypes.byref(program), source.encode(), name.encode(), len(headers), texts, names)
        try:
            return self._compiled(program, entry, options)
        finally:
            self._library.nvrtcDestroyProgram(ctypes.byref(program))

    def _compiled(self, program: ctypes.c_void_p, entry: str, options: Sequence[str]) -> MachineCode:
        self._call("nvrtcAddNameExpression", program, entry.encode())
        status = self._library.nvrtcCompileProgram(program, len(options), _strings(options))
        log = self._buffer(program, "ProgramLog").rstrip(b"\0").decode(errors="replace")
        if status != 0:
            raise CompilerRefused(log.strip() or self._reason(status))
        symbol = ctypes.c_char_p()
        self._call("nvrtcGetLoweredName", program, entry.encode(), ctypes.byref(symbol))
        return MachineCode(self._buffer(program, "CUBIN"), (symbol.value or b"").decode(), log)

    def _buffer(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        self._call(f"nvrtcGet{what}", program, buffer)
        return buffer.raw

    def _call(self, function: str, *arguments: object) -> None:
        status = getattr(self._library, function)(*arguments)
        if status != 0:
            raise CompilerRefused(self._reason(status))

    def _reason(self, status: int) -> str:
        text: bytes = self._library.nvrtcGetErrorString(status)
        return text.decode(errors="replace")


def _strings(texts: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(texts))(*(text.encode() for text in texts))


def _search(folder: Path) -> object:
    """Have a folder searched for the library's neighbours, which Windows finds only in folders named beforehand.

    The handle keeps it named.
    """
    add = getattr(os, "add_dll_directory", None)
    return add(str(folder)) if add else None
