"""The state of a program that runs: its memory, its output, what was found, and the way in which it ends."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Location
from kernels.simt.host.arena import GRANULE, Arena, ArenaAllocation, Home
from kernels.simt.host.data_files import OpenFile, not_asked
from kernels.simt.host.events import LISTED, EventLog
from kernels.simt.host.records import Records
from kernels.simt.host.result import Allocated, Copied, DataFile, EventKind, HostFinding, Launched, ProgramJob, ProgramRun, Progress, Wrong
from kernels.simt.host.stale import StaleValues
from kernels.simt.intrinsics.printf import formatted

SEGMENTATION = 139
ABORTED = 134
ARITHMETIC = 136
MOST_FINDINGS = 200
FRESH = ("malloc", "aligned_alloc", "new", "new_array")
"""Functions whose memory has no value at first."""
FLUSH_S = 0.05
FLUSH_BYTES = 1 << 16
TELL_S = 0.5
_ASSIGNED = re.compile(r"(?:\b(\w+(?:(?:\.|->)\w+|\[\w+\])*)\s*=\s*(?:\([^()]*\)\s*|(?:static|reinterpret)_cast<[^<>]*>\s*\(\s*)?)$")
_TO_ARRAYS = re.compile(r"\(\s*\*\s*(\w+)\s*\)(?:\s*\[[^\]]*\])+\s*=\s*$")
_BEGINS = re.compile(r"\s*(?:\([^()]*\)\s*)*&?\s*([A-Za-z_]\w*)\b(?!\s*[(:])")
_GIVEN = re.compile(r"\w+\s*\(\s*(?:\([^()]*\)\s*|\w+_cast\s*<[^<>]*>\s*\(\s*)*&?\s*(\w+(?:(?:\.|->)\w+|\[\w+\])*)")


class Ended(Exception):
    """The end of the program, with its status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the program asks to be answered: each argument as 64 bits, signed; `kinds` has an "f" for each that is a float."""

    name: str
    given: Sequence[int]
    kinds: str
    location: Location


class Machine:
    """One run. `write` is given what the program writes, as it does: the stream's number (1 or 2) and the bytes; `tell` is told how far a
    long launch is; `read` gives more of standard input, nothing at its end; `records` keeps what launches did;
    `open_file` gives what is in a file beside the program."""

    def __init__(
        self,
        job: ProgramJob,
        arena: Arena,
        write: Callable[[int, bytes], None],
        tell: Callable[[Progress], None],
        read: Callable[[], bytes] = bytes,
        records: Records | None = None,
        open_file: OpenFile = not_asked,
    ) -> None:
        self.job = job
        self.records = records
        self.arena = arena
        self.read = read
        self.open_file = open_file
        self.files: dict[str, DataFile] = {}
        """Those that it read, or wanted to, by name."""
        self.began = time.monotonic()
        self.launches: list[Launched] = []
        self.copies: list[Copied] = []
        self.log = EventLog()
        arena.told = self.log.memory
        self.kept: dict[object, Any] = {}
        """What functions of the library remember between calls, by names of theirs."""
        self._lines = job.text.split("\n")
        self._write = write
        self._told = 0.0
        self._tell = tell
        self._waiting = bytearray()
        self._last_flush = 0.0
        self._written: list[bytes] = []
        self._size = 0
        self.stale = StaleValues(self.arena)
        self._held: list[tuple[int, int, Location]] = []
        self._findings: dict[tuple[Wrong, Location, Message], HostFinding] = {}

    # ------------------------------------------------------------ output

    def out(self, stream: int, data: bytes) -> None:
        """Write to standard output (1) or standard error (2). Raises Ended where the program wrote more than it may."""
        self._size += len(data)
        if self._size > self.job.limits.output:
            most = self.job.limits.output >> 20
            self.find(Wrong.STOPPED, Location(0, 0), message("Stopped: the program wrote more than {limit} MiB.", limit=most))
            raise Ended(ABORTED)
        if stream != 1:
            self.flush()
            self._write(stream, data)
            return
        self._waiting += data
        self.log.out(len(data))
        now = time.monotonic()
        if len(self._waiting) > FLUSH_BYTES or now - self._last_flush > FLUSH_S:
            self.flush()
            self._last_flush = now

    def flush(self) -> None:
        """Hand on what was written."""
        if self._waiting:
            data = bytes(self._waiting)
            self._waiting.clear()
            self._written.append(data)
            self._write(1, data)

    def formatted(self, call: Call, position: int) -> bytes:
        """Write the format that is the argument at `position` with the arguments after it."""
        values = [self.float_of(bits) if kind == "f" else bits for bits, kind in zip(call.given, call.kinds, strict=True)]
        template = self.text(call.given[position], call).decode("latin-1")
        most = self.job.limits.output
        done = formatted(template, values[position + 1 :], most, lambda address: self.text(address, call).decode("latin-1"))
        return done.encode("latin-1", "replace")

    def tell(self, progress: Progress) -> None:
        """Tell how far a launch is, now and then."""
        now = time.monotonic()
        if now - self._told > TELL_S:
            self._told = now
            self._tell(progress)

    # ------------------------------------------------------------ memory

    def text(self, address: int, call: Call) -> bytes:
        """Read the characters up to the next zero. Ends the program where there are none."""
        self.reach(address, 1, call)
        found = self.arena.find(address)
        end = found.address + found.bytes if found is not None and address < found.address + found.bytes else address + (1 << 16)
        start = address
        while True:
            size = min(4096, end - start)
            if size <= 0:
                self.reach(start, 1, call)
                size = 1
            data = self.arena.view(start, size).tobytes()
            place = data.find(b"\0")
            if place >= 0:
                self.reach(address, start - address + place + 1, call)
                return self.arena.view(address, start - address + place).tobytes()
            start += size

    def reach(self, address: int, size: int, call: Call) -> None:
        """Let a function of the library access bytes. Ends the program where it may not."""
        if size < 0:
            self.fault(address, call.location, call.name)
        if size > 0:
            self.reach_each(address, size, call.location, call.name, writes=True, quiet=call.name.startswith("cuda"))

    def reach_each(self, address: int, size: int, location: Location, place: str, *, writes: bool, quiet: bool = False) -> None:
        """Let the host access a stretch of bytes, as if one after the other. Ends the program at the first that it may not."""
        end = address + size
        while not self.arena.allowed(address, end - address):
            address = self.arena.closed(address, end - address)
            found = self.arena.find(address)
            inside = 0 if found is None else min(end, found.address + found.bytes) - address
            if inside > 0:
                self.settle(address, inside, location, "" if quiet else place, writes=writes)
            if self.arena.allowed(address, 1):
                continue
            if inside <= 0 or not self._beside_held(address):
                self.fault(address, location, place)
            address = min((address // GRANULE + 1) * GRANULE, address + inside)

    def hold(self, address: int, size: int, location: Location) -> None:
        """Keep the host from bytes that the device is writing, since a call at `location`, until somebody waits for it. The 16 bytes
        in which the first and the last lie are shaded whole: what lies beside them there is let through when it is accessed."""
        if size > 0:
            self._shade_held(address, size, allowed=False)
            self._held.append((address, size, location))

    def _shade_held(self, address: int, size: int, *, allowed: bool) -> None:
        begin, end = address // GRANULE * GRANULE, -(-(address + size) // GRANULE) * GRANULE
        found = self.arena.find(address)
        if found is not None and found.freed is None:
            self.arena.shade(begin, min(end, found.address + found.bytes) - begin, allowed=allowed)

    def _beside_held(self, address: int) -> bool:
        """Say whether a byte lies beside some that the host is kept from: in the same 16, and in an allocation that is there."""
        found, at = self.arena.find(address), address // GRANULE
        there = found is not None and found.freed is None
        return there and any(start // GRANULE <= at <= (start + size - 1) // GRANULE for start, size, _ in self._held)

    def let_go(self) -> None:
        """Let the host access what the device was writing: it has waited."""
        for address, size, _ in self._held:
            self._shade_held(address, size, allowed=True)
        self._held.clear()

    def settle(self, address: int, size: int, location: Location, place: str, *, writes: bool) -> None:
        """Let the host access bytes that it was kept from, and say what is wrong with that; nothing where `place` is empty."""
        found = self.arena.find(address)
        if found is None or found.freed is not None or address + size > found.address + found.bytes:
            return
        if self.stale.accessed(address, size, location, place, writes=writes) and self.arena.allowed(address, size):
            return
        for start, length, since in self._held:
            if start < address + size and address < start + length:
                if place:
                    name = named(found)
                    text = message("{place}: {name} is accessed before the device is done with it: wait for it.", place=place, name=name)
                    self.find(Wrong.TOO_EARLY, location, text, since)
                self.let_go()
                return
        if found.chunk:
            if not writes and place and not self.arena.allowed(address, 1):
                text = message("{place}: {name} is read, but nothing was written there before.", place=place, name=named(found))
                self.find(Wrong.UNWRITTEN, location, text, found.location)
            self.arena.write_first(found, address, size)

    def put(self, address: int, data: bytes, call: Call) -> None:
        """Write bytes for a function of the library."""
        self.reach(address, len(data), call)
        if data:
            self.arena.view(address, len(data))[:] = memoryview(data)

    def fault(self, address: int, location: Location, place: str) -> None:
        """Say what is wrong with an access of the host, and end the program. `place` is what is accessed, as written."""
        wrong, text, other = explained(self.arena, address, place)
        self.find(wrong, location, text, other)
        raise Ended(SEGMENTATION)

    @staticmethod
    def float_of(bits: int) -> float:
        """Give the double that has these bits."""
        import struct

        return float(struct.unpack("<d", struct.pack("<q", bits))[0])

    def allocate(self, home: Home, size: int, call: Call) -> ArenaAllocation | None:
        """Allocate for the call, named after what its result is assigned to."""
        function = call.name.removeprefix("__tilescope_")
        return self.arena.allocate(home, size, call.location, self._named(call), function, fresh=function in FRESH)

    def _named(self, call: Call) -> str:
        """Find in the text what an allocation is called."""
        if call.location.file or not 0 < call.location.line <= len(self._lines):
            return ""
        line, column = self._lines[call.location.line - 1], call.location.column - 1
        found = (
            _ASSIGNED.search(line[:column]) or _TO_ARRAYS.search(line[:column])
            if not call.name.startswith("cuda")
            else _GIVEN.match(line[column:])
        )
        return "" if found is None else found[1]

    def argument(self, location: Location, position: int) -> str:
        """Find in the text the variable that an argument of a call begins with: "a" of `&a[3]`; "" where it is none, or not in sight."""
        if location.file or not 0 < location.line <= len(self._lines):
            return ""
        depth, begin, found = 0, 0, []
        text = self._lines[location.line - 1][location.column - 1 :]
        for place, character in enumerate(text):
            depth += (character in "([{") - (character in ")]}")
            if (depth, character) == (1, "(") and not begin:
                begin = place + 1
            elif begin and ((depth == 1 and character == ",") or (depth == 0 and character == ")")):
                found.append(text[begin:place])
                begin = place + 1
            if begin and depth == 0:
                break
        named = _BEGINS.match(found[position]) if position < len(found) else None
        return "" if named is None else named[1]

    # ------------------------------------------------------------ findings and the end

    def find(self, wrong: Wrong, location: Location, text: Message, other: Location | None = None, launch: int | None = None) -> None:
        """Keep a finding; the same one again is counted."""
        key = (wrong, location, text)
        if key in self._findings:
            self._findings[key] = replace(self._findings[key], count=self._findings[key].count + 1)
        elif len(self._findings) < MOST_FINDINGS:
            self._findings[key] = HostFinding(wrong, location, text, other, launch)

    def run(self, status: int) -> ProgramRun:
        """Give all that happened: a program whose time is over may still go on, and an event of what is not in the lists is left out."""
        self.flush()
        findings, copies, launches = tuple(self._findings.values()), tuple(self.copies), tuple(self.launches)
        made = [each for each in self.arena.all if each.home in LISTED]  # copies and launches name some by number: these come later
        allocations = tuple(Allocated(each.home.value, each.name, each.function, each.bytes, each.location, each.freed) for each in made)
        written = b"".join(self._written)
        output = written.decode("utf-8", "surrogateescape")
        self.log.note(EventKind.END, self.log.here)
        seconds = time.monotonic() - self.began
        there = {EventKind.COPY: len(copies), EventKind.LAUNCH: len(launches)}
        there |= dict.fromkeys((EventKind.ALLOCATE, EventKind.FREE), len(allocations))
        events = (each for each in self.log.told(written) if each.number < there.get(each.kind, each.number + 1))
        return ProgramRun(
            output, status, allocations, copies, launches, findings, seconds=seconds,
            events=tuple(events), events_left_out=self.log.left_out, files=tuple(self.files.values()),
            containers=self.log.containers,
        )  # fmt: skip

    def leaks(self) -> None:
        """Find what was never freed, values that were read too old, and results that nobody has read, once the program has ended."""
        old = self.stale.readings
        for reading in old:
            line, name = reading.launch.line, named(reading.device)
            text = message(
                "This value is older than the launch in line {line}, which has written {name}: copy it back before.", line=line, name=name
            )
            if reading.place != "*":
                text = message(
                    "{place} is older than the launch in line {line}, which has written {name}: copy it back before.",
                    place=reading.place, line=line, name=name,
                )  # fmt: skip
            self.find(Wrong.STALE, reading.location, text, reading.launch)
        # what one launch leaves in arrays that are made at one place may have no use in the last: the sums of a scan of one block
        used = {(each.location, each.handed_on) for each in self.arena.all}
        for each in self.arena.all:
            if each.freed is None and each.home in (Home.HOST, Home.PINNED, Home.MANAGED, Home.DEVICE):
                free = {Home.HOST: "free", Home.PINNED: "cudaFreeHost"}.get(each.home, "cudaFree")
                if each.function.startswith("new"):
                    free = "delete" if each.function == "new" else "delete[]"
                if (each.home, each.function) == (Home.DEVICE, "malloc"):
                    free = "free"
                text = message("{name} is never given to {free}: {bytes} bytes.", name=named(each), free=free, bytes=each.bytes)
                self.find(Wrong.LEAK, each.location, text)
            if each.unread is not None and (each.location, each.unread) not in used and all(reading.device is not each for reading in old):
                text = message("{name} is written by this launch, and nothing reads it afterwards: copy it back.", name=named(each))
                self.find(Wrong.UNREAD, each.unread, text, each.location)


def named(allocation: ArenaAllocation) -> str:
    """Give an allocation the name that the text has for it, or that of the function that made it."""
    written = {"new_array": "new[]", "new_zeroed": "new[]", "new": "new"}
    return allocation.name or written.get(allocation.function, f"{allocation.function}()")


def explained(arena: Arena, address: int, place: str) -> tuple[Wrong, Message, Location | None]:
    """Say why the host may not access an address; the second location is that of what it meant."""
    if 0 <= address < 4096:
        return Wrong.NULL, message("{place}: the pointer is null.", place=place), None
    found = arena.find(address)
    if found is None or not arena.layout.base <= address < arena.end:
        return Wrong.OUT_OF_BOUNDS, message("{place}: this address belongs to nothing.", place=place), None
    distance = address - found.address - found.bytes
    if found.freed is not None and distance < 0:
        text = message("{place}: {name} was freed in line {line}.", place=place, name=named(found), line=found.freed.line)
        return Wrong.AFTER_FREE, text, found.freed
    if found.home in (Home.DEVICE, Home.SYMBOL) and distance < 0:
        text = message(
            "{place}: {name} is memory of the device; copy it to the host first, with cudaMemcpy.", place=place, name=named(found)
        )
        return Wrong.DEVICE_POINTER, text, found.location
    if 0 <= distance < 1 << 20:
        text = message(
            "{place}: {distance} bytes behind the end of {name}, which has {bytes} bytes.",
            place=place, distance=distance, name=named(found), bytes=found.bytes,
        )  # fmt: skip
        return Wrong.OUT_OF_BOUNDS, text, found.location
    text = message("{place} is outside of every variable and array.", place=place)
    return Wrong.OUT_OF_BOUNDS, text, None
