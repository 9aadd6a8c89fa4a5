"""A process of our own that answers requests with a function, and this side's end of the pipe to it."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from enum import Enum, auto
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any

from kernels.base.values import dataclass

_LOG = logging.getLogger("tilescope.worker")
ENDING_S = 10.0
"""How long a killed process is waited for."""
CRASHING_S = 0.5
"""How long a process that has gone silent may take to end by itself, so that it can be said how."""
RECEIVING_S = 30.0
"""How long an answer that has begun may take to arrive: the largest takes a few seconds."""


WATCH_S = 0.05
"""How often whoever waits looks whether the answer is still wanted, late, or takes too much memory. What takes less is never ended."""
LOWER = 10
"""The priority of a process that gives way, as `nice` counts it: on a busy core it has a tenth of what others have."""


class Why(Enum):
    """Reason for which a process did not answer."""

    DIED = auto()
    LATE = auto()
    CANCELLED = auto()
    TOO_LARGE = auto()


class NoAnswer(Exception):
    """The process did not answer and is ended. `how`: the signal or the exit status of one that ended by itself."""

    def __init__(self, why: Why, how: str = "") -> None:
        super().__init__(why.name)
        self.why, self.how = why, how


class Deadline:
    """A moment, so many seconds from now, that can be put off."""

    def __init__(self, seconds: float) -> None:
        self.put_off(seconds)

    def put_off(self, seconds: float) -> None:
        """Let it be so many seconds from now."""
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until then; at most 0 when it is over."""
        return self._end - time.monotonic()


@dataclass(frozen=True, slots=True)
class _Said:
    """What a process says before it answers."""

    words: Any


_STARTED = _Said("started")
"""The first that a process says: it has imported what it needs."""


class WorkerChannel:
    """The process's way to whoever asked: what it says is no answer yet."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def say(self, words: object) -> None:
        """Tell something; it is given to `heard` of `ask`."""
        self._connection.send(_Said(words))

    def hear(self) -> Any:
        """Wait for what the other side sends."""
        return self._connection.recv()


class WorkerProcess:
    """Answers one request after the other with `answer`, a function of a module. It ends with this process, however that ends."""

    def __init__(self, answer: Callable[..., Any], name: str, *, channel: bool = False, preloaded: str | None = None) -> None:
        """With `channel` the function is given a `WorkerChannel` beside the request, and may say and hear more before it answers.

        `preloaded` is a module that takes long to import: on Linux the process is a copy of one that has imported it, which the first such
        call starts, and which stays until this process ends. All of them name the same module.

        Raises OSError where the system starts no process.
        """
        context = _context(preloaded)
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, answer, channel), name=name, daemon=True)
        self.ready = False
        """Whether it is known to have started and imported what it needs: on a busy machine that takes longer than many an answer."""
        self.began = time.monotonic()
        try:
            self._process.start()
        except (OSError, EOFError) as error:  # the latter where the process that is copied has died
            self._connection.close()
            raise OSError(*error.args) from error
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    @property
    def alive(self) -> bool:
        return not self._connection.closed and self._process.is_alive()

    def started(self, seconds: float) -> bool:
        """Whether the process is ready, for which it is waited so long. Raises `NoAnswer` where it has died."""
        if not self.ready and self._hears(seconds):
            self._receive()
            self.ready = True
        return self.ready

    def ask(
        self,
        job: object,
        seconds: float | Callable[[], float],
        cancelled: Callable[[], bool | None] = lambda: None,
        *,
        most_bytes: int | None = None,
        heard: Callable[[Any], None] = lambda _: None,
    ) -> Any:
        """What the process answers. `heard` is called with what it says meanwhile.

        Raises `NoAnswer` where it dies, is not done after `seconds` (a number, or a function that says how much is left), `cancelled` is
        true, or it has more than `most_bytes` of memory. The process is then ended, as it is by whatever the functions raise: a late
        answer must never be taken for another job's.
        """
        left = seconds if callable(seconds) else Deadline(seconds).left
        try:
            self.send(job)
            looked = time.monotonic()
            while True:
                if self._hears(min(WATCH_S, left())):
                    said = self._receive()
                    if not isinstance(said, _Said):
                        return said
                    if said == _STARTED:
                        self.ready = True
                    else:
                        heard(said.words)
                if time.monotonic() - looked >= WATCH_S or left() <= 0:
                    looked = time.monotonic()
                    self._look(left, cancelled, most_bytes)
        except BaseException:
            self.end()
            raise

    def send(self, words: object) -> None:
        """Say something to the process while it works on a job, which hears it by its `WorkerChannel`."""
        with contextlib.suppress(OSError):
            self._connection.send(words)

    def _look(self, left: Callable[[], float], cancelled: Callable[[], bool | None], most_bytes: int | None) -> None:
        if cancelled():
            raise NoAnswer(Why.CANCELLED)
        if left() <= 0:
            raise NoAnswer(Why.LATE)
        if most_bytes is not None and resident_bytes(self.pid) > most_bytes:
            raise NoAnswer(Why.TOO_LARGE)

    def _hears(self, seconds: float) -> bool:
        try:
            return self._connection.poll(max(seconds, 0))
        except OSError as error:  # of Windows, where the other end is gone
            raise self._died() from error

    def _receive(self) -> Any:
        """What comes next. Raises `NoAnswer`, and ends what is left of the process, where that is nothing or never ends."""
        late = threading.Timer(RECEIVING_S, self._kill)
        late.daemon = True
        late.start()
        try:
            return self._connection.recv()
        except Exception as error:  # what is not an answer may fail in any way when it is taken for one
            raise self._died() from error
        finally:
            late.cancel()

    def _died(self) -> NoAnswer:
        self._process.join(CRASHING_S)
        how = _how(self._process.exitcode)
        _LOG.info("worker %s (process %d) did not answer: %s", self._process.name, self.pid, how)
        self.end()
        return NoAnswer(Why.DIED, how)

    def _kill(self) -> None:
        with contextlib.suppress(ValueError):  # ended already
            self._process.kill()

    def end(self) -> None:
        """Kill the process and wait until it is gone, but no longer than a moment."""
        if not self._connection.closed:
            self._connection.close()
            self._process.kill()
            self._process.join(ENDING_S)
            with contextlib.suppress(ValueError):  # a driver may hold it back: it ends as soon as that lets it go
                self._process.close()


def ask_once(answer: Callable[..., Any], name: str, job: object, seconds: float, cancelled: Callable[[], bool | None]) -> Any:
    """What a process of its own answers to one job; it is then ended. Raises OSError where none starts, and what `ask` raises."""
    worker = WorkerProcess(answer, name)
    try:
        return worker.ask(job, seconds, cancelled)
    finally:
        worker.end()


def _context(preloaded: str | None) -> SpawnContext | ForkServerContext:
    """How a process is started: new, or copied."""
    if preloaded is None or sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([preloaded])
    return context


def _how(status: int | None) -> str:
    if status is None:
        return "killed"
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"


def _serve(connection: Connection, answer: Callable[..., Any], channel: bool) -> None:
    """The process: answers requests until the other side is gone."""
    _be_quiet()
    end_with_parent()
    more = (WorkerChannel(connection),) if channel else ()
    with contextlib.suppress(EOFError, OSError):
        connection.send(_STARTED)
        while True:
            connection.send(answer(connection.recv(), *more))


def end_with_parent() -> None:
    """Once nobody is left to hear an answer, end at once, also in the middle of working one out."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), name="parent", daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def give_way() -> None:
    """Let other programs go before this process from now on."""
    import psutil

    own = psutil.Process()
    with contextlib.suppress(psutil.Error, OSError):
        own.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else max(LOWER, own.nice()))


def _be_quiet() -> None:
    """Leave the terminal to the program: its output, and the interrupt key."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        with contextlib.suppress(OSError):  # a program without a terminal may lack these
            os.dup2(nowhere, stream)


def resident_bytes(pid: int) -> int:
    """Bytes of memory that a process has; 0 when it is gone."""
    import psutil

    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def processor_seconds(pid: int) -> float:
    """Seconds that a process has run on a processor, in all its threads; 0 when it is gone."""
    import psutil

    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)
