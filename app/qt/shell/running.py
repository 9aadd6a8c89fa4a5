"""Running of the window with all that watches over it: the log, Qt's messages, uncaught errors, crashes of earlier processes.

Qt's messages go into the log in place of the terminal. Freed memory goes back to the system, so that a window that is open for days is not
larger than what it shows.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QCoreApplication, QMessageLogContext, Qt, QTimer, QtMsgType, qInstallMessageHandler

from app.core.base.files.locations import Locations, find_places, prepare
from app.core.base.files.log import LOG, logging_to, without_texts
from app.core.base.i18n import Translator
from app.core.crash_reports.report import Reports, note_steps, version_lines
from app.core.crash_reports.uncaught import Watch, last_words
from app.core.diagnostics.desktop import when_told_to_end
from app.core.state.snapshot import Snapshot
from app.core.state.states import LINK_SHOWN
from app.core.workbench.links import Doorway, read_link
from app.core.workbench.window_arguments import LessonPosition, Tried, WindowArguments
from app.core.workbench.workbench import Workbench
from app.qt.base.lazy import note_first_window
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.crash_reports import CrashReports
from app.qt.shell.links_taken import LinksTaken
from kernels.base.messages import Message

_LEVELS: Mapping[QtMsgType, int] = {
    QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO, QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR, QtMsgType.QtFatalMsg: logging.CRITICAL,
}  # fmt: skip


@contextlib.contextmanager
def qt_messages_logged() -> Iterator[None]:
    """Log what Qt says from now on."""
    log = LOG.getChild("qt")

    def keep(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        log.log(_LEVELS[kind], "%s", text)

    before = qInstallMessageHandler(keep)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


LARGE_BYTES = 256 << 10
"""From this size on a block of memory is one of its own."""
_M_MMAP_THRESHOLD = -3


def give_back_large_blocks() -> None:
    """Have the C library return each large block at once when it is freed; does nothing where that is not glibc.

    By default glibc takes the first large block that is freed as a sign that there will be more like it, and keeps such blocks in its
    heaps, where smaller ones come to lie between them. Traces come and go by the megabyte, mostly in threads with a heap each: after
    3,000 changes it held 160 MiB that nobody used.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)


def show_opened(workbench: Workbench, opened: Snapshot | Tried | LessonPosition | Path | None) -> None:
    """Show a state, a lesson, an attempt at a challenge or a text; nothing is executed but by the interpreter."""
    match opened:
        case Snapshot():
            workbench.states.show(opened)
        case Tried():
            workbench.practice.open(opened.challenge, opened.attempt)
        case LessonPosition():
            workbench.lesson_controller.player.open(opened.lesson, opened.number)
        case Path():
            reason = workbench.session.draft_editor.open_file(opened)
            if reason is not None:
                workbench.tell(reason)


def link_shown_by(desktop: Desktop, link: str) -> Callable[[], None] | None:
    """What shows a link that another start of the program hands over; None where it says nothing, or would replace an edited text."""
    found, draft = read_link(link), desktop.session.draft_editor.draft.value
    replaces = isinstance(found, Snapshot) and found.draft is not None and draft is not None and draft.changed
    if isinstance(found, Message) or replaces or desktop.ended:
        return None

    def show() -> None:
        show_opened(desktop.workbench, found)
        desktop.workbench.tell(LINK_SHOWN)
        desktop.window.setWindowState(desktop.window.windowState() & ~Qt.WindowState.WindowMinimized)
        desktop.window.raise_()
        desktop.window.activateWindow()

    return show


GOODBYE_S = 0.5
"""How long what the interface is busy with may go on after the window has closed."""


def run(arguments: WindowArguments, translator: Translator) -> NoReturn:
    """Open the window and stay until it is closed; then end the process. `translator` is for reports.

    What is to be kept is kept by then. A kernel that runs on, a driver or a library could hold up an end in order, so the process just
    ends; its workers see that and end too.
    """
    give_back_large_blocks()
    home = Path.home()
    places = find_places(os.environ, sys.platform, home)
    watch = Watch(Reports(places.logs, places.logs, translator.text, home))
    with ExitStack() as stack:
        for watching in (logging_to(places.logs), last_words(places.logs), watch.in_force(), qt_messages_logged()):
            stack.enter_context(watching)
        settings = Settings(places.settings_file if prepare(places.settings) is None else None)
        if settings.notice is not None:
            LOG.info("settings: %s", without_texts(settings.notice))
        desktop = Desktop(arguments, places, settings, (partial(CrashReports, watch=watch, logs=places.logs),))
        when_told_to_end(desktop.window.close)
        end_soon_after_quitting(desktop)
        note_steps(desktop.workbench)
        desktop.first_paint.painted.connect(note_first_window)
        desktop.first_paint.painted.connect(partial(collect_from_now_on, desktop))
        desktop.first_paint.painted.connect(partial(load_rest_later, desktop))
        desktop.first_paint.painted.connect(partial(begin_log_later, desktop, watch, places))
        stack.callback(LinksTaken(Doorway(places), partial(link_shown_by, desktop), desktop.window).close)
        desktop.start()
        desktop.welcome(presented=arguments.presented)
        show_opened(desktop.workbench, arguments.opened)
        status = desktop.run()
        LOG.info("end: %d", status)
    os._exit(status)


COLLECTING_MS = 100
"""How often garbage is looked for."""
OVERDUE = 20
"""How many times over the limit old objects may be while something plays or is measured: looking through them takes longer than a frame."""


def collect(*, resting: bool) -> None:
    """Collect garbage where Python itself would by now: young objects often, old ones seldom, and those when nothing moves."""
    counts, limits = gc.get_count(), list(gc.get_threshold())
    if not resting:
        limits[-1] *= OVERDUE
    due = [generation for generation in range(3) if counts[generation] > limits[generation]]
    if due:
        gc.collect(max(due))


def collect_from_now_on(desktop: Desktop) -> None:
    """Garbage was not looked for while the window was made; what it is made of need not be looked at again, either.

    From now on it is looked for here alone, in the thread of the interface. Were it found by another thread, that would take Qt's objects
    apart while this one makes some: each then waits for what the other has. Earlier results come later and stay too: looking through
    100,000 of them again and again, also while they are read, would hold up the interface for a third of a second.
    """
    gc.freeze()
    bench, timer = desktop.workbench, QTimer(desktop.window)
    settled = False

    def look() -> None:
        nonlocal settled
        if not settled and bench.settled:
            settled = True
            gc.freeze()
        collect(resting=settled and not bench.stage.timeline.playing.value and not bench.timing.under_way.value)

    timer.timeout.connect(look)
    timer.start(COLLECTING_MS)


LOADED_LATER = ("app.qt.gpu_view.gpu_stage", "app.qt.inspector.content", "app.qt.shell.timing_workspace")
"""What the first window shows nothing of: the views of a launch, the settings, and the charts with all that they are drawn with."""
LOADING_MS = 100
"""How often it is looked whether the stage shows what it is to show."""


def load_rest_later(desktop: Desktop) -> None:
    """Load `LOADED_LATER` beside the interface: half a second that who asks first would wait.

    What the stage shows, what is known of times and which devices there are comes first. What else is found out in other processes goes on
    for seconds, and is not waited for.
    """
    bench, timer = desktop.workbench, QTimer(desktop.window)

    def look() -> None:
        if bench.stage_ready and bench.settled and not bench.stage.timeline.playing.value and not bench.timing.under_way.value:
            timer.stop()
            desktop.assembly.background_tasks.send("loading", _load_rest, lambda _: gc.freeze())

    timer.timeout.connect(look)
    timer.start(LOADING_MS)


def _load_rest() -> None:
    for name in LOADED_LATER:
        import_module(name)


def begin_log_later(desktop: Desktop, watch: Watch, places: Locations) -> None:
    """What takes a moment, when the window is there already: a thread that imports keeps the interface's from painting."""
    desktop.assembly.background_tasks.send("log", partial(_begin_log, watch, places), lambda _: None)


def _begin_log(watch: Watch, places: Locations) -> None:
    LOG.info("start: %s", "; ".join(version_lines()))
    watch.look_back(places.logs)


def end_soon_after_quitting(desktop: Desktop) -> None:
    """Have the process end when the window has closed, also if the interface is still busy: all is kept by then.

    Where the window was not closed, as the display is gone, nothing is kept yet, and the interface is not busy any more.
    """

    def end_soon() -> None:
        desktop.settings.save()
        if desktop.ended:
            late = threading.Timer(GOODBYE_S, os._exit, (0,))
            late.daemon = True
            late.start()

    application = QCoreApplication.instance()
    assert application is not None, "there is a window"
    application.aboutToQuit.connect(end_soon)
