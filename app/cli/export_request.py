"""What the kinds of export have in common: the file, the size, the colours, and what the stage is to show."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from app.cli.console import Console
from app.cli.refusal import Refused, accept, require
from app.cli.request import as_typed, value_of, variant_named
from app.cli.variant_options import run_parameters
from app.core.export.kinds import COLOURS, ending_of
from app.core.export.sizes import LARGEST, LARGEST_SCALE, SMALLEST, PictureSize
from app.core.inputs import LARGEST_SIZE, image_size, one_of, whole_number
from app.core.launch.views import View
from app.core.places import refuse_file
from app.core.session import DEFAULT_VARIANT, Session, StageChoice, refuse_stage
from kernels.limits import Limits, refuse
from kernels.messages import message
from kernels.spec import Operation, Problem, Variant

LAST_STEP = 10**9


def file_of(options: argparse.Namespace, endings: Sequence[str]) -> Path:
    """The file that is to be written."""
    path = Path(options.path).absolute()
    accept(ending_of("FILE", path, endings))
    require(refuse_file(path))
    return path


def size_of(options: argparse.Namespace, largest: tuple[int, int] = LARGEST) -> PictureSize:
    """How large the picture is."""
    width, height = accept(image_size("--size", options.size, SMALLEST, largest))
    return PictureSize(width, height, accept(whole_number("--scale", options.scale, 1, LARGEST_SCALE)))


def colours_of(options: argparse.Namespace) -> str:
    """Light, dark or print."""
    return accept(one_of("--colours", options.colours, COLOURS))


def view_of(options: argparse.Namespace) -> int:
    """The view that is alone, 0: none."""
    return 0 if options.alone is None else accept(whole_number("--alone", options.alone, 1, max(View)))


def number_of(name: str, text: str) -> int:
    """A step."""
    return accept(whole_number(name, text, 0, LAST_STEP))


def session_of(options: argparse.Namespace) -> Session:
    """A session whose stage shows what the options say."""
    session = Session()
    session.choose_variant(variant_named(options.variant or DEFAULT_VARIANT))
    shown = session.stage.value
    given = {each.name: text for each in run_parameters() if (text := getattr(options, each.name)) is not None}
    parameters = {**shown.parameters, **{name: value_of(shown.variant, name, text) for name, text in given.items()}}
    problem = _problem(options, shown.variant, shown.problem)
    require(refuse_stage(shown.variant, problem))
    require(as_typed(refuse(shown.variant, problem, parameters, Limits()), shown.variant))
    session.stage.value = StageChoice(shown.variant, problem, parameters)
    if options.source is not None:
        require(session.desk.open_file(Path(options.source)))
    return session


def require_qt() -> None:
    """Pictures are drawn by Qt, which needs no display for it."""
    for package in ("PySide6", "pyqtgraph"):
        if find_spec(package) is None:
            raise Refused(message("The package {package} is not installed.", package=package))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def tell_written(options: argparse.Namespace, console: Console, path: Path, **more: object) -> int:
    """Say what was written."""
    if options.json:
        console.print_json({"path": str(path), **more})
    else:
        console.print(console.text(message("Written: {path}", path=str(path))))
    return 0


def _problem(options: argparse.Namespace, variant: Variant, usual: Problem) -> Problem:
    sizes = {
        name: accept(whole_number(f"--{name}", text, 1, LARGEST_SIZE)) for name in "mnk" if (text := getattr(options, name)) is not None
    }
    if not sizes or variant.operation is Operation.HELLO:
        return usual
    if "k" in sizes and variant.operation is not Operation.MATMUL:
        raise Refused(message("{name} is for a multiplication; {variant} is a transposition.", name="--k", variant=variant.id))
    n = sizes.get("n", usual.n)
    return Problem.of(variant.operation, sizes.get("m", n), n, sizes.get("k", n))
