"""Many findings of one kind at one place, as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kernels.simt.trace import Finding
from kernels.simt.types import Location


def merged(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of equal kind and lines as one, whose count is their sum, in order of their first rows."""
    first: dict[tuple[str, frozenset[tuple[str, int]]], Finding] = {}
    for finding in sorted(found, key=_first_row):
        lines = frozenset(_line(location) for location in (finding.location, finding.other or finding.location))
        known = first.get((finding.kind, lines))
        first[finding.kind, lines] = finding if known is None else replace(known, count=known.count + finding.count)
    return tuple(first.values())


def _first_row(finding: Finding) -> tuple[bool, int]:
    return finding.row < 0, finding.row


def _line(location: Location) -> tuple[str, int]:
    return location.file, location.line
