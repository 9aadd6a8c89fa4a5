"""The window with all that watches over it: the log, what Qt says, errors that nobody caught, and crashes of earlier processes."""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QCoreApplication

from app.core.desktop import when_told_to_end
from app.core.i18n import Translator
from app.core.memory import give_back_large_blocks
from app.core.places import Places, find_places, prepare
from app.core.trouble.crash import last_words
from app.core.trouble.log import LOG, logging_to, without_texts
from app.core.trouble.report import Reports
from app.core.trouble.steps import note_steps
from app.core.trouble.versions import version_lines
from app.core.trouble.watch import Watch
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.first_paint import note_first_window
from app.qt.opened import show_opened
from app.qt.settings import Settings
from app.qt.trouble.feature import Troubles
from app.qt.trouble.qt_messages import qt_messages_logged

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
        desktop = Desktop(arguments, places, settings, (partial(Troubles, watch=watch, logs=places.logs),))
        when_told_to_end(desktop.window.close)
        end_soon_after_quitting(desktop)
        note_steps(desktop.workbench)
        desktop.first_paint.painted.connect(note_first_window)
        desktop.first_paint.painted.connect(_collect_from_now_on)
        desktop.start()
        desktop.welcome(presented=arguments.presented)
        show_opened(desktop.workbench, arguments.opened)
        desktop.assembly.errands.send("log", partial(_begin_log, watch, places), lambda _: None)
        status = desktop.run()
        LOG.info("end: %d", status)
    os._exit(status)


def _collect_from_now_on() -> None:
    """Garbage was not looked for while the window was made; what it is made of need not be looked at again, either."""
    gc.freeze()
    gc.enable()


def _begin_log(watch: Watch, places: Places) -> None:
    """What takes a moment, while the window is there already."""
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
