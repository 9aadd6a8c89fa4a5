"""Where CUDA's own headers are, which some kernels include: in their PyPI packages, else in a CUDA toolkit."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from kernels.compiled.tools import roots
from kernels.messages import Message, message
from kernels.packaged import GPU_EDITION, contents

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
