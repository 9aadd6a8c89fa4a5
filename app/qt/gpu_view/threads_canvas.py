"""Canvas of the threads view: the picture from its painters, and in words grid and block, the legend, one thread.

What rests is drawn once and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap

from app.core.gpu_view.blocks import BlockGrid, BlockSchedule, block_grid, block_number, cell_text, grid_text, shown_text
from app.core.gpu_view.frame import WarpState
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.prints import ORDER, PrintsBeside, order_text, printed_threads, prints, prints_beside
from app.core.gpu_view.subject import extent_text
from app.core.gpu_view.threads import (
    IndexSum,
    ThreadQueries,
    block_text,
    element_text,
    index_sums,
    legend_text,
    shown_thread,
    thread_place,
    thread_text,
    threads_of,
    warp_text,
)
from app.core.stage.model import GpuPicture
from app.qt.base.look import Look
from app.qt.base.vector import is_vector
from app.qt.gpu_view.drawing import Writer
from app.qt.gpu_view.prints_painter import PrintsPainter, below_height, order_height, paint_order
from app.qt.gpu_view.schedule_painter import SchedulePainter, cell_rect, paint_blocks, paint_shown_block, paint_summary
from app.qt.gpu_view.threads_geometry import MARGIN, SCHEDULE_FROM, SHARE, SHARE_BESIDE_TWO, ThreadsLayout, column_width, lay_out
from app.qt.gpu_view.warps_painter import Lit, WarpsPainter, paint_mark
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.measure.print_orders import recorded

LINE, SUM_LINE = 17.0, 16.0
MARK_WIDTH, BETWEEN = 18.0, 14.0


def paint_launch_words(painter: QPainter, grid: BlockGrid, area: QRectF, picture: GpuPicture, look: Look) -> None:
    """The size of the grid and of a block, beside the grid."""
    theme, index = look.theme, picture.index
    writer = Writer(painter, area.topLeft() - QPointF(0, 3), area.width())
    writer.line(theme.font("label"), theme.t1, look.text(grid_text(index)))
    extent, cells = extent_text(index.trace), cell_text(grid)
    writer.line(theme.font("small"), theme.t2, look.text(shown_text(picture.frame)))
    writer.skip(4)
    writer.line(theme.font("label"), theme.t1, *(look.text(words) for words in block_text(index)))
    writer.line(theme.font("small"), theme.t2, look.text(warp_text(index)))
    for note in (cells, extent):
        if note is not None and writer.bottom + LINE <= area.bottom() + 6:
            writer.line(theme.font("caption"), theme.t3, look.text(note), height=16)


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """Entry of the legend, which says what a mark means: `x` along line `line` of the legend."""

    state: WarpState | None
    """None: lanes that take no part, which are hatched."""
    x: float
    line: int
    text: str

    @property
    def marked(self) -> bool:
        return self.state not in (None, WarpState.BEHIND)


def legend_entries(facts: ThreadQueries, picture: GpuPicture, width: float, look: Look) -> tuple[LegendEntry, ...]:
    """The marks that occur, in lines of `width`."""
    metrics = QFontMetricsF(look.theme.font("small"))
    found: list[LegendEntry] = []
    x, line = 0.0, 0
    for state, words in legend_text(facts, picture.frame):
        text = look.text(words)
        needed = metrics.horizontalAdvance(text) + (0 if state in (None, WarpState.BEHIND) else MARK_WIDTH)
        if x and x + needed > width:
            x, line = 0.0, line + 1
        found.append(LegendEntry(state, x, line, text))
        x += needed + BETWEEN
    return tuple(found)


def legend_height(entries: tuple[LegendEntry, ...]) -> float:
    """What the legend needs."""
    return (max((entry.line for entry in entries), default=-1) + 1) * LINE


def paint_legend(painter: QPainter, entries: tuple[LegendEntry, ...], area: QRectF, look: Look) -> None:
    """Paint what the marks mean."""
    theme = look.theme
    painter.setFont(theme.font("small"))
    for entry in entries:
        top, left = area.top() + entry.line * LINE, area.left() + entry.x
        if entry.marked and entry.state is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_mark(painter, QPointF(left + 6, top + LINE / 2), entry.state, theme)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(theme.t2)
        painter.drawText(QPointF(left + (MARK_WIDTH if entry.marked else 0), top + 13), entry.text)


def details_height(facts: ThreadQueries) -> float:
    """What the words about a thread need."""
    return 20 + len(facts.rules) * 2 * SUM_LINE + 22


def paint_details(
    painter: QPainter, facts: ThreadQueries, area: QRectF, picture: GpuPicture, thread: int, element: Message | None, look: Look
) -> None:
    """Which thread it is, its index sums, and which element it computes; as much as there is room for."""
    if area.height() < LINE:
        return
    theme, frame, index = look.theme, picture.frame, picture.index
    writer = Writer(painter, area.topLeft(), area.width())
    writer.line(theme.font("label"), theme.t1, look.text(thread_text(index, thread)), height=20)
    for each in index_sums(facts.rules, frame.block, thread_place(index.trace.block, thread)):
        _write_sum(writer, each, area, area.bottom() - writer.bottom - (22 if element else 0), look)
    if element is not None and writer.bottom + LINE <= area.bottom() + 2:
        writer.skip(2)
        writer.line(theme.font("label"), theme.c, look.text(element), height=20)


def _write_sum(writer: Writer, each: IndexSum, area: QRectF, room: float, look: Look) -> None:
    """A sum in one line, or in two, the wider part of which may come second; or without its names, where there is room for neither."""
    code, colour = look.theme.font("code"), look.theme.t2
    if each.place is not None:
        _write_place(writer, each, each.place, area, room, look)
        return
    what = look.text(each.words)
    short = f"{what} = {each.numbers} = {each.value}"
    names = f"{what} = {each.names}"
    code.setPixelSize(12 if QFontMetricsF(code).horizontalAdvance(names) <= area.width() else 11)
    metrics = QFontMetricsF(code)
    whole = f"{names} = {each.numbers} = {each.value}"
    if room < SUM_LINE:
        return
    if metrics.horizontalAdvance(whole) <= area.width():
        writer.line(code, colour, whole, height=SUM_LINE)
    elif room >= 2 * SUM_LINE and metrics.horizontalAdvance(names) <= area.width():
        writer.line(code, colour, names, height=SUM_LINE)
        writer.line(code, colour, f"= {each.numbers} = {each.value}", height=SUM_LINE, indent=metrics.horizontalAdvance(f"{what} "))
    else:
        writer.line(code, colour, short, height=SUM_LINE)
        below = f"= {each.names}"
        if room >= 2 * SUM_LINE and (free := area.width() - metrics.horizontalAdvance(below)) >= 0:
            writer.line(code, colour, below, height=SUM_LINE, indent=min(free, metrics.horizontalAdvance(f"{what} ")))


def _write_place(writer: Writer, each: IndexSum, place: Message, area: QRectF, room: float, look: Look) -> None:
    """Where in the grid a thread is, and below it the sum, where there is room for it: under no name, which the source may give to else."""
    code, colour = look.theme.font("code"), look.theme.t2
    code.setPixelSize(11)
    if room >= SUM_LINE:
        writer.line(look.theme.font("small"), colour, look.text(place), height=SUM_LINE)
    if room >= 2 * SUM_LINE:
        texts = f"{each.names} = {each.numbers}", each.names, each.numbers
        fitting = next((text for text in texts if QFontMetricsF(code).horizontalAdvance(text) <= area.width()), texts[-1])
        writer.line(code, colour, fitting, height=SUM_LINE)


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
        self._facts: ThreadQueries | None = None
        self._grids: dict[tuple[int, int], BlockGrid] = {}
        self._layout: tuple[object, ThreadsLayout] | None = None
        self._still: dict[str, tuple[object, QPixmap]] = {}
        self._known: tuple[GpuPicture, float, tuple[LegendEntry, ...]] | None = None
        self._sentences: tuple[str, ...] = ()
        self._beside: PrintsBeside | None = None
        self._below_cards = lru_cache(maxsize=8)(lambda words, width, height: below_height(words, QSizeF(width, height), look))

    def facts(self, index: LaunchIndex) -> ThreadQueries:
        """What is known of a launch."""
        if self._facts is None or self._facts.index is not index:
            self._facts = ThreadQueries(index)
            self._grids.clear()
            self._sentences = tuple(map(self._look.text, order_text(index))) if prints(index) else ()
            self._beside = prints_beside(index, recorded()) if prints(index) else None
        return self._facts

    def grid(self, picture: GpuPicture, size: QSizeF) -> BlockGrid:
        """The layer of the grid that the shown block is in."""
        self.facts(picture.index)
        layer, most = picture.frame.block[2], int(self.layout(picture, size).grid.width() // SMALLEST_AGGREGATE)
        if (layer, most) not in self._grids:
            self._grids[layer, most] = block_grid(picture.index, layer, most)
        return self._grids[layer, most]

    def layout(self, picture: GpuPicture, size: QSizeF) -> ThreadsLayout:
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

    def _legend(self, picture: GpuPicture, width: float) -> tuple[LegendEntry, ...]:
        """What the marks mean, in lines of a width."""
        if self._known is None or self._known[:2] != (picture, width):
            self._known = picture, width, legend_entries(self.facts(picture.index), picture, width, self._look)
        return self._known[2]

    def paint(
        self, painter: QPainter, picture: GpuPicture, size: QSizeF, chosen: int | None, plan: BlockSchedule | None, *, asking: bool = False
    ) -> None:
        """Draw everything; `chosen` is the thread that is told about, `plan` the schedule that is shown where there is room. `asking`:
        without what a GPU has printed."""
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
            self._paint_prints(painter, layout.beside or layout.details, picture, asking=asking)
        elif layout.beside is not None and plan is not None:
            self._paint_schedule(painter, layout.beside, picture, plan)
        if not printing or layout.beside is not None:
            thread = shown_thread(picture.frame, threads_of(picture.index), chosen)
            self._paint_details(painter, layout.details, picture, thread)
        if not printing and layout.beside is None and plan is not None:
            rest = layout.details.adjusted(0, details_height(facts) + MARGIN, 0, 0)
            draw = partial(paint_summary, plan=plan, area=rest, look=self._look)
            self._paint_still(painter, "summary", plan, rest, draw)

    def _paint_blocks(self, painter: QPainter, layout: ThreadsLayout, picture: GpuPicture, size: QSizeF) -> None:
        grid, theme = self.grid(picture, size), self._look.theme
        draw = partial(paint_blocks, grid=grid, area=layout.grid, theme=theme)
        self._paint_still(painter, "grid", grid, layout.grid, draw)
        paint_shown_block(painter, cell_rect(grid, layout.grid, grid.cell(picture.frame.block)), theme)
        write = partial(paint_launch_words, grid=grid, area=layout.words, picture=picture, look=self._look)
        self._paint_still(painter, "words", (self.facts(picture.index), grid, picture.frame.block), layout.words, write)

    def _paint_details(self, painter: QPainter, area: QRectF, picture: GpuPicture, thread: int) -> None:
        facts, block = self.facts(picture.index), picture.frame.block_number
        element = element_text(facts, picture.frame, thread)
        draw = partial(paint_details, facts=facts, area=area, picture=picture, thread=thread, element=element, look=self._look)
        self._paint_still(painter, "details", (facts, block, thread, element), area, draw)

    def _paint_prints(self, painter: QPainter, area: QRectF, picture: GpuPicture, *, asking: bool) -> None:
        sentences = self._sentences[: len(ORDER)] if asking else self._sentences
        self._paint_still(painter, "order", sentences, area, partial(paint_order, sentences=sentences, area=area, look=self._look))
        words = self._below_cards(sentences, area.width(), area.height())
        self._prints.paint(painter, picture, area.adjusted(0, 0, 0, -words), None if asking else self._beside)

    def _paint_schedule(self, painter: QPainter, area: QRectF, picture: GpuPicture, plan: BlockSchedule) -> None:
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
