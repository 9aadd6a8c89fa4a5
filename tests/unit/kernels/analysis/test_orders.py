"""What orders accesses besides barriers: who may rely on it, and what is said where something lacks."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.analysis.races import races
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.base.types import ThreadScope
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.launches.analysis_traces import Recorder, words
from tests.oracle.corpus import FOLDER, read

CACHED = " Without it a cache of the GPU may still show the old value."
"""Of two blocks: those of one see the same cache."""
SAID = {
    "lock-without-acquire": "Line 9 takes the lock, but no fence stands behind it: __threadfence() belongs there." + CACHED,
    "lock-without-release": "Line 12 gives the lock back, but no fence stands before it: __threadfence() belongs there." + CACHED,
    "lock-with-narrow-acquire": "Line 9 takes the lock, but the fence behind it is of the block's scope: __threadfence() is needed."
    + CACHED,
    "lock-with-narrow-release": "Line 13 gives the lock back, but the fence before it is of the block's scope: __threadfence() is needed."
    + CACHED,
    "lock-of-lanes-without-acquire": "Line 9 takes the lock, but no fence stands behind it: __threadfence_block() belongs there.",
    "lock-that-one-does-not-take": "One of them is under a lock, the other is not.",
    "message-writer-without-fence": "Line 9 passes the message, but no fence stands before it: __threadfence() belongs there." + CACHED,
    "message-fence-of-the-block": "Line 10 passes the message, but the fence before it is of the block's scope: __threadfence() is needed."
    + CACHED,
    "message-relaxed-load": "Line 13 hears the message, but orders nothing behind it:"
    " __threadfence(), or an order that acquires, belongs there." + CACHED,
    "warp-to-warp-without-fence": "Line 17 passes the message, but no fence stands before it: __threadfence_block() belongs there.",
}


@pytest.mark.parametrize("name", SAID)
def test_a_finding_says_which_fence_is_missing_and_where(name: str) -> None:
    case = read(FOLDER / "bugs" / f"{name}.cu")
    found = findings(execute(case.kernel, case.request, case.text))
    assert any(str(each.message).endswith(SAID[name]) for each in found), [str(each.message) for each in found]


def sites(text: str, **arguments: int) -> Trace:
    """The trace of one thread."""
    unit = parse(text)
    given = {name: np.ones(count, np.int32) for name, count in arguments.items()}
    return execute(lower(unit, unit.kernels[0].name), LaunchRequest((1, 1, 1), (1, 1, 1), given), text)


def test_a_site_knows_its_scope() -> None:
    trace = sites("__global__ void f(int* a) { atomicAdd(a, 1); atomicAdd_block(a, 1); atomicCAS_system(a, 1, 2); }", a=1)
    assert [site.scope for site in trace.sites] == [ThreadScope.DEVICE, ThreadScope.BLOCK, ThreadScope.SYSTEM]


def test_what_atomics_read_and_left_is_recorded() -> None:
    updates = sites("__global__ void f(int* a) { atomicAdd(a, 4); atomicCAS(a, 3, 9); atomicExch(a, -1); }", a=1).rows.updates
    assert updates is not None
    assert updates.row.tolist() == [0, 1, 2]
    assert updates.before.tolist() == [1, 5, 5]
    assert updates.after.tolist() == [5, 5, -1]


@pytest.mark.parametrize(
    ("body", "volatile", "waits"),
    [
        ("while (*p == 0) {}", True, True),
        ("int v; do { v = p[0]; } while (v == 0); *o = v;", True, True),
        ("while (true) { if (*p != 0) break; __nanosleep(20); }", True, True),
        ("int s = 0; for (int i = 0; i < 4; ++i) s += p[i]; *o = s;", True, False),
        ("while (*p == 0) { *o = 1; }", True, False),
        ("while (*(int*)p == 0) {}", False, False),
        ("if (*p) *o = 1;", True, False),
    ],
)
def test_a_loop_that_only_waits_is_known(body: str, *, volatile: bool, waits: bool) -> None:
    trace = sites(f"__global__ void f(volatile int* p, int* o) {{ {body} }}", p=4, o=1)
    site = next(site for site in trace.sites if site.operation == "load")
    assert (site.volatile, site.waits) == (volatile, waits)


def test_what_is_volatile_in_a_struct_and_behind_a_cast_is_known() -> None:
    text = "struct S { volatile int a; int b; }; __global__ void f(S* s, int* p) { s->a = s->b; *(volatile int*)p += s[0].a; }"
    trace = execute(
        lower(parse(text), "f"), LaunchRequest((1, 1, 1), (1, 1, 1), {"s": np.zeros(2, np.int32), "p": np.zeros(1, np.int32)}), text
    )
    assert [(site.operation, site.volatile) for site in trace.sites] == [
        ("load", False), ("store", True), ("load", True), ("load", True), ("store", True),
    ]  # fmt: skip


def held(recorder: Recorder, block: int, *, acquire: bool = True, release: bool = True) -> None:
    """A block takes the lock, stores, and gives it back."""
    recorder.block = block
    recorder.atomic("a", 2, words(8), function="atomicCAS", update=(0, 1))
    if acquire:
        recorder.fence()
    recorder.store("a", 4, words(0))
    if release:
        recorder.fence()
    recorder.atomic("a", 6, words(8), function="atomicExch", update=(1, 0))


@pytest.mark.parametrize("late", [0, 1, 2])
@pytest.mark.parametrize("lacks", ["acquire", "release"])
def test_who_lacks_a_fence_is_found_whenever_his_turn_comes(late: int, lacks: str) -> None:
    recorder = Recorder(blocks=3)
    for turn in range(3):
        held(recorder, turn, **({lacks: False} if turn == late else {}))
    (found,) = races(recorder.trace())
    assert found.location.line == 4
    assert late in (found.block[0], found.other_block[0] if found.other_block else -1)
    recorder = Recorder(blocks=3)
    for turn in range(3):
        held(recorder, turn)
    assert races(recorder.trace()) == ()


def test_very_many_messages_are_not_followed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.analysis.clocks.NUMBERS_AT_MOST", 100)
    recorder = Recorder(blocks=30)
    for turn in range(30):
        held(recorder, turn)
    assert races(recorder.trace()) == ()


HANDED_ON = """__global__ void pass(volatile int* flag, int* data, int* out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t >= 32) data[t - 32] = t;
        BARRIER
        if (t == 0) { FENCE *flag = 1; }
    } else {
        if (t == 0) while (*flag == 0) {}
        __syncthreads();
        if (t < 32) out[t] = data[t];
    }
}
"""


@pytest.mark.parametrize(
    ("barrier", "fence", "said"),
    [
        ("__syncthreads();", "", "Line 7 passes the message, but no fence stands before it: __threadfence() belongs there." + CACHED),
        ("__syncthreads();", "__threadfence_block();",
         "Line 7 passes the message, but the fence before it is of the block's scope: __threadfence() is needed." + CACHED),
        ("", "__threadfence();", "an atomic or volatile flag behind a fence orders these."),
        ("__syncthreads();", "__threadfence();", None),
    ],
)  # fmt: skip
def test_a_thread_that_tells_for_its_block_is_the_one_whose_fence_is_missing(barrier: str, fence: str, said: str | None) -> None:
    text = HANDED_ON.replace("BARRIER", barrier).replace("FENCE", fence)
    unit, given = parse(text), {"flag": np.zeros(1, np.int32), "data": np.zeros(32, np.int32), "out": np.zeros(32, np.int32)}
    found = findings(execute(lower(unit, "pass"), LaunchRequest((2, 1, 1), (64, 1, 1), given), text))
    assert [str(each.message).endswith(said or "") for each in found] == ([] if said is None else [True]), [
        str(each.message) for each in found
    ]


def test_atomics_of_the_block_between_blocks_are_told_what_they_need() -> None:
    case = read(FOLDER / "bugs" / "block-scope-counter.cu")
    found = findings(execute(case.kernel, case.request, case.text))
    assert any("Between blocks an atomic of the device's scope is needed" in str(each.message) for each in found)
