"""The CUDA functions that the oracle knows, one thread at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from kernels.simt.base.types import Kind, Scalar, Type
from tests.oracle.arithmetic import convert, fused_multiply_add, wrap
from tests.oracle.memory import FLOATS, Value

Peers = Mapping[int, Value]
"""What each lane that takes part has brought, by lane."""


def _bits(value: Value, size: int) -> int:
    assert isinstance(value, int)
    return value & (1 << 8 * size) - 1


def _extreme(pick: Callable[..., Value]) -> Callable[..., Value]:
    def apply(a: Value, b: Value) -> Value:
        if a != a:  # fmin and fmax give the other number where one is NaN
            return b
        return a if b != b else pick(a, b)

    return apply


MINIMUM, MAXIMUM = _extreme(min), _extreme(max)


def _leading_zeros(value: Value, size: int) -> int:
    return 8 * size - _bits(value, size).bit_length()


def _first_set(value: Value, size: int) -> int:
    bits = _bits(value, size)
    return (bits & -bits).bit_length()


def _reverse(value: Value, size: int) -> int:
    return int(f"{_bits(value, size):0{8 * size}b}"[::-1], 2)


def _reinterpret(value: Value, result: Scalar) -> Value:
    raw = value.tobytes() if isinstance(value, np.floating) else _bits(value, result.size).to_bytes(result.size, "little")
    if result.kind is Kind.FLOAT:
        return FLOATS[result.size](np.frombuffer(raw, f"<f{result.size}")[0])
    return wrap(int.from_bytes(raw, "little"), result)


PLAIN: dict[str, Callable[..., Value]] = {
    "min": MINIMUM, "fmin": MINIMUM, "fminf": MINIMUM, "umin": MINIMUM, "llmin": MINIMUM, "ullmin": MINIMUM,
    "max": MAXIMUM, "fmax": MAXIMUM, "fmaxf": MAXIMUM, "umax": MAXIMUM, "llmax": MAXIMUM, "ullmax": MAXIMUM,
    "abs": abs, "labs": abs, "llabs": abs, "fabs": abs, "fabsf": abs,
    "sqrtf": np.sqrt, "sqrt": np.sqrt,
    "floorf": np.floor, "floor": np.floor, "ceilf": np.ceil, "ceil": np.ceil, "truncf": np.trunc, "trunc": np.trunc,
    "fmaf": lambda a, b, c: fused_multiply_add(a, b, c, 4), "fma": lambda a, b, c: fused_multiply_add(a, b, c, 8),
    "__popc": lambda a: _bits(a, 4).bit_count(), "__popcll": lambda a: _bits(a, 8).bit_count(),
    "__clz": lambda a: _leading_zeros(a, 4), "__clzll": lambda a: _leading_zeros(a, 8),
    "__ffs": lambda a: _first_set(a, 4), "__ffsll": lambda a: _first_set(a, 8),
    "__brev": lambda a: _reverse(a, 4), "__brevll": lambda a: _reverse(a, 8),
    "__mulhi": lambda a, b: a * b >> 32, "__umulhi": lambda a, b: a * b >> 32,
}  # fmt: skip
BITS = {
    "__float_as_int", "__float_as_uint", "__int_as_float", "__uint_as_float", "__double_as_longlong", "__longlong_as_double",
}  # fmt: skip
ATOMICS: dict[str, Callable[..., Value]] = {
    "atomicAdd": lambda old, new: old + new,
    "atomicSub": lambda old, new: old - new,
    "atomicMin": min,
    "atomicMax": max,
    "atomicAnd": lambda old, new: old & new,
    "atomicOr": lambda old, new: old | new,
    "atomicXor": lambda old, new: old ^ new,
    "atomicExch": lambda _, new: new,
    "atomicCAS": lambda old, expected, new: new if old == expected else old,
    "atomicInc": lambda old, limit: 0 if old >= limit else old + 1,
    "atomicDec": lambda old, limit: limit if old == 0 or old > limit else old - 1,
}
SHUFFLES = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"}
VOTES: dict[str, Callable[[list[int]], Value]] = {
    "__ballot_sync": lambda lanes: sum(1 << lane for lane in lanes),
    "__any_sync": lambda lanes: int(bool(lanes)),
}


def plain(name: str, arguments: list[Value], kind: Type) -> Value:
    """A function of its arguments alone."""
    if name in BITS:
        assert isinstance(kind, Scalar)
        return _reinterpret(arguments[0], kind)
    return convert(PLAIN[name](*arguments), kind)


def shuffle(name: str, lane: int, peers: Peers, arguments: list[Value]) -> Value:
    """The value of the lane that is read; a lane's own where that lies outside of its group of `width`."""
    _, own, by = arguments[:3]
    width = arguments[3] if len(arguments) > 3 else 32
    assert isinstance(by, int)
    assert isinstance(width, int)
    first, within = lane - lane % width, lane % width
    target = {"__shfl_sync": by % width, "__shfl_up_sync": within - by, "__shfl_down_sync": within + by, "__shfl_xor_sync": within ^ by}[
        name
    ]
    return peers.get(first + target, own) if 0 <= target < width else own


def vote(name: str, peers: Peers) -> Value:
    """What the predicates of the lanes that take part amount to."""
    lanes = [lane for lane, predicate in peers.items() if predicate]
    return int(len(lanes) == len(peers)) if name == "__all_sync" else VOTES[name](lanes)
