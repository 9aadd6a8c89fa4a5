"""Ends that C++ has: exceptions that nothing catches, indices beyond the end, and calls of functions that are none."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt.base.types import Location
from kernels.simt.host.c_library import service
from kernels.simt.host.machine import ABORTED, SEGMENTATION, Call, Ended, Machine
from kernels.simt.host.result import Wrong


@service("__tilescope_try")
def count_try(machine: Machine, call: Call) -> None:
    """Count the blocks that catch and are under way."""
    machine.kept["tries"] = machine.kept.get("tries", 0) + (1 if call.given[0] else -1)


@service("__tilescope_throw")
def throw(machine: Machine, call: Call) -> None:
    """Note what is thrown; where no block catches, the program ends there."""
    words = machine.text(call.given[0], call) if call.given[0] else b""
    name = str(machine.kept["names of sites"](call.given[1]))
    machine.kept["thrown"] = (name, words, call.location)
    if machine.kept.get("tries", 0) == 0:
        uncaught(machine, call)


@service("__tilescope_uncaught")
def uncaught(machine: Machine, _call: Call) -> None:
    """End the program, as C++ does, where an exception is not caught."""
    name, words, location = machine.kept["thrown"]
    assert isinstance(location, Location)
    machine.flush()
    what = b"\n  what():  " + words if words else b""
    machine.out(2, b"terminate called after throwing an instance of '" + name.encode() + b"'" + what + b"\n")
    text = message("{name} is thrown, and nothing catches it: {words}", name=name, words=words.decode("latin-1"))
    machine.find(Wrong.UNCAUGHT, location, text if words else message("{name} is thrown, and nothing catches it.", name=name))
    raise Ended(ABORTED)


@service("__tilescope_no_function")
def call_nothing(machine: Machine, call: Call) -> None:
    """End the program where it calls through a pointer that points to no function."""
    machine.find(Wrong.NULL, call.location, message("A function is called through a pointer that points to none."))
    raise Ended(SEGMENTATION)


@service("__tilescope_no_class")
def call_of_nothing(machine: Machine, call: Call) -> None:
    """End the program where a virtual function is called of what is no object, or is one of a class that has no such function."""
    text = message("A virtual function is called of what no constructor has made an object.")
    machine.find(Wrong.NULL, call.location, text)
    raise Ended(SEGMENTATION)


@service("__tilescope_at")
def check_index(machine: Machine, call: Call) -> bool:
    """Say whether an index is beyond the end; end the program there, as the exception does, where no block catches."""
    index, size = call.given
    beyond = not 0 <= index < size
    if beyond and machine.kept.get("tries", 0) == 0:
        text = message("at({index}): the container has {size} elements; this throws std::out_of_range.", index=index, size=size)
        machine.find(Wrong.OUT_OF_BOUNDS, call.location, text)
        machine.out(2, b"terminate called after throwing an instance of 'std::out_of_range'\n")
        raise Ended(ABORTED)
    return beyond
