"""Functions that numba compiles, kept on disk where there is a folder for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

CACHE_VARIABLE = "NUMBA_CACHE_DIR"
"""Environment variable of the folder in which numba keeps what it compiled."""
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Decorates a function that numba compiles, and keeps on disk where there is a folder for it."""
    from numba import config, njit

    directory = os.environ.get(CACHE_VARIABLE, "")
    config.CACHE_DIR = directory  # type: ignore[attr-defined]  # numba itself reads the variable only at its import
    return cast(Function, njit(nogil=True, cache=bool(directory))(function))
