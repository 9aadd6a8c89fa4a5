"""`tilescope program`: run a whole CUDA program without a GPU. Its output and its status are the command's own."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.base.console import Console
from app.cli.base.errors import WRONG_INPUT, Refused, accept
from app.cli.base.heartbeat import FIRST_AFTER_S
from app.cli.base.parser import Group
from app.cli.trace import diagnostic_line
from app.core.base.files.atomic_write import atomic_file, not_written
from app.core.base.files.text_files import read_source
from app.core.base.parsing import shown, whole_number
from app.core.programs.host_program import coverage, device_of, progress_text, races_coverage, searched
from kernels.base.messages import Message, message
from kernels.simt.frontend.sources import LARGEST_FILE

if TYPE_CHECKING:
    from kernels.simt.base.types import Location
    from kernels.simt.host.result import Device, HostFinding, Launched, ProgramRun, Progress

MIB = 1 << 20
READ_BYTES = 1 << 16
MOST_SECONDS = 86_400
MOST_MIB = 24 * 1024


def add_options(group: Group) -> None:
    """A program and the words that it is given."""
    group.option("file", "FILE.cu", message("a CUDA program, a file with main; what stands behind -- is given to it"))
    group.option("--json", "REPORT", message("where the report goes: allocations, copies, launches and findings, as JSON"))
    group.option("--seconds", "SECONDS", message("the longest that the program may run"), default="60")
    group.option("--memory", "MIB", message("the most memory that it may allocate, on host and device together, in MiB"))
    group.option("--device", "ID", message("the GPU that it is told of, for example {example}", example="h200"), default="h100")
    reading_option(group)


def reading_option(group: Group) -> None:
    """Add what a program may read."""
    group.switch("--read-files", message("let the program read files in its own folder; it can write none and reaches no others"))


def readable(options: argparse.Namespace) -> frozenset[str] | None:
    """Give the names of what a program may read; None: all in its folder."""
    return None if options.read_files else frozenset()


def perform(options: argparse.Namespace, console: Console) -> int:
    """Run the program, and write the report where one is asked for."""
    outcome = ran(options, console)
    if isinstance(outcome, int):
        return outcome
    if options.json:
        _save(Path(options.json), outcome, console)
    return outcome.status


def ran(options: argparse.Namespace, console: Console, *, silent: bool = False) -> ProgramRun | int:
    """Run the program; findings go to standard error, and what it writes is written as it comes, unless `silent`.

    Returns a status where its text cannot run.
    """
    from kernels.analysis.program_races import look
    from kernels.simt.host.process import Programs
    from kernels.simt.host.result import Limits, NotRun, ProgramJob

    path = Path(options.file)
    seconds = accept(whole_number("--seconds", options.seconds, 1, MOST_SECONDS))
    memory = _usual_memory() if options.memory is None else accept(whole_number("--memory", options.memory, 1, MOST_MIB))
    text = accept(read_source(path, LARGEST_FILE))
    limits = Limits(seconds=float(seconds), bytes=memory * MIB)
    job = ProgramJob(text, path, tuple(options.behind), limits, _device(options.device), look, readable(options))
    heard = (lambda _stream, _data: None) if silent else partial(_write, console)
    outcome = Programs().run(job, heard, _Teller(console).tell, _more)
    for diagnostic in outcome.diagnostics:
        console.tell(diagnostic_line(options.file, diagnostic, console))
    if isinstance(outcome, NotRun):
        if not outcome.diagnostics:
            raise Refused(outcome.reason)
        return WRONG_INPUT
    for finding in outcome.findings:
        console.tell(_finding_line(options.file, finding, outcome, console))
    if any(each.bytes is None for each in outcome.files):
        console.tell(f"{options.file}: {console.text(message('With --read-files the program may read the files in its folder.'))}")
    for covered in _not_covered(outcome):
        console.tell(f"{options.file}: {console.text(covered)}")
    return outcome


class _Teller:
    """Says now and then on standard error how far a long launch is."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._next = time.monotonic() + FIRST_AFTER_S
        self._pause = FIRST_AFTER_S

    def tell(self, said: Progress | ProgramRun) -> None:
        """Say it, if enough time has passed."""
        from kernels.simt.host.result import Progress

        if isinstance(said, Progress) and time.monotonic() > self._next:
            self._console.tell(self._console.text(progress_text(said)))
            self._pause *= 2
            self._next = time.monotonic() + self._pause


def _usual_memory() -> int:
    """Give 6 GiB where the machine has them, in MiB."""
    import psutil

    return min(6 * 1024, int(psutil.virtual_memory().total * 3 // 4 // MIB))


def _write(console: Console, stream: int, data: bytes) -> None:
    """Write bytes as they are where the stream takes them."""
    target = console.out if stream == 1 else console.err
    raw = getattr(target, "buffer", None)
    if raw is None:
        target.write(data.decode("utf-8", "replace"))
    else:
        target.flush()
        raw.write(data)
        raw.flush()


def _more() -> bytes:
    """Give what comes next on standard input, nothing at its end."""
    try:
        return os.read(sys.stdin.fileno(), READ_BYTES)
    except (OSError, ValueError, AttributeError):  # there is none
        return b""


def _device(name: str) -> Device:
    from kernels.analysis.device_profiles import profiles

    found = next((profile for profile in profiles() if profile.id == name), None)
    if found is None:
        names = ", ".join(profile.id for profile in profiles())
        raise Refused(message("There is no GPU '{text}'. GPUs: {names}.", text=shown(name), names=names))
    return device_of(found)


def _not_covered(run: ProgramRun) -> Iterator[Message]:
    """How far findings were looked for, where that is not everywhere."""
    between, (whole, _, count) = coverage(run), searched(run)
    within = races_coverage(run) if whole < count else None
    yield from (each for each in (between, within) if each is not None)


def _finding_line(file: str, finding: HostFinding, run: ProgramRun, console: Console) -> str:
    """Write a finding as compilers do; of a race between threads the launch, too."""
    said = console.text(finding.message)
    if finding.location.line == 0:
        return f"{file}: {finding.wrong.value}: {said}"
    at = finding.location
    line = f"{at.file or file}:{at.line}:{at.column}: {finding.wrong.value}: {said}"
    more = [] if finding.other is None else [message("line {line}", line=finding.other.line)]
    if finding.launch is not None and finding.launch < len(run.launches):
        launched = run.launches[finding.launch].location.line
        if launched not in (at.line, None if finding.other is None else finding.other.line):
            more.append(message("launched in line {line}", line=launched))
    return f"{line} ({', '.join(map(console.text, more))})" if more else line


def _save(path: Path, run: ProgramRun, console: Console) -> None:
    try:
        with atomic_file(path) as made:
            made.write_text(json.dumps(report(run, console), indent=2, allow_nan=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise Refused(not_written(path, error)) from error


def report(run: ProgramRun, console: Console) -> dict[str, Any]:
    """Write a run as an object of JSON."""
    return {
        "status": run.status,
        "seconds": round(run.seconds, 3),
        "stdout": run.stdout,
        "allocations": [
            {
                "home": each.home, "name": each.name, "function": each.function, "bytes": each.bytes, **_at(each.location),
                "freed": _line(each.freed),
            }
            for each in run.allocations
        ],
        "copies": [
            {"function": each.function, "direction": each.direction, "bytes": each.bytes, **_at(each.location)} for each in run.copies
        ],
        "files": [{"name": each.name, "bytes": each.bytes, **_at(each.location)} for each in run.files],
        "launches": [_launch(each, console) for each in run.launches],
        "findings": [
            {
                "kind": each.wrong.value, **_at(each.location), "message": console.text(each.message), "other": _line(each.other),
                "launch": each.launch, "count": each.count,
            }
            for each in run.findings
        ],
        "coverage": " ".join(map(console.text, _not_covered(run))) or None,
    }  # fmt: skip


def _launch(launch: Launched, console: Console) -> dict[str, Any]:
    from kernels.analysis.trust import trust_object, trust_of

    return {
        "kernel": launch.entry, **_at(launch.location), "grid": list(launch.grid), "block": list(launch.block),
        "shared_bytes": launch.shared_bytes, "stream": launch.stream, "error": launch.error, "parent": launch.parent,
        "launched_by": None if launch.by is None else {"block": list(launch.by[0]), "thread": list(launch.by[1])},
        "refused": None if launch.refused is None else console.text(launch.refused), "blocks": launch.blocks,
        "blocks_recorded": launch.recorded, "blocks_searched_for_races": launch.searched, "compiled": launch.compiled,
        "not_compiled": None if launch.why_not is None else console.text(launch.why_not),
        "compared": launch.compared, "accesses": launch.accesses, "flops": launch.flops, "kept": launch.request is not None,
        "findings": [
            {"kind": each.kind, **_at(each.location), "message": console.text(each.message), "other": _line(each.other)}
            for each in launch.findings
        ],
        "trust": None if launch.refused is not None else trust_object(trust_of(launch), console.text),
    }  # fmt: skip


def _at(location: Location) -> dict[str, Any]:
    return {"line": location.line, "column": location.column, **({"file": location.file} if location.file else {})}


def _line(location: Location | None) -> int | None:
    return None if location is None else location.line
