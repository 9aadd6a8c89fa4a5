"""`tilescope export report`: a lab report of some variants."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.options import SIZES, VARIANTS_MEANT
from app.cli.base.parser import Group
from app.cli.base.selection import selection_of
from app.cli.export import file_of, require_studio, tell_written
from app.cli.export.curves import SOURCES, known_results
from app.core.base.files.text_files import read_source
from app.core.base.parsing import LARGEST_SIZE, number_list, one_of, shown
from app.core.export.curves import of_sizes
from app.core.export.kinds import REPORTS
from app.core.export.player_page import LARGEST_PAGE, title_of_page
from app.core.report.build import build
from app.core.report.content import Asked, Playable, Section
from app.core.results.curves import Provenance
from app.core.results.gpu_uses import recorded_uses
from app.core.results.known_results import Results
from app.core.session.session import SIZE_AXIS, Session
from kernels.base.messages import message


def add_options(group: Group) -> None:
    """Add the times, and who signs."""
    group.option("path", "OUT.html|.md|.pdf", message("the report's file"))
    group.option("--variants", "VARIANT", VARIANTS_MEANT, nargs="+", required=True)
    group.option("--sizes", "SIZES", SIZES)
    group.option("--source", "SOURCE", message("which times: {choices}", choices=", ".join(SOURCES)), default=SOURCES[0])
    players = message("players to be shown in the report, as {command} writes them", command="tilescope export player")
    group.option("--players", "FILE.html", players, nargs="+", default=[])
    group.option("--name", "NAME", message("who signs it"), default="")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the report."""
    path = file_of(options.path, REPORTS)
    variants = selection_of(options.variants).variants
    provenance = Provenance(accept(one_of("--source", options.source, SOURCES)))
    sizes = () if options.sizes is None else accept(number_list("--sizes", options.sizes, 1, LARGEST_SIZE))
    results, uses = known_results(console)
    session = Session()
    session.choose_operation(variants[0].operation)
    choice = replace(session.timing.value, ticked=frozenset(variant.id for variant in variants), axis=SIZE_AXIS)
    asked = Asked(choice, provenance, Results({provenance: of_sizes(results.rows(provenance), sizes)}), options.name)
    told = recorded_uses() if provenance is Provenance.RECORDED else uses
    report = accept(build(asked, told, datetime.now(UTC).date().isoformat()))
    report = replace(report, sections=(*report.sections, *_scenes(options.players, path)))
    require_studio()
    from app.qt.export.report_writer import write_report
    from app.qt.shell.application import qt_application
    from app.qt.shell.headless import look_of

    application = qt_application()
    require(write_report(path, report, asked, look_of("print", console.translator.language)))
    application.processEvents()
    return tell_written(options, console, path, sections=len(report.sections))


def _scenes(names: Sequence[str], report: Path) -> tuple[Section, ...]:
    """The section of the players; none where none is named."""
    if names and report.suffix.lower() != ".html":
        raise Refused(message("Players play in a report that ends in .html, not in {name}.", name=shown(report.name)))
    parts = []
    for name in names:
        page = accept(read_source(Path(name), LARGEST_PAGE))
        title = title_of_page(page)
        if title is None:
            raise Refused(message("{name} is no player of Tilescope.", name=shown(name)))
        parts.append(Playable(title, page))
    return (Section(message("Scenes"), tuple(parts)),) if parts else ()
