"""`tilescope screenshot`: a picture of the window. What it is given is checked before Qt is imported."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from app.cli import window
from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.options import parameter_options
from app.cli.base.parser import SHOWN_VARIANT, WINDOW_SIZE, ZOOM, Group, theme_option
from app.cli.base.pointing import pointed_of, pointing_options
from app.cli.base.request import as_typed, given_parameters, variant_named
from app.cli.challenges import tried_of, tried_options
from app.cli.export.pictures import LAST_STEP
from app.cli.present import place_of, place_options
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import LARGEST_SIZE, one_of, whole_number
from app.core.frames.views import View
from app.core.results.curves import Provenance
from app.core.session.session import DEFAULT_VARIANT, LARGEST_LAUNCH_SIDE, STAGE_SIZES
from app.core.workbench.window_arguments import LADDER, TUNING, VIEWS, ScreenshotArguments
from kernels.base.limits import Limits, refuse
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem, Variant
from kernels.measure.real_run import refuse_recording


def add_options(group: Group) -> None:
    """Add what the picture shows."""
    group.option("path", "OUT.png", message("the picture's file"))
    group.option("--size", "WIDTHxHEIGHT", WINDOW_SIZE, default=argparse.SUPPRESS)
    theme_option(group, default=argparse.SUPPRESS)
    group.option("--zoom", "PERCENT", ZOOM, default=argparse.SUPPRESS)
    group.option("--variant", "ID", SHOWN_VARIANT, default=argparse.SUPPRESS)
    group.option("--view", "VIEW", message("workspace: {choices}", choices=", ".join(VIEWS)), default=VIEWS[0])
    group.option("--step", "STEP", message("the step that the stage shows, counted from 1"))
    group.option("--n", "N", message("the matrix size on the stage"))
    parameter_options(group)
    pointing_options(group)
    group.option("--run", "N", message("a real run at this size in place of the animation, of a variant with threads or ranks"))
    group.option("--alone", "NUMBER", message("the view of a launch that is shown alone, from 1 to 9"))
    group.option("--beside", "ID", message("the variant that is compared with"))
    group.option("--shown", "SOURCES", message(
        "which times the charts show: {choices}; several with commas between", choices=", ".join(Provenance)
    ))  # fmt: skip
    group.option("--source", "FILE.cu", message("a CUDA C file that is opened in the playground"))
    place_options(group)
    tried_options(group)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write a picture of the window, without a display."""
    arguments = _screenshot_arguments(options, console)
    window.require_qt()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from app.qt.shell.screenshot import take

    require(take(arguments))
    if options.json:
        console.print_json({"path": str(arguments.path), "width": arguments.size[0], "height": arguments.size[1]})
    return 0


def _screenshot_arguments(options: argparse.Namespace, console: Console) -> ScreenshotArguments:
    path = Path(options.path).absolute()
    if path.suffix.lower() != ".png":
        raise Refused(message("{name}: the file's name must end in {endings}.", name="OUT.png", endings=".png"))
    defaults = ScreenshotArguments(path, console.translator.language)
    arguments = ScreenshotArguments(
        path,
        console.translator.language,
        size=window.size_of(options) or defaults.size,
        theme=window.theme_of(options) or defaults.theme,
        variant_id=window.variant_of(options),
        view=accept(one_of("--view", options.view, VIEWS)),
        step=None if (step := _number("--step", options.step, 1, LAST_STEP)) is None else step - 1,
        n=_number("--n", options.n, 1, _largest(options)),
        parameters=given_parameters(_shown(options), options),
        alone=_number("--alone", options.alone, 1, max(View)) or 0,
        source=None if options.source is None else Path(options.source).absolute(),
        beside=None if options.beside is None else variant_named(options.beside).id,
        run=_number("--run", options.run, 1, LARGEST_SIZE),
        shown=_provenances(options),
        zoom=window.zoom_of(options) or defaults.zoom,
        lesson=place_of(options),
        tried=tried_of(options),
        pointed=pointed_of(options, _shown(options), _number("--alone", options.alone, 1, max(View)) or 0) or None,
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


def _require_possible(arguments: ScreenshotArguments) -> None:
    variant = variant_named(arguments.variant_id or DEFAULT_VARIANT)
    if arguments.run is not None:
        require(refuse_recording(variant))
    if arguments.parameters and variant.operation is not Operation.HELLO:
        problem = Problem.square(variant.operation, arguments.n or STAGE_SIZES[-1])
        reason = refuse(variant, problem, {**variant.defaults, **arguments.parameters}, Limits())
        require(as_typed(reason, variant))


def _provenances(options: argparse.Namespace) -> frozenset[Provenance] | None:
    if options.shown is None:
        return None
    known = [each.value for each in Provenance]
    return frozenset(Provenance(accept(one_of("--shown", text.strip(), known))) for text in options.shown.split(","))


def _number(name: str, text: str | None, minimum: int, maximum: int) -> int | None:
    return None if text is None else accept(whole_number(name, text, minimum, maximum))
