"""`tilescope export curves`: the times of variants as a table or a chart."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.console import Console
from app.cli.export_request import colours_of, file_of, require_studio, size_of, tell_written
from app.cli.known_results import known_results
from app.cli.refusal import accept, require
from app.cli.selection import selection_of
from app.core.base.files.atomic_write import write_whole
from app.core.base.parsing import LARGEST_SIZE, number_list, one_of
from app.core.export.curves import choose_curves, selected_curves, table_of_curves
from app.core.export.kinds import FIGURES, TABLES, refuse_figure
from app.core.results.curves import Provenance
from app.core.results.quantities import Quantity
from app.core.session.session import Session
from app.core.timing.model import TimingModel


def export_curves(options: argparse.Namespace, console: Console) -> int:
    """Write the table, or draw the chart."""
    path = file_of(options, (*TABLES, *FIGURES))
    variants = selection_of(options.variants).variants
    sizes = () if options.sizes is None else accept(number_list("--sizes", options.sizes, 1, LARGEST_SIZE))
    session, model = Session(), TimingModel()
    model.quantity.value = Quantity(accept(one_of("--quantity", options.quantity, tuple(Quantity))))
    model.show(known_results(console)[0])
    require(choose_curves(session, model, variants, sizes, _sources(options)))
    selected = selected_curves(session, model)
    if path.suffix.lower() in TABLES:
        require(write_whole(path, table_of_curves(selected, path.suffix.lower(), console.text)))
    else:
        _draw(options, console, path, session, model)
    return tell_written(options, console, path, results=sum(map(len, selected.values())))


def _draw(options: argparse.Namespace, console: Console, path: Path, session: Session, model: TimingModel) -> None:
    size, colours = size_of(options), colours_of(options)
    require(refuse_figure(size))
    require_studio()
    from app.qt.export.chart_scenes import chart_scene
    from app.qt.export.figure import write_figure
    from app.qt.shell.application import qt_application
    from app.qt.shell.headless import look_of

    application = qt_application()
    look = look_of(colours, console.translator.language)
    scene = accept(chart_scene(look, session, model))
    require(write_figure(path, scene, size, look))
    scene.close()
    application.processEvents()


def _sources(options: argparse.Namespace) -> frozenset[Provenance]:
    if options.source is None:
        return frozenset((Provenance.MEASURED, Provenance.RECORDED))
    return frozenset((Provenance(accept(one_of("--source", options.source, tuple(map(str, Provenance))))),))
