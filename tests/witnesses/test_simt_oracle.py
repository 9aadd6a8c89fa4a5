"""The oracle itself, on kernels built by hand: threads meet where they should, and arithmetic is C's."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.simt import ir
from kernels.simt.ir import BOOL, F32, I32, U32, Binary, Location, Pointer, Scalar, Space, Variable
from tests.oracle import arithmetic
from tests.oracle.launch import run

HERE = Location(1, 1)
THREAD = ir.Cast(ir.Special("threadIdx.x"), I32, HERE)
IN, OUT = (Variable(name, Pointer(I32), Space.REGISTER, HERE) for name in ("in", "out"))
TILE = Variable("tile", ir.Array(I32, 64), Space.SHARED, HERE)


def number(value: int) -> ir.Const:
    return ir.Const(value, I32)


def element(pointer: Variable, index: ir.Expression) -> ir.Deref:
    start = ir.Load(ir.Whole(pointer), pointer.type, HERE)
    return ir.Deref(ir.Offset(start, index, pointer.type, HERE), I32, HERE)


def tile(index: ir.Expression) -> ir.Element:
    return ir.Element(ir.Whole(TILE), index, I32, HERE)


def kernel(*statements: ir.Statement) -> ir.Kernel:
    return ir.Kernel("made", "made", (IN, OUT), (TILE,), ir.Block(statements), HERE)


def load(place: ir.Place) -> ir.Load:
    return ir.Load(place, I32, HERE)


def launch(made: ir.Kernel) -> list[int]:
    arrays = {"in": np.arange(64, dtype=np.int32) * 3, "out": np.zeros(64, np.int32)}
    return [int(value) for value in run(made, (1, 1, 1), (64, 1, 1), arrays)["out"]]


def test_a_barrier_joins_the_block() -> None:
    mirrored = ir.BinaryOp(Binary.SUBTRACT, number(63), THREAD, I32, HERE)
    made = kernel(
        ir.Store(tile(THREAD), load(element(IN, THREAD)), HERE),
        ir.Barrier(ir.Scope.BLOCK, None, HERE),
        ir.Store(element(OUT, THREAD), load(tile(mirrored)), HERE),
    )
    assert launch(made) == [3 * (63 - t) for t in range(64)]


def test_threads_that_returned_do_not_count_at_a_barrier() -> None:
    lower = ir.BinaryOp(Binary.LESS, THREAD, number(32), BOOL, HERE)
    made = kernel(
        ir.If(lower, ir.Block((ir.Return(None, HERE),)), None, HERE),
        ir.Barrier(ir.Scope.BLOCK, None, HERE),
        ir.Store(element(OUT, THREAD), number(1), HERE),
    )
    assert launch(made) == [0] * 32 + [1] * 32


def test_a_shuffle_joins_a_warp_and_keeps_its_own_value_past_the_end() -> None:
    given = (ir.Const(0xFFFFFFFF, U32), load(element(IN, THREAD)), ir.Const(5, U32))
    made = kernel(ir.Store(element(OUT, THREAD), ir.Call("__shfl_down_sync", given, I32, HERE), HERE))
    assert launch(made) == [3 * (t + 5 if t % 32 < 27 else t) for t in range(64)]


def test_atomics_give_the_old_value() -> None:
    place = ir.AddressOf(element(OUT, number(0)), Pointer(I32), HERE)
    old = ir.Call("atomicAdd", (place, number(2)), I32, HERE)
    made = kernel(
        ir.If(
            ir.BinaryOp(Binary.EQUAL, old, number(6), BOOL, HERE), ir.Block((ir.Store(element(OUT, number(1)), THREAD, HERE),)), None, HERE
        )
    )
    assert launch(made)[:2] == [128, 3]


@pytest.mark.parametrize(
    ("operator", "left", "right", "kind", "expected"),
    [
        (Binary.DIVIDE, -7, 2, I32, -3),
        (Binary.REMAINDER, -7, 2, I32, -1),
        (Binary.REMAINDER, 7, -2, I32, 1),
        (Binary.ADD, 2**31 - 1, 1, I32, -(2**31)),
        (Binary.SUBTRACT, 0, 1, U32, 2**32 - 1),
        (Binary.MULTIPLY, 65536, 65536, U32, 0),
        (Binary.SHIFT_RIGHT, -9, 1, I32, -5),
        (Binary.SHIFT_LEFT, 3, 31, I32, -(2**31)),
    ],
)
def test_integers_are_those_of_c(operator: Binary, left: int, right: int, kind: Scalar, expected: int) -> None:
    assert arithmetic.binary(operator, left, right, kind) == expected


def test_conversions_are_those_of_the_gpu() -> None:
    assert arithmetic.convert(np.float32(-2.9), I32) == -2
    assert arithmetic.convert(np.float32(3e9), I32) == 2**31 - 1
    assert arithmetic.convert(np.float32(np.nan), U32) == 0
    assert arithmetic.convert(2**25 + 1, F32) == np.float32(2**25)
    assert arithmetic.convert(2**63 + 2**39 + 1, F32) == np.float32(2**63 + 2**40), "rounded once, not through a double"


finite = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(finite, finite, finite)
@example(0.0, 0.0, float(np.finfo(np.float32).max))
def test_a_fused_multiply_add_is_rounded_once(a: float, b: float, c: float) -> None:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    with np.errstate(over="ignore"):
        fused = arithmetic.fused_multiply_add(np.float32(a), np.float32(b), np.float32(c), 4)
    assert isinstance(fused, np.float32)
    if not np.isfinite(fused):
        assert abs(exact) > Fraction(float(np.finfo(np.float32).max))
        return
    with np.errstate(over="ignore"):  # beside the largest number
        near = [np.nextafter(fused, np.float32(towards)) for towards in (-np.inf, np.inf)]
    assert all(abs(exact - Fraction(float(fused))) <= abs(exact - Fraction(float(each))) for each in near if np.isfinite(each))


def test_a_fused_multiply_add_has_no_infinite_product_in_between() -> None:
    large, infinite = np.float32(1e38), np.float32(np.inf)
    assert arithmetic.fused_multiply_add(large, large, -infinite, 4) == -infinite
    assert arithmetic.fused_multiply_add(infinite, large, large, 4) == infinite
