"""The process in which a device is measured: nothing else of ours has its interpreter, its cores or its faults.

What is asked is a call of a method of the device's service there. While it works it tells how far it is, and asks for stillness before it
takes samples; the thread that asks passes that on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any

from kernels.base.arrays import CancelCheck, never
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.base.worker_process import Deadline, NoAnswer, Why, WorkerChannel, WorkerProcess
from kernels.catalogue.case import Case
from kernels.measure.protocol import Protocol
from kernels.measure.real_run import RunProgress, RunTimeline
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import MeasureRequest, Observer, Sampler, SamplingState, failure, unmeasured

RUN_AT_MOST = 2.0
"""A run that takes this many times the time budget of its point was not predicted right, or hangs: it is ended."""
LEAST_S = 10.0
"""What every run is given: the first launch of a library loads it."""
OTHER_S = 120.0
"""What a call that tells nothing may take: the first one imports CuPy, a long text is compiled."""


@dataclass(frozen=True, slots=True)
class Call:
    """A method of the service, and what it is given."""

    method: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class CallResult:
    """Result of a call: what the method returned. `lost`: the device takes nothing more from this process, which is to be replaced."""

    value: Any
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """Failure of a call, with its reason. `lost`: the device takes nothing more from this process, which is to be replaced."""

    reason: Message
    lost: bool = False


@dataclass(frozen=True, slots=True)
class ObserverCall:
    """A call of an observer's method, made in the process."""

    method: str
    arguments: tuple[Any, ...]


class QuietRequest(Enum):
    """Message about stillness, which the process asks for before it takes samples, is granted, and gives back after them."""

    ASKED = auto()
    GRANTED = auto()
    GIVEN_BACK = auto()


class RemoteObserver:
    """The process's side of the way to whoever asks: an observer that is not here."""

    def __init__(self, channel: WorkerChannel) -> None:
        self._channel = channel

    def entered(self, point: Case, phase: SamplingState) -> None:
        """A phase of `point` begins."""
        self._channel.say(ObserverCall("entered", (point, phase)))

    def sampled(self, point: Case, taken: int, at_most: int) -> None:
        """`taken` samples of `point` are there; no more than about `at_most` will be taken."""
        self._channel.say(ObserverCall("sampled", (point, taken, at_most)))

    def tell(self, progress: RunProgress) -> None:
        """How far a recording is."""
        self._channel.say(ObserverCall("tell", (progress,)))

    @contextmanager
    def still(self) -> Iterator[None]:
        """Wait until the rest of the program keeps still; it moves again when the context is left."""
        self._channel.say(QuietRequest.ASKED)
        self._channel.hear()
        try:
            yield
        finally:
            self._channel.say(QuietRequest.GIVEN_BACK)


class DeviceService:
    """Service of a device in its process: does one call after the other."""

    def __init__(self, make: Callable[[], Sampler]) -> None:
        """`make`, a function of a module, makes the sampler when it is first needed."""
        self._make = make
        self._sampler: Sampler | None = None
        self._observer: RemoteObserver | None = None

    def __call__(self, call: Call, channel: WorkerChannel) -> CallResult | Failed:
        """What the method returns, or why it failed."""
        self._observer = RemoteObserver(channel)
        try:
            return CallResult(getattr(self, call.method)(*call.arguments))
        except Exception as error:  # a kernel may raise anything, and the program is to be told
            return Failed(failure(error))

    def measure(self, request: MeasureRequest) -> Result:
        """The result of a point; how it gets on is told meanwhile."""
        assert self._observer is not None
        return self.sampler.measure(request, never, self._observer)

    def record(self, point: Case, runs: int) -> RunTimeline:
        """A run of a point with all that was seen of it; how it gets on is told meanwhile."""
        assert self._observer is not None
        return self.sampler.record(point, runs, never, self._observer.tell)

    def forget(self) -> None:
        """Free what is kept from one point to the next."""
        if self._sampler is not None:
            self._sampler.forget()

    @property
    def sampler(self) -> Sampler:
        """Sampler that measures, made when it is first needed."""
        if self._sampler is None:
            self._sampler = self._make()
        return self._sampler


class DeviceProcess:
    """Started when it is first needed, kept for all that follows, replaced after a fault. To be used in one thread at a time.

    Starting it takes a second or two; that is not part of any measured time. Cancelling ends it.
    """

    def __init__(self, device: str, service: DeviceService, budget_s: float | None = None) -> None:
        """`device` as it is called in sentences; `budget_s` is the time that a point is given, the protocol's by default."""
        self._device, self._service = device, service
        self._run_s = max(LEAST_S, RUN_AT_MOST * (budget_s or Protocol().budget_s))
        self._worker: WorkerProcess | None = None

    @property
    def pid(self) -> int | None:
        """The process's, where there is one."""
        return self._worker.pid if self.alive and self._worker is not None else None

    @property
    def alive(self) -> bool:
        return self._worker is not None and self._worker.alive

    def start(self) -> None:
        """Have a process. Raises `RunFailed` where the system starts none."""
        if self.alive:
            return
        self.close()
        try:
            self._worker = WorkerProcess(self._service, self._device.lower(), channel=True)
        except OSError as error:
            raise RunFailed(
                message("The process for the {device} could not be started: {error}", device=self._device, error=str(error))
            ) from error

    def measure(self, request: MeasureRequest, check: CancelCheck, observer: Observer) -> Result:
        """Measure one point. Whatever goes wrong with it, the end of the process too, is in the result; only `Cancelled` is raised."""
        self._run_s = max(LEAST_S, RUN_AT_MOST * request.protocol.budget_s)
        try:
            self.start()
            result: Result = self._ask(check, Call("measure", (request,)), observer, None)
        except RunFailed as failed:
            return replace(unmeasured(request, datetime.now(UTC)), status=Status.FAILED, reason=failed.reason)
        return result

    def record(self, point: Case, runs: int, check: CancelCheck, tell: Callable[[RunProgress], None]) -> RunTimeline:
        """Run a point, and tell all that was seen of it. Raises `RunFailed`, and `Cancelled` where `check` does."""
        self.start()
        recording: RunTimeline = self._ask(check, Call("record", (point, runs)), _Teller(tell), None)
        return recording

    def forget(self) -> None:
        """Have the process free what it keeps from one point to the next."""
        if self.alive:
            with contextlib.suppress(RunFailed):  # then it is gone, and the memory with it
                self.ask(never, "forget")

    def ask(self, check: CancelCheck, method: str, *arguments: Any) -> Any:
        """What a method of the service returns.

        Raises `RunFailed` where it fails, hangs or ends the process, and `Cancelled` where `check` does: the process is then ended,
        unless the failure leaves it usable.
        """
        return self._ask(check, Call(method, arguments), None, self._run_s if method == "sample" else OTHER_S)

    def close(self) -> None:
        """End the process. The next measurement starts another."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _ask(self, check: CancelCheck, call: Call, observer: Observer | _Teller | None, seconds: float | None) -> Any:
        worker = self._worker
        if worker is None:
            raise RunFailed(self._died(""))
        try:
            answer = self._answer(worker, check, call, observer, seconds)
        except BaseException:
            self.close()
            raise
        if answer.lost:
            self.close()
        if isinstance(answer, Failed):
            raise RunFailed(answer.reason)
        return answer.value

    def _answer(
        self, worker: WorkerProcess, check: CancelCheck, call: Call, observer: Observer | _Teller | None, seconds: float | None
    ) -> CallResult | Failed:
        """The answer; what is told before it goes to the observer. `seconds`: None for as long as it tells something."""
        deadline = Deadline(seconds or float("inf"))
        with contextlib.ExitStack() as stillness:

            def hear(said: ObserverCall | QuietRequest) -> None:
                if said is QuietRequest.ASKED and observer is not None:
                    stillness.enter_context(observer.still())
                    worker.send(QuietRequest.GRANTED)
                elif said is QuietRequest.GIVEN_BACK:
                    stillness.close()
                elif isinstance(said, ObserverCall):
                    getattr(observer, said.method)(*said.arguments)
                    deadline.put_off(self._given_s(said))

            try:
                answer: CallResult | Failed = worker.ask(call, deadline.left, check, heard=hear)
            except NoAnswer as none:
                raise RunFailed(self._late(seconds or self._run_s) if none.why is Why.LATE else self._died(none.how)) from none
            return answer

    def _given_s(self, heard: ObserverCall) -> float:
        """How long the process may now say nothing. A reference of large matrices takes as long as it takes."""
        if heard.method == "sampled" or heard.arguments[-1] in (SamplingState.RUNNING, SamplingState.SAMPLING):
            return self._run_s
        return float("inf") if heard.arguments[-1] is SamplingState.VERIFYING else OTHER_S + self._run_s

    def _late(self, seconds: float) -> Message:
        return message(
            "The {device} was not done after {seconds} s, and its process was ended. The next measurement starts a new one.",
            device=self._device, seconds=seconds,
        )  # fmt: skip

    def _died(self, how: str) -> Message:
        return message(
            "The {device}'s process ended unexpectedly ({how}): a kernel took it down, the driver, or a lack of memory. "
            "The next measurement starts a new one.",
            device=self._device, how=how or "?",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Teller:
    """Is told how a recording gets on."""

    tell: Callable[[RunProgress], None]

    def still(self) -> contextlib.AbstractContextManager[None]:
        """Runs that are shown, not compared, need none."""
        return contextlib.nullcontext()
