"""Blocks of a kernel, one after the other: what goes around the code of a thread, made into machine code of this process."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from kernels.simt.host.arena import Layout
from kernels.simt.host.module import machine_code
from kernels.simt.host.places import Shared
from kernels.simt.host.thread_code import FELL_OFF, IN_WARP, ThreadCode
from kernels.simt.host.threads import FIELD, MANY, Plan

LAST_EPOCH = 0xE0000000
"""Tags are numbers of 32 bits: where an interval begins beyond this, they are counted anew before the next block."""
DIVERGED = 6
"""What a core says where threads of a block wait at different barriers, or not all of them."""
_NOWHERE = Layout(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class BlockCode:
    """Code of a kernel: `run(core, first, count)` executes blocks, and gives how many were begun. `plan` is what it was made for."""

    run: Any
    plan: Plan
    engine: Any


def compile_blocks(plan: Plan) -> BlockCode:
    """Compile a kernel. Raises NotCompiled."""
    shared = Shared(_NOWHERE, {}, 0, 0)
    plan.look()
    thread = ThreadCode(shared, plan)
    text = thread.text()
    told = "\n".join(shared.outside.values())
    parts = (_text("accesses"), told, text, _text("run"), _text("waiting" if plan.waits else "straight"))
    sizes = {
        "THREADS": plan.threads, "MANY": plan.threads + MANY, "STRIDE": thread.stride, "UNIT": plan.unit.bit_length() - 1,
        "LAST": LAST_EPOCH, "FELL_OFF": FELL_OFF, "DIVERGED": DIVERGED, "IN_WARP": IN_WARP, "WIDE": plan.block[0], "HIGH": plan.block[1],
    }  # fmt: skip
    whole = "\n".join(parts)
    for name, value in sizes.items():
        whole = whole.replace(f"${name}$", str(value))
    for name, number in FIELD.items():
        whole = whole.replace(f"#{name}#", f"getelementptr i64, ptr %core, i64 {number}")
    engine = machine_code(whole, here=True)
    run_at = engine.get_function_address("run")
    return BlockCode(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(run_at), plan, engine)


def _text(name: str) -> str:
    return files("kernels.simt.host").joinpath("llvm", f"{name}.ll").read_text(encoding="utf-8")
