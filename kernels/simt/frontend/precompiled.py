"""The prelude, compiled once a process: what a parse costs is then the program's own text."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path

from kernels.simt.frontend import clang
from kernels.simt.frontend.prelude import PRELUDE, prelude

_PREFIX = "tilescope-prelude-"
_STALE = 24 * 3600.0
"""Seconds after which the folder of a process that was killed is swept away."""


@cache
def prelude_arguments(*, extended: bool) -> tuple[str, ...]:
    """The arguments that put the prelude before a program: compiled if there is a place for temporary files, else as text."""
    try:
        compiled = _folder() / f"prelude-{extended}.pch"
        clang.precompile(PRELUDE, {PRELUDE: prelude(extended=extended)}, compiled)
    except (OSError, clang.ParseFailed):
        return ("-include", PRELUDE)
    return ("-include-pch", str(compiled))


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _sweep(folder)
    return folder


def _sweep(mine: Path) -> None:
    """Remove what processes left that were killed."""
    before = time.time() - _STALE
    for folder in mine.parent.glob(f"{_PREFIX}*"):
        try:
            old = folder.stat().st_mtime < before
        except OSError:
            continue
        if old:
            shutil.rmtree(folder, ignore_errors=True)
