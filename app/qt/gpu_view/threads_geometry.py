"""Layout of the view of threads: functions of the launch's shape and of the room."""

from __future__ import annotations

from dataclasses import field

from PySide6.QtCore import QPointF, QRectF, QSizeF

from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

MARGIN = 12.0
LABEL, LONG_LABEL, MARK = 26.0, 34.0, 18.0
"""Room for the warp's name at the left of its threads (from W10 on the long one), and for its mark at the right."""
WARP_GAP = 3.0
SMALLEST_NUMBERED = 11.0
"""Width of a cell from which on a lane number fits in it."""
LARGEST_CELL = 26.0
TALLEST = 1.3
"""Height of a cell in widths, at most."""
STRIP_COLUMNS = 16
SCHEDULE_FROM = 700.0
"""Width of the view from which on there is a second column."""
SHARE, SHARE_BESIDE_TWO = 0.54, 0.38
"""Of the width, the first column's; where the second column has two columns of lines."""
SMALLEST_GRID = 76.0
LEAST_THREADS = 130.0
LEAST_BELOW = 44.0
"""For the name of a thread, and its element."""


@dataclass(frozen=True, slots=True)
class WarpLayout:
    """The threads of a block: each warp in rows of `columns` lanes, the warps below each other in columns of `per_column`.

    `strip` is where the running warp is drawn once more, large enough for lane numbers; None where the cells have room for them.
    """

    area: QRectF
    threads: int
    columns: int
    cell: QSizeF
    per_column: int
    pitch: QSizeF
    """From a warp to the one below, and to the one beside."""
    strip: QRectF | None
    places: tuple[QRectF, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(self._place(warp) for warp in range(self.warps)))

    @property
    def warps(self) -> int:
        return -(-self.threads // WARP)

    @property
    def bottom(self) -> float:
        return self.area.top() + self.per_column * self.pitch.height()

    def warp(self, warp: int) -> QRectF:
        """The cells of a warp."""
        return self.places[warp]

    def thread(self, thread: int) -> QRectF:
        """The cell of a thread."""
        warp, lane = divmod(thread, WARP)
        row, column = divmod(lane, self.columns)
        corner = self.warp(warp).topLeft() + QPointF(column * self.cell.width(), row * self.cell.height())
        return QRectF(corner, self.cell)

    def strip_lane(self, lane: int) -> QRectF:
        """The cell of a lane of the running warp in the strip."""
        assert self.strip is not None
        width, height = self.strip.width() / STRIP_COLUMNS, self.strip.height() / (WARP // STRIP_COLUMNS)
        row, column = divmod(lane, STRIP_COLUMNS)
        return QRectF(self.strip.left() + column * width, self.strip.top() + row * height, width, height)

    def thread_at(self, point: QPointF, running: int) -> int | None:
        """The thread under a point."""
        if self.strip is not None and self.strip.contains(point):
            lane = next((lane for lane in range(WARP) if self.strip_lane(lane).contains(point)), None)
            thread = None if lane is None else running * WARP + lane
            return thread if thread is not None and thread < self.threads else None
        warp = next((warp for warp in range(self.warps) if self.warp(warp).contains(point)), None)
        if warp is None:
            return None
        inside = point - self.warp(warp).topLeft()
        lane = int(inside.y() / self.cell.height()) * self.columns + min(int(inside.x() / self.cell.width()), self.columns - 1)
        thread = warp * WARP + lane
        return thread if lane < WARP and thread < self.threads else None

    def _place(self, warp: int) -> QRectF:
        column, row = divmod(warp, self.per_column)
        corner = self.area.topLeft() + QPointF(label_width(self.threads) + column * self.pitch.width(), row * self.pitch.height())
        lanes = min(WARP, self.threads - warp * WARP)
        rows = -(-lanes // self.columns)
        return QRectF(corner, QSizeF(min(lanes, self.columns) * self.cell.width(), rows * self.cell.height()))


@dataclass(frozen=True, slots=True)
class ThreadsLayout:
    """Layout of the view of threads. `details` and `legend` are empty where there is no room; `beside` is the second column, None where
    there is none."""

    grid: QRectF
    words: QRectF
    warps: WarpLayout
    legend: QRectF
    details: QRectF
    beside: QRectF | None


def column_width(size: QSizeF, share: float) -> float:
    """The width of the first column, or of the only one."""
    return (round(size.width() * share) if size.width() >= SCHEDULE_FROM else size.width()) - 2 * MARGIN


def lay_out(
    size: QSizeF, grid_rows: int, threads: int, across: int, wanted_below: float, wanted_legend: float, share: float = SHARE
) -> ThreadsLayout:
    """Places for a grid of so many rows of blocks of `threads`, `across` of them along x. `wanted_below` and `wanted_legend` are the
    heights that the details and the legend would fill; `share` is the first column's of the width."""
    wide, width = size.width() >= SCHEDULE_FROM, column_width(size, share)
    height = size.height() - 2 * MARGIN
    side = 120.0 if wide and height > 500 else SMALLEST_GRID
    side = min(side, max(SMALLEST_GRID, grid_rows * LARGEST_CELL))
    grid = QRectF(MARGIN, MARGIN, side, side)
    words = QRectF(grid.right() + MARGIN, MARGIN, width - side - MARGIN, side)
    top = grid.bottom() + MARGIN
    left = size.height() - MARGIN - top
    legend = wanted_legend if left - wanted_legend - 8 >= LEAST_THREADS else 0.0
    left -= legend + 8
    warps = _above(QRectF(MARGIN, top, width, left), threads, across, wanted_below)
    under = QRectF(MARGIN, warps.bottom + 4, width, legend)
    details = QRectF(MARGIN, under.bottom() + 8, width, max(0.0, size.height() - MARGIN - under.bottom() - 8))
    beside = QRectF(width + 3 * MARGIN, MARGIN, size.width() - width - 4 * MARGIN, height) if wide else None
    return ThreadsLayout(grid, words, warps, under, details, beside)


def label_width(threads: int) -> float:
    """The room for the names of the warps of so many threads."""
    return LABEL if threads <= 10 * WARP else LONG_LABEL


def _above(area: QRectF, threads: int, across: int, wanted_below: float) -> WarpLayout:
    """The warps in the upper part of an area. What stands below gives way as far as numbered cells for all threads need it."""
    first = None
    for below in (wanted_below, wanted_below * 0.6, LEAST_BELOW):
        kept = max(0.0, min(below, area.height() - LEAST_THREADS))
        found = lay_out_warps(area.adjusted(0, 0, 0, -kept), threads, across)
        if found.strip is None:
            return found
        first = first or found
    assert first is not None
    return first


def lay_out_warps(area: QRectF, threads: int, across: int) -> WarpLayout:
    """Lay out a block's warps in rows of its own width with numbered cells if these fit.

    Otherwise rows are of 16 cells, if these fit and tear no row of the block apart that is whole warps; else each warp has one row or bar,
    in two columns where there are many, and the running warp is drawn once more in a strip.
    """
    own = across if across and WARP % across == 0 else WARP
    whole = across % WARP == 0 or STRIP_COLUMNS < own < WARP
    for columns in dict.fromkeys((own,) if whole else (own, STRIP_COLUMNS)):
        found = _numbered(area, threads, columns)
        if found is not None:
            return found
    return _bars(area, threads)


def _numbered(area: QRectF, threads: int, columns: int) -> WarpLayout | None:
    warps = -(-threads // WARP)
    rows = -(-min(threads, WARP) // columns)
    width = min((area.width() - label_width(threads) - MARK) // columns, LARGEST_CELL)
    height = min((area.height() / warps - WARP_GAP) // rows, width * TALLEST // 1)
    if width < SMALLEST_NUMBERED or height < SMALLEST_NUMBERED:
        return None
    pitch = QSizeF(0, rows * height + WARP_GAP)
    return WarpLayout(area, threads, columns, QSizeF(width, height), warps, pitch, None)


def _bars(area: QRectF, threads: int) -> WarpLayout:
    warps, label = -(-threads // WARP), label_width(threads)
    across = min((area.width() - label) // STRIP_COLUMNS, LARGEST_CELL)
    tall = min(across, 18.0)
    strip = QRectF(area.left() + label, area.top(), STRIP_COLUMNS * across, 2 * tall)
    rest = QRectF(area.left(), strip.bottom() + MARGIN, area.width(), area.bottom() - strip.bottom() - MARGIN)
    columns = 1 if rest.height() / warps >= 14 else 2
    per_column = -(-warps // columns)
    pitch = min(rest.height() / per_column, 18.0)
    width = (rest.width() + (columns - 1) * 6) / columns
    cell = (width - label - MARK - (columns - 1) * 6) / WARP
    if cell >= 4:
        cell = float(int(cell))
    return WarpLayout(rest, threads, WARP, QSizeF(cell, max(pitch - WARP_GAP, 3.0)), per_column, QSizeF(width, pitch), strip)
