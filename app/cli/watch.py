"""`tilescope watch`: a CUDA file beside any editor: executed again at each save, a kernel as `trace` does, a whole program as `program`."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from app.cli import program, trace
from app.cli.base.console import Console
from app.cli.base.errors import FINDINGS, Refused, accept
from app.cli.base.parser import Group
from app.core.base.files.text_files import file_stamp, read_source
from app.core.base.parsing import LARGEST_SIZE, whole_number
from app.core.programs.host_program import has_main
from kernels.base.messages import message
from kernels.simt.frontend.sources import LARGEST_FILE
from kernels.simt.run.worker import Tracer

POLL_S = 0.2
"""How often the file is looked at."""


def add_options(group: Group) -> None:
    """Take the options of `trace`: they are those of every execution."""
    trace.add_options(group)
    program.reading_option(group)
    group.option("--times", "COUNT", message("how many reports; until Ctrl+C if not given"))


def perform(options: argparse.Namespace, console: Console) -> int:
    """Report at once, then whenever the file is another one; what cannot be executed is told, and waited on. Returns the last status."""
    path = Path(options.target)
    accept(read_source(path, LARGEST_FILE))
    wanted = None if options.times is None else accept(whole_number("--times", options.times, 1, LARGEST_SIZE))
    tracer, known, done, status = Tracer(), None, 0, 0
    try:
        while wanted is None or done < wanted:
            known = _settled(path, known)
            if known is None:
                console.tell(console.text(message("{path} is gone; waiting until it is there again.", path=str(path))))
                continue
            done += 1
            status = _report(path, options, console, tracer)
    finally:
        tracer.close()
    return status


def _settled(path: Path, known: tuple[int, int] | None) -> tuple[int, int] | None:
    """The stamp of the file once it is another one and rests: an editor may be about to write it. None where it is gone."""
    before, now = known, file_stamp(path)
    while now != before or now == known:
        time.sleep(POLL_S)
        before, now = now, file_stamp(path)
    return now


def _report(path: Path, options: argparse.Namespace, console: Console, tracer: Tracer) -> int:
    if not options.json:
        console.print(f"── {time.strftime('%H:%M:%S')}  {path}")
    try:
        text = accept(read_source(path, LARGEST_FILE))
        whole = has_main(text) and not _launch_asked(options)
        status = _program(options, console) if whole else trace.perform(options, console, tracer)
    except Refused as refusal:
        console.tell(f"tilescope: {console.text(refusal.reason)}")
        status = FINDINGS
    console.print("")
    console.out.flush()
    return status


def _launch_asked(options: argparse.Namespace) -> bool:
    """Whether options are of one launch: then its kernel is meant, though the file has a program."""
    return any((options.kernel, options.entry, options.grid, options.block, options.shared, options.arg, options.n, options.m, options.k))


def _program(options: argparse.Namespace, console: Console) -> int:
    """What the program writes, its findings, and a line for each of its launches."""
    asked = argparse.Namespace(
        file=options.target, seconds=options.budget or "60", memory=None, device="h100", behind=[], read_files=options.read_files
    )
    outcome = program.ran(asked, console, silent=options.json)
    if isinstance(outcome, int):
        return outcome
    if options.json:
        console.print_json(program.report(outcome, console))
        return FINDINGS if outcome.findings else outcome.status
    number = console.translator.number
    for launch in outcome.launches:
        grid, block = (" × ".join(map(number, shape)) for shape in (launch.grid, launch.block))
        said = message(
            "line {line}: {kernel}, grid {grid}, block {block}: accesses: {accesses}, operations: {flops}, findings: {findings}",
            line=launch.location.line, kernel=launch.entry, grid=grid, block=block, accesses=launch.accesses, flops=launch.flops,
            findings=len(launch.findings),
        )  # fmt: skip
        console.print(console.text(said))
    return FINDINGS if outcome.findings else outcome.status
