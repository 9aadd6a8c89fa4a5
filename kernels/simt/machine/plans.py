"""What access sites are, and what they remember."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.machine.lanes import Mask
from kernels.simt.machine.log import Base
from kernels.simt.machine.memory import Region
from kernels.simt.trace.trace import Site

Vector = npt.NDArray[Any]
Views = tuple[Vector, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SiteSpec:
    """A site as the generator describes it: what the trace says of it, and how its bytes are typed.

    One lane moves `leaves` items of `dtype`. `region` is the only one that it can reach, or None where that is known only when it runs.
    `vector`: what is accessed is a member, `within` bytes into a vector of so many, which the compiler accesses as one; 0: it is not.
    """

    site: Site
    dtype: np.dtype[Any]
    leaves: int
    region: Region | None
    number: int
    vector: int = 0
    within: int = 0

    @property
    def alignment(self) -> int:
        """An address less `within` must be a multiple of so many bytes."""
        return self.vector or self.dtype.itemsize * self.leaves


@dataclass(slots=True, eq=False)
class Plan:
    """Plan of a site for one base and mask. The active lanes' addresses are `low` + 0 .. `span` beyond the offset."""

    base: Base
    mask: Mask
    case: int
    low: int
    span: int
    aligned: bool
    index: npt.NDArray[np.int64]
    """Items beyond `low` by lane; 0 where inactive."""
    active_index: npt.NDArray[np.int64]
    distinct: bool
    """Whether a store's lanes have addresses of their own."""
    at: dict[int, Views] = field(default_factory=dict)
    """Views that begin at `low` + offset, for offsets found good."""
