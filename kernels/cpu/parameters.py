"""The parameters that several CPU variants share."""

from __future__ import annotations

import os

from kernels.cpu.schedules import NAMES
from kernels.messages import message
from kernels.spec import Parameter

_CORES = os.cpu_count() or 1

TILE = Parameter("tile", message("Tile size"), default=64, minimum=1, maximum=4096, stops=(4, 8, 16, 32, 64, 128, 256, 512))
THREADS = Parameter("threads", message("Threads"), default=_CORES, minimum=1, maximum=_CORES, stops=tuple(range(1, _CORES + 1)))
SCHEDULE = Parameter("schedule", message("Schedule"), default=1, minimum=0, maximum=2, stops=(0, 1, 2), names=NAMES)
CHUNK = Parameter("chunk", message("Chunk size"), default=0, minimum=0, maximum=65536, stops=(0, 1, 2, 4, 8, 16, 32, 64, 128, 256))
"""Iterations that a thread takes at a time; 0 leaves that to the schedule."""
