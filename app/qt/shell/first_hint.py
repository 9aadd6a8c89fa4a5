"""The hints of the first start: what to drag, and where lessons begin. Each leaves when it is pressed, or what it points at was used."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QSlider, QToolButton, QWidget

from app.core.stage.model import AnyPicture
from app.qt.base.commands import shown_keys
from app.qt.base.feature import Feature, Host
from app.qt.base.lazy import FirstPaint
from app.qt.inspector.panel import InspectorPanel
from app.qt.inspector.stop_chart import StopChart
from app.qt.inspector.tile_row import TILE, TileRow
from app.qt.widgets.labels import ElidedLabel
from kernels.base.messages import Message, message
from kernels.catalogue.case import Case

DONE = "hint/done"
"""The setting that says that somebody has the program in hand."""
WATCHED_MS = 7000
"""How long the first play is watched before it rests and the hints come."""
_GAP = 2
_PLACED = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)
_TOUCHES = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, QEvent.Type.TouchBegin)
LESSONS = message("Lessons")
DRAG = message("Drag, or {keys}", keys=shown_keys("Alt+Right"))
BEGIN = message("Lessons begin here")


class FirstHint(Feature):
    """Waits for the first play, or where nothing moves for the first picture. Any key or click ends the play; Escape ends the hints."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._over: QWidget | None = None
        self._shown = False
        self._left = {DRAG, BEGIN}
        """What nobody has found yet."""
        self.hints: list[QToolButton] = []
        self._waits = host.settings.text(DONE) is None
        if not self._waits:
            return
        stage = host.workbench.stage
        self._watched = QTimer(host.window)
        self._watched.setSingleShot(True)
        self._watched.setInterval(WATCHED_MS)
        self._watched.timeout.connect(self.show)
        self._touches = _Touches(self._touched, host.window)
        self._leave_playing = stage.timeline.playing.subscribe(self._playing)
        self._leave_picture = stage.picture.subscribe(self._first_picture)
        session = host.workbench.session
        self._leave_others = (
            session.stage.subscribe(self._changed), session.workspace.subscribe(lambda _shown: self._soon()),
            host.workbench.lesson_controller.player.playing.subscribe(lambda _played: self._found(BEGIN)),
        )  # fmt: skip
        self._tile = session.stage.value.parameters.get(TILE)
        self._moved = _Moved(self._soon)

    def build(self, over: QWidget) -> None:
        """Another look has other places."""
        self._over, self.hints = over, []
        self._soon()

    def close(self) -> None:
        if self._waits:
            self._end()

    def show(self) -> None:
        """Let the play rest, and show the hints. Where a lesson plays, on the hall's screen too, nobody needs them."""
        if self._host.workbench.lesson_controller.player.playing.value is not None:
            self._end()
            return
        self._host.workbench.stage.timeline.pause()
        self._tile = self._host.workbench.session.stage.value.parameters.get(TILE)
        self._shown = True
        self._put()

    def _playing(self, playing: bool) -> None:
        if playing and not self._shown:
            self._watched.start()

    def _first_picture(self, picture: AnyPicture | None) -> None:
        self._leave_picture()
        if picture is not None and self._host.workbench.stage.still.value:
            self.show()

    def _touched(self, key: int | None) -> bool:
        """Before the hints it ends the play: a key that pauses must not find it paused already. Once they are shown, only Escape counts.
        Returns whether there is more to listen for."""
        if self._shown and key != Qt.Key.Key_Escape:
            return True
        if self._watched.isActive():
            QTimer.singleShot(0, self._host.window, self._host.workbench.stage.timeline.pause)
        self._host.settings.save_text(DONE, "yes")
        self._end()
        return False

    def _changed(self, stage: Case) -> None:
        """Another tile of the same rung was chosen, however; another rung has its own."""
        tile = stage.parameters.get(TILE)
        if self._shown and None not in (tile, self._tile) and tile != self._tile:
            self._found(DRAG)
        self._tile = tile

    def _found(self, said: Message) -> None:
        """What a hint speaks of was used, or the hint was pressed."""
        if not self._shown or said not in self._left:
            return
        self._left.discard(said)
        self._host.settings.save_text(DONE, "yes")
        if self._left:
            self._put()
        else:
            self._end()

    def _soon(self) -> None:
        """Look for the places anew, once they are laid out."""
        if self._shown and self._over is not None:
            QTimer.singleShot(0, self._over, self._put)

    def _end(self) -> None:
        self._shown = self._waits = False
        self._watched.stop()
        self._touches.leave()
        for leave in (self._leave_playing, self._leave_picture, *self._leave_others):
            leave()
        self._take_away()

    def _take_away(self) -> None:
        for hint in self.hints:
            hint.hide()
            hint.deleteLater()
        self.hints = []

    def _put(self) -> None:
        """Put the hints beside what they speak of; where that is not in sight there is no hint."""
        if self._over is None or not self._shown:
            return
        self._take_away()
        inspector, rows = self._over.findChild(InspectorPanel), self._over.findChildren(TileRow)
        tile = inspector.parameters.get(TILE) if inspector is not None and inspector.isVisible() else None
        sliders = [*(row.slider for row in rows), None if tile is None else tile.slider]
        named = self._host.look().text(LESSONS)
        lessons = [button for button in self._over.findChildren(QToolButton) if button.accessibleName() == named]
        for slider in sliders:
            if slider is not None and DRAG in self._left:
                self._add(DRAG, slider)
        for button in lessons[:1] if BEGIN in self._left else ():
            button.clicked.connect(lambda: self._found(BEGIN))
            self._add(BEGIN, button)

    def _add(self, said: Message, about: QWidget) -> None:
        if self._over is None:
            return
        self._moved.follow(about, self._over)
        if not about.isVisible():
            return
        look = self._host.look()
        hint = QToolButton(self._over)
        hint.setFont(look.theme.font("label"))
        hint.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        hint.setToolTip(look.text(message("Close (Esc)")))
        hint.clicked.connect(lambda: self._found(said))
        colours = f"color: {look.theme.now_text.name()}; background: {look.theme.now_bg.name()}"
        hint.setStyleSheet(f"{colours}; border: 1px solid {look.theme.now.name()}; border-radius: {look.px(11)}px; padding: 2px 10px")
        text = f"{look.text(said)}  ✕"
        hint.setText(f"↑ {text}")
        hint.setFixedSize(hint.sizeHint().width(), hint.fontMetrics().height() + 6)  # no higher than a line: there is little room
        taken = [rect for rect in _said_in(self._over) if not rect.contains(self._rect(about).center())]
        hint.setText(self._place(hint, self._rect(about), taken).format(text))
        hint.show()
        self.hints.append(hint)

    def _rect(self, widget: QWidget) -> QRect:
        assert self._over is not None
        return QRect(widget.mapTo(self._over, QPoint(0, 0)), widget.size())

    def _place(self, hint: QToolButton, about: QRect, taken: list[QRect]) -> str:
        """Put a hint below what it speaks of, or where that lies over something that is said, further aside, or at the first side that is
        free; what it points with, around its text."""
        assert self._over is not None
        width, height = hint.width(), hint.height()
        centred = min(max(0, about.center().x() - width // 2), self._over.width() - width)
        beside = about.center().y() - height // 2
        places = [
            (sign, QRect(corner, hint.size()))
            for sign, corner in (
                ("↑ {}", QPoint(centred, about.bottom() + _GAP)), ("↑ {}", QPoint(centred, about.bottom() - 2 * _GAP)),
                ("↑ {}", QPoint(about.center().x() - height, about.bottom() + _GAP)),
                ("{} ↑", QPoint(about.center().x() + height - width, about.bottom() + _GAP)),
                ("↓ {}", QPoint(centred, about.top() - height - _GAP)),
                ("{} →", QPoint(about.left() - width - _GAP, beside)), ("← {}", QPoint(about.right() + _GAP, beside)),
            )
        ]  # fmt: skip
        free = [each for each in places if self._over.rect().contains(each[1]) and not any(map(each[1].intersects, taken))]
        sign, place = free[0] if free else places[0]
        hint.move(place.topLeft())
        return sign


_SAYING = QLabel | QAbstractButton | QSlider | QLineEdit | QComboBox | ElidedLabel | StopChart


def _said_in(over: QWidget) -> Iterator[QRect]:
    """Where something in sight is said, drawn or can be pressed; of a line, only its letters."""
    for each in over.findChildren(QWidget):
        if not each.isVisible() or not isinstance(each, _SAYING):
            continue
        place = QRect(each.mapTo(over, QPoint(0, 0)), each.size())
        words = each.fontMetrics().horizontalAdvance(each.text()) if isinstance(each, QLabel) else 0
        line = isinstance(each, ElidedLabel | QAbstractButton) or (isinstance(each, QLabel) and words <= place.width())
        free = max(place.height() - each.fontMetrics().height(), 0) // 2 if line and not each.styleSheet() else 0
        if isinstance(each, QLabel) and line and each.alignment() & Qt.AlignmentFlag.AlignLeft:
            place.setWidth(min(place.width(), words))
        yield place.adjusted(0, free, 0, -free)


class _Touches(QObject):
    """Calls when a key, which is told, or a button is pressed anywhere in the program, as long as that says that there is more to come."""

    def __init__(self, touched: Callable[[int | None], bool], window: QWidget) -> None:
        super().__init__()
        self._touched = touched
        self._listening = True
        # Building and painting the window is some ten thousand events, each of which would be handed to Python.
        FirstPaint(window).painted.connect(self._listen)

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
            key = event.key() if isinstance(event, QKeyEvent) else None
            if not self._touched(key):
                self.leave()
        return False


class _Moved(QObject):
    """Calls where a part is laid out anew, or shown or hidden, or one that holds it."""

    def __init__(self, called: Callable[[], object]) -> None:
        super().__init__()
        self._called = called

    def follow(self, part: QWidget, over: QWidget) -> None:
        """Listen to a part and to all that holds it in `over`."""
        around: QWidget | None = part
        while around is not None:
            around.installEventFilter(self)  # again is as once
            around = None if around is over else around.parentWidget()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _PLACED:
            self._called()
        return False
