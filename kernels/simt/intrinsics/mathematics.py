"""The floating-point functions of CUDA on arrays of lanes.

Each takes and returns NumPy arrays or scalars of one floating type. What the hardware rounds exactly is exact; the other functions of
floats are computed in double precision and rounded once: as good as correctly rounded, and the same on every machine.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np

from kernels.simt.base.rounding import Array, divide_directed, fma, fma_directed, sqrt_directed, to_integer

Function = Callable[..., Any]


def in_double(function: Function) -> Function:
    """A function of doubles, for any floating type: computed in double precision, rounded once."""

    def rounded(*arguments: Array) -> Array:
        dtype = np.result_type(*arguments)
        if dtype == np.float64:
            return np.asarray(function(*arguments))
        return np.asarray(function(*(np.asarray(each, np.float64) for each in arguments))).astype(dtype)

    return rounded


def by_lane(function: Callable[[float], float]) -> Function:
    """A function of doubles that NumPy lacks, lane by lane."""
    return in_double(np.vectorize(function, otypes=[np.float64]))


def _gamma(x: float) -> float:
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:  # C: infinite at 0, undefined at negative whole numbers
        return math.copysign(math.inf, x) if x == 0 else math.nan


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):
        return math.inf


def fmin(a: Array, b: Array) -> Array:
    """The smaller; the number, where the other is NaN; -0 is smaller than 0."""
    return np.where(a == b, np.where(np.signbit(a), a, b), np.fmin(a, b))


def fmax(a: Array, b: Array) -> Array:
    """The larger; the number, where the other is NaN; 0 is larger than -0."""
    return np.where(a == b, np.where(np.signbit(a), b, a), np.fmax(a, b))


def half_away(x: Array) -> Array:
    """C's round: to nearest, halves away from zero."""
    whole = np.trunc(x)
    one = np.copysign(np.ones_like(x), x)
    return np.where(np.abs(x - whole) >= 0.5, whole + one, np.copysign(whole, x))


def remainder(x: Array, y: Array) -> Array:
    """IEEE remainder: x less the multiple of y nearest to it, exactly."""
    size = np.abs(y)
    rest = np.fmod(np.abs(x), size)
    odd = np.fmod(np.abs(x), size + size) >= size  # the quotient, rounded down, is odd
    half = size - rest
    nearer = (rest > half) | ((rest == half) & odd)
    signed = np.where(nearer, rest - size, rest)
    return np.asarray(np.where(np.isinf(y) & np.isfinite(x), x, np.where(np.signbit(x), -signed, signed)))


def saturate(x: Array) -> Array:
    """Clamped to 0..1; NaN gives 0."""
    zero, one = np.zeros_like(x), np.ones_like(x)
    return np.where(x > 0, np.where(x < 1, x, one), zero)


def fdim(a: Array, b: Array) -> Array:
    """a - b where a is larger, else 0; NaN stays."""
    return np.where(a <= b, np.zeros_like(a - b), a - b)


def _turned(x: Array, ahead: int) -> Array:
    """sin(pi x + ahead quarters of a turn), exact at whole quarters."""
    turned = np.fmod(x, 2.0)
    quarter = np.rint(2 * turned)
    rest = np.pi * (turned - quarter / 2)
    part = np.mod(quarter + ahead, 4)
    sine, cosine = np.sin(rest), np.cos(rest)
    return np.asarray(np.where(part == 0, sine, np.where(part == 1, cosine, np.where(part == 2, -sine, -cosine))))


_DIRECT: dict[str, Function] = {
    "fabs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "nearbyint": np.rint,
    "sqrt": np.sqrt, "fmod": np.fmod, "copysign": np.copysign, "nextafter": np.nextafter, "fmin": fmin, "fmax": fmax, "fma": fma,
    "round": half_away, "remainder": remainder, "fdim": fdim, "ldexp": np.ldexp, "scalbn": np.ldexp,
}  # fmt: skip
"""Exact, or rounded once by the processor; with an "f" behind for float."""
_ROUNDED: dict[str, Function] = {
    "exp": np.exp, "exp2": np.exp2, "exp10": partial(np.power, 10.0), "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sinpi": partial(_turned, ahead=0), "cospi": partial(_turned, ahead=1), "pow": np.power, "cbrt": np.cbrt, "hypot": np.hypot,
    "rsqrt": lambda x: 1 / np.sqrt(x), "rcbrt": lambda x: 1 / np.cbrt(x), "rhypot": lambda x, y: 1 / np.hypot(x, y),
    "norm3d": lambda a, b, c: np.sqrt(a * a + b * b + c * c), "norm4d": lambda a, b, c, d: np.sqrt(a * a + b * b + c * c + d * d),
    "rnorm3d": lambda a, b, c: 1 / np.sqrt(a * a + b * b + c * c),
}  # fmt: skip
_NEWTON_STEPS = 4


def _inverse_erf(x: float) -> float:
    if not -1 < x < 1:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    return math.copysign(_inverse_erfc(1 - abs(x)), x) if abs(x) > 0.5 else _newton(x * math.sqrt(math.pi) / 2, lambda y: x - math.erf(y))


def _inverse_erfc(x: float) -> float:
    if not 0 < x < 2:
        return math.inf if x == 0 else -math.inf if x == 2 else math.nan
    if x > 1:
        return -_inverse_erfc(2 - x)
    tail = NormalDist().inv_cdf(x / 2) if x / 2 > sys.float_info.min else -38.0
    return _newton(-tail / math.sqrt(2), lambda y: math.erfc(y) - x)


def _newton(y: float, short: Callable[[float], float]) -> float:
    """Follows the error function's slope until nothing is short."""
    for _ in range(_NEWTON_STEPS):
        y += short(y) * math.exp(y * y) * math.sqrt(math.pi) / 2
    return y


_FAST = ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "pow")
_BY_LANE: dict[str, Callable[[float], float]] = {
    "erf": math.erf, "erfc": math.erfc, "tgamma": _gamma, "lgamma": _log_gamma, "erfinv": _inverse_erf, "erfcinv": _inverse_erfc,
    "normcdf": lambda x: math.erfc(-x * math.sqrt(0.5)) / 2,
}  # fmt: skip


def logb(x: Array) -> Array:
    """The exponent of a number, as a number: that of 0 is minus infinity."""
    exponent = (np.frexp(x)[1] - 1).astype(x.dtype)
    return np.where(np.isfinite(x), np.where(x == 0, -np.inf, exponent), np.abs(x)).astype(x.dtype)


def ilogb(x: Array) -> Array:
    """The exponent of a number; of 0 and NaN the least integer, of infinity the largest."""
    least, most = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    odd = np.where(np.isinf(x), most, least)
    return np.where(np.isfinite(x) & (x != 0), np.frexp(x)[1] - 1, odd).astype(np.int32)


_MODES = {"rn": "n", "rz": "z", "ru": "u", "rd": "d"}


def _reciprocal(a: Array, mode: str) -> Array:
    return divide_directed(np.ones_like(a), a, mode)


def _exact_arithmetic(f: str, directed: bool) -> dict[str, Function]:
    """__fadd_rn, __dmul_rn and the like; the other rounding modes of floats."""
    named: dict[str, Function] = {
        f"__{f}add_rn": np.add, f"__{f}sub_rn": np.subtract, f"__{f}mul_rn": np.multiply, f"__{f}div_rn": np.divide,
        f"__{f}sqrt_rn": np.sqrt, f"__{f}rcp_rn": lambda a: np.divide(np.ones_like(a), a),
        ("__fmaf_rn" if f == "f" else "__fma_rn"): fma,
    }  # fmt: skip
    for suffix, mode in list(_MODES.items())[1:] if directed else ():
        named[f"__fadd_{suffix}"] = lambda a, b, mode=mode: fma_directed(a, np.ones_like(a), b, mode)
        named[f"__fsub_{suffix}"] = lambda a, b, mode=mode: fma_directed(a, np.ones_like(a), -b, mode)
        named[f"__fmul_{suffix}"] = lambda a, b, mode=mode: fma_directed(a, b, np.copysign(np.zeros_like(a), a * b), mode)
        named[f"__fmaf_{suffix}"] = partial(fma_directed, mode=mode)
        named[f"__fdiv_{suffix}"] = partial(divide_directed, mode=mode)
        named[f"__fsqrt_{suffix}"] = partial(sqrt_directed, mode=mode)
        named[f"__frcp_{suffix}"] = partial(_reciprocal, mode=mode)
    return named


def _to_whole(name: str, function: Function, dtype: type[np.signedinteger[Any]]) -> dict[str, Function]:
    rounded: Function = lambda x: to_integer(function(x), dtype)  # noqa: E731
    return {name: rounded, f"{name}f": rounded}


def functions() -> dict[str, Function]:
    """Return every floating-point function by its CUDA name."""
    table: dict[str, Function] = {}
    for name, function in _DIRECT.items():
        table |= {name: function, f"{name}f": function}
    for name, function in _ROUNDED.items():
        table |= {name: in_double(function), f"{name}f": in_double(function)}
    table |= {f"__{name}f": table[name] for name in _FAST}
    for name, python in _BY_LANE.items():
        table |= {name: by_lane(python), f"{name}f": by_lane(python)}
    for name, function in (("rint", np.rint), ("round", half_away)):
        table |= _to_whole(f"l{name}", function, np.int64) | _to_whole(f"ll{name}", function, np.int64)
    table |= _exact_arithmetic("f", directed=True) | _exact_arithmetic("d", directed=False)
    table |= {"__frsqrt_rn": table["rsqrt"], "__fdividef": np.divide, "fdividef": np.divide, "__saturatef": saturate}
    table |= {"logb": logb, "logbf": logb, "ilogb": ilogb, "ilogbf": ilogb}
    table |= {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "signbit": np.signbit}
    return table
