"""The peak: more than a kernel that goes through memory reaches, computed by the very instruction that is counted."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

import kernels.jit.simd_numba  # noqa: F401  # teaches numba what a register tile is
from kernels.cpu.simd import panel
from kernels.cpu.vector_width import lanes_of_this_processor
from kernels.jit.machine_code import inner_loop
from kernels.jit.peak import COLUMNS, DEPTH, ROWS, multiply_again, peak_gflops, seconds_together

SIGNATURE = "void(float32[:, ::1], float32[:, ::1], float32[:, ::1], int64)"


def test_the_products_are_added_up_in_registers_without_a_store() -> None:
    kernel = numba.njit(SIGNATURE, nogil=True)(multiply_again)
    a, b, C = panel(DEPTH, ROWS), panel(DEPTH, COLUMNS), panel(ROWS, COLUMNS)
    a[:], b[:] = np.random.default_rng(1).integers(-2, 3, (2, DEPTH, 1))
    kernel(a, b, C, 3)
    np.testing.assert_array_equal(C, 3 * (a.T @ b))
    loop = inner_loop("\n".join(kernel.inspect_asm().values()))
    assert loop is not None
    assert loop.lanes == lanes_of_this_processor()
    assert loop.additions % (ROWS * COLUMNS // loop.lanes) == 0, "all of the tile in each iteration"


@pytest.mark.parametrize("threads", [1, 2])
def test_it_says_what_it_measured(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.jit.peak.REPEATS", 100)
    found = peak_gflops(threads)
    assert found.gflops > 0
    assert (found.threads, found.lanes) == (threads, lanes_of_this_processor())


class LateBarrier(threading.Barrier):
    """Lets whoever is not one of the threads at work come back when the work is long done."""

    def wait(self, timeout: float | None = None) -> int:
        place = super().wait(timeout)
        if threading.current_thread() is threading.main_thread():
            time.sleep(0.1)
        return place


def test_a_caller_that_wakes_late_does_not_make_the_work_look_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.jit.peak.Barrier", LateBarrier)
    matrix = panel(1, 1)
    with ThreadPoolExecutor(2) as pool:
        assert seconds_together(pool, lambda _: time.sleep(0.02), [(matrix, matrix, matrix)] * 2) >= 0.02
