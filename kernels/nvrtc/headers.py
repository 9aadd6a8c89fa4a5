"""Options and headers for NVRTC, for kernels that run and for those that are only looked at.

CUDA's own headers, which some kernels include, are found in their PyPI packages, else in a CUDA toolkit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from kernels.base.messages import Message, message
from kernels.base.packaged import GPU_EDITION, contents
from kernels.nvrtc.tools import roots

INSTALL = 'pip install "tilescope[gpu]"'
_NEEDED = ("mma.h", "crt/mma.h", "cuda_bf16.h", "cuda_pipeline.h", "cccl/nv/target")
"""One of each package: a folder without one of them compiles nothing that includes another."""
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def included(source: str) -> tuple[str, ...]:
    """The names of the headers that a text includes itself."""
    return tuple(_INCLUDE.findall(source))


def header_folders(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...] | Message:
    """The folders to look for CUDA's headers in, or how to get them."""
    for root in roots(environment):
        folder = root / "include"
        if all((folder / name).is_file() for name in _NEEDED):
            return (folder, folder / "cccl")
    if contents() is not None:
        return message("This kernel includes CUDA's headers, which do not come with this edition, but with {package}.", package=GPU_EDITION)
    return message("This kernel includes CUDA's headers, which are not installed. To get them, run: {command}", command=INSTALL)


OPTIONS = ("--std=c++17",)
"""The same for every kernel. No fast-math; multiplications and additions may be fused, as is CUDA's default."""


FIRST_WITH_CACHE = (12, 9)
"""The first release of NVRTC that keeps on disk what it compiled."""


def compiled_anew(version: tuple[int, int]) -> tuple[str, ...]:
    """The option that keeps NVRTC of this release from answering from its cache: it would compile in no time, and report no registers."""
    return ("--no-cache",) if version >= FIRST_WITH_CACHE else ()


KNOWN_HEADERS = ("assert.h", "cuda_runtime.h", "device_launch_parameters.h", "math.h", "stdint.h", "stdio.h", "stdlib.h")
"""What these declare for device code, the compiler knows by itself."""


FIRST = "tilescope-first.h"
"""Is to be included before all else."""


_FIRST_TEXT = "namespace std {}\n"
"""So that `using namespace std;`, which programs have for their host code, means something."""


def stand_in_headers(source: str, folders: Sequence[Path]) -> Mapping[str, str]:
    """Texts for the headers that a source includes and that are in none of the folders, and one that is to be included first."""
    missing = [name for name in included(source) if not any((folder / name).is_file() for folder in folders)]
    return {FIRST: _FIRST_TEXT, **dict.fromkeys((*KNOWN_HEADERS, *missing), "")}
