"""The grid of a launch as a picture of few cells: which blocks were traced, and which one is shown."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from app.core.launch.subject import extent_words
from kernels.messages import Message, message
from kernels.simt.launch import Dim3

MOST_CELLS = 32
"""Along each side, up to which every block has a cell of its own."""


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """`across` x `down` cells, each `factor` x `factor` blocks of one layer (z) of the grid. Cells are (column, row).

    `traced` says for a cell the first block that was traced in it, as its place in `Trace.blocks`; other blocks only repeat those.
    """

    across: int
    down: int
    factor: int
    traced: dict[tuple[int, int], int]
    whole: bool
    """Whether every block was traced."""

    def cell(self, block: Dim3) -> tuple[int, int]:
        """Where a block is."""
        return block[0] // self.factor, block[1] // self.factor


def block_grid(index: LaunchIndex, layer: int, most: int = MOST_CELLS) -> BlockGrid:
    """The picture of the layer `z = layer` of the grid; one that needs aggregation has at most `most` cells along each side."""
    width, height, _ = index.trace.grid
    largest = max(width, height)
    factor = 1 if largest <= MOST_CELLS else 1 << (-(-largest // most) - 1).bit_length()
    traced: dict[tuple[int, int], int] = {}
    for number, (x, y, z) in enumerate(index.trace.blocks):
        if z == layer:
            traced.setdefault((x // factor, y // factor), number)
    whole = extent_words(index.subject.launch) is None
    return BlockGrid(-(-width // factor), -(-height // factor), factor, traced, whole)


def first_step(index: LaunchIndex, block: int) -> int | None:
    """The first step of a traced block; None where it has none."""
    return next((band.start for band in index.record.bands if band.block == block), None)


def grid_words(index: LaunchIndex) -> Message:
    """How many blocks."""
    return message("Grid: {size} blocks", size=times(index.trace.grid))


def cell_words(grid: BlockGrid) -> Message | None:
    """What a cell stands for, where that is not one block."""
    return message("1 cell = {factor} × {factor} blocks", factor=grid.factor) if grid.factor > 1 else None


def shown_words(frame: Frame) -> Message:
    """Which block is shown."""
    return message("Shown: block {block}", block=place(frame.block))


def times(size: Dim3) -> str:
    """A size as it is written: two factors, three where the third is not 1."""
    return " × ".join(str(each) for each in (size if size[2] > 1 else size[:2]))


def place(index: Dim3, size: Dim3 | None = None) -> str:
    """An index as it is written: (x, y), with z where it can be other than 0."""
    return "({})".format(", ".join(str(each) for each in (index if index[2] or (size or index)[2] > 1 else index[:2])))
