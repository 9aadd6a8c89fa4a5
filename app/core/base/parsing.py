"""Parsers of typed text: each function returns the value, or the reason as a `Message` that is shown beside the field.

`name` is what the reason calls the field: an option such as `--n`, or a label of the window.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kernels.base.limits import refuse_name
from kernels.base.messages import Message, ReasonedError, message
from kernels.base.spec import Parameter

LARGEST_SIZE = 1 << 20
"""The largest number of rows or columns that is taken for meant."""
LARGEST_DIMENSION = 2**31 - 1
"""The most blocks along x that CUDA knows."""
MOST_VALUES = 200
"""The most values that one list may have."""
ALL = "all"
"""Stands for all names in a list of names."""

_WHOLE = re.compile(r"([+-]?)([0-9]+)")
_RANGE = re.compile(r"([^:]*):([^:]*):([x×*+])([^:]*)")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x3001: 0x2C}
"""Digits and punctuation as Chinese input methods write them."""
_LONGEST_NUMBER = 20
"""Digits; a number with more is larger than any that is asked for."""


class _Refused(ReasonedError):
    """What was typed cannot be used."""


def shown(text: str, length: int = 40) -> str:
    """What the user typed, fit for one line of a message: no control characters, not too long."""
    clean = "".join(character if character.isprintable() else " " for character in text)
    return clean if len(clean) <= length else clean[: length - 1] + "…"


def whole_number(name: str | Message, text: str, minimum: int, maximum: int) -> int | Message:
    """The whole number that `text` writes, if it is in range."""
    try:
        return _whole(name, half_width(text), minimum, maximum)
    except _Refused as refused:
        return refused.reason


def number_list(name: str | Message, text: str, minimum: int, maximum: int) -> tuple[int, ...] | Message:
    """The numbers of a list such as `8,16,32`, `256:2048:x2` or `128:1024:+128`: increasing, each once, all in range."""
    values: set[int] = set()
    try:
        for term in half_width(text).split(","):
            values.update(_term(name, term, minimum, maximum))
    except _Refused as refused:
        return refused.reason
    return tuple(sorted(values)) if len(values) <= MOST_VALUES else _too_many(name, text)


def parameter_value(name: str | Message, text: str, parameter: Parameter) -> int | Message:
    """The value of a parameter that `text` writes: a number in range, or the name of a value."""
    if not parameter.names:
        return whole_number(name, text, parameter.minimum, parameter.maximum)
    try:
        return _named(name, half_width(text), parameter)
    except _Refused as refused:
        return refused.reason


def parameter_list(name: str | Message, text: str, parameter: Parameter) -> tuple[int, ...] | Message:
    """The values of a list: numbers as `number_list` takes them, or names such as `ijk,kij`, or `all` of them."""
    if not parameter.names:
        return number_list(name, text, parameter.minimum, parameter.maximum)
    if _plain(half_width(text)) == ALL:
        return tuple(range(len(parameter.names)))
    try:
        return tuple(sorted({_named(name, term, parameter) for term in half_width(text).split(",")}))
    except _Refused as refused:
        return refused.reason


def dimensions(name: str | Message, text: str) -> tuple[int, int, int] | Message:
    """Sizes along x, y and z, written `X`, `X,Y` or `X,Y,Z`; those that are not given are 1."""
    terms = half_width(text).split(",")
    if len(terms) > 3:
        return message("{name}: '{text}' has more than three sizes.", name=name, text=shown(text))
    try:
        sizes = [_whole(name, term, 1, LARGEST_DIMENSION) for term in terms]
    except _Refused as refused:
        return refused.reason
    x, y, z = sizes + [1] * (3 - len(sizes))
    return x, y, z


def image_size(name: str | Message, text: str, smallest: tuple[int, int], largest: tuple[int, int]) -> tuple[int, int] | Message:
    """Width and height in pixels, written `1920x1080`."""
    width, cross, height = half_width(text).lower().replace("×", "x").partition("x")
    if not cross:
        return message("{name}: '{text}' is not a size such as 1920x1080.", name=name, text=shown(text))
    try:
        return (
            _whole(message("{name}, the width", name=name), width, smallest[0], largest[0]),
            _whole(message("{name}, the height", name=name), height, smallest[1], largest[1]),
        )
    except _Refused as refused:
        return refused.reason


def one_of(name: str | Message, text: str, choices: Iterable[str]) -> str | Message:
    """The choice that `text` names."""
    choices = tuple(choices)
    if text in choices:
        return text
    return message("{name}: '{text}' is not one of {choices}.", name=name, text=shown(text), choices=", ".join(choices))


def half_width(text: str) -> str:
    """The text with its full-width digits and punctuation as ASCII."""
    return text.translate(_FULL_WIDTH)


def _named(name: str | Message, text: str, parameter: Parameter) -> int:
    known = [_plain(each) for each in parameter.names]
    if _plain(text) not in known:
        raise _Refused(refuse_name(name, shown(text.strip()), parameter))
    return known.index(_plain(text))


def _plain(text: str) -> str:
    return text.strip().lower()


def _whole(name: str | Message, text: str, minimum: int, maximum: int) -> int:
    parts = _WHOLE.fullmatch(text.strip())
    if parts is None:
        raise _Refused(message("{name}: '{text}' is not a whole number.", name=name, text=shown(text)))
    sign, digits = parts[1], parts[2].lstrip("0") or "0"
    value = int(sign + digits[:_LONGEST_NUMBER])
    written = value if len(digits) <= _LONGEST_NUMBER else shown(sign + digits)
    if value < minimum:
        raise _Refused(message("{name} must be at least {minimum}, not {value}.", name=name, minimum=minimum, value=written))
    if value > maximum:
        raise _Refused(message("{name} must be at most {maximum}, not {value}.", name=name, maximum=maximum, value=written))
    return value


def _term(name: str | Message, term: str, minimum: int, maximum: int) -> range | list[int]:
    if ":" not in term:
        return [_whole(name, term, minimum, maximum)]
    parts = _RANGE.fullmatch(term.strip())
    if parts is None:
        raise _Refused(message("{name}: '{text}' is not a range such as 256:2048:x2 or 128:1024:+128.", name=name, text=shown(term)))
    adds = parts[3] == "+"
    first = _whole(name, parts[1], minimum, maximum)
    last = _whole(name, parts[2], minimum, maximum)
    step = _whole(message("{name}, the step", name=name), parts[4], 1 if adds else 2, maximum)
    if first > last:
        raise _Refused(message("{name}: the range '{text}' ends before it begins.", name=name, text=shown(term)))
    if not adds and first < 1:
        raise _Refused(message("{name}: the range '{text}' begins at 0, and no factor leads away from it.", name=name, text=shown(term)))
    if not adds:
        return _powers(first, last, step)
    if (last - first) // step >= MOST_VALUES:
        raise _Refused(_too_many(name, term))
    return range(first, last + 1, step)


def _powers(first: int, last: int, factor: int) -> list[int]:
    values = []
    while first <= last:
        values.append(first)
        first *= factor
    return values


def _too_many(name: str | Message, text: str) -> Message:
    return message("{name}: '{text}' has more than {most} values.", name=name, text=shown(text), most=MOST_VALUES)
