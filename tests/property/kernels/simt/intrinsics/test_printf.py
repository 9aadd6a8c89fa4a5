"""printf against the C library's."""

from __future__ import annotations

import ctypes
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.simt.intrinsics.printf import formatted

FLAGS = st.text("-+ #0", max_size=4)
WIDTH = st.one_of(st.just(""), st.integers(0, 40).map(str))
PRECISION = st.one_of(st.just(""), st.just("."), st.integers(0, 25).map(lambda digits: f".{digits}"))
ROOM = 1000
MANY = settings(deadline=None)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="compares with glibc")


def of_c(template: str, *arguments: object) -> str:
    buffer = ctypes.create_string_buffer(ROOM)
    ctypes.CDLL(None).snprintf(buffer, ctypes.c_size_t(ROOM), template.encode(), *arguments)
    return buffer.value.decode("latin-1")


@MANY
@given(FLAGS, WIDTH, PRECISION, st.sampled_from("diuxXo"), st.integers(-(2**31), 2**31 - 1) | st.integers(-3, 9))
def test_integers(flags: str, width: str, precision: str, conversion: str, value: int) -> None:
    template = f"<%{flags}{width}{precision}{conversion}>"
    assert formatted(template, [value]) == of_c(template, ctypes.c_int(value))


@MANY
@given(FLAGS, WIDTH, st.sampled_from(["ll", "l", "z", "j", "t"]), st.sampled_from("diuxXo"), st.integers(-(2**63), 2**64 - 1))
def test_wide_integers(flags: str, width: str, length: str, conversion: str, value: int) -> None:
    template = f"<%{flags}{width}{length}{conversion}>"
    assert formatted(template, [value]) == of_c(template, ctypes.c_longlong(value))


@MANY
@given(st.sampled_from(["hh", "h"]), st.sampled_from("diux"), st.integers(-(2**31), 2**31 - 1))
def test_narrow_integers(length: str, conversion: str, value: int) -> None:
    template = f"%{length}{conversion}"
    assert formatted(template, [value]) == of_c(template, ctypes.c_int(value))


@MANY
@given(FLAGS, WIDTH, PRECISION, st.sampled_from("fFeEgGaA"), st.floats() | st.floats(-1e6, 1e6))
def test_floats(flags: str, width: str, precision: str, conversion: str, value: float) -> None:
    template = f"<%{flags}{width}{precision}{conversion}>"
    found, expected = formatted(template, [value]), of_c(template, ctypes.c_double(value))
    if value == value or "nan" not in expected.lower():
        assert found[: ROOM - 1] == expected
    else:  # the sign of NaN is not printed here as it is not specified on a GPU
        assert found.strip("<> +-").lower() == "nan"


@MANY
@given(st.sampled_from(["", "-", "0"]), WIDTH, st.integers(32, 126))
def test_characters(flags: str, width: str, value: int) -> None:
    template = f"<%{flags}{width}c>"
    assert formatted(template, [value]) == of_c(template, ctypes.c_int(value))


@MANY
@given(FLAGS, WIDTH, PRECISION, st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20))
def test_texts(flags: str, width: str, precision: str, value: str) -> None:
    flags = flags.replace("#", "").replace("0", "")  # undefined for %s
    template = f"<%{flags}{width}{precision}s>"
    assert formatted(template, [value]) == of_c(template, ctypes.c_char_p(value.encode()))


@MANY
@given(st.integers(-40, 40), st.integers(-5, 30), st.floats(-1e9, 1e9))
def test_width_and_precision_from_arguments(width: int, precision: int, value: float) -> None:
    assert formatted("<%*.*f>", [width, precision, value]) == of_c(
        "<%*.*f>", ctypes.c_int(width), ctypes.c_int(precision), ctypes.c_double(value)
    )


def test_pointers_percent_signs_and_order() -> None:
    template = "%p %% %5p|%s %d\n"
    assert formatted(template, [0, 4096, "warp", 7]) == "(nil) % 0x1000|warp 7\n"


def test_missing_arguments_and_unknown_conversions_do_no_harm() -> None:
    assert formatted("%d %s %q %", []) == "0 (null) %q %"


def test_nothing_longer_than_the_limit_is_made() -> None:
    assert formatted("%999999999d", [1], limit=50) == " " * 49 + "1"
    assert formatted("%40d%.999999999f", [1, 1.0], limit=50)[:42] == " " * 39 + "11."
    assert len(formatted("abc%100d" * 1000, [1], limit=50)) == 50


@MANY
@given(st.text(max_size=30), st.lists(st.integers() | st.floats() | st.text(max_size=5), max_size=5))
def test_no_format_fails(template: str, arguments: list[int | float | str]) -> None:
    assert len(formatted("%" + template, arguments, limit=100)) <= 100
