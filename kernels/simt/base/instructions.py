"""The instructions of PTX that stay calls in the representation, by the names that they have there: what each is, and its shape."""

from __future__ import annotations

from kernels.base.values import dataclass
from kernels.simt.base.fragments import BITS, MMA_SHAPES, mma_maps
from kernels.simt.base.types import F32, F64, I32, U32, Scalar

SUMS = {"f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "s8": ("s32",), "u8": ("s32",), "f64": ("f64",)}
"""The types of C and D, by the one of A."""
_REGISTERS = {"f32": F32, "s32": I32, "f64": F64, "f16": U32}
_PARTNERS = (("s8", "u8"),)
"""Types of A and B that may stand beside each other."""


@dataclass(frozen=True, slots=True)
class Product:
    """`mma.sync` of one shape: D = A B + C, of m x k, k x n and m x n; A and B of the types `left` and `right`, C and D of `sums`."""

    m: int
    n: int
    k: int
    left: str
    right: str
    sums: str

    @property
    def sum_bits(self) -> int:
        """Bits of an element of C and D."""
        return 16 if self.sums == "f16" else 32

    @property
    def registers(self) -> tuple[tuple[int, Scalar], ...]:
        """Of A, B, and C or D, how many registers a lane has, and of which type."""
        a, b, c = mma_maps(self.m, self.n, self.k, self.left, self.sum_bits)
        kind = F64 if self.left == "f64" else U32
        return (a.registers, kind), (b.registers, kind), (c.registers, _REGISTERS[self.sums])

    @property
    def operations(self) -> int:
        """Floating-point operations of each lane: its part of 2 m n k; none in whole numbers."""
        return 0 if self.sums == "s32" else 2 * self.m * self.n * self.k // 32


@dataclass(frozen=True, slots=True)
class GroupProduct:
    """`wgmma` of one shape: D += A B of 64 x k and k x n."""

    n: int
    k: int
    left: str
    right: str
    sums: str

    @property
    def registers(self) -> tuple[int, Scalar]:
        """Of D, how many registers a lane has, and of which type."""
        return self.n // 4 if self.sums == "f16" else self.n // 2, _REGISTERS[self.sums]

    @property
    def operations(self) -> int:
        """Floating-point operations of each lane: its part of 2 m n k; none in whole numbers."""
        return 0 if self.sums == "s32" else self.n * self.k


def _partners(kind: str) -> tuple[str, ...]:
    return next((each for each in _PARTNERS if kind in each), (kind,))


def _products() -> dict[str, Product]:
    found = {}
    for left in SUMS:
        for m, n, k in MMA_SHAPES[left]:
            for right in _partners(left):
                for sums in SUMS[left]:
                    each = Product(m, n, k, left, right, sums)
                    found[f"m{m}n{n}k{k}.{sums}.{left}.{right}.{sums}"] = each
    return found


def _group_products() -> dict[str, GroupProduct]:
    found = {}
    for left in SUMS:
        k = 256 // BITS[left]
        for right in _partners(left) if left != "f64" else ():
            for sums in SUMS[left]:
                for n in range(8, 257, 8):
                    found[f"m64n{n}k{k}.{sums}.{left}.{right}"] = GroupProduct(n, k, left, right, sums)
    return found


MMA = _products()
"""By shape and types as PTX writes them: `m16n8k16.f32.bf16.bf16.f32`."""
WGMMA = _group_products()
"""By shape and types as PTX writes them: `m64n128k16.f32.bf16.bf16`."""
_MATRICES = tuple(f"x{count}{trans}" for count in (1, 2, 4) for trans in ("", ".trans"))
MATRIX_NAMES = (
    *(f"{move}.{what}" for move in ("ldmatrix", "stmatrix") for what in _MATRICES),
    *(f"mma.{name}" for name in MMA),
    *(f"mma.{name}.satfinite" for name, each in MMA.items() if each.sums == "s32"),
    *(f"wgmma.{name}" for name in WGMMA),
    *("wgmma.fence", "wgmma.commit_group", "wgmma.wait_group", "wgmma.test_wait", "setmaxnreg"),
    *("wgmma.sums", "wgmma.used"),
)
"""Instructions of a whole warp on matrices."""
BIT_NAMES = (
    "lop3.b32",
    "bfe.b32",
    "bfe.s32",
    "bfi.b32",
    "ftz.f32",
    "cvta.to.shared",
    "cvta.shared::cta",
    "cvta.shared::cluster",
    *(f"cvt.{mode}.tf32.f32" for mode in ("rna", "rn", "rz")),
    *(f"shfl.within.{mode}" for mode in ("up", "down", "bfly", "idx")),
)
"""Functions of one lane's values."""
BARRIER_INIT = "mbarrier.init"
BARRIER_NAMES = (
    BARRIER_INIT,
    *(f"mbarrier.{name}" for name in ("inval", "arrive", "arrive_drop", "test_wait", "test_wait.parity", "pending_count")),
    *("cp.async.mbarrier.arrive", "cp.async.mbarrier.arrive.noinc"),
)
"""Operations on barriers in shared memory."""
NUMBERED_BARRIER_NAMES = ("barrier.arrive", "barrier.test_wait", "cluster.arrive", "cluster.test_wait")
"""Those on the barriers of a block that have numbers, and on the one of a cluster."""
TESTS = ("mbarrier.test_wait", "mbarrier.test_wait.parity", "barrier.test_wait", "cluster.test_wait", "wgmma.test_wait")
"""Those that look whether a phase is complete."""
CLUSTER_REDUCTIONS = {
    **dict.fromkeys(("and", "or", "xor"), ("b32",)), **dict.fromkeys(("inc", "dec"), ("u32",)),
    **dict.fromkeys(("min", "max"), ("u32", "s32")), "add": ("u32", "s32", "u64"),
}  # fmt: skip
"""What an asynchronous update does in the shared memory of a block of the cluster, and of which types."""
GLOBAL_REDUCTIONS = {
    **dict.fromkeys(("and", "or", "xor"), ("b32", "b64")), **dict.fromkeys(("inc", "dec"), ("u32",)),
    **dict.fromkeys(("min", "max"), ("u32", "s32", "u64", "s64", "f16", "bf16")),
    "add": ("u32", "s32", "u64", "f32", "f64", "f16", "bf16"),
}  # fmt: skip
"""The same in global memory."""
_IN_CLUSTER, _IN_GLOBAL = (
    tuple(f"{operation}.{kind}" for operation, kinds in each.items() for kind in kinds) for each in (CLUSTER_REDUCTIONS, GLOBAL_REDUCTIONS)
)
BULK_NAMES = (
    *(f"cp.async.bulk.{name}" for name in ("shared", "global", "commit_group", "wait_group", "tensor.shared", "tensor.global", "cluster")),
    *(f"cp.async.bulk.reduce.cluster.{each}" for each in _IN_CLUSTER),
    *(f"cp.async.bulk.reduce.global.{each}" for each in _IN_GLOBAL),
)
"""Copies in bulk, and those that update what they come to."""
REMOTE_NAMES = ("st.async", *(f"red.async.{each}" for each in _IN_CLUSTER))
"""What a thread sends from its registers into the shared memory of a block of the cluster."""
_PARTS = {"f32": (64, 128), "f16": (32, 64, 128), "bf16": (16, 32, 64, 128), "f16x2": (32, 64, 128), "bf16x2": (32, 64, 128)}
UPDATE_NAMES = tuple(
    f"atomic.{operation}.{kind}.b{bits}"
    for kind, sizes in _PARTS.items()
    for bits in sizes
    for operation in (("add",) if kind == "f32" else ("add", "min", "max"))
)
"""Atomic updates of several floats that stand side by side, and of a bfloat16."""
FENCE_NAMES = ("fence.proxy.async", "fence.mbarrier_init")


def product_of(name: str) -> Product | GroupProduct | None:
    """The product that a call of this name makes."""
    kind, _, shape = name.removesuffix(".satfinite").partition(".")
    return MMA.get(shape) if kind == "mma" else WGMMA.get(shape) if kind == "wgmma" else None
