"""Kernels that execute one matrix instruction on operands that were packed into registers, or into shared memory, before."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.simt.base.fragments import BITS, LaneMap, mma_maps, wgmma_maps
from kernels.simt.base.swizzle import Major

WGMMA_COLUMNS = 8
SUMS = {"f32": ("float", "f"), "f16": ("unsigned", "r"), "s32": ("int", "r"), "f64": ("double", "d")}
"""C type and constraint of a register of C and D."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """A matrix instruction: (m, n, k), the PTX types of A and B, and of C and D; `span` and `major` are those of wgmma's operands."""

    m: int
    n: int
    k: int
    kind: str
    sums: str
    span: int | None = None
    major: Major = "K"

    @property
    def name(self) -> str:
        """A name for the record."""
        where = "mma" if self.span is None else f"wgmma.{self.span}.{self.major}"
        return f"{where}.m{self.m}n{self.n}k{self.k}.{self.sums}.{self.kind}"

    def maps(self) -> tuple[LaneMap, ...]:
        """A, B and D of mma.sync, or D of wgmma."""
        bits = {"f16": 16, "f64": 64}.get(self.sums, 32)
        if self.span is None:
            return mma_maps(self.m, self.n, self.k, self.kind, bits)
        return (wgmma_maps(self.n, self.kind, bits)[1],)


MMA = (
    Instruction(16, 8, 8, "f16", "f32"), Instruction(16, 8, 8, "f16", "f16"), Instruction(16, 8, 16, "f16", "f32"),
    Instruction(16, 8, 16, "f16", "f16"),
    Instruction(16, 8, 8, "bf16", "f32"), Instruction(16, 8, 16, "bf16", "f32"), Instruction(16, 8, 4, "tf32", "f32"),
    Instruction(16, 8, 8, "tf32", "f32"), Instruction(16, 8, 16, "s8", "s32"), Instruction(16, 8, 32, "s8", "s32"),
    Instruction(8, 8, 4, "f64", "f64"), Instruction(16, 8, 16, "f64", "f64"),
)  # fmt: skip
WGMMA = tuple(Instruction(64, WGMMA_COLUMNS, 256 // BITS[kind], kind, sums, span)
              for kind, sums in (("bf16", "f32"), ("f16", "f32"), ("f16", "f16"), ("tf32", "f32"), ("s8", "s32"))
              for span in (0, 32, 64, 128)) + tuple(
    Instruction(64, 64, 16, "bf16", "f32", span, "MN") for span in (0, 32, 64, 128))  # fmt: skip


def _registers(first: int, count: int) -> str:
    return "{" + ", ".join(f"%{first + each}" for each in range(count)) + "}"


def mma_text(instruction: Instruction) -> str:
    """A warp a block: `run(a, b, c, d)`, registers x lanes of each warp."""
    a, b, d = instruction.maps()
    c_type, constraint = SUMS[instruction.sums]
    inputs, letter = ("double", "d") if instruction.kind == "f64" else ("unsigned", "r")
    na, nb, nd = a.registers, b.registers, d.registers
    shape = f"m{instruction.m}n{instruction.n}k{instruction.k}"
    types = f"{instruction.sums}.{instruction.kind}.{instruction.kind}.{instruction.sums}"
    outs = ", ".join(f'"+{constraint}"(d[{each}])' for each in range(nd))
    ins = ", ".join([f'"{letter}"(a[{each}])' for each in range(na)] + [f'"{letter}"(b[{each}])' for each in range(nb)])
    return f"""
extern "C" __global__ void run(const {inputs}* A, const {inputs}* B, const {c_type}* C, {c_type}* D)
{{
    int t = blockIdx.x * 32 + threadIdx.x;
    {inputs} a[{na}], b[{nb}];
    {c_type} d[{nd}];
    for (int i = 0; i < {na}; ++i) a[i] = A[t * {na} + i];
    for (int i = 0; i < {nb}; ++i) b[i] = B[t * {nb} + i];
    for (int i = 0; i < {nd}; ++i) d[i] = C[t * {nd} + i];
    asm volatile("mma.sync.aligned.{shape}.row.col.{types} {_registers(0, nd)}, {_registers(nd, na)}, "
        "{_registers(nd + na, nb)}, {_registers(0, nd)};" : {outs} : {ins});
    for (int i = 0; i < {nd}; ++i) D[t * {nd} + i] = d[i];
}}
"""


def wgmma_text(instruction: Instruction, image_bytes: int) -> str:
    """A warpgroup a block: `run(image, c, d, a, b)`, shared memory as bytes, and descriptors relative to its beginning."""
    (d,) = instruction.maps()
    c_type, constraint = SUMS[instruction.sums]
    nd = d.registers
    turned = f", {int(instruction.major == 'MN')}, {int(instruction.major == 'MN')}" if BITS[instruction.kind] == 16 else ""
    signs = "" if instruction.sums == "s32" else f", 1, 1{turned}"
    name = f"wgmma.mma_async.sync.aligned.m64n{instruction.n}k{instruction.k}.{instruction.sums}.{instruction.kind}.{instruction.kind}"
    outs = ", ".join(f'"+{constraint}"(d[{each}])' for each in range(nd))
    return f"""
extern "C" __global__ void run(const unsigned* image, const {c_type}* C, {c_type}* D, unsigned long long a, unsigned long long b)
{{
    extern __shared__ __align__(1024) unsigned shared[];
    int t = blockIdx.x * 128 + threadIdx.x;
    for (int i = threadIdx.x; i < {image_bytes // 4}; i += 128) shared[i] = image[blockIdx.x * {image_bytes // 4} + i];
    unsigned long long start = (unsigned)__cvta_generic_to_shared(shared) >> 4;
    {c_type} d[{nd}];
    for (int i = 0; i < {nd}; ++i) d[i] = C[t * {nd} + i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{name} {_registers(0, nd)}, %{nd}, %{nd + 1}, 1{signs};" : {outs} : "l"(a + start), "l"(b + start));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < {nd}; ++i) D[t * {nd} + i] = d[i];
}}
"""
