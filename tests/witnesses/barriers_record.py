"""Records what Nsight Compute counts of barriers in shared memory: of each `mbarrier` instruction by itself, 16 times, and of a rung.

    python -m tests.witnesses.barriers_record tests/golden/ncu_barriers_h200.json

A minute, on a machine with a GPU of compute capability 9.0, CuPy and `ncu`. Kept are the counters that are not 0, and of each machine
instruction on shared memory how often it was executed and how many wavefronts the profiler gives it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.witnesses.ncu_record import BY_INSTRUCTION, conditions, instructions, load

ROUNDS = 16
RUNG = "gpu.wgmma-bf16"
FAMILIES = (
    "l1tex__data_pipe_lsu_wavefronts_mem_shared", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared", "l1tex__lsuin_requests",
    "smsp__inst_executed_op_shared",
)  # fmt: skip
"""All counters whose names begin so: which of them count a barrier is asked, not assumed."""
OTHERS = (
    "l1tex__data_bank_reads", "l1tex__data_bank_writes", "l1tex__data_pipe_lsu_wavefronts", "smsp__inst_executed",
    "smsp__inst_executed_pipe_lsu",
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]
_WAIT = "{{.reg .pred p; mbarrier.{} p, [%1], {}; selp.u32 %0, 1, 0, p;}}"
INSTRUCTIONS = {
    "nothing": "mov.u32 %0, %1;",
    "init": "mbarrier.init.shared::cta.b64 [%1], 1000000; mov.u32 %0, 0;",
    "arrive": "mbarrier.arrive.shared::cta.b64 _, [%1]; mov.u32 %0, 0;",
    "arrive.expect_tx": "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], 16; mov.u32 %0, 0;",
    "test_wait false": _WAIT.format("test_wait.parity.shared::cta.b64", "0"),
    "try_wait true": _WAIT.format("try_wait.parity.shared::cta.b64", "1"),
    "try_wait false": _WAIT.format("try_wait.parity.shared::cta.b64", "0, 1000"),
    "atom": "atom.shared.exch.b32 %0, [%1], 0;",
}
"""By name: `%0` gets something, `%1` is the address. A barrier is in its first phase: of parity 1 its wait is over, of parity 0 not."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """Which lanes of a warp take part: the first `count`, each at a barrier `stride` bytes behind the one before."""

    name: str
    count: int
    stride: int

    def text(self, instruction: str) -> str:
        """`run(out, rounds)`, of one warp. Where all have one address, the compiler sees it."""
        at = f"AT(shared){f' + threadIdx.x * {self.stride}' * (self.stride > 0)}"
        return f"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
extern "C" __global__ void run(unsigned* out, int rounds)
{{
    __shared__ __align__(128) unsigned long long shared[512];
    unsigned at = {at}, sum = 0, found;
    if (threadIdx.x < {self.count if self.stride else 1})
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1000000;" :: "r"(at) : "memory");
    __syncwarp();
    if (threadIdx.x < {self.count}) {{
        #pragma unroll 1
        for (int i = 0; i < rounds; ++i) {{
            asm volatile("{INSTRUCTIONS[instruction]}" : "=r"(found) : "r"(at) : "memory");
            sum += found;
        }}
    }}
    out[threadIdx.x] = sum;
}}
"""


LANES = (
    Lanes("1 lane", 1, 0), Lanes("7 lanes, one barrier", 7, 0), Lanes("32 lanes, one barrier", 32, 0),
    Lanes("32 lanes, neighbouring barriers", 32, 8), Lanes("32 lanes, barriers in one bank", 32, 128),
)  # fmt: skip


def cases() -> list[tuple[str, Lanes]]:
    """What is launched, in order. A wait that is not over takes its time."""
    return [(instruction, lanes) for instruction in INSTRUCTIONS for lanes in LANES if instruction != "try_wait false" or lanes == LANES[2]]


def launch() -> None:
    """Launch each once: what the profiler watches."""
    import cupy
    import numpy as np

    from tests.witnesses.tensor_core_record import compiled

    out = cupy.zeros(32, np.uint32)
    for instruction, lanes in cases():
        compiled(lanes.text(instruction))((1,), (32,), (out, np.int32(ROUNDS)))
        cupy.cuda.runtime.deviceSynchronize()


def counters() -> list[str]:
    """Those of this GPU that are asked for."""
    listed = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, timeout=60, check=True).stdout.split()
    return sorted({name for name in listed if name.startswith(FAMILIES) or name in OTHERS})


def profiled(names: list[str], command: list[str], seconds: float) -> list[dict[str, Any]]:
    """The kernels that a program launches, in order."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "profile.ncu-rep"
        metrics = ",".join([*(f"{name}.sum" for name in names), *BY_INSTRUCTION.values()])
        options = ["--clock-control", "none", "--kernel-name", "regex:^(run|matmul_.*)$", "--metrics", metrics, "--export", str(report)]
        ran = subprocess.run(
            ["ncu", *options, sys.executable, *command], cwd=ROOT, check=False, timeout=seconds, capture_output=True, text=True
        )
        if ran.returncode:
            sys.exit(ran.stdout[-1500:] + ran.stderr[-1500:])
        return [_kept(action, names) for action in load(report)]


def _kept(action: Any, names: list[str]) -> dict[str, Any]:
    found = {name: action.metric_by_name(f"{name}.sum") for name in names}
    values = {name: int(metric.as_double()) for name, metric in found.items() if metric is not None}
    return {"kernel": action.name(), "counters": {name: value for name, value in values.items() if value},
            "instructions": instructions(action)}  # fmt: skip


def main(out: Path) -> None:
    """Record both, the single ones first, and write after each."""
    names = counters()
    single = profiled(names, ["-m", "tests.witnesses.barriers_record", "--launch"], 80)
    titles = [f"{instruction}: {lanes.name}" for instruction, lanes in cases()]
    record: dict[str, Any] = {"conditions": conditions(), "rounds": ROUNDS, "single": dict(zip(titles, single, strict=False))}
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    rung = ["packaging/recording/counters.py", "--launch", str(out.with_suffix(".outcomes")), RUNG]
    record["rung"] = profiled(names, rung, 50)
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(single)} of {len(titles)} launches, {len(record['rung'])} kernels of {RUNG}, {len(names)} counters\n")


if __name__ == "__main__":
    launch() if sys.argv[1] == "--launch" else main(Path(sys.argv[1]))
