"""The drawing of a slide: the live views of the stage, magnified, of which a part can be brought nearer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.core.presenter.screen import Zoom
from app.core.stage.model import COMPUTING
from app.qt.base.look import Look
from app.qt.presenter.parts import Part, ViewPart
from app.qt.presenter.text import BODY, HEIGHT, STRONG, Ink, centred, fitted
from app.qt.views.frame import CHECK, WARNING
from app.qt.views.view import DIMMED
from kernels.base.messages import Message

_CAPTION, _BETWEEN = 60.0, 40.0
"""The height of a line above a part, and what is between two parts."""
_MIDDLE = Qt.AlignmentFlag.AlignHCenter
_BESIDE = 1.2
"""Two parts beside each other are drawn so many times smaller."""
_LEAST = QSizeF(250, 140)
"""What a view needs in its own pixels to say anything: where there is less room it is magnified less."""


class SlideDrawing(QWidget):
    """Draws its parts beside each other."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._parts: tuple[Part, ...] = ()
        self._images: dict[Part, QImage] = {}
        self._notice: Message | None = None
        self._dimmed = False
        self.zoom = Zoom()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def parts(self) -> tuple[Part, ...]:
        return self._parts

    @property
    def unit(self) -> float:
        """Pixels of a unit."""
        return self.window().height() / HEIGHT

    @property
    def magnified(self) -> float:
        """How many times as large as on the stage the parts are drawn: so that their type has the size of a body text."""
        size, smallest = self._place(0).size(), min((part.smallest for part in self._parts), default=BODY)
        smallest *= _BESIDE if len(self._parts) > 1 else 1.0
        most = min(size.width() / _LEAST.width(), size.height() / _LEAST.height())
        return max(1.0, min(BODY / smallest * self.unit, most))

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Draw others; those that were drawn before are gone."""
        for old in self._parts:
            old.widget.deleteLater()
        self._parts = tuple(parts)
        for part in parts:
            part.widget.setParent(self)
        self._fit()

    def say(self, notice: Message | None) -> None:
        """Show why there is no newer picture."""
        if notice != self._notice:
            self._notice = notice
            self.refresh()

    def refresh(self) -> None:
        """Draw what the models have now."""
        changed = [part for part in self._parts if part.refresh()]
        for part in changed:
            self._images.pop(part, None)
        if changed:
            self.setAccessibleName(self._look.paragraph([self._look.text(part.name) for part in self._parts]))
            self.update()

    def dim(self, *, dimmed: bool) -> None:
        """Say that this is not the newest picture."""
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            self.update()

    def hush(self, *, silent: bool) -> None:
        """Leave out what is being asked for, or not."""
        changed = [part for part in self._parts if isinstance(part, ViewPart) and part.hush(silent=silent)]
        for part in changed:
            self._images.pop(part, None)
        if changed:
            self.update()

    def show_zoom(self, zoom: Zoom) -> None:
        """Show a part of the picture larger."""
        if zoom != self.zoom:
            self.zoom = zoom
            self._images.clear()
            self.update()

    def share_at(self, point: QPointF) -> tuple[float, float]:
        """A point in shares of the part that it is over."""
        place = self._place(self._number_at(point))
        across, down = (point.x() - place.left()) / place.width(), (point.y() - place.top()) / place.height()
        return min(max(across, 0.0), 1.0), min(max(down, 0.0), 1.0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(DIMMED if self._dimmed else 1.0)
        for number, part in enumerate(self._parts):
            place = self._place(number)
            painter.drawImage(place.topLeft(), self._image(part, place))
            if self._captions:
                self._paint_caption(painter, part, place)
        if self._notice is not None:
            self._paint_notice(painter, self._look.text(self._notice))
        if self._dimmed:
            painter.setOpacity(1.0)
            self._paint_waiting(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._number_at(event.position())
        for place, part in enumerate(self._parts):
            part.point(self._inside(event.position(), number) if place == number else None)
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._parts:
            number = self._number_at(event.position())
            self._parts[number].press(self._inside(event.position(), number))
        super().mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        for part in self._parts:
            part.point(None)
        super().leaveEvent(event)

    def _fit(self) -> None:
        self._images.clear()
        for number, part in enumerate(self._parts):
            part.fit(self._place(number).size(), self.magnified)
        self.update()

    def _place(self, number: int) -> QRectF:
        """Where a part is, below its caption."""
        count, between, top = max(len(self._parts), 1), _BETWEEN * self.unit, self._captions * _CAPTION * self.unit
        width = max(1.0, (self.width() - between * (count - 1)) / count)
        return QRectF(number * (width + between), top, width, max(1.0, self.height() - top))

    def _number_at(self, point: QPointF) -> int:
        return max((number for number in range(len(self._parts)) if self._place(number).left() <= point.x()), default=0)

    def _inside(self, point: QPointF, number: int) -> QPointF:
        """A point of the widget in the part's own pixels."""
        place, zoom = self._place(number), self.zoom
        own = (point - place.topLeft()) / (self.magnified * zoom.factor)
        return own + QPointF(zoom.x * place.width(), zoom.y * place.height()) / self.magnified

    def _image(self, part: Part, place: QRectF) -> QImage:
        if part not in self._images:
            ratio, zoom = self.devicePixelRatioF(), self.zoom
            size = (place.size() * ratio).toSize().expandedTo(QSizeF(1, 1).toSize())
            image = QImage(size, QImage.Format.Format_RGB32)
            image.fill(self._look.theme.bg2)
            image.setDevicePixelRatio(self.magnified * ratio * zoom.factor)
            painter = QPainter(image)
            own = QRectF(QPointF(), place.size() / self.magnified).toRect()
            painter.setWindow(own)  # some painters ask it how wide their view is
            painter.setViewport(own)
            painter.translate(-QPointF(zoom.x * place.width(), zoom.y * place.height()) / self.magnified)
            part.paint(painter)
            painter.end()
            image.setDevicePixelRatio(ratio)
            self._images[part] = image
        return self._images[part]

    @property
    def _captions(self) -> int:
        """The lines above each part: none where it says itself what it is; beside another one, its verdict stands below its name."""
        alone = self._parts[0] if len(self._parts) == 1 else None
        return 0 if alone is not None and not alone.captioned else min(max(len(self._parts), 1), 2)

    def _paint_caption(self, painter: QPainter, part: Part, place: QRectF) -> None:
        """Paint what is drawn, and what is to be thought of it."""
        unit, theme, verdict = self.unit, self._look.theme, part.verdict
        line = QRectF(place.left(), 0, place.width(), _CAPTION * unit)
        below = line.translated(0, (self._captions - 1) * line.height())
        room = QRectF(line)
        if verdict is not None:
            align = Qt.AlignmentFlag.AlignRight if self._captions == 1 else Qt.AlignmentFlag.AlignLeft
            ink = Ink(unit, theme.t1 if verdict.good else theme.bad, STRONG, align)
            said = fitted(f"{CHECK if verdict.good else WARNING} {self._look.text(verdict.text)}", ((BODY, 1),), ink, below)
            centred(said, below).paint(painter)
            room.setWidth(max(1.0, line.width() - (said.document.idealWidth() + 20 * unit if self._captions == 1 else 0)))
        name = fitted(self._look.text(part.name), ((BODY, 1), (30.0, 1), (24.0, 2)), Ink(unit, theme.t2, STRONG), room)
        centred(name, line).paint(painter)

    def _paint_waiting(self, painter: QPainter) -> None:
        """Write over the dimmed picture why it is that, on a ground of its own."""
        unit, area = self.unit, QRectF(self.rect())
        said = centred(fitted(self._look.text(COMPUTING), ((BODY, 1),), Ink(unit, self._look.theme.t1, STRONG, _MIDDLE), area), area)
        ground = QRectF(0, 0, said.document.idealWidth() + 48 * unit, said.place.height() + 24 * unit)
        ground.moveCenter(area.center())
        painter.setPen(self._look.theme.line2)
        painter.setBrush(self._look.theme.bg3)
        painter.drawRoundedRect(ground, 12 * unit, 12 * unit)
        said.paint(painter)

    def _paint_notice(self, painter: QPainter, text: str) -> None:
        area = QRectF(self.rect()).adjusted(0, self.height() * 0.3, 0, 0)
        fitted(text, ((BODY, 100),), Ink(self.unit, self._look.theme.t1), area).paint(painter)
