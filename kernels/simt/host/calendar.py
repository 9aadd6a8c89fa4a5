"""Dates of host programs: a time taken apart, put together again, and written as the C library writes it."""

from __future__ import annotations

import calendar
import struct
import time

from kernels.simt.host.c_library import service
from kernels.simt.host.machine import Call, Machine

FIELDS = 9
"""Of `struct tm`, from tm_sec to tm_isdst, each an int."""
FIRST_YEAR = 1900


@service("__tilescope_calendar")
def take_apart(machine: Machine, call: Call) -> None:
    """Make date and hour of seconds since 1970, here or at Greenwich."""
    seconds, address, local = call.given
    _put(machine, address, (time.localtime if local else time.gmtime)(seconds), call)


@service("mktime", "timegm")
def put_together(machine: Machine, call: Call) -> int:
    """Make seconds since 1970 of a date, whose fields may be beyond their range: they are brought into it."""
    second, minute, hour, day, month, year, _, _, summer = _fields(machine, call.given[0], call)
    year, month = year + month // 12, month % 12
    date = (year + FIRST_YEAR, month + 1, day, hour, minute, second, 0, 0, summer)
    local = call.name == "mktime"
    seconds = int(time.mktime(date)) if local else calendar.timegm(date)
    _put(machine, call.given[0], (time.localtime if local else time.gmtime)(seconds), call)
    return seconds


@service("strftime")
def write(machine: Machine, call: Call) -> int:
    """Write a date; nothing where there is no room for it."""
    into, room, form, address = call.given
    second, minute, hour, day, month, year, weekday, day_of_year, summer = _fields(machine, address, call)
    date = (year + FIRST_YEAR, month + 1, day, hour, minute, second, (weekday - 1) % 7, day_of_year + 1, summer)
    text = time.strftime(machine.text(form, call).decode("latin-1"), date).encode("latin-1", "replace")
    if len(text) >= room:
        return 0
    machine.put(into, text + b"\0", call)
    return len(text)


def _fields(machine: Machine, address: int, call: Call) -> tuple[int, ...]:
    machine.reach(address, 4 * FIELDS, call)
    return struct.unpack(f"<{FIELDS}i", machine.arena.view(address, 4 * FIELDS).tobytes())


def _put(machine: Machine, address: int, date: time.struct_time, call: Call) -> None:
    given = (
        date.tm_sec, date.tm_min, date.tm_hour, date.tm_mday, date.tm_mon - 1, date.tm_year - FIRST_YEAR,
        (date.tm_wday + 1) % 7, date.tm_yday - 1, date.tm_isdst,
    )  # fmt: skip
    machine.put(address, struct.pack(f"<{FIELDS}i", *given), call)
