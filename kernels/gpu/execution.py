"""Execution of variants in the process that has the GPU's context: compile, allocate, take the inputs, launch, give the output.

Launches are timed with CUDA events.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Event as Gate
from typing import Any

import numpy as np

from kernels.base.arrays import Matrix
from kernels.base.devices import DeviceStatus
from kernels.base.limits import Limits, prepared_bytes, refuse_size
from kernels.base.spec import Launch, Operation, Output, Problem, Variant
from kernels.catalogue.case import Case
from kernels.gpu.compiler import Compiler, Kernel, allow_shared
from kernels.gpu.errors import in_plain_words
from kernels.gpu.launching import enqueue, waits
from kernels.measure.runner import RunFailed
from kernels.nvrtc.tools import CUBLAS, load

SHORTEST_SAMPLE_MS = 1.0
"""Shorter launches are timed several at once, because an event is exact to about 0.5 µs."""
MOST_LAUNCHES = 200
"""Fewer than fit into the GPU's queue."""
LONGEST_FIRST_MS = 200.0
"""A first launch may take this long because of its start; a second one then tells the time."""
LONGEST_HOLD_S = 1.0
"""The gate opens by itself after this long, should launching ever wait for the GPU."""


class Timer:
    """Times `launch`, which enqueues work on CuPy's current stream.

    The first sample is one launch, exactly: what a kernel that works in place leaves depends on their number. Before the second
    follows from another launch how many the later samples time together. Those wait at a gate until all of them are enqueued,
    so that the GPU's time is measured and not the time Python takes to launch.
    """

    def __init__(self, launch: Callable[[], None]) -> None:
        from cupy.cuda import Stream

        self._stream = Stream(non_blocking=True)
        self._launch = launch
        self._first_ms: float | None = None
        self._chosen = False
        self.launches = 1
        """Launches that a sample times."""

    def sample(self) -> float:
        """Milliseconds of one launch."""
        if self._first_ms is None:
            # The first launch may load code and waits for no gate.
            gate = Gate()
            gate.set()
            self._first_ms = self._time(1, gate)
            return self._first_ms
        if not self._chosen:
            self._chosen = True
            if self._first_ms < LONGEST_FIRST_MS:
                self.launches = launches_per_sample(self._time(1, Gate()))
        return self._time(self.launches, Gate()) / self.launches

    def _time(self, launches: int, gate: Gate) -> float:
        """Milliseconds of so many launches, on the GPU."""
        from cupy.cuda import Event, get_elapsed_time

        start, stop = Event(), Event()
        with self._stream as stream:
            stream.launch_host_func(lambda _: gate.wait(LONGEST_HOLD_S), None)
            try:
                start.record(stream)
                for _ in range(launches):
                    self._launch()
                stop.record(stream)
            finally:
                gate.set()
        stop.synchronize()
        return float(get_elapsed_time(start, stop))


def launches_per_sample(one_ms: float) -> int:
    """How many launches of this time make a sample long enough."""
    if one_ms <= SHORTEST_SAMPLE_MS / MOST_LAUNCHES:
        return MOST_LAUNCHES
    return max(1, math.ceil(SHORTEST_SAMPLE_MS / one_ms))


Arrays = dict[str, Any]
"""The matrices on the GPU by name, as CuPy arrays: those of the problem, the output `C` last, then what a launch prepares."""
Conditions = dict[str, str | int | float]


class Executor:
    """Executes variants on the GPU that `status`, a ready one, describes. To be used in one thread at a time."""

    def __init__(self, status: DeviceStatus) -> None:
        self._conditions: Conditions = {"gpu": status.name, **status.details}
        self._compiler = Compiler(int(str(status.details["compute_capability"]).replace(".", "")))

    @contextmanager
    def prepare(self, point: Case) -> Iterator[Execution]:
        """Compile and allocate. Leaving the context frees the matrices. Raises `RunFailed`."""
        arrays: Arrays = {}
        try:
            with in_plain_words():
                launch, conditions = self.launcher(point)
                require_room(point)
                allocate(point, arrays)
                execution = Execution(launch, arrays, self._conditions | conditions, point.variant.output)
            yield execution
        finally:
            arrays.clear()

    def launcher(self, point: Case) -> tuple[Callable[[Arrays], None], Conditions]:
        """What launches the point on given matrices, and the conditions that are particular to it."""
        variant, problem = point.variant, point.problem
        if variant.launch is None:
            return _library_launcher(variant)
        launch = variant.launch(problem, point.parameters)
        kernel = self._kernel(variant, variant.entry, launch)
        steps = [(kernel, launch, waits(variant.source_text, variant.entry))]
        if launch.before is not None:
            entry, first = launch.before.entry, launch.before.launch
            steps.insert(0, (self._kernel(variant, entry, first), first, waits(variant.source_text, entry)))
        sizes = [ctypes.c_int(size) for size in _sizes(problem)]

        def run(arrays: Arrays) -> None:
            from cupy.cuda import get_current_stream

            taken = (array for name, array in arrays.items() if variant.output is not Output.IN_PLACE or name != "A")
            values = [*(ctypes.c_void_p(array.data.ptr) for array in taken), *sizes]
            arguments = (ctypes.c_void_p * max(len(values), 1))(*map(ctypes.addressof, values))
            stream, address = get_current_stream().ptr, ctypes.addressof(arguments)
            for each, how, early in steps:
                enqueue(each.function.ptr, how.grid, how.block, how.dynamic_shared_bytes, stream, address, early=early)

        return run, {
            **_shape(launch),
            "registers": kernel.registers,
            "shared_bytes": kernel.static_shared_bytes + launch.dynamic_shared_bytes,
            "nvrtc_options": " ".join(kernel.options),
        }

    def _kernel(self, variant: Variant, entry: str, launch: Launch) -> Kernel:
        """A kernel of the variant's text, allowed the shared memory that its launch asks for."""
        kernel = self._compiler.kernel(variant.source_text, entry, launch.defines, specific=variant.needs.alone)
        allow_shared(kernel.function, launch.dynamic_shared_bytes)
        return kernel


class Execution:
    """A kernel with its matrices on the GPU. All its work goes through one stream of its own."""

    def __init__(self, launch: Callable[[Arrays], None], arrays: Arrays, conditions: Conditions, output: Output = Output.RESULT) -> None:
        self._arrays = arrays
        self._conditions = conditions
        self._output = output
        self._timer = Timer(lambda: launch(arrays))

    def fill(self, name: str, first: int, rows: Matrix) -> None:
        """Set rows of a matrix, from the row `first` on."""
        with in_plain_words():
            self._arrays[name][first : first + len(rows)].set(rows)

    def poison(self) -> None:
        """Fill the output with bytes of ones, as float32 NaN; for a kernel that works in place, with the input."""
        from cupy.cuda import runtime

        output = self._arrays["C"]
        with in_plain_words():
            if self._output is Output.IN_PLACE:
                runtime.memcpy(output.data.ptr, self._arrays["A"].data.ptr, output.nbytes, runtime.memcpyDeviceToDevice)
            else:
                runtime.memset(output.data.ptr, 0xFF, output.nbytes)
            runtime.deviceSynchronize()

    def sample(self) -> float:
        """The time of one launch in milliseconds."""
        with in_plain_words():
            return self._timer.sample()

    def output(self, first: int, last: int) -> Matrix:
        """The rows `first` to `last` of the output, without `last`."""
        with in_plain_words():
            rows: Matrix = self._arrays["C"][first:last].get()
        return rows

    def conditions(self) -> Conditions:
        """GPU, versions, launch, compiler's findings, and how many launches a sample times; complete after the second sample.

        `gpu_caches` is "warm" because all launches use the same matrices.
        """
        return {
            **self._conditions,
            "timer": "CUDA events",
            "launches_per_sample": self._timer.launches,
            "gpu_caches": "warm",
        }


def require_room(point: Case) -> None:
    """Raise `RunFailed` where the GPU's free memory is too small for a point, before anything is allocated."""
    from cupy.cuda import Device

    free, _ = Device().mem_info
    reason = refuse_size(point.problem, Limits(memory_bytes=free), prepared_bytes(point.variant, point.problem, point.parameters))
    if reason is not None:
        raise RunFailed(reason)


def allocate(point: Case, arrays: Arrays) -> None:
    """Make the matrices of a point. Without CuPy's pool, their memory goes back to the system as soon as they are dropped."""
    import cupy

    shapes = point.problem.shapes | point.variant.beside(point.problem, point.parameters)
    with cupy.cuda.using_allocator(None):
        arrays.update({name: cupy.empty(shape, np.float32) for name, shape in shapes.items()})


def _library_launcher(variant: Variant) -> tuple[Callable[[Arrays], None], Conditions]:
    load(CUBLAS)
    from cupy.cuda import cublas
    from cupy.cuda.device import get_cublas_handle

    module = import_module("kernels." + variant.source.removesuffix(".py").replace("/", "."))
    function = getattr(module, variant.entry)
    version = cublas.getVersion(get_cublas_handle())
    arithmetic = "float32, no TF32" if variant.precision is None else variant.precision.name
    return lambda arrays: function(*arrays.values()), {"cublas": version, "arithmetic": arithmetic}


def _sizes(problem: Problem) -> tuple[int, ...]:
    """The sizes that a kernel takes, in its order."""
    if problem.operation is Operation.MATMUL:
        return (problem.m, problem.n, problem.k)
    return (problem.m, problem.n) if problem.shapes else ()


def _shape(launch: Launch) -> Conditions:
    return {"grid": f"{launch.grid[0]} × {launch.grid[1]}", "block": f"{launch.block[0]} × {launch.block[1]}"}
