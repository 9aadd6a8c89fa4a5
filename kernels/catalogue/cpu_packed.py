"""The multiplications from packed panels, on one core, on all, and in matrix registers."""

from __future__ import annotations

from dataclasses import replace

from kernels.base.machine_conditions import cache_sizes, has_avx512, usable_cores
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Needs, Operation, Parameter, Parameters, Variant
from kernels.catalogue.cpu_parameters import CHUNK, SCHEDULE
from kernels.catalogue.gpu_tensor_cores import BF16
from kernels.cpu.teams import GUIDED

_CORES = usable_cores()
_MEBIBYTE = 1 << 20


def default_panels(sizes: dict[str, int], deepest: int) -> tuple[int, int, int]:
    """mc, kc and nc for a processor with caches of these sizes: at most a quarter of L2 for a block of A, an eighth of L3 for a panel of B.

    Both caches have other work at the same time, that of other programs included. kc is as long as that leaves room for: a register tile
    is added to C once in kc steps. More than `deepest` steps of a strip of B do not stay near (AVX2, n = 2048: 0.76 of NumPy with 1024
    steps, 1.03 with 512).
    """
    l2, l3 = sizes.get("l2_bytes", _MEBIBYTE // 2), sizes.get("l3_bytes", 8 * _MEBIBYTE)
    kc = min(max(l2 // 1024 // 256 * 256, 256), deepest)
    row_bytes = FLOAT32_BYTES * kc
    mc = max(l2 // 4 // row_bytes // 12 * 12, 24)
    nc = min(max(l3 // 8 // row_bytes // 64 * 64, 512), 4096)
    return mc, kc, nc


_MC, _KC, _NC = default_panels(cache_sizes(), deepest=1024 if has_avx512() else 512)


def _offered(default: int, *stops: int) -> tuple[int, ...]:
    """Stops with the default among them."""
    return tuple(sorted({default, *stops}))


MC = Parameter(
    "mc",
    message("Rows of a block of A"),
    default=_MC,
    minimum=1,
    maximum=8192,
    small=8,
    stops=_offered(_MC, 8, 24, 60, 96, 192, 240, 480, 960),
)
KC = Parameter(
    "kc",
    message("Depth of the panels"),
    default=_KC,
    minimum=1,
    maximum=8192,
    small=8,
    stops=_offered(_KC, 8, 32, 64, 128, 256, 384, 512, 1024),
)
NC = Parameter(
    "nc",
    message("Columns of a panel of B"),
    default=_NC,
    minimum=1,
    maximum=65536,
    small=16,
    stops=_offered(_NC, 16, 64, 256, 512, 1024, 2048, 4096),
)
MR = Parameter("mr", message("Rows of a register tile"), default=0, minimum=0, maximum=32, stops=(0, 2, 4, 6, 8, 12, 14, 16), small=4)
NR = Parameter("nr", message("Columns of a register tile"), default=0, minimum=0, maximum=64, stops=(0, 4, 8, 16, 32, 48, 64), small=8)
TEAM_THREADS = Parameter("threads", message("Threads"), default=_CORES, minimum=1, maximum=256, stops=_offered(_CORES, 1, 2, 4, 8, 16, 32))

TEAM_SCHEDULE = replace(SCHEDULE, default=GUIDED)
"""Cores are rarely all as fast as each other: another program, or another machine on the host, takes a part of some. Equal parts would
wait for the slowest (16 cores, n = 512 to 2048: 0.80 to 0.97 of NumPy with static, 1.14 to 1.20 with guided)."""


def _refuse_register_tile(parameters: Parameters) -> Message | None:
    """Rows of a register tile are whole vectors."""
    nr = parameters["nr"]
    if nr & (nr - 1) and nr % 16:
        return message(
            "{name} must be a power of two or a multiple of 16, not {value}: rows of a register tile are whole vectors.",
            name="nr", value=nr,
        )  # fmt: skip
    return None


PACKED_MULTIPLICATIONS: tuple[Variant, ...] = (
    Variant(
        "cpu.packed", Operation.MATMUL, Device.CPU,
        message("Packed panels"),
        message(
            "A small tile of C stays in vector registers during the whole inner loop, "
            "and A and B are copied into the order in which it reads them."
        ),
        source="cpu/matmul_packed.py", entry="multiply", parameters=(MC, KC, NC, MR, NR), constraint=_refuse_register_tile,
        features=frozenset({"tile", "registers", "packing", "vectorised"}),
    ),
    Variant(
        "cpu.parallel-private", Operation.MATMUL, Device.CPU,
        message("Threads, private copies"),
        message("The threads share out k, and each adds to a copy of C of its own; afterwards the copies are added up."),
        source="cpu/matmul_parallel_private.py", entry="multiply", parameters=(TEAM_THREADS, SCHEDULE, CHUNK, MC),
        features=frozenset({"threads", "tile", "registers", "packing", "vectorised"}),
    ),
    Variant(
        "cpu.parallel", Operation.MATMUL, Device.CPU,
        message("Multi-threaded"),
        message("The threads pack B together and then share out the rows of C; the schedule decides who gets which."),
        source="cpu/matmul_parallel.py", entry="multiply", parameters=(TEAM_THREADS, TEAM_SCHEDULE, CHUNK, MC, KC),
        features=frozenset({"threads", "tile", "registers", "packing", "vectorised"}),
    ),
    Variant(
        "cpu.amx", Operation.MATMUL, Device.CPU,
        message("Matrix registers, bfloat16"),
        message("One instruction (AMX) multiplies two small matrices in registers; A and B are rounded to bfloat16 as they are packed."),
        source="cpu/matmul_amx.py", entry="multiply", parameters=(MC, KC, NC),
        features=frozenset({"tile", "matrix registers", "packing"}), precision=BF16, needs=Needs(matrix_registers=True),
    ),
)  # fmt: skip
