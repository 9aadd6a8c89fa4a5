"""What the kinds of export have in common: the file, the size, the colours, and what the stage is to show."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.cli.console import Console
from app.cli.qt_needed import require_qt
from app.cli.refusal import Refused, accept, require
from app.cli.request import as_typed, value_of, variant_named
from app.cli.variant_options import run_parameters
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import LARGEST_SIZE, image_size, one_of, shown, whole_number
from app.core.export.kinds import COLOURS, LARGEST, LARGEST_SCALE, SMALLEST, PictureSize, ending_of
from app.core.gpu_view.views import View
from app.core.session.choices import StageChoice
from app.core.session.session import DEFAULT_VARIANT, Session, refuse_stage
from kernels.base.limits import Limits, refuse
from kernels.base.messages import message
from kernels.base.spec import Operation, Parameters, Problem, Variant

LAST_STEP = 10**9


def file_of(options: argparse.Namespace, endings: Sequence[str]) -> Path:
    """The file that is to be written."""
    return _file(options.path, endings)


def files_of(options: argparse.Namespace, endings: Sequence[str]) -> tuple[Path, ...]:
    """The files that are to be written, each once."""
    return tuple(dict.fromkeys(_file(text, endings) for text in options.path))


def _file(text: str, endings: Sequence[str]) -> Path:
    path = Path(text).absolute()
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
    before = session.stage.value
    variant, given = before.variant, parameters_of(options, before.variant)
    parameters = {**before.parameters, **given}
    problem = _problem(options, variant, before.problem)
    require(refuse_stage(variant, problem))
    require(as_typed(refuse(variant, problem, parameters, Limits()), variant))
    session.stage.value = StageChoice(variant, problem, parameters)
    if options.source is not None:
        require(session.draft_editor.open_file(Path(options.source)))
    return session


def parameters_of(options: argparse.Namespace, variant: Variant) -> dict[str, int]:
    """The parameters of the variant that the options name; refused where it has none of the name."""
    given = {each.name: text for each in run_parameters() if (text := getattr(options, each.name)) is not None}
    return {name: value_of(variant, name, text) for name, text in given.items()}


def require_studio() -> None:
    """Pictures are drawn by Qt, which needs no display for it."""
    require_qt()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def beside_of(options: argparse.Namespace) -> tuple[Variant, Parameters] | None:
    """What is compared with what the stage shows: `gpu.tiled`, or with settings `gpu.tiled,tile=32`."""
    if options.beside is None:
        return None
    name, *settings = (term.strip() for term in options.beside.split(","))
    variant, parameters = variant_named(name), {}
    for setting in settings:
        parameter, equals, value = setting.partition("=")
        if not equals:
            raise Refused(message("{name}: '{text}' is not NAME=VALUE.", name="--beside", text=shown(setting)))
        parameters[parameter.strip()] = value_of(variant, parameter.strip(), value)
    return variant, parameters


def tell_all_written(options: argparse.Namespace, console: Console, written: Sequence[tuple[Path, Mapping[str, object]]]) -> int:
    """Say what was written: as JSON one object, for several files a list of them."""
    if options.json:
        answers = [{"path": str(path), **more} for path, more in written]
        console.print_json(answers[0] if len(answers) == 1 else answers)
    else:
        for path, _ in written:
            console.print(console.text(message("Written: {path}", path=str(path))))
    return 0


def tell_written(options: argparse.Namespace, console: Console, path: Path, **more: object) -> int:
    """Say what was written."""
    return tell_all_written(options, console, [(path, more)])


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
