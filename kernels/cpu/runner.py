"""Runs CPU variants for the sampler: aligned operands, compiled kernels, long multiplications in panels of rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kernels.cpu.compile import Build, compiled, ensure_compiled, machine_code, set_cache_directory
from kernels.cpu.copying import copying
from kernels.cpu.lanes import instruction_set_of_this_processor
from kernels.cpu.machine_code import inner_loop
from kernels.cpu.matrix import ALIGNMENT, aligned_copy, aligned_matrix
from kernels.cpu.source import Kernel, arguments, is_for_a_team
from kernels.cpu.team_run import team_run
from kernels.measure.results import Point
from kernels.measure.runner import CancelCheck, Matrix, PreparedRun

CALL_MS = 250.0
"""A compiled kernel cannot be interrupted: about how long one call may take, and so how long a cancel may wait."""
SLOWEST_GFLOPS = 0.2
"""Assumed of a multiplication that has not run yet."""


class CpuRunner:
    """Runs the CPU variants. With a cache directory, kernels are compiled once, in another process, and kept there.

    Without one they are compiled in this process, and kept where the environment says.
    """

    def __init__(self, cache_dir: Path | None = None) -> None:
        self._cache_dir = cache_dir if cache_dir is not None and set_cache_directory(cache_dir) else None
        self._kernels: dict[Build, Kernel] = {}
        self._loops: dict[Build, dict[str, str | int]] = {}

    @contextmanager
    def prepare(self, point: Point, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[PreparedRun]:
        """Compile the kernel, or load it, and copy `inputs` to where rows can start at a cache line.

        For a library, its threads are limited until the context is left; for a multi-threaded kernel, its threads live until then.
        """
        check()
        build = Build.of(point.variant, point.parameters)
        kernel = self._kernel(build, check)
        operands = {name: aligned_copy(matrix) for name, matrix in inputs.items()}
        operands["C"] = aligned_matrix(point.problem.shapes["C"])
        numbers = arguments(point.variant, point.parameters)
        if point.variant.library:
            with _blas_threads(point.parameters["threads"]) as conditions:
                yield CpuRun(kernel, operands, (), None, conditions)
        elif is_for_a_team(point.variant):
            with team_run(kernel, operands, numbers, point, self._compiler_conditions(build) | copying(point.problem, operands)) as run:
                yield run
        else:
            costs = point.variant.costs
            extras = {} if costs is None else costs(point.problem, point.parameters)
            conditions = {"threads": 1, **self._compiler_conditions(build), **extras, **copying(point.problem, operands)}
            yield CpuRun(kernel, operands, numbers, _panels(point), conditions)

    def _kernel(self, build: Build, check: CancelCheck) -> Kernel:
        if build not in self._kernels:
            if self._cache_dir is not None:
                ensure_compiled([build], self._cache_dir, check)
            self._kernels[build] = compiled(build)
        return self._kernels[build]

    def _compiler_conditions(self, build: Build) -> dict[str, str | int | float]:
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


@dataclass(frozen=True, slots=True)
class Panels:
    """How a multiplication may be cut into calls: panels of A and C whose rows are a multiple of `granule`.

    Rows of C are the outermost loop of these kernels, so panels change neither the work nor its order.
    """

    granule: int
    expected_ms: float

    def rows(self, total: int, last_ms: float | None) -> int:
        """Rows a call, so that it takes about `CALL_MS`; all of them where the whole takes no longer."""
        expected = self.expected_ms if last_ms is None else last_ms
        if expected <= CALL_MS:
            return total
        return min(total, max(1, int(total * CALL_MS / expected) // self.granule) * self.granule)


@dataclass(slots=True)
class CpuRun:
    """One kernel with its operands. `panels` is None where the kernel must be one call."""

    kernel: Kernel
    operands: dict[str, Matrix]
    sizes: tuple[int, ...]
    panels: Panels | None
    particular: Mapping[str, str | int | float]
    _last_ms: float | None = None
    _rows: int = field(default=0)

    def poison(self) -> None:
        """Fill the output with NaN."""
        self.operands["C"].fill(np.nan)

    def sample(self, check: CancelCheck) -> float:
        """Run once, in panels of rows where it is long; the time in milliseconds is that of the calls alone."""
        total = len(self.operands["C"])
        self._rows = self.panels.rows(total, self._last_ms) if self.panels is not None else total
        elapsed_ns = 0
        for first in range(0, total, max(self._rows, 1)):
            check()
            operands = self._panel(first)
            start = time.perf_counter_ns()
            self.kernel(*operands, *self.sizes)
            elapsed_ns += time.perf_counter_ns() - start
        self._last_ms = elapsed_ns / 1e6
        return self._last_ms

    def output(self) -> Matrix:
        """The output."""
        return self.operands["C"]

    def conditions(self) -> Mapping[str, str | int | float]:
        """Compiler or library, threads, alignment, and the rows a call of the last sample: between calls a run can be cancelled."""
        return {**self.particular, "alignment_bytes": ALIGNMENT, "rows_per_call": self._rows}

    def _panel(self, first: int) -> tuple[Matrix, ...]:
        if self._rows == len(self.operands["C"]):
            return tuple(self.operands.values())
        rows = slice(first, first + self._rows)
        return self.operands["A"][rows], self.operands["B"], self.operands["C"][rows]


def _panels(point: Point) -> Panels | None:
    rows = point.variant.panel_rows
    granule = 0 if rows is None else rows(point.parameters)
    return Panels(granule, point.problem.flops / SLOWEST_GFLOPS / 1e6) if granule else None


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
