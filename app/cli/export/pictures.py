"""The pictures among the kinds: their size and colours, and what the stage is to show."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.base.errors import Refused, accept, require
from app.cli.base.options import option_of, parameter_options, run_parameters
from app.cli.base.parser import SHOWN_VARIANT, Group
from app.cli.base.pointing import pointed_of, pointing_options
from app.cli.base.request import as_typed, given_parameters, settings_of, variant_named
from app.core.base.parsing import LARGEST_SIZE, image_size, one_of, whole_number
from app.core.export.kinds import COLOURS, LARGEST, LARGEST_SCALE, SMALLEST, PictureSize
from app.core.frames.views import View
from app.core.session.session import DEFAULT_VARIANT, Session, refuse_stage
from app.core.stage.pointing import Pointed
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.real_run import refuse_recording

if TYPE_CHECKING:
    from app.qt.base.look import Look
    from app.qt.export.export_view import ExportView, TracedExportView
    from app.qt.shell.headless import Studio


LAST_STEP = 10**9


def stage_options(group: Group) -> None:
    """Add what is on the stage."""
    group.option("--variant", "ID", SHOWN_VARIANT)
    group.option("--n", "N", message("columns of the output; the sizes that are not given are equal to it"))
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))
    parameter_options(group)
    group.option("--source", "FILE.cu", message("a CUDA C file in place of a variant"))
    group.option("--alone", "NUMBER", message("the view that is shown alone, from 1 to 9"))
    pointing_options(group)
    group.option("--beside", "ID[,NAME=VALUE]", message(
        "the launch at its right that it is compared with; steps are then those of that one, for example {example}",
        example="gpu.tiled,tile=32",
    ))  # fmt: skip


def picture_options(group: Group, size: str) -> None:
    """Add how a picture looks; `size` if none is given."""
    group.option("--colours", "COLOURS", message("colours: {choices}", choices=", ".join(COLOURS)), default=COLOURS[0])
    group.option("--size", "WIDTHxHEIGHT", message("how much is on the picture, in pixels at scale 1"), default=size)
    group.option("--scale", "SCALE", message("pixels for each of these, from 1 to 8"), default="1")


def size_of(options: argparse.Namespace, largest: tuple[int, int] = LARGEST) -> PictureSize:
    """Read how large the picture is."""
    width, height = accept(image_size("--size", options.size, SMALLEST, largest))
    return PictureSize(width, height, accept(whole_number("--scale", options.scale, 1, LARGEST_SCALE)))


def colours_of(options: argparse.Namespace) -> str:
    """Read the colours: light, dark or print."""
    return accept(one_of("--colours", options.colours, COLOURS))


def _view_of(options: argparse.Namespace) -> int:
    """The number of the view that is alone, 0: none."""
    return 0 if options.alone is None else accept(whole_number("--alone", options.alone, 1, max(View)))


def number_of(name: str, text: str) -> int:
    """A step."""
    return accept(whole_number(name, text, 0, LAST_STEP))


def index_of(name: str, text: str) -> int:
    """The index of a step that is typed counted from 1."""
    return accept(whole_number(name, text, 1, LAST_STEP)) - 1


def _session_of(options: argparse.Namespace) -> Session:
    """A session whose stage shows what the options say."""
    if options.source is not None:
        names = ("variant", "n", "m", "k", *(each.name for each in run_parameters()))
        wrong = next((name for name in names if getattr(options, name, None) is not None), None)
        if wrong is not None:
            raise Refused(message("{option} is for a variant of the catalogue, not for a file.", option=option_of(wrong)))
    session = Session()
    session.choose_variant(variant_named(options.variant or DEFAULT_VARIANT))
    before = session.stage.value
    variant, given = before.variant, given_parameters(before.variant, options)
    parameters = {**before.parameters, **given}
    problem = _problem(options, variant, before.problem)
    require(refuse_stage(variant, problem))
    require(as_typed(refuse(variant, problem, parameters, Limits()), variant))
    session.stage.value = Case.of(variant, problem, parameters)
    if options.source is not None:
        require(session.draft_editor.open_file(Path(options.source)))
    return session


def _beside_of(options: argparse.Namespace) -> tuple[Variant, Parameters] | None:
    """Find what is compared with what the stage shows: `gpu.tiled`, or with settings `gpu.tiled,tile=32`."""
    if options.beside is None:
        return None
    name, *settings = (term.strip() for term in options.beside.split(","))
    variant = variant_named(name)
    return variant, dict(settings_of("--beside", variant, settings))


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


@dataclass(frozen=True, slots=True)
class StageWanted:
    """View of the stage that is asked for. `view` is the number of the view that is alone, 0: all. `step` is an index, from 0. `run`: a
    real run at this size in place of the animation."""

    session: Session
    view: int
    step: int
    beside: tuple[Variant, Parameters] | None
    run: int | None
    pointed: Pointed

    def still(self, studio: Studio, look: Look, width: int) -> ExportView:
        """Show it as a figure, at its step. Raises `Refused`."""
        from app.qt.export.exported_stage import still_view

        if self.run is None:
            require(self.prepared(studio))
            require(self.point(studio, range(self.step, self.step + 1)))
        else:
            require(studio.run(self.run))
        return still_view(look, studio.workbench, self.view, width)

    def prepared(self, studio: Studio) -> Message | None:
        """Show it; why that cannot be."""
        if self.beside is not None and not studio.comparing and (reason := studio.compare(*self.beside)) is not None:
            return reason
        return studio.refuse_stage(self.step)

    def point(self, studio: Studio, steps: range) -> Message | None:
        """Point at what is to be pointed at; why some steps have nothing of it."""
        stage = studio.workbench.stage
        reason = self.pointed.refuse(stage.shown.value, steps)
        if reason is None:
            self.pointed.show(stage)
        return reason

    def moving(self, studio: Studio, look: Look, width: int) -> TracedExportView:
        """Show it as a clip that begins at its step. Raises `Refused`."""
        from app.qt.export.exported_stage import pointing, traced_view

        require(self.prepared(studio))
        return pointing(traced_view(look, studio.workbench, self.view, width), self.pointed)


def stage_wanted(options: argparse.Namespace, step: int | None = None) -> StageWanted:
    """Understand what the options say. Raises `Refused`."""
    view, at = _view_of(options), index_of("--step", options.step) if step is None else step
    session, beside, run = _session_of(options), _beside_of(options), _run_of(options)
    pointed = pointed_of(options, session.stage.value.variant, view)
    if run is None:
        return StageWanted(session, view, at, beside, None, pointed)
    if beside is not None:
        raise Refused(message("{one} and {other} exclude each other.", one="--run", other="--beside"))
    variant = session.stage.value.variant
    require(refuse_recording(variant))
    for name, value in given_parameters(variant, options).items():
        require(session.set_run_parameter(variant, name, value, Limits()))
    return StageWanted(session, view, at, None, run, pointed)


def _run_of(options: argparse.Namespace) -> int | None:
    """Read `--run`, an option that a clip has not: a run has no steps."""
    text = getattr(options, "run", None)
    return None if text is None else accept(whole_number("--run", text, 1, LARGEST_SIZE))
