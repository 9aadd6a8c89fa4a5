"""The table of functions: complete; and those functions that are more than a value from values."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest

from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value, tf32
from kernels.simt.base.types import BOOL, F16, F32, F64, I32, I64, U32, U64, Array, Field, Kind, Pointer, Scalar, Struct, Type
from kernels.simt.base.windows import SHARED_WINDOW
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.intrinsics.functions import FUNCTIONS
from tests.launches.lane_context import LaneContext, invoke

NODES = (Known.VECTOR, Known.BARRIER, Known.LOAD, Known.STORE, Known.LANE, Known.ADDRESS, Known.PRINT, Known.ASSERT)
"""Kinds that the representation has nodes of its own for: no function of the name is called."""
BFLOAT16 = Scalar(Kind.FLOAT, 2, brain=True)
I8 = Scalar(Kind.SIGNED, 1)


def test_every_declared_function_is_there() -> None:
    assert {name for name, kind in KNOWN.items() if kind not in NODES} <= set(FUNCTIONS)


def test_a_trap_is_told_by_the_threads_that_reach_it() -> None:
    context = LaneContext(32, [lane in (3, 5) for lane in range(32)])
    invoke("__trap", None, [], context=context)
    assert context.printed == [(3, "1: __trap() reached.\n"), (5, "1: __trap() reached.\n")]
    assert context.ended == ["__trap(): a GPU would end the launch here."]


@pytest.mark.parametrize(
    ("name", "result", "types", "values", "expected"),
    [
        ("__popc", I32, [U32], (255,), 8),
        ("abs", I32, [I32], (-(2**31),), -(2**31)),
        ("max", U32, [I32, U32], (-1, 5), 2**32 - 1),
        ("isnan", BOOL, [F32], (np.float32("nan"),), True),
        ("sqrtf", F32, [F32], (np.float32(2),), np.float32(math.sqrt(2))),
        ("pow", F64, [F64, F64], (np.float64(2), np.float64(10)), np.float64(1024)),
        ("__half_as_ushort", Scalar(Kind.UNSIGNED, 2), [F16], (np.float16(1),), 0x3C00),
        ("cospi", F64, [F64], (np.float64(0.5),), np.float64(0)),
        ("sinpif", F32, [F32], (np.float32(1e9),), np.float32(0)),
        ("tgamma", F64, [F64], (np.float64(5),), np.float64(24)),
        ("lgammaf", F32, [F32], (np.float32(-3),), np.float32("inf")),
        ("erfinv", F64, [F64], (np.float64(1),), np.float64("inf")),
        ("__saturatef", F32, [F32], (np.float32("nan"),), np.float32(0)),
        ("__hiloint2double", F64, [I32, I32], (0x3FF00000, 0), np.float64(1)),
        ("__double2hiint", I32, [F64], (np.float64(-1),), 0xBFF00000 - 2**32),
    ],
)
def test_one_value_for_all_lanes_gives_one(name: str, result: Type, types: list[Type], values: tuple[Any, ...], expected: Any) -> None:
    found = invoke(name, result, types, *values)
    assert type(found) is type(expected)
    assert found == expected


def test_gamma_at_its_poles() -> None:
    found = invoke("tgamma", F64, [F64], np.array([0.0, -0.0, -1.0, np.inf, -np.inf, 1000.0]))
    np.testing.assert_array_equal(found, [np.inf, -np.inf, np.nan, np.inf, np.nan, np.inf])


def test_a_shuffle_of_one_value_is_that_value_and_joins_the_warp() -> None:
    context = LaneContext()
    assert invoke("__shfl_xor_sync", I32, [U32, I32, I32, I32], 0xFFFF, 7, 1, context=context) == 7
    assert context.named == [0xFFFF]


def test_active_lanes_are_told_without_joining_the_warp() -> None:
    context = LaneContext(32, [lane < 5 for lane in range(32)])
    assert invoke("__activemask", U32, [], context=context)[0] == 31
    assert context.named == []


def test_sine_and_cosine_go_through_the_pointers() -> None:
    context = LaneContext()
    invoke("sincosf", None, [F32, U64, U64], np.float32(0.5), 256, 512, context=context)
    (first, sines, _), (second, cosines, _) = context.stores
    assert (first, second) == (256, 512)
    assert sines.dtype == np.float32
    assert (sines[0], cosines[0]) == (np.float32(math.sin(0.5)), np.float32(math.cos(0.5)))


def test_the_clock_goes_forward_the_same_way_every_time() -> None:
    def readings() -> list[int]:
        context = LaneContext()
        return [invoke("clock", I32, [], context=context), invoke("clock64", I64, [], context=context)]

    assert readings() == readings()
    assert readings()[0] < readings()[1]


def test_compare_and_swap() -> None:
    numbers = np.arange(33, dtype=np.uint32)
    context = LaneContext()
    found = invoke("atomicCAS", U32, [U64, U32, U32], 4096, numbers[:-1], numbers[1:], context=context)
    assert found.tolist() == list(range(32))
    assert context.state["memory"].tolist() == [32]


def test_an_atomic_on_floats_adds_one_after_the_other() -> None:
    values = np.array([2.0**24] + [1.0] * 31, np.float32)
    context = LaneContext()
    found = invoke("atomicAdd", F32, [U64, F32], 4096, values, context=context)
    assert found[31] == context.state["memory"][0] == 2.0**24  # each 1 is rounded away on its own


def test_bfloat16_rounds_to_nearest_even() -> None:
    one, step = 1.0, 2.0**-7
    values = np.array([one, one + step / 2, one + 1.5 * step, one + 0.51 * step, -0.0, np.inf, 3.4e38], np.float32)
    found = bfloat16_value(bfloat16_bits(values)).tolist()
    assert found == [one, one, one + 2 * step, one + step, -0.0, math.inf, math.inf]
    assert np.isnan(bfloat16_value(bfloat16_bits(np.array([np.nan], np.float32)))).all()


def test_tf32_drops_low_bits() -> None:
    assert tf32(np.array([1 + 2**-10, 1 + 2**-11], np.float32)).tolist() == [1 + 2**-10, 1.0]


def fragment(use: str, m: int, n: int, k: int, name: str, scalar: Scalar, layout: str = "") -> Pointer:
    count = {"matrix_a": m * k, "matrix_b": k * n, "accumulator": m * n}[use] // 32
    order = f", nvcuda::wmma::{layout}" if layout else ""
    spelled = f"nvcuda::wmma::fragment<nvcuda::wmma::{use}, {m}, {n}, {k}, {name}{order}>"
    return Pointer(Struct(spelled, (Field("x", Array(scalar, count), 0),), count * scalar.size, scalar.size))


def private(offset: int) -> Any:
    """An address in each lane's own memory."""
    return np.arange(64, dtype=np.int64) * 256 + offset


TILES: list[tuple[str, Scalar, str, Scalar]] = [
    ("__fp16", F16, "float", F32),
    ("__fp16", F16, "__fp16", F16),
    ("__bf16", BFLOAT16, "float", F32),
    ("signed char", I8, "int", I32),
]


@pytest.mark.parametrize(("name", "scalar", "sum_name", "sum_scalar"), TILES)
@pytest.mark.parametrize("layout", ["row_major", "col_major"])
@pytest.mark.parametrize(("m", "n", "k"), [(16, 16, 16), (32, 8, 16)])
def test_tiles_are_multiplied(name: str, scalar: Scalar, sum_name: str, sum_scalar: Scalar, layout: str, m: int, n: int, k: int) -> None:
    generator = np.random.default_rng(5)
    context = LaneContext(64)
    left, right, start = (generator.integers(-5, 6, shape) for shape in ((m, k), (k, n), (m, n)))
    stored = [bfloat16_bits(each.astype(np.float32)) if scalar.brain else each.astype(scalar_dtype(scalar)) for each in (left, right)]
    order: Literal["C", "F"] = "C" if layout == "row_major" else "F"
    strides = [shape[1] if order == "C" else shape[0] for shape in ((m, k), (k, n))]
    for place, each in zip((20000, 30000), stored, strict=True):
        context.place(place, np.frombuffer(each.tobytes(order), each.dtype))
    context.place(40000, start.astype(scalar_dtype(sum_scalar)))
    types = [fragment("matrix_a", m, n, k, name, scalar, layout), fragment("matrix_b", m, n, k, name, scalar, layout)]
    total = fragment("accumulator", m, n, k, sum_name, sum_scalar)
    for c_type, offset, place, stride in zip(types, (0, 64), (20000, 30000), strides, strict=True):
        invoke("load_matrix_sync", None, [c_type, U64, U32], private(offset), place, stride, context=context)
    invoke("load_matrix_sync", None, [total, U64, U32, I32], private(128), 40000, n, 0, context=context)
    invoke("mma_sync", None, [total, *types, total, BOOL], private(128), private(0), private(64), private(128), False, context=context)  # noqa: FBT003
    invoke("store_matrix_sync", None, [U64, total, U32, I32], 50000, private(128), m, 1, context=context)
    dtype = scalar_dtype(sum_scalar)
    found = context.memory[50000 : 50000 + m * n * dtype.itemsize].view(dtype).reshape(n, m).T
    np.testing.assert_array_equal(found, (left @ right + start).astype(dtype))
    assert set(context.named) == {0xFFFFFFFF}


def test_a_tile_of_tf32_is_read_with_fewer_bits() -> None:
    context = LaneContext(64)
    a, b = (fragment(use, 16, 16, 8, "nvcuda::wmma::precision::tf32", F32, "row_major") for use in ("matrix_a", "matrix_b"))
    total = fragment("accumulator", 16, 16, 8, "float", F32)
    for c_type, offset, value in ((a, 0, 1 + 2.0**-11), (b, 64, 1.0), (total, 128, 0.0)):
        invoke("fill_fragment", None, [c_type, F32], private(offset), np.float32(value), context=context)
    invoke("mma_sync", None, [total, a, b, total], private(128), private(0), private(64), private(128), context=context)
    assert (context.load(private(128), F32) == 8.0).all()


class Copier(LaneContext):
    """Writes down what the copies ask of the machine."""

    def __init__(self, active: list[bool] | None = None) -> None:
        super().__init__(32, active)
        self.geometry = self
        self.start = 0
        self.rows = 0
        self.read: list[tuple[Any, Any, int, list[int]]] = []
        self.written: list[tuple[str, Any, Any, list[int]]] = []

    def read_ahead(self, target: Any, source: Any, size: int, filled: Any) -> tuple[Any, ...]:
        self.read.append((target, source, size, filled.tolist()))
        return (self.vector(source),)

    def write_late(self, call: Any, target: Any, items: Any, lanes: Any, issued: int) -> None:
        assert issued == self.rows
        self.written.append((call.name, target[0], items[0][0], np.flatnonzero(lanes).tolist()))


def copy(context: Copier, target: int) -> None:
    invoke("__pipeline_memcpy_async", None, [U64] * 4, SHARED_WINDOW + target, 7 * target, 16, 4, context=context)


def commit(context: Copier) -> None:
    invoke("__pipeline_commit", None, [], context=context)


def wait(context: Copier, left: int) -> list[int]:
    """The targets that the wait writes."""
    context.written.clear()
    invoke("__pipeline_wait_prior", None, [U32], left, context=context)
    assert all(source == 7 * (target - SHARED_WINDOW) for _, target, source, _ in context.written)
    return [target - SHARED_WINDOW for _, target, _, _ in context.written]


def test_a_copy_is_read_at_once_and_written_by_the_wait() -> None:
    context = Copier()
    copy(context, 1)
    assert context.read == [(SHARED_WINDOW + 1, 7, 16, [4] * 32)]
    assert wait(context, 0) == []  # not committed
    commit(context)
    assert wait(context, 0) == [1]
    assert context.written[0][3] == list(range(32))
    assert wait(context, 0) == []


def test_a_wait_leaves_the_groups_that_it_may() -> None:
    context = Copier()
    for target in (1, 2, 3):
        copy(context, target)
        commit(context)
    assert wait(context, 2) == [1]
    assert wait(context, 0) == [2, 3]


def test_lanes_that_part_keep_their_own_groups() -> None:
    context = Copier()
    context.active = np.arange(32) < 16
    copy(context, 1)
    commit(context)
    context.active = np.ones(32, np.bool_)
    copy(context, 2)
    commit(context)
    assert wait(context, 1) == [1]
    assert context.written[0][3] == list(range(16))
    assert wait(context, 0) == [2]


@pytest.mark.parametrize(("name", "python", "second"), [("frexp", math.frexp, I32), ("modf", math.modf, F64)])
def test_a_number_in_two_parts(name: str, python: Any, second: Scalar) -> None:
    given = np.array([0.0, -0.0, 12.5, -3.75, 1e-310, 1e300, 5e-324, 0.5, math.inf, -math.inf])
    context = LaneContext(len(given))
    first = invoke(name, F64, [F64, Pointer(second)], given, 16 * np.arange(len(given)), context=context)
    expected = [python(each) for each in given.tolist()]
    np.testing.assert_array_equal(first, [each[0] for each in expected])
    np.testing.assert_array_equal(context.stores[0][1], [each[1] for each in expected])
    assert context.stores[0][2] == second
    assert np.signbit(first[1])


def test_exponents() -> None:
    given = np.array([1.0, 9.0, 0.3, -1024.0, 5e-324, 0.0, np.inf, np.nan])
    np.testing.assert_array_equal(invoke("logb", F64, [F64], given), [0, 3, -2, 10, -1074, -np.inf, np.inf, np.nan])
    np.testing.assert_array_equal(invoke("ilogb", I32, [F64], given), [0, 3, -2, 10, -1074, -(2**31), 2**31 - 1, -(2**31)])
