"""Input of a program: standard input, as it is asked for, and the streams of strings; scanf and its like, and those of C++."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import field

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.host.c_library import NUMBER, service
from kernels.simt.host.machine import SEGMENTATION, Call, Ended, Machine, named
from kernels.simt.host.result import Wrong

SPACE = b" \t\n\v\f\r"
STANDARD, WRITTEN, FIRST_OF_STRINGS = 0, (1, 2), 16
_INTEGER = re.compile(rb"[+-]?[0-9]*")
_DECIMAL = (10, re.compile(rb"[+-]?[0-9]+"))
_HEXADECIMAL = (16, re.compile(rb"[+-]?(?:0[xX])?[0-9a-fA-F]+"))
_INTEGERS = {
    "d": _DECIMAL,
    "u": _DECIMAL,
    "x": _HEXADECIMAL,
    "X": _HEXADECIMAL,
    "o": (8, re.compile(rb"[+-]?[0-7]+")),
    "i": (0, re.compile(rb"[+-]?(?:0[xX][0-9a-fA-F]+|[0-9]+)")),
}
"""By letter the base, 0 where the number says it, and what such a number looks like."""
_WIDTHS = {"": 4, "l": 8, "ll": 8, "z": 8, "j": 8, "h": 2, "hh": 1}
_DIRECTIVE = re.compile(rb"%(\*?)(\d*)(hh|h|ll|l|z|j|L)?(\[\^?\]?[^\]]*\]|[diuoxXeEfgGcsn%])")


@dataclass(slots=True)
class Source:
    """Source that a stream is read from. Of standard input more is asked for where it is at its end."""

    data: bytearray = field(default_factory=bytearray)
    place: int = 0
    machine: Machine | None = None
    ended: bool = True
    met_end: bool = False
    """Whether reading has met the end: what feof tells."""

    def more(self, count: int = 1) -> bool:
        """Say whether so many bytes are left."""
        while len(self.data) - self.place < count and not self.ended:
            assert self.machine is not None
            found = self.machine.read()
            self.data += found
            self.ended = not found
        found_all = len(self.data) - self.place >= count
        self.met_end |= not found_all
        return found_all

    def up_to(self, count: int) -> bytes:
        """Take so many bytes, or all that is left."""
        start = self.place
        if count > 0:
            self.place = start + count if self.more(count) else max(start, len(self.data))
        return bytes(self.data[start : self.place])

    def take(self) -> int:
        """Take a byte; −1 at the end."""
        if not self.more():
            return -1
        self.place += 1
        return self.data[self.place - 1]

    def skip(self) -> None:
        """Skip white space."""
        while self.more() and self.data[self.place] in SPACE:
            self.place += 1

    def word(self, most: int | None = None, wanted: frozenset[int] | None = None) -> bytes:
        """Take bytes up to white space, or as long as they are `wanted`."""
        start = self.place
        while (most is None or self.place - start < most) and self.more():
            byte = self.data[self.place]
            if byte in SPACE if wanted is None else byte not in wanted:
                break
            self.place += 1
        return bytes(self.data[start : self.place])

    def line(self, end: int, most: int | None = None) -> bytes | None:
        """Take bytes up to `end`, that included; None where nothing is left."""
        start = self.place
        while (most is None or self.place - start < most) and (byte := self.take()) >= 0:
            if byte == end:
                break
        return bytes(self.data[start : self.place]) or None

    def matched(self, pattern: re.Pattern[bytes], most: int | None = None) -> bytes:
        """Take what a pattern matches at the beginning of the next word."""
        self.skip()
        start = self.place
        found = pattern.match(self.word(most))
        taken = b"" if found is None else found[0]
        self.place = start + len(taken)
        self.met_end &= self.place == len(self.data)
        return taken


def source(machine: Machine, number: int) -> Source:
    """Find what a stream is read from."""
    key = ("source", number)
    if key not in machine.kept:
        machine.kept[key] = Source(machine=machine, ended=False) if number == STANDARD else Source()
    found: Source = machine.kept[key]
    return found


def new_source(machine: Machine, data: bytes) -> int:
    """Make a stream that is read from bytes: its number."""
    number: int = machine.kept.get("streams", FIRST_OF_STRINGS)
    machine.kept["streams"] = number + 1
    source(machine, number).data += data
    return number


def file(machine: Machine, address: int, call: Call, *, reads: bool = True) -> Source:
    """Find what a FILE* is read from. Ends the program where it is none, or was closed, or, where the call reads, is only written."""
    found = machine.arena.at(address)
    if found is not None and found.freed is not None and found.function == "fopen":
        text = message("{place}: {name} was closed in line {line}.", place=call.name, name=named(found), line=found.freed.line)
        machine.find(Wrong.AFTER_FREE, call.location, text, found.freed)
        raise Ended(SEGMENTATION)
    machine.reach(address, 4, call)
    number = int.from_bytes(machine.arena.view(address, 4).tobytes(), "little")
    if number in WRITTEN and not reads:
        return Source()
    if number != STANDARD and ("source", number) not in machine.kept:
        machine.find(Wrong.REFUSED, call.location, message("{name} reads from a stream that is only written.", name=call.name))
        raise Ended(1)
    return source(machine, number)


# ------------------------------------------------------------ C


@service("getchar", "fgetc", "getc")
def read_character(machine: Machine, call: Call) -> int:
    """Give the next character, or EOF."""
    machine.flush()
    return (file(machine, call.given[0], call) if call.given else source(machine, STANDARD)).take()


@service("fgets")
def read_line(machine: Machine, call: Call) -> int:
    """Read a line, as much of it as there is room for; null where there is none."""
    into, room, stream = call.given
    machine.flush()
    line = file(machine, stream, call).line(10, room - 1)
    if line is None or room < 1:
        return 0
    machine.put(into, line + b"\0", call)
    return into


@service("scanf", "fscanf", "sscanf")
def scan(machine: Machine, call: Call) -> int:
    """Read by a format: how many values were read, or EOF."""
    machine.flush()
    if call.name == "scanf":
        stream, at = source(machine, STANDARD), 0
    elif call.name == "fscanf":
        stream, at = file(machine, call.given[0], call), 1
    else:
        stream, at = Source(bytearray(machine.text(call.given[0], call))), 1
    return _scanned(machine, call, stream, machine.text(call.given[at], call), list(call.given[at + 1 :]))


def _scanned(machine: Machine, call: Call, stream: Source, template: bytes, targets: list[int]) -> int:
    count, place, start = 0, 0, stream.place
    while place < len(template):
        found = _DIRECTIVE.match(template, place)
        if found is None or found[4] == b"%":
            if template[place] not in SPACE and not stream.more():
                return count or -1
            if not _passes(stream, template[place], skips=found is not None):
                break
            place += 1 if found is None else 2
            continue
        place = found.end()
        letter = found[4].decode()
        data = struct.pack("<i", stream.place - start) if letter == "n" else _value(stream, letter, found[2], (found[3] or b"").decode())
        if data is None:
            return count if count or stream.more() else -1
        if not found[1]:
            _put(machine, call, targets, data)
            count += letter != "n"
    return count


def _passes(stream: Source, byte: int, *, skips: bool) -> bool:
    """Pass what a format names itself: white space of any length, or a character; say whether it is there."""
    if byte in SPACE or skips:
        stream.skip()
    if byte in SPACE:
        return True
    found = stream.more() and stream.data[stream.place] == byte
    stream.place += found
    return found


def _put(machine: Machine, call: Call, targets: list[int], data: bytes) -> None:
    if not targets:
        machine.find(Wrong.REFUSED, call.location, message("{name}: there are fewer addresses than its format names.", name=call.name))
        raise Ended(1)
    machine.put(targets.pop(0), data, call)


def _value(stream: Source, letter: str, written: bytes, size: str) -> bytes | None:
    """Read one value as the bytes that are stored; None where there is none."""
    width = int(written or 0) or None
    if letter == "c":
        if not stream.more(width or 1):
            return None
        stream.place += width or 1
        return bytes(stream.data[stream.place - (width or 1) : stream.place])
    if letter == "s" or letter.startswith("["):
        if letter == "s":
            stream.skip()
        word = stream.word(width, None if letter == "s" else _wanted(letter[1:-1].encode("latin-1")))
        return word + b"\0" if word else None
    if letter in "eEfgG":
        text = stream.matched(NUMBER, width)
        return struct.pack("<d" if size in ("l", "L") else "<f", _float(text)) if text else None
    base, pattern = _INTEGERS[letter]
    text = stream.matched(pattern, width)
    if not text:
        return None
    base = base or (16 if b"x" in text.lower() else 8 if text.lstrip(b"+-").startswith(b"0") else 10)
    return (int(text, base) & ((1 << 8 * _WIDTHS[size]) - 1)).to_bytes(_WIDTHS[size], "little")


def _wanted(written: bytes) -> frozenset[int]:
    """Read which characters `[a-z]` and `[^,]` mean."""
    others = written.startswith(b"^")
    written = written[1:] if others else written
    found: set[int] = set()
    place = 0
    while place < len(written):
        last = written[place + 2] if written[place + 1 : place + 2] == b"-" and place + 2 < len(written) else written[place]
        found.update(range(written[place], last + 1))
        place += 3 if last != written[place] or written[place + 1 : place + 2] == b"-" else 1
    return frozenset(range(256)) - found if others else frozenset(found)


def _float(text: bytes) -> float:
    word = text.decode()
    return float.fromhex(word) if "x" in word.lower() else float(word)


# ------------------------------------------------------------ C++


@service("__tilescope_open")
def open_string(machine: Machine, call: Call) -> int:
    """Make a stream of a string: its number."""
    address, size = call.given
    machine.reach(address, size, call)
    return new_source(machine, machine.arena.view(address, size).tobytes() if size else b"")


@service("__tilescope_close")
def close_string(machine: Machine, call: Call) -> None:
    """Forget a stream of a string."""
    machine.kept.pop(("source", call.given[0]), None)
    machine.kept.pop(("stream", call.given[0]), None)


@service("__tilescope_read_integer")
def read_integer(machine: Machine, call: Call) -> int:
    """Read an integer; where it is too large, the largest, and that is a failure. The number that a failure leaves is 0."""
    number, into, size, signed = call.given
    machine.flush()
    text = source(machine, number).matched(_INTEGER)
    value = int(text) if text.strip(b"+-") else 0
    low, high = (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)
    if not signed and -high <= value < 0:
        value &= high
    kept = min(max(value, low), high)
    machine.put(into, (kept & ((1 << 64) - 1)).to_bytes(8, "little"), call)
    return int(bool(text.strip(b"+-")) and kept == value)


@service("__tilescope_read_double")
def read_double(machine: Machine, call: Call) -> int:
    """Read a number; 0 where there is none."""
    machine.flush()
    text = source(machine, call.given[0]).matched(NUMBER)
    value = _float(text) if text else 0.0
    machine.put(call.given[1], struct.pack("<d", value), call)
    return int(bool(text) and math.isfinite(value))


@service("__tilescope_read_char")
def read_stream_character(machine: Machine, call: Call) -> int:
    """Read a character: the next (0), the next that is no white space (1), or only look at it (2)."""
    machine.flush()
    stream, how = source(machine, call.given[0]), call.given[1]
    if how == 1:
        stream.skip()
    taken = stream.take()
    if how == 2 and taken >= 0:
        stream.place -= 1
    return taken


@service("__tilescope_read_text")
def read_text(machine: Machine, call: Call) -> int:
    """Read a word (−1), or up to a character, and keep it: its length, of a line twice that, and one more at the end; −1: none."""
    number, end = call.given
    machine.flush()
    stream = source(machine, number)
    if end == -1:
        stream.skip()
        word = stream.word()
        machine.kept["taken"] = word
        return len(word) or -1
    line = stream.line(end)
    if line is None:
        return -1
    whole = line[-1] == end
    machine.kept["taken"] = line[:-1] if whole else line
    return 2 * len(machine.kept["taken"]) + (0 if whole else 1)


@service("__tilescope_taken")
def put_taken(machine: Machine, call: Call) -> None:
    """Store what was read last."""
    machine.put(call.given[0], machine.kept["taken"], call)


@service("__tilescope_at_end")
def at_end(machine: Machine, call: Call) -> int:
    """Say whether nothing is left."""
    return int(call.given[0] >= 0 and not source(machine, call.given[0]).more())


@service("__tilescope_all")
def keep_all(machine: Machine, call: Call) -> int:
    """Keep all that a stream of a string holds: its length."""
    machine.kept["taken"] = bytes(source(machine, call.given[0]).data)
    return len(machine.kept["taken"])
