"""printf: C's formats, exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

Argument = int | float | str
"""An integer or a pointer as int, a float, a text for %s."""

PRINT_LIMIT = 1 << 20
"""Characters that one launch may print: the size of the buffer that a GPU has for them."""
_SPECIFICATION = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|-?\d+)?)?(hh|h|ll|l|j|z|t|L)?([a-zA-Z%])", re.ASCII)
_HAS_PRECISION = re.compile(r"%[-+ #0]*(?:\*|\d+)?\.", re.ASCII)
_BITS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64, "L": 64}
_INTEGERS, _FLOATS = "diuoxX", "fFeEgGaA"


def formatted(template: str, arguments: Sequence[Argument], limit: int = PRINT_LIMIT, text_at: Callable[[int], str] = str) -> str:
    """The text that C's printf writes, at most `limit` characters of it. A conversion that C does not have is copied as it stands.

    Missing arguments count as 0. `text_at` gives the text at an address.
    """
    left = iter(arguments)
    parts: list[str] = []
    room, end = limit, 0
    for found in _SPECIFICATION.finditer(template):
        for part in (template[end : found.start()], _converted(found, left, limit, text_at)):
            parts.append(part[:room])
            room -= len(parts[-1])
        end = found.end()
        if not room:
            break
    parts.append(template[end:][:room])
    return "".join(parts)


def _converted(found: re.Match[str], arguments: Iterator[Argument], limit: int, text_at: Callable[[int], str]) -> str:
    flags, _, _, length, conversion = found.groups()
    if conversion == "%":
        return "%"
    if conversion not in _INTEGERS + _FLOATS + "csp":
        return found[0]
    width = _star(found[2], arguments) or 0
    precision = _precision(found, arguments)
    if width < 0:
        flags, width = flags + "-", -width
    width = min(width, limit)
    precision = None if precision is None else min(precision, limit)
    value = next(arguments, 0)
    if conversion in _INTEGERS:
        sign, digits = _integer(value, conversion, flags, precision, _BITS[length or ""])
        zeros = "0" in flags and precision is None
    elif conversion in _FLOATS:
        sign, digits, finite = _float(value, conversion, flags, precision)
        zeros = "0" in flags and finite
    else:
        if conversion == "s" and isinstance(value, int) and value:
            value = text_at(value)
        sign, digits, zeros = "", _text(value, conversion, precision), False
    return _padded(sign, digits, width, "-" in flags, zeros)


def _star(text: str | None, arguments: Iterator[Argument]) -> int | None:
    """A width or precision: written, or taken from the arguments."""
    if text != "*":
        return None if text is None else int(text[:9])
    value = next(arguments, 0)
    return _wrapped(value, 32, signed=True)


def _precision(found: re.Match[str], arguments: Iterator[Argument]) -> int | None:
    if not _HAS_PRECISION.match(found[0]):
        return None
    value = _star(found[3] or "0", arguments)
    return None if value is None or value < 0 else value


def _wrapped(value: Argument, bits: int, signed: bool) -> int:
    whole = 0 if isinstance(value, str) or value != value or value in (float("inf"), float("-inf")) else int(value)
    whole &= (1 << bits) - 1
    return whole - (1 << bits) if signed and whole >> (bits - 1) else whole


def _integer(value: Argument, conversion: str, flags: str, precision: int | None, bits: int) -> tuple[str, str]:
    """Sign or prefix, and digits."""
    signed = conversion in "di"
    whole = _wrapped(value, bits, signed)
    base = {"o": "o", "x": "x", "X": "X"}.get(conversion, "d")
    digits = "" if whole == 0 and precision == 0 else format(abs(whole), base)
    digits = digits.rjust(precision or 0, "0")
    if conversion == "o" and "#" in flags and not digits.startswith("0"):
        digits = "0" + digits
    if conversion in "xX" and "#" in flags and whole:
        return "0" + conversion, digits
    return _sign(signed and whole < 0, flags if signed else ""), digits


def _sign(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _float(value: Argument, conversion: str, flags: str, precision: int | None) -> tuple[str, str, bool]:
    """Sign (and 0x), digits, and whether the number is finite."""
    number = 0.0 if isinstance(value, str) else float(value)
    negative = str(number).startswith("-")
    finite = number - number == 0
    sign = _sign(negative, flags)
    if conversion in "aA" and finite:
        prefix, digits = _hexadecimal(abs(number), flags, precision)
        sign += prefix
    else:
        kind = conversion.lower() if conversion in "fFeEgG" else "f"
        digits = f"%{'#' * ('#' in flags)}.{6 if precision is None else precision}{kind}" % abs(number)
    return (sign.upper(), digits.upper(), finite) if conversion in "FEGA" else (sign, digits, finite)


def _hexadecimal(number: float, flags: str, precision: int | None) -> tuple[str, str]:
    mantissa, exponent = number.hex()[2:].split("p")
    whole, _, digits = mantissa.partition(".")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision < len(digits):
        scaled, rest = divmod(int(whole + digits, 16), 16 ** (len(digits) - precision))
        half = 16 ** (len(digits) - precision) // 2
        scaled += rest > half or (rest == half and scaled & 1)
        text = format(scaled, "x").rjust(precision + 1, "0")
        whole, digits = text[: len(text) - precision], text[len(text) - precision :]
    else:
        digits = digits.ljust(precision, "0")
    point = "." if digits or "#" in flags else ""
    return "0x", f"{whole}{point}{digits}p{exponent if number else '+0'}"


def _text(value: Argument, conversion: str, precision: int | None) -> str:
    if conversion == "c":
        return chr(_wrapped(value, 8, signed=False))
    if conversion == "p":
        return "(nil)" if value == 0 else f"0x{_wrapped(value, 64, signed=False):x}"
    text = value if isinstance(value, str) else "(null)" if value == 0 else str(value)
    return text if precision is None else text[:precision]


def _padded(sign: str, digits: str, width: int, left: bool, zeros: bool) -> str:
    if left:
        return (sign + digits).ljust(width)
    return sign + digits.rjust(width - len(sign), "0") if zeros else (sign + digits).rjust(width)
