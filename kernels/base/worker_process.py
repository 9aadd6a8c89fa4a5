"""A process of our own that answers requests with a function, and this side's end of the pipe to it."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

_LOG = logging.getLogger("tilescope.worker")
ENDING_S = 10.0
"""How long a killed process is waited for."""
CRASHING_S = 0.5
"""How long a process that has gone silent may take to end by itself, so that it can be said how."""
RECEIVING_S = 30.0
"""How long an answer that has begun may take to arrive: the largest takes a few seconds."""


class WorkerDied(Exception):
    """The process ended before it answered."""


class WorkerProcess:
    """Answers one request after the other with `answer`, a function of a module. It ends with this process, however that ends."""

    def __init__(self, answer: Callable[..., Any], name: str, *, talks: bool = False) -> None:
        """With `talks` the function is given the connection beside the request, and may say and hear more before it answers.

        Raises OSError where the system starts no process.
        """
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_converse if talks else _serve, args=(theirs, answer), name=name, daemon=True)
        self.how_it_ended = ""
        """The signal or the exit status, once it has ended."""
        try:
            self._process.start()
        except OSError:
            self.connection.close()
            raise
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    @property
    def alive(self) -> bool:
        return not self.connection.closed and self._process.is_alive()

    def send(self, request: object) -> None:
        """Ask; `connection` can be read when there is an answer, and also when the process has died."""
        with contextlib.suppress(OSError):
            self.connection.send(request)

    def receive(self) -> Any:
        """The answer. Raises WorkerDied, and ends what is left of the process, where what comes is none or never ends."""
        late = threading.Timer(RECEIVING_S, self.kill)
        late.daemon = True
        late.start()
        try:
            return self.connection.recv()
        except Exception as error:  # what is not an answer may fail in any way when it is taken for one
            self._process.join(CRASHING_S)
            self.how_it_ended = _how(self._process.exitcode)
            _LOG.info("worker %s (process %d) did not answer: %s", self._process.name, self.pid, type(error).__name__)
            self.end()
            raise WorkerDied from error
        finally:
            late.cancel()

    def kill(self) -> None:
        """Kill the process, whatever it is doing; `receive` then raises. Another thread may do this, unlike all else here."""
        with contextlib.suppress(ValueError):  # ended already
            self._process.kill()

    def end(self) -> None:
        """Kill the process and wait until it is gone, but no longer than a moment."""
        if not self.connection.closed:
            self.connection.close()
            self._process.kill()
            self._process.join(ENDING_S)
            with contextlib.suppress(ValueError):  # a driver may hold it back: it ends as soon as that lets it go
                self._process.close()


def _how(status: int | None) -> str:
    if status is None:
        return "killed"
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"


def _serve(connection: Connection, answer: Callable[[Any], Any]) -> None:
    """The process: answers requests until the other side is gone."""
    _be_quiet()
    end_with_parent()
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(answer(connection.recv()))


def _converse(connection: Connection, answer: Callable[[Any, Connection], Any]) -> None:
    """Serve requests with an `answer` that is given the connection, as it talks while it works."""
    _serve(connection, lambda request: answer(request, connection))


def end_with_parent() -> None:
    """Once nobody is left to hear an answer, end at once, also in the middle of working one out."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), name="parent", daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _be_quiet() -> None:
    """Leave the terminal to the program: its output, and the interrupt key."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        with contextlib.suppress(OSError):  # a program without a terminal may lack these
            os.dup2(nowhere, stream)
