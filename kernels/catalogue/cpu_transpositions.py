"""The transpositions of the CPU ladder, in teaching order."""

from __future__ import annotations

from dataclasses import replace

from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue.cpu_packed import TEAM_THREADS
from kernels.catalogue.cpu_parameters import CHUNK, SCHEDULE, TILE

_WAYS = replace(TILE, default=8)
"""Lines of one set that a cache holds: no more rows of a tile stay where a row is a power of two long."""
_TURNED = replace(TILE, small=16)
"""On the stage too a tile holds a block that is turned in registers, however many lanes these have."""
_WIDE = replace(_TURNED, default=128)

CPU_TRANSPOSITIONS: tuple[Variant, ...] = (
    Variant(
        "cpu.transpose-naive", Operation.TRANSPOSE, Device.CPU,
        message("Naive"),
        message("Reads along rows, writes down columns: each write touches another cache line."),
        source="cpu/transpose_naive.py", entry="transpose", features=frozenset({"loop nest"}),
    ),
    Variant(
        "cpu.transpose-blocked", Operation.TRANSPOSE, Device.CPU,
        message("Blocked"),
        message("Tile by tile, so that the cache lines of a tile's rows and columns are all used before they leave the cache."),
        source="cpu/transpose_blocked.py", entry="transpose", parameters=(_WAYS,), features=frozenset({"tile"}),
    ),
    Variant(
        "cpu.transpose-cache-oblivious", Operation.TRANSPOSE, Device.CPU,
        message("Cache-oblivious"),
        message("The longer side is halved again and again: some of the parts fit into every cache, whatever its size."),
        source="cpu/transpose_cache_oblivious.py", entry="transpose", parameters=(_WAYS,), features=frozenset({"recursion"}),
    ),
    Variant(
        "cpu.transpose-simd", Operation.TRANSPOSE, Device.CPU,
        message("Turned in registers"),
        message("Blocks of whole cache lines are turned by shuffles between vector registers: each line is read or written once."),
        source="cpu/transpose_simd.py", entry="transpose", parameters=(_WIDE,),
        features=frozenset({"tile", "registers", "vectorised"}),
    ),
    Variant(
        "cpu.transpose-streaming", Operation.TRANSPOSE, Device.CPU,
        message("Streaming stores"),
        message("Whole lines of C are written past the caches, so that C is not fetched from memory only to be overwritten."),
        source="cpu/transpose_streaming.py", entry="transpose", parameters=(_TURNED,), features=frozenset({"registers", "vectorised"}),
    ),
    Variant(
        "cpu.transpose-triangle", Operation.TRANSPOSE, Device.CPU,
        message("Threads, pairs of tiles"),
        message(
            "Each iteration moves the tiles from the diagonal on, and their mirror images: "
            "the first has most to do, the last next to nothing."
        ),
        source="cpu/transpose_triangle.py", entry="transpose", parameters=(_TURNED, TEAM_THREADS, SCHEDULE, CHUNK),
        features=frozenset({"threads", "tile", "registers", "vectorised"}),
    ),
    Variant(
        "cpu.transpose-parallel", Operation.TRANSPOSE, Device.CPU,
        message("Threads, strips"),
        message("Strips of equal length, written past the caches by all cores, until the way to memory is busy."),
        source="cpu/transpose_parallel.py", entry="transpose", parameters=(_TURNED, TEAM_THREADS, SCHEDULE, CHUNK),
        features=frozenset({"threads", "registers", "vectorised"}),
    ),
    Variant(
        "cpu.transpose-parallel-cached", Operation.TRANSPOSE, Device.CPU,
        message("Threads, rows of C"),
        message("Each thread fills rows of C of its own, which stay in the caches of its core: ahead as long as A and C fit into them."),
        source="cpu/transpose_parallel_cached.py", entry="transpose", parameters=(_TURNED, TEAM_THREADS, SCHEDULE, CHUNK),
        features=frozenset({"threads", "registers", "vectorised"}),
    ),
)  # fmt: skip
