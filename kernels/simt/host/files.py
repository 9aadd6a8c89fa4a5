"""Files that a program reads, as C and C++ read them. What the user does not allow, and all writing, ends the program with the reason."""

from __future__ import annotations

import struct
from typing import NoReturn

from kernels.base.messages import Message, message
from kernels.simt.host.arena import Home
from kernels.simt.host.c_library import service
from kernels.simt.host.data_files import LARGEST_FILE, Closed, plain
from kernels.simt.host.machine import ABORTED, Call, Ended, Machine
from kernels.simt.host.output import stream_of
from kernels.simt.host.result import DataFile, Wrong
from kernels.simt.host.standard_input import Source, file, new_source, source

MISSING, INVALID = 2, 22
"""ENOENT and EINVAL."""
FROM_START, FROM_HERE, FROM_END = 0, 1, 2
_REASONS: dict[Closed, Message] = {
    Closed.NOT_ALLOWED: message("{function} wants to read {file}, which is not allowed yet.", function="", file=""),
    Closed.NO_FOLDER: message("{function} wants to read {file}, but this program lies in no folder: save it first.", function="", file=""),
    Closed.OUTSIDE: message("{function} may not read {file}: only files in the program's own folder are read.", function="", file=""),
    Closed.LINK: message("{function} may not read {file}: a symbolic link leads to it.", function="", file=""),
    Closed.NO_FILE: message("{function} may not read {file}: it is no regular file.", function="", file=""),
    Closed.TOO_LARGE: message("{function} may not read {file}: it has more than {limit} MiB.", function="", file="", limit=0),
    Closed.UNREADABLE: message("{function} cannot read {file}: the system does not let it.", function="", file=""),
}


def _opened(machine: Machine, call: Call, function: str) -> int | None:
    """Open the file that the first argument names: the number of its stream, None where there is no such file."""
    name = machine.text(call.given[0], call).decode("utf-8", "replace")
    found = machine.open_file(name)
    if found is Closed.MISSING:
        return None
    if isinstance(found, Closed):
        if found is Closed.NOT_ALLOWED:
            machine.files.setdefault(plain(name), DataFile(plain(name), call.location, None))
        _refuse(machine, call, _REASONS[found].template, function=function, file=name, limit=LARGEST_FILE >> 20)
    machine.files.setdefault(plain(name), DataFile(plain(name), call.location, len(found)))
    return new_source(machine, found)


def _refuse(machine: Machine, call: Call, template: str, **arguments: str | int) -> NoReturn:
    machine.find(Wrong.REFUSED, call.location, Message(template, tuple(arguments.items())))
    raise Ended(1)


# ------------------------------------------------------------ C


@service("fopen")
def open_file(machine: Machine, call: Call) -> int:
    """Open a file for reading: null where there is none, as elsewhere."""
    mode = machine.text(call.given[1], call)
    if mode[:1] in (b"w", b"a") or (mode[:1] == b"r" and b"+" in mode):
        name = machine.text(call.given[0], call).decode("utf-8", "replace")
        _refuse(machine, call, WRITING, function="fopen", file=name)
    number = _opened(machine, call, "fopen") if mode[:1] == b"r" else None
    if number is None:
        machine.put(call.given[2], struct.pack("<i", MISSING if mode[:1] == b"r" else INVALID), call)
        return 0
    made = machine.allocate(Home.KEPT, 4, call)
    if made is None:
        raise Ended(ABORTED)
    machine.put(made.address, struct.pack("<i", number), call)
    return made.address


WRITING = message("{function} opens {file} for writing: a program writes no files here.", function="", file="").template


@service("fclose")
def close_file(machine: Machine, call: Call) -> int:
    """Close a file."""
    file(machine, call.given[0], call, reads=False)
    found = machine.arena.at(call.given[0])
    if found is not None and found.home is Home.KEPT:
        machine.kept.pop(("source", _number(machine, call)), None)
        machine.arena.free(found, call.location)
    return 0


def _number(machine: Machine, call: Call) -> int:
    return int.from_bytes(machine.arena.view(call.given[0], 4).tobytes(), "little")


@service("fread")
def read_items(machine: Machine, call: Call) -> int:
    """Read items: how many were read whole."""
    into, size, count, stream = call.given
    machine.flush()
    data = file(machine, stream, call).up_to(size * count)
    machine.put(into, data, call)
    return len(data) // size if size else 0


@service("fwrite")
def write_items(machine: Machine, call: Call) -> int:
    """Write items to standard output or standard error."""
    address, size, count, stream = call.given
    machine.reach(address, size * count, call)
    data = machine.arena.view(address, size * count).tobytes() if size * count else b""
    machine.out(stream_of(machine, stream, call), data)
    return count if size else 0


@service("feof")
def at_end(machine: Machine, call: Call) -> int:
    """Say whether reading has met the end."""
    return int(file(machine, call.given[0], call, reads=False).met_end)


@service("ferror")
def failed(machine: Machine, call: Call) -> int:
    """Say that nothing failed: what could not be read was not opened."""
    file(machine, call.given[0], call, reads=False)
    return 0


@service("clearerr")
def forget_end(machine: Machine, call: Call) -> None:
    """Forget that reading has met the end."""
    file(machine, call.given[0], call, reads=False).met_end = False


@service("ungetc")
def put_back(machine: Machine, call: Call) -> int:
    """Let a character be read again; EOF where there is none to put back."""
    found, byte = file(machine, call.given[1], call), call.given[0]
    if byte < 0 or found.place == 0:
        return -1
    found.place -= 1
    found.data[found.place] = byte & 0xFF
    found.met_end = False
    return byte & 0xFF


@service("rewind", "fseek")
def seek(machine: Machine, call: Call) -> int:
    """Read on from another place; −1 where that is before the beginning, or on standard input."""
    found = file(machine, call.given[0], call)
    return int(_moved(found, *(call.given[1:] or (0, FROM_START)))) - 1


def _moved(found: Source, by: int, whence: int) -> bool:
    base = {FROM_START: 0, FROM_HERE: found.place, FROM_END: len(found.data)}.get(whence)
    if found.machine is not None or base is None or base + by < 0:
        return False
    found.place, found.met_end = base + by, False
    return True


@service("ftell")
def place(machine: Machine, call: Call) -> int:
    """Give the place that is read next; −1 on standard input."""
    found = file(machine, call.given[0], call)
    return -1 if found.machine is not None else found.place


# ------------------------------------------------------------ C++


@service("__tilescope_open_file")
def open_stream(machine: Machine, call: Call) -> int:
    """Open a file as a stream: its number, −1 where there is no such file. For writing none is opened."""
    if call.given[1]:
        name = machine.text(call.given[0], call).decode("utf-8", "replace")
        _refuse(machine, call, WRITING, function="std::ofstream", file=name)
    number = _opened(machine, call, "std::ifstream")
    return -1 if number is None else number


@service("__tilescope_read_bytes")
def read_bytes(machine: Machine, call: Call) -> int:
    """Read bytes: how many there were."""
    number, into, count = call.given
    data = source(machine, number).up_to(max(count, 0))
    machine.put(into, data, call)
    return len(data)


@service("__tilescope_seek")
def seek_stream(machine: Machine, call: Call) -> int:
    """Read on from another place: that place, −1 where there is none."""
    number, by, whence = call.given
    found = source(machine, number)
    return found.place if _moved(found, by, whence) else -1
