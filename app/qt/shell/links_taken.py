"""Links that other starts of the program hand over to the window, which shows them."""

from __future__ import annotations

import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, QTimer

from app.core.workbench.links import LARGEST_LINK, PATIENCE_S, TAKEN, Doorway

Take = Callable[[str], Callable[[], None] | None]
"""Looks at a link; returns what shows it, or None where it is not taken, so that the sender opens a window of its own."""
RETRY_MS = 2000
"""How often a window looks whether the one that takes links has ended."""
PART = 1 << 16


class LinksTaken(QObject):
    """Waits for links while the window lives. The interface never waits for whoever sends one."""

    def __init__(self, doorway: Doorway, take: Take, parent: QObject) -> None:
        super().__init__(parent)
        self._doorway, self._take = doorway, take
        self._notifier: QSocketNotifier | None = None
        self._looking = QTimer(self)
        self._looking.setInterval(RETRY_MS)
        self._looking.timeout.connect(self._open)
        self._open()

    def close(self) -> None:
        """Take no more links."""
        self._looking.stop()
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier = None
        for asking in self.findChildren(_Asking):
            asking.end()
        self._doorway.close()

    def _open(self) -> None:
        if not self._doorway.open() or self._doorway.listening is None:
            self._looking.start()
            return
        self._looking.stop()
        self._notifier = QSocketNotifier(self._doorway.listening.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._accept)

    def _accept(self) -> None:
        if self._doorway.listening is None:
            return
        try:
            asking, _ = self._doorway.listening.accept()
        except OSError:  # whoever it was has gone
            return
        _Asking(asking, self._take, self)


class _Asking(QObject):
    """One who sends a link: he has as long as he himself would wait."""

    def __init__(self, asking: socket.socket, take: Take, parent: QObject) -> None:
        super().__init__(parent)
        asking.settimeout(0)
        self._asking, self._take, self._sent = asking, take, b""
        self._notifier = QSocketNotifier(asking.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.end)
        self._late.start(round(PATIENCE_S * 1000))

    def _read(self) -> None:
        try:
            part = self._asking.recv(PART)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        self._sent += part
        if part and len(self._sent) <= LARGEST_LINK and not self._sent.endswith(b"\n"):
            return
        link, whole, more = self._sent.partition(b"\n")
        show = self._take(link.decode("ascii", "replace")) if whole and not more else None
        taken = show is not None and self._answered()
        self.end()
        if show is not None and taken:
            show()

    def _answered(self) -> bool:
        """Say that the link is taken, before it is shown, which may take a moment; False where he has not waited."""
        try:
            return self._asking.send(TAKEN) == len(TAKEN)
        except OSError:
            return False

    def end(self) -> None:
        """Hear no more of him."""
        self._notifier.setEnabled(False)
        self._late.stop()
        self._asking.close()
        self.deleteLater()
