"""Links that begin with `tilescope:`: what one says, and the running window that takes it over, so that no second one is opened.

The window listens on a socket of its own in the user's folder, which others cannot open. Where a system has no such sockets (Windows), or
the path is too long for one, each link opens a window.
"""

from __future__ import annotations

import contextlib
import socket

from app.core.base.files.fields import BadFile
from app.core.base.files.locations import Locations, prepare
from app.core.base.parsing import shown
from app.core.state.read import read_state, step_asked
from app.core.state.snapshot import Snapshot
from app.core.state.written import LESSON
from app.core.workbench.window_arguments import LessonPosition
from kernels.base.file_lock import FileLock
from kernels.base.messages import Message, message

TAKEN = b"taken\n"
"""What the window answers when it shows the link."""
LARGEST_LINK = 1 << 20
"""Bytes of a link that is handed over; what is longer opens a window of its own."""
PATIENCE_S = 3.0
"""How long a window may be busy until it answers."""


def read_link(link: str) -> Snapshot | LessonPosition | Message:
    """What a link says: a state, or a lesson; or why it says nothing. No link names a file."""
    if not link.startswith(LESSON):
        found = read_state(link)
        return message("Link: {reason}", reason=found) if isinstance(found, Message) else found
    name, asks, asked = link.removeprefix(LESSON).partition("?")
    try:
        number = step_asked(asked) if asks else 0
    except BadFile as bad:
        return message("Link: {reason}", reason=bad.reason)
    from app.core.lessons.library import named, shipped_ids  # which the first window does not need

    if name not in shipped_ids():
        return message("There is no lesson '{text}'. Lessons: {names}.", text=shown(name), names=", ".join(shipped_ids()))
    lesson = named(name)
    return lesson if isinstance(lesson, Message) else LessonPosition(lesson, min(number, len(lesson.steps) - 1))


def hand_over(link: str, places: Locations) -> bool:
    """Give a link, which says something, to the window that runs; whether there is one that has taken it."""
    sent = "".join(link.split()).encode() + b"\n"
    if not hasattr(socket, "AF_UNIX") or len(sent) > LARGEST_LINK:
        return False
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(PATIENCE_S)
        asking.connect(str(places.window_socket))
        asking.sendall(sent)
        return asking.recv(len(TAKEN)) == TAKEN
    return False


class Doorway:
    """The socket of the window that takes links over: of those that run at a time the first, and after that one's end another."""

    def __init__(self, places: Locations) -> None:
        self._path = places.window_socket
        self._lock = FileLock(self._path.with_suffix(".lock"))
        self._possible = hasattr(socket, "AF_UNIX") and prepare(self._path.parent) is None
        self.listening: socket.socket | None = None

    def open(self) -> bool:
        """Listen, unless another window does; whether this one does now. Never waits."""
        if self.listening is None and self._possible:
            with contextlib.suppress(OSError):
                self._possible = not self._lock.take() or self._listen()
        return self.listening is not None

    def _listen(self) -> bool:
        """Listen, in place of a window that ended without a word: the lock is held, so that there is none at this socket."""
        self._path.unlink(missing_ok=True)
        made = socket.socket(socket.AF_UNIX)
        try:
            made.settimeout(0)
            made.bind(str(self._path))
            self._path.chmod(0o600)
            made.listen()
        except OSError:
            made.close()
            self._lock.release()
            return False
        self.listening = made
        return True

    def close(self) -> None:
        """Take nothing over any more."""
        if self.listening is not None:
            self.listening.close()
            self.listening = None
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
        self._lock.release()
