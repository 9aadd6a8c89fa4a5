"""What is selected in one launch, as it is called in another that is shown beside it."""

from __future__ import annotations

from math import prod

import numpy as np

from app.core.launch.index import LaunchIndex
from app.core.launch.regions import shape_of
from app.core.launch.selection import NOTHING, Selection
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.simt.types import Space


def selection_beside(selection: Selection, source: LaunchIndex, target: LaunchIndex) -> Selection:
    """The thread or bank of the same number, the element at the same place of the array of the same name, the line of the same text;
    NOTHING where the other launch has no such thing."""
    if selection.thread is not None:
        return selection if selection.thread < prod(target.trace.block) else NOTHING
    if selection.element is not None:
        return _element(*selection.element, source, target)
    if selection.sector is not None:
        return _sector(selection.sector, source, target)
    if selection.line is not None:
        return selection if source.subject.text == target.subject.text else NOTHING
    return selection


def _element(allocation: int, element: int, source: LaunchIndex, target: LaunchIndex) -> Selection:
    other = _namesake(allocation, source, target)
    if other is None:
        return NOTHING
    own_shape, shape = shape_of(source, allocation), shape_of(target, other)
    if len(shape) != len(own_shape) or element >= prod(own_shape):
        return NOTHING
    place = np.unravel_index(element, own_shape)
    if any(index >= size for index, size in zip(place, shape, strict=True)):
        return NOTHING
    return Selection(element=(other, int(np.ravel_multi_index(place, shape))))


def _sector(sector: int, source: LaunchIndex, target: LaunchIndex) -> Selection:
    """The sector as far from the beginning of its array."""
    address = sector * SECTOR_BYTES
    for number, array in enumerate(source.trace.allocations):
        other = _namesake(number, source, target)
        inside = array.space is not Space.SHARED and array.address <= address + SECTOR_BYTES - 1 and address < array.address + array.bytes
        if not inside or other is None:
            continue
        partner = target.trace.allocations[other]
        offset = sector - array.address // SECTOR_BYTES
        if offset * SECTOR_BYTES < partner.bytes:
            return Selection(sector=partner.address // SECTOR_BYTES + offset)
    return NOTHING


def _namesake(allocation: int, source: LaunchIndex, target: LaunchIndex) -> int | None:
    """The other launch's array of the same name and kind."""
    one = source.trace.allocations[allocation]
    shared = one.space is Space.SHARED
    found = (n for n, each in enumerate(target.trace.allocations) if each.name == one.name and (each.space is Space.SHARED) == shared)
    return next(found, None)
