"""Where labels and boxes go so that they cover neither each other nor the curves. Plain geometry in pixels, y downwards."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, spot: Spot) -> bool:
        return self.x <= spot[0] <= self.x + self.width and self.y <= spot[1] <= self.y + self.height


def spread(boxes: Sequence[Box], top: float, bottom: float) -> list[float]:
    """New y for each box so that none overlaps another, each as near to its own y as that allows.

    Boxes side by side may keep the same height. Where the column is too full, the boxes start at `top` and go on below `bottom`.
    """
    placed = [box.y for box in boxes]
    for column in _columns(boxes):
        order = sorted(column, key=lambda i: boxes[i].y)
        for i, y in zip(order, _stack([boxes[i] for i in order], top, bottom), strict=True):
            placed[i] = y
    return placed


def _columns(boxes: Sequence[Box]) -> list[list[int]]:
    """Groups of boxes that are joined by overlapping in x."""
    columns: list[list[int]] = []
    right = -math.inf
    for i in sorted(range(len(boxes)), key=lambda i: boxes[i].x):
        if boxes[i].x >= right:
            columns.append([])
        columns[-1].append(i)
        right = max(right, boxes[i].x + boxes[i].width)
    return columns


def _stack(column: Sequence[Box], top: float, bottom: float) -> list[float]:
    """Heights for boxes in order from above: runs of touching boxes are centred on the mean of what they wanted."""
    runs: list[tuple[float, float, list[Box]]] = []  # top, height, members
    for box in column:
        runs.append((box.y, box.height, [box]))
        while True:
            start, height, members = runs[-1]
            start = max(top, min(start, bottom - height))
            runs[-1] = (start, height, members)
            if len(runs) == 1 or runs[-2][0] + runs[-2][1] <= start + 1e-9:
                break
            runs[-2:] = [_merged(runs[-2][2] + members)]
    placed: list[float] = []
    for start, _, members in runs:
        for member in members:
            placed.append(start)
            start += member.height
    return placed


def _merged(members: list[Box]) -> tuple[float, float, list[Box]]:
    above = 0.0
    wanted = 0.0
    for member in members:
        wanted += member.y - above
        above += member.height
    return wanted / len(members), above, members


def emptiest_corner(area: Box, width: float, height: float, lines: Sequence[Sequence[Spot]], margin: float) -> Box:
    """The corner of `area` where a box of this size covers least of the lines, given by their corner points in order."""
    left, right = area.x + margin, area.x + area.width - width - margin
    top, bottom = area.y + margin, area.y + area.height - height - margin
    corners = [Box(x, y, width, height) for y in (bottom, top) for x in (right, left)]
    spots = [spot for line in lines for spot in _along(line)]
    return min(corners, key=lambda box: sum(box.contains(spot) for spot in spots))


def _along(line: Sequence[Spot], pace: float = 8.0) -> list[Spot]:
    spots = list(line[:1])
    for (x0, y0), (x1, y1) in itertools.pairwise(line):
        pieces = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / pace))
        spots += [(x0 + (x1 - x0) * i / pieces, y0 + (y1 - y0) * i / pieces) for i in range(1, pieces + 1)]
    return spots


def distance_to(spot: Spot, line: Sequence[Spot], *, joined: bool) -> float:
    """From a place to the nearest point of a line, or of its corners where they are not joined; infinite where it has none."""
    x, y = spot
    nearest = min((math.hypot(x - left, y - top) for left, top in line), default=math.inf)
    for (x0, y0), (x1, y1) in itertools.pairwise(line) if joined else ():
        length = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = 0.0 if length == 0 else min(1.0, max(0.0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length))
        nearest = min(nearest, math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)))
    return nearest
