"""Roles of the elements of each matrix at the current step: a grid of small integers that painters turn into colours."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.tile_steps import Array
from kernels.cpusim.trace import READ, WRITE

Roles = npt.NDArray[np.uint8]


class Role(IntEnum):
    """Role of an element at a step, in ascending importance: where many elements share one pixel, the greatest wins."""

    IDLE = 0
    EMPTY = 1
    """An element of the output that has not been written."""
    BAND = 2
    """An input element that serves the current output tile at some time."""
    PARTIAL = 3
    """An element of the output that has been written and will be written again."""
    DONE = 4
    """An element of the output with its last value."""
    TILE = 5
    """An element of the current input tile."""
    TOUCHED = 6
    """An element that this tile step has read or written already."""
    READ = 7
    WRITE = 8


def role_grids(index: TraceIndex, step: int, completed: int) -> dict[str, Roles]:
    """The roles of all elements while `step` is under way; `completed` counts the steps whose writes have landed."""
    group = index.group_of(step)
    grids = {name: np.zeros(shape, np.uint8) for name, shape in index.shapes.items()}
    for name in index.inputs:
        if not index.combines:
            _fill(grids[name], index.groups.bands[name][group], Role.BAND)
        _fill(grids[name], index.groups.boxes[name][group], Role.TILE)
    output = grids[index.output]
    output[:] = Role.EMPTY
    output[index.written(completed)] = Role.PARTIAL
    output[index.final(completed)] = Role.DONE
    earlier = index.elements_of(int(index.groups.start[group]), step)
    current = index.elements_of(step, step + 1)
    landed = index.elements_of(int(index.groups.start[group]), completed)
    for number, name in enumerate(index.trace.arrays):
        touched = earlier.where(earlier.matrix == number) if name in index.inputs else landed.where(
            (landed.matrix == number) & (landed.kind == WRITE)
        )  # fmt: skip
        grids[name][touched.row, touched.column] = Role.TOUCHED
        for kind, role in ((READ, Role.READ), (WRITE, Role.WRITE)):
            now = current.where((current.matrix == number) & (current.kind == kind))
            grids[name][now.row, now.column] = role
    return grids


def aggregate(roles: Roles, factor: int) -> Roles:
    """Merge each `factor` x `factor` elements into one with the greatest of their roles; incomplete blocks at the edges count too."""
    rows, columns = (-(-size // factor) for size in roles.shape)
    padded = np.zeros((rows * factor, columns * factor), np.uint8)
    padded[: roles.shape[0], : roles.shape[1]] = roles
    result: Roles = padded.reshape(rows, factor, columns, factor).max(axis=(1, 3))
    return result


def _fill(grid: Roles, box: Array, role: Role) -> None:
    grid[box[0] : box[1], box[2] : box[3]] = role
