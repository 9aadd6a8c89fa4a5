"""Matrices of a CPU kernel at a step, as the picture that the painter of matrices draws."""

from __future__ import annotations

from app.core.base.picture_parts import Tick
from app.core.cpu_view.frame import Frame, LoopFrame, TracedMatrix
from app.core.cpu_view.index import TraceIndex
from app.core.frames.matrix import LANDS_AT, OUTPUT, Arrangement, GridCells, MatrixFrame, MatrixPicture, Meter
from app.core.frames.story import Story
from kernels.base.messages import message


def arrangement_of(index: TraceIndex) -> Arrangement:
    """How the matrices of a kernel stand."""
    return Arrangement(tuple(index.shapes.items()))


def matrix_picture(index: TraceIndex, frame: Frame, story: Story) -> MatrixPicture:
    """Return what there is to be drawn of a frame."""
    matrices = tuple(_matrix(index, frame, matrix) for matrix in frame.matrices)
    meter = _meter(index, frame, story)
    return MatrixPicture(arrangement_of(index), matrices, frame.fraction, frame.target, frame.pending, frame.added, meter)


def _matrix(index: TraceIndex, frame: Frame, matrix: TracedMatrix) -> MatrixFrame:
    name, crossed = matrix.name, len(frame.matrices) > 2
    labelled = (not crossed or name != OUTPUT, name != "B")
    rows, columns = (_ticks(loop, size) if shown else () for loop, size, shown in zip(matrix.ticks, matrix.shape, labelled, strict=True))
    touches = [touch for touch in frame.touches if touch.matrix == name]
    return MatrixFrame(
        name, name, matrix.shape,
        GridCells((index, frame.step, frame.fraction >= LANDS_AT), matrix.roles, matrix.values),
        matrix.tile,
        focus=matrix.tile,
        boxes=tuple(dict.fromkeys(touch.box for touch in touches if not touch.held)),
        held=tuple(dict.fromkeys(touch.box for touch in touches if touch.held)),
        ticks=(rows, columns),
        gaps=(_values(matrix.ticks[0]), _values(matrix.ticks[1])),
        moves=all(1 in touch.box[2:] for touch in touches),  # blocks go in no order that could be seen
    )  # fmt: skip


def _ticks(loop: LoopFrame | None, end: int) -> tuple[Tick, ...]:
    """A label for each index of the loop that counts along an edge of `end` elements."""
    values = _values(loop)
    if loop is None:
        return ()
    pairs = zip(values, (*values[1:], end), strict=True)
    return tuple(Tick(f"{loop.name} = {value}", value, stop, value == loop.current) for value, stop in pairs)


def _values(loop: LoopFrame | None) -> tuple[int, ...]:
    return () if loop is None else loop.values


def _meter(index: TraceIndex, frame: Frame, story: Story) -> Meter | None:
    """How many values the multiplications take, and how many different ones these are."""
    if story.reuse is None:
        return None
    taken, distinct = frame.reuse.operands, frame.reuse.distinct
    label = message("Input values in this tile step") if index.tiled else message("Input values for this part of C")
    bars = (
        (message("taken by its multiplications {count}", count=taken), taken),
        (message("different ones {count}", count=distinct), distinct),
    )
    return Meter(label, bars, story.reuse)
