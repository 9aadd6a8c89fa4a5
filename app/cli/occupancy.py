"""`tilescope occupancy`: how many blocks of a launch are resident on a streaming multiprocessor, and what limits them."""

from __future__ import annotations

import argparse

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept
from app.cli.base.parser import Group
from app.core.base.parsing import shown, whole_number
from kernels.analysis.occupancy import Occupancy, occupancy
from kernels.base.architectures import REGISTERS_PER_THREAD, THREADS_PER_BLOCK
from kernels.base.messages import Message, message

LARGEST_SHARED = 1 << 20
"""The most bytes that are taken for meant; what a GPU allows is less."""
_LIMITERS = {
    "warps": message("warps"),
    "blocks": message("blocks"),
    "registers": message("registers"),
    "shared memory": message("shared memory"),
}


def add_options(group: Group) -> None:
    """Add a launch by its numbers."""
    group.option("--cc", "X.Y", message("the GPU's compute capability"), required=True)
    group.option("--threads", "THREADS", message("threads in a block"), required=True)
    group.option("--registers", "REGISTERS", message("registers of a thread"), required=True)
    group.option("--shared", "BYTES", message("shared memory of a block, static and dynamic"), default="0")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the occupancy; a block that is too large for the SM is a result of 0 blocks, with the reason on standard error."""
    found = occupancy(
        shown(options.cc),
        accept(whole_number("--threads", options.threads, 1, THREADS_PER_BLOCK)),
        accept(whole_number("--registers", options.registers, 1, REGISTERS_PER_THREAD)),
        accept(whole_number("--shared", options.shared, 0, LARGEST_SHARED)),
    )
    if found.refusal is not None and not found.limits:
        raise Refused(found.refusal)
    if options.json:
        console.print_json(_entry(found))
    else:
        _print(found, console)
    if found.refusal is not None:
        console.tell(console.text(found.refusal))
    return 0


def _entry(found: Occupancy) -> dict[str, object]:
    return {
        "blocks_per_sm": found.blocks_per_sm,
        "warps_per_sm": found.warps_per_sm,
        "occupancy": found.occupancy,
        "limiters": list(found.limiters),
    }


def _print(found: Occupancy, console: Console) -> None:
    limiters = ", ".join(console.text(_LIMITERS[name]) for name in found.limiters)
    lines: list[tuple[Message, str]] = [
        (message("Blocks per SM"), console.translator.number(found.blocks_per_sm)),
        (message("Warps per SM"), console.translator.number(found.warps_per_sm)),
        (message("Occupancy"), console.text(message("{percent} %", percent=round(100 * found.occupancy, 1)))),
        (message("Limited by"), limiters),
    ]
    console.print_rows([(console.text(name), value) for name, value in lines])
