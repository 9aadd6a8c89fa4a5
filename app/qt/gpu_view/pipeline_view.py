"""The view of a pipeline: stages of shared memory and warps, one below the other, along the timeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QMouseEvent, QPainter, QPen

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.plurals import stages
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.synchronisation.pipeline import (
    PipelinePicture,
    bar_words,
    pipeline_picture,
    pipeline_sentence,
    pipeline_table,
    pipeline_verdict,
)
from app.core.gpu_view.synchronisation.tracks import DOING, Bar, Doing, Group, Track
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Pictures, fitting, paint_wait, sentence_height, write_instead, write_sentence
from app.qt.gpu_view.pipeline_geometry import HEAD, LEGEND, LOW_ROW, MARGIN, PipelineGeometry, lay_out, legend_height
from app.qt.gpu_view.view import GpuView
from kernels.base.messages import Message, message
from kernels.simt.trace.trace import WARP

_MOST_PICTURES, _MOST_NAMES = 1, 8
"""Pictures that are kept of all stretches, which another block has others of, and of all names: those change with the warp of the step."""
_WORDS_FROM, _NAMES_FROM, _SMALLEST = 10.0, 7.5, 8
"""Height of a stretch with room for words; of a track with room for its name; size of the smallest words."""


class PipelineView(GpuView):
    """Stages above, warps below; the step is a line through all. A press on a stretch goes to its beginning."""

    title = View.PIPELINE.title
    _known: tuple[tuple[object, ...], PipelinePicture | Message] | None = None
    _placed: tuple[tuple[object, ...], PipelineGeometry] | None = None

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._kept, self._names = Pictures(_MOST_PICTURES), Pictures(_MOST_NAMES)

    def shown(self, picture: GpuPicture) -> PipelinePicture | Message:
        """What is drawn for a picture, or why nothing is."""
        key = picture.index, picture.frame.step
        if self._known is None or self._known[0] != key:
            self._known = key, pipeline_picture(picture.index, picture.frame)
        return self._known[1]

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        """Within a step nothing moves."""
        return before.index is after.index and before.frame.step == after.frame.step

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        shown, theme = self.shown(picture), self.look.theme
        if isinstance(shown, Message):
            write_instead(painter, QRectF(self.rect()), theme, self.look.text(shown))
            return
        place, corner, warp, ratio = self.place(shown), QPointF(0, 0), picture.frame.warp, self.devicePixelRatioF()
        names = partial(self._paint_names, warp=warp, shown=shown)
        self._names.draw(painter, corner, (place, warp), QSizeF(place.left, self.height()), ratio, names)
        stretches = partial(self._paint_stretches, shown=shown)
        self._kept.draw(painter, corner, (place, shown.start), QSizeF(self.size()), ratio, stretches)
        now = list(self._bars(shown, lambda bar: bar.start <= shown.step < bar.stop))
        for box, bar in now:
            self._paint_bar(painter, box, bar, now=True)
        self._paint_step(painter, shown)
        for box, bar in now:
            self._paint_words(painter, box, bar)
        below = sentence_height(self.width())
        area = QRectF(MARGIN, self.height() - below - 4, self.width() - 2 * MARGIN, below)
        write_sentence(painter, area, theme, self.look.text(pipeline_sentence(shown)))
        self._paint_legend(painter, area.translated(0, -legend_height(self.width())), shown)

    # ------------------------------------------------------------ places

    def place(self, shown: PipelinePicture) -> PipelineGeometry:
        """Where everything is."""
        key = shown.tracks, self.size()
        if self._placed is None or self._placed[0] != key:
            self._placed = key, lay_out(self.width(), self.height(), shown)
        return self._placed[1]

    def rect_of(self, shown: PipelinePicture, number: int, bar: Bar) -> QRectF:
        """The place of a stretch of a track; a clash lies over the lower part of what clashes."""
        place = self.place(shown)
        row, left = place.rows[number], _x(place, shown, bar.start)
        edge = 2.0 if row.height() >= LOW_ROW else 1.0 if row.height() >= _NAMES_FROM else 0.5
        box = QRectF(left, row.top() + edge, max(_x(place, shown, bar.stop) - left, 1.0), row.height() - 2 * edge)
        return box.adjusted(0, box.height() * 0.62, 0, 0) if bar.doing is Doing.CLASH else box

    def bar_at(self, point: QPointF, shown: PipelinePicture) -> tuple[Track, Bar] | None:
        """The stretch under a point."""
        for number, track in enumerate(shown.tracks):
            if self.place(shown).rows[number].contains(point):
                near = [bar for bar in track.bars if self.rect_of(shown, number, bar).adjusted(-2, 0, 2, 0).contains(point)]
                return min(((track, bar) for bar in near), key=lambda found: found[1].doing is not Doing.CLASH, default=None)
        return None

    # ------------------------------------------------------------ drawing

    def _paint_names(self, painter: QPainter, warp: int, shown: PipelinePicture) -> None:
        """What all tracks are called."""
        for box, group in self.place(shown).names:
            self._paint_name(painter, box, group, shown, own=any(each.warp == warp for each in shown.tracks[group.first : group.stop]))

    def _paint_stretches(self, painter: QPainter, shown: PipelinePicture) -> None:
        """All tracks, as they are before and after the step."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        place = self.place(shown)
        for box, _ in place.names:
            painter.fillRect(QRectF(place.left, box.bottom() - 1, place.right - place.left, 1), self.look.theme.line)
        for box, bar in self._bars(shown, lambda _bar: True):
            self._paint_bar(painter, box, bar, now=False)

    def _bars(self, shown: PipelinePicture, wanted: Callable[[Bar], bool]) -> Iterator[tuple[QRectF, Bar]]:
        """Those stretches that are wanted in their places, with the words for which there is room."""
        joined = self.place(shown).joined
        for number, track in enumerate(shown.tracks):
            for bar in filter(wanted, track.bars):
                yield self.rect_of(shown, number, bar), replace(bar, words=()) if number in joined else bar

    def _paint_name(self, painter: QPainter, box: QRectF, group: Group, shown: PipelinePicture, *, own: bool) -> None:
        """What a track, or several together, are called; `own`: the warp of the step is among them."""
        theme, stage = self.look.theme, shown.tracks[group.first].stage is not None
        font = theme.font("label" if stage else "small")
        font.setPixelSize(min(font.pixelSize(), int(box.height())))
        painter.setFont(font)
        painter.setPen(theme.now_text if own else theme.t1 if stage else theme.t2)
        if box.height() >= _NAMES_FROM:
            text = fitting(QFontMetricsF(font), (self.look.text(group.long), self.look.text(group.short)), box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)  # what reaches below the line

    def _paint_bar(self, painter: QPainter, box: QRectF, bar: Bar, *, now: bool) -> None:
        """Now is violet. On its way: hatched in a broken frame; filled: plain; being read: in a whole frame."""
        theme = self.look.theme
        colour = theme.now if now else theme.line2
        if bar.doing is Doing.CLASH:
            painter.fillRect(box, theme.bad_bg)
            painter.fillRect(box, QBrush(theme.bad, Qt.BrushStyle.DiagCrossPattern))
            painter.setPen(QPen(theme.bad, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -1, -1))
            self._paint_words(painter, box, bar)
            return
        if bar.doing is Doing.WAIT:
            paint_wait(painter, box, theme, colour)
            self._paint_words(painter, box, bar)
            return
        if bar.doing in (Doing.COPY, Doing.COMPUTE, Doing.STORE):
            painter.fillRect(box, theme.now if now else theme.t2 if bar.doing is Doing.COPY else theme.line2)
            if bar.doing is Doing.STORE:
                painter.fillRect(box, QBrush(theme.bg2, Qt.BrushStyle.Dense5Pattern))
            if bar.doing is Doing.COMPUTE:
                painter.fillRect(box.adjusted(0, box.height() * 0.3, 0, 0), theme.bg2)
            return
        painter.fillRect(box, theme.now_bg if now else theme.bg2 if bar.doing is Doing.FLIGHT else theme.bg3)
        if bar.doing is Doing.FLIGHT:
            painter.fillRect(box, QBrush(colour, Qt.BrushStyle.BDiagPattern))
        if bar.doing is Doing.GROUP:
            painter.fillRect(QRectF(box.left(), box.bottom() - 3, box.width(), 3), colour)
        if bar.doing is not Doing.FULL:
            painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine if bar.doing is Doing.FLIGHT else Qt.PenStyle.SolidLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        if bar.words or bar.filling is not None:
            self._paint_words(painter, box, bar)

    def _paint_words(self, painter: QPainter, box: QRectF, bar: Bar) -> None:
        theme = self.look.theme
        if bar.doing in _WORDLESS or box.height() < _WORDS_FROM:
            return
        font = theme.font("label")
        font.setPixelSize(min(font.pixelSize(), max(int(box.height()) - 2, _SMALLEST)))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        said = [self.look.text(each) for each in bar.words or _words_of(bar)]
        if bar.doing is Doing.CLASH:
            said = ["▲"]
        texts = [text for text in said if metrics.horizontalAdvance(text) + 10 <= box.width()]
        if texts:
            ground = QRectF(0, 0, metrics.horizontalAdvance(texts[0]) + 8, min(box.height() - 2, 17))
            ground.moveCenter(box.center())
            painter.fillRect(ground, theme.bg2)
            painter.setPen(theme.t1)
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, texts[0])  # room above capitals

    def _paint_step(self, painter: QPainter, shown: PipelinePicture) -> None:
        """The step, as a line through all tracks, with its number."""
        theme, place = self.look.theme, self.place(shown)
        x, bottom = _x(place, shown, shown.step + 0.5), place.bottom
        painter.fillRect(QRectF(x - 1, HEAD - 4, 2, bottom - HEAD + 4), theme.now)
        painter.setFont(theme.font("label"))
        painter.setPen(theme.now_text)
        text = self.look.text(message("step {step}", step=shown.step + 1))
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 6
        left = min(max(x - width / 2, MARGIN), self.width() - MARGIN - width)
        painter.drawText(QRectF(left, 2, width, HEAD - 6), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_legend(self, painter: QPainter, area: QRectF, shown: PipelinePicture) -> None:
        """What the kinds of stretches that are drawn stand for, as far as there is room."""
        theme, place = self.look.theme, area.topLeft()
        painter.setFont(theme.font("small"))
        metrics = QFontMetricsF(painter.font())
        drawn = self.place(shown).kinds
        for doing in (each for each in _LEGEND_ORDER if each in drawn):
            text = self.look.text(DOING[doing])
            width = 24 + metrics.horizontalAdvance(text)
            if place.x() + width > area.right():
                place = QPointF(area.left(), place.y() + LEGEND - 2)
            if place.y() > area.top() + legend_height(self.width()) - LEGEND + 1:
                return
            self._paint_bar(painter, QRectF(place.x(), place.y() + 4, 18, 12), Bar(0, 1, doing), now=False)
            painter.setFont(theme.font("small"))
            painter.setPen(theme.t2)
            painter.drawText(QRectF(place.x() + 23, place.y(), width, LEGEND), Qt.AlignmentFlag.AlignVCenter, text)
            place += QPointF(width + 14, 0)

    # ------------------------------------------------------------ words

    def fact(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return None
        all_stages = stages(len(shown.stages.names))
        said = message("{stages}, steps {first} to {last}", stages=all_stages, first=shown.start + 1, last=shown.stop)
        return message("{said}; warps left out: {hidden}", said=said, hidden=shown.hidden) if shown.hidden else said

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        shown = self.shown(picture)
        return None if isinstance(shown, Message) else pipeline_verdict(shown)

    def detail(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        return shown if isinstance(shown, Message) else pipeline_sentence(shown)

    def table(self, picture: GpuPicture) -> Table:
        shown = self.shown(picture)
        return Table((), ()) if isinstance(shown, Message) else pipeline_table(shown)

    # ------------------------------------------------------------ pointing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        shown = None if self.picture is None else self.shown(self.picture)
        found = self.bar_at(event.position(), shown) if isinstance(shown, PipelinePicture) else None
        if found is None or event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.model.timeline.scrub(found[1].start)

    def selection_at(self, _point: QPointF, _picture: GpuPicture) -> Selection:
        return NOTHING

    def tip_at(self, point: QPointF, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        found = self.bar_at(point, shown) if isinstance(shown, PipelinePicture) else None
        return None if found is None else bar_words(*found)

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """The stretches of all tracks."""
        shown = self.shown(picture)
        if isinstance(shown, PipelinePicture):
            yield from (self.rect_of(shown, number, bar) for number, track in enumerate(shown.tracks) for bar in track.bars)

    def tip(self, selection: Selection, _picture: GpuPicture) -> Message | None:
        return None if selection.thread is None else message("thread {thread}", thread=selection.thread)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """To the first thread of the next warp."""
        warp = picture.frame.warp if selection.thread is None else selection.thread // WARP + across + down
        return Selection(thread=warp % picture.index.warps * WARP)


def _x(place: PipelineGeometry, shown: PipelinePicture, step: float) -> float:
    share = (step - shown.start) / (shown.stop - shown.start)
    return place.left + min(max(share, 0.0), 1.0) * (place.right - place.left)


_WORDLESS = (Doing.FULL, Doing.COPY, Doing.COMPUTE, Doing.STORE)
_LEGEND_ORDER = (
    Doing.CLASH, Doing.FLIGHT, Doing.FULL, Doing.READ, Doing.WAIT, Doing.COPY, Doing.COMPUTE, Doing.STORE, Doing.PHASE, Doing.GROUP,
)  # fmt: skip


def _words_of(bar: Bar) -> tuple[Message, ...]:
    """What stands in a stretch of a stage, at length and in short."""
    filling = bar.filling
    if filling is None:
        return ()
    short = message("{number}", number=filling.number + 1)
    if bar.doing is Doing.FLIGHT:
        return message("{number}: copies of {bytes} bytes", number=filling.number + 1, bytes=filling.bytes), short
    return message("{number}: read by {warps} warps", number=filling.number + 1, warps=len(filling.readers)), short
