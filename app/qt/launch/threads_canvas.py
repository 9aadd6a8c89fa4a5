"""The whole picture of the view of threads, put together from its painters. What rests is drawn once and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.core.launch.block_grid import BlockGrid, block_grid
from app.core.launch.index import LaunchIndex
from app.core.launch.prints import printed_threads, prints
from app.core.launch.schedule import Schedule, block_number
from app.core.launch.threads import ThreadFacts, shown_thread, threads_of
from app.core.stage_model import LaunchPicture
from app.qt.launch.blocks_painter import cell_rect, paint_blocks, paint_shown_block
from app.qt.launch.prints_painter import order_height, paint_prints
from app.qt.launch.schedule_painter import paint_schedule
from app.qt.launch.threads_layout import MARGIN, SCHEDULE_FROM, ThreadsLayout, column_width, lay_out
from app.qt.launch.threads_words import LINE, details_height, legend_height, paint_details, paint_launch_words, paint_legend
from app.qt.launch.warps_painter import Lit, WarpsPainter
from app.qt.look import Look

CARDS = 200.0
"""Height that printed lines get at least where they stand below the threads."""


SMALLEST_AGGREGATE = 4
"""Side of a cell that stands for several blocks, at least."""


class ThreadsCanvas:
    """Draws pictures of launches in a given size."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._warps = WarpsPainter(look.theme)
        self._facts: ThreadFacts | None = None
        self._grids: dict[tuple[int, int], BlockGrid] = {}
        self._layout: tuple[object, ThreadsLayout] | None = None
        self._still: dict[str, tuple[object, QPixmap]] = {}

    def facts(self, index: LaunchIndex) -> ThreadFacts:
        """What is known of a launch."""
        if self._facts is None or self._facts.index is not index:
            self._facts = ThreadFacts(index)
            self._grids.clear()
        return self._facts

    def grid(self, picture: LaunchPicture, size: QSizeF) -> BlockGrid:
        """The layer of the grid that the shown block is in."""
        self.facts(picture.index)
        layer, most = picture.frame.block[2], int(self.layout(picture, size).grid.width() // SMALLEST_AGGREGATE)
        if (layer, most) not in self._grids:
            self._grids[layer, most] = block_grid(picture.index, layer, most)
        return self._grids[layer, most]

    def layout(self, picture: LaunchPicture, size: QSizeF) -> ThreadsLayout:
        """Where everything is. It stays while the launch does, as a rule: the legend has room for more lines than it mostly has."""
        facts, printing = self.facts(picture.index), prints(picture.index)
        wide, width = size.width() >= SCHEDULE_FROM, column_width(size)
        legend = max(legend_height(facts, picture, width, self._look), LINE if wide or printing else 2 * LINE)
        key = facts, size, legend
        if self._layout is None or self._layout[0] != key:
            cards = printing and not wide
            below = CARDS + order_height(size.width() - 2 * MARGIN, self._look) if cards else details_height(facts)
            self._layout = (
                key,
                lay_out(size, picture.index.trace.grid[1], threads_of(picture.index), picture.index.trace.block[0], below, legend),
            )
        return self._layout[1]

    def paint(self, painter: QPainter, picture: LaunchPicture, size: QSizeF, chosen: int | None, plan: Schedule | None) -> None:
        """Draw everything; `chosen` is the thread that is told about, `plan` the schedule that is shown where there is room."""
        layout, printing = self.layout(picture, size), prints(picture.index)
        self._paint_blocks(painter, layout, picture, size)
        printed = printed_threads(picture.index, picture.frame) if printing else None
        self._warps.paint(painter, layout.warps, picture.frame, Lit(printed, picture.highlight.threads))
        facts = self.facts(picture.index)
        if layout.legend.height():
            paint_legend(painter, facts, layout.legend, picture, self._look)
        if printing:
            paint_prints(painter, picture, layout.beside or layout.details, self._look)
        elif layout.beside is not None and plan is not None:
            self._paint_schedule(painter, layout.beside, picture, plan)
        if not printing or layout.beside is not None:
            thread = shown_thread(picture.frame, threads_of(picture.index), chosen)
            paint_details(painter, facts, layout.details, picture, thread, self._look)

    def _paint_blocks(self, painter: QPainter, layout: ThreadsLayout, picture: LaunchPicture, size: QSizeF) -> None:
        grid, theme = self.grid(picture, size), self._look.theme
        draw = partial(paint_blocks, grid=grid, area=layout.grid, theme=theme)
        self._paint_still(painter, "grid", grid, layout.grid, draw)
        paint_shown_block(painter, cell_rect(grid, layout.grid, grid.cell(picture.frame.block)), theme)
        paint_launch_words(painter, grid, layout.words, picture, self._look)

    def _paint_schedule(self, painter: QPainter, area: QRectF, picture: LaunchPicture, plan: Schedule) -> None:
        number = block_number(picture.index, picture.frame)
        draw = partial(paint_schedule, plan=plan, block=number, area=area, look=self._look)
        self._paint_still(painter, "schedule", (plan, number), area, draw)

    def _paint_still(self, painter: QPainter, name: str, key: object, area: QRectF, draw: Callable[[QPainter], None]) -> None:
        """What `draw` draws in `area`, kept as long as `key` stays."""
        ratio = painter.device().devicePixelRatioF()
        whole = key, area, ratio
        if name not in self._still or self._still[name][0] != whole:
            image = QPixmap(round((area.width() + 4) * ratio), round((area.height() + 4) * ratio))
            image.setDevicePixelRatio(ratio)
            image.fill(Qt.GlobalColor.transparent)
            inner = QPainter(image)
            inner.translate(2 - area.left(), 2 - area.top())
            draw(inner)
            inner.end()
            self._still[name] = whole, image
        painter.drawPixmap(QPointF(area.left() - 2, area.top() - 2), self._still[name][1])
