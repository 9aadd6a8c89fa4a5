"""The pass over kernel sources: what small kernels touch, in order, and what is refused."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib.util import find_spec

import numpy as np
import pytest

from kernels.base.arrays import Cancelled
from kernels.base.messages import Message
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.cachesim.count import Counts, MissCount, count, refuse_count
from kernels.cachesim.execute import WORKING_BYTES, execute
from kernels.cachesim.geometry import Hierarchy, Level, fits_up_to
from kernels.cachesim.load import InstrumentedKernel, SourcePass, recording_functions
from kernels.cachesim.numbering import NotInstrumentable, Numbering
from kernels.cachesim.presets import SCALED, preset
from kernels.cachesim.stream import Accesses, Entries
from kernels.catalogue.catalogue import VARIANTS, by_id

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")
PROBLEM = Problem(Operation.TRANSPOSE, 3, 4)
"""A is 3 x 4 from address 0, C is 4 x 3 from address 64."""


def passed(text: str) -> tuple[ast.Module, Numbering]:
    numbering = Numbering(("A", "C"))
    return SourcePass("toy.py", numbering, frozenset(), {}, frozenset()).module(ast.parse(text)), numbering


def touched(text: str) -> list[str]:
    """What `kernel(A, C)` touches, such as "r A 4" or "w C 0": address within the array, in bytes."""
    tree, numbering = passed(text)
    namespace = {**recording_functions(), "np": np}
    exec(compile(tree, "toy.py", "exec"), namespace)
    kernel = InstrumentedKernel(by_id("cpu.transpose-naive"), namespace["kernel"], ("A", "C"), numbering.arrays, numbering.places)
    noted: list[Entries] = []

    def take(entries: Entries) -> bool:
        noted.append(entries.copy())
        return True

    execute(kernel, PROBLEM, {}, take)
    accesses = Accesses.unpacked(np.concatenate(noted))
    start = {"A": 0, "C": 64}
    names = [kernel.arrays[number] for number in accesses.array]
    columns = zip(accesses.write, names, accesses.address.tolist(), strict=True)
    return [f"{'w' if write else 'r'} {name} {address - start.get(name, 128)}" for write, name, address in columns]


@needs_numba
@pytest.mark.parametrize(("body", "expected"), [
    ("C[1, 0] = A[0, 1]", "r A 4, w C 12"),
    ("C[-1, -1] = A[2][3]", "r A 44, w C 44"),
    ("C[0, 0] += A[0, 1] * A[0, 2]", "r C 0, r A 4, r A 8, w C 0"),
    ("C[0, 0], C[0, 1] = A[0, 1], A[0, 0]", "r A 4, r A 0, w C 0, w C 4"),
    ("a = C[0, 0] = A[0, 0]\n    C[0, 1] = a", "r A 0, w C 0, w C 4"),
    ("C[1, :] = 0", "w C 12, w C 16, w C 20"),
    ("C[0, :2] = A[1, 2:]", "r A 24, w C 0, r A 28, w C 4"),
    ("C[0, :2] = A[1, 2:] * A[0, 0]", "r A 24, r A 28, r A 0, w C 0, w C 4"),
    ("C[0, :2] += A[0, :2]", "r C 0, r C 4, r A 0, r A 4, w C 0, w C 4"),
    ("c = C[2]\n    c[1] = len(c)", "w C 28"),
    ("c = C[2, 1:]\n    c += A[0, 2:]", "r A 8, r A 12, r C 28, w C 28, r C 32, w C 32"),
    ("if A[0, 0] < A[0, 1]:\n        C[0, 0] = 1\n    else:\n        C[0, 1] = 1", "r A 0, r A 4, w C 4"),
    ("C[int(A[0, 0]), 1] = 2", "r A 0, w C 4"),
    ("t = A.T\n    C[0, 0] = t[1, 2]", "r A 36, w C 0"),
    ("x: float = A[0, 3]\n    C[0, 0] = -x", "r A 12, w C 0"),
    ("np.add(A[0, :2], A[1, :2], C[0, :2])", "r A 0, r A 4, r A 16, r A 20, w C 0, w C 4"),
    ("fill(C, A[0, 0])", "r A 0, w C 8"),
    ("t = np.empty(2, np.float32)\n    t[1] = A[0, 0]\n    C[0, 0] = t[1]", "r A 0, w t 4, r t 4, w C 0"),
    ("t = np.zeros((1, 2), dtype=np.float32)\n    C[0, 0] = t[0, 1]", "w t 0, w t 4, r t 4, w C 0"),
    ("for i in range(2):\n        t = np.empty_like(A)\n        t[i, 0] = 1", "w t 0, w t 16"),
    ("halve(A, 2)\n    C[0, 0] = 1", "w part 0, w part 64, w C 0"),
    ("halve(A, 1)\n    halve(A, 1)", "w part 0, w part 0"),
])  # fmt: skip
def test_what_is_touched_in_which_order(body: str, expected: str) -> None:
    helpers = """
def fill(X, value):
    X[0, 2] = value

def halve(X, depth):
    if depth == 0:
        return
    part = np.empty((2, 2), np.float32)
    part[0, 0] = depth
    halve(part, depth - 1)
"""
    assert ", ".join(touched(f"{helpers}\ndef kernel(A, C):\n    {body}\n")) == expected


@needs_numba
def test_a_kernel_that_needs_more_memory_is_executed_again_and_seen_once() -> None:
    large = WORKING_BYTES // 4
    text = f"def kernel(A, C):\n    C[0, 0] = 1\n    t = np.empty({large}, np.float32)\n    t[{large - 1}] = A[0, 0]\n"
    assert touched(text) == ["w C 0", "r A 0", f"w t {4 * large - 4}"]


@pytest.mark.parametrize("body", [
    "x = [A[0, i] for i in range(2)]",
    "f = lambda: A[0, 0]",
    "with A: pass",
    "for a in A: pass",
    "x = A.sum()",
    "x = A.copy()",
    "np.add(A, A, out=A)",
    "def inner(): pass",
    "A.shape = (1, 2)",
    "del A",
])  # fmt: skip
def test_what_is_not_known_is_refused_with_its_line(body: str) -> None:
    with pytest.raises(NotInstrumentable, match=r"toy\.py:2: "):
        passed(f"def kernel(A, C):\n    {body}\n")


@pytest.mark.parametrize("one", VARIANTS, ids=lambda one: one.id)
def test_every_variant_is_counted_or_refused_with_a_reason(one: Variant) -> None:
    counted = one.device is Device.CPU and not one.library
    assert (refuse_count(one) is None) == counted
    if not counted:
        assert isinstance(count(one, Problem.square(one.operation, 4), one.defaults, preset(SCALED)), Message)


@needs_numba
def test_counting_ends_when_the_check_says_so() -> None:
    asked = []

    def check() -> None:
        asked.append(1)
        if len(asked) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        count(by_id("cpu.naive"), Problem.square(Operation.MATMUL, 64), {}, preset(SCALED), check)
    assert len(asked) == 3


@needs_numba
def test_a_power_of_two_makes_conflicts() -> None:
    hierarchy = Hierarchy("small", (Level("L1", 4096, 2, 64),))
    kinds = {}
    for n in (31, 32):
        counts = count(by_id("cpu.transpose-naive"), Problem.square(Operation.TRANSPOSE, n), {}, hierarchy, classified=True)
        assert isinstance(counts, Counts)
        assert counts.levels[0].kinds is not None
        kinds[n] = counts.levels[0].kinds
    assert kinds[32].conflict > 4 * kinds[31].conflict


def nearest(name: str, n: int, parameters: Mapping[str, int]) -> MissCount:
    """What the nearest of the scaled caches saw of square matrices."""
    found = by_id(name)
    counts = count(found, Problem.square(found.operation, n), parameters, preset(SCALED))
    assert isinstance(counts, Counts)
    return counts.levels[0].total


@needs_numba
def test_the_best_tile_is_one_that_fits() -> None:
    small, fitting, large = (nearest("cpu.blocked", 48, {"tile": tile}).misses for tile in (4, 8, 48))
    assert fitting < small
    assert fitting < large
    assert 8 < fits_up_to(Operation.MATMUL, preset(SCALED).levels[0]) < 10


@needs_numba
def test_matrices_that_do_not_fit_miss_more_often() -> None:
    small, large = (nearest("cpu.transpose-naive", n, {}) for n in (8, 40))
    assert small.misses / small.accesses < large.misses / large.accesses
    assert fits_up_to(Operation.TRANSPOSE, Level("L1", 800, 1, 8)) == 10
