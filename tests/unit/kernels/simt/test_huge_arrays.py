"""A block of a launch whose arrays take gigabytes costs what the block touches: nothing is made, copied or looked through as a whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.races import races
from kernels.simt.base.launch import MIB, Budget, Fill, Filled, Keep
from kernels.simt.trace.contents import UNDEFINED, WRITTEN, Contents
from tests.launches.simt_launch import launch

ROOT = Path(__file__).parents[4]
SCRIPT = """
from pathlib import Path
import numpy as np
from kernels.analysis.counts import counts
from kernels.analysis.findings import findings
from kernels.simt.trace.contents import WRITTEN, Contents
from kernels.simt.run.execution import execute
from kernels.simt.frontend.parse import parse
from kernels.simt.base.launch import Budget, Fill, Filled, Keep, LaunchRequest
from kernels.simt.lower import lower

def most_mib():
    line = next(each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith("VmHWM"))
    return int(line.split()[1]) / 1024

n, tile = 16384, 32
text = f"#define TILE {tile}\\n" + (Path("kernels") / "gpu" / "matmul_tiled.cu").read_text(encoding="utf-8")
kernel = lower(parse(text), "matmul_tiled")
before = most_mib()
zeros = Filled(n * n, Fill.ZEROS)
arguments = {"A": zeros, "B": zeros, "C": Filled(n * n), "M": n, "N": n, "K": n}
last = (n // tile) ** 2 - 1
request = LaunchRequest(
    (n // tile, n // tile, 1), (tile, tile, 1), arguments, blocks=(0, last), keep=Keep.HISTORY, budget=Budget(120, bytes=4 << 30)
)
trace = execute(kernel, request)
assert findings(trace) == () and counts(trace).totals.global_store_requests == 2 * tile
contents = Contents(trace)
corner = (np.arange(tile)[:, None] + n - tile) * n + np.arange(n - tile, n)
assert (contents.window(2, corner, contents.end).state == WRITTEN).all()
print(most_mib() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks the system for the most memory that was taken")
def test_two_blocks_of_a_product_of_gigabytes_take_little_memory() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("MALLOC_PERTURB_", None)  # with it glibc writes to all that it hands out, zeros that nobody has touched too
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 300


def test_races_are_found_between_distant_places_of_a_large_array() -> None:
    text = "__global__ void k(int* a, int n) { a[threadIdx.x % 2 * (n - 1)] = threadIdx.x; a[blockIdx.x + 5] = 1; }"
    n = 100 * MIB
    trace = launch(text, 2, 64, {"a": Filled(n), "n": n}, budget=Budget(bytes=512 * MIB), keep=Keep.HISTORY)
    found = races(trace)
    assert len(found) == 1
    assert any("a[0]" in str(each.message) for each in found)
    contents = Contents(trace)
    assert contents.window(0, np.array([0, 1, 5, 6, n - 1]), contents.end).state.tolist() == [WRITTEN, UNDEFINED, *[WRITTEN] * 3]


def test_what_nobody_wrote_is_poison_wherever_it_shows() -> None:
    text = """
    __global__ void k(int* a, char* b, int* out) {
        int t = threadIdx.x;
        out[t] = a[t];
        atomicAdd(&a[t + 32], 0);
        b[4 * t + 1] = 0;
        out[t + 32] = *reinterpret_cast<int*>(&b[4 * t]);
    }
    """
    given = {"a": Filled(96), "b": Filled(128), "out": Filled(64, Fill.ZEROS)}
    trace = launch(text, 1, 32, given)
    assert trace.values["out"].tolist() == [-1] * 32 + [-1 & ~0xFF00] * 32
    assert trace.values["a"].tolist() == [-1] * 96
    assert trace.values["b"].reshape(32, 4).tolist() == [[-1, 0, -1, -1]] * 32


def test_a_zero_stored_where_nobody_wrote_changes_memory() -> None:
    trace = launch("__global__ void k(int* a) { a[threadIdx.x] = 0; a[threadIdx.x] = 0; }", 1, 32, {"a": Filled(32)})
    changed = trace.rows.changed
    assert changed is not None
    assert [int(trace.masks[each].sum()) for each in changed] == [32, 0]


def test_so_does_a_zero_stored_beside_a_store_out_of_bounds() -> None:
    trace = launch("__global__ void k(int* a) { a[threadIdx.x + 16] = 0; }", 1, 32, {"a": Filled(32)})
    assert [each.kind for each in trace.findings] == ["out-of-bounds"]
    assert trace.rows.changed is not None
    assert int(trace.masks[trace.rows.changed[0]].sum()) == 16
