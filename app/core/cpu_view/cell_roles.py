"""Roles of the elements of each matrix at the current step: a grid of small integers that painters turn into colours."""

from __future__ import annotations

import numpy as np

from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.tile_steps import Array
from app.core.frames.matrix import Role, Roles
from kernels.cpusim.trace import READ, WRITE


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


def _fill(grid: Roles, box: Array, role: Role) -> None:
    grid[box[0] : box[1], box[2] : box[3]] = role
