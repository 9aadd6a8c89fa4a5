"""`tilescope doctor`: what is there, what is missing, what to do; with `--log` what happened before."""

from __future__ import annotations

import argparse
import sys

from app.cli.base.console import Console, aligned
from app.cli.base.parser import Group
from app.core.base.files.log import last_lines, log_file
from app.core.diagnostics.checks import CHECKS
from app.core.diagnostics.doctor import Finding, Surroundings, examine
from kernels.base.messages import message

LINES = 60
"""Lines of the log that are told."""


def add_options(group: Group) -> None:
    """Add what is told in place of the findings."""
    group.switch("--log", message("where the log is, and its last lines, in place of the findings"))


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the findings; what is amiss is for the reader to judge, so the status is 0."""
    if options.log:
        return _tell_log(options, console)
    findings = examine(Surroundings(console.environment, sys.platform, console.places), CHECKS)
    if options.json:
        console.print_json([_entry(finding, console) for finding in findings])
        return 0
    rows = [(f.state.sign, console.text(f.state.word), console.text(f.name), console.text(f.sentence)) for f in findings]
    for line, finding in zip(aligned(rows), findings, strict=True):
        console.print(line)
        if finding.next_step is not None:
            console.print(f"{' ' * 4}→ {console.text(finding.next_step)}")
    return 0


def _tell_log(options: argparse.Namespace, console: Console) -> int:
    """The log's file on the first line, then its last lines."""
    folder = console.places.logs
    lines = last_lines(folder, LINES)
    reports = sorted(str(path) for path in folder.glob("report-*.txt"))
    if options.json:
        console.print_json({"log": str(log_file(folder)), "reports": reports, "lines": lines})
        return 0
    for line in (str(log_file(folder)), *reports, *lines):
        console.print(line)
    return 0


def _entry(finding: Finding, console: Console) -> dict[str, str | None]:
    return {
        "id": finding.id,
        "name": console.text(finding.name),
        "state": finding.state.value,
        "sentence": console.text(finding.sentence),
        "next_step": None if finding.next_step is None else console.text(finding.next_step),
    }
