"""The process that traces kernels, and this side's end of the pipe to it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from multiprocessing.connection import Connection

from kernels.catalog import find
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.messages import Message, message
from kernels.spec import Parameters, Problem

SEED = 1

Outcome = Trace | Message
"""A trace, or the reason why there is none."""


class TraceWorker:
    """A running process that traces one kernel after the other. It ends with this process, however that ends."""

    def __init__(self) -> None:
        """Raises OSError where the system starts no process."""
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), name="tracing", daemon=True)
        try:
            self._process.start()
        except OSError:
            self.connection.close()
            raise
        finally:
            theirs.close()

    @property
    def alive(self) -> bool:
        return not self.connection.closed and self._process.is_alive()

    def send(self, variant_id: str, problem: Problem, parameters: Parameters) -> None:
        """Ask for a trace; `connection` can be read when there is an outcome, and also when the process has died."""
        with contextlib.suppress(OSError):
            self.connection.send((variant_id, problem, parameters))

    def receive(self) -> Outcome:
        """The outcome that the process sent, or that it died."""
        try:
            outcome: Outcome = self.connection.recv()
        except (EOFError, OSError):
            self.end()
            return message("The tracing process ended unexpectedly; the next trace starts a new one.")
        return outcome

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        if not self.connection.closed:
            self.connection.close()
            self._process.kill()
            self._process.join()
            self._process.close()


def _serve(connection: Connection) -> None:
    """The process: answers requests until the other side is gone."""
    _be_quiet()
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(_outcome(*connection.recv()))


def _be_quiet() -> None:
    """Leave the terminal to the program: its output, and the interrupt key."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        with contextlib.suppress(OSError):  # a program without a terminal may lack these
            os.dup2(nowhere, stream)


def _outcome(variant_id: str, problem: Problem, parameters: Parameters) -> Outcome:
    variant = find(variant_id)
    if variant is None:
        return message("There is no variant {variant}.", variant=variant_id)
    try:
        return trace(variant, problem, parameters, SEED)
    except TraceTooLarge as too_large:
        return too_large.reason
    except Exception as error:  # a kernel may raise anything
        return message("The kernel stopped with an error: {error}", error=f"{type(error).__name__}: {error}")
