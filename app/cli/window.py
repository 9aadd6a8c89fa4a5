"""The window: its command without a name, and what the commands that draw need before they import Qt."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.core.base.parsing import image_size, one_of, whole_number
from app.core.diagnostics.desktop import has_display, qt_obstacle, window_obstacle
from app.core.workbench.window_arguments import LARGEST_WINDOW, LARGEST_ZOOM, SMALLEST_WINDOW, SMALLEST_ZOOM, THEMES, WindowArguments
from kernels.base.messages import message


def open_window(options: argparse.Namespace, console: Console) -> int:
    """Open the window; returns when it is closed."""
    return show_window(arguments_of(options, console), console)


def arguments_of(options: argparse.Namespace, console: Console) -> WindowArguments:
    """How the window is asked to look, and what it shows."""
    return WindowArguments(language_of(options, console), theme_of(options), variant_of(options), size_of(options), zoom_of(options))


def show_window(arguments: WindowArguments, console: Console) -> int:
    """Open a window that was asked for by whatever command; returns when it is closed."""
    require_qt()
    if not has_display(console.environment, sys.platform):
        raise Refused(
            message("There is no display to open a window on. A picture needs none: {command}", command="tilescope screenshot OUT.png")
        )
    _require_window(console.environment)
    gc.disable()  # what is made until the window is there lives as long as the window
    with _without_blas_threads():
        from app.qt.shell.running import run

    return run(arguments, console.translator)


_BLAS_THREADS = "OPENBLAS_NUM_THREADS"


@contextmanager
def _without_blas_threads() -> Iterator[None]:
    """Have NumPy's library start no threads where NumPy is loaded meanwhile: the window multiplies nothing.

    It starts one for each further core at once, which all look for work for a while, in the window's way. What measures is a process of
    its own and is not told.
    """
    before = os.environ.get(_BLAS_THREADS)
    os.environ[_BLAS_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[_BLAS_THREADS]
        if before is not None:
            os.environ[_BLAS_THREADS] = before


def require_qt() -> None:
    """Load Qt. Refused with what to install where it does not load."""
    obstacle = qt_obstacle()
    require(None if obstacle is None else obstacle.refusal)


def _require_window(environment: Mapping[str, str]) -> None:
    """Refused with what to install where Qt would end the program instead of opening a window."""
    obstacle = window_obstacle(environment)
    require(None if obstacle is None else obstacle.refusal)


def language_of(options: argparse.Namespace, console: Console) -> str | None:
    """The language, where an option says it."""
    return console.translator.language if options.lang else None


def theme_of(options: argparse.Namespace) -> str | None:
    """The colours that `--theme` names."""
    return None if options.theme is None else accept(one_of("--theme", options.theme, THEMES))


def variant_of(options: argparse.Namespace) -> str | None:
    """The variant that `--variant` names."""
    if options.variant is None:
        return None
    from app.cli.base.request import variant_named

    return variant_named(options.variant).id


def size_of(options: argparse.Namespace) -> tuple[int, int] | None:
    """The window's width and height."""
    return None if options.size is None else accept(image_size("--size", options.size, SMALLEST_WINDOW, LARGEST_WINDOW))


def zoom_of(options: argparse.Namespace) -> int | None:
    """The zoom in percent."""
    return None if options.zoom is None else accept(whole_number("--zoom", options.zoom, SMALLEST_ZOOM, LARGEST_ZOOM))
