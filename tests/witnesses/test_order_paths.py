"""What the path between two accesses says, and what the search for races says, of the corpus: no path where they race, one where not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.accesses import Spread, regions
from kernels.analysis.findings import findings
from kernels.analysis.order_paths import OrderPaths
from kernels.simt.base.types import Space
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.oracle.corpus import files, read, said

ALIKE = {"equal-writes", "front-changed-flag", "own-value-read-back"}
"""Store equal values without order."""
BY_LUCK = {
    "copy-into-stage-in-use": "the copy is recorded where it was waited for, and might have come earlier",
    "lock-and-write-before": "the holders of the lock followed each other by luck",
    "ptx-cp-async-wait-too-few": "the copy is recorded where it was waited for, and might have come earlier",
    "two-stages-without-second-barrier": "the copy is recorded where it was waited for, and might have come earlier",
}
PIECES, NEXT = 6, 3


def pairs(trace: Trace) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Some plain accesses to the same piece of memory, one of them a store, in the order executed."""
    found = []
    random = np.random.default_rng(1)
    for region, rows in regions(trace):
        for part in Spread(trace, region, rows):
            block = np.where(region.space is Space.SHARED, trace.rows.block[part.row], 0)
            key = part.piece * len(trace.blocks) + block
            for each in random.permutation(np.unique(key))[:PIECES]:
                own = [(int(part.row[at]), int(part.lane[at])) for at in np.flatnonzero(key == each)]
                found += [(one, other) for place, one in enumerate(own) for other in own[place + 1 : place + 1 + NEXT]]
    return [pair for pair in found if plain(trace, pair)]


def plain(trace: Trace, pair: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    sites = [trace.sites[trace.rows.site[row]] for row, _ in pair]
    if any(site.operation == "atomic" or site.volatile for site in sites):
        return False
    return "store" in {site.operation for site in sites} and pair[0][0] < pair[1][0]


@pytest.mark.parametrize("path", [each for each in files("clean") if each.stem not in ALIKE], ids=lambda path: path.stem)
def test_something_orders_what_does_not_race(path: Path) -> None:
    case = read(path)
    trace = execute(case.kernel, case.request, case.text)
    paths = OrderPaths(trace)
    assert [pair for pair in pairs(trace) if paths.path(*pair) is None] == []


RACING = [path for path in files("bugs") if any(kind == "data-race" for kind, _ in said(path))]


@pytest.mark.parametrize("path", RACING, ids=lambda path: path.stem)
def test_nothing_orders_what_races(path: Path) -> None:
    case = read(path)
    trace = execute(case.kernel, case.request, case.text)
    races = [each for each in findings(trace) if each.kind == "data-race" and each.other is not None]
    racing = [frozenset({each.location.line, each.other.line}) for each in races if each.other]
    paths = OrderPaths(trace)
    lines: dict[frozenset[int], bool] = {}
    for pair in pairs(trace):
        if len({paths.thread(*each) for each in pair}) == 2:
            line = frozenset(trace.sites[trace.rows.site[row]].location.line for row, _ in pair)
            lines[line] = lines.get(line, False) or paths.path(*pair) is None
    unordered = {line for line, missing in lines.items() if missing}
    assert unordered <= set(racing)
    assert unordered or path.stem in BY_LUCK or not set(lines) & set(racing)
