"""Draws what the view of threads says in words: of grid and block, of the marks, of one thread."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.launch.block_grid import BlockGrid, cell_words, grid_words, shown_words
from app.core.launch.frame import WarpState
from app.core.launch.index_sums import IndexSum, index_sums
from app.core.launch.subject import extent_words
from app.core.launch.threads import (
    ThreadFacts,
    block_words,
    legend_words,
    thread_place,
    thread_words,
    warp_words,
)
from app.core.stage_model import LaunchPicture
from app.qt.launch.fitting import Writer
from app.qt.launch.warps_painter import paint_mark
from app.qt.look import Look
from kernels.messages import Message

LINE, SUM_LINE = 17.0, 16.0
MARK_WIDTH, BETWEEN = 18.0, 14.0


def paint_launch_words(painter: QPainter, grid: BlockGrid, area: QRectF, picture: LaunchPicture, look: Look) -> None:
    """The size of the grid and of a block, beside the grid."""
    theme, index = look.theme, picture.index
    writer = Writer(painter, area.topLeft() - QPointF(0, 3), area.width())
    writer.line(theme.font("label"), theme.t1, look.text(grid_words(index)))
    extent, cells = extent_words(index.subject.launch), cell_words(grid)
    writer.line(theme.font("small"), theme.t2, look.text(shown_words(picture.frame)))
    writer.skip(4)
    writer.line(theme.font("label"), theme.t1, *(look.text(words) for words in block_words(index)))
    writer.line(theme.font("small"), theme.t2, look.text(warp_words(index)))
    for note in (cells, extent):
        if note is not None and writer.bottom + LINE <= area.bottom() + 6:
            writer.line(theme.font("caption"), theme.t3, look.text(note), height=16)


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """What a mark means: `x` along line `line` of the legend."""

    state: WarpState | None
    """None: lanes that take no part, which are hatched."""
    x: float
    line: int
    text: str

    @property
    def marked(self) -> bool:
        return self.state not in (None, WarpState.BEHIND)


def legend_entries(facts: ThreadFacts, picture: LaunchPicture, width: float, look: Look) -> tuple[LegendEntry, ...]:
    """The marks that occur, in lines of `width`."""
    metrics = QFontMetricsF(look.theme.font("small"))
    found: list[LegendEntry] = []
    x, line = 0.0, 0
    for state, words in legend_words(facts, picture.frame):
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
    """What the marks mean."""
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


def details_height(facts: ThreadFacts) -> float:
    """What the words about a thread need."""
    return 20 + len(facts.rules) * 2 * SUM_LINE + 22


def paint_details(
    painter: QPainter, facts: ThreadFacts, area: QRectF, picture: LaunchPicture, thread: int, element: Message | None, look: Look
) -> None:
    """Which thread it is, its index sums, and which element it computes; as much as there is room for."""
    if area.height() < LINE:
        return
    theme, frame, index = look.theme, picture.frame, picture.index
    writer = Writer(painter, area.topLeft(), area.width())
    writer.line(theme.font("label"), theme.t1, look.text(thread_words(index, thread)), height=20)
    for each in index_sums(facts.rules, frame.block, thread_place(index.trace.block, thread)):
        _write_sum(writer, each, area, area.bottom() - writer.bottom - (22 if element else 0), look)
    if element is not None and writer.bottom + LINE <= area.bottom() + 2:
        writer.skip(2)
        writer.line(theme.font("label"), theme.c, look.text(element), height=20)


def _write_sum(writer: Writer, each: IndexSum, area: QRectF, room: float, look: Look) -> None:
    """A sum in one line, or in two; or without its names, where there is room for neither."""
    code, colour = look.theme.font("code"), look.theme.t2
    short = f"{each.name} = {each.numbers} = {each.value}"
    names = f"{each.name} = {each.names}"
    code.setPixelSize(12 if QFontMetricsF(code).horizontalAdvance(names) <= area.width() else 11)
    metrics = QFontMetricsF(code)
    whole = f"{names} = {each.numbers} = {each.value}"
    if room < SUM_LINE:
        return
    if metrics.horizontalAdvance(whole) <= area.width():
        writer.line(code, colour, whole, height=SUM_LINE)
    elif room >= 2 * SUM_LINE and metrics.horizontalAdvance(names) <= area.width():
        writer.line(code, colour, names, height=SUM_LINE)
        writer.line(code, colour, f"= {each.numbers} = {each.value}", height=SUM_LINE, indent=metrics.horizontalAdvance(f"{each.name} "))
    else:
        writer.line(code, colour, short, height=SUM_LINE)
