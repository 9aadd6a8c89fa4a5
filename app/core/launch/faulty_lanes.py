"""The lanes of a global memory access that a GPU would not serve, or would serve with what belongs to somebody else."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.core.launch.index import NOWHERE, Lanes, LaunchIndex
from kernels.analysis.cases import Bools
from kernels.simt.trace import Site
from kernels.simt.types import Location


class FaultyLanes(NamedTuple):
    """`outside`: not all bytes lie in one array. `misaligned`: they begin where such a value cannot."""

    outside: Bools
    misaligned: Bools

    @property
    def any_of(self) -> Bools:
        both: Bools = self.outside | self.misaligned
        return both


def faulty_lanes(index: LaunchIndex, lanes: Lanes, site: Site) -> FaultyLanes:
    """Lanes are misaligned only at places of which the launch's findings say so."""
    ends = np.array([each.address + each.bytes for each in index.trace.allocations] + [0])  # the last is that of NOWHERE
    outside = lanes.active & ((lanes.allocation == NOWHERE) | (lanes.address + site.bytes > ends[lanes.allocation]))
    found = site.location in index.once(_misaligned_places)
    return FaultyLanes(outside, lanes.active & ~outside & (lanes.address % site.bytes != 0) & found)


def _misaligned_places(index: LaunchIndex) -> frozenset[Location]:
    return frozenset(each.location for each in index.record.findings if each.kind == "misaligned-access")
