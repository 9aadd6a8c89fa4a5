"""`tilescope export curves`: the times of variants as a table or a chart; and the results that this machine knows of."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import accept, require
from app.cli.base.history import history
from app.cli.base.options import SIZES, VARIANTS_MEANT
from app.cli.base.parser import Group
from app.cli.base.selection import selection_of
from app.cli.export import file_of, require_studio, tell_written
from app.cli.export.pictures import colours_of, picture_options, size_of
from app.core.base.files.atomic_write import write_whole
from app.core.base.parsing import LARGEST_SIZE, number_list, one_of
from app.core.export.curves import choose_curves, selected_curves, table_of_curves
from app.core.export.kinds import FIGURES, TABLES, refuse_figure
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.published import load_published, recorded_files
from app.core.results.quantities import Quantity
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.recordings import kept_recordings
from kernels.base.machine_conditions import processor_name
from kernels.base.messages import message
from kernels.measure.gpu_use_times import UseTimes
from kernels.measure.recording_file import load_recorded

SOURCES = ("measured", "recorded", "published")


def add_options(group: Group) -> None:
    """Add the times, and what is shown of them."""
    group.option("path", "OUT.csv|.json|.png|.svg|.pdf", message("the file: a table, or a picture of the chart"))
    group.option("--variants", "VARIANT", VARIANTS_MEANT, nargs="+", required=True)
    group.option("--sizes", "SIZES", SIZES)
    group.option("--source", "SOURCE", message("which times: {choices}; measured and recorded if not given", choices=", ".join(SOURCES)))
    group.option("--quantity", "QUANTITY", message("what the chart shows: {choices}", choices=", ".join(Quantity)), default=Quantity.RATE)
    picture_options(group, "1600x900")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the table, or draw the chart."""
    path = file_of(options.path, (*TABLES, *FIGURES))
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
    from app.qt.export.exported_charts import chart_view
    from app.qt.export.figure import write_figure
    from app.qt.shell.application import qt_application
    from app.qt.shell.headless import look_of

    application = qt_application()
    look = look_of(colours, console.translator.language)
    exported = accept(chart_view(look, session, model))
    require(write_figure(path, exported, size, look))
    exported.close()
    application.processEvents()


def _sources(options: argparse.Namespace) -> frozenset[Provenance]:
    if options.source is None:
        return frozenset((Provenance.MEASURED, Provenance.RECORDED))
    return frozenset((Provenance(accept(one_of("--source", options.source, tuple(map(str, Provenance))))),))


def known_results(console: Console) -> tuple[Results, tuple[UseTimes, ...]]:
    """Read the results by where they come from, and the uses of a GPU that were timed here."""
    with history(console) as store:
        measured, uses = store.latest(processor=processor_name()), tuple(store.uses())
    imported = kept_recordings(console.places.recordings)[0]
    recorded = (*(each for path in recorded_files() for each in load_recorded(path)), *imported)
    known = {Provenance.MEASURED: measured, Provenance.RECORDED: recorded, Provenance.PUBLISHED: load_published()}
    return Results(known), uses
