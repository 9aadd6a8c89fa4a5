"""Elements of an array as the source would write them: A[10..11][0..15]."""

from __future__ import annotations

from math import prod

import numpy as np

from app.core.launch.index import LaunchIndex
from kernels.analysis.cases import Ints


def shape_of(index: LaunchIndex, allocation: int) -> tuple[int, ...]:
    """The shape that an array is named by: that of the matrix that it is, or its own."""
    role, array = index.roles.get(allocation), index.trace.allocations[allocation]
    if role is not None and role.rows * role.columns * array.element_bytes == array.bytes:
        return role.rows, role.columns
    count = array.bytes // max(array.element_bytes, 1)
    return array.shape if array.shape and prod(array.shape) == count else (count,)


def region_name(index: LaunchIndex, allocation: int, elements: Ints) -> str:
    """The smallest range of indices around some elements where they fill it, else the array's name."""
    array, shape = index.trace.allocations[allocation], shape_of(index, allocation)
    different = np.unique(elements)
    if not len(different) or different[-1] >= prod(shape):
        return array.name
    places = np.unravel_index(different, shape)
    ranges = [(int(place.min()), int(place.max())) for place in places]
    if prod(last - first + 1 for first, last in ranges) != len(different):
        return array.name
    return array.name + "".join(f"[{first}]" if first == last else f"[{first}..{last}]" for first, last in ranges)
