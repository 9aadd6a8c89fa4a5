"""NVIDIA's libraries that came along with the packaged program, or that a user put beside it: loaded before CuPy looks for them.

CuPy finds what pip or the system installed. What it does not find it takes where the process has it already.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from kernels import packaged

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
