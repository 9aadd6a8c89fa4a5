"""All times that this machine knows of: its own, those that come with the program, imported and published ones."""

from __future__ import annotations

from app.cli.console import Console
from app.cli.history import history
from app.core.results.curves import Provenance
from app.core.results.published import load_published, recorded_files
from app.core.results.table import Results
from app.core.timing.recordings import kept_recordings
from kernels.base.machine import processor_name
from kernels.measure.phases import PhaseTimes
from kernels.measure.recorded import load_recorded


def known_results(console: Console) -> tuple[Results, tuple[PhaseTimes, ...]]:
    """The results by where they come from, and the uses of a GPU that were timed here."""
    with history(console) as store:
        measured, uses = store.latest(processor=processor_name()), tuple(store.phases())
    imported = kept_recordings(console.places.recordings)[0]
    recorded = (*(each for path in recorded_files() for each in load_recorded(path)), *imported)
    known = {Provenance.MEASURED: measured, Provenance.RECORDED: recorded, Provenance.PUBLISHED: load_published()}
    return Results(known), uses
