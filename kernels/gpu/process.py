"""Process of the GPU, in which all GPU work of the catalogue is done, and which is replaced when that work takes it down.

It does one call after the other: look for the GPU, execute one prepared point, or run `gpu.hello` and catch what that prints in the order
in which it comes, for which its standard output is redirected.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib.util import find_spec
from typing import BinaryIO

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Parameters, Problem
from kernels.base.values import dataclass
from kernels.base.worker_process import WorkerChannel
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.gpu.compiler import Compiler
from kernels.gpu.detect import look
from kernels.gpu.errors import explain, in_plain_words
from kernels.gpu.execution import Conditions, Execution, Executor
from kernels.measure.device_process import Call, CallResult, DeviceProcess, DeviceService, Failed, RemoteObserver
from kernels.measure.gpu_use_times import UseTimes
from kernels.measure.print_orders import HOST_LINE, Order, Shape, order_of
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import Sampler
from kernels.nvrtc.tools import COMPILER, load

PRINTF_BUFFER = 1
"""cudaLimitPrintfFifoSize"""
BYTES_OF_A_LINE = 128
"""More than a call of printf with three numbers takes in the GPU's buffer."""
STDOUT = 1


def greet(capability: int, parameters: Parameters, runs: int) -> tuple[Order, ...]:
    """The orders of so many runs. Between the launch and the waiting the host prints its own line. Raises `RunFailed`."""
    variant = by_id("gpu.hello")
    assert variant.launch is not None
    launch, shape = variant.launch(Problem.square(Operation.HELLO, 0), parameters), Shape.of(parameters)
    with in_plain_words():
        _make_room(shape)
        kernel = Compiler(capability).kernel(variant.source_text, variant.entry, launch.defines)
        texts = [caught(lambda: kernel.function(launch.grid, launch.block, ())) for _ in range(runs)]
    return tuple(order_of(text, shape) for text in texts)


def caught(launch: Callable[[], object]) -> str:
    """What a launch and the host print until the GPU is done."""
    from cupy.cuda import runtime

    with tempfile.TemporaryFile() as file:
        with _redirected(file):
            launch()
            os.write(STDOUT, f"{HOST_LINE}\n".encode())
            runtime.deviceSynchronize()
        file.seek(0)
        return file.read().decode()


@contextmanager
def _redirected(file: BinaryIO) -> Iterator[None]:
    """Send what the process writes to its standard output, from any language, to a file."""
    _flush()
    before = os.dup(STDOUT)
    os.dup2(file.fileno(), STDOUT)
    try:
        yield
    finally:
        _flush()
        os.dup2(before, STDOUT)
        os.close(before)


def _flush() -> None:
    """The driver prints through the C library, which keeps what goes to a file until it is told to write it."""
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    library.fflush(None)


def _make_room(shape: Shape) -> None:
    """Let the buffer hold all lines; it cannot be changed once a kernel that prints has run, so it is made for the largest launch."""
    from cupy.cuda import runtime

    largest = 32 * 1024 * BYTES_OF_A_LINE
    assert shape.blocks * shape.threads * BYTES_OF_A_LINE <= largest
    if runtime.deviceGetLimit(PRINTF_BUFFER) < largest:
        runtime.deviceSetLimit(PRINTF_BUFFER, largest)


class GpuService(DeviceService):
    """Lives in the process. A call that fails leaves no point prepared."""

    def __init__(self) -> None:
        super().__init__(self._make_sampler)
        self._executor: Executor | None = None
        self._prepared = ExitStack()
        self._execution: Execution | None = None

    def __call__(self, call: Call, channel: WorkerChannel) -> CallResult | Failed:
        """What the method returns, or why it failed."""
        load(COMPILER)
        self._observer = RemoteObserver(channel)
        try:
            value = getattr(self, call.method)(*call.arguments)
            return CallResult(value, lost=isinstance(value, Result) and value.status is Status.FAILED and not usable())
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

    def prepare(self, status: DeviceStatus, point: Case) -> None:
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

    def use(self, status: DeviceStatus, point: Case, pinned: bool) -> UseTimes:
        """Where the time of one use goes; true of a process that has not used the GPU."""
        from kernels.gpu.gpu_use import use_here

        return use_here(status, point, pinned=pinned)

    def greet(self, status: DeviceStatus, parameters: Parameters, runs: int) -> tuple[Order, ...]:
        """Return in which order the lines of `gpu.hello` came, run after run."""
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
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[OwnRun]:
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


class GpuProcess(DeviceProcess):
    """Has CuPy and the GPU's context. To be used in one thread at a time."""

    def __init__(self, budget_s: float | None = None, answer: GpuService | None = None) -> None:
        """`budget_s` is the time that a point is given, the protocol's by default. `answer` is what the process does with a call."""
        super().__init__("GPU", answer or GpuService(), budget_s)

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


def probe_gpu() -> DeviceStatus:
    """The state of the first GPU, looked at in a process that ends with it. Takes a second or two, so not in the interface's thread."""
    with closing(GpuProcess()) as gpu:
        return gpu.status()


def measure_use(
    status: DeviceStatus, point: Case, check: CancelCheck, *, pinned: bool = False, process: Callable[[], GpuProcess] = GpuProcess
) -> UseTimes:
    """The phases of one use, in a process made for it: the creation of its context is real. Raises `RunFailed` and what `check` does."""
    with closing(process()) as gpu:
        gpu.start()
        times: UseTimes = gpu.ask(check, "use", status, point, pinned)
    return times
