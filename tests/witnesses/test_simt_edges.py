"""Edge search over the corpus: clean kernels work with everything tried, but for those that say themselves what they need."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernels.exploration.edge_cases import smallest
from kernels.exploration.edge_search import plan_edges, try_edge
from kernels.simt.base.launch import IndexArrangement
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from tests.oracle.corpus import files, read

NEEDS = {
    "copy-ahead": {"n"},  # its first copy looks at no bound: 64 elements must be there
    "edge-of-grid-blocks": {"n"},  # whole blocks alone are left out
}
"""Kernels that are right for the launch that their file describes, and for no smaller one: the sizes with which they fail."""

OUTSIDE = (IndexArrangement.BELOW, IndexArrangement.BEYOND)
"""Indices that no array has: most kernels trust theirs, and may."""


@pytest.mark.parametrize("path", files("clean"), ids=lambda path: path.stem)
def test_clean_kernels_work_at_their_edges(path: Path) -> None:
    case = read(path)
    job = LaunchSpec(case.text, case.kernel.entry, case.request, path)
    plan = plan_edges(job)
    assert not isinstance(plan, NotTraced), str(plan.reason)
    tried = [try_edge(job, edge) for edge in plan.edges if edge.order not in OUTSIDE]
    found = smallest(tried)
    assert (found is None) == (path.stem not in NEEDS), found and (found.edge.sizes, found.findings)
    if found is not None:
        assert set(found.edge.sizes) == NEEDS[path.stem]
        launched = [each for each in tried if each.edge.launch.arguments == case.request.arguments]
        assert not any(each.fails for each in launched)
