"""Runner of CPU variants for the sampler: aligned operands, compiled kernels, short calls timed several at once.

A transposition is set beside the time of copying the same matrix without turning it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.spec import Operation, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.catalogue.source import Kernel, arguments, is_for_a_team
from kernels.cpu.matrix import ALIGNMENT, aligned_copy, aligned_matrix
from kernels.cpu.vector_width import instruction_set_of_this_processor
from kernels.jit.compile import Specialization, compiled, machine_code, set_cache_directory
from kernels.jit.machine_code import inner_loop
from kernels.jit.pace import pace
from kernels.jit.team_run import team_run
from kernels.jit.timed_calls import Batch, RaisedError, TimeCalls, timing
from kernels.measure.device_process import DeviceProcess, DeviceService
from kernels.measure.disturbance_sentences import CALLS
from kernels.measure.disturbance_watch import Watch
from kernels.measure.runner import PreparedRun
from kernels.measure.sampler import Sampler

SAMPLES = 5


def copying(problem: Problem, operands: Mapping[str, Matrix]) -> dict[str, float]:
    """`copy_ms`, the median of a few times of `np.copyto` from A to where C is, after a first one; nothing for another operation."""
    if problem.operation is not Operation.TRANSPOSE:
        return {}
    target = operands["C"].reshape(problem.shapes["A"])
    times = [_copy_ms(operands["A"], target) for _ in range(SAMPLES + 1)]
    return {"copy_ms": statistics.median(times[1:])}


def _copy_ms(source: Matrix, target: Matrix) -> float:
    start = time.perf_counter_ns()
    np.copyto(target, source)
    return (time.perf_counter_ns() - start) / 1e6


def cpu_process(cache_dir: Path | None, budget_s: float | None = None) -> DeviceProcess:
    """The process in which the CPU variants are measured; compiled kernels are kept in `cache_dir`."""
    return DeviceProcess("CPU", DeviceService(partial(_sampler, cache_dir)), budget_s)


def _sampler(cache_dir: Path | None) -> Sampler:
    return Sampler(CpuRunner(cache_dir), Watch(pace=pace(cache_dir)))


class CpuRunner:
    """Runs the CPU variants in this process. Kernels are compiled once, and kept in the cache directory, or where the environment says."""

    def __init__(self, cache_dir: Path | None = None) -> None:
        if cache_dir is not None:
            set_cache_directory(cache_dir)
        self._kernels: dict[Specialization, Kernel] = {}
        self._loops: dict[Specialization, dict[str, str | int]] = {}

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[PreparedRun]:
        """Compile the kernel, or load it, and copy `inputs` to where rows can start at a cache line.

        For a library, its threads are limited until the context is left; for a multi-threaded kernel, its threads live until then.
        """
        check()
        build = Specialization.of(point.variant, point.parameters)
        kernel = self._kernel(build)
        operands = {name: aligned_copy(matrix) for name, matrix in inputs.items()}
        operands["C"] = aligned_matrix(point.problem.shapes["C"])
        numbers = arguments(point.variant, point.parameters)
        if point.variant.library:
            with _blas_threads(point.parameters["threads"]) as conditions:
                yield CpuRun(kernel, operands, (), conditions)
        elif is_for_a_team(point.variant):
            with team_run(kernel, operands, numbers, point, self._compiler_conditions(build) | copying(point.problem, operands)) as run:
                yield run
        else:
            costs = point.variant.costs
            extras = {} if costs is None else costs(point.problem, point.parameters)
            conditions = {"threads": 1, **self._compiler_conditions(build), **extras, **copying(point.problem, operands)}
            yield CpuRun(kernel, operands, numbers, conditions)

    def _kernel(self, build: Specialization) -> Kernel:
        if build not in self._kernels:
            self._kernels[build] = compiled(build)
        return self._kernels[build]

    def _compiler_conditions(self, build: Specialization) -> dict[str, str | int | float]:
        """The compiler, what it compiled for, and what it made of the inner loop where that adds."""
        import llvmlite
        import llvmlite.binding
        import numba

        if build not in self._loops:
            loop = inner_loop(machine_code(build, self._kernels[build]))
            self._loops[build] = {} if loop is None else {"llvm_loop": loop.summary, "llvm_lanes": loop.lanes}
        return {
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "llvm_processor": llvmlite.binding.get_host_cpu_name(),
            "llvm_vectors": instruction_set_of_this_processor(),
            **self._loops[build],
        }


@dataclass
class CpuRun:
    """One kernel with its operands."""

    kernel: Kernel
    operands: dict[str, Matrix]
    numbers: tuple[int, ...]
    """Its arguments behind the matrices."""
    particular: Mapping[str, str | int | float]
    _batch: Batch = field(default_factory=Batch)

    def poison(self) -> None:
        """Fill the output with NaN."""
        self.operands["C"].fill(np.nan)

    def sample(self, check: CancelCheck) -> float:
        """Milliseconds of one run. The first sample is one run exactly; later ones time several together where one is short."""
        check()
        try:
            return self._batch.sample(self._time)
        except RaisedError:
            self.kernel(*self.operands.values(), *self.numbers)  # which raises the error itself
            raise

    def output(self) -> Matrix:
        """The output."""
        return self.operands["C"]

    def conditions(self) -> Mapping[str, str | int | float]:
        """Compiler or library, threads, alignment, and how many calls the last sample timed together."""
        return {**self.particular, "alignment_bytes": ALIGNMENT, CALLS: self._batch.calls}

    @cached_property
    def _time(self) -> TimeCalls:
        return timing(self.kernel, (*self.operands.values(), *self.numbers))


@contextmanager
def _blas_threads(threads: int) -> Iterator[dict[str, str | int | float]]:
    """Limit the BLAS library to `threads`; yields what it says of itself, which is nothing on macOS with Accelerate."""
    from threadpoolctl import threadpool_info, threadpool_limits

    with threadpool_limits(limits=threads, user_api="blas"):
        library: dict[str, str | int] = next((pool for pool in threadpool_info() if pool["user_api"] == "blas"), {})
        yield {
            "threads": library.get("num_threads", "unknown"),
            "numpy": np.__version__,
            "blas": library.get("internal_api", "unknown"),
            "blas_version": library.get("version") or "unknown",
            "blas_processor": library.get("architecture", "unknown"),
        }
