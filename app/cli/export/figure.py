"""`tilescope export figure`: a picture of the stage or of a page of times."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.parser import Group
from app.cli.base.request import variant_named
from app.cli.export import files_of, require_studio, tell_all_written
from app.cli.export.pictures import colours_of, picture_options, size_of, stage_options, stage_wanted
from app.core.base.parsing import LARGEST_SIZE, one_of, whole_number
from app.core.export.kinds import FIGURES, SCALED, PictureSize, refuse_figure
from app.core.session.session import DEFAULT_VARIANT, Session
from kernels.base.messages import Message, message
from kernels.base.spec import Device

if TYPE_CHECKING:
    from app.qt.base.look import Look
    from app.qt.export.export_view import ExportView
    from app.qt.shell.headless import Studio


STAGE, USES, TUNING, LADDER = "stage", "uses", "tuning", "ladder"
PICTURES = (STAGE, USES, TUNING, LADDER)


def add_options(group: Group) -> None:
    """Add the picture, and what it is of."""
    group.option("path", "OUT.png|.svg|.pdf", message("the picture's file; several are of one picture"), nargs="+")
    group.option("--of", "PICTURE", message("what is drawn: {choices}", choices=", ".join(PICTURES)), default=STAGE)
    stage_options(group)
    group.option("--step", "STEP", message("the step that the stage shows, counted from 1"), default="1")
    group.option("--run", "N", message("a real run at this size in place of the animation, of a variant with threads or ranks"))
    group.option("--device", "DEVICE", message("whose rungs: {choices}", choices="gpu, cpu, mpi"))
    picture_options(group, "1600x900")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the picture, into several files where several are named."""
    subject = accept(one_of("--of", options.of, PICTURES))
    paths, size, colours = files_of(options, FIGURES), size_of(options), colours_of(options)
    sizes = {path: size if path.suffix.lower() in SCALED else replace(size, scale=1) for path in paths}
    for each in sizes.values():
        require(refuse_figure(each))
    on_stage = stage_wanted(options) if subject == STAGE else None
    session = _session_of_times(options) if on_stage is None else on_stage.session
    require_studio()
    from app.qt.export.figure import write_figure
    from app.qt.shell.headless import Studio, look_of

    look = look_of(colours, console.translator.language)
    with Studio(session, console.places) as studio:
        exported = accept(_VIEWS[subject](studio, look, options)) if on_stage is None else on_stage.still(studio, look, size.width)
        for path, each in sizes.items():
            require(write_figure(path, exported, each, look))
        exported.close()
    return tell_all_written(options, console, [(path, _extent(each)) for path, each in sizes.items()])


def _extent(size: PictureSize) -> dict[str, object]:
    width, height = size.pixels
    return {"width": width, "height": height}


def _session_of_times(options: argparse.Namespace) -> Session:
    """The variant on the stage is what is tuned; it is ticked, and its operation's rungs are the ladder's."""
    session, variant = Session(), variant_named(options.variant or DEFAULT_VARIANT)
    session.choose_variant(variant)
    session.timing.value = replace(session.timing.value, ticked=frozenset((variant.id,)))
    return session


def _n(options: argparse.Namespace) -> int | None:
    return None if options.n is None else accept(whole_number("--n", options.n, 1, LARGEST_SIZE))


def _ladder(studio: Studio, look: Look, options: argparse.Namespace) -> ExportView | Message:
    from app.qt.export.exported_charts import ladder_view

    _wait(studio)
    model = studio.workbench.ladder
    if options.device is not None:
        model.choose_device(Device(accept(one_of("--device", options.device, tuple(map(str, Device))))))
    n = _n(options)
    if n is not None:
        require(model.choose_size(n))
    return ladder_view(look, model)


def _tuning(studio: Studio, look: Look, options: argparse.Namespace) -> ExportView | Message:
    from app.qt.export.exported_charts import tuning_view

    _wait(studio)
    n = _n(options)
    if n is not None:
        require(studio.workbench.tuning.choose_size(n))
    return tuning_view(look, studio.workbench.tuning)


def _uses(studio: Studio, look: Look, _options: argparse.Namespace) -> ExportView | Message:
    from app.qt.export.exported_charts import uses_view

    _wait(studio)
    return uses_view(look, studio.workbench.uses)


def _wait(studio: Studio) -> None:
    if not studio.until_known():
        raise Refused(message("Earlier results could not be read in time."))


_VIEWS: dict[str, Callable[[Studio, Look, argparse.Namespace], ExportView | Message]] = {LADDER: _ladder, TUNING: _tuning, USES: _uses}
