"""Kernels that move random data by one instruction between registers, shared and global memory, and what they should leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.fragments import matrix_map

Array = npt.NDArray[Any]
LINES, PIECE = 64, 16
"""Shared memory of a warp, in pieces of 16 bytes."""
_AT = "#define AT(p) (unsigned)__cvta_generic_to_shared(p)\n"


@dataclass(frozen=True, slots=True)
class Move:
    """ldmatrix or stmatrix of `count` matrices, or cp.async of `size` bytes a lane, with or without a count of bytes that are read."""

    name: str
    count: int = 0
    transposed: bool = False
    size: int = 0
    zeros: bool = False

    @property
    def title(self) -> str:
        """A name for the record."""
        if self.size:
            return f"{self.name}.{self.size}{'.zeros' * self.zeros}"
        return f"{self.name}.x{self.count}{'.trans' * self.transposed}"

    def drawn(self, sets: int) -> tuple[Array, Array, Array]:
        """What is in memory (ldmatrix, cp.async) or registers (stmatrix), each lane's place and source; the same for a name."""
        random = np.random.default_rng(list(self.title.encode()))
        words = 32 * self.count if self.name == "stmatrix" else LINES * PIECE // 4
        data = random.integers(0, 1 << 32, (sets, words), np.uint32, endpoint=False)
        unit = self.size or PIECE
        lines = LINES * PIECE // unit
        order = random.permuted(np.tile(np.arange(lines), (sets, 1)), axis=1)[:, :32]  # nobody writes where another one does
        anywhere = random.integers(0, lines, (sets, 32))
        read = random.integers(0, self.size + 1, (sets, 32)) if self.zeros else np.full((sets, 32), self.size)
        place = anywhere if self.name == "ldmatrix" else order
        return data, (place * unit).astype(np.uint32), (anywhere * unit | read << 16).astype(np.uint32)

    def expected(self, data: Array, place: Array, source: Array) -> Array:
        """What the instruction leaves: registers of each lane (ldmatrix), or shared memory: zero before stmatrix, else ones."""
        if self.name == "cp.async":
            return self._copied(data, place, source)
        each, sets = matrix_map(self.count, transposed=self.transposed), np.arange(len(data))[:, None]
        rows = place[:, : 8 * self.count] // PIECE
        if self.name == "ldmatrix":
            lines = data.view(np.uint16).reshape(len(data), LINES, 8)
            return each.pack(lines[sets, rows]).reshape(len(data), -1)
        image = np.zeros((len(data), LINES, 8), np.uint16)
        image[sets, rows] = each.elements(data.reshape(len(data), 32, self.count))
        return image.reshape(len(data), -1).view(np.uint32)

    def _copied(self, data: Array, place: Array, source: Array) -> Array:
        given, image = data.view(np.uint8), np.full((len(data), LINES * PIECE), 0xFF, np.uint8)
        byte, sets = np.arange(self.size), np.arange(len(data))[:, None, None]
        values = given[sets, (source & 0xFFFF)[..., None] + byte]
        image[sets, place[..., None] + byte] = np.where(byte < (source >> 16)[..., None], values, 0)
        return image.view(np.uint32)

    @property
    def text(self) -> str:
        """A warp a block: `run(data, place, from, out)`."""
        return _AT + (self._copy if self.size else self._matrix)

    @property
    def _copy(self) -> str:
        cache = "cg" if self.size == PIECE else "ca"
        bytes_read = ', "r"(from[t] >> 16)' * self.zeros
        order = f"cp.async.{cache}.shared.global [%0], [%1], {self.size}{', %2' * self.zeros};"
        return f"""
extern "C" __global__ void run(const unsigned* data, const unsigned* place, const unsigned* from, unsigned* out)
{{
    __shared__ __align__(16) unsigned shared[{LINES * 4}];
    int t = blockIdx.x * 32 + threadIdx.x;
    const char* source = (const char*)(data + blockIdx.x * {LINES * 4}) + (from[t] & 0xFFFF);
    for (int i = threadIdx.x; i < {LINES * 4}; i += 32) shared[i] = 0xFFFFFFFFu;
    __syncwarp();
    asm volatile("{order}" :: "r"(AT(shared) + place[t]), "l"(source){bytes_read} : "memory");
    asm volatile("cp.async.commit_group;\\ncp.async.wait_group 0;" ::: "memory");
    __syncwarp();
    for (int i = threadIdx.x; i < {LINES * 4}; i += 32) out[blockIdx.x * {LINES * 4} + i] = shared[i];
}}
"""

    @property
    def _matrix(self) -> str:
        load, first = self.name == "ldmatrix", 0 if self.name == "ldmatrix" else 1
        registers = "{" + ", ".join(f"%{first + each}" for each in range(self.count)) + "}"
        order = f"{self.name}.sync.aligned.m8n8.x{self.count}{'.trans' * self.transposed}.shared.b16"
        operands = ", ".join(f'"{"=" * load}r"(r[{each}])' for each in range(self.count))
        words, own = LINES * 4, 32 * self.count
        given = f"shared[i] = data[blockIdx.x * {words} + i];" if load else "shared[i] = 0;"
        act = (
            f'asm volatile("{order} {registers}, [%{self.count}];" : {operands} : "r"(row) : "memory");'
            if load else f'asm volatile("{order} [%0], {registers};" :: "r"(row), {operands} : "memory");'
        )  # fmt: skip
        every = f"for (int i = 0; i < {self.count}; ++i) "
        at = f"[blockIdx.x * {own} + threadIdx.x * {self.count} + i]"
        before = "" if load else f"{every}r[i] = data{at};"
        after = (
            f"{every}out{at} = r[i];"
            if load
            else f"for (int i = threadIdx.x; i < {words}; i += 32) out[blockIdx.x * {words} + i] = shared[i];"
        )
        return f"""
extern "C" __global__ void run(const unsigned* data, const unsigned* place, const unsigned* from, unsigned* out)
{{
    __shared__ __align__(16) unsigned shared[{words}];
    unsigned r[{self.count}], row = AT(shared) + place[blockIdx.x * 32 + threadIdx.x];
    for (int i = threadIdx.x; i < {words}; i += 32) {given}
    __syncwarp();
    {before}
    {act}
    __syncwarp();
    {after}
}}
"""


MOVES = (
    *(Move(name, count, turned) for name in ("ldmatrix", "stmatrix") for count in (1, 2, 4) for turned in (False, True)),
    *(Move("cp.async", size=size, zeros=zeros) for size in (4, 8, 16) for zeros in (False, True)),
)


@dataclass(frozen=True, slots=True)
class Box:
    """A random copy of a box by a tensor map, from or to the tensor."""

    number: int
    store: bool
    shape: tuple[int, ...]
    """Of the tensor, as NumPy counts it."""
    dtype: str
    box: tuple[int, ...]
    """The innermost dimension first."""
    span: int
    start: tuple[int, ...]

    @property
    def tensor(self) -> Array:
        """The tensor: its elements are numbered, from 1."""
        count = int(np.prod(self.shape))
        return (np.arange(count) % 65000 + 1).astype(self.dtype).reshape(self.shape)

    @property
    def words(self) -> int:
        """Of shared memory that the kernel fills and hands back."""
        row = self.box[0] * np.dtype(self.dtype).itemsize
        return int(max(self.span, row) * np.prod(self.box[1:], dtype=np.int64)) // 4

    @property
    def bytes(self) -> int:
        """Of the box."""
        return int(np.prod(self.box)) * np.dtype(self.dtype).itemsize


def boxes(count: int = 160) -> list[Box]:
    """Random boxes of 1 to 5 dimensions, in and across the tensor's edges, with each swizzle. Every eighth begins at any element, or is
    stored from before the tensor: a GPU takes none of these but by chance."""
    random, found = np.random.default_rng(19), []
    for number in range(count):
        rank, span, store = 1 + number % 5, (0, 32, 64, 128)[number // 5 % 4], number // 20 % 2 == 1
        dtype = ("u1", "u2", "f4", "f8")[int(random.integers(4))]
        size = np.dtype(dtype).itemsize
        widths = [16 * each for each in range(1, (span or 128) // 16 + 1)]
        box = (int(random.choice(widths)) // size, *(int(random.integers(1, 5)) for _ in range(rank - 1)))
        shape = (*(int(random.integers(1, 7)) for _ in range(rank - 1)), int(random.integers(1, 9)) * 16 // size)
        anywhere = number % 8 == 7
        least = 0 if store and not anywhere else -2
        first = int(random.integers(-4, 5)) if anywhere else int(random.integers(least, 5)) * 16 // size
        start = (first, *(int(random.integers(least, 4)) for _ in range(rank - 1)))
        found.append(Box(number, store, shape, dtype, box, span, start))
    return found


@dataclass(frozen=True, slots=True)
class Stretch:
    """A bulk copy of `size` bytes between global memory, from `at` on, and shared memory, from `to` on; both begin at a line."""

    store: bool
    at: int
    to: int
    size: int

    @property
    def name(self) -> str:
        """Of the record."""
        return f"stretch {'from' if self.store else 'to'} {self.to}, {self.at} + {self.size}"


def stretches() -> list[Stretch]:
    """Such that begin and end at lines, at sectors, in the middle of one; short and long."""
    placed = [(0, 0), (16, 0), (0, 16), (16, 16), (32, 0), (48, 32), (112, 0), (96, 48)]
    found = [Stretch(store=False, at=at, to=to, size=size) for at, to in placed for size in (16, 32, 96, 128, 272, 1024)]
    return found + [Stretch(store=True, at=at, to=to, size=size) for at, to in placed[:6] for size in (16, 96, 272)]


def stretch_text(store: bool) -> str:
    """One warp: `run(in, out, at, to, bytes)`: of a load `in` is copied and `out` gets what was, of a store the other way round."""
    copy = (
        "cp.async.bulk.global.shared::cta.bulk_group [%1], [%0], %2;\\ncp.async.bulk.commit_group;\\ncp.async.bulk.wait_group 0;"
        if store else
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%3], %2;\\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
    )  # fmt: skip
    wait = "" if store else """
    unsigned done = 0;
    while (!done)
        asm volatile("{\\n.reg .pred p;\\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\\nselp.u32 %0, 1, 0, p;\\n}"
            : "=r"(done) : "r"(AT(&barrier)) : "memory");"""  # fmt: skip
    return f"""{_AT}
extern "C" __global__ void run(char* in, char* out, int at, int to, int bytes)
{{
    __shared__ __align__(128) char shared[2048];
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(AT(&barrier)) : "memory");
    for (int i = t; i < 2048; i += 32) shared[i] = i;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("{copy}"
            :: "r"(AT(shared) + to), "l"({"out" if store else "in"} + at), "r"(bytes), "r"(AT(&barrier)) : "memory");{wait}
    __syncthreads();
    {"" if store else "out[t] = shared[to + t % bytes];"}
}}
"""


def box_text(rank: int, store: bool) -> str:
    """One warp: `run(map, in, out, bytes, words, c0 .. c4)`: shared memory from `in`, the copy, it to `out`; waits are bounded."""
    start = "{" + ", ".join(f"%{3 + each}" for each in range(rank)) + "}"
    given = ", ".join(f'"r"(c{each})' for each in range(rank))
    load = (
        f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {start}], [%2];"
        if not store else
        f"cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group [%1, {start}], [%0];\\n"
        "cp.async.bulk.commit_group;\\ncp.async.bulk.wait_group 0;"
    )  # fmt: skip
    wait = "" if store else """
    unsigned done = 0;
    for (int tries = 0; tries < 1000 && !done; ++tries)
        asm volatile("{\\n.reg .pred p;\\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\\nselp.u32 %0, 1, 0, p;\\n}"
            : "=r"(done) : "r"(AT(&barrier)) : "memory");
    if (!done) out[0] = 0xDEADu;"""  # fmt: skip
    return f"""{_AT}
extern "C" __global__ void run(const __grid_constant__ CUtensorMap map, const unsigned* in, unsigned* out, int bytes, int words,
    int c0, int c1, int c2, int c3, int c4)
{{
    extern __shared__ __align__(1024) unsigned shared[];
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    for (int i = t; i < words; i += 32) shared[i] = in[i];
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(AT(&barrier)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0) {{
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(AT(&barrier)), "r"(bytes) : "memory");
        asm volatile("{load}" :: "r"(AT(shared)), "l"(&map), "r"(AT(&barrier)), {given} : "memory");
    }}{wait}
    __syncthreads();
    for (int i = t; i < words; i += 32) out[i] = shared[i];
}}
"""
