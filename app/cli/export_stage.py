"""What `tilescope export` is to show of the stage: an animation at a step, two launches beside each other, or a real run."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.cli.export_request import beside_of, number_of, parameters_of, session_of, view_of
from app.cli.refusal import Refused, accept, require
from app.core.base.parsing import LARGEST_SIZE, whole_number
from app.core.session.session import Session
from kernels.base.limits import Limits
from kernels.base.messages import message
from kernels.base.spec import Parameters, Variant
from kernels.measure.real_run import refuse_recording

if TYPE_CHECKING:
    from app.qt.base.look import Look
    from app.qt.export.scenes import MovingScene, Scene
    from app.qt.shell.headless import Studio


@dataclass(frozen=True, slots=True)
class StageWanted:
    """`view` is the number of the view that is alone, 0: all. `run`: a real run at this size in place of the animation."""

    session: Session
    view: int
    step: int
    beside: tuple[Variant, Parameters] | None
    run: int | None

    def still(self, studio: Studio, look: Look, width: int) -> Scene:
        """As a figure, at its step. Raises `Refused`."""
        from app.qt.export.stage_scenes import still_scene

        if self.run is None:
            self._prepare(studio)
        else:
            require(studio.run(self.run))
        return still_scene(look, studio.workbench, self.view, width)

    def moving(self, studio: Studio, look: Look, width: int) -> MovingScene:
        """As a clip that begins at its step. Raises `Refused`."""
        from app.qt.export.stage_scenes import moving_scene

        self._prepare(studio)
        return moving_scene(look, studio.workbench, self.view, width)

    def _prepare(self, studio: Studio) -> None:
        if self.beside is not None and not studio.comparing:
            require(studio.compare(*self.beside))
        require(studio.refuse_stage(self.step))


def stage_wanted(options: argparse.Namespace, step: int | None = None) -> StageWanted:
    """What the options say. Raises `Refused`."""
    view, at = view_of(options), number_of("--step", options.step) if step is None else step
    session, beside, run = session_of(options), beside_of(options), _run_of(options)
    if run is None:
        return StageWanted(session, view, at, beside, None)
    if beside is not None:
        raise Refused(message("{one} and {other} exclude each other.", one="--run", other="--beside"))
    variant = session.stage.value.variant
    require(refuse_recording(variant))
    for name, value in parameters_of(options, variant).items():
        require(session.set_run_parameter(variant, name, value, Limits()))
    return StageWanted(session, view, at, None, run)


def _run_of(options: argparse.Namespace) -> int | None:
    """A clip has no such option: a run has no steps."""
    text = getattr(options, "run", None)
    return None if text is None else accept(whole_number("--run", text, 1, LARGEST_SIZE))
