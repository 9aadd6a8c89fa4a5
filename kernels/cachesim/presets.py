"""Hierarchies that can be chosen by name: this machine's, those of known processors, and a scaled one that small matrices fill."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from kernels.cachesim.geometry import Hierarchy, Level, parse_level, parse_levels
from kernels.cachesim.machine import machine_levels
from kernels.messages import Message, message

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
