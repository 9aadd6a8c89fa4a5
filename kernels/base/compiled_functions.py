"""Functions that numba compiles, kept on disk where there is a folder for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar, cast

from kernels.base.digests import digest_of

CACHE_VARIABLE = "NUMBA_CACHE_DIR"
"""Environment variable of the folder in which numba keeps what it compiled."""
Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def digest(package: str = "kernels.cpu") -> str:
    """Names the text of all modules of a package: what numba compiles is compiled together with what it calls."""
    texts = [path.read_bytes() for path in sorted(files(package).iterdir(), key=lambda path: path.name) if path.name.endswith(".py")]
    return digest_of(b"\0".join(texts))


def compiled(function: Function) -> Function:
    """Decorates a function that numba compiles, and keeps on disk where there is a folder for it.

    Numba looks only at the file of the function to tell whether what it kept is still true: each text of its package has a folder.
    """
    from numba import config, njit

    directory, package = os.environ.get(CACHE_VARIABLE, ""), function.__module__.rpartition(".")[0]
    if directory:
        directory = str(Path(directory, f"{package}-{digest(package)}-{digest('kernels.base')}"))
    config.CACHE_DIR = directory  # type: ignore[attr-defined]  # numba itself reads the variable only at its import
    return cast(Function, njit(nogil=True, cache=bool(directory))(function))
