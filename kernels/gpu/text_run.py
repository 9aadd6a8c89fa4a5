"""Any CUDA C text run and timed on the GPU, in a process that it may take down with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kernels.gpu.text_arguments import Arguments, place, types_of, values_of
from kernels.measure.protocol import Protocol, stopped_by
from kernels.measure.results import Point
from kernels.measure.runner import Matrix, RunFailed
from kernels.messages import Message, message
from kernels.reference import ReferenceCache
from kernels.simt.launch import Dim3
from kernels.spec import Output
from kernels.worker import WorkerDied, WorkerProcess

LONGEST_S = 60.0
POLL_S = 0.1

Conditions = dict[str, str | int | float]


@dataclass(frozen=True, slots=True)
class TextRun:
    """A text and a launch. `entry` is the kernel as C++ writes it; `texts` are its arguments as the interpreter takes them.

    With a `point` the arrays A and B hold its inputs, and C is verified as that of its variant is.
    """

    text: str
    entry: str
    grid: Dim3
    block: Dim3
    shared_bytes: int
    texts: Mapping[str, str]
    defines: Mapping[str, str | int]
    path: Path | None = None
    point: Point | None = None
    protocol: Protocol = field(default_factory=Protocol)
    before: tuple[str, Dim3, Dim3] | None = None
    """Kernel, grid and block of what is launched first, on the same arguments, and timed with it."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of each sample, and what they depend on. `reason` says why the output is wrong, where it was verified and is."""

    times_ms: tuple[float, ...]
    conditions: Mapping[str, str | int | float]
    relative_error: float | None = None
    allowed_error: float | None = None
    reason: Message | None = None


def run_apart(
    job: TextRun,
    stopping: Callable[[], bool],
    answer: Callable[[TextRun], Timed | Message] | None = None,
    seconds: float = LONGEST_S,
) -> Timed | Message:
    """What came of a run in a process of its own, after at most `seconds`: a fault of the device ends that process alone."""
    try:
        worker = WorkerProcess(answer or run_text, "gpu-text")
    except OSError as error:
        return message("The process for the GPU could not be started: {error}", error=str(error))
    try:
        worker.send(job)
        end = time.monotonic() + seconds
        while not worker.connection.poll(POLL_S):
            if stopping():
                return message("The run was stopped.")
            if time.monotonic() > end:
                return message("The kernel ran longer than {seconds} s and was stopped.", seconds=seconds)
        found: Timed | Message = worker.receive()
    except WorkerDied:
        return message("The process that ran the kernel ended unexpectedly: the kernel took it down. Nothing else was lost.")
    finally:
        worker.end()
    return found


# What follows runs in the process, which is ended afterwards: after a fault the GPU takes nothing more from it.


def run_text(job: TextRun) -> Timed | Message:
    """Compile, run, verify and time."""
    from kernels.gpu.errors import explain
    from kernels.simt.frontend.diagnostics import FrontEndError

    try:
        return _timed(job)
    except RunFailed as failed:
        return failed.reason
    except FrontEndError as error:
        return error.message
    except Exception as error:  # a driver may raise anything, and the window is to be told
        return explain(error)


def _timed(job: TextRun) -> Timed | Message:
    import cupy

    from kernels.gpu.timer import Timer

    types = types_of(job)
    values = values_of(job, types)
    if isinstance(values, Message):
        return values
    references = ReferenceCache(job.protocol.seed)
    arrays = place(values, types, _inputs(job, references))
    capability = int(cupy.cuda.Device().compute_capability)
    function, conditions = _compiled(job, capability)
    launches = [(function, job)]
    if job.before is not None:
        entry, grid, block = job.before
        first = replace(job, entry=entry, grid=grid, block=block, shared_bytes=0, before=None)
        launches.insert(0, (_compiled(first, capability)[0], first))
    arguments = Arguments(types, values, arrays)

    def launch() -> None:
        stream = cupy.cuda.get_current_stream().ptr
        for kernel, how in launches:
            cupy.cuda.driver.launchKernel(kernel.ptr, *how.grid, *how.block, how.shared_bytes, stream, arguments.address, 0)

    timer = Timer(launch)
    first_ms = timer.sample()
    timed = Timed((), {})
    if job.point is not None:
        variant, problem = job.point.variant, job.point.problem
        rows, columns = problem.shapes["C"]
        output = arrays["C"].get().view(np.float32)[: rows * columns].reshape(rows, columns)
        reference = references.reference(problem, lambda: None, variant.output)
        verdict = reference.judging(variant, problem, job.point.parameters).verify(output, lambda: None)
        timed = Timed((), {}, verdict.relative_error, verdict.allowed_error, verdict.reason)
    times = _samples(timer.sample, job.protocol, first_ms) if timed.reason is None else ()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    conditions |= {"gpu": name, "timer": "CUDA events", "launches_per_sample": timer.launches, "gpu_caches": "warm"}
    return Timed(times, conditions, timed.relative_error, timed.allowed_error, timed.reason)


def _inputs(job: TextRun, references: ReferenceCache) -> Mapping[str, Matrix]:
    """What the arrays of this name are to hold."""
    if job.point is None:
        return {}
    inputs = references.inputs(job.point.problem)
    return {"C": inputs["A"]} if job.point.variant.output is Output.IN_PLACE else inputs


def _samples(sample: Callable[[], float], protocol: Protocol, first_ms: float) -> tuple[float, ...]:
    if first_ms / 1000 * protocol.least_runs > protocol.budget_s / 2:
        return (first_ms,)
    for _ in range(protocol.warm_ups):
        sample()
    times: list[float] = []
    begin = time.perf_counter()
    while stopped_by(times, protocol, time.perf_counter() - begin) is None:
        times.append(sample())
    return tuple(times)


def _compiled(job: TextRun, capability: int) -> tuple[Any, Conditions]:
    """The kernel, ready to be launched."""
    from cupy.cuda import Module, driver

    from kernels.gpu.build import allow_shared, compile_entry, compile_options, supported_capabilities

    options = compile_options(capability, supported_capabilities(), job.defines)
    code, symbol = compile_entry(job.text, job.entry, options, job.path)
    module = Module()
    module.load(code)
    function = module.get_function(symbol)
    allow_shared(function, job.shared_bytes)
    registers = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_NUM_REGS, function.ptr)
    static = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function.ptr)
    return function, {
        "grid": " × ".join(map(str, job.grid)), "block": " × ".join(map(str, job.block)), "registers": registers,
        "shared_bytes": static + job.shared_bytes, "nvrtc_options": " ".join(options),
    }  # fmt: skip
