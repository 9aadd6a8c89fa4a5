"""Equation of a CPU kernel's unit of work, in the colours of the matrices."""

from __future__ import annotations

from app.core.cpu_view.frame import Frame
from app.core.cpu_view.index import TraceIndex
from app.core.frames.matrix import Box
from app.core.frames.story import Term
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.cpusim.trace import WRITE


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
