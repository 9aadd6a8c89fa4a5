"""The hints of the first start: what to drag, and where lessons begin. They leave as soon as anything is touched, for good."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from app.core.stage.model import AnyPicture
from app.qt.base.feature import Feature, Host
from app.qt.inspector.panel import InspectorPanel
from app.qt.inspector.tile_row import TILE, TileRow
from app.qt.widgets.labels import label
from kernels.base.messages import Message, message

DONE = "hint/done"
"""The setting that says that somebody has touched the program."""
WATCHED_MS = 7000
"""How long the first play is watched before it rests and the hints come."""
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
        """Put the hints below what they speak of; where that is not in sight there is no hint."""
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

    def _add(self, said: Message, below: QWidget) -> None:
        if not below.isVisible() or self._over is None:
            return
        look = self._host.look()
        hint = label(look, f"↑ {look.text(said)}", "label", parent=self._over)
        colours = f"color: {look.theme.now_text.name()}; background: {look.theme.now_bg.name()}"
        hint.setStyleSheet(f"{colours}; border: 1px solid {look.theme.now.name()}; border-radius: {look.px(11)}px; padding: 2px 10px")
        hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        hint.adjustSize()
        corner = below.mapTo(self._over, QPoint(below.geometry().width() // 2 - hint.width() // 2, below.geometry().height() + 2))
        hint.move(max(0, min(corner.x(), self._over.width() - hint.width())), corner.y())
        hint.show()
        self.hints.append(hint)


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
