"""The whole picture of the view of threads, put together from its painters. What rests is drawn once and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPixmap

from app.core.launch.block_grid import BlockGrid, block_grid
from app.core.launch.index import LaunchIndex
from app.core.launch.prints import order_words, printed_threads, prints
from app.core.launch.prints_beside import PrintsBeside, prints_beside
from app.core.launch.schedule import Schedule, block_number
from app.core.launch.threads import ThreadFacts, element_words, shown_thread, threads_of
from app.core.stage_model import LaunchPicture
from app.qt.launch.blocks_painter import cell_rect, paint_blocks, paint_shown_block
from app.qt.launch.prints_painter import PrintsPainter, below_height, order_height, paint_order
from app.qt.launch.schedule_painter import SchedulePainter, paint_summary
from app.qt.launch.threads_layout import MARGIN, SCHEDULE_FROM, SHARE, SHARE_BESIDE_TWO, ThreadsLayout, column_width, lay_out
from app.qt.launch.threads_words import (
    LINE,
    LegendEntry,
    details_height,
    legend_entries,
    legend_height,
    paint_details,
    paint_launch_words,
    paint_legend,
)
from app.qt.launch.warps_painter import Lit, WarpsPainter
from app.qt.look import Look
from app.qt.vector import is_vector
from kernels.greetings import recorded

CARDS = 200.0
"""Height that printed lines get at least where they stand below the threads."""


SMALLEST_AGGREGATE = 4
"""Side of a cell that stands for several blocks, at least."""


class ThreadsCanvas:
    """Draws pictures of launches in a given size."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._warps = WarpsPainter(look.theme)
        self._schedule = SchedulePainter(look)
        self._prints = PrintsPainter(look)
        self._facts: ThreadFacts | None = None
        self._grids: dict[tuple[int, int], BlockGrid] = {}
        self._layout: tuple[object, ThreadsLayout] | None = None
        self._still: dict[str, tuple[object, QPixmap]] = {}
        self._known: tuple[LaunchPicture, float, tuple[LegendEntry, ...]] | None = None
        self._sentences: tuple[str, ...] = ()
        self._beside: PrintsBeside | None = None
        self._below_cards = lru_cache(maxsize=8)(lambda words, width, height: below_height(words, QSizeF(width, height), look))

    def facts(self, index: LaunchIndex) -> ThreadFacts:
        """What is known of a launch."""
        if self._facts is None or self._facts.index is not index:
            self._facts = ThreadFacts(index)
            self._grids.clear()
            self._sentences = tuple(map(self._look.text, order_words(index))) if prints(index) else ()
            self._beside = prints_beside(index, recorded()) if prints(index) else None
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
        share = SHARE if self._beside is None else SHARE_BESIDE_TWO
        wide, width = size.width() >= SCHEDULE_FROM, column_width(size, share)
        legend = max(legend_height(self._legend(picture, width)), LINE if wide or printing else 2 * LINE)
        key = facts, size, legend
        if self._layout is None or self._layout[0] != key:
            cards = printing and not wide
            below = CARDS + order_height(self._sentences, size.width() - 2 * MARGIN, self._look) if cards else details_height(facts)
            self._layout = (
                key,
                lay_out(size, picture.index.trace.grid[1], threads_of(picture.index), picture.index.trace.block[0], below, legend, share),
            )
        return self._layout[1]

    def _legend(self, picture: LaunchPicture, width: float) -> tuple[LegendEntry, ...]:
        """What the marks mean, in lines of a width."""
        if self._known is None or self._known[:2] != (picture, width):
            self._known = picture, width, legend_entries(self.facts(picture.index), picture, width, self._look)
        return self._known[2]

    def paint(self, painter: QPainter, picture: LaunchPicture, size: QSizeF, chosen: int | None, plan: Schedule | None) -> None:
        """Draw everything; `chosen` is the thread that is told about, `plan` the schedule that is shown where there is room."""
        layout, printing = self.layout(picture, size), prints(picture.index)
        self._paint_blocks(painter, layout, picture, size)
        printed = printed_threads(picture.index, picture.frame) if printing else None
        self._warps.paint(painter, layout.warps, picture.frame, Lit(printed, picture.highlight.threads))
        facts = self.facts(picture.index)
        if layout.legend.height():
            legend = self._legend(picture, layout.legend.width())
            self._paint_still(
                painter, "legend", legend, layout.legend, partial(paint_legend, entries=legend, area=layout.legend, look=self._look)
            )
        if printing:
            self._paint_prints(painter, layout.beside or layout.details, picture)
        elif layout.beside is not None and plan is not None:
            self._paint_schedule(painter, layout.beside, picture, plan)
        if not printing or layout.beside is not None:
            thread = shown_thread(picture.frame, threads_of(picture.index), chosen)
            self._paint_details(painter, layout.details, picture, thread)
        if not printing and layout.beside is None and plan is not None:
            rest = layout.details.adjusted(0, details_height(facts) + MARGIN, 0, 0)
            draw = partial(paint_summary, plan=plan, area=rest, look=self._look)
            self._paint_still(painter, "summary", plan, rest, draw)

    def _paint_blocks(self, painter: QPainter, layout: ThreadsLayout, picture: LaunchPicture, size: QSizeF) -> None:
        grid, theme = self.grid(picture, size), self._look.theme
        draw = partial(paint_blocks, grid=grid, area=layout.grid, theme=theme)
        self._paint_still(painter, "grid", grid, layout.grid, draw)
        paint_shown_block(painter, cell_rect(grid, layout.grid, grid.cell(picture.frame.block)), theme)
        write = partial(paint_launch_words, grid=grid, area=layout.words, picture=picture, look=self._look)
        self._paint_still(painter, "words", (grid, picture.frame.block), layout.words, write)

    def _paint_details(self, painter: QPainter, area: QRectF, picture: LaunchPicture, thread: int) -> None:
        facts, block = self.facts(picture.index), picture.frame.block_number
        element = element_words(facts, picture.frame, thread)
        draw = partial(paint_details, facts=facts, area=area, picture=picture, thread=thread, element=element, look=self._look)
        self._paint_still(painter, "details", (facts, block, thread, element), area, draw)

    def _paint_prints(self, painter: QPainter, area: QRectF, picture: LaunchPicture) -> None:
        sentences = self._sentences
        self._paint_still(painter, "order", sentences, area, partial(paint_order, sentences=sentences, area=area, look=self._look))
        words = self._below_cards(sentences, area.width(), area.height())
        self._prints.paint(painter, picture, area.adjusted(0, 0, 0, -words), self._beside)

    def _paint_schedule(self, painter: QPainter, area: QRectF, picture: LaunchPicture, plan: Schedule) -> None:
        number = block_number(picture.index, picture.frame)
        wave = plan.wave_of(number)
        self._paint_still(painter, "schedule", (plan, wave), area, partial(self._schedule.paint, plan=plan, wave=wave, area=area))
        self._schedule.paint_mark(painter, plan, number)

    def _paint_still(self, painter: QPainter, name: str, key: object, area: QRectF, draw: Callable[[QPainter], None]) -> None:
        """What `draw` draws in `area`, kept as long as `key` stays; nothing where there is no room."""
        if not area.isValid():
            return
        if is_vector(painter):
            painter.save()
            draw(painter)
            painter.restore()
            return
        ratio = painter.device().devicePixelRatioF()
        whole = key, area, ratio
        if name not in self._still or self._still[name][0] != whole:
            image = QPixmap(round((area.width() + 4) * ratio), round((area.height() + 4) * ratio))
            image.setDevicePixelRatio(ratio)
            image.fill(self._look.theme.bg2)
            inner = QPainter(image)
            inner.translate(2 - area.left(), 2 - area.top())
            draw(inner)
            inner.end()
            self._still[name] = whole, image
        painter.drawPixmap(QPointF(area.left() - 2, area.top() - 2), self._still[name][1])
