"""Finder of NVIDIA's compiler library and disassembler: in their PyPI packages, else in a CUDA toolkit.

Libraries that came along with the packaged program, or that a user put beside it, are loaded before CuPy looks for them: CuPy finds what
pip or the system installed, and what it does not find it takes where the process has it already.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from kernels.base import packaged
from kernels.base.messages import Message, message
from kernels.base.packaged import GPU_EDITION, contents
from kernels.base.values import dataclass

INSTALL = 'pip install "tilescope[compiled]"'
_LIBRARIES = ("libnvrtc.so.[0-9][0-9]", "nvrtc64_[0-9]*_0.dll")
"""Linux and Windows; there is none for macOS."""
_DISASSEMBLERS = ("nvdisasm", "nvdisasm.exe")
TOOLKIT = Path("/usr/local/cuda")


@dataclass(frozen=True, slots=True)
class Tools:
    """The two files: NVRTC's library and the program nvdisasm."""

    nvrtc: Path
    nvdisasm: Path


def find_tools(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Tools | Message:
    """Find both tools, or say what is missing and how to get it. Loads and runs nothing. `platform` as in `sys.platform`."""
    if platform == "darwin":
        return message("What the compiler makes of a kernel cannot be shown on macOS: NVIDIA has no compiler for it.")
    places = tuple(roots(environment))
    library = _newest(places, _LIBRARIES)
    disassembler = _newest(places, _DISASSEMBLERS) or _on_path(environment)
    if library is None:
        return _missing("NVRTC")
    if disassembler is None:
        return _missing("nvdisasm")
    return Tools(library, disassembler)


def _missing(name: str) -> Message:
    if contents() is not None:
        return message(
            "What the compiler makes of this kernel is not shown: {name} does not come with this edition, but with {package}.",
            name=name, package=GPU_EDITION,
        )  # fmt: skip
    return message(
        "What the compiler makes of this kernel is not shown: {name} is not installed. To get it, run: {command}",
        name=name,
        command=INSTALL,
    )


def roots(environment: Mapping[str, str]) -> Iterable[Path]:
    """Folders that hold `lib` and `bin`, the packages' before a toolkit's."""
    spec = find_spec("nvidia")
    for package in spec.submodule_search_locations or () if spec else ():
        yield from sorted((folder for folder in Path(package).iterdir() if folder.is_dir()), key=_release, reverse=True)
    for toolkit in (environment.get("CUDA_PATH"), environment.get("CUDA_HOME"), TOOLKIT):
        if toolkit:
            yield Path(toolkit)


def _release(folder: Path) -> int:
    """13 for cu13; packages of earlier releases have no number."""
    digits = folder.name.removeprefix("cu")
    return int(digits) if digits.isdecimal() else 0


def _newest(roots: Iterable[Path], patterns: Iterable[str]) -> Path | None:
    for root in roots:
        for folder in ("lib", "bin", "bin/x86_64", "bin/x64", "lib64"):
            found = sorted(path for pattern in patterns for path in (root / folder).glob(pattern))
            if found:
                return found[-1]
    return None


def _on_path(environment: Mapping[str, str]) -> Path | None:
    found = shutil.which(_DISASSEMBLERS[0], path=environment.get("PATH", ""))
    return Path(found) if found else None


COMPONENTS_VARIABLE = "TILESCOPE_COMPONENTS"
"""The folder of libraries that the user adds, in place of `components` beside the program."""
COMPILER = ("libnvrtc-builtins.so.*", "libnvrtc.so.*")
"""In the order in which they are loaded: each needs the one before."""
CUBLAS = ("libcublasLt.so.13", "libcublas.so.13")


@cache
def load(patterns: tuple[str, ...]) -> None:
    """Load these libraries, once for the process, from where they lie; what is not there is left to CuPy."""
    for path in found(patterns, folders(os.environ)):
        with suppress(OSError):  # CuPy then says what is wrong with it
            ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)


def components(environment: Mapping[str, str]) -> Path | None:
    """The folder for what a user adds to the packaged program; it need not exist. None where Python runs the program."""
    chosen, contents = environment.get(COMPONENTS_VARIABLE), packaged.contents()
    if chosen:
        return Path(chosen).absolute()
    return None if contents is None else contents.parent / "components"


def folders(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where to look: what was added, then what came along."""
    added, contents = components(environment), packaged.contents()
    return tuple(folder for folder in (added, contents and contents / "nvidia") if folder is not None)


def found(patterns: tuple[str, ...], folders: tuple[Path, ...]) -> Iterator[Path]:
    """The first file of each pattern, in their order, wherever below the folders it lies."""
    for pattern in patterns:
        yield from next(([path] for folder in folders for path in sorted(folder.rglob(pattern))), [])
