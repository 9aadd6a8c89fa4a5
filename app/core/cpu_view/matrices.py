"""Matrices of a CPU kernel at a step, as the picture that their painter draws, and the equation of the unit of work in their colours."""

from __future__ import annotations

from app.core.base.picture_parts import Tick
from app.core.cpu_view.frame import Frame, LoopFrame, TracedMatrix
from app.core.cpu_view.index import TraceIndex
from app.core.frames.matrix import LANDS_AT, OUTPUT, Arrangement, Box, GridCells, MatrixFrame, MatrixPicture, Meter
from app.core.frames.step_description import StepDescription, Term
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.cpusim.trace import WRITE


def arrangement_of(index: TraceIndex) -> Arrangement:
    """How the matrices of a kernel stand."""
    return Arrangement(tuple(index.shapes.items()))


def matrix_picture(index: TraceIndex, frame: Frame, description: StepDescription) -> MatrixPicture:
    """Return what there is to be drawn of a frame."""
    matrices = tuple(_matrix(index, frame, matrix) for matrix in frame.matrices)
    meter = _meter(index, frame, description)
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


def _meter(index: TraceIndex, frame: Frame, description: StepDescription) -> Meter | None:
    """How many values the multiplications take, and how many different ones these are."""
    if description.reuse is None:
        return None
    taken, distinct = frame.reuse.operands, frame.reuse.distinct
    label = message("Input values in this tile step") if index.tiled else message("Input values for this part of C")
    bars = (
        (message("taken by its multiplications {count}", count=taken), taken),
        (message("different ones {count}", count=distinct), distinct),
    )
    return Meter(label, bars, description.reuse)


def equation(index: TraceIndex, frame: Frame) -> tuple[Term, ...]:
    """What the unit of work computes, in pieces that carry the colours of their matrices."""
    parts = {matrix.name: Term(_part(matrix.name, matrix.tile, matrix.shape), matrix.name) for matrix in frame.matrices}
    if not index.groups.computes[frame.group]:
        return (parts["C"], Term(message("= 0"))) if clears(index, frame) else _packed(index, frame, parts)
    if index.trace.problem.operation is Operation.TRANSPOSE:
        return parts["C"], Term(message("=")), parts["A"], Term(message("transposed"))
    gathers = Term(message("+=") if frame.added[1] > 1 else message("="))
    return parts["C"], gathers, parts["A"], Term(message("×")), parts["B"]


def _packed(index: TraceIndex, frame: Frame, parts: dict[str, Term]) -> tuple[Term, ...]:
    """What is copied into a panel in a tile step that multiplies nothing."""
    copied = [parts[name] for name in index.inputs if frame.matrix(name).tile is not None]
    return (*copied, Term(message("→ packed copy"))) if copied else (parts["C"],)


def clears(index: TraceIndex, frame: Frame) -> bool:
    """Whether the step only writes, in a tile step that reads no input."""
    return not index.groups.computes[frame.group] and all(touch.kind == WRITE for touch in frame.touches)


def element_name(matrix: str, row: int, column: int) -> str:
    """An element as the source would write it."""
    return f"{matrix}[{row}][{column}]"


def _part(matrix: str, tile: Box | None, shape: tuple[int, int]) -> Message:
    """What part of its matrix a rectangle is."""
    if tile is None or (tile.rows, tile.columns) == shape:
        return message("{matrix}", matrix=matrix)
    if tile.rows == tile.columns == 1:
        return message("{text}", text=element_name(matrix, tile.row, tile.column))
    if tile.rows == 1 and tile.columns == shape[1]:
        return message("row {row} of {matrix}", row=tile.row, matrix=matrix)
    if tile.columns == 1 and tile.rows == shape[0]:
        return message("column {column} of {matrix}", column=tile.column, matrix=matrix)
    return message("{matrix} tile", matrix=matrix)
