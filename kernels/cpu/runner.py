"""Runs CPU variants for the sampler: aligned operands, compiled kernels, long multiplications in panels of rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kernels.cpu.compile import Kernel, compiled, ensure_compiled, set_cache_directory
from kernels.cpu.matrix import ALIGNMENT, aligned_copy, aligned_matrix
from kernels.measure.results import Point
from kernels.measure.runner import CancelCheck, Matrix, PreparedRun
from kernels.spec import Operation

CALL_MS = 250.0
"""A compiled kernel cannot be interrupted: about how long one call may take, and so how long a cancel may wait."""
SLOWEST_GFLOPS = 0.2
"""Assumed of a multiplication that has not run yet."""


class CpuRunner:
    """Runs the CPU variants. With a cache directory, kernels are compiled once, in another process, and kept there."""

    def __init__(self, cache_dir: Path | None = None) -> None:
        self._cache_dir = cache_dir if set_cache_directory(cache_dir) else None
        self._kernels: dict[str, Kernel] = {}

    @contextmanager
    def prepare(self, point: Point, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[PreparedRun]:
        """Compile the kernel, or load it, and copy `inputs` to where rows can start at a cache line.

        For a library, its threads are limited until the context is left.
        """
        check()
        kernel = self._kernel(point, check)
        operands = {name: aligned_copy(matrix) for name, matrix in inputs.items()}
        operands["C"] = aligned_matrix(point.problem.shapes["C"])
        if point.variant.library:
            with _blas_threads(point.parameters["threads"]) as conditions:
                yield CpuRun(kernel, operands, (), None, conditions)
        else:
            sizes = tuple(point.parameters[parameter.name] for parameter in point.variant.parameters)
            yield CpuRun(kernel, operands, sizes, _panels(point), _compiler_conditions())

    def _kernel(self, point: Point, check: CancelCheck) -> Kernel:
        if point.variant_id not in self._kernels:
            if self._cache_dir is not None:
                ensure_compiled([point.variant], self._cache_dir, check)
            self._kernels[point.variant_id] = compiled(point.variant)
        return self._kernels[point.variant_id]


@dataclass(frozen=True, slots=True)
class Panels:
    """How a multiplication may be cut into calls: panels of A and C whose rows are a multiple of `granule`.

    i, or i0, is the outermost loop of these kernels, so panels change neither the work nor its order.
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
        for first in range(0, total, self._rows):
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
        """Compiler or library, threads, alignment, and the rows a call of the last sample."""
        return {**self.particular, "alignment_bytes": ALIGNMENT, "rows_per_call": self._rows}

    def _panel(self, first: int) -> tuple[Matrix, ...]:
        if self._rows == len(self.operands["C"]):
            return tuple(self.operands.values())
        rows = slice(first, first + self._rows)
        return self.operands["A"][rows], self.operands["B"], self.operands["C"][rows]


def _panels(point: Point) -> Panels | None:
    # A transposition takes seconds at most, in the largest memory. A library's multiplication is one call as well:
    # it would pack all of B again for every panel, and be timed at work that nobody asked it for.
    if point.problem.operation is not Operation.MATMUL:
        return None
    return Panels(point.parameters.get("tile", 1), point.problem.flops / SLOWEST_GFLOPS / 1e6)


def _compiler_conditions() -> dict[str, str | int | float]:
    import llvmlite
    import llvmlite.binding
    import numba

    return {
        "threads": 1,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "llvm_processor": llvmlite.binding.get_host_cpu_name(),
        "llvm_vectors": _vectors(),
    }


def _vectors() -> str:
    """The widest vector instructions that the compiler may use here."""
    import llvmlite.binding

    features = llvmlite.binding.get_host_cpu_features()
    return next((name for name in ("avx512f", "avx2", "avx", "sve", "neon", "sse2") if features.get(name)), "unknown")


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
