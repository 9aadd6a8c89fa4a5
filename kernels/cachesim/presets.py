"""Hierarchies that can be chosen by name: this machine's, those of known processors, and a scaled one that small matrices fill."""

from __future__ import annotations

from kernels.cachesim.geometry import Hierarchy, Level

MACHINE, SCALED = "machine", "scaled"
PRESETS = (MACHINE, SCALED)


def preset(name: str) -> Hierarchy:
    return Hierarchy(
        name, (Level("L1", 32768, 8, 64), Level("L2", 1048576, 16, 64), Level("L3", 33554432, 16, 64)), Level("TLB", 64 * 4096, 4, 4096)
    )
