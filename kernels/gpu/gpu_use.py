"""The phases of one use of the GPU, timed by the host's clock in a process that has not used it before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.arrays import Matrix, never
from kernels.base.devices import DeviceStatus
from kernels.base.messages import message
from kernels.base.reference import Reference, ReferenceCache, Verification, error_bound, random_inputs
from kernels.base.spec import FLOAT32_BYTES
from kernels.catalogue.case import Case
from kernels.gpu.execution import Arrays, Execution, Executor, allocate, require_room
from kernels.measure.gpu_use_times import UsePart, UseTimes
from kernels.measure.runner import RunFailed

Vector = npt.NDArray[np.float64]
Work = Callable[[], object]

REPEATS = 7
"""How often each phase that can be repeated is timed at most, the first time included."""
LONGEST_S = 3.0
"""No phase is repeated again after this long."""
ROWS = 1024
"""Of a float32 matrix that are turned into float64 at once."""
SEED = 0


# What follows runs in the process.


class Stopwatch:
    """Times by phase. What is timed is waited for, on the GPU too."""

    def __init__(self) -> None:
        self.times_ms: dict[UsePart, list[float]] = {}

    @contextmanager
    def __call__(self, phase: UsePart) -> Iterator[None]:
        from cupy.cuda import runtime

        begin = time.perf_counter()
        yield
        if phase is not UsePart.DRIVER:  # which has no GPU yet
            runtime.deviceSynchronize()
        self.add(phase, (time.perf_counter() - begin) * 1000)

    def add(self, phase: UsePart, ms: float) -> None:
        self.times_ms.setdefault(phase, []).append(ms)

    def repeat(self, phase: UsePart, work: Work) -> None:
        """Time `work` several times, less often where it takes long."""
        begin = time.monotonic()
        for _ in range(REPEATS):
            with self(phase):
                work()
            if time.monotonic() - begin > LONGEST_S:
                return


def use_here(status: DeviceStatus, point: Case, *, pinned: bool) -> UseTimes:
    """Use the GPU once, phase by phase, verify the output, then repeat what can be repeated."""
    begin = time.perf_counter()
    from cupy.cuda import runtime

    import_ms = (time.perf_counter() - begin) * 1000
    watch, executor, variant = Stopwatch(), Executor(status), point.variant
    with watch(UsePart.DRIVER):
        runtime.getDeviceCount()
    with watch(UsePart.CONTEXT):
        runtime.free(0)
    with watch(UsePart.LIBRARY if variant.launch is None else UsePart.COMPILE):
        launch, own = executor.launcher(point)
    host = _host_matrices(point, watch, pinned=pinned)
    arrays: Arrays = {}
    _allocate(point, arrays, watch)
    watch.repeat(UsePart.TO_DEVICE, lambda: _send(arrays, host))
    execution = Execution(launch, arrays, own, variant.output)
    execution.poison()
    first_ms = _first_launch(partial(launch, arrays))
    watch.repeat(UsePart.TO_HOST, lambda: _fetch(arrays["C"], host["C"]))
    _require_right(point, host)
    _time_kernel(execution, watch)
    watch.add(UsePart.FIRST_LAUNCH, max(0.0, first_ms - watch.times_ms[UsePart.KERNEL][0]))
    conditions = {**execution.conditions(), "gpu": status.name, **status.details, "import_ms": import_ms, "seed": SEED}
    times = {phase: tuple(each) for phase, each in watch.times_ms.items()}
    return UseTimes(point, pinned, datetime.now(UTC).isoformat(timespec="seconds"), times, conditions)


def _host_matrices(point: Case, watch: Stopwatch, *, pinned: bool) -> dict[str, Matrix]:
    """The matrices on the host, with values in all their pages: what is timed later is copying, not paging."""
    shapes, inputs = point.problem.shapes, random_inputs(point.problem, SEED)
    if not pinned:
        return {**inputs, "C": np.full(shapes["C"], np.nan, np.float32)}
    with watch(UsePart.PIN):
        host = {name: _pinned(shape) for name, shape in shapes.items()}
    for name, matrix in host.items():
        matrix[...] = inputs.get(name, np.nan)
    return host


def _pinned(shape: tuple[int, int]) -> Matrix:
    from cupy.cuda import alloc_pinned_memory

    count = shape[0] * shape[1]
    matrix: Matrix = np.frombuffer(alloc_pinned_memory(max(count, 1) * FLOAT32_BYTES), np.float32, count).reshape(shape)
    return matrix


def _allocate(point: Case, arrays: Arrays, watch: Stopwatch) -> None:
    require_room(point)
    for _ in range(REPEATS):
        arrays.clear()  # which is not in the time
        with watch(UsePart.ALLOCATE):
            allocate(point, arrays)


def _send(arrays: Arrays, host: Mapping[str, Matrix]) -> None:
    """Copy the inputs by cudaMemcpy, as a program in C does, without CuPy's own preparations."""
    from cupy.cuda import runtime

    for name, matrix in host.items():
        if name != "C":
            runtime.memcpy(arrays[name].data.ptr, matrix.ctypes.data, matrix.nbytes, runtime.memcpyHostToDevice)


def _fetch(array: Any, matrix: Matrix) -> None:
    """Copy the output in the same way."""
    from cupy.cuda import runtime

    runtime.memcpy(matrix.ctypes.data, array.data.ptr, matrix.nbytes, runtime.memcpyDeviceToHost)


def _first_launch(launch: Work) -> float:
    """Milliseconds of a launch and its end, by the host's clock."""
    from cupy.cuda import runtime

    begin = time.perf_counter()
    launch()
    runtime.deviceSynchronize()
    return (time.perf_counter() - begin) * 1000


def _time_kernel(execution: Execution, watch: Stopwatch) -> None:
    """Later launches, by CUDA events as everywhere."""
    begin = time.monotonic()
    while len(watch.times_ms.get(UsePart.KERNEL, ())) < REPEATS and time.monotonic() - begin <= LONGEST_S:
        watch.add(UsePart.KERNEL, execution.sample())


def _require_right(point: Case, host: Mapping[str, Matrix]) -> None:
    """Raise `RunFailed` where the output is wrong."""
    if "B" in host:
        verdict = multiplied_right(point, host)
    else:
        reference = ReferenceCache(SEED).reference(point.problem, never, point.variant.output)
        verdict = reference.verify(host["C"], never)
    if verdict.reason is not None:
        raise RunFailed(verdict.reason)


def multiplied_right(point: Case, host: Mapping[str, Matrix]) -> Verification:
    """Whether C is A B, by multiplying both with a vector of random signs (R. Freivalds 1977).

    That takes n^2 operations; the reference of a measurement takes n^3, and minutes where n is large.
    """
    A, B, C = host["A"], host["B"], host["C"]
    signs = np.random.default_rng(SEED).choice((-1.0, 1.0), C.shape[1])
    expected, scale = _times(A, _times(B, signs)), _times(A, _times(B, np.abs(signs), np.abs), np.abs)
    reference = Reference(expected[:, None], scale[:, None], error_bound(A.shape[1] + 1))
    verdict = reference.judging(point.variant, point.problem, point.parameters).verify(_times(C, signs)[:, None].astype(np.float32), never)
    if verdict.reason is None:
        return verdict
    return replace(verdict, reason=message("Wrong result: the product with a test vector is another one. No time is shown."))


def _times(matrix: Matrix, vector: Vector, of: Callable[[Matrix], Matrix] = np.asarray) -> Vector:
    """A matrix, or its absolute values, times a vector in float64, some rows at a time."""
    product = np.empty(len(matrix))
    for first in range(0, len(matrix), ROWS):
        product[first : first + ROWS] = of(matrix[first : first + ROWS]).astype(np.float64) @ vector
    return product
