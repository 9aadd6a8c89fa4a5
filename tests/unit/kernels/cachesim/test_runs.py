"""Loops whose accesses are noted together: the same accesses in the same order as when each is noted by itself; which loops these are."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Mapping
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.cachesim import stream
from kernels.cachesim.execute import NO_INPUTS, execute
from kernels.cachesim.load import SourcePass, instrumented
from kernels.cachesim.numbering import Numbering
from kernels.cachesim.stream import Entries
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.cpu.matrix import ALIGNMENT, Matrix
from kernels.cpusim.execute import display_inputs

COUNTED = [variant for variant in VARIANTS if variant.device is Device.CPU and not variant.library]
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")


def noted(
    variant: Variant, problem: Problem, *, runs: bool, as_runs: bool = False, stores: bool = True, inputs: Mapping[str, Matrix] = NO_INPUTS
) -> tuple[Entries, Matrix]:
    """What the kernel hands on, instrumented with or without runs, taken apart or as it comes; and its result."""
    chunks: list[Entries] = []

    def take(entries: Entries) -> bool:
        chunks.append(entries.copy())
        return True

    kernel = instrumented(variant, variant.defaults, runs=runs, stores=stores)
    result = execute(kernel, problem, variant.defaults, take, inputs, runs=as_runs)
    return np.concatenate(chunks), result


@needs_numba
@pytest.mark.parametrize("variant", COUNTED, ids=lambda variant: variant.id)
def test_a_run_is_the_accesses_that_the_loop_makes_and_the_result_is_the_kernels(variant: Variant) -> None:
    """Matrix registers are not multiplied where accesses are counted, so that every processor can count them."""
    problem = Problem.of(variant.operation, 37, 21, 50)
    inputs = display_inputs(problem, seed=2)
    each, result = noted(variant, problem, runs=False, inputs=inputs)
    assert np.array_equal(noted(variant, problem, runs=True, stores=False)[0], each)
    if not variant.needs.matrix_registers:
        assert np.array_equal(result, inputs["A"] @ inputs["B"] if "B" in inputs else inputs["A"].T)


@needs_numba
def test_a_kernel_of_plain_loops_is_noted_in_runs() -> None:
    naive = by_id("cpu.naive")
    problem = Problem.square(Operation.MATMUL, 40)
    together, _ = noted(naive, problem, runs=True, as_runs=True)
    assert len(together) == 40 * 40 * (1 + 2 * stream.RUN_FIELDS + 1)
    assert len(noted(naive, problem, runs=False, as_runs=True)[0]) == 40 * 40 * (2 * 40 + 1)


@pytest.mark.parametrize(("body", "is_run"), [
    ("C[0, i] = A[i, 2]", True),
    ("C[0, i] = A[3 - 2 * i, n]", True),
    ("x = A[0, i]\n        C[i, 0] = x", True),
    ("x += A[0, i]", True),
    ("C[0, i] = A[i * i, 0]", False),
    ("C[0, i] = A[i // 2, 0]", False),
    ("C[0, i] = A[int(A[0, i]), 0]", False),
    ("C[0, n] = A[0, i]\n        n = n + 1", False),
    ("A = C\n        x = A[0, i]", False),
    ("if i > n:\n            C[0, i] = 1", False),
    ("x = A[0, i] if i else 0", False),
    ("C[0, i], C[1, i] = A[0, i], A[1, i]", False),
    ("t = A[0]\n        C[0, i] = t[i]", False),
    ("C[0, :2] = A[i, :2]", False),
    ("fill(C, i)", False),
])  # fmt: skip
def test_a_loop_is_a_run_where_its_source_proves_it(body: str, is_run: bool) -> None:
    text = f"def fill(X, i):\n    X[i, 0] = 1\n\ndef kernel(A, C, n, x):\n    for i in range(n):\n        {body}\n"
    tree = SourcePass("toy.py", Numbering(("A", "C")), frozenset(), {}, frozenset()).module(ast.parse(text))
    assert ("run_begins" in ast.unparse(tree)) == is_run


class Recorded:
    """What functions that note accesses hand on, of 4 KiB of memory in which two arrays of 1 KiB lie side by side."""

    def __init__(self, capacity: int) -> None:
        from kernels.cachesim import arena

        self.chunks: list[Entries] = []
        self._callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(self._take)
        self._entries, self._owners = np.empty(capacity, np.int64), np.zeros(4096 // ALIGNMENT + 1, np.uint8)
        self._owners[: 1024 // ALIGNMENT], self._owners[1024 // ALIGNMENT : 2048 // ALIGNMENT] = 1, 2
        self._fields = np.zeros(arena.FIELDS, np.int64)
        self._fields[[arena.SIZE, arena.OWNERS, arena.ENTRIES, arena.CAPACITY, arena.CONSUMER]] = (
            4096, self._owners.ctypes.data, self._entries.ctypes.data, capacity, ctypes.cast(self._callback, ctypes.c_void_p).value or 0,
        )  # fmt: skip
        self.address = self._fields.ctypes.data

    def _take(self, count: int) -> int:
        self.chunks.append(self._entries[:count].copy())
        return 0

    def accesses(self) -> list[int]:
        """All of them, one by one."""
        from kernels.cachesim import arena
        from kernels.cachesim.runs import taken_apart

        self._take(int(self._fields[arena.USED]))
        return list(taken_apart(np.concatenate(self.chunks)).tolist())


ROWS = st.tuples(st.integers(0, 1023), st.sampled_from((4, -4, 8, 64)), st.integers(0, 40))
"""Where a row begins, in floats; the bytes from one of its accesses to the next; how many they are."""


@needs_numba
@given(st.lists(ROWS, min_size=1, max_size=12))
def test_accesses_that_are_noted_together_are_those_that_are_noted_one_by_one(rows: list[tuple[int, int, int]]) -> None:
    from kernels.cachesim.arena import OutsideMemory
    from kernels.cachesim.recording import note, note_strided

    def one_by_one(recorder: int, address: int, stride: int, count: int, size: int, kind: int, place: int) -> None:
        for number in range(count):
            note(recorder, address + number * stride, size, kind, place)

    def is_outside(noting: Callable[..., None], *row: int) -> bool:
        try:
            noting(*row, 4, stream.READ, 3)
        except OutsideMemory:
            return True
        return False

    together, each = Recorded(16), Recorded(4096)
    for first, stride, count in rows:
        row = 4 * first, stride, count
        assert is_outside(note_strided, together.address, *row) == is_outside(one_by_one, each.address, *row)
    assert together.accesses() == each.accesses()
    assert max(map(len, together.chunks)) <= 16
