"""Cache hierarchies by name: this machine's as its system tells it, known processors, and one that small matrices fill."""

from __future__ import annotations

import struct
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from kernels.base.messages import Message, message
from kernels.cachesim.geometry import Hierarchy, Level, parse_level, parse_levels, refuse_level

_SYSFS = Path("/sys/devices/system/cpu/cpu0/cache")
_SYSCTL = "/usr/sbin/sysctl"
_ASSUMED_WAYS = 8
"""Where the system tells the size of a cache but not its ways."""
_RECORD = struct.Struct("=QIxxxxBBHII4x")
"""Windows' SYSTEM_LOGICAL_PROCESSOR_INFORMATION for a cache: mask, relationship, level, ways, line, size, type."""
_IS_CACHE, _INSTRUCTIONS = 2, 1

Described = tuple[int, int, int, int]
"""A level's number, size, ways and line."""


def machine_levels() -> tuple[Level, ...]:
    """The data caches of the first core, the nearest first; none where the system does not tell."""
    try:
        if sys.platform == "win32":
            return _levels(from_windows(_windows_records()))
        if sys.platform == "darwin":
            return _levels(from_sysctl(_sysctl()))
        return _levels(from_sysfs(_SYSFS))
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()


def from_sysfs(folder: Path) -> Iterator[Described]:
    """Yield the caches that Linux tells of in files."""
    for index in sorted(folder.glob("index*")):
        try:
            if (index / "type").read_text().strip() != "Instruction":
                level, ways, line = (int((index / name).read_text()) for name in ("level", "ways_of_associativity", "coherency_line_size"))
                yield level, int((index / "size").read_text().strip().removesuffix("K")) * 1024, ways or _ASSUMED_WAYS, line
        except (OSError, ValueError):
            continue


def from_sysctl(told: Mapping[str, int]) -> Iterator[Described]:
    """What macOS tells: of the fast cores where there are two kinds, without ways on Apple's processors."""
    line = told.get("hw.cachelinesize", 0)
    for level, name in ((1, "l1dcachesize"), (2, "l2cachesize"), (3, "l3cachesize")):
        size = told.get(f"hw.perflevel0.{name}") or told.get(f"hw.{name}", 0)
        if size and line:
            yield level, size, told.get(f"machdep.cpu.cache.L{level}_associativity") or _ASSUMED_WAYS, line


def from_windows(records: bytes) -> Iterator[Described]:
    """What Windows tells of its logical processors: the first cache of each level."""
    seen: set[int] = set()
    for _mask, relation, level, ways, line, size, kind in _RECORD.iter_unpack(records[: len(records) // _RECORD.size * _RECORD.size]):
        if relation == _IS_CACHE and kind != _INSTRUCTIONS and level not in seen:
            seen.add(level)
            yield level, size, size // line if ways == 0xFF else ways, line


def _levels(described: Iterable[Described]) -> tuple[Level, ...]:
    levels = [Level(f"L{number}", size, ways, line) for number, size, ways, line in sorted(described) if size and ways and line]
    return tuple(level for level in levels if refuse_level("", level) is None)


def _sysctl() -> dict[str, int]:
    answer = subprocess.run([_SYSCTL, "hw", "machdep.cpu"], capture_output=True, text=True, timeout=5, check=False).stdout
    pairs = (line.partition(": ") for line in answer.splitlines())
    return {name: int(value) for name, _, value in pairs if value.isdigit()}


def _windows_records() -> bytes:
    import ctypes

    length = ctypes.c_uint32(0)
    ask = ctypes.windll.kernel32.GetLogicalProcessorInformation  # type: ignore[attr-defined,unused-ignore]
    ask(None, ctypes.byref(length))
    buffer = ctypes.create_string_buffer(length.value)
    return buffer.raw if ask(buffer, ctypes.byref(length)) else b""


MACHINE, SCALED = "machine", "scaled"
_FOLDER = files("resources").joinpath("caches")
_PROCESSORS = tuple(sorted(entry.name.removesuffix(".toml") for entry in _FOLDER.iterdir() if entry.name.endswith(".toml")))
PRESETS = (MACHINE, SCALED, *_PROCESSORS)
"""The names of all presets. Each processor's caches are a file in `resources/caches`, with the source of its numbers."""

TYPICAL = (Level("L1", 32 << 10, 8, 64), Level("L2", 1 << 20, 16, 64), Level("L3", 32 << 20, 16, 64))
_PAGE = 4096
_TYPICAL_TLB = Level("TLB", 64 * _PAGE, 4, _PAGE)


def preset(name: str) -> Hierarchy:
    """The hierarchy with one of the names of `PRESETS`. Raises KeyError for another."""
    if name == MACHINE:
        return _machine()
    if name == SCALED:
        return _scaled()
    if name not in _PROCESSORS:
        raise KeyError(name)
    text = tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    levels, tlb = parse_levels(name, text["levels"]), parse_level(name, text["tlb"])
    assert not isinstance(levels, Message), str(levels)
    assert not isinstance(tlb, Message), str(tlb)
    note = message("The caches of {processor}, with LRU where it is not published which line they replace.", processor=text["name"])
    return Hierarchy(name, levels, tlb, note)


def _machine() -> Hierarchy:
    levels = machine_levels()
    if levels:
        note = message("The caches of this machine as its system describes them, with LRU, and a TLB of {entries} pages.", entries=64)
        return Hierarchy(MACHINE, levels, _TYPICAL_TLB, note)
    return Hierarchy(MACHINE, TYPICAL, _TYPICAL_TLB, message("The system does not describe its caches: these are typical ones."))


def _scaled() -> Hierarchy:
    levels = Level("L1", 1 << 10, 4, 64), Level("L2", 8 << 10, 8, 64)
    note = message("Scaled: far smaller than real caches, so that small matrices show what large ones do in those.")
    return Hierarchy(SCALED, levels, Level("TLB", 8 * 256, 4, 256), note)
