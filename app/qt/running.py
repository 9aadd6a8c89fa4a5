"""The window with all that watches over it: the log, what Qt says, errors that nobody caught, and crashes of earlier processes."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from app.core.desktop import when_told_to_end
from app.core.i18n import Translator
from app.core.places import find_places, prepare
from app.core.trouble.crash import last_words
from app.core.trouble.log import LOG, logging_to
from app.core.trouble.report import Reports
from app.core.trouble.steps import note_steps
from app.core.trouble.versions import version_lines
from app.core.trouble.watch import Watch
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.settings import Settings
from app.qt.trouble.feature import Troubles
from app.qt.trouble.qt_messages import qt_messages_logged


def run(arguments: WindowArguments, translator: Translator) -> int:
    """Open the window and stay until it is closed; returns the exit status. `translator` is for reports."""
    home = Path.home()
    places = find_places(os.environ, sys.platform, home)
    watch = Watch(Reports(places.logs, places.logs, translator.text, home))
    with ExitStack() as stack:
        for watching in (logging_to(places.logs), last_words(places.logs), watch.in_force(), qt_messages_logged()):
            stack.enter_context(watching)
        LOG.info("start: %s", "; ".join(version_lines()))
        settings = Settings(places.settings_file if prepare(places.settings) is None else None)
        desktop = Desktop(arguments, places, settings, (partial(Troubles, watch=watch, logs=places.logs),))
        when_told_to_end(desktop.window.close)
        note_steps(desktop.workbench)
        desktop.start()
        desktop.welcome(presented=arguments.presented)
        desktop.assembly.errands.send("crashes", partial(watch.look_back, places.logs), lambda _: None)
        status = desktop.run()
        LOG.info("end: %d", status)
        return status
