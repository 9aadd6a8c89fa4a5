"""Edge search over the corpus of wrong kernels: from a launch in which nothing is found it comes to the defect, at its lines.

The launch is found by rule: one block, one block of one warp, one thread, whichever of these is the first without a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kernels.exploration.edge_cases import Edge
from kernels.exploration.edge_search import plan_edges, try_edge
from kernels.simt.base.launch import IndexArrangement, LaunchRequest
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from tests.oracle.corpus import Found, files, read

SEARCHED = (FindingKind.DATA_RACE, FindingKind.OUT_OF_BOUNDS)
OUTSIDE = (IndexArrangement.BELOW, IndexArrangement.BEYOND)
"""Indices that no array has: with them kernels fail that are right."""

ONE_BLOCK = "asks for no block: right for a single one, as clean kernels of the same text are"
NOT_FOUND = {
    "block-scope-counter": ONE_BLOCK,
    "lock-of-lanes-of-two-blocks": ONE_BLOCK,
    "scope-block-object-of-all": ONE_BLOCK,
    "counter-without-atomic": "asks for no thread and no block: right for a single thread, as kernels are that one thread executes",
    "cube-inner-store": "right for a block of 3 × 4 × 4: a block as wide as its shared array is too wide for tiles with a rim",
    "derived-struct-past-end": "right for 31 threads: no number, no index and no other array tells how long the array is to be",
    "dynamic-shared-too-small": "dynamic shared memory grows with the block, as a right launch has it",
}
"""What edge search does not find, with the reason."""


def found_in(job: LaunchSpec, edge: Edge) -> set[Found] | None:
    """Kind and lines of what is found in a launch; None where nothing can be said of it."""
    tried = try_edge(job, edge)
    if tried.reason is not None:
        return None
    return {(each.kind, frozenset(line.line for line in (each.location, each.other) if line)) for each in tried.findings}


def smaller(request: LaunchRequest) -> Iterator[LaunchRequest]:
    """Launches that hide the more the later they come."""
    for block in (request.block, (32, 1, 1), (1, 1, 1)):
        if block[0] <= request.block[0] and (block != (32, 1, 1) or request.block[1:] == (1, 1)):
            yield replace(request, grid=(1, 1, 1), block=block)


@cache
def quiet(path: Path) -> LaunchSpec | None:
    """The first smaller launch in which nothing is found."""
    case = read(path)
    jobs = (LaunchSpec(case.text, case.kernel.entry, request, path) for request in smaller(case.request))
    return next((job for job in jobs if found_in(job, Edge({}, job.launch)) == set()), None)


WRONG = [path for path in files("bugs") if any(f"// finding: {kind}" in path.read_text(encoding="utf-8") for kind in SEARCHED)]


def test_most_wrong_kernels_have_a_launch_that_is_quiet() -> None:
    """The others show their defect in every launch: no inputs hide it."""
    found = {path.stem for path in WRONG if quiet(path) is not None}
    assert len(found) > 100
    assert found >= NOT_FOUND.keys()


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_a_defect_that_a_launch_hides_is_found_at_its_lines(path: Path) -> None:
    case = read(path)
    job, wanted = quiet(path), {found for found in case.findings if found[0] in SEARCHED}
    if job is None:
        assert path.stem not in NOT_FOUND
        return
    plan = plan_edges(job)
    assert not isinstance(plan, NotTraced), str(plan.reason)
    hits = any(wanted & (found_in(job, edge) or set()) for edge in plan.edges if edge.order not in OUTSIDE)
    assert hits == (path.stem not in NOT_FOUND)


@pytest.mark.parametrize("path", files("clean"), ids=lambda path: path.stem)
def test_right_kernels_are_quiet_with_more_blocks_and_warps(path: Path) -> None:
    case = read(path)
    for launch in smaller(case.request):
        job = LaunchSpec(case.text, case.kernel.entry, launch, path)
        if found_in(job, Edge({}, launch)) == set():
            plan = plan_edges(job)
            assert not isinstance(plan, NotTraced), str(plan.reason)
            for edge in plan.edges:
                assert not edge.wider or not found_in(job, edge), (edge.sizes, launch.grid, launch.block)
