"""The C library, as a program calls it: memory, text, output, numbers, clocks, and its end. What reaches out of the program is refused."""

from __future__ import annotations

import math
import re
import struct
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from kernels.base.messages import message
from kernels.simt.host.arena import Home
from kernels.simt.host.machine import ABORTED, Call, Ended, Machine, named
from kernels.simt.host.names import REFUSED_CALLS
from kernels.simt.host.result import Wrong

Service = Callable[[Machine, Call], int | float | None]
"""Answers a call: the value that it returns, if it does."""
AnyService = TypeVar("AnyService", bound=Service)
SERVICES: dict[str, Service] = {}
INVALID, OUT_OF_RANGE = 22, 34
"""EINVAL and ERANGE."""
LARGEST_FLOAT = float.fromhex("0x1.ffffffp127")
"""What is beyond becomes no float."""
_INTEGER = re.compile(rb"[ \t\n\v\f\r]*([+-]?)(0[xX](?=[0-9a-fA-F]))?([0-9a-zA-Z]*)")
NUMBER = re.compile(
    rb"""[ \t\n\v\f\r]*([+-]?(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?
    |(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN]))""".replace(b"\n    ", b"")
)


def service(*names: str) -> Callable[[AnyService], AnyService]:
    """Register a function that answers calls of these names."""

    def register(function: AnyService) -> AnyService:
        SERVICES.update(dict.fromkeys(names, function))
        return function

    return register


def _refuse(machine: Machine, call: Call) -> None:
    reason = message("{name} is not executed here: a program reaches no other programs and no network.", name=call.name)
    if call.name == "open":
        reason = message("{name} is not executed here: a program reads files with fopen and std::ifstream.", name=call.name)
    if call.name == "atexit":
        reason = message("{name} takes a pointer to a function, which is not supported: call the function by its name.", name=call.name)
    if call.name.startswith(("cudaGraph", "cudaStreamBegin", "cudaStreamEnd")):
        reason = message("{name} is not executed here: launch the kernels one by one instead of as a graph.", name=call.name)
    elif call.name.startswith("cuda"):
        reason = message("{name} is not executed here: wait for the stream, and call the function.", name=call.name)
    machine.find(Wrong.REFUSED, call.location, reason)
    raise Ended(1)


for _name in REFUSED_CALLS:
    SERVICES[_name] = _refuse

# ------------------------------------------------------------ memory


@service("malloc", "calloc", "aligned_alloc", "__tilescope_new", "__tilescope_new_array", "__tilescope_new_zeroed")
def allocate(machine: Machine, call: Call) -> int:
    """Allocate; null, or for `new` the end of the program, where there is no room. Fresh memory is zero."""
    size = call.given[0] * call.given[1] if len(call.given) > 1 and call.name != "aligned_alloc" else call.given[-1]
    found = machine.allocate(Home.HOST, size, call)
    if found is not None:
        return found.address
    most = machine.job.limits.bytes >> 20
    text = message("{name} gives null: {bytes} bytes are not there; {limit} MiB are allowed.", name=call.name, bytes=size, limit=most)
    machine.find(Wrong.MEMORY, call.location, text)
    if call.name.startswith("__tilescope_new"):
        raise Ended(ABORTED)
    return 0


@service("__tilescope_kept", "__tilescope_exception")
def allocate_kept(machine: Machine, call: Call) -> int:
    """Allocate for the library itself, or for an object that is thrown: it is no leak."""
    found = machine.allocate(Home.KEPT, call.given[0], call)
    if found is None:
        raise Ended(ABORTED)
    return found.address


@service("__tilescope_drop")
def drop_kept(machine: Machine, call: Call) -> None:
    """Free what the library itself allocated."""
    found = machine.arena.at(call.given[0])
    if found is not None and found.home is Home.KEPT and found.freed is None:
        machine.arena.free(found, call.location)


@service("__tilescope_count")
def count_made(machine: Machine, call: Call) -> int:
    """Count the objects that `new` made at an address; none where it made none."""
    found = machine.arena.at(call.given[0])
    return 0 if found is None or found.freed is not None or found.home is not Home.HOST else found.bytes // max(call.given[1], 1)


@service("free", "__tilescope_delete", "__tilescope_delete_array")
def release(machine: Machine, call: Call) -> None:
    """Free what the same family of functions allocated; ends the program otherwise, as the GNU C library does."""
    address = call.given[0]
    if address == 0:
        return
    found, name = machine.arena.at(address), call.name.removeprefix("__tilescope_").replace("delete_array", "delete[]")
    if found is None or found.home is not Home.HOST:
        if found is not None and found.freed is None and found.home not in (Home.VARIABLE, Home.SYMBOL):
            text = message("{name} is given to {free}: {function} made it.", name=named(found), free=name, function=found.function)
        else:
            text = message("{free} is given an address that no allocation begins at.", free=name)
        machine.find(Wrong.BAD_FREE, call.location, text, None if found is None else found.location)
        raise Ended(ABORTED)
    if found.freed is not None:
        text = message("{name} is freed twice: it was freed in line {line}.", name=named(found), line=found.freed.line)
        machine.find(Wrong.BAD_FREE, call.location, text, found.freed)
        raise Ended(ABORTED)
    wanted = {"new": "delete", "new_array": "delete[]", "new_zeroed": "delete[]"}.get(found.function, "free")
    if wanted != name:
        text = message(
            "{name} is given to {free}, but {function} made it.", name=named(found), free=name, function=_written(found.function)
        )
        machine.find(Wrong.BAD_FREE, call.location, text, found.location)
    machine.arena.free(found, call.location)


def _written(function: str) -> str:
    return {"new_array": "new[]", "new_zeroed": "new[]"}.get(function, function)


@service("realloc")
def reallocate(machine: Machine, call: Call) -> int:
    """Allocate anew, with the bytes that were there."""
    address, size = call.given
    found = machine.allocate(Home.HOST, size, call)
    if found is None:
        return 0
    if address:
        old = machine.arena.at(address)
        kept = 0 if old is None or old.freed is not None else min(old.bytes, size)
        machine.arena.view(found.address, kept)[:] = machine.arena.view(address, kept)
        release(machine, Call("free", (address,), "i", call.location))
    return found.address


@service("memcmp")
def compare_bytes(machine: Machine, call: Call) -> int:
    """Compare bytes, as memcmp does."""
    a, b, size = call.given
    machine.reach(a, size, call)
    machine.reach(b, size, call)
    left, right = (machine.arena.view(each, size).tobytes() if size else b"" for each in (a, b))
    return (left > right) - (left < right)


# ------------------------------------------------------------ text


@service("strlen")
def length(machine: Machine, call: Call) -> int:
    """Count characters."""
    return len(machine.text(call.given[0], call))


@service("strcmp", "strncmp")
def compare(machine: Machine, call: Call) -> int:
    """Compare two texts; the difference of the first two characters that differ."""
    left, right = (machine.text(each, call) + b"\0" for each in call.given[:2])
    if len(call.given) > 2:
        left, right = left[: call.given[2]], right[: call.given[2]]
    return next((a - b for a, b in zip(left, right, strict=False) if a != b), 0)


@service("strcpy", "strncpy", "strcat")
def copy_text(machine: Machine, call: Call) -> int:
    """Copy a text, or append it."""
    text, start = machine.text(call.given[1], call), call.given[0]
    if call.name == "strncpy":
        text = text[: call.given[2]].ljust(call.given[2], b"\0")
    else:
        text += b"\0"
    if call.name == "strcat":
        start += len(machine.text(start, call))
    machine.put(start, text, call)
    return call.given[0]


@service("strchr", "strstr")
def find_text(machine: Machine, call: Call) -> int:
    """Find a character or a text within another; its address, or null."""
    text = machine.text(call.given[0], call)
    wanted = machine.text(call.given[1], call) if call.name == "strstr" else bytes([call.given[1] & 0xFF])
    place = (text + b"\0").find(wanted) if call.name == "strchr" else text.find(wanted)
    return 0 if place < 0 else call.given[0] + place


@service("toupper", "tolower", "isdigit", "isspace", "isalpha")
def character(_machine: Machine, call: Call) -> int:
    """Answer what the functions of ctype.h do, for ASCII."""
    code = call.given[0]
    if not 0 <= code < 128:
        return code if call.name.startswith("to") else 0
    sign = chr(code)
    if call.name.startswith("to"):
        return ord(sign.upper() if call.name == "toupper" else sign.lower())
    return int({"isdigit": sign.isdigit(), "isspace": sign in " \t\n\v\f\r", "isalpha": sign.isalpha()}[call.name])


# ------------------------------------------------------------ numbers


def _whole(text: bytes, base: int) -> tuple[int, int]:
    """Read an integer as strtol does: its value, and how many characters it takes."""
    found = _INTEGER.match(text)
    assert found is not None
    if base == 0:
        base = 16 if found[2] else 8 if found[3].startswith(b"0") else 10
    digits, start = found[3], found.start(3)
    if found[2] and base != 16:
        start = found.start(2)
        digits = text[start : found.end(3)]
    count = 0
    for code in digits.lower():
        value = code - 48 if code < 58 else code - 87
        if value >= base:
            break
        count += 1
    if count == 0:
        return 0, 0
    number = int(digits[:count], base)
    return (-number if found[1] == b"-" else number), start + count


_BASES = (0, *range(2, 37))


@service("atoi", "atol", "atoll", "strtol", "strtoul")
def to_integer(machine: Machine, call: Call) -> int:
    """Read an integer; one that is too large is the largest, as strtol has it, and one of a base that there is not is 0."""
    text, base = machine.text(call.given[0], call), call.given[2] if call.name.startswith("str") else 10
    if base not in _BASES:
        machine.put(call.given[3], struct.pack("<i", INVALID), call)
        return 0
    number, taken = _whole(text, base)
    if call.name.startswith("str") and call.given[1]:
        machine.put(call.given[1], struct.pack("<q", call.given[0] + taken), call)
    least, most = (1 - (1 << 64), (1 << 64) - 1) if call.name == "strtoul" else (-(1 << 63), (1 << 63) - 1)
    if least <= number <= most:
        return number
    if call.name.startswith("str"):
        machine.put(call.given[3], struct.pack("<i", OUT_OF_RANGE), call)
    return most if number > 0 or call.name == "strtoul" else least


@service("atof", "strtod", "strtof")
def to_float(machine: Machine, call: Call) -> float:
    """Read a number."""
    found = NUMBER.match(machine.text(call.given[0], call))
    if call.name != "atof" and call.given[1]:
        machine.put(call.given[1], struct.pack("<q", call.given[0] + (0 if found is None else found.end())), call)
    if found is None:
        return 0.0
    text = found[1].decode()
    number = float.fromhex(text) if "x" in text.lower() else float(text)
    most = LARGEST_FLOAT if call.name == "strtof" else sys.float_info.max
    if call.name != "atof" and abs(number) > most and "n" not in text.lower():
        machine.put(call.given[2], struct.pack("<i", OUT_OF_RANGE), call)
    return number


@service("labs", "llabs")
def absolute(_machine: Machine, call: Call) -> int:
    """Give the absolute value."""
    return abs(call.given[0])


@service("lround")
def rounded(machine: Machine, call: Call) -> int:
    """Round half away from zero."""
    value = machine.float_of(call.given[0])
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1) if math.isfinite(value) else -(1 << 63)


@service("ldexp")
def scaled(machine: Machine, call: Call) -> float:
    """Scale by a power of two."""
    try:
        return math.ldexp(machine.float_of(call.given[0]), call.given[1])
    except OverflowError:
        return math.inf


@service("srand48")
def seed48(machine: Machine, call: Call) -> None:
    """Seed the numbers of drand48."""
    machine.kept["drand48"] = ((call.given[0] & 0xFFFFFFFF) << 16) + 0x330E


@service("drand48")
def random48(machine: Machine, _call: Call) -> float:
    """Give the next number of 48 bits, from 0 to 1."""
    before: int = machine.kept.get("drand48", 0x1234ABCD330E)
    state = (before * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
    machine.kept["drand48"] = state
    return state / (1 << 48)


# ------------------------------------------------------------ clocks

CLOCKS: dict[int, Callable[[], int]] = {0: time.time_ns, 2: time.process_time_ns, 3: time.process_time_ns}
"""By the numbers of clock_gettime; all others never go back."""


@service("clock")
def processor_clock(_machine: Machine, _call: Call) -> int:
    """Give microseconds of processor time."""
    return time.process_time_ns() // 1000


@service("time")
def calendar_time(machine: Machine, call: Call) -> int:
    """Give seconds since 1970."""
    now = int(time.time())
    if call.given[0]:
        machine.put(call.given[0], struct.pack("<q", now), call)
    return now


@service("gettimeofday", "clock_gettime")
def precise_time(machine: Machine, call: Call) -> int:
    """Give seconds and micro- or nanoseconds: of the calendar, of processor time, or of a clock that never goes back."""
    unit, address, which = (1000, call.given[0], 0) if call.name == "gettimeofday" else (1, call.given[1], call.given[0])
    now = CLOCKS.get(which, time.monotonic_ns)()
    machine.put(address, struct.pack("<qq", now // 10**9, now % 10**9 // unit), call)
    return 0


@service("__tilescope_nanoseconds")
def nanoseconds(_machine: Machine, _call: Call) -> int:
    """Give nanoseconds of a clock that never goes back."""
    return time.monotonic_ns()


@service("sleep", "usleep")
def wait(_machine: Machine, call: Call) -> int:
    """Wait; the deadline ends it."""
    time.sleep(min(max(call.given[0], 0) / (1 if call.name == "sleep" else 10**6), 10**6))
    return 0


@service("getenv")
def environment(_machine: Machine, _call: Call) -> int:
    """Give null: no variable of the environment is set."""
    return 0


# ------------------------------------------------------------ the end


@service("exit", "_Exit")
def leave(machine: Machine, call: Call) -> None:
    """End the program. One that gives up is not asked what it has not freed."""
    if call.given[0] == 0:
        machine.leaks()
    raise Ended(call.given[0] & 0xFF)


@service("abort")
def give_up(_machine: Machine, _call: Call) -> None:
    """End the program as an abort does."""
    raise Ended(ABORTED)


@service("__assertion")
def check(machine: Machine, call: Call) -> None:
    """End the program where an assertion does not hold."""
    if not call.given[0]:
        text = machine.text(call.given[1], call).decode("latin-1")
        machine.out(2, f"program: line {call.location.line}: Assertion `{text}' failed.\n".encode("latin-1"))
        raise Ended(ABORTED)
