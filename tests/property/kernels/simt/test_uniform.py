"""Uniformity and ranges are claims about all executions: random programs and expressions hold them to it."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kernels.simt import ir
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.generate import generated_kernel
from kernels.simt.generate.ranges import Ranges
from kernels.simt.generate.uniformity import Path, Uniformity
from kernels.simt.lower import lower
from kernels.simt.machine import arithmetic
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.oracle import programs

PLACE = ir.Location(1, 1)


class Pessimist(Uniformity):
    """Calls every variable that is ever given a value varying, so that nothing is done once for all lanes."""

    def _give(self, variable: ir.Variable, varying: bool, path: Path) -> None:
        super()._give(variable, True, path)  # noqa: FBT003 - whatever it is given


def accesses(trace: Trace) -> list[tuple[object, ...]]:
    """Every access in order: where, which lanes, which addresses."""
    rows = trace.rows
    found: list[tuple[object, ...]] = []
    for row in range(len(rows.site)):
        site, active = trace.sites[rows.site[row]], trace.masks[rows.mask[row]]
        given_addresses = trace.bases[rows.base[row]][active] + rows.offset[row]
        found.append((site.operation, site.location, int(rows.epoch[row]), active.tobytes(), given_addresses.tobytes()))
    return found


@pytest.mark.parametrize("seed", range(24))
def test_uniformity_only_makes_it_faster(seed: int) -> None:
    text, arguments = programs.write(Random(seed)), programs.arguments(seed)
    kernel = lower(parse(text), programs.ENTRY)
    request = LaunchRequest((programs.GRID, 1, 1), (programs.BLOCK, 1, 1), arguments)
    trace = execute(kernel, request)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generated_kernel, "Uniformity", Pessimist)
        slow = execute(kernel, request)
    for name, value in trace.values.items():
        assert value.tobytes() == slow.values[name].tobytes(), text
    assert trace.flops == slow.flops
    assert accesses(trace) == accesses(slow)


@st.composite
def integers(draw: st.DrawFn, variable: ir.Variable, depth: int = 3) -> ir.Expression:
    """An expression of one type of a variable and constants."""
    c_type = variable.type
    assert isinstance(c_type, ir.Scalar)
    kind = draw(st.integers(0, 5)) if depth else draw(st.integers(4, 5))
    if kind == 4:
        return ir.Load(ir.Whole(variable), c_type, PLACE)
    if kind == 5:
        least = 0 if c_type.kind is ir.Kind.UNSIGNED else -100
        return ir.Const(draw(st.integers(least, 100)), c_type)
    below = integers(variable, depth - 1)
    if kind == 3:
        other = draw(st.sampled_from([each for each in (ir.I32, ir.U32, ir.I64) if each != c_type]))
        return ir.Cast(ir.Cast(draw(below), other, PLACE), c_type, PLACE)
    operator = draw(st.sampled_from([each for each in ir.Binary if each.value in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")]))
    return ir.BinaryOp(operator, draw(below), draw(below), c_type, PLACE)


def value_of(node: ir.Expression, given_value: int) -> int:
    """What C computes, with the quotient by 0 and shifts of no bit's count as the machine defines them."""
    scalar = node.type
    assert isinstance(scalar, ir.Scalar)
    bits, signed = 8 * scalar.size, scalar.kind is ir.Kind.SIGNED
    match node:
        case ir.Const():
            return int(node.value)
        case ir.Load():
            return given_value
        case ir.Cast():
            return arithmetic.wrapped(value_of(node.operand, given_value), bits, signed)
    assert isinstance(node, ir.BinaryOp)
    a, b = value_of(node.left, given_value), value_of(node.right, given_value)
    exact = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b, "/": arithmetic.quotient(a, b),
        "%": arithmetic.remainder(a, b), "<<": arithmetic.shift_left(a, b, bits), ">>": arithmetic.shift_right(a, b, bits),
    }  # fmt: skip
    return arithmetic.wrapped(exact[node.operator.value], bits, signed)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.data(), st.sampled_from([ir.I32, ir.U32, ir.I64]), st.integers(0, 40), st.integers(1, 60))
def test_ranges_hold_every_value(data: st.DataObject, c_type: ir.Scalar, first: int, count: int) -> None:
    variable = ir.Variable("i", c_type, ir.Space.REGISTER, PLACE)
    load = ir.Load(ir.Whole(variable), c_type, PLACE)
    step = ir.Evaluate(ir.Increment(ir.Whole(variable), 1, True, c_type, PLACE), PLACE)  # noqa: FBT003 - prefix
    loop = ir.Loop(
        ir.Block((ir.Declare(variable, ir.Const(first, c_type), PLACE),)),
        ir.BinaryOp(ir.Binary.LESS, load, ir.Const(first + count, c_type), ir.BOOL, PLACE),
        ir.Block((step,)), ir.Block(()), test_last=False, location=PLACE,
    )  # fmt: skip
    ranges = Ranges(ir.Kernel("f", "f", (), (), ir.Block((loop,)), PLACE), {}, (32, 1, 1), (1, 1, 1))
    assert ranges.of(load) == (first, first + count - 1)
    assert ranges.trips(loop) == count
    expression = data.draw(integers(variable))
    interval = ranges.of(expression)
    assert interval is not None
    values = [value_of(expression, each) for each in range(first, first + count)]
    assert interval[0] <= min(values)
    assert max(values) <= interval[1]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(-40, 40))
def test_a_fused_multiply_add_is_rounded_once(a: int, b: int, c: int, nudge: int) -> None:
    x, y, z = np.array([a, b, c], np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        assume(all(map(isfinite, (x, y, z))))
        z = np.ldexp(np.frexp(z)[0], np.frexp(x)[1] + np.frexp(y)[1] + nudge).astype(np.float32)
        assume(isfinite(z))
        fused = float(arithmetic.fma32(x, y, z))
        wide = np.float32(float(x) * float(y) + float(z))
    assume(isfinite(fused) and isfinite(wide))
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    with np.errstate(all="ignore"):
        neighbours = [np.nextafter(np.float32(fused), np.float32(way)) for way in (-np.inf, np.inf)]
    distance = abs(Fraction(fused) - exact)
    for each in neighbours:
        if isfinite(each):
            other = abs(Fraction(float(each)) - exact)
            assert distance < other or (distance == other and np.float32(fused).view(np.uint32) % 2 == 0)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64])
def test_vectors_divide_as_single_values_do(dtype: type[np.signedinteger | np.unsignedinteger]) -> None:
    limits = np.iinfo(dtype)
    some = [0, 1, 2, 3, 7, 100, limits.max, limits.max - 1, limits.min, limits.min + 1, *([-1, -2, -7] if limits.min else [])]
    a, b = (np.array(each, dtype) for each in zip(*((x, y) for x in some for y in some), strict=True))
    with np.errstate(all="ignore"):
        quotients, remainders = arithmetic.quotients(a, b), np.fmod(a, b)
    bits, signed = 8 * limits.dtype.itemsize, bool(limits.min)
    expected = [arithmetic.wrapped(arithmetic.quotient(x, y), bits, signed) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert quotients.dtype == dtype
    np.testing.assert_array_equal(quotients, expected)
    np.testing.assert_array_equal(remainders, [arithmetic.remainder(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)])
