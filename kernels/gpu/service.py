"""What the GPU's process does, one call after the other: look for the GPU, and execute one prepared point at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from kernels.devices import DeviceStatus
from kernels.gpu.detect import look
from kernels.gpu.errors import explain
from kernels.gpu.execution import Conditions, Execution, Executor
from kernels.gpu.greetings import greet
from kernels.gpu.libraries import COMPILER, load
from kernels.greetings import Order
from kernels.measure.device_process import Answer, Call, DeviceService, Failed, Line
from kernels.measure.phases import PhaseTimes
from kernels.measure.results import Point, Result, Status
from kernels.measure.runner import CancelCheck, Matrix, RunFailed
from kernels.measure.sampler import Sampler
from kernels.spec import Parameters


class GpuService(DeviceService):
    """Lives in the process. A call that fails leaves no point prepared."""

    def __init__(self) -> None:
        super().__init__(self._make_sampler)
        self._executor: Executor | None = None
        self._prepared = ExitStack()
        self._execution: Execution | None = None

    def __call__(self, call: Call, connection: Connection) -> Answer | Failed:
        """What the method returns, or why it failed."""
        load(COMPILER)
        self._line = Line(connection)
        try:
            value = getattr(self, call.method)(*call.arguments)
            return Answer(value, lost=isinstance(value, Result) and value.status is Status.FAILED and not usable())
        except RunFailed as failed:
            reason = failed.reason
        except Exception as error:  # a driver may raise anything, and the program is to be told
            reason = explain(error)
        with suppress(Exception):  # what cannot be freed goes with the process
            self.release()
        return Failed(reason, lost=not usable())

    def status(self) -> DeviceStatus:
        """The state of the first GPU."""
        return look()

    def prepare(self, status: DeviceStatus, point: Point) -> None:
        """Compile and allocate for a point; what was prepared before is released. `status` is the GPU's."""
        self.release()
        self._executor = self._executor or Executor(status)
        self._execution = self._prepared.enter_context(self._executor.prepare(point))

    def fill(self, name: str, first: int, rows: Matrix) -> None:
        """Set rows of an input."""
        self._current().fill(name, first, rows)

    def poison(self) -> None:
        """Fill the output with NaN."""
        self._current().poison()

    def sample(self) -> float:
        """Milliseconds of one launch."""
        return self._current().sample()

    def output(self, first: int, last: int) -> Matrix:
        """Rows of the output."""
        return self._current().output(first, last)

    def conditions(self) -> Conditions:
        """What is particular to the GPU and the launch."""
        return self._current().conditions()

    def phases(self, status: DeviceStatus, point: Point, pinned: bool) -> PhaseTimes:
        """Where the time of one use goes; true of a process that has not used the GPU."""
        from kernels.gpu.phases import phases_here

        return phases_here(status, point, pinned=pinned)

    def greet(self, status: DeviceStatus, parameters: Parameters, runs: int) -> tuple[Order, ...]:
        """In which order the lines of `gpu.hello` came, run after run."""
        return greet(int(str(status.details["compute_capability"]).replace(".", "")), parameters, runs)

    def release(self) -> None:
        """Free the matrices."""
        self._execution = None
        self._prepared.close()

    def _make_sampler(self) -> Sampler:
        self._executor = self._executor or Executor(self.status())
        return Sampler(OwnRunner(self._executor))

    def _current(self) -> Execution:
        assert self._execution is not None, "nothing is prepared"
        return self._execution


@dataclass(frozen=True, slots=True)
class OwnRunner:
    """Runs variants on the GPU for a sampler in the same process."""

    executor: Executor

    @contextmanager
    def prepare(self, point: Point, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[OwnRun]:
        """Compile, allocate, copy the inputs. Leaving the context frees the matrices. Raises `RunFailed`."""
        check()
        with self.executor.prepare(point) as execution:
            for name, matrix in inputs.items():
                execution.fill(name, 0, matrix)
            yield OwnRun(execution, point.problem.shapes["C"][0])


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A kernel with its matrices on the GPU; its output has so many rows."""

    execution: Execution
    rows: int

    def poison(self) -> None:
        """Fill the output with bytes of ones, as float32 NaN; for a kernel that works in place, with the input."""
        self.execution.poison()

    def sample(self, check: CancelCheck) -> float:
        """The time of one launch in milliseconds."""
        check()
        return self.execution.sample()

    def output(self) -> Matrix:
        """The output, brought to the host."""
        return self.execution.output(0, self.rows)

    def conditions(self) -> Conditions:
        """What is particular to the GPU and the launch."""
        return self.execution.conditions()


def usable() -> bool:
    """Whether the GPU still takes work: some errors, such as an illegal address, stay with the process for ever."""
    try:
        from cupy.cuda import runtime

        runtime.deviceSynchronize()
    except Exception:  # whatever it is, a new process is the remedy
        return False
    return True
