"""`tilescope` and `tilescope screenshot`: what they are given is checked before Qt is imported."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path

from app.cli.console import Console
from app.cli.qt_needed import require_qt, require_window
from app.cli.refusal import Refused, accept, require
from app.cli.request import as_typed, value_of, variant_named
from app.cli.variant_options import run_parameters
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import LARGEST_SIZE, image_size, one_of, whole_number
from app.core.diagnostics.desktop import has_display
from app.core.gpu_view.views import View
from app.core.program.window_arguments import (
    LADDER,
    LARGEST_WINDOW,
    LARGEST_ZOOM,
    SMALLEST_WINDOW,
    SMALLEST_ZOOM,
    THEMES,
    TUNING,
    VIEWS,
    Presented,
    ScreenshotArguments,
    WindowArguments,
)
from app.core.results.curves import Provenance
from app.core.session.session import DEFAULT_VARIANT, LARGEST_LAUNCH_SIDE, STAGE_SIZES
from kernels.base.limits import Limits, refuse
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem, Variant
from kernels.measure.real_run import refuse_recording

LAST_STEP = 10**9


def open_window(options: argparse.Namespace, console: Console) -> int:
    """Open the window; returns when it is closed."""
    language = console.translator.language if options.lang else None
    return _opened(WindowArguments(language, _theme(options), _variant(options), _size(options), _zoom(options)), console)


def _opened(arguments: WindowArguments, console: Console) -> int:
    require_qt()
    if not has_display(console.environment, sys.platform):
        raise Refused(
            message("There is no display to open a window on. A picture needs none: {command}", command="tilescope screenshot OUT.png")
        )
    require_window(console.environment)
    gc.disable()  # what is made until the window is there lives as long as the window
    from app.qt.shell.running import run

    return run(arguments, console.translator)


def present(options: argparse.Namespace, console: Console) -> int:
    """Open the window and present at once; returns when it is closed."""
    from app.cli.lesson_place import place_of

    place = place_of(options)
    presented = Presented(place, place is not None and options.step_name is None, _theme(options))
    return _opened(WindowArguments(console.translator.language if options.lang else None, presented=presented), console)


def open_file(options: argparse.Namespace, console: Console) -> int:
    """Open the window with what a file says; returns when it is closed."""
    from app.cli.opened import opened

    shown = None if options.file is None else opened(Path(options.file))
    return _opened(WindowArguments(console.translator.language if options.lang else None, _theme(options), opened=shown), console)


def take_screenshot(options: argparse.Namespace, console: Console) -> int:
    """Write a picture of the window, without a display."""
    arguments = _screenshot_arguments(options, console)
    require_qt()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from app.qt.shell.screenshot import take

    require(take(arguments))
    if options.json:
        console.print_json({"path": str(arguments.path), "width": arguments.size[0], "height": arguments.size[1]})
    return 0


def _screenshot_arguments(options: argparse.Namespace, console: Console) -> ScreenshotArguments:
    from app.cli.challenge_place import tried_of
    from app.cli.lesson_place import place_of

    path = Path(options.path).absolute()
    if path.suffix.lower() != ".png":
        raise Refused(message("{name}: the file's name must end in {endings}.", name="OUT.png", endings=".png"))
    defaults = ScreenshotArguments(path, console.translator.language)
    arguments = ScreenshotArguments(
        path,
        console.translator.language,
        size=_size(options) or defaults.size,
        theme=_theme(options) or defaults.theme,
        variant_id=_variant(options),
        view=accept(one_of("--view", options.view, VIEWS)),
        step=_number("--step", options.step, 0, LAST_STEP),
        n=_number("--n", options.n, 1, _largest(options)),
        parameters=_parameters(options),
        alone=_number("--alone", options.alone, 1, max(View)) or 0,
        source=None if options.source is None else Path(options.source).absolute(),
        beside=None if options.beside is None else variant_named(options.beside).id,
        run=_number("--run", options.run, 1, LARGEST_SIZE),
        shown=_provenances(options),
        zoom=_zoom(options) or defaults.zoom,
        lesson=place_of(options),
        tried=tried_of(options),
    )
    _require_possible(arguments)
    require(refuse_file(path))
    return arguments


def _shown(options: argparse.Namespace) -> Variant:
    """The variant on the stage."""
    return variant_named(options.variant or DEFAULT_VARIANT)


def _largest(options: argparse.Namespace) -> int:
    """The largest matrices that the stage takes of the variant, or tuning."""
    if options.view in (TUNING, LADDER):
        return LARGEST_SIZE
    return LARGEST_LAUNCH_SIDE if _shown(options).launch is not None else STAGE_SIZES[-1]


def _parameters(options: argparse.Namespace) -> dict[str, int]:
    """The parameters given; refused where the variant has none of the name."""
    variant, given = _shown(options), {}
    for parameter in run_parameters():
        text = getattr(options, parameter.name)
        if text is not None:
            given[parameter.name] = value_of(variant, parameter.name, text)
    return given


def _require_possible(arguments: ScreenshotArguments) -> None:
    variant = variant_named(arguments.variant_id or DEFAULT_VARIANT)
    if arguments.run is not None:
        require(refuse_recording(variant))
    if arguments.parameters and variant.operation is not Operation.HELLO:
        problem = Problem.square(variant.operation, arguments.n or STAGE_SIZES[-1])
        reason = refuse(variant, problem, {**variant.defaults, **arguments.parameters}, Limits())
        require(as_typed(reason, variant))


def _theme(options: argparse.Namespace) -> str | None:
    return None if options.theme is None else accept(one_of("--theme", options.theme, THEMES))


def _variant(options: argparse.Namespace) -> str | None:
    return None if options.variant is None else variant_named(options.variant).id


def _size(options: argparse.Namespace) -> tuple[int, int] | None:
    return None if options.size is None else accept(image_size("--size", options.size, SMALLEST_WINDOW, LARGEST_WINDOW))


def _provenances(options: argparse.Namespace) -> frozenset[Provenance] | None:
    if options.shown is None:
        return None
    known = [each.value for each in Provenance]
    return frozenset(Provenance(accept(one_of("--shown", text.strip(), known))) for text in options.shown.split(","))


def _zoom(options: argparse.Namespace) -> int | None:
    return _number("--zoom", options.zoom, SMALLEST_ZOOM, LARGEST_ZOOM)


def _number(name: str, text: str | None, minimum: int, maximum: int) -> int | None:
    return None if text is None else accept(whole_number(name, text, minimum, maximum))
