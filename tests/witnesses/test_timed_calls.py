"""Times have a third witness: a few lines of C that call the same compiled function by its address and read the clock themselves."""

from __future__ import annotations

import ctypes
import random
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.base.reference import random_inputs
from kernels.base.spec import Problem, Variant
from kernels.catalogue.source import arguments, is_for_a_team
from kernels.cpu.matrix import aligned_copy, aligned_matrix
from kernels.jit.compile import Specialization, compiled
from kernels.jit.timed_calls import RaisedError, TimedCalls, address_of, flattened
from tests.devices.cpu_settings import CPU_VARIANTS

SOURCE = Path(__file__).with_name("timed_calls.c")
ROUNDS, WORDS = 9, 32
SINGLE = [v for v in CPU_VARIANTS if not v.library and not is_for_a_team(v)]


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The function in C."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("witness") / "timed_calls.so"
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", str(SOURCE), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).witness
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    return function


def given(variant: Variant, n: int) -> tuple[Any, ...]:
    """The arguments of the variant at n, its output poisoned."""
    problem = Problem.square(variant.operation, n)
    operands = [aligned_copy(matrix) for matrix in random_inputs(problem, 1).values()]
    output = aligned_matrix(problem.shapes["C"])
    output.fill(np.nan)
    return (*operands, output, *arguments(variant, variant.defaults))


@pytest.mark.parametrize("variant", SINGLE, ids=lambda variant: variant.id)
def test_c_calls_the_same_function_and_finds_the_same_result(variant: Variant, witness: Any) -> None:
    kernel: Any = compiled(Specialization.of(variant, variant.defaults))
    ours, theirs = given(variant, 24), given(variant, 24)
    assert TimedCalls(address_of(kernel) or 0, ours).milliseconds(1) > 0
    outcome = np.zeros(2, np.int64)
    words = np.zeros(WORDS, np.int64)
    passed = [outcome.ctypes.data, outcome.ctypes.data + 8, *flattened(theirs)]
    words[: len(passed)] = passed
    assert witness(address_of(kernel), words.ctypes.data, 1) > 0
    where = next(place for place, each in enumerate(ours) if not isinstance(each, np.ndarray)) if len(ours) > 3 else len(ours)
    output = [each for each in ours[:where] if isinstance(each, np.ndarray)][-1]
    assert np.isfinite(output).all()
    other = [each for each in theirs[:where] if isinstance(each, np.ndarray)][-1]
    assert output.tobytes() == other.tobytes()


@pytest.mark.parametrize("variant_id", ["cpu.naive", "cpu.blocked", "cpu.packed", "cpu.transpose-blocked"])
def test_c_measures_about_the_same_time(variant_id: str, witness: Any) -> None:
    """Loosely, since the machine may be busy: `tests/perf/third_witness.py` tells the ratio."""
    turns = taken_in_turn(next(v for v in SINGLE if v.id == variant_id), 96, 40, witness)
    assert 0.2 < statistics.median(ours / theirs for ours, theirs, _ in turns) < 5


def test_an_error_in_the_kernel_is_raised_and_not_timed() -> None:
    import numba

    def beyond(A: np.ndarray) -> None:
        A[0, 0] = A[99, 0]

    kernel: Any = numba.njit("void(float32[:, ::1])", boundscheck=True)(beyond)
    with pytest.raises(RaisedError):
        TimedCalls(address_of(kernel) or 0, (aligned_matrix((2, 2)),)).milliseconds(3)


Turns = list[tuple[float, float, float]]


def taken_in_turn(variant: Variant, n: int, calls: int, witness: Any, rounds: int = ROUNDS) -> Turns:
    """Milliseconds of so many calls together by us, by C and by C again, in an order that is another one each time."""
    kernel: Any = compiled(Specialization.of(variant, variant.defaults))
    arguments_ = given(variant, n)
    address = address_of(kernel) or 0
    timed, outcome, words = TimedCalls(address, arguments_), np.zeros(2, np.int64), np.zeros(WORDS, np.int64)
    passed = [outcome.ctypes.data, outcome.ctypes.data + 8, *flattened(arguments_)]
    words[: len(passed)] = passed

    def by_us() -> float:
        return timed.milliseconds(calls)

    def by_c() -> float:
        return float(witness(address, words.ctypes.data, calls) / 1e6)

    shuffled, found = random.Random(n), []
    for _ in range(rounds):
        sides = [(0, by_us), (1, by_c), (2, by_c)]
        shuffled.shuffle(sides)
        by_us()  # whoever is the first finds the caches as the others do
        found.append(tuple(ms for _, ms in sorted((side, take()) for side, take in sides)))
    return found  # type: ignore[return-value]
