"""Data races in the launches of a whole program: what the stage finds in a launch, looked for in the records of a run.

A launch of which a block of each kind was recorded is looked at in these alone; one that ran without a record is not looked at.
"""

from __future__ import annotations

import time
from dataclasses import replace

from kernels.simt.host.records import Records
from kernels.simt.host.result import HostFinding, Looked, Wrong
from kernels.simt.trace.trace import Finding

SECONDS = 20.0
"""How long launches are looked at. One that has been begun is looked at to its end."""
MOST_FINDINGS = 200
Kind = tuple[str, frozenset[tuple[str, int]]]


def look(records: Records) -> Looked:
    """Look through the records, the first launch of each kind before the others, as long as there is time. Imports what it looks with: the
    program has ended by then."""
    from kernels.analysis.findings import found_afterwards

    until = time.monotonic() + SECONDS
    launches: dict[int, tuple[int, tuple[Finding, ...]]] = {}
    for record in records:
        if time.monotonic() > until:
            break
        found = tuple(finding for trace in record.traces for finding in found_afterwards(trace))
        launches[record.launch] = sum(len(trace.blocks) for trace in record.traces), found
    return Looked(_told(launches), {number: launches[number] for number in sorted(launches)})


def _told(launches: dict[int, tuple[int, tuple[Finding, ...]]]) -> tuple[HostFinding, ...]:
    """List what is wrong with the whole program: of all that is of one kind on the same lines the first launch's, counted."""
    found: dict[Kind, HostFinding] = {}
    for number in sorted(launches):
        told = {_kind(each): each for each in reversed(launches[number][1])}
        for kind, finding in reversed(told.items()):
            if kind in found:
                found[kind] = replace(found[kind], count=found[kind].count + 1)
            elif len(found) < MOST_FINDINGS:
                found[kind] = HostFinding(_wrong(finding.kind), finding.location, finding.message, finding.other, number)
    return tuple(found.values())


def _wrong(kind: str) -> Wrong:
    return Wrong.DATA_RACE if kind == Wrong.DATA_RACE else Wrong.KERNEL


def _kind(finding: Finding) -> Kind:
    return finding.kind, frozenset(each.whole_line for each in (finding.location, finding.other) if each is not None)
