"""Surface of the presentation for one look: the sheet, spotlight and curtain over it, and the bar; and what the mouse does with them.

The spotlight dims the sheet but for a circle around the pointer, the curtain blackens it.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.core.presenter.screen import PointerIdle, Zoom
from app.core.presenter.slide import Slide
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.presenter.bar import BarActions, PresenterBar
from app.qt.presenter.parts import PAGE, PAIR, RUNS, VIEW, WHOLE, content_key, parts_of
from app.qt.presenter.sheet import Sheet
from app.qt.presenter.text import HEIGHT
from kernels.base.messages import message

_RADIUS = 190.0
_DIM = QColor(10, 13, 18, 190)


class Spotlight(QWidget):
    """Overlay that dims all but a circle around the pointer. It lies over the sheet, and lets the pointer through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._at = QPointF()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def point(self, at: QPointF) -> None:
        """Light this point."""
        self._at = at
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        radius = _RADIUS * self.height() / HEIGHT
        dark = QPainterPath()
        dark.setFillRule(Qt.FillRule.OddEvenFill)
        dark.addRect(QRectF(self.rect()))
        dark.addEllipse(self._at, radius, radius)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(dark, _DIM)
        painter.end()


class Curtain(QWidget):
    """Overlay that blackens the sheet."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), Qt.GlobalColor.black)
        painter.end()


LATE_S = 0.7
"""How long the picture of the step before stays as it was while the next one is made."""
HOLD_MS = 350
"""How long a button of the mouse is held until it is a spotlight."""


class Surface(QWidget):
    """Shows slides and the live views. `full` is the number of the view that has the whole screen, 0: none has."""

    def __init__(
        self, look: Look, workbench: Workbench, rest: PointerIdle, clock: Callable[[], float], actions: BarActions, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._look, self._workbench, self._rest, self._clock = look, workbench, rest, clock
        self._late_since: float | None = None
        self._key: tuple[object, ...] = ()
        self._pressed: QPointF | None = None
        self.full = 0
        self.sheet = Sheet(look, self)
        self.sheet.answered.connect(workbench.lesson_controller.player.answer)
        self.spotlight, self.curtain = Spotlight(self), Curtain(self)
        self.bar = PresenterBar(look, workbench.stage.timeline, actions, self)
        self._hold = QTimer(self, singleShot=True, interval=HOLD_MS)
        self._hold.timeout.connect(self._held)
        self.setMouseTracking(True)
        bind(self, rest.seen, self._show_pointer)

    # ------------------------------------------------------------ showing

    def show_slide(self, slide: Slide) -> None:
        """Show a slide; another step is shown as a whole."""
        if slide.number != self.sheet.slide.number:
            self._show_whole()
        self.sheet.show_slide(slide)
        place = message("Lesson step {number} of {count}", number=slide.number, count=slide.count)
        self.bar.show_step(self._look.text(place) if slide.count else "")

    def draw(self) -> None:
        """Follow the stage. While a scene is being set what is shown stays, so that nothing flashes by."""
        if self._workbench.states.arrival.pending:
            self._late_since = self._clock() if self._late_since is None else self._late_since
            return
        self._late_since = None
        asking = self.sheet.slide.asks is not None
        drawing, key = self.sheet.drawing, content_key(self._workbench, self.full, asking=asking)
        if key != self._key:
            self._key = key
            drawing.show_parts(parts_of(self._workbench, key, self.full, self._look))
        self.sheet.show_shape(wide=key[0] != VIEW, tall=len(drawing.parts) == 1 and drawing.parts[0].tall)
        drawing.dim(dimmed=key[0] in (PAIR, VIEW) and self._workbench.stage.late.value)
        drawing.hush(silent=asking)
        drawing.say(None if key[0] in (PAGE, WHOLE, RUNS) else self._workbench.stage.said)
        drawing.refresh()

    def catch_up(self) -> None:
        """Draw what could not be drawn; what stays for long is told from what is shown."""
        if self._late_since is not None:
            self.draw()
        if self._late_since is not None and self._clock() - self._late_since > LATE_S:
            self.sheet.drawing.dim(dimmed=True)

    def show_full(self, number: int) -> None:
        """Show one view over the whole screen; with 0, or the same again, the slide, first of all as it is without zoom."""
        zoomed = self.sheet.drawing.zoom != Zoom()
        self.sheet.drawing.show_zoom(Zoom())
        if number == 0 and zoomed:
            return
        self.full = 0 if number == self.full else number
        self.sheet.show_full(full=self.full > 0)
        self.draw()

    def blacken(self) -> None:
        """Black, or the slide again."""
        self.curtain.setVisible(self.curtain.isHidden())
        self.curtain.raise_()

    def light(self, *, on: bool) -> None:
        """Dim all but what is around the pointer."""
        self.spotlight.point(QPointF(self.mapFromGlobal(QCursor.pos())))
        self.spotlight.setVisible(on)

    def zoom(self, steps: int) -> None:
        """Bring what is at the pointer nearer."""
        drawing = self.sheet.drawing
        at = drawing.share_at(QPointF(drawing.mapFromGlobal(QCursor.pos())))
        drawing.show_zoom(drawing.zoom.closer(steps, *at))

    def give_way(self) -> bool:
        """Take one thing away: the black screen, the spotlight, what is near, the large view. False where there is nothing of it."""
        if not self.curtain.isHidden():
            self.curtain.hide()
        elif not self.spotlight.isHidden():
            self.light(on=False)
        elif self.full or self.sheet.drawing.zoom != Zoom():
            self.show_full(0)
        else:
            return False
        return True

    def _show_whole(self) -> None:
        """Show the slide, with nothing brought nearer."""
        self.full = 0
        self.sheet.show_full(full=False)
        self.sheet.drawing.show_zoom(Zoom())

    def _show_pointer(self, seen: bool) -> None:
        self.setCursor(Qt.CursorShape.ArrowCursor if seen else Qt.CursorShape.BlankCursor)
        self.bar.setVisible(seen)
        for part in () if seen else self.sheet.drawing.parts:
            part.point(None)

    # ------------------------------------------------------------ events

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._rest.move()
        self.spotlight.point(event.position())
        drawing = self.sheet.drawing
        if self._pressed is not None and drawing.zoom.factor > 1:
            moved, self._pressed = self._pressed - event.position(), event.position()
            drawing.show_zoom(drawing.zoom.moved(moved.x() / drawing.width(), moved.y() / drawing.height()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        self._hold.start()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        if not self._hold.isActive():
            self.light(on=False)
        self._hold.stop()
        self._pressed = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y():
            self.zoom(1 if event.angleDelta().y() > 0 else -1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part in (self.sheet, self.spotlight, self.curtain):
            part.setGeometry(self.rect())
        self.bar.setGeometry(0, 0, self.width(), self.bar.height())

    def _held(self) -> None:
        """What is near is dragged; else a light is wanted."""
        if self.sheet.drawing.zoom.factor == 1:
            self.light(on=True)
