"""asm statements: operands, registers, predicates, branches, and the instructions of one thread, against NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from tests.launches.lowered import refused
from tests.launches.simt_launch import launch, result

THREADS = 32
X = (np.arange(THREADS, dtype=np.uint32) * np.uint32(0x9E3779B1)) ^ np.uint32(0x1234)
Y = np.roll(X, 5)
S, T = X.view(np.int32), Y.view(np.int32)
LANE = np.arange(THREADS, dtype=np.uint32)
F = np.linspace(-9.5, 9.5, THREADS, dtype=np.float32)


def computed(code: str, c_type: str = "unsigned", constraint: str = "r", given: str = "x[t]", second: str = "y[t]") -> str:
    """A kernel that writes what `code` makes of two values."""
    asm = f'asm volatile("{code}" : "={constraint}"(r) : "{constraint}"({given}), "{constraint}"({second}));'
    return f"""__global__ void k({c_type}* out, const {c_type}* x, const {c_type}* y) {{
        int t = threadIdx.x;
        {c_type} r;
        {asm}
        out[t] = r;
    }}"""


def permuted(*choices: str) -> npt.NDArray[np.uint32]:
    """What `prmt` with a mode makes: of y:x the bytes that the PTX manual lists, from the upper one on, by its third operand."""
    both = X.astype(np.uint64) | (Y.astype(np.uint64) << np.uint64(32))
    lists = np.array([[int(digit) for digit in choice] for choice in choices], np.uint64)[LANE % 4]
    bytes_ = (both[:, None] >> (lists * np.uint64(8))) & np.uint64(255)
    joined: npt.NDArray[np.uint32] = (bytes_ << np.array([24, 16, 8, 0], np.uint64)).sum(axis=1).astype(np.uint32)
    return joined


INTEGERS = {
    "prmt.b32.f4e %0, %1, %2, %%laneid;": permuted("3210", "4321", "5432", "6543"),
    "prmt.b32.b4e %0, %1, %2, %%laneid;": permuted("5670", "6701", "7012", "0123"),
    "prmt.b32.rc8 %0, %1, %2, %%laneid;": permuted("0000", "1111", "2222", "3333"),
    "prmt.b32.ecl %0, %1, %2, %%laneid;": permuted("3210", "3211", "3222", "3333"),
    "prmt.b32.ecr %0, %1, %2, %%laneid;": permuted("0000", "1110", "2210", "3210"),
    "prmt.b32.rc16 %0, %1, %2, %%laneid;": permuted("1010", "3232", "1010", "3232"),
    "mov.u32 %0, %%clock_hi;": LANE * 0,
    "mov.u32 %0, %%nwarpid;": LANE * 0 + np.uint32(64),
    "add.u32 %0, %1, %2;": X + Y,
    "sub.u32 %0, %1, %2;": X - Y,
    "mul.lo.u32 %0, %1, %2;": X * Y,
    "mul.hi.u32 %0, %1, %2;": ((X.astype(np.uint64) * Y) >> np.uint64(32)).astype(np.uint32),
    "mul.hi.s32 %0, %1, %2;": ((S.astype(np.int64) * T) >> 32).astype(np.int32).view(np.uint32),
    "mad.lo.u32 %0, %1, %2, 7;": X * Y + np.uint32(7),
    "min.s32 %0, %1, %2;": np.minimum(S, T).view(np.uint32),
    "max.u32 %0, %1, %2;": np.maximum(X, Y),
    "and.b32 %0, %1, %2;": X & Y,
    "xor.b32 %0, %1, %2;": X ^ Y,
    "not.b32 %0, %1;": ~X,
    "shl.b32 %0, %1, 3;": X << np.uint32(3),
    "shl.b32 %0, %1, 33;": X * np.uint32(0),
    "shr.s32 %0, %1, 4;": (S >> 4).view(np.uint32),
    "shr.s32 %0, %1, 40;": (S >> 31).view(np.uint32),
    "shf.l.wrap.b32 %0, %1, %2, 8;": (Y << np.uint32(8)) | (X >> np.uint32(24)),
    "shf.r.clamp.b32 %0, %1, %2, 8;": (X >> np.uint32(8)) | (Y << np.uint32(24)),
    "prmt.b32 %0, %1, %2, 0x5410;": (X & np.uint32(0xFFFF)) | (Y << np.uint32(16)),
    "prmt.b32 %0, %1, %2, 0x8;": np.where(X >> np.uint32(7) & np.uint32(1), np.uint32(0xFF), np.uint32(0))
    | (X & np.uint32(0xFF)) * np.uint32(0x01010100),
    "lop3.b32 %0, %1, %2, 0xff, 0x96;": X ^ Y ^ np.uint32(0xFF),
    "lop3.b32 %0, %1, %2, 0xff, 0xEA;": (X & Y) | np.uint32(0xFF),
    "bfe.u32 %0, %1, 5, 9;": (X >> np.uint32(5)) & np.uint32(511),
    "bfe.s32 %0, %1, 5, 9;": (S << 18 >> 23).view(np.uint32),
    "bfi.b32 %0, %1, %2, 8, 4;": (Y & ~np.uint32(0xF00)) | ((X & np.uint32(15)) << np.uint32(8)),
    "popc.b32 %0, %1;": np.bitwise_count(X).astype(np.uint32),
    "mov.u32 %0, %%laneid;": LANE,
    "mov.u32 %0, %%tid.x;": LANE,
    "mov.u32 %0, %%ntid.x;": LANE * 0 + THREADS,
    "mov.u32 %0, %%lanemask_lt;": (np.uint32(1) << LANE) - np.uint32(1),
    "mov.b32 %0, 0x3f800000;": LANE * 0 + np.uint32(0x3F800000),
    "{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, 1, 2, p; }": np.where(S < T, 1, 2).astype(np.uint32),
    "{ .reg .pred p, q; setp.lo.u32 p|q, %1, %2; @p mov.b32 %0, 5; @!p mov.b32 %0, 6; }": np.where(X < Y, 5, 6).astype(np.uint32),
    "{ .reg .b16 a, b; mov.b32 {a, b}, %1; mov.b32 %0, {b, a}; }": (X << np.uint32(16)) | (X >> np.uint32(16)),
    "{ .reg .b32 a<3>; mov.b32 a2, %1; add.u32 a0, a2, a2; mov.b32 %0, a0; } // the end": X + X,
    "{ .reg .u32 i; .reg .pred p; mov.u32 i, 0; mov.u32 %0, 0; LOOP: add.u32 %0, %0, i; add.u32 i, i, 1;"
    " setp.le.u32 p, i, %%laneid; @p bra LOOP; }": LANE * (LANE + 1) // 2,
    "{ .reg .pred p; setp.gt.u32 p, %%laneid, 7; mov.u32 %0, 1; @p bra DONE; mov.u32 %0, 2; /* not all */ DONE: }": np.where(
        LANE > 7, 1, 2
    ).astype(np.uint32),
    "shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;": X[LANE ^ 1],
    "shfl.sync.down.b32 %0, %1, 2, 0x181f, 0xffffffff;": np.where(LANE % 8 < 6, np.roll(X, -2), X),
    "{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 1, 0, 0xffffffff; @!p mov.b32 %0, 9; }": np.where(LANE > 0, np.roll(X, 1), 9),
    "redux.sync.add.u32 %0, %1, 0xffffffff;": LANE * 0 + X.sum(dtype=np.uint32),
    "{ .reg .pred p; setp.gt.u32 p, %%laneid, 15; vote.sync.ballot.b32 %0, p, 0xffffffff; }": LANE * 0 + np.uint32(0xFFFF0000),
    "{ .reg .pred p; setp.gt.u32 p, %%laneid, 15; vote.sync.any.pred p, p, -1; selp.u32 %0, 1, 0, p; }": LANE * 0 + np.uint32(1),
    "cvt.u32.u8 %0, %1;": X & np.uint32(0xFF),
    "cvt.s32.s8 %0, %1;": X.astype(np.uint8).view(np.int8).astype(np.int32).view(np.uint32),
}


@pytest.mark.parametrize("code", INTEGERS)
def test_instructions_on_integers(code: str) -> None:
    """One instruction, or a few, on words."""
    found = result(computed(code), THREADS, np.uint32, x=X, y=Y)
    assert found.tolist() == INTEGERS[code].tolist()


G = np.roll(F, 3)
FLOATS = {
    "add.f32 %0, %1, %2;": F + G,
    "mul.rn.f32 %0, %1, %2;": F * G,
    "fma.rn.f32 %0, %1, %2, 0f3F800000;": (F.astype(np.float64) * G + 1).astype(np.float32),
    "max.f32 %0, %1, %2;": np.maximum(F, G),
    "neg.f32 %0, %1;": -F,
    "abs.f32 %0, %1;": np.abs(F),
    "cvt.rni.f32.f32 %0, %1;": np.rint(F),
    "cvt.rmi.f32.f32 %0, %1;": np.floor(F),
    "{ .reg .s32 i; cvt.rzi.s32.f32 i, %1; cvt.rn.f32.s32 %0, i; }": np.trunc(F).astype(np.int32).astype(np.float32),
    "{ .reg .f16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }": F.astype(np.float16).astype(np.float32),
    "{ .reg .b32 w; .reg .f16 a, b; cvt.rn.f16x2.f32 w, %1, %2; add.f16x2 w, w, w; mov.b32 {a, b}, w; cvt.f32.f16 %0, b; }": 2
    * F.astype(np.float16).astype(np.float32),
    "{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.f32 %0, 1.0, 0.0, p; }": (F < G).astype(np.float32),
    "{ .reg .f64 a, b; cvt.f64.f32 a, %1; mul.f64 b, a, a; cvt.rn.f32.f64 %0, b; }": F * F,
    "{ .reg .b32 w; cvt.rna.tf32.f32 w, %1; mov.b32 %0, w; }": ((F.view(np.uint32) + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(
        np.float32
    ),
}


@pytest.mark.parametrize("code", FLOATS)
def test_instructions_on_floats(code: str) -> None:
    """One instruction, or a few, on floats."""
    found = result(computed(code, "float", "f"), THREADS, np.float32, x=F, y=G)
    assert found.view(np.uint32).tolist() == FLOATS[code].astype(np.float32).view(np.uint32).tolist()


def test_operands_are_read_and_written() -> None:
    """A "+" operand keeps its value, elements of arrays are operands, macros make statements, constants are constants."""
    text = """
    #define OUT(i) "+f"(d[i]), "+f"(d[i + 1])
    template <int N> __device__ void twice(float (&d)[4], float x) {
        asm volatile("fma.rn.f32 %0, %2, 0f40000000, %0;\\n\\t"
                     "add.f32 %1, %1, %4; // and the constant\\n" : OUT(0), "+f"(d[2]), "+f"(d[3]) : "f"(x), "n"(N));
    }
    __global__ void k(float* out) {
        float d[4] = {1, 2, 3, 4};
        twice<5>(d, 7.0f);
        out[threadIdx.x] = d[threadIdx.x % 2];
    }"""
    found = result(text, THREADS, np.float32)
    assert found[:2].tolist() == [7.0, 9.0]


def test_labels_with_a_number_of_their_own_may_stand_without_a_block() -> None:
    """`%=` is another number in each statement that the compiler makes of one, as here of a function called twice."""
    text = """__device__ void add(unsigned& y, unsigned n) {
        asm volatile("mov.u32 %0, 0; L%=: add.u32 %0, %0, 3; {.reg .pred p; setp.lt.u32 p, %0, %1; @p bra L%=;}" : "=&r"(y) : "r"(n));
    }
    __global__ void k(unsigned* out) {
        unsigned one, other;
        add(one, threadIdx.x);
        add(other, one + 1);
        out[threadIdx.x] = other;
    }"""
    once = np.maximum(LANE + 2, 3) // 3 * 3
    assert (result(text, THREADS, np.uint32) == once + 3).all()


def test_memory_is_accessed_as_written() -> None:
    """Loads and stores of each space, vectors as one access, and atomics."""
    text = """
    __global__ void k(float* out, float* sums, const float* x) {
        __shared__ float s[64];
        unsigned at = (unsigned)__cvta_generic_to_shared(&s[2 * threadIdx.x]);
        float a, b;
        asm volatile("ld.global.L1::no_allocate.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(x + 2 * threadIdx.x));
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(at), "f"(b), "f"(a) : "memory");
        asm volatile("bar.sync 0;" ::: "memory");
        asm volatile("ld.shared.f32 %0, [%1+4];" : "=f"(a) : "r"(at ^ 8));
        asm volatile("red.global.add.f32 [%0], %1;" :: "l"(sums), "f"(a) : "memory");
        out[threadIdx.x] = a;
    }"""
    x = np.arange(64, dtype=np.float32)
    trace = launch(text, 1, 32, {"out": np.zeros(32, np.float32), "sums": np.zeros(1, np.float32), "x": x})
    assert trace.findings == ()
    expected = x.reshape(-1, 2)[np.arange(32) ^ 1, 0]
    assert trace.values["out"].tolist() == expected.tolist()
    assert trace.values["sums"][0] == expected.sum()
    sites = {(each.operation, each.space.value, each.bytes, each.location.line) for each in trace.sites}
    assert {("load", "global", 8, 6), ("store", "shared", 8, 7), ("load", "shared", 4, 9), ("atomic", "global", 4, 10)} < sites


def test_asynchronous_copies_are_pending_until_the_wait() -> None:
    """cp.async with zeros behind, its groups, and a read before the wait, which is a finding."""
    text = """
    __global__ void k(float* out, const float* x) {
        __shared__ __align__(16) float s[128];
        unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * threadIdx.x);
        int left = threadIdx.x == 31 ? 8 : 16;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(x + 4 * threadIdx.x), "r"(left));
        asm volatile("cp.async.commit_group;");
        WAIT
        __syncthreads();
        for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = s[threadIdx.x * 4 + i];
    }"""
    x = np.arange(1, 129, dtype=np.float32)
    good = launch(text.replace("WAIT", 'asm volatile("cp.async.wait_group 0;");'), 1, 32, {"out": x * 0, "x": x})
    assert good.findings == ()
    assert good.values["out"].tolist() == [*x[:126].tolist(), 0, 0]
    early = launch(text.replace("WAIT", ""), 1, 32, {"out": x * 0, "x": x})
    assert {each.kind for each in early.findings} == {"uninitialised-read"}


REFUSED = {
    'asm("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0}, %1, 0x0;" : "+f"(f) : "r"(i));': (
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 is not executed",
        4,
        7,
    ),
    'asm("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0}, 1;" : "=f"(f));': ("wgmma.mma_async.sp", 4, 7),
    'asm("add.u32 %0, %1, %2;\\n"\n        "tcgen05.alloc.b32 %0;" : "=r"(i) : "r"(i), "r"(i));': ("tcgen05.alloc.b32", 5, 10),
    'asm("add.u32 %0, %1, q;" : "=r"(i) : "r"(i));': ("q is no register", 4, 7),
    'asm("add.u32 %1, %1, 1;" : "=r"(i) : "r"(i));': ("%1 is not written", 4, 7),
    'asm("add.u32 %0, %1 %2;" : "=r"(i) : "r"(i), "r"(i));': ("not %2", 4, 22),
    'asm("{ .reg .u64 a; mov.u64 a, %%gridid; cvt.u32.u64 %0, a; }" : "=r"(i));': ("%gridid is a number that the driver gives", 4, 22),
    'asm("mov.u32 %0, %%envreg3;" : "=r"(i));': ("%envreg3: this special register", 4, 7),
    'asm("prmt.b32.f4e.rc8 %0, %0, %0, 1;" : "+r"(i));': (".rc8 is not executed", 4, 7),
    'asm("add.u32 %[r], %[r], 1;" : [r] "+r"(i));': ("%[r]: CUDA's compiler knows operands by their numbers alone", 4, 15),
    'asm("bra NOWHERE;");': ("NOWHERE is no label", 4, 7),
    'asm("add.u32 %0, %0, 1;" : "=r"(f));': ("does not fit its constraint", 4, 34),
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_not_executed_is_named_with_its_place(statement: str) -> None:
    """The name, and the line and column within the text."""
    text = f"__global__ void k() {{\n  float f;\n  int i = 0;\n {statement}\n}}"
    words, line, column = REFUSED[statement]
    (found,) = refused(text)
    assert words in str(found.message)
    assert (found.line, found.column) == (line, column)


@pytest.mark.parametrize(("dynamic", "total"), [(0, 128), (4, 128), (116, 128), (120, 256), (512, 640)])
def test_the_sizes_of_shared_memory(dynamic: int, total: int) -> None:
    """What the launch gives, and with what is declared what a block takes: units of 128, no words of barriers."""
    text = """__global__ void k(unsigned* out) {
        __shared__ float s[3];
        extern __shared__ float d[];
        s[0] = 1;
        asm volatile("bar.sync 1, 32;");
        asm volatile("mov.u32 %0, %%dynamic_smem_size; mov.u32 %1, %%total_smem_size;" : "=r"(out[0]), "=r"(out[1]));
    }"""
    trace = launch(text, 1, 32, {"out": np.zeros(2, np.uint32)}, shared_bytes=dynamic)
    assert trace.values["out"].tolist() == [dynamic, total]


@pytest.mark.parametrize(("dims", "explicit"), [("", 0), ("__cluster_dims__(1, 1, 1)", 1), ("__cluster_dims__(2, 1, 1)", 1)])
def test_whether_a_kernel_says_that_it_is_launched_in_clusters(dims: str, explicit: int) -> None:
    text = f"""__global__ void {dims} k(unsigned* out) {{
        asm("{{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }}" : "=r"(out[blockIdx.x]));
    }}"""
    assert launch(text, 2, 1, {"out": np.zeros(2, np.uint32)}).values["out"].tolist() == [explicit] * 2
