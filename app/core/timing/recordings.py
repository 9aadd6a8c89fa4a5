"""Recordings of one's own: what was measured here as one file, and those of other machines, shown beside it.

Where results come from is told in words: machine, day, versions, and how much of an output was verified.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import prepare
from app.core.base.files.log import LOG, without_texts
from app.core.base.files.text_files import read_source
from app.core.base.parsing import shown
from app.core.results import published
from app.core.results.curves import Provenance, SeriesKey
from app.core.results.known_results import Results
from app.core.timing.model import TimingModel
from kernels.base.digests import digest_of
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.base.values import dataclass
from kernels.measure.export import csv_text, json_text
from kernels.measure.recording_file import BadRecording, Recording, read_recording, recorded_text
from kernels.measure.results import VERIFIED_ROWS, Result
from kernels.measure.rows import MACHINE_CONDITION, AnyResult, Row, named_machines, row_of

LARGEST_BYTES = 16 << 20
"""Of a file that is read: some ten thousand results."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The results of a file, and how many others were of variants that this version does not have. `kept` is the program's own copy."""

    results: tuple[Result, ...]
    left_out: int
    kept: Path | None

    @property
    def sentence(self) -> Message:
        """What has been imported."""
        said = message("Imported: {count} results, recorded on {machines}, {day}.", count=len(self.results),
                       machines=", ".join(named_machines(self.results)), day=day_of(self.results))  # fmt: skip
        if not self.left_out:
            return said
        return message("{said} Left out: {count} of variants that this version does not have.", said=said, count=self.left_out)


class Recordings:
    """Recordings as the window asks for them. `folder` holds what has been imported; None: it lasts as long as the program."""

    def __init__(
        self, folder: Path | None, timing: TimingModel, background_tasks: BackgroundTasks, tell: Callable[[Message], object]
    ) -> None:
        self._folder, self._timing, self._background_tasks, self._tell = folder, timing, background_tasks, tell

    def start(self) -> None:
        """Show what was imported on earlier days, as soon as it has been read."""
        if self._folder is not None:
            self._background_tasks.send("recordings", partial(kept_recordings, self._folder), self._show_kept)

    def import_file(self, path: Path) -> None:
        """Read a file, keep a copy, and show what is in it, or say why that cannot be."""
        self._background_tasks.send("recording", partial(import_recording, path, self._folder), self._show_imported)

    def export(self, path: Path) -> None:
        """Write everything that is known to have been measured here, and say how that went."""
        results = self._timing.results.in_time(Provenance.MEASURED)
        self._tell(export_recording(results, path) or message("Written: {path}", path=str(path)))

    def _show_kept(self, found: tuple[tuple[Result, ...], tuple[Message, ...]]) -> None:
        results, problems = found
        self._timing.add(Provenance.RECORDED, results)
        for problem in problems:
            self._tell(problem)

    def _show_imported(self, imported: Imported | Message) -> None:
        if isinstance(imported, Message):
            LOG.info("recording refused: %s", without_texts(imported))
            self._tell(imported)
        else:
            self._timing.add(Provenance.RECORDED, imported.results)
            self._tell(imported.sentence)


def export_recording(results: Sequence[AnyResult], path: Path) -> Message | None:
    """Write results as a recording; returns why that cannot be."""
    if not results:
        return message("Nothing was measured here yet.")
    return write_whole(path, recorded_text(with_machines(results)))


def import_recording(path: Path, folder: Path | None) -> Imported | Message:
    """Check a file and keep what is in it in `folder`, or say why that cannot be. The same file twice is kept once."""
    recording = _read(path)
    if isinstance(recording, Message):
        return recording
    results = with_machines(recording.results)
    if not results:
        return message("{path} holds no results of variants that this version has.", path=str(path))
    kept = None if folder is None else folder / _name(results)
    if folder is not None and kept is not None:
        reason = prepare(folder) or write_whole(kept, recorded_text(results))
        if reason is not None:
            return reason
    return Imported(results, recording.left_out, kept)


def kept_recordings(folder: Path) -> tuple[tuple[Result, ...], tuple[Message, ...]]:
    """The results of all files that have been imported, and what is said of those that cannot be read any more."""
    results: list[Result] = []
    problems: list[Message] = []
    for path in sorted(folder.glob("*.json")):
        found = _read(path)
        if isinstance(found, Message):
            problems.append(found)
        else:
            results += found.results
    return tuple(results), tuple(problems)


def _read(path: Path) -> Recording | Message:
    text = read_source(path, LARGEST_BYTES)
    if isinstance(text, Message):
        return text
    try:
        return read_recording(text)
    except BadRecording as bad:
        return message("{path}: {problem}", path=str(path), problem=bad.reason)


def with_machines(results: Iterable[AnyResult]) -> tuple[Result, ...]:
    """The results, those too that were refused before they ran, with the name of their processor: they leave those that name it."""
    rows = [row_of(result) for result in results]
    known = Results({Provenance.MEASURED: rows})
    return tuple(_naming(row, known.machine(Provenance.MEASURED, row)) for row in rows)


def _naming(row: Row, machine: str) -> Result:
    whole, name = row.whole, MACHINE_CONDITION[row.variant.device]
    return whole if name in whole.conditions or not machine else replace(whole, conditions={**whole.conditions, name: machine})


def day_of(results: Iterable[AnyResult]) -> str:
    """The day of the last result, or of the first and the last; empty where none is told."""
    days = {result.created[:10] for result in results} - {""}
    return day_text(min(days, default=""), max(days, default=""))


def day_text(first: str, last: str) -> str:
    """One day, or two with a dash between."""
    return last if first == last else f"{first} – {last}"


def _name(results: Sequence[Result]) -> str:
    """A file's name: processor, day, and what tells apart recordings of the same day."""
    machine = re.sub(r"\W+", "-", shown(named_machines(results)[0] if named_machines(results) else "recording")).strip("-")
    digest = digest_of(recorded_text(results).encode())[:8]
    last = re.sub(r"[^0-9-]", "", day_of(results)[-10:])
    return f"{machine}_{last}_{digest}.json"


Conditions = Mapping[str, str | int | float]
_VERSIONS = {
    Device.GPU: (("CUDA", "cuda_driver"), ("NVRTC", "nvrtc"), ("driver", "nvidia_driver"), ("Tilescope", "tilescope")),
    Device.CPU: (("Python", "python"), ("NumPy", "numpy"), ("Numba", "numba"), ("Tilescope", "tilescope")),
}
"""Names and conditions of what a time of a device depends on."""


def provenance_text(provenance: Provenance, results: Results) -> Message:
    """What the results of a provenance are called; of recorded ones on which machine and when, of several machines which."""
    machines, day = results.machines(provenance), day_text(*results.days(provenance))
    if provenance is Provenance.RECORDED and len(machines) == 1 and day:
        return message("recorded on {machine}, {day}", machine=machines[0], day=day)
    return brief_provenance(provenance, results)


def brief_provenance(provenance: Provenance, results: Results) -> Message:
    """Return what the results of a provenance are called without the day, where there is little room."""
    match provenance:
        case Provenance.MEASURED:
            return message("measured here")
        case Provenance.PUBLISHED:
            return message("published")
    machines = results.machines(provenance)
    return message("recorded on {machine}", machine=", ".join(machines)) if machines else message("recorded")


def note_of(key: SeriesKey, result: AnyResult) -> Message | None:
    """What is said of a result besides its numbers: of a published or recorded one whose it is, of a large one what was verified."""
    said = _recorded(key, result) if key.provenance is Provenance.RECORDED else published.note_of(key, result)
    verified = verified_part(result)
    return message("{first}; {rest}", first=said, rest=verified) if said and verified else said or verified


def verified_part(result: AnyResult) -> Message | None:
    """How many rows of the output were verified, where it was not all."""
    rows = result.conditions.get(VERIFIED_ROWS)
    if not isinstance(rows, int):
        return None
    return message("verified: {rows} of {all} rows, in every part of C", rows=rows, all=result.point.problem.shapes["C"][0])


def _recorded(key: SeriesKey, result: AnyResult) -> Message:
    day, versions = result.created[:10], _versions(key, result.conditions)
    if not versions:
        return message("recorded on {machine}, {day}", machine=key.machine, day=day)
    return message("recorded on {machine}, {day}; {versions}", machine=key.machine, day=day, versions=versions)


def _versions(key: SeriesKey, conditions: Conditions) -> str:
    named = _VERSIONS.get(key.variant.device, _VERSIONS[Device.CPU])
    return ", ".join(f"{title} {conditions[name]}" for title, name in named if name in conditions)


def write_measurements(rows: Iterable[Row], operation: Operation, path: Path) -> Message | None:
    """Write those of an operation, as CSV or JSON by the file's ending. Returns why it could not be written."""
    own = [row.whole for row in rows if row.problem.operation is operation]
    return write_whole(path, json_text(own) if path.suffix.lower() == ".json" else csv_text(own))
