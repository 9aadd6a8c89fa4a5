"""The arithmetic of tensor cores: what is cut off and rounded where, against the same in exact fractions, term by term."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value
from kernels.simt.base.tensor_cores import product

LEAST = {"f16": -14, "bf16": -126, "tf32": -126}
BITS: dict[str, npt.DTypeLike] = {"f16": np.uint16, "bf16": np.uint16, "tf32": np.uint32}


def exponent(value: Fraction, least: int) -> int:
    """The exponent of a float of a type whose subnormals have `least`."""
    found = len(bin(abs(value.numerator))) - len(bin(value.denominator))
    found -= abs(value) < Fraction(2) ** found
    return max(found, least)


def truncated(value: Fraction, unit: Fraction) -> Fraction:
    size = floor(abs(value) / unit) * unit
    return size if value > 0 else -size


def fused(a: list[Fraction], b: list[Fraction], c: Fraction, kind: str, sums: str) -> Fraction:
    """c + a b, aligned and cut off as the module says; not yet rounded."""
    terms = [(x * y, exponent(x, LEAST[kind]) + exponent(y, LEAST[kind])) for x, y in zip(a, b, strict=True) if x * y]
    if c:
        terms.append((c, exponent(c, LEAST["f16"] if sums == "f16" else -126)))
    top = max([each for _, each in terms] + [-133])
    return sum((truncated(value, Fraction(2) ** (top - 25)) for value, _ in terms), Fraction(0))


def to_float(value: Fraction) -> Fraction:
    unit = Fraction(2) ** (exponent(value, -126) - 23) if value else Fraction(1)
    return truncated(value, unit)


def as_floats(bits: npt.NDArray[Any], kind: str) -> npt.NDArray[Any]:
    if kind == "bf16":
        return bfloat16_value(bits)
    return bits.view(np.float16) if kind == "f16" else (bits & np.uint32(0xFFFFE000)).view(np.float32)


def values(bits: npt.NDArray[Any], kind: str) -> list[Fraction]:
    return [Fraction(float(each)) for each in as_floats(bits, kind)]


def finite(bits: npt.NDArray[Any], kind: str) -> npt.NDArray[Any]:
    """The same bits, with an exponent less where they are no number."""
    exponents, lowest = {"f16": (0x7C00, 0x400), "bf16": (0x7F80, 0x80), "tf32": (0x7F800000, 0x800000)}[kind]
    return np.where((bits & exponents) == exponents, bits ^ np.asarray(lowest, bits.dtype), bits).astype(bits.dtype)


def drawn(random: np.random.Generator, kind: str, shape: tuple[int, ...], spread: int) -> npt.NDArray[Any]:
    """Bits of any finite number, or of numbers within `spread` powers of two of 1."""
    if spread > 30:
        return finite(random.integers(0, np.iinfo(BITS[kind]).max, shape, BITS[kind], endpoint=True), kind)
    floats = (random.standard_normal(shape) * 2.0 ** random.integers(-spread, spread + 1, shape)).astype(np.float32)
    if kind == "bf16":
        return bfloat16_bits(floats)
    return floats.astype(np.float16).view(np.uint16) if kind == "f16" else floats.view(np.uint32)


@pytest.mark.parametrize("kind", ["f16", "bf16", "tf32"])
@given(st.integers(0, 2**32), st.sampled_from([0, 2, 8, 14, 200]), st.booleans())
def test_a_sum_in_float_is_the_one_of_exact_fractions(kind: str, seed: int, spread: int, with_c: bool) -> None:
    random = np.random.default_rng(seed)
    a, b = drawn(random, kind, (2, 8), spread), drawn(random, kind, (8, 2), spread)
    c = drawn(random, "tf32", (2, 2), spread).view(np.float32) * np.float32(with_c)
    found = product(a, b, c, kind)
    for row, column in np.ndindex(2, 2):
        exact = fused(values(a[row], kind), values(b[:, column].copy(), kind), Fraction(float(c[row, column])), kind, "f32")
        if abs(exact) >= Fraction(2) ** 128:
            assert np.isinf(found[row, column])
            assert (found[row, column] > 0) == (exact > 0)
        else:
            assert Fraction(float(found[row, column])) == to_float(exact)


@given(st.integers(0, 2**32), st.sampled_from([0, 2, 8, 14, 200]))
def test_a_sum_in_half_is_rounded_to_the_nearest(seed: int, spread: int) -> None:
    random = np.random.default_rng(seed)
    a, b = drawn(random, "f16", (2, 8), spread), drawn(random, "f16", (8, 2), spread)
    c = drawn(random, "f16", (2, 2), spread).view(np.float16)
    found = product(a, b, c, "f16")
    assert found.dtype == np.float16
    for row, column in np.ndindex(2, 2):
        exact = fused(values(a[row], "f16"), values(b[:, column].copy(), "f16"), Fraction(float(c[row, column])), "f16", "f16")
        with np.errstate(over="ignore"):
            nearest = np.float64(float(exact)).astype(np.float16)  # a sum has less bits than a double
        assert found[row, column] == nearest


def one_sum(a: list[float], b: list[float], c: float, kind: str = "bf16", terms: int | None = None) -> float:
    def stored(of: list[float]) -> npt.NDArray[Any]:
        return bfloat16_bits(np.array(of, np.float32)) if kind == "bf16" else np.array(of, np.float32)

    return float(product(stored(a)[None], stored(b)[:, None], np.array([[c]], np.float32), kind, terms)[0, 0])


def test_25_bits_below_the_largest_exponent_are_kept_and_no_more() -> None:
    assert one_sum([2.0**-25] * 8, [1.0] * 8, 1.0) == 1 + 2.0**-22
    assert one_sum([2.0**-26] * 8, [1.0] * 8, 1.0) == 1
    assert one_sum([2.0**-26] * 8, [1.0] * 8, 0.5) == 0.5 + 2.0**-23
    # 1.5 x 1.5 is more than 2, and is aligned like 1
    assert one_sum([1.5, 2.0**-25, 2.0**-25, 2.0**-24, 2.0**-23], [1.5, 1, 1, 1, 1], -1.25) == 1 + 2.0**-22


def test_a_float_is_cut_off_and_a_large_term_hides_the_small_ones() -> None:
    assert one_sum([1.0] * 3, [2.0**-24] * 3, 1.0) == 1 + 2.0**-23
    assert one_sum([-1.0], [2.0**-25], 1.0) == 1 - 2.0**-24  # of 1 - 2^-25
    assert one_sum([2.0**30, 1.0, -(2.0**30)], [1.0] * 3, 0.0) == 0.0
    assert one_sum([2.0**20, 1.0, -(2.0**20)], [1.0] * 3, 0.0) == 1.0


def test_steps_of_k_beyond_the_terms_are_added_to_a_rounded_sum() -> None:
    a, b = [2.0**-24] * 8, [1.0] * 8
    assert one_sum(a, b, 1.0, "tf32") == 1 + 2.0**-21
    assert one_sum(a, b, 1.0, "tf32", 4) == 1 + 2.0**-21
    assert one_sum([2.0**-24] * 4 + [2.0**-25] * 4, b, 1.0, "tf32", 1) == 1.0
    late = [2.0**-24, 0, 0, 0, 2.0**-24, 0, 0, 0]
    assert one_sum(late, b, 1.0, "tf32") == 1 + 2.0**-23
    assert one_sum(late, b, 1.0, "tf32", 4) == 1.0
    assert one_sum([1.0] + [0.0] * 15 + [2.0**-24, 2.0**-24], [1.0] * 18, 0.0) == 1 + 2.0**-23
    assert one_sum([1.0] + [0.0] * 14 + [2.0**-24, 2.0**-24], [1.0] * 17, 0.0) == 1.0


def test_tf32_reads_no_more_than_10_bits_of_the_fraction() -> None:
    assert one_sum([1 + 2.0**-11], [1.0], 0.0, "tf32") == 1.0
    assert one_sum([1 + 2.0**-10], [1.0], 0.0, "tf32") == 1 + 2.0**-10


def test_what_is_too_large_is_infinite_and_what_is_no_number_has_one_pattern() -> None:
    assert one_sum([2.0**127, 2.0**127], [1.0, 1.0], 0.0) == np.inf
    assert one_sum([2.0**127, -(2.0**127)], [2.0**100, 2.0**100], 1.0) == 0.0  # c is cut off, the rest cancels
    assert one_sum([np.inf, 1.0], [1.0, 1.0], 0.0) == np.inf
    assert one_sum([1.0], [1.0], -np.inf) == -np.inf
    for a, b, c in (([np.inf], [0.0], 0.0), ([np.inf, -np.inf], [1.0, 1.0], 0.0), ([1.0], [1.0], np.nan), ([np.inf], [1.0], -np.inf)):
        bits = product(bfloat16_bits(np.array([a], np.float32)), bfloat16_bits(np.array(b, np.float32))[:, None],
                       np.array([[c]], np.float32), "bf16").view(np.uint32)  # fmt: skip
        assert bits.item() == 0x7FFFFFFF
    half = product(np.array([[np.inf]], np.float16), np.array([[0]], np.float16), np.zeros((1, 1), np.float16), "f16")
    assert half.view(np.uint16).item() == 0x7FFF


def test_whole_numbers_are_exact_and_wrap_around() -> None:
    random = np.random.default_rng(3)
    a, b = random.integers(-128, 128, (4, 16, 32), np.int8), random.integers(-128, 128, (4, 32, 8), np.int8)
    c = random.integers(-(2**31), 2**31, (4, 16, 8), np.int32)
    expected = a.astype(object) @ b.astype(object) + c.astype(object)
    assert (product(a, b, c, "s8").astype(object) == (expected + 2**31) % 2**32 - 2**31).all()
    unsigned = product(a.view(np.uint8), b.view(np.uint8), np.zeros((4, 16, 8), np.int32), "u8")
    assert (unsigned == a.view(np.uint8).astype(np.int64) @ b.view(np.uint8).astype(np.int64)).all()


def test_double_precision_is_a_fused_multiply_add_for_each_k() -> None:
    tiny = 2.0**-53
    a, b = np.array([[1.0, tiny, tiny]]), np.ones((3, 1))
    assert product(a, b, np.zeros((1, 1)), "f64")[0, 0] == 1.0
    assert product(a[:, ::-1], b, np.zeros((1, 1)), "f64")[0, 0] == 1 + 2 * tiny
    assert product(np.array([[1 + tiny * 2]]), np.array([[1 - tiny]]), np.array([[-1.0]]), "f64")[0, 0] == tiny - 2 * tiny * tiny


@pytest.mark.parametrize("kind", ["f16", "bf16", "tf32"])
def test_many_matrices_at_once_are_each_by_itself(kind: str) -> None:
    random = np.random.default_rng(9)
    a, b = drawn(random, kind, (3, 2, 16, 16), 8), drawn(random, kind, (3, 2, 16, 8), 8)
    c = random.standard_normal((3, 2, 16, 8)).astype(np.float32)
    together = product(a, b, c, kind)
    assert together.shape == c.shape
    for place in np.ndindex(3, 2):
        assert (product(a[place], b[place], c[place], kind) == together[place]).all()
