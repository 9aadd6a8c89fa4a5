"""The parameters that several CPU variants share."""

from __future__ import annotations

from kernels.base.machine_conditions import usable_cores
from kernels.base.messages import Message, message
from kernels.base.spec import Parameter, Parameters
from kernels.cpu.teams import NAMES
from kernels.cpu.vector_width import lanes_of_this_processor

_CORES = usable_cores()

TILE = Parameter("tile", message("Tile size"), default=64, minimum=1, maximum=4096, stops=(4, 8, 16, 32, 64, 128, 256, 512), small=8)
THREADS = Parameter("threads", message("Threads"), default=_CORES, minimum=1, maximum=_CORES, stops=tuple(range(1, _CORES + 1)))
SCHEDULE = Parameter("schedule", message("Schedule"), default=0, minimum=0, maximum=2, stops=(0, 1, 2), names=NAMES)
CHUNK = Parameter("chunk", message("Chunk size"), default=0, minimum=0, maximum=65536, stops=(0, 1, 2, 4, 8, 16, 32, 64, 128, 256))
"""Iterations that a thread takes at a time; 0 leaves that to the schedule."""

ORDER = Parameter(
    "order", message("Loop order"), default=1, minimum=0, maximum=5, stops=tuple(range(6)), names=("ijk", "ikj", "jik", "jki", "kij", "kji")
)
"""From the outermost loop to the innermost."""
CACHE_TILE = Parameter(
    "tile", message("Tile size"), default=128, minimum=1, maximum=4096, stops=(8, 16, 32, 64, 128, 256, 512, 1024), small=8
)  # fmt: skip
LANES = Parameter("lanes", message("Lanes of a vector"), default=0, minimum=0, maximum=16, stops=(0, 4, 8, 16))
"""Floats in a vector register; 0: as many as this processor's widest has."""
SWITCH = ("off", "on")
CONTIGUOUS = Parameter("contiguous", message("Contiguous rows"), default=1, minimum=0, maximum=1, stops=(0, 1), names=SWITCH)
FASTMATH = Parameter("fastmath", message("Sums in any order"), default=1, minimum=0, maximum=1, stops=(0, 1), names=SWITCH)
BOUNDSCHECK = Parameter("boundscheck", message("Bounds checks"), default=0, minimum=0, maximum=1, stops=(0, 1), names=SWITCH)


def refuse_lanes(parameters: Parameters) -> Message | None:
    """The reason why vectors cannot have so many lanes on this processor, or None."""
    lanes = parameters["lanes"]
    if not lanes:
        return None
    if lanes not in LANES.stops:
        return message("{name} must be 4, 8 or 16, or 0 for the most that this processor has, not {value}.", name="lanes", value=lanes)
    widest = lanes_of_this_processor()
    if lanes > widest:
        return message(
            "{name} must be at most {widest}, not {value}: no vector register of this processor is wider.",
            name="lanes", widest=widest, value=lanes,
        )  # fmt: skip
    return None
