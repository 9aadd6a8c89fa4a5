"""When two times are called different, and how numbers are told in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.messages import Message
from kernels.spec import FLOAT32_BYTES, Device

Facts = dict[str, str | int | float | Message]
"""Arguments that several sentences have in common."""

MIB = 1 << 20
KIB = 1 << 10
CLEARLY = 1.15
"""Two medians this far apart are called different, unless the middle halves of their samples overlap."""
LEVEL = 1.05
"""Two medians this near to each other are called the same, where both are sharp."""
BOUNDS: Mapping[Device, tuple[float, float]] = {Device.GPU: (1.03, 1.03)}
"""`CLEARLY` and `LEVEL` of devices that no other program disturbs: events on a GPU take the time of the kernel alone."""
SHARP = 0.1
"""The most that the interquartile range of a sharp measurement is of its median."""

OUTERMOST = "l3_bytes"
"""The condition that has the size of the outermost cache."""


def matrix_mib(n: int, matrices: int = 1) -> str:
    """What so many n x n matrices take, in MiB."""
    return bytes_mib(matrices * n * n * FLOAT32_BYTES)


def bytes_mib(count: int) -> str:
    """Bytes in MiB."""
    return f"{count / MIB:.3g}"


def figure(ratio: float) -> str:
    """A ratio as it is told: whole from 10 on, with one decimal below, two where it is nearly 1."""
    if ratio >= 9.95:
        return f"{ratio:.0f}"
    return f"{ratio:.1f}" if ratio >= 1.25 else f"{ratio:.2f}"
