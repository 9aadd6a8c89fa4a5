"""What Qt says, into the log in place of the terminal."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app.core.trouble.log import LOG

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
