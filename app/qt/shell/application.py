"""Composition root of the window: look, workbench, timers, and ending in order; the zoom and the file dialogs of recordings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QEventLoop, QMargins, QSize, Qt, QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip, QWidget

from app.core.base.files.locations import Locations
from app.core.base.i18n import Translator, choose_language, missing_catalogue, system_locales
from app.core.base.parsing import whole_number
from app.core.base.timeline import Unit
from app.core.export.kinds import TABLES, path_with
from app.core.session.draft_editor import DraftEditor
from app.core.session.session import Session
from app.core.stage.model import AnyPicture
from app.core.state.closed_state import text_of as closed_text
from app.core.timing.recordings import Recordings
from app.core.workbench.assembly import assemble
from app.core.workbench.window_arguments import LARGEST_ZOOM, SMALLEST_ZOOM, Presented, WindowArguments
from app.qt.base.commands import Command, Place, titled
from app.qt.base.feature import Feature, FeatureMaker, Host
from app.qt.base.lazy import FirstPaint
from app.qt.base.look import Look
from app.qt.base.qt_texts import QtTexts, copy_plainly
from app.qt.base.settings import Settings
from app.qt.base.style import palette, style_sheet, tick_box_palette
from app.qt.base.system import MOTIONS, SystemFollower, stands_still, system_theme
from app.qt.base.theme import Theme, theme
from app.qt.challenges.feature import ChallengesFeature
from app.qt.export.feature import Exporting, LabReport
from app.qt.lessons.feature import LessonsFeature
from app.qt.presenter.feature import Presenting
from app.qt.sharing.feature import RestoreOffer, Sharing
from app.qt.shell.first_hint import FirstHint
from app.qt.shell.main_window import MainWindow
from app.qt.shell.menus import Chosen, WindowChoices
from app.qt.shell.palette_places import SET_NOW, SETTING
from kernels.base.messages import Message, message

KINDS = "JSON (*.json)"


def export_recording(owner: QWidget, look: Look, recordings: Recordings, editor: DraftEditor) -> None:
    """Ask where what was measured here goes, and write it."""
    title = look.text(message("Export the measurements as a recording"))
    name, _ = QFileDialog.getSaveFileName(owner, title, editor.beside("recording.json"), KINDS)
    if name:
        editor.visit(Path(name))
        recordings.export(Path(name))


def import_recording(owner: QWidget, look: Look, recordings: Recordings, editor: DraftEditor) -> None:
    """Ask for a recording of another machine, and show it."""
    name, _ = QFileDialog.getOpenFileName(owner, look.text(message("Import a recording")), editor.begin, KINDS)
    if name:
        editor.visit(Path(name))
        recordings.import_file(Path(name))


STEPS = (SMALLEST_ZOOM, 90, 100, 110, 125, 150, 175, LARGEST_ZOOM)
"""In percent."""


class Zooming(Feature):
    """Feature of the zoom. `choose` is called with a zoom in percent."""

    def __init__(self, host: Host, choose: Callable[[int], object]) -> None:
        self._host = host
        self._choose = choose

    def commands(self) -> tuple[Command, ...]:
        return (
            Command(message("Larger text and pictures (zoom in)"), ("Ctrl++", "Ctrl+="), lambda: self._step(1)),
            Command(message("Smaller text and pictures (zoom out)"), ("Ctrl+-",), lambda: self._step(-1)),
            Command(message("Text and pictures of 100 % (zoom)"), ("Ctrl+0",), lambda: self._choose(100)),
        )

    def places(self) -> tuple[Place, ...]:
        title = message("Text size")
        sizes = ((step, message("{setting}: {value}", setting=title, value=f"{step} %")) for step in STEPS)
        return tuple(
            titled(SET_NOW if step == self.percent else SETTING, size, partial(self._choose, step), also="zoom") for step, size in sizes
        )

    @property
    def percent(self) -> int:
        """The zoom now."""
        return round(100 * self._host.look().theme.scale)

    def _step(self, direction: int) -> None:
        beyond = [step for step in STEPS if (step - self.percent) * direction > 0]
        if beyond:
            self._choose(min(beyond, key=lambda step: abs(step - self.percent)))


def read_zoom(text: str | None) -> int:
    """A saved zoom; 100 where there is none that can be."""
    zoom = whole_number("", text or "", SMALLEST_ZOOM, LARGEST_ZOOM)
    return zoom if isinstance(zoom, int) else 100


TICK_MS = 33
"""How often the window takes over what the workers have finished."""
BUSY_TICK_MS = 2
"""The same while a trace is awaited."""
SHUTDOWN_S = 2.0
LOCK_SWITCH_S = 0.0005
_DEFAULT_SIZE = (1440, 900)
CLOSED = "stage/closed"
"""The setting that holds what was shown when the window was closed."""
_FRAME = QMargins(4, 34, 4, 4)
"""About what a window manager puts around a window."""
FEATURES: tuple[FeatureMaker, ...] = (LessonsFeature, ChallengesFeature, Sharing, Exporting, LabReport, Presenting, FirstHint, RestoreOffer)
"""What the window has besides stage and timing, in the order of their buttons and rows of the menu."""


class Desktop:
    """Running window with its workers. `places` None keeps all measurements in memory, as tests want."""

    def __init__(self, arguments: WindowArguments, places: Locations | None, settings: Settings, more: Sequence[FeatureMaker] = ()) -> None:
        """`more` are features of this window alone."""
        self._qt = qt_application()
        self.settings = settings
        self.session = Session()
        self._first_start = not self.settings.restore_stage(self.session)
        self.settings.restore_ticks(self.session)
        editor = self.session.draft_editor
        self.settings.keep_files(editor)
        self._show_variant(arguments.variant_id or "")
        self.assembly = assemble(self.session, places)
        self.workbench = self.assembly.workbench
        self._theme_choice = arguments.theme or self.settings.text("look/theme") or "system"
        self._language = choose_language(arguments.language or self.settings.text("look/language"), os.environ, system_locales())
        self.workbench.activity.value = settings.notice or missing_catalogue(self._language)
        self._motion_choice = saved if (saved := self.settings.text("look/motion") or "") in MOTIONS else "system"
        self._zoom = arguments.zoom or read_zoom(self.settings.text("look/zoom"))
        self.workbench.stage.still.value = stands_still(self._motion_choice)
        choices = WindowChoices(
            self.choose_language, self.choose_theme, self.choose_motion, self._choose_path, self._closing,
            lambda: export_recording(self.window, self._look, self.assembly.recordings, editor),
            lambda: import_recording(self.window, self._look, self.assembly.recordings, editor), self.settings,
        )  # fmt: skip
        self._qt_texts = QtTexts()
        self._features: list[Feature] = []
        makers: tuple[FeatureMaker, ...] = (*FEATURES, *more, partial(Zooming, choose=self.choose_zoom))
        # With the sheet of a window before this one, Qt would note this window's style where it forgets to take it out again at its end.
        self._qt.setStyleSheet("")
        self._qt.setFont(self._chosen_theme().font("body"))  # the window is given its font when it is made, its panels take it from there
        self.window = MainWindow(self.workbench, choices, [partial(self._kept, make) for make in makers])
        self._size_window(arguments.size)
        self._apply_look()
        SystemFollower(self.window, self._qt.styleHints(), lambda: self._apply_look() if self._theme_choice == "system" else None)
        self._ticker = QTimer()
        self._ticker.setInterval(TICK_MS)
        self._ticker.timeout.connect(self.workbench.tick)
        self.workbench.stage.busy.subscribe(lambda busy: self._ticker.setInterval(BUSY_TICK_MS if busy else TICK_MS))
        self.first_paint = FirstPaint(self.window)
        self.ended = False  # also while the window closes
        self._goes_on = (arguments.variant_id, arguments.opened, arguments.presented) == (None, None, None)

    def start(self) -> None:
        """Show the window first; only then start what is slow."""
        # Painting gives the interpreter lock away and takes it back many times a frame; by default each return may wait 5 ms
        # for a worker that is importing or compiling.
        sys.setswitchinterval(LOCK_SWITCH_S)
        self.first_paint.painted.connect(self._start_workers)
        self.window.show()

    def process_events(self) -> None:
        """Let the window live for a moment, for callers that have no event loop."""
        self._qt.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)

    def run(self) -> int:
        """Stay until the window is closed, or the display is gone; returns the exit status."""
        status = self._qt.exec()
        if not self.ended:  # nobody has closed the window
            self.workbench.last_session.leave()
        self.shutdown()
        return status

    @property
    def presenting(self) -> Presenting:
        """The part of the window that presents."""
        return next(each for each in self._features if isinstance(each, Presenting))

    @property
    def exporting(self) -> Exporting:
        """The part of the window that exports."""
        return next(each for each in self._features if isinstance(each, Exporting))

    def choose_language(self, language: str) -> None:
        """Show everything in another language, and remember it."""
        self._language = language
        self.settings.save_text("look/language", language)
        if (missing := missing_catalogue(language)) is not None:
            self.workbench.tell(missing)
        self._apply_look()

    def choose_theme(self, name: str) -> None:
        """Show everything in another theme ("system" or one of THEMES), and remember it."""
        self._theme_choice = name
        self.settings.save_text("look/theme", name)
        self._apply_look()

    def choose_zoom(self, percent: int) -> None:
        """Show everything so large, and remember it."""
        self._zoom = percent
        self.settings.save_text("look/zoom", str(percent))
        self._apply_look()

    def choose_motion(self, name: str) -> None:
        """Let data travel or not ("system", "full" or "reduced"), and remember it."""
        self._motion_choice = name
        self.settings.save_text("look/motion", name)
        self.workbench.stage.still.value = stands_still(name)

    def shutdown(self) -> None:
        """End timers and workers, in this order. What cannot be interrupted does not hold up the end."""
        if self.ended:
            return
        self.ended = True
        self._ticker.stop()
        self.workbench.stage.timeline.pause()
        self.workbench.shutdown(SHUTDOWN_S)

    def _kept(self, make: FeatureMaker, host: Host) -> Feature:
        self._features.append(make(host))
        return self._features[-1]

    def _start_workers(self) -> None:
        if self.ended:  # closed before the event loop came round to it
            return
        if self._goes_on and (closed := self.settings.text(CLOSED)) is not None:
            self.workbench.closed_state.show(closed)
        self.assembly.start()
        self._ticker.start()

    def welcome(self, presented: Presented | None = None) -> None:
        """On the first start, have the tiles moving as soon as there is something to move, unless motion is to be reduced.

        On later ones, offer the text that was being edited when the program ended. What is to be presented at once comes before all that.
        """
        stage = self.workbench.stage
        if self.first_paint.over:
            self._start_keeping()
        else:
            self.first_paint.painted.connect(self._start_keeping)
        if presented is not None:
            self.presenting.begin(presented)
            return
        if self._first_start:
            stage.timeline.unit.value = Unit.TILE
        if self._first_start and not stage.still.value:

            def play(_picture: AnyPicture | None) -> None:
                unsubscribe()
                stage.timeline.play()

            unsubscribe = stage.picture.subscribe(play)

    def _start_keeping(self) -> None:
        if not self.ended:
            self.workbench.start_keeping()

    def _show_variant(self, variant_id: str) -> None:
        from kernels.catalogue import catalogue

        variant = catalogue.find(variant_id)
        if variant is not None:
            self.session.choose_variant(variant)

    def _size_window(self, size: tuple[int, int] | None) -> None:
        geometry = self.settings.geometry()
        if size is not None:
            self.window.resize(QSize(*size))
        elif geometry is None or not self.window.restoreGeometry(geometry):
            room = self.window.screen().availableSize()
            self.window.resize(QSize(*_DEFAULT_SIZE).boundedTo(room.shrunkBy(_FRAME)))

    def _chosen_theme(self) -> Theme:
        return theme(self._theme_choice if self._theme_choice != "system" else system_theme(self._qt.styleHints()), self._zoom / 100)

    def _apply_look(self) -> None:
        """The style sheet goes first and comes last: with one each panel would be styled anew whenever it is put into another."""
        self._qt.setStyleSheet("")
        chosen = self._chosen_theme()
        look = Look(chosen, Translator(self._language))
        self._qt.setPalette(palette(chosen))
        self._qt.setPalette(tick_box_palette(chosen), "QCheckBox")  # type: ignore[arg-type]  # declared as bytes, taken as text
        self._qt.setFont(chosen.font("body"))
        self.window.setFont(chosen.font("body"))  # a window in sight keeps the one before, and hands it on to what is built anew
        QToolTip.setFont(chosen.font("body"))
        self._qt_texts.speak(look.translator)
        self._look = look
        self.window.show_look(look, Chosen(self._theme_choice, self._motion_choice))
        self._qt.setStyleSheet(style_sheet(chosen))

    def _choose_path(self, suffix: str) -> Path | Message | None:
        title = self._look.text(message("Export the measurements"))
        kinds = ["CSV (*.csv)", "JSON (*.json)"]
        chosen = kinds[suffix == "json"]
        proposed = self.session.draft_editor.beside(f"tilescope.{suffix}")
        name, kind = QFileDialog.getSaveFileName(self.window, title, proposed, ";;".join(kinds), chosen)
        if not name:
            return None
        self.session.draft_editor.visit(Path(name))
        return path_with(Path(name), TABLES[::-1] if kind == kinds[1] else TABLES)

    def _closing(self) -> None:
        self.settings.save_geometry(self.window.saveGeometry())
        self.workbench.lesson_controller.player.close()  # what it had ticked is nobody's choice
        self.settings.save_stage(self.session)
        self.settings.save_ticks(self.session)
        self.settings.save_text(CLOSED, None if self.workbench.interrupted else closed_text(self.workbench.states.now()))
        self.window.hide()  # what has to be waited for is not waited for before the user's eyes
        self.shutdown()
        self._qt.quit()  # Qt would too, but calls it off when a tip or a menu shows itself meanwhile


def qt_application() -> QApplication:
    """The process's QApplication with the bundled fonts; made when there is none."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    made = QApplication(sys.argv[:1])
    made.setApplicationName("Tilescope")
    made.setStyle("Fusion")
    made.clipboard().dataChanged.connect(lambda: copy_plainly(made.clipboard()))
    for entry in files("resources").joinpath("fonts").iterdir():
        if entry.name.endswith((".otf", ".ttf")):
            QFontDatabase.addApplicationFont(str(entry))
    made.setWindowIcon(QIcon(str(files("resources").joinpath("icons", "tilescope.svg"))))
    return made
