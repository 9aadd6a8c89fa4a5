"""CUDA's functions on lane vectors against their definition for one lane, written in plain Python."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.types import BOOL, F16, F32, F64, I32, I64, U32, U64, Kind, Scalar
from tests.launches.lane_context import LaneContext, invoke

FEW = settings(max_examples=40, deadline=None)
"""For laws that are tried on several functions."""
MANY = settings(deadline=None)
WORDS = st.one_of(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 2**31 - 1, 2**31, 2**32 - 1]))
LONGS = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**63 - 1, 2**63, 2**64 - 1]))
FLOATS = st.floats(width=32)
DOUBLES = st.floats()
FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def same(found: float, expected: float) -> bool:
    return (found != found and expected != expected) or (found == expected and math.copysign(1, found) == math.copysign(1, expected))


def lanes_of(values: list[Any], scalar: Scalar) -> Any:
    if scalar.kind is Kind.SIGNED:
        values = [signed(value, 8 * scalar.size) for value in values]
    return np.array(values, scalar_dtype(scalar))


def nearest(exact: Fraction, dtype: Any, mode: str) -> float:
    """A Fraction in a float type, rounded as `mode` says, by looking at the neighbours."""
    if exact == 0:
        return 0.0
    limit = Fraction(float(np.finfo(dtype).max))
    with np.errstate(all="ignore"):
        start = dtype(float(exact)) if abs(exact) <= limit else dtype(math.inf if exact > 0 else -math.inf)
        around = sorted({float(np.nextafter(start, dtype(-np.inf))), float(start), float(np.nextafter(start, dtype(np.inf)))})
    below = max((each for each in around if each == -math.inf or (math.isfinite(each) and Fraction(each) <= exact)), default=-math.inf)
    above = min((each for each in around if each == math.inf or (math.isfinite(each) and Fraction(each) >= exact)), default=math.inf)
    toward_zero = above if exact < 0 else below
    return {"d": below, "u": above, "z": toward_zero}[mode]


BITS: list[tuple[str, Scalar, Scalar, Callable[[int], int]]] = [
    ("__popc", I32, U32, lambda x: bin(x).count("1")),
    ("__popcll", I32, U64, lambda x: bin(x).count("1")),
    ("__clz", I32, I32, lambda x: 32 - x.bit_length()),
    ("__clzll", I32, I64, lambda x: 64 - x.bit_length()),
    ("__ffs", I32, I32, lambda x: (x & -x).bit_length()),
    ("__ffsll", I32, I64, lambda x: (x & -x).bit_length()),
    ("__brev", U32, U32, lambda x: int(f"{x:032b}"[::-1], 2)),
    ("__brevll", U64, U64, lambda x: int(f"{x:064b}"[::-1], 2)),
]


@pytest.mark.parametrize(("name", "result", "argument", "definition"), BITS)
@FEW
@given(data=st.data())
def test_functions_of_one_word(name: str, result: Scalar, argument: Scalar, definition: Callable[[int], int], data: st.DataObject) -> None:
    words = data.draw(st.lists(LONGS if argument.size == 8 else WORDS, min_size=1, max_size=40))
    found = invoke(name, result, [argument], lanes_of(words, argument))
    assert found.dtype == scalar_dtype(result)
    assert found.tolist() == [definition(word) for word in words]


PAIRS: list[tuple[str, Scalar, Callable[[int, int], int]]] = [
    ("__mul24", I32, lambda a, b: signed(a & 0xFFFFFF, 24) * signed(b & 0xFFFFFF, 24)),
    ("__umul24", U32, lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF)),
    ("__mulhi", I32, lambda a, b: (a * b) >> 32),
    ("__umulhi", U32, lambda a, b: (a * b) >> 32),
    ("__mul64hi", I64, lambda a, b: (a * b) >> 64),
    ("__umul64hi", U64, lambda a, b: (a * b) >> 64),
    ("__hadd", I32, lambda a, b: (a + b) >> 1),
    ("__rhadd", I32, lambda a, b: (a + b + 1) >> 1),
    ("__uhadd", U32, lambda a, b: (a + b) >> 1),
    ("__urhadd", U32, lambda a, b: (a + b + 1) >> 1),
    ("min", I32, min),
    ("max", U64, max),
]


@pytest.mark.parametrize(("name", "scalar", "definition"), PAIRS)
@FEW
@given(data=st.data())
def test_functions_of_two_words(name: str, scalar: Scalar, definition: Callable[[int, int], int], data: st.DataObject) -> None:
    numbers = LONGS if scalar.size == 8 else WORDS
    pairs = data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=40))
    a, b = (lanes_of([pair[place] for pair in pairs], scalar) for place in (0, 1))
    found = invoke(name, scalar, [scalar, scalar], a, b)
    expected = [definition(x, y) & ((1 << 8 * scalar.size) - 1) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert found.dtype == a.dtype
    assert found.tolist() == lanes_of(expected, scalar).tolist()


def permuted(x: int, y: int, selector: int) -> int:
    stored = (x | y << 32).to_bytes(8, "little")
    digits = [(selector >> 4 * place) & 15 for place in range(4)]
    return int.from_bytes([(255 if stored[d & 7] > 127 else 0) if d & 8 else stored[d & 7] for d in digits], "little")


TRIPLES: list[tuple[str, Callable[[int, int, int], int]]] = [
    ("__byte_perm", permuted),
    ("__funnelshift_l", lambda low, high, by: (((high << 32) | low) << (by & 31)) >> 32),
    ("__funnelshift_r", lambda low, high, by: ((high << 32) | low) >> (by & 31)),
    ("__funnelshift_lc", lambda low, high, by: (((high << 32) | low) << min(by, 32)) >> 32),
    ("__funnelshift_rc", lambda low, high, by: ((high << 32) | low) >> min(by, 32)),
    ("__usad", lambda a, b, c: abs(a - b) + c),
]


@pytest.mark.parametrize(("name", "definition"), TRIPLES)
@FEW
@given(words=st.lists(st.tuples(WORDS, WORDS, WORDS | st.integers(0, 40)), min_size=1, max_size=40))
def test_functions_of_three_words(name: str, definition: Callable[[int, int, int], int], words: list[tuple[int, int, int]]) -> None:
    vectors = [np.array([each[place] for each in words], np.uint32) for place in range(3)]
    found = invoke(name, U32, [U32] * 3, *vectors)
    assert found.tolist() == [definition(*each) & 0xFFFFFFFF for each in words]


@MANY
@given(a=st.binary(min_size=4, max_size=4), b=st.binary(min_size=4, max_size=4), c=WORDS)
def test_dot_product_of_bytes(a: bytes, b: bytes, c: int) -> None:
    left, right = (np.frombuffer(each, np.int32) for each in (a, b))
    total = sum(signed(x, 8) * signed(y, 8) for x, y in zip(a, b, strict=True)) + signed(c, 32)
    assert invoke("__dp4a", I32, [I32] * 3, left, right, lanes_of([c], I32)).tolist() == [signed(total & 0xFFFFFFFF, 32)]


def exact_fma(a: float, b: float, c: float, dtype: Any) -> float:
    with np.errstate(all="ignore"):
        simple = float(dtype(np.float64(a) * np.float64(b) + np.float64(c)))
    if not all(map(math.isfinite, (a, b, c))):
        return c if math.isfinite(a) and math.isfinite(b) and not math.isfinite(c) else simple
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return simple if a == 0 or b == 0 else 0.0
    down, up = nearest(exact, dtype, "d"), nearest(exact, dtype, "u")
    if down == up:
        return down
    top = Fraction(2) ** (np.finfo(dtype).maxexp)
    low, high = (Fraction(x) if math.isfinite(x) else top * (1 if x > 0 else -1) for x in (down, up))
    if exact - low != high - exact:
        return down if exact - low < high - exact else up
    bits = np.array([down], dtype).view(f"u{np.dtype(dtype).itemsize}")
    result = down if int(bits[0]) & 1 == 0 else up
    return result if result else math.copysign(0.0, exact)


@MANY
@given(st.tuples(FLOATS, FLOATS, FLOATS))
def test_fused_multiply_add_of_floats_is_rounded_once(operands: tuple[float, float, float]) -> None:
    found = invoke("fmaf", F32, [F32] * 3, *(np.array([each], np.float32) for each in operands))
    expected = exact_fma(*operands, np.float32)
    assert found.dtype == np.float32
    assert same(float(found[0]), expected) or (found[0] == 0 and expected == 0)


@MANY
@given(st.tuples(DOUBLES, DOUBLES, DOUBLES))
@example((1.0000000000000002e305, 1.0000000000000002e-305, -1.0))
@example((1.0000000000000002e-160, 1.0000000000000002e-160, -1e-320))
@example((1.3e-300, 1.7e-20, 5e-324))
def test_fused_multiply_add_of_doubles_is_rounded_once(operands: tuple[float, float, float]) -> None:
    found = invoke("fma", F64, [F64] * 3, *(np.array([each]) for each in operands))
    expected = exact_fma(*operands, np.float64)
    assert same(float(found[0]), expected) or (found[0] == 0 and expected == 0)


@MANY
@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 3), min_size=1, max_size=20))
def test_fused_multiply_add_of_ordinary_doubles(operands: list[tuple[float, float, float]]) -> None:
    found = invoke("fma", F64, [F64] * 3, *(np.array(column) for column in zip(*operands, strict=True)))
    assert [float(value) for value in found] == [exact_fma(*each, np.float64) for each in operands]


@MANY
@given(a=FINITE, b=FINITE, share=st.floats(-1, 1, width=32))
def test_a_fused_multiply_add_that_nearly_cancels(a: float, b: float, share: float) -> None:
    with np.errstate(all="ignore"):
        c = float(-np.float32(a) * np.float32(b) * np.float32(1 + share * 2**-20))
    found = invoke("fmaf", F32, [F32] * 3, *(np.array([each], np.float32) for each in (a, b, c)))
    expected = exact_fma(a, b, c, np.float32)
    assert float(found[0]) == expected or (found[0] != found[0] and expected != expected)


DIRECTED: list[tuple[str, Callable[[Fraction, Fraction], Fraction]]] = [
    ("add", operator.add),
    ("sub", operator.sub),
    ("mul", operator.mul),
    ("div", operator.truediv),
]


@pytest.mark.parametrize("mode", ["z", "u", "d"])
@pytest.mark.parametrize(("name", "definition"), DIRECTED)
@FEW
@given(a=FINITE, b=FINITE)
def test_directed_rounding(name: str, definition: Callable[[Fraction, Fraction], Fraction], mode: str, a: float, b: float) -> None:
    if name == "div" and b == 0:
        return
    found = float(invoke(f"__f{name}_r{mode}", F32, [F32, F32], np.array([a], np.float32), np.array([b], np.float32))[0])
    exact = definition(Fraction(a), Fraction(b))
    assert found == nearest(exact, np.float32, mode)


INTEGRAL: dict[str, Callable[[float], int]] = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}
WHOLES = {"int": I32, "uint": U32, "ll": I64, "ull": U64}


@pytest.mark.parametrize("mode", INTEGRAL)
@pytest.mark.parametrize("whole", WHOLES)
@pytest.mark.parametrize(("source", "scalar"), [("float", F32), ("double", F64)])
@FEW
@given(data=st.data())
def test_floats_to_integers(source: str, scalar: Scalar, whole: str, mode: str, data: st.DataObject) -> None:
    target = WHOLES[whole]
    values = data.draw(st.lists((FLOATS if scalar is F32 else DOUBLES) | st.floats(-4e9, 4e9, width=32), min_size=1, max_size=20))
    found = invoke(f"__{source}2{whole}_{mode}", target, [scalar], np.array(values, scalar_dtype(scalar)))
    limits: Any = np.iinfo(scalar_dtype(target))
    for value, result in zip(values, found.tolist(), strict=True):
        if value != value:
            assert result == ((limits.min or limits.max // 2 + 1) if 8 in (target.size, scalar.size) else 0)
        elif math.isinf(value):
            assert result == (limits.max if value > 0 else limits.min)
        else:
            assert result == min(max(INTEGRAL[mode](value), limits.min), limits.max)


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
@pytest.mark.parametrize("whole", WHOLES)
@FEW
@given(data=st.data())
def test_integers_to_floats(whole: str, mode: str, data: st.DataObject) -> None:
    source = WHOLES[whole]
    values = lanes_of(data.draw(st.lists(LONGS if source.size == 8 else WORDS, min_size=1, max_size=20)), source)
    found = invoke(f"__{whole}2float_{mode}", F32, [source], values)
    for value, result in zip(values.tolist(), found.tolist(), strict=True):
        if mode == "rn":
            down, up = (nearest(Fraction(value), np.float32, each) for each in "du")
            assert result in (down, up)
            assert abs(Fraction(result) - value) == min(abs(Fraction(down) - value), abs(Fraction(up) - value))
        else:
            assert result == nearest(Fraction(value), np.float32, mode[1])


@MANY
@given(st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=20))
def test_smaller_and_larger(pairs: list[tuple[float, float]]) -> None:
    a, b = (np.array(column, np.float32) for column in zip(*pairs, strict=True))
    for name, sign in (("fminf", 1), ("min", 1), ("fmaxf", -1), ("max", -1)):
        found = invoke(name, F32, [F32, F32], a, b)
        for (x, y), value in zip(pairs, found.tolist(), strict=True):
            numbers = [each for each in (x, y) if each == each]
            expected = min(numbers, key=lambda v: (sign * v, sign * math.copysign(1, v)), default=math.nan)
            assert same(value, expected)


@MANY
@given(st.lists(DOUBLES | st.floats(-10, 10), min_size=1, max_size=20))
def test_rounding_to_whole_numbers(values: list[float]) -> None:
    found = invoke("round", F64, [F64], np.array(values)).tolist()
    for value, result in zip(values, found, strict=True):
        if not math.isfinite(value):
            assert same(result, value)
            continue
        whole = math.floor(Fraction(abs(value)) + Fraction(1, 2))
        assert same(result, math.copysign(float(whole), value))


@MANY
@given(x=DOUBLES, y=DOUBLES | st.floats(-100, 100))
def test_remainder_is_ieee(x: float, y: float) -> None:
    found = float(invoke("remainder", F64, [F64, F64], np.array([x]), np.array([y]))[0])
    undefined = x != x or y != y or math.isinf(x) or y == 0
    assert same(found, math.nan if undefined else math.remainder(x, y))


@pytest.mark.parametrize("name", ["sin", "cos", "exp", "log", "tanh", "log2", "exp2", "cbrt", "atan", "erf", "asinh", "log1p"])
@FEW
@given(x=st.floats(-80, 80, width=32))
def test_functions_of_floats_are_within_an_ulp_of_the_definition(name: str, x: float) -> None:
    if name.startswith("log") and x <= (-1 if name == "log1p" else 0):
        return
    expected = np.float32(getattr(math, name)(x))
    found = invoke(f"{name}f", F32, [F32], np.array([x], np.float32))[0]
    assert abs(float(found) - float(expected)) <= np.spacing(np.abs(expected))


@MANY
@given(x=st.floats(-0.999999, 0.999999))
def test_inverse_error_functions(x: float) -> None:
    inverse = float(invoke("erfinv", F64, [F64], np.array([x]))[0])
    complement = float(invoke("erfcinv", F64, [F64], np.array([1 - x]))[0])
    assert math.isclose(math.erf(inverse), x, rel_tol=1e-12, abs_tol=5e-324)
    assert math.isclose(math.erfc(complement), 1 - x, rel_tol=1e-9)


@MANY
@given(a=st.floats(width=16), b=st.floats(width=16), c=st.floats(width=16))
def test_fused_multiply_add_of_halves(a: float, b: float, c: float) -> None:
    found = invoke("__hfma", F16, [F16] * 3, *(np.array([each], np.float16) for each in (a, b, c)))
    expected = exact_fma(a, b, c, np.float16)
    assert found.dtype == np.float16
    assert float(found[0]) == expected or (found[0] != found[0] and expected != expected)


ACTIVE = st.lists(st.booleans(), min_size=64, max_size=64)


@pytest.mark.parametrize("kind", ["", "up", "down", "xor"])
@FEW
@given(active=ACTIVE, operand=st.integers(0, 31), width=st.sampled_from([1, 2, 4, 8, 16, 32]))
def test_shuffles(kind: str, active: list[bool], operand: int, width: int) -> None:
    value = np.arange(64, dtype=np.int32) + 100
    name = f"__shfl_{kind}_sync" if kind else "__shfl_sync"
    found = invoke(name, I32, [U32, I32, I32, I32], 0xFFFFFFFF, value, operand, width, context=LaneContext(64, active))
    for lane in np.flatnonzero(active):
        warp, begin = lane - lane % 32, lane - lane % width
        source = {"up": lane - operand, "down": lane + operand, "xor": warp + (lane % 32 ^ operand), "": begin + operand % width}[kind]
        inside = source < begin + width and (source >= begin or kind == "xor")
        assert found[lane] == value[source if inside and active[source] else lane]


@MANY
@given(active=ACTIVE, predicate=ACTIVE, tile=st.sampled_from([4, 8, 16, 32]))
def test_votes(active: list[bool], predicate: list[bool], tile: int) -> None:
    context = LaneContext(64, active)
    begin = np.arange(64) % 32 // tile * tile
    named = (np.uint32((1 << tile) - 1) << begin.astype(np.uint32)).astype(np.uint32)
    votes = {
        name: invoke(name, I32, [U32, I32], named, np.array(predicate, np.int32), context=context)
        for name in ("__any_sync", "__all_sync", "__ballot_sync", "__uni_sync")
    }
    for lane in np.flatnonzero(active):
        first = lane - lane % tile
        present = [other for other in range(first, first + tile) if active[other]]
        agreed = [other for other in present if predicate[other]]
        assert votes["__any_sync"][lane] == bool(agreed)
        assert votes["__all_sync"][lane] == (agreed == present)
        assert votes["__uni_sync"][lane] == (not agreed or agreed == present)
        assert votes["__ballot_sync"][lane] == sum(1 << other % 32 for other in agreed)


@MANY
@given(active=ACTIVE, values=st.lists(st.integers(-3, 3), min_size=64, max_size=64))
def test_matches(active: list[bool], values: list[int]) -> None:
    context = LaneContext(64, active)
    vector = np.array(values, np.int32)
    some = invoke("__match_any_sync", U32, [U32, I32], 0xFFFFFFFF, vector, context=context)
    every = invoke("__match_all_sync", U32, [U32, I32, U64], 0xFFFFFFFF, vector, 4096, context=context)
    ((address, found, _),) = context.stores
    assert address == 4096
    for lane in np.flatnonzero(active):
        warp = range(lane - lane % 32, lane - lane % 32 + 32)
        alike = sum(1 << other % 32 for other in warp if active[other] and values[other] == values[lane])
        present = sum(1 << other % 32 for other in warp if active[other])
        assert some[lane] == alike
        assert every[lane] == (present if alike == present else 0)
        assert found[lane] == (alike == present)


REDUCTIONS: list[tuple[str, Scalar, Callable[[int, int], int]]] = [
    ("add", I32, operator.add),
    ("add", U32, operator.add),
    ("min", I32, min),
    ("max", I32, max),
    ("and", U32, operator.and_),
    ("or", U32, operator.or_),
    ("xor", U32, operator.xor),
]


@pytest.mark.parametrize(("name", "scalar", "definition"), REDUCTIONS)
@FEW
@given(active=ACTIVE, words=st.lists(WORDS, min_size=64, max_size=64), halves=st.booleans())
def test_reductions(
    name: str, scalar: Scalar, definition: Callable[[int, int], int], active: list[bool], words: list[int], halves: bool
) -> None:
    tile = 16 if halves else 32
    values = lanes_of(words, scalar)
    named = np.where(np.arange(64) % 32 < tile, (1 << tile) - 1, (0xFFFFFFFF << tile) & 0xFFFFFFFF).astype(np.uint32)
    found = invoke(f"__reduce_{name}_sync", scalar, [U32, scalar], named, values, context=LaneContext(64, active))
    for lane in np.flatnonzero(active):
        first = lane - lane % tile
        members = [int(values[other]) for other in range(first, first + tile) if active[other]]
        total = members[0]
        for member in members[1:]:
            total = definition(total, member)
        assert found[lane] == lanes_of([total & 0xFFFFFFFF], scalar)[0]


ATOMICS: list[tuple[str, Callable[[int, int], int]]] = [
    ("atomicAdd", operator.add),
    ("atomicSub", operator.sub),
    ("atomicExch", lambda _, value: value),
    ("atomicMin", min),
    ("atomicMax", max),
    ("atomicAnd", operator.and_),
    ("atomicOr", operator.or_),
    ("atomicXor", operator.xor),
    ("atomicInc", lambda old, limit: 0 if old >= limit else old + 1),
    ("atomicDec", lambda old, limit: limit if old == 0 or old > limit else old - 1),
]


@pytest.mark.parametrize(("name", "definition"), ATOMICS)
@FEW
@given(active=ACTIVE, words=st.lists(WORDS | st.integers(0, 5), min_size=64, max_size=64))
def test_atomics(name: str, definition: Callable[[int, int], int], active: list[bool], words: list[int]) -> None:
    context = LaneContext(64, active)
    found = invoke(name, U32, [U64, U32], 4096, np.array(words, np.uint32), context=context)
    memory = 0
    for lane in np.flatnonzero(active):
        assert found[lane] == memory
        memory = definition(memory, words[lane]) & 0xFFFFFFFF
    assert context.state["memory"].tolist() == [memory]


@MANY
@given(x=FLOATS)
def test_classes_of_floats_and_their_bits(x: float) -> None:
    vector = np.array([x], np.float32)
    assert invoke("isnan", BOOL, [F32], vector).tolist() == [x != x]
    assert invoke("isinf", BOOL, [F32], vector).tolist() == [math.isinf(x)]
    bits = invoke("__float_as_int", I32, [F32], vector)
    assert invoke("__int_as_float", F32, [I32], bits).view(np.uint32).tolist() == vector.view(np.uint32).tolist()
