"""Records what Nsight Compute counts of engines that access memory themselves: of wgmma, of copies by tensor maps, of rungs that use them,
and of bulk copies of stretches of memory.

    python -m tests.witnesses.engines_record tests/golden/ncu_engines_h200.json
    python -m tests.witnesses.engines_record tests/golden/ncu_stretches_h100.json stretches

Half a minute, on a machine with a GPU of compute capability 9.0, CuPy and `ncu`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from app.core.predictions.ncu_csv import read_ncu
from kernels.base.messages import Message
from tests.witnesses.copies_record import copied
from tests.witnesses.copies_texts import Box, boxes, stretch_text, stretches
from tests.witnesses.ncu_record import conditions
from tests.witnesses.tensor_core_record import compiled, drawn, executed
from tests.witnesses.tensor_core_texts import WGMMA

_SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
METRICS = tuple(f"{name}.sum" for name in (
    _SHARED, *(f"{_SHARED}_{kind}" for kind in ("cmd_read", "cmd_write", "op_ld", "op_st", "op_gmma", "op_misc")),
    *(f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{kind}" for kind in ("gmma", "ld", "st", "ldgsts", "misc")),
    "l1tex__data_bank_reads", "l1tex__data_bank_writes", "l1tex__lsuin_requests_op_gmma",
    "l1tex__m_xbar2l1tex_read_sectors", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld",
    "l1tex__m_xbar2l1tex_read_sectors_pipe_tma",
    "l1tex__m_l1tex2xbar_write_sectors", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access", "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "lts__t_sectors_op_read", "lts__t_sectors_op_write", "smsp__inst_executed_op_shared_ld", "smsp__inst_executed_op_shared_st",
    "smsp__inst_executed",
))  # fmt: skip
READ, WRITTEN = (
    f"l1tex__m_{way}.sum" for way in ("xbar2l1tex_read_sectors_mem_global_op_tma_ld", "l1tex2xbar_write_sectors_mem_global_op_tma_st")
)
RUNGS = (
    "gpu.wgmma-bf16", "gpu.three-parts", "gpu.mma-bf16", "gpu.mma-padded-bf16", "gpu.mma-swizzled-bf16",
    "gpu.mma-tf32", "gpu.mma-padded-tf32", "gpu.mma-swizzled-tf32", "gpu.wmma-bf16", "gpu.wmma-tf32",
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]


def some_boxes() -> list[Box]:
    """The first of those that a GPU takes."""
    return [box for box in boxes() if box.number % 8 != 7][:60]


def names() -> list[str]:
    """What is launched besides the rungs, in order: one warpgroup, or one copy."""
    return [each.name for each in WGMMA] + [f"box {each.number}" for each in some_boxes()]


def launch() -> None:
    """Launch each once: what the profiler watches."""
    for instruction in WGMMA:
        executed(instruction, *(each[:1] for each in drawn(instruction, "near", 4)))
    for box in some_boxes():
        copied(box)


def launch_stretches() -> None:
    """Launch each copy of a stretch of memory once."""
    import cupy

    kernels = {store: compiled(stretch_text(store)) for store in (False, True)}
    for each in stretches():
        place = np.int32(each.at), np.int32(each.to), np.int32(each.size)
        kernels[each.store]((1,), (32,), (cupy.zeros(2048, np.uint8), cupy.zeros(2048, np.uint8), *place))
    cupy.cuda.runtime.deviceSynchronize()


def profiled(command: list[str]) -> list[dict[str, Any]]:
    """The kernels of a program, in order."""
    options = ["ncu", "--clock-control", "none", "--metrics", ",".join(METRICS), "--csv", "--page", "raw", "--print-units", "base"]
    ran = subprocess.run([*options, sys.executable, *command], capture_output=True, text=True, check=False, cwd=ROOT, timeout=100)
    text = ran.stdout[ran.stdout.find('"ID"') :] if '"ID"' in ran.stdout else ran.stdout + ran.stderr
    found = read_ncu(text)
    if isinstance(found, Message):
        return [{"failed": f"{found}\n{ran.stdout[:800]}\n{ran.stderr[-800:]}"}]
    return [{"kernel": each.name} | {key: int(value) for key, value in each.metrics.items() if key in METRICS and value} for each in found]


def record_stretches(out: Path) -> None:
    """Record the sectors that each copy of a stretch moves."""
    found = profiled(["-m", "tests.witnesses.engines_record", "--launch", "stretches"])
    copies = {one.name: other.get(WRITTEN if one.store else READ, other) for one, other in zip(stretches(), found, strict=False)}
    out.write_text(json.dumps({"conditions": conditions(), "copies": copies}, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(found)} of {len(stretches())} copies\n")


def main(out: Path) -> None:
    """Record both, and what could not be."""
    rungs = profiled(["packaging/recording/counters.py", "--launch", str(out.with_suffix(".outcomes")), *RUNGS])
    single = profiled(["-m", "tests.witnesses.engines_record", "--launch"])
    record = {"conditions": conditions(), "names": names(), "single": single, "rungs": rungs}
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(single)} of {len(names())} launches, {len(rungs)} kernels of rungs\n")


if __name__ == "__main__":
    np.seterr(all="ignore")
    short = sys.argv[2:] == ["stretches"]
    if sys.argv[1] == "--launch":
        launch_stretches() if short else launch()
    else:
        (record_stretches if short else main)(Path(sys.argv[1]))
