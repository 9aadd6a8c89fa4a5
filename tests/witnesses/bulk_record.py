"""Records what Nsight Compute counts of each way to move memory without a thread's registers waiting: copies and updates in bulk, and
`st.async` and `red.async`, between blocks of a cluster and to and from global memory.

    python -m tests.witnesses.bulk_record tests/golden/ncu_bulk_h200.json

Half a minute, on a machine with a GPU of compute capability 9.0, CuPy and `ncu`. Kept are the counters that are not 0, and of each machine
instruction on shared memory how often it was executed and how many wavefronts the profiler gives it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.witnesses.engines_record import METRICS
from tests.witnesses.ncu_record import BY_INSTRUCTION, KEPT_OPCODES, by_address, conditions, load

BYTES, BLOCKS = 1024, 2
"""What each block moves, and how many there are: one cluster."""
ROOT = Path(__file__).resolve().parents[2]
COUNTED = (*METRICS, *(f"smsp__inst_executed_op_{kind}.sum" for kind in ("shared_atom", "shared", "global_ld", "global_st", "global_red")))
_TX = "mbarrier::complete_tx::bytes"
_DONE = "cp.async.bulk.commit_group;\\n cp.async.bulk.wait_group 0;"
_THERE = '"r"(near(AT(to))), "r"(AT(from)), "r"(near(AT(&full)))'
_OF_LANE = '"r"(near(AT(to + 4 * t))), "r"(t), "r"(near(AT(&full)))'


def _for_one(order: str, operands: str) -> str:
    return f'if (t == 0) asm volatile("{order}" :: {operands} : "memory");'


MOVES: dict[str, tuple[int, str]] = {
    "nothing": (0, ""),
    "load": (BYTES, _for_one(
        f"cp.async.bulk.shared::cluster.global.{_TX} [%0], [%1], {BYTES}, [%2];", '"r"(AT(to)), "l"(in), "r"(AT(&full))')),
    "load for both": (BYTES, "if (rank() == 0) " + _for_one(
        f"cp.async.bulk.shared::cluster.global.{_TX}.multicast::cluster [%0], [%1], {BYTES}, [%2], %3;",
        '"r"(AT(to)), "l"(in), "r"(AT(&full)), "h"((unsigned short)3)')),
    "store": (0, _for_one(
        f"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], {BYTES};\\n {_DONE}", f'"l"(out + {BYTES} * rank()), "r"(AT(from))')),
    "update of global memory": (0, _for_one(
        f"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], {BYTES};\\n {_DONE}", '"l"(out), "r"(AT(from))')),
    "copy to the other block": (BYTES, _for_one(
        f"cp.async.bulk.shared::cluster.shared::cta.{_TX} [%0], [%1], {BYTES}, [%2];", _THERE)),
    "update in the other block": (BYTES, _for_one(
        f"cp.reduce.async.bulk.shared::cluster.shared::cta.{_TX}.add.u32 [%0], [%1], {BYTES}, [%2];", _THERE)),
    "st.async": (128, f'asm volatile("st.async.weak.shared::cluster.{_TX}.b32 [%0], %1, [%2];" :: {_OF_LANE} : "memory");'),
    "red.async": (128, f"""asm volatile("red.async.relaxed.cluster.shared::cluster.{_TX}.add.u32 [%0], %1, [%2];"
        :: {_OF_LANE} : "memory");"""),
}  # fmt: skip
"""By name how many bytes come to a block, on whose barrier it waits, and what its one warp does."""


def text(name: str) -> str:
    """`run(out, in)`, two blocks of a warp each, which fill what is moved before."""
    comes, move = MOVES[name]
    wait = """asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra L; }"
        :: "r"(AT(&full)) : "memory");"""
    return f"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define MEET asm volatile("barrier.cluster.arrive.aligned;\\nbarrier.cluster.wait.aligned;" ::: "memory")
__device__ unsigned rank() {{ unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }}
__device__ unsigned near(unsigned at) {{
    unsigned d; asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(at), "r"(rank() ^ 1)); return d;
}}
extern "C" __global__ void __cluster_dims__({BLOCKS}, 1, 1) run(char* out, const char* in)
{{
    __shared__ __align__(128) char from[{BYTES}], to[{BYTES}];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    for (int i = t; i < {BYTES // 4}; i += 32) {{ ((volatile unsigned*)from)[i] = i; ((volatile unsigned*)to)[i] = 0; }}
    if (t == 0) {{
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\\n fence.mbarrier_init.release.cluster;" :: "r"(AT(&full)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], {comes};" :: "r"(AT(&full)) : "memory");
    }}
    asm volatile("fence.proxy.async;" ::: "memory");
    MEET;
    {move}
    {wait if comes else ""}
    MEET;
}}
"""


def launch() -> None:
    """Launch each once: what the profiler watches."""
    import cupy
    import numpy as np

    from tests.witnesses.tensor_core_record import compiled

    for name in MOVES:
        arrays = cupy.zeros(BYTES * BLOCKS, np.int8), cupy.ones(BYTES, np.int8)
        compiled(text(name))((BLOCKS,), (32,), arrays)
        cupy.cuda.runtime.deviceSynchronize()


def kept(action: Any) -> dict[str, Any]:
    """What is recorded of a launch."""
    values = {name: action.metric_by_name(name) for name in COUNTED}
    columns = {name: by_address(action.metric_by_name(metric)) for name, metric in BY_INSTRUCTION.items()}
    rows = []
    for address, executed in sorted(columns["executed"].items()):
        opcode = next((part for part in action.sass_by_pc(address).split() if not part.startswith("@")), "")
        if executed and (opcode.startswith((*KEPT_OPCODES, "UBLK")) or columns["wavefronts"].get(address)):
            rows.append({"opcode": opcode, "executed": executed, "wavefronts": columns["wavefronts"].get(address, 0)})
    return {
        "counters": {name: int(each.as_double()) for name, each in values.items() if each is not None and each.as_double()},
        "instructions": rows,
    }


def main(out: Path) -> None:
    """Record all."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "profile.ncu-rep"
        metrics = ",".join((*COUNTED, *BY_INSTRUCTION.values()))
        options = ["ncu", "--clock-control", "none", "--kernel-name", "run", "--metrics", metrics, "--export", str(report)]
        command = [*options, sys.executable, "-m", "tests.witnesses.bulk_record", "--launch"]
        ran = subprocess.run(command, cwd=ROOT, check=False, timeout=60, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(ran.stdout[-1500:] + ran.stderr[-1500:])
        found = [kept(action) for action in load(report)]
    record = {"conditions": conditions(), "moves": dict(zip(MOVES, found, strict=True))}
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    launch() if sys.argv[1] == "--launch" else main(Path(sys.argv[1]))
