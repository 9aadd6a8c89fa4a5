"""The tile steps of a trace, and the rectangle of each matrix that each of them touches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from kernels.base.spec import Operation
from kernels.base.values import dataclass
from kernels.cpusim import trace as queries
from kernels.cpusim.trace import COPY, WRITE, Trace

Array = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """The accesses of a trace, element by element, in order: parallel arrays, with the tile step `group` of each."""

    step: Array
    group: Array
    matrix: Array
    kind: Array
    row: Array
    column: Array
    value: npt.NDArray[np.float32]

    def where(self, picked: npt.NDArray[np.bool_] | Array) -> Elements:
        """The elements that a mask or an order picks."""
        return Elements(*(getattr(self, name)[picked] for name in self.__slots__))

    def part(self, begin: int, end: int) -> Elements:
        """The elements from `begin` to `end` (exclusive)."""
        return Elements(*(getattr(self, name)[begin:end] for name in self.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The tile steps: runs of steps between which no loop over tiles moves on.

    `start` has one entry more than there are groups: the end. For each matrix, `boxes` and `bands` are (groups, 4) rectangles (first row,
    end row, first column, end column; empty if untouched): what the group touches, and what all groups that work on the same output
    rectangle touch. `distinct` counts, for each input, the different elements that each group reads, of it or of its packed copies.
    """

    start: Array
    boxes: Mapping[str, Array]
    bands: Mapping[str, Array]
    products: Array
    """How many multiplications each group does, each of which takes one value of each input; none in a transposition."""
    distinct: Mapping[str, Array]
    computes: npt.NDArray[np.bool_]
    """Whether the group multiplies or, in a transposition, moves values of an input matrix: not where it only reads or packs them."""
    pass_number: Array
    """Which of the computing groups on its output rectangle the group is, from 1."""
    passes: Array
    """How many computing groups work on its output rectangle."""


def group_starts(trace: Trace) -> Array:
    """The first step of each group, and the end."""
    number = queries.groups(trace, queries.region_depth(trace))
    return np.concatenate((np.unique(number, return_index=True)[1], [trace.steps])).astype(np.int64)


def elements(trace: Trace, start: Array) -> Elements:
    counts = trace.rows.astype(np.int64) * trace.columns
    access = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    offset = np.arange(len(access)) - np.repeat(first, counts)
    value = trace.value[access]
    for number, values in trace.values.items():
        value[first[number] : first[number] + len(values)] = values
    step = np.repeat(np.arange(trace.steps), np.diff(trace.access_start))[access]
    columns = np.maximum(trace.columns[access], 1)
    return Elements(
        step=step,
        group=np.searchsorted(start, step, side="right") - 1,
        matrix=trace.matrix[access].astype(np.int64),
        kind=trace.kind[access].astype(np.int64),
        row=trace.row[access] + offset // columns,
        column=trace.column[access] + offset % columns,
        value=value,
    )


def groups(trace: Trace, start: Array, elements: Elements) -> Groups:
    count = len(start) - 1
    shapes = trace.problem.shapes
    boxes: dict[str, Array] = {}
    distinct: dict[str, Array] = {}
    for number, name in enumerate(trace.arrays):
        own = elements.where(elements.matrix == number)
        boxes[name] = _boxes(own, count)
        distinct[name] = _distinct(own.where(own.kind != WRITE), shapes[name], count)
    products = _products(trace, start)
    moved = np.sum([distinct[name] for name in trace.arrays[:-1]], axis=0)
    # What a kernel that calls itself hands on to another text multiplies there, unseen.
    told_by_products = trace.problem.operation is Operation.MATMUL and not trace.chains
    computes = (products if told_by_products else moved) > 0
    target = _same_rectangle(boxes[trace.arrays[-1]], computes)
    return Groups(
        start, boxes, {name: _united(box, target) for name, box in boxes.items()}, products, distinct, computes,
        pass_number=_occurrence(target), passes=np.bincount(target, minlength=count)[target],
    )  # fmt: skip


def _distinct(own: Elements, shape: tuple[int, int], count: int) -> Array:
    """How many different elements of a matrix each group touches."""
    size = shape[0] * shape[1]
    keys = np.unique(own.group * size + own.row * shape[1] + own.column)
    return np.bincount(keys // size, minlength=count)


def _products(trace: Trace, start: Array) -> Array:
    """For each group its multiplications: those that were counted, and where packed copies are multiplied, columns of A by rows of B."""
    if not trace.steps:
        return np.zeros(len(start) - 1, np.int64)
    copied = (trace.kind == COPY) & (trace.matrix < len(trace.arrays) - 1) & (trace.rows > 0)
    step = np.repeat(np.arange(trace.steps), np.diff(trace.access_start))[copied]
    # m x k of A and k x n of B: m k n products
    size = (trace.rows.astype(np.int64) * np.where(trace.matrix == 0, 1, trace.columns))[copied]
    of_copies = np.ones(trace.steps, np.int64)
    np.multiply.at(of_copies, step, size)
    of_copies[np.bincount(step, minlength=trace.steps) != 2] = 0
    return np.add.reduceat(np.maximum(trace.products, of_copies), start[:-1])


def _boxes(own: Elements, count: int) -> Array:
    """The smallest rectangle around the elements of each group; all zero where there are none."""
    boxes = np.zeros((count, 4), np.int64)
    groups, first = np.unique(own.group, return_index=True)
    if len(groups):
        boxes[groups, 0] = np.minimum.reduceat(own.row, first)
        boxes[groups, 1] = np.maximum.reduceat(own.row, first) + 1
        boxes[groups, 2] = np.minimum.reduceat(own.column, first)
        boxes[groups, 3] = np.maximum.reduceat(own.column, first) + 1
    return boxes


def _same_rectangle(boxes: Array, computes: npt.NDArray[np.bool_]) -> Array:
    """One number for all computing groups with the same output rectangle; groups that only clear it are numbered apart."""
    _, inverse = np.unique(np.column_stack((boxes, computes)), axis=0, return_inverse=True)
    return inverse.reshape(-1).astype(np.int64)


def _united(boxes: Array, target: Array) -> Array:
    """For each group the rectangle around the boxes of all groups with the same target."""
    used = boxes[:, 1] > boxes[:, 0]
    united = np.empty((int(target.max()) + 1, 4), np.int64)
    united[:] = (np.iinfo(np.int64).max, 0, np.iinfo(np.int64).max, 0)
    for edge, reduce in ((0, np.minimum), (1, np.maximum), (2, np.minimum), (3, np.maximum)):
        reduce.at(united[:, edge], target[used], boxes[used, edge])
    united[united[:, 1] == 0] = 0
    return united[target]


def _occurrence(numbers: Array) -> Array:
    """For each entry how many entries up to and including it are equal to it."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    first = np.searchsorted(ordered, ordered, side="left")
    occurrence = np.empty(len(numbers), np.int64)
    occurrence[order] = np.arange(len(numbers)) - first + 1
    return occurrence
