"""`tilescope export figure`: a picture of the stage or of a page of times."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.cli.console import Console
from app.cli.export_options import LADDER, PICTURES, STAGE, TUNING, USES
from app.cli.export_request import colours_of, file_of, number_of, require_qt, session_of, size_of, tell_written, view_of
from app.cli.refusal import Refused, accept, require
from app.cli.request import variant_named
from app.core.export.kinds import FIGURES, SCALED
from app.core.export.sizes import refuse_figure
from app.core.inputs import LARGEST_SIZE, one_of, whole_number
from app.core.session import DEFAULT_VARIANT, Session
from kernels.messages import Message, message
from kernels.spec import Device

if TYPE_CHECKING:
    from app.qt.export.headless import Studio
    from app.qt.export.scenes import Scene
    from app.qt.look import Look


def export_figure(options: argparse.Namespace, console: Console) -> int:
    """Write the picture."""
    subject = accept(one_of("--of", options.of, PICTURES))
    path, size, colours, view = file_of(options, FIGURES), size_of(options), colours_of(options), view_of(options)
    if path.suffix.lower() not in SCALED:
        size = replace(size, scale=1)
    require(refuse_figure(size))
    step = number_of("--step", options.step)
    session = session_of(options) if subject == STAGE else _session_of_times(options)
    require_qt()
    from app.qt.export.figure import write_figure
    from app.qt.export.headless import Studio, look_of

    look = look_of(colours, console.translator.language)
    with Studio(session, console.places) as studio:
        if subject == STAGE:
            require(studio.refuse_stage(step))
            scene: Scene = studio.stage_scene(look, view, size.width)
        else:
            scene = accept(_SCENES[subject](studio, look, options))
        require(write_figure(path, scene, size, look))
        scene.close()
    width, height = size.pixels
    return tell_written(options, console, path, width=width, height=height)


def _session_of_times(options: argparse.Namespace) -> Session:
    """The variant on the stage is what is tuned; it is ticked, and its operation's rungs are the ladder's."""
    session, variant = Session(), variant_named(options.variant or DEFAULT_VARIANT)
    session.choose_variant(variant)
    session.timing.value = replace(session.timing.value, ticked=frozenset((variant.id,)))
    return session


def _n(options: argparse.Namespace) -> int | None:
    return None if options.n is None else accept(whole_number("--n", options.n, 1, LARGEST_SIZE))


def _ladder(studio: Studio, look: Look, options: argparse.Namespace) -> Scene | Message:
    from app.qt.export.chart_scenes import ladder_scene

    _wait(studio)
    model = studio.workbench.ladder
    if options.device is not None:
        model.choose_device(Device(accept(one_of("--device", options.device, tuple(map(str, Device))))))
    n = _n(options)
    if n is not None:
        require(model.choose_size(n))
    return ladder_scene(look, model)


def _tuning(studio: Studio, look: Look, options: argparse.Namespace) -> Scene | Message:
    from app.qt.export.chart_scenes import tuning_scene

    _wait(studio)
    n = _n(options)
    if n is not None:
        require(studio.workbench.tuning.choose_size(n))
    return tuning_scene(look, studio.workbench.tuning)


def _uses(studio: Studio, look: Look, _options: argparse.Namespace) -> Scene | Message:
    from app.qt.export.chart_scenes import uses_scene

    _wait(studio)
    return uses_scene(look, studio.workbench.uses)


def _wait(studio: Studio) -> None:
    if not studio.until_known():
        raise Refused(message("Earlier results could not be read in time."))


_SCENES: dict[str, Callable[[Studio, Look, argparse.Namespace], Scene | Message]] = {LADDER: _ladder, TUNING: _tuning, USES: _uses}
