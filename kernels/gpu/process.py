"""The process in which all GPU work of the catalogue is done, and which is replaced when that takes it down."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from kernels.devices import Availability, DeviceStatus
from kernels.gpu.detect import look
from kernels.gpu.service import Call, Failed, GpuService
from kernels.measure.protocol import Protocol
from kernels.measure.runner import CancelCheck, RunFailed
from kernels.messages import Message, message
from kernels.spec import Device
from kernels.worker import WorkerDied, WorkerProcess

RUN_AT_MOST = 2.0
"""A run that takes this many times the time budget of its point was not predicted right, or hangs: it is ended."""
LEAST_S = 10.0
"""What every run is given: the first launch of a library loads it."""
OTHER_S = 120.0
"""What everything but a run may take: the first call imports CuPy, a long text is compiled."""
POLL_S = 0.1
"""How often whoever waits asks whether the answer is still wanted. What takes less is never torn down."""


class GpuProcess:
    """Started when it is first needed, kept for all that follows, replaced after a fault. To be used in one thread at a time.

    Starting it takes a second or two, for CuPy and the GPU's context; that is not part of any measured time.
    """

    def __init__(self, budget_s: float | None = None, answer: Callable[[Call], Any] | None = None) -> None:
        """`budget_s` is the time that a point is given, the protocol's by default. `answer` is what the process does with a call."""
        self._run_s = max(LEAST_S, RUN_AT_MOST * (budget_s or Protocol().budget_s))
        self._answer = answer or GpuService()
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
            self._worker = WorkerProcess(self._answer, "gpu")
        except OSError as error:
            raise RunFailed(message("The process for the GPU could not be started: {error}", error=str(error))) from error

    def ask(self, check: CancelCheck, method: str, *arguments: Any) -> Any:
        """What a method of the service returns.

        Raises `RunFailed` where it fails, hangs or ends the process, and `Cancelled` where `check` does: the process is then ended,
        unless the failure leaves it usable.
        """
        worker = self._worker
        if worker is None:
            raise RunFailed(_DIED)
        worker.send(Call(method, arguments))
        try:
            answer = self._await(worker, check, self._run_s if method == "sample" else OTHER_S)
        except BaseException:  # a late answer must never be taken for another call's
            self.close()
            raise
        if isinstance(answer, Failed):
            if answer.lost:
                self.close()
            raise RunFailed(answer.reason)
        return answer

    def status(self) -> DeviceStatus:
        """The state of the first GPU. Takes a second or two; where there is no CuPy, it starts no process."""
        if find_spec("cupy") is None:
            return look()
        try:
            self.start()
            status: DeviceStatus = self.ask(lambda: None, "status")
        except RunFailed as failed:
            status = DeviceStatus(
                Device.GPU, Availability.FAILED, "", failed.reason,
                message("See that the command {check} lists the GPU.", check="nvidia-smi"),
            )  # fmt: skip
        return status

    def close(self) -> None:
        """End the process. The next measurement starts another."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _await(self, worker: WorkerProcess, check: CancelCheck, seconds: float) -> Any:
        end = time.monotonic() + seconds
        try:
            while not worker.connection.poll(POLL_S):
                if time.monotonic() > end:
                    raise RunFailed(_late(seconds))
                check()
            return worker.receive()
        except (WorkerDied, OSError) as died:
            raise RunFailed(_DIED) from died


def _late(seconds: float) -> Message:
    return message(
        "The GPU was not done after {seconds} s, and its process was ended. The next measurement starts a new one.", seconds=seconds
    )


_DIED = message("The GPU's process ended unexpectedly: a kernel or the driver took it down. The next measurement starts a new one.")
