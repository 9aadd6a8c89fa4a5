"""What goes from one block of a cluster into another's shared memory and completes on a barrier there; and updates in bulk."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.analysis.counts import counts
from kernels.analysis.findings import findings
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import Trace
from tests.launches.lowered import refused
from tests.launches.simt_launch import launch

COMMON = r"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define CLUSTER_SYNC asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory")
#define TX "mbarrier::complete_tx::bytes"
__device__ unsigned rank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ unsigned in_block(unsigned address, unsigned r) {
    unsigned d; asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(address), "r"(r)); return d;
}
__device__ void init(unsigned long long* b, int n) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n fence.mbarrier_init.release.cluster;" :: "r"(AT(b)), "r"(n) : "memory");
}
__device__ void expect(unsigned long long* b, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(AT(b)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long* b) {
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra L; }"
        :: "r"(AT(b)) : "memory");
}
"""
SENT = (
    COMMON
    + """
__global__ __cluster_dims__(2, 1, 1) void k(float* out) {
    __shared__ __align__(128) float mine[64], theirs[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    mine[t] = 100 * rank() + t;
    theirs[t] = -1;
    FENCE
    if (t == 0) { init(&full, 1); expect(&full, EXPECTED); }
    FIRST
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta." TX " [%0], [%1], 256, [%2];"
            :: "r"(in_block(AT(theirs), rank() ^ 1)), "r"(AT(mine)), "r"(in_block(AT(&full), rank() ^ ON)) : "memory");
    WAIT
    out[blockIdx.x * 64 + t] = theirs[t];
    CLUSTER_SYNC;
}"""
)
PARTS = {
    "FENCE": 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");', "EXPECTED": "256", "FIRST": "CLUSTER_SYNC;",
    "ON": "1", "WAIT": "wait(&full);",
}  # fmt: skip


def sent(text: str = SENT, blocks: int = 4, **parts: str) -> Trace:
    for name, part in {**PARTS, **parts}.items():
        text = text.replace(name, part)
    return launch(text, blocks, 64, {"out": np.zeros(64 * blocks, np.float32)})


def kinds(trace: Trace) -> set[str]:
    return {each.kind for each in findings(trace)}


def test_a_block_copies_into_its_neighbours_shared_memory() -> None:
    """Both ways at once, in two clusters: the bytes complete the phase of the receiver's barrier."""
    trace = sent()
    assert findings(trace) == ()
    assert trace.values["out"].tolist() == [100 * (block % 2 ^ 1) + t for block in range(4) for t in range(64)]
    happened = [(each.kind, each.value) for each in trace.events if each.name == "cp.async.bulk.cluster"]
    assert happened.count((Happening.COPY_ISSUED, 256)) == happened.count((Happening.COPY_COMPLETED, 256)) == 4
    assert happened.count((Happening.BARRIER_PHASE, 1)) == 4
    engine = [line for line in counts(trace).lines if line.line == next(each.location.line for each in trace.sites if each.engine)]
    (copied,) = (line for line in engine if line.operation != "barrier")
    assert (copied.operation, copied.space, copied.requests, copied.wavefronts, copied.bytes_moved) == ("copy", "shared", 0, None, 2048)


@pytest.mark.parametrize(
    ("part", "instead", "found"),
    [
        ("FENCE", "", "asynchronous-access"),
        ("EXPECTED", "512", "deadlock"),
        ("EXPECTED", "128", "deadlock"),
        ("FIRST", "__syncthreads();", "out-of-bounds"),
        ("ON", "0", "asynchronous-access"),
        ("WAIT", "", "uninitialised-read"),
    ],
)
def test_what_goes_wrong_with_such_a_copy_is_found(part: str, instead: str, found: str) -> None:
    assert found in kinds(sent(blocks=2, **{part: instead}))


def of_type(values: npt.NDArray[Any], kind: str) -> npt.NDArray[Any]:
    """Values as a type has them in memory."""
    if kind == "bf16":
        return np.asarray(bfloat16_bits(values.astype(np.float32)), np.uint16)
    return values.astype(f"{kind[0].translate(str.maketrans('bs', 'ui'))}{int(kind[1:]) // 8}")


def updated(operation: str, old: npt.NDArray[Any], new: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What PTX makes of two values."""
    match operation:
        case "inc":
            return np.where(old >= new, 0, old + 1).astype(old.dtype)
        case "dec":
            return np.where((old == 0) | (old > new), new, old - 1).astype(old.dtype)
        case "and" | "or" | "xor":
            return np.asarray(getattr(np, f"bitwise_{operation}")(old, new))
        case _:
            return np.asarray({"add": np.add, "min": np.minimum, "max": np.maximum}[operation](old, new))


def of_all(operation: str, kind: str, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """One row updated by the next, and so on, each result in its type."""
    if kind != "bf16":
        return reduce(lambda old, new: updated(operation, old, new), rows)
    found = reduce(lambda old, new: bfloat16_bits(updated(operation, bfloat16_value(old), bfloat16_value(new))), rows)
    return np.asarray(found, np.uint16)


GLOBAL = (
    COMMON
    + """
__global__ void k(char* out, const char* x) {
    __shared__ __align__(128) char s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) s[i] = x[256 * blockIdx.x + i];
    FENCE
    __syncwarp();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.NAME [%0], [%1], 256;" :: "l"(out), "r"(AT(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\\n WAIT" ::: "memory");
    }
}"""
)
DONE = "cp.async.bulk.wait_group 0;"
NAMES = [
    "add.u32", "add.s32", "add.u64", "add.f32", "add.f64", "add.noftz.f16", "add.noftz.bf16", "min.u32", "max.s32", "min.s64", "max.u64",
    "max.f16", "min.bf16", "inc.u32", "dec.u32", "and.b32", "or.b64", "xor.b32",
]  # fmt: skip


def rows_of(operation: str, kind: str, count: int) -> npt.NDArray[Any]:
    """Values that are updated, and those by which: the same ones where it would depend on who comes first."""
    size = int(kind.lstrip("bfsu")) // 8
    values = np.random.default_rng(5).integers(0 if kind[0] in "ub" and kind != "bf16" else -50, 50, (count, 256 // size))
    values[1:] = values[1] if operation in ("inc", "dec") else values[1:]
    return of_type(values / 4 if "f" in kind else values, kind)


@pytest.mark.parametrize("name", NAMES)
def test_an_update_in_bulk_of_global_memory(name: str) -> None:
    """Three blocks update the same places, which is no race; of each 256 bytes the sectors are counted."""
    kind, operation = name.split(".")[-1], name.split(".")[0]
    rows = rows_of(operation, kind, 4)
    text = GLOBAL.replace("NAME", name).replace("FENCE", PARTS["FENCE"]).replace("WAIT", DONE)
    trace = launch(text, 3, 32, {"out": rows[0].view(np.int8).copy(), "x": rows[1:].view(np.int8).ravel()})
    assert findings(trace) == ()
    assert trace.values["out"].view(rows.dtype).tolist() == of_all(operation, kind, rows).tolist()
    line = next(each for each in counts(trace).lines if each.operation == "atomic" and each.space == "global")
    assert (line.requests, line.sectors, line.bytes_used) == (0, 24, 768)


def test_an_update_in_bulk_is_waited_for_and_sees_only_what_is_fenced() -> None:
    for fence, wait in (("", DONE), (PARTS["FENCE"], "")):
        text = GLOBAL.replace("NAME", "add.u32").replace("FENCE", fence).replace("WAIT", wait)
        trace = launch(text, 1, 32, {"out": np.zeros(256, np.int8), "x": np.ones(256, np.int8)})
        assert kinds(trace) == {"asynchronous-access"}


def test_an_update_in_bulk_beyond_an_array() -> None:
    text = GLOBAL.replace("NAME", "add.u32").replace("FENCE", PARTS["FENCE"]).replace("WAIT", DONE)
    trace = launch(text, 1, 32, {"out": np.zeros(128, np.int8), "x": np.ones(256, np.int8)})
    assert kinds(trace) == {"out-of-bounds"}
    assert trace.values["out"].tolist() == [1] * 128


ALL_TO_ONE = (
    COMMON
    + """
__global__ __cluster_dims__(4, 1, 1) void k(char* out, const char* x) {
    __shared__ __align__(128) char s[256], sum[256];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) { s[i] = x[256 * (1 + rank()) + i]; sum[i] = x[i]; }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (t == 0) { init(&full, 1); if (rank() == 0) expect(&full, 1024); }
    CLUSTER_SYNC;
    SEND
    if (rank() == 0) {
        BEFORE
        wait(&full);
        for (int i = t; i < 256; i += 32) out[i] = sum[i];
    }
    CLUSTER_SYNC;
}"""
)
IN_BULK = """if (t == 0)
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta." TX ".NAME [%0], [%1], 256, [%2];"
            :: "r"(in_block(AT(sum), 0)), "r"(AT(s)), "r"(in_block(AT(&full), 0)) : "memory");"""
OUT_OF_REGISTERS = """for (int i = t; i < 64; i += 32)
        asm volatile("red.async.relaxed.cluster.shared::cluster." TX ".NAME [%0], %1, [%2];"
            :: "r"(in_block(AT(sum + 4 * i), 0)), "r"(((unsigned*)s)[i]), "r"(in_block(AT(&full), 0)) : "memory");"""
WITHIN = ["add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "inc.u32", "dec.u32", "and.b32", "or.b32", "xor.b32"]
CASES = [(IN_BULK, name) for name in (*WITHIN, "add.u64")] + [(OUT_OF_REGISTERS, name) for name in WITHIN]


@pytest.mark.parametrize(("send", "name"), CASES)
def test_blocks_update_the_shared_memory_of_one(send: str, name: str) -> None:
    """Four blocks of a cluster, the receiver itself among them; 1024 bytes complete the phase."""
    operation, kind = name.split(".")
    rows = rows_of(operation, kind, 5)
    text = ALL_TO_ONE.replace("SEND", send.replace("NAME", name)).replace("BEFORE", "")
    trace = launch(text, 4, 32, {"out": np.zeros(256, np.int8), "x": rows.view(np.int8).ravel()})
    assert findings(trace) == ()
    assert trace.values["out"].view(rows.dtype).tolist() == of_all(operation, kind, rows).tolist()
    issued = [each.value for each in trace.events if each.kind is Happening.COPY_ISSUED]
    assert sum(issued) == 1024
    sites = [each for each in trace.sites if each.operation == "atomic" and each.function.startswith(("red.async.", "cp.async.bulk."))]
    assert {(each.piece, each.barrier) for each in sites} == {(True, False), (False, True)}, "data, and the bytes counted on the barrier"


@pytest.mark.parametrize("send", [IN_BULK, OUT_OF_REGISTERS])
@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("out[t] = sum[t];", True),
        ("sum[t] = 0;", True),
        ("out[t] = s[t];", False),
        ("atomicAdd((unsigned*)sum + t, 0u); __syncwarp();", False),
    ],
)
def test_what_is_updated_is_not_looked_at_before_the_barrier_says_so(send: str, before: str, found: bool) -> None:
    """By loads and stores of a block to which others have sent; to other updates it is no matter who comes first."""
    send = f"if (rank() != 1) {{ {send.replace('NAME', 'add.u32')} }}"
    text = ALL_TO_ONE.replace("SEND", send).replace("BEFORE", before).replace("1024", "768")
    text = text.replace(", 0))", ", 1))").replace("rank() == 0", "rank() == 1")
    trace = launch(text, 4, 32, {"out": np.zeros(256, np.int8), "x": np.zeros(5 * 256, np.int8)})
    assert ("asynchronous-access" in kinds(trace)) == found
    if found:
        line = next(number for number, each in enumerate(text.splitlines(), 1) if before in each)
        assert line in {each.location.line for each in findings(trace) if each.kind == "asynchronous-access"}
    else:
        assert findings(trace) == ()


def test_one_place_that_every_lane_adds_to() -> None:
    """Each lane's update is one of its own."""
    text = (
        ALL_TO_ONE.replace("1024", "512")
        .replace("BEFORE", "")
        .replace(
            "SEND",
            'asm volatile("red.async.relaxed.cluster." TX ".add.u32 [%0], %1, [%2];"'
            ' :: "l"(__cluster_map_shared_rank(sum, 0)), "r"(t), "l"(__cluster_map_shared_rank(&full, 0)) : "memory");',
        )
    )
    trace = launch(text, 4, 32, {"out": np.zeros(256, np.int8), "x": np.zeros(5 * 256, np.int8)})
    assert findings(trace) == ()
    assert trace.values["out"].view(np.uint32).tolist() == [4 * 31 * 16, *[0] * 63]


STORED = (
    COMMON
    + """
__global__ __cluster_dims__(2, 1, 1) void k(char* out, const char* x) {
    __shared__ __align__(128) char s[32 * BYTES];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    const PART* mine = (const PART*)(x + (32 * blockIdx.x + t) * BYTES);
    if (t == 0) { init(&full, 1); expect(&full, 32 * BYTES); }
    CLUSTER_SYNC;
    asm volatile("st.async.weak.shared::cluster." TX ".NAME [%0], GROUP, [%1];"
        :: "r"(in_block(AT(s + t * BYTES + OFF), rank() ^ 1)), "r"(in_block(AT(&full), rank() ^ 1)), GIVEN : "memory");
    WAIT
    for (int i = 0; i < BYTES; ++i) out[(32 * blockIdx.x + t) * BYTES + i] = s[t * BYTES + i];
    CLUSTER_SYNC;
}"""
)
STORES = [("b32", 1, 4), ("f32", 1, 4), ("b64", 1, 8), ("f64", 1, 8), ("v2.u32", 2, 8), ("v2.b64", 2, 16), ("v4.f32", 4, 16)]
REGISTERS = {
    "b32": ("unsigned", "r"),
    "u32": ("unsigned", "r"),
    "f32": ("float", "f"),
    "b64": ("unsigned long long", "l"),
    "f64": ("double", "d"),
}


def stored(name: str, count: int, size: int, wait: str = "wait(&full);", off: int = 0) -> Trace:
    part, letter = REGISTERS[name.split(".")[-1]]
    group = ", ".join(f"%{2 + number}" for number in range(count))
    given = ", ".join(f'"{letter}"(mine[{number}])' for number in range(count))
    text = STORED
    for word, instead in {
        "GROUP": "{" + group + "}" if count > 1 else group, "GIVEN": given, "PART": part, "NAME": name, "BYTES": str(size), "WAIT": wait,
        "OFF": str(off),
    }.items():  # fmt: skip
        text = text.replace(word, instead)
    x = np.random.default_rng(3).integers(-99, 99, 64 * size).astype(np.int8)
    if "f" in name:
        x = np.arange(64 * size // int(name[-2:]) * 8).astype(f"f{int(name[-2:]) // 8}").view(np.int8)
    return launch(text, 2, 32, {"out": np.zeros(64 * size, np.int8), "x": x})


@pytest.mark.parametrize(("name", "count", "size"), STORES)
def test_values_stored_in_another_block(name: str, count: int, size: int) -> None:
    """Each block has the other's; what lanes store takes no wavefront."""
    trace = stored(name, count, size)
    assert findings(trace) == ()
    out, x = trace.values["out"].reshape(2, -1), trace.values["x"].reshape(2, -1)
    assert out.tolist() == x[::-1].tolist()
    line = next(each.location.line for each in trace.sites if each.function == "st.async")
    (found,) = [each for each in counts(trace).lines if each.line == line and each.operation == "copy"]
    assert (found.wavefronts, found.bytes_moved) == (None, 2 * 32 * size)
    assert [each.value for each in trace.events if each.kind is Happening.COPY_ISSUED] == [32 * size] * 2


def test_a_stored_value_is_waited_for_and_aligned() -> None:
    assert "uninitialised-read" in kinds(stored("b32", 1, 4, wait=""))
    assert "misaligned-access" in kinds(stored("v2.b64", 2, 16, off=8))


REFUSED = {
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%0], {%2, %2, %2, %2}, [%0]": ".v4.b64 is not executed",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.b16 [%0], %1, [%0]": ".b16 is not executed",
    "st.async.release.gpu.global.b32 [%2], %1": ".release is not executed",
    "st.async.shared::cluster.b32 [%0], %1, [%0]": "is executed with .mbarrier::complete_tx::bytes only",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1": "does not take 2 operands",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [%0], %1, [%0]": ".add.f32 is not executed",
    "red.async.relaxed.gpu.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%0]": ".gpu is not executed",
    "red.async [%0], %1, [%0]": "is not executed",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.bf16 [%2], [%0], 16": "of 16-bit floats needs .noftz",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%2], [%0], 16": ".min.f32 is not executed",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%0], [%0], 16, [1]": ".add.f32 is not executed",
    "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%2, {%1}], [%0]": ".tensor.1d.global",
    "cp.async.bulk.shared::cluster.shared::cta.bulk_group [%0], [%0], 16, [%0]": ".bulk_group is not executed",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%0], 16": "does not take 3 operands",
}


@pytest.mark.parametrize("instruction", REFUSED)
def test_what_ptx_has_no_form_of_is_refused(instruction: str) -> None:
    text = f'__global__ void k(float* p) {{\n  asm volatile("{instruction};" :: "r"(0), "r"(1), "l"(p) : "memory");\n}}'
    (found,) = refused(text)
    assert REFUSED[instruction] in str(found.message)
    assert found.line == 2
