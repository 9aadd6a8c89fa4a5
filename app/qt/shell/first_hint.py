"""The hints of the first start: what to drag, and where lessons begin. They leave as soon as anything is touched, for good."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QSlider, QToolButton, QWidget

from app.core.stage.model import AnyPicture
from app.qt.base.feature import Feature, Host
from app.qt.inspector.panel import InspectorPanel
from app.qt.inspector.tile_row import TILE, TileRow
from app.qt.widgets.labels import ElidedLabel, label
from kernels.base.messages import Message, message

DONE = "hint/done"
"""The setting that says that somebody has touched the program."""
WATCHED_MS = 7000
"""How long the first play is watched before it rests and the hints come."""
_GAP = 2
_TOUCHES = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, QEvent.Type.TouchBegin)
LESSONS = message("Lessons")
DRAG = message("Drag me")
BEGIN = message("Lessons begin here")


class FirstHint(Feature):
    """Waits for the first play, or where nothing moves for the first picture. Any key or click ends the play and the hints."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._over: QWidget | None = None
        self._shown = False
        self.hints: list[QLabel] = []
        if host.settings.text(DONE) is not None:
            return
        stage = host.workbench.stage
        self._watched = QTimer(host.window)
        self._watched.setSingleShot(True)
        self._watched.setInterval(WATCHED_MS)
        self._watched.timeout.connect(self.show)
        self._touches = _Touches(self._touched)
        self._leave_playing = stage.timeline.playing.subscribe(self._playing)
        self._leave_picture = stage.picture.subscribe(self._first_picture)

    def build(self, over: QWidget) -> None:
        """Another look has other places."""
        self._over, self.hints = over, []
        if self._shown:
            QTimer.singleShot(0, over, self._put)

    def close(self) -> None:
        if self._host.settings.text(DONE) is None:
            self._end()

    def show(self) -> None:
        """Let the play rest, and show the hints. Where a lesson plays, on the hall's screen too, nobody needs them."""
        if self._host.workbench.lesson_controller.player.playing.value is not None:
            self._end()
            return
        self._host.workbench.stage.timeline.pause()
        self._shown = True
        self._put()

    def _playing(self, playing: bool) -> None:
        if playing and not self._shown:
            self._watched.start()

    def _first_picture(self, picture: AnyPicture | None) -> None:
        self._leave_picture()
        if picture is not None and self._host.workbench.stage.still.value:
            self.show()

    def _touched(self) -> None:
        """Whatever it was, the user has the program in hand. A key that pauses must not find it paused already."""
        if self._watched.isActive():
            QTimer.singleShot(0, self._host.window, self._host.workbench.stage.timeline.pause)
        self._host.settings.save_text(DONE, "yes")
        self._end()

    def _end(self) -> None:
        self._shown = False
        self._watched.stop()
        self._touches.leave()
        self._leave_playing()
        self._leave_picture()
        for hint in self.hints:
            hint.hide()
            hint.deleteLater()
        self.hints = []

    def _put(self) -> None:
        """Put the hints beside what they speak of; where that is not in sight there is no hint."""
        if self._over is None or not self._shown:
            return
        inspector, rows = self._over.findChild(InspectorPanel), self._over.findChildren(TileRow)
        tile = None if inspector is None else inspector.parameters.get(TILE)
        sliders = [*(row.slider for row in rows), None if tile is None else tile.slider]
        named = self._host.look().text(LESSONS)
        lessons = [button for button in self._over.findChildren(QToolButton) if button.accessibleName() == named]
        for slider in sliders:
            if slider is not None:
                self._add(DRAG, slider)
        for button in lessons[:1]:
            self._add(BEGIN, button)

    def _add(self, said: Message, about: QWidget) -> None:
        if not about.isVisible() or self._over is None:
            return
        look = self._host.look()
        hint = label(look, "", "label", parent=self._over)
        colours = f"color: {look.theme.now_text.name()}; background: {look.theme.now_bg.name()}"
        hint.setStyleSheet(f"{colours}; border: 1px solid {look.theme.now.name()}; border-radius: {look.px(11)}px; padding: 2px 10px")
        hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        hint.setText(f"↑ {look.text(said)}")
        hint.adjustSize()
        taken = [rect for rect in _said_in(self._over) if not rect.contains(self._rect(about).center())]
        hint.setText(self._place(hint, self._rect(about), taken).format(look.text(said)))
        hint.show()
        self.hints.append(hint)

    def _rect(self, widget: QWidget) -> QRect:
        assert self._over is not None
        return QRect(widget.mapTo(self._over, QPoint(0, 0)), widget.size())

    def _place(self, hint: QLabel, about: QRect, taken: list[QRect]) -> str:
        """Put a hint below what it speaks of, or where that lies over something that is said, at the first side that is free; what it
        points with, around its text."""
        assert self._over is not None
        width, height = hint.width(), hint.height()
        centred = min(max(0, about.center().x() - width // 2), self._over.width() - width)
        beside = about.center().y() - height // 2
        places = [
            (sign, QRect(corner, hint.size()))
            for sign, corner in (
                ("↑ {}", QPoint(centred, about.bottom() + _GAP)), ("↑ {}", QPoint(centred, about.bottom() - 2 * _GAP)),
                ("↓ {}", QPoint(centred, about.top() - height - _GAP)),
                ("{} →", QPoint(about.left() - width - _GAP, beside)), ("← {}", QPoint(about.right() + _GAP, beside)),
            )
        ]  # fmt: skip
        free = [each for each in places if self._over.rect().contains(each[1]) and not any(map(each[1].intersects, taken))]
        sign, place = free[0] if free else places[0]
        hint.move(place.topLeft())
        return sign


def _said_in(over: QWidget) -> Iterator[QRect]:
    """Where something in sight is said or can be pressed; of a line, only as high as its letters."""
    for each in over.findChildren(QWidget):
        if not each.isVisible() or not isinstance(each, QLabel | QAbstractButton | QSlider | QLineEdit | QComboBox | ElidedLabel):
            continue
        place = QRect(each.mapTo(over, QPoint(0, 0)), each.size())
        line = isinstance(each, ElidedLabel | QAbstractButton) or (isinstance(each, QLabel) and not each.wordWrap())
        free = max(place.height() - each.fontMetrics().height(), 0) // 2 if line and not each.styleSheet() else 0
        yield place.adjusted(0, free, 0, -free)


class _Touches(QObject):
    """Calls once when a key or a button is pressed anywhere in the program."""

    def __init__(self, touched: Callable[[], object]) -> None:
        super().__init__()
        self._touched = touched
        self._listening = True
        # Building the window is some ten thousand events, each of which would be handed to Python.
        QTimer.singleShot(0, self, self._listen)

    def _listen(self) -> None:
        application = QApplication.instance()
        if application is not None and self._listening:
            application.installEventFilter(self)

    def leave(self) -> None:
        """Stop listening."""
        application = QApplication.instance()
        if application is not None and self._listening:
            self._listening = False
            application.removeEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if self._listening and event.type() in _TOUCHES:
            self.leave()
            self._touched()
        return False
