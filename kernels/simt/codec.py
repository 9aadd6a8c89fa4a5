"""Frozen values to plain ones that JSON holds, and back: nothing is made that the declared types do not allow.

Dataclasses become lists of their fields in order; arrays are set aside, and a number stands in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]


class Malformed(Exception):
    """The plain value is not what the type says."""


def encode(value: Any, set_aside: Callable[[AnyArray], int]) -> Any:
    """`set_aside` takes each array and returns its number."""
    if isinstance(value, np.ndarray):
        return set_aside(value)
    if is_dataclass(value):
        return [encode(getattr(value, field.name), set_aside) for field in fields(value)]
    if isinstance(value, tuple):
        return [encode(item, set_aside) for item in value]
    if isinstance(value, Mapping):
        return {key: encode(item, set_aside) for key, item in value.items()}
    return value.value if isinstance(value, Enum) else value


def decode(plain: Any, expected: Any, array: Callable[[int], AnyArray]) -> Any:
    """The value of type `expected` that `plain` stands for; `array` fetches an array by its number. Raises Malformed."""
    expected = _unaliased(expected)
    origin, arguments = get_origin(expected), get_args(expected)
    if origin in (Union, UnionType):
        return _decode_union(plain, arguments, array)
    if origin is np.ndarray:
        return _decode_array(plain, expected, array)
    if origin is tuple:
        return _decode_tuple(plain, arguments, array)
    if origin is Mapping:
        return {str(key): decode(item, arguments[1], array) for key, item in _checked(plain, dict).items()}
    if is_dataclass(expected):
        return _decode_dataclass(plain, expected, array)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _decode_enum(plain, expected)
    if expected is float and type(plain) is int:
        return float(plain)
    return _checked(plain, expected)


def _unaliased(expected: Any) -> Any:
    """What a type alias stands for: `NDArray` is one from NumPy 2.5 on."""
    meaning = getattr(get_origin(expected), "__value__", None)
    return expected if meaning is None else meaning[get_args(expected)]


def _checked(plain: Any, expected: Any) -> Any:
    if type(plain) is not expected:
        raise Malformed(f"{expected} expected")
    return plain


def _decode_union(plain: Any, choices: tuple[Any, ...], array: Callable[[int], AnyArray]) -> Any:
    """The choice that fits; plain types are told apart exactly (1 is no float, 1.0 no int)."""
    if plain is None and NoneType in choices:
        return None
    if type(plain) in choices:
        return plain
    for choice in choices:
        if is_dataclass(choice) or get_origin(choice) is not None:
            return decode(plain, choice, array)
    raise Malformed("none of the choices")


def _decode_array(plain: Any, expected: Any, array: Callable[[int], AnyArray]) -> AnyArray:
    found = array(_checked(plain, int))
    (wanted,) = get_args(get_args(expected)[1])
    if wanted is not np.generic and found.dtype != np.dtype(wanted):
        raise Malformed("another element type")
    return found


def _decode_tuple(plain: Any, items: tuple[Any, ...], array: Callable[[int], AnyArray]) -> tuple[Any, ...]:
    values = _checked(plain, list)
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(decode(item, items[0], array) for item in values)
    if len(values) != len(items):
        raise Malformed("another length")
    return tuple(decode(item, kind, array) for item, kind in zip(values, items, strict=True))


def _decode_dataclass(plain: Any, expected: Any, array: Callable[[int], AnyArray]) -> Any:
    values, kinds = _checked(plain, list), _field_types(expected)
    if len(values) != len(kinds):
        raise Malformed("another number of fields")
    return expected(*(decode(item, kind, array) for item, kind in zip(values, kinds, strict=True)))


def _decode_enum(plain: Any, expected: type[Enum]) -> Enum:
    try:
        return expected(_checked(plain, str))
    except ValueError as error:
        raise Malformed(str(error)) from error


@lru_cache(maxsize=64)
def _field_types(dataclass: Any) -> tuple[Any, ...]:
    hints = get_type_hints(dataclass)
    return tuple(hints[field.name] for field in fields(dataclass))
