"""The C library against the one of this machine: random numbers, printf, numbers read from text."""

from __future__ import annotations

import ctypes
import errno
import struct
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernels.simt.base.types import Location
from kernels.simt.host import c_library, output
from kernels.simt.host.arena import Arena, Home
from kernels.simt.host.machine import Call, Machine
from kernels.simt.host.process import Programs
from kernels.simt.host.result import ProgramJob, ProgramRun

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library of Linux is the one that is followed")
HERE = Location(1, 1)
MACHINE = Machine(ProgramJob(""), Arena(1 << 24, 1 << 28), lambda _stream, _data: None, lambda _progress: None)
LIBC = ctypes.CDLL(None)
FLAGS = st.text("-+ 0#", max_size=3).map(lambda flags: "".join(dict.fromkeys(flags)))
SIZES = st.one_of(st.just(""), st.integers(0, 30).map(str), st.integers(0, 20).map(lambda n: f".{n}"), st.just("12.4"))


def placed(data: bytes) -> int:
    found = MACHINE.arena.allocate(Home.KEPT, len(data) + 1, HERE)
    assert found is not None
    MACHINE.arena.view(found.address, len(data) + 1)[:] = memoryview(data + b"\0")
    return found.address


BUFFER = placed(bytes(4095))
FORMAT = placed(bytes(255))


def ours(template: str, value: int | float) -> bytes:
    data = template.encode() + b"\0"
    MACHINE.arena.view(FORMAT, len(data))[:] = memoryview(data)
    bits = int(struct.unpack("<q", struct.pack("<d", value))[0]) if isinstance(value, float) else value
    kinds = "iiif" if isinstance(value, float) else "iiii"
    output.print_into(MACHINE, Call("snprintf", (BUFFER, 4096, FORMAT, bits), kinds, HERE))
    return MACHINE.text(BUFFER, Call("test", (), "", HERE))


def theirs(template: str, value: int | float) -> bytes:
    buffer = ctypes.create_string_buffer(4096)
    LIBC.snprintf(buffer, 4096, template.encode(), ctypes.c_double(value) if isinstance(value, float) else ctypes.c_long(value))
    return buffer.value


@settings(max_examples=300, deadline=None)
@given(FLAGS, SIZES, st.sampled_from(["d", "i", "u", "x", "X", "o", "ld", "lu", "lx", "hd", "hhu", "c"]), st.integers(-(2**63), 2**63 - 1))
@example("#", "", "o", 0)
def test_integers_are_printed_as_c_does(flags: str, size: str, conversion: str, value: int) -> None:
    if conversion == "c":
        flags, size, value = flags.replace("0", "").replace("#", "").replace("+", "").replace(" ", ""), "", value % 127 + 1
    assert ours(f"[%{flags}{size}{conversion}]", value) == theirs(f"[%{flags}{size}{conversion}]", value)


@settings(max_examples=300, deadline=None)
@given(FLAGS, SIZES, st.sampled_from("fFeEgGaA"), st.floats(allow_nan=False))
@example("#", ".3", "g", 100000.0)
def test_floats_are_printed_as_c_does(flags: str, size: str, conversion: str, value: float) -> None:
    assert ours(f"[%{flags}{size}{conversion}]", value) == theirs(f"[%{flags}{size}{conversion}]", value)


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789abcxXeEpP+-. inf", max_size=12), st.sampled_from([0, 2, 8, 10, 16, 36]))
@example("0x", 16)
@example("  -0x1fz", 0)
@example("08", 0)
@example("0X0", 36)
@example("0x1", 10)
def test_numbers_are_read_as_c_does(text: str, base: int) -> None:
    address = placed(text.encode())
    end = placed(bytes(8))
    found = c_library.to_integer(MACHINE, Call("strtol", (address, end, base), "iii", HERE))
    stop = ctypes.c_char_p()
    LIBC.strtol.restype = ctypes.c_long
    source = ctypes.create_string_buffer(text.encode())
    assert found == LIBC.strtol(source, ctypes.byref(stop), base)
    rest = len(stop.value or b"")
    assert struct.unpack("<q", MACHINE.arena.view(end, 8).tobytes())[0] - address == len(text) - rest


@pytest.mark.parametrize("base", [-3, 1, 37, 1 << 20])
def test_a_number_of_a_base_that_there_is_not_is_zero_and_says_so(base: int) -> None:
    end, error = placed(b"unstored"), placed(bytes(4))
    assert c_library.to_integer(MACHINE, Call("strtol", (placed(b"12"), end, base, error), "iiii", HERE)) == 0
    assert MACHINE.arena.view(end, 8).tobytes() == b"unstored"
    assert struct.unpack("<i", MACHINE.arena.view(error, 4).tobytes()) == (errno.EINVAL,)


@pytest.mark.parametrize("seed", [0, 1, 2, 42, 2**31 - 1, 2**31, 2**32 - 1])
def test_random_numbers_are_those_of_the_gnu_library(seed: int) -> None:
    text = f"""#include <cstdio>
#include <cstdlib>
int main() {{ srand({seed}u); for (int i = 0; i < 400; i++) printf("%d\\n", rand()); }}"""
    done = Programs().run(ProgramJob(text), lambda _stream, _data: None, lambda _progress: None)
    assert isinstance(done, ProgramRun)
    LIBC.srand(seed)
    assert done.stdout.split() == [str(LIBC.rand()) for _ in range(400)]


def test_a_stream_is_set_back_to_what_it_was() -> None:
    """The output is g++'s."""
    text = """#include <iostream>
#include <iomanip>
int main() {
    std::ios_base::fmtflags kept(std::cout.flags());
    std::cout << std::hex << std::showbase << std::uppercase << std::left << std::boolalpha
              << std::setw(8) << 255 << true << std::fixed << 1.5;
    std::cout.flags(kept);
    std::cout << ' ' << 255 << true << std::setw(5) << 7 << ' ' << 1.5 << std::setbase(8) << ' ' << 9 << std::setbase(10) << 9;
}"""
    done = Programs().run(ProgramJob(text), lambda _stream, _data: None, lambda _progress: None)
    assert isinstance(done, ProgramRun), done
    assert done.stdout == "0XFF    true1.500000 2551    7 1.5 119"
