"""`tilescope doctor`: what is there, what is missing, what to do."""

from __future__ import annotations

import argparse
import sys

from app.cli.console import Console, aligned
from app.core.doctor import Finding, Surroundings, examine
from app.core.doctor_checks import CHECKS


def doctor(options: argparse.Namespace, console: Console) -> int:
    """Write the findings; what is amiss is for the reader to judge, so the status is 0."""
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


def _entry(finding: Finding, console: Console) -> dict[str, str | None]:
    return {
        "id": finding.id,
        "name": console.text(finding.name),
        "state": finding.state.value,
        "sentence": console.text(finding.sentence),
        "next_step": None if finding.next_step is None else console.text(finding.next_step),
    }
