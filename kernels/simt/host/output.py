"""Output of a program: printf and its like, and the state of C++'s streams."""

from __future__ import annotations

from dataclasses import replace

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.host.c_library import service
from kernels.simt.host.machine import SEGMENTATION, Call, Ended, Machine
from kernels.simt.host.result import Wrong
from kernels.simt.host.standard_input import FIRST_OF_STRINGS, WRITTEN, source

_LEFT, _RIGHT = "left", "right"
DOUBLE = 24
ARGUMENTS = {1: "char", 2: "short", 4: "int", 8: "long", 20: "float", DOUBLE: "double", 32: "void*"}
"""What is taken from a va_list, by the numbers of `host/prelude/c.cuh`."""


def stream_of(machine: Machine, address: int, call: Call) -> int:
    """Find which stream a FILE* is; another than the two that are written ends the program."""
    machine.reach(address, 4, call)
    number = int.from_bytes(machine.arena.view(address, 4).tobytes(), "little")
    if number not in WRITTEN:
        machine.find(Wrong.REFUSED, call.location, message("{name} writes to a stream that is only read.", name=call.name))
        raise Ended(1)
    return number


@service("printf")
def print_formatted(machine: Machine, call: Call) -> int:
    """Print to standard output; the characters printed."""
    data = machine.formatted(call, 0)
    machine.out(1, data)
    return len(data)


@service("fprintf")
def print_to(machine: Machine, call: Call) -> int:
    """Print to a stream."""
    stream = stream_of(machine, call.given[0], call)
    data = machine.formatted(call, 1)
    machine.out(stream, data)
    return len(data)


@service("sprintf", "snprintf")
def print_into(machine: Machine, call: Call) -> int:
    """Print into memory; the characters that the text has."""
    if call.name.endswith("sprintf"):
        data = machine.formatted(call, 1)
        machine.put(call.given[0], data + b"\0", call)
        return len(data)
    data, room = machine.formatted(call, 2), call.given[1]
    if room:
        machine.put(call.given[0], data[: room - 1] + b"\0", call)
    return len(data)


@service("__tilescope_vfprintf", "__tilescope_vsprintf", "__tilescope_vsnprintf")
def print_list(machine: Machine, call: Call) -> int:
    """Print what a va_list has."""
    name, kinds = call.name.removeprefix("__tilescope_"), call.kinds[:-1]
    call, (*given, at) = replace(call, name=name), call.given
    while kind := _word(machine, at, call):
        given.append(_word(machine, at + 8, call))
        kinds += "f" if kind == DOUBLE else "i"
        at += 16
    return (print_to if name == "vfprintf" else print_into)(machine, replace(call, given=given, kinds=kinds))


def _word(machine: Machine, address: int, call: Call) -> int:
    machine.reach(address, 8, call)
    return int.from_bytes(machine.arena.view(address, 8).tobytes(), "little", signed=True)


@service("__tilescope_no_argument")
def take_no_argument(machine: Machine, call: Call) -> None:
    """End the program where va_arg takes what the function was not given."""
    text = message("va_arg takes an argument, but there are no more.")
    if call.given[1]:
        wanted, there = (ARGUMENTS.get(kind, "struct") for kind in call.given)
        text = message("va_arg takes {wanted}, but the function is given {there} there.", wanted=wanted, there=there)
    machine.find(Wrong.ARGUMENT, call.location, text)
    raise Ended(SEGMENTATION)


@service("puts", "fputs")
def print_text(machine: Machine, call: Call) -> int:
    """Print a text, by puts with the end of a line."""
    text = machine.text(call.given[0], call)
    if call.name == "puts":
        machine.out(1, text + b"\n")
    else:
        machine.out(stream_of(machine, call.given[1], call), text)
    return 1


@service("putchar", "putc", "fputc")
def print_character(machine: Machine, call: Call) -> int:
    """Print one character."""
    stream = 1 if call.name == "putchar" else stream_of(machine, call.given[1], call)
    machine.out(stream, bytes([call.given[0] & 0xFF]))
    return call.given[0] & 0xFF


@service("fflush", "setbuf")
def flush(machine: Machine, _call: Call) -> int:
    """Hand on what was printed."""
    machine.flush()
    return 0


@dataclass(slots=True)
class _Format:
    """State of a stream of C++."""

    notation: int = 3
    precision: int = 6
    width: int = 0
    fill: str = " "
    left: bool = False
    words: bool = False
    base: int = 10
    with_base: bool = False
    with_sign: bool = False
    capitals: bool = False
    with_point: bool = False

    @property
    def flags(self) -> int:
        """All but precision, width and fill as one number, which is kept to be set again."""
        given = (self.left, self.words, self.with_base, self.with_sign, self.capitals, self.with_point)
        return self.notation + self.base * 4 + sum(value << place for place, value in enumerate(given, 7))

    @flags.setter
    def flags(self, given: int) -> None:
        self.notation, self.base = given & 3, given >> 2 & 31
        self.left, self.words, self.with_base, self.with_sign, self.capitals, self.with_point = (bool(given >> n & 1) for n in range(7, 13))


FLAGS = {11: "with_base", 12: "with_sign", 13: "capitals", 14: "with_point"}


def _format(machine: Machine, call: Call) -> _Format:
    found: _Format = machine.kept.setdefault(("stream", call.given[0]), _Format())
    return found


@service("__tilescope_format")
def set_format(machine: Machine, call: Call) -> int:
    """Change how a stream writes: what, and to which value, as the prelude numbers them; give the width, precision or sign that was."""
    state, (_, what, value) = _format(machine, call), call.given
    old = {6: state.precision, 7: state.width, 10: ord(state.fill), 15: state.flags}.get(what, 0)
    if what in (1, 2, 3):
        state.notation = what
    elif what in (4, 5):
        state.left = what == 4
    elif what == 6:
        state.precision = state.precision if value < 0 else value
    elif what == 7:
        state.width = value
    elif what == 8:
        state.words = bool(value)
    elif what == 9:
        state.base = value
    elif what == 10:
        state.fill = chr(value & 0xFF)
    elif what == 15:
        state.flags = state.flags if value < 0 else value
    elif what in FLAGS:
        setattr(state, FLAGS[what], bool(value))
    else:
        machine.flush()
    return old


def _put(machine: Machine, call: Call, text: str) -> None:
    state = _format(machine, call)
    padded = text.ljust(state.width, state.fill) if state.left else text.rjust(state.width, state.fill)
    state.width = 0
    data = padded.encode("latin-1", "replace")
    if call.given[0] < FIRST_OF_STRINGS:
        machine.out(call.given[0], data)
    else:
        source(machine, call.given[0]).data += data


@service("__tilescope_write_text")
def write_text(machine: Machine, call: Call) -> None:
    """Write a text: so many bytes, or what stands before the first that is zero."""
    _, address, size = call.given
    if size < 0:
        text = machine.text(address, call)
    else:
        machine.reach(address, size, call)
        text = machine.arena.view(address, size).tobytes()
    _put(machine, call, text.decode("latin-1"))


@service("__tilescope_write_char")
def write_character(machine: Machine, call: Call) -> None:
    """Write a character."""
    _put(machine, call, chr(call.given[1] & 0xFF))


@service("__tilescope_write_signed", "__tilescope_write_unsigned")
def write_integer(machine: Machine, call: Call) -> None:
    """Write an integer; in base 8 and 16 without a sign."""
    value, signed, state = call.given[1], call.name.endswith("_signed"), _format(machine, call)
    bits = value & ((1 << 64) - 1)
    if state.base != 10:
        prefix = {8: "0", 16: "0x"}[state.base] if state.with_base and bits else ""
        text = prefix + format(bits, "o" if state.base == 8 else "x")
        _put(machine, call, text.upper() if state.capitals else text)
    else:
        text = str(value if signed else bits)
        _put(machine, call, f"+{text}" if state.with_sign and signed and value >= 0 else text)


@service("__tilescope_write_bool")
def write_bool(machine: Machine, call: Call) -> None:
    """Write a truth value, as a number or as a word."""
    stream, truth = call.given[0], call.given[1] & 1
    if _format(machine, call).words:
        _put(machine, call, ("false", "true")[truth])
    else:
        write_integer(machine, Call("__tilescope_write_signed", (stream, truth), call.kinds, call.location))


@service("__tilescope_write_pointer")
def write_pointer(machine: Machine, call: Call) -> None:
    """Write an address."""
    _put(machine, call, "0" if call.given[1] == 0 else f"0x{call.given[1]:x}")


@service("__tilescope_write_double")
def write_double(machine: Machine, call: Call) -> None:
    """Write a number in the notation of the stream."""
    state, value = _format(machine, call), machine.float_of(call.given[1])
    letter = {1: "f", 2: "e"}.get(state.notation, "g")
    precision = max(state.precision, 1) if letter == "g" else state.precision
    flags = ("+" if state.with_sign else "") + ("#" if state.with_point else "")
    text = f"%{flags}.{precision}{letter.upper() if state.capitals else letter}" % value
    _put(machine, call, "-nan" if text == "nan" and str(value).startswith("-") else text)
