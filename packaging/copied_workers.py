"""Worker processes of tests and pictures: those that trace or run programs are copies of one that has imported what they need.

The program starts most of them anew, once a window. Tests and pictures start some for themselves, and importing the interpreters and
compiling what stands before each text takes longer than what most of them ask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnProcess
from multiprocessing.process import BaseProcess
from typing import Any

from kernels.base import worker_process
from kernels.simt.host.process import PRELOADED

IMPORTED = [PRELOADED, "app.core.workbench.trace_handlers"]
COPIED = {"tracing", "program", "compiling"}
"""The names of the workers that are: those that measure settle how many threads libraries have before they import them."""


class _Copy(ForkServerProcess):
    """A copy with the environment of the moment: the process that it is copied from began in an older one."""

    def __init__(self, target: Callable[..., object], args: tuple[object, ...], **how: Any) -> None:
        super().__init__(target=_surrounded, args=(dict(os.environ), target, args), **how)


def _surrounded(environment: dict[str, str], target: Callable[..., object], args: tuple[object, ...]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    target(*args)


class CopyingContext(ForkServerContext):
    """Starts a worker as a copy, or anew, by its name."""

    def Process(self, *, name: str, **how: Any) -> BaseProcess:  # type: ignore[override]
        return (_Copy if name in COPIED else SpawnProcess)(name=name, **how)


def copy_workers(*more: str) -> None:
    """Have this process take its workers so from now on, where the system can copy processes, with `more` modules imported."""

    def copying(_preloaded: str | None) -> CopyingContext:
        context = CopyingContext()
        context.set_forkserver_preload([*IMPORTED, *more])
        return context

    if sys.platform == "linux":
        worker_process._context = copying  # type: ignore[assignment]
