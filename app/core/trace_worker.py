"""The process that traces kernels, and this side's end of the pipe to it."""

from __future__ import annotations

from kernels.catalog import find
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.messages import Message, message
from kernels.spec import Parameters, Problem
from kernels.worker import WorkerDied, WorkerProcess

SEED = 1

Outcome = Trace | Message
"""A trace, or the reason why there is none."""
_Request = tuple[str, Problem, Parameters]


class TraceWorker:
    """A running process that traces one kernel after the other. It ends with this process, however that ends."""

    def __init__(self) -> None:
        """Raises OSError where the system starts no process."""
        self._process = WorkerProcess(_outcome, "tracing")
        self.connection = self._process.connection

    @property
    def alive(self) -> bool:
        return self._process.alive

    def send(self, variant_id: str, problem: Problem, parameters: Parameters) -> None:
        """Ask for a trace; `connection` can be read when there is an outcome, and also when the process has died."""
        self._process.send((variant_id, problem, parameters))

    def receive(self) -> Outcome:
        """The outcome that the process sent, or that it died."""
        try:
            outcome: Outcome = self._process.receive()
        except WorkerDied:
            return message("The tracing process ended unexpectedly; the next trace starts a new one.")
        return outcome

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.end()


def _outcome(request: _Request) -> Outcome:
    variant_id, problem, parameters = request
    variant = find(variant_id)
    if variant is None:
        return message("There is no variant {variant}.", variant=variant_id)
    try:
        return trace(variant, problem, parameters, SEED)
    except TraceTooLarge as too_large:
        return too_large.reason
    except Exception as error:  # a kernel may raise anything
        return message("The kernel stopped with an error: {error}", error=f"{type(error).__name__}: {error}")
