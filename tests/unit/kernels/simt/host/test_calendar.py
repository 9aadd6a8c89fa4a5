"""Dates of programs against those of this machine's C library."""

from __future__ import annotations

import ctypes
import struct
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.simt.base.types import Location
from kernels.simt.host import calendar
from kernels.simt.host.arena import Arena, Home
from kernels.simt.host.machine import Call, Machine
from kernels.simt.host.result import ProgramJob

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library of Linux is the one that is followed")
HERE = Location(1, 1)
MACHINE = Machine(ProgramJob(""), Arena(1 << 24, 1 << 28), lambda _stream, _data: None, lambda _progress: None)
LIBC = ctypes.CDLL(None)
for _function in (LIBC.gmtime_r, LIBC.localtime_r):
    _function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
LIBC.mktime.argtypes, LIBC.mktime.restype = [ctypes.c_void_p], ctypes.c_long
LIBC.timegm.argtypes, LIBC.timegm.restype = [ctypes.c_void_p], ctypes.c_long
LIBC.strftime.argtypes, LIBC.strftime.restype = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p], ctypes.c_size_t
FIELDS, WHOLE = 36, 56
"""Bytes of what a program sees of `struct tm`, and of all of it."""
FORMS = "aAbBcCdDeFgGHIjmMnprRStTuUVwWxXyY%"


def place(size: int) -> int:
    found = MACHINE.arena.allocate(Home.KEPT, size, HERE)
    assert found is not None
    return found.address


DATE, TEXT, FORM = place(WHOLE), place(256), place(256)
TIMES = st.integers(-(1 << 31), 1 << 33)


def held(address: int, size: int) -> bytes:
    return MACHINE.arena.view(address, size).tobytes()


def put(address: int, data: bytes) -> None:
    MACHINE.arena.view(address, len(data))[:] = memoryview(data)


@settings(max_examples=200, deadline=None)
@given(TIMES, st.booleans())
def test_a_time_is_taken_apart_as_c_does(seconds: int, local: bool) -> None:
    calendar.take_apart(MACHINE, Call("__tilescope_calendar", (seconds, DATE, int(local)), "iii", HERE))
    theirs = ctypes.create_string_buffer(WHOLE)
    (LIBC.localtime_r if local else LIBC.gmtime_r)(ctypes.byref(ctypes.c_long(seconds)), theirs)
    assert held(DATE, FIELDS) == theirs.raw[:FIELDS]


@settings(max_examples=200, deadline=None)
@given(TIMES, st.text(FORMS, min_size=1, max_size=6), st.integers(1, 80))
def test_a_date_is_written_as_c_does(seconds: int, forms: str, room: int) -> None:
    date = ctypes.create_string_buffer(WHOLE)
    LIBC.gmtime_r(ctypes.byref(ctypes.c_long(seconds)), date)
    form, text = " ".join(f"%{each}" for each in forms).encode(), ctypes.create_string_buffer(256)
    put(DATE, date.raw[:FIELDS])
    put(FORM, form + b"\0")
    found = calendar.write(MACHINE, Call("strftime", (TEXT, room, FORM, DATE), "iiii", HERE))
    assert found == LIBC.strftime(text, room, form, date)
    assert not found or held(TEXT, found + 1) == text.raw[: found + 1]


@settings(max_examples=200, deadline=None)
@given(st.tuples(*[st.integers(-200, 200)] * 5), st.integers(0, 200), st.sampled_from(["mktime", "timegm"]))
def test_a_date_is_put_together_as_c_does(low: tuple[int, ...], year: int, name: str) -> None:
    data = struct.pack("<9i", *low, year, 0, 0, 0)
    put(DATE, data)
    theirs = ctypes.create_string_buffer(data, WHOLE)
    assert calendar.put_together(MACHINE, Call(name, (DATE,), "i", HERE)) == getattr(LIBC, name)(theirs)
    assert held(DATE, FIELDS) == theirs.raw[:FIELDS]
