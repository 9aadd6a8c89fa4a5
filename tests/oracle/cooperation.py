"""Random kernels whose threads work together: barriers, shared memory, shuffles, votes, atomics whose order cannot be seen.

All threads reach each of these together, so that every order of execution gives the same.
"""

from __future__ import annotations

from random import Random

from tests.oracle.expressions import INTEGERS, Name
from tests.oracle.programs import HEAD, PREAMBLE, Author

COOPERATING_BLOCK = 64
"""Whole warps: what a shuffle gives from a lane that is not there is undefined."""
GROUPS = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;

"""
"""Before what uses groups; g++ has them without."""
SHARED = """    __shared__ int tile[64];
    __shared__ float pair[2][32];
    __shared__ unsigned total[8];
    __shared__ int lanes[64];
"""
ATOMICS = (("atomicAdd", "0"), ("atomicMax", "0"), ("atomicMin", "~0u"), ("atomicOr", "0"), ("atomicXor", "5"), ("atomicAnd", "~0u"))


def write(random: Random) -> str:
    """The text of a translation unit with the kernel `ENTRY`."""
    return Cooperating(random).cooperation(random.randrange(1, 6))


class Cooperating(Author):
    """Writes kernels in phases that all threads go through."""

    grouped = False
    """Whether it uses cooperative groups."""

    def cooperation(self, phases: int) -> str:
        self.grouped = self.random.random() < 0.4
        functions = self.start()
        lines = self.opening()
        for _ in range(phases):
            lines += self.phase(2)
            lines += self.statement(2)
        return (
            f"{PREAMBLE}{GROUPS if self.grouped else ''}{functions}{HEAD}{SHARED}"
            + "".join(f"    {line}\n" for line in [*lines, *self.results()])
            + "}\n"
        )

    def phase(self, depth: int) -> list[str]:
        simple = [self.exchange_integers, self.exchange_reals, self.shuffle, self.shuffle, self.vote, self.tally]
        simple += [self.group, self.group, self.warp_exchange] if self.grouped else [self.warp_exchange]
        if depth == 0 or self.random.random() < 0.6:
            return self.random.choice(simple)()
        name = Name(self.fresh("u"), "int", writable=False)
        condition = self.random.choice(("n > 5", "blockIdx.x == 0", "in[7] > 0", "n % 2 == 0 || in[2] < 9"))
        head = self.random.choice((
            f"for (int {name.text} = 0; {name.text} < {self.random.randrange(1, 4)}; ++{name.text}) {{",
            f"for (int {name.text} = n; {name.text} > blockIdx.x; {name.text} /= 2) {{",
            f"if ({condition}) {{",
        ))  # fmt: skip
        before = list(self.scope)
        self.scope += [name] if head.startswith("for") else []
        lines = [f"    {line}" for line in [*self.statement(1), *self.phase(depth - 1), *self.statement(1)]]
        self.scope = before
        return [head, *lines, "}"]

    def received(self, types: tuple[str, ...], value: str) -> str:
        """Some variable gets the value."""
        name = self.target(types)
        assert name is not None, "there are variables of the thread from the start"
        return f"{name.text} {self.random.choice(('=', '+=', '^=') if types is INTEGERS else ('=', '+='))} {value};"

    def lane(self) -> str:
        return self.random.choice(
            ("63 - threadIdx.x", "threadIdx.x ^ 5", "(threadIdx.x + 17) % 64", "threadIdx.x / 2", "3", f"tid + {self.index(64)} & 63")
        )

    def exchange_integers(self) -> list[str]:
        return [
            f"tile[threadIdx.x] = {self.integer(2)};",
            "__syncthreads();",
            self.received(INTEGERS, f"tile[{self.lane()}]"),
            "__syncthreads();",
        ]  # fmt: skip

    def exchange_reals(self) -> list[str]:
        row, column = self.random.choice((("threadIdx.x / 32", "threadIdx.x % 32"), ("threadIdx.x & 1", "threadIdx.x >> 1")))
        return [
            f"pair[{row}][{column}] = {self.real(2)};",
            "__syncthreads();",
            self.received(("float", "double"), f"pair[{self.index(2)}][{self.index(32)}]"),
            "__syncthreads();",
        ]  # fmt: skip

    def shuffle(self) -> list[str]:
        kind = self.random.choice(("", "_up", "_down", "_xor"))
        width = self.random.choice(("", "", ", 16", ", 8"))
        by = f"({self.integer(1)} & 31)" if kind == "" else str(self.random.randrange(0, 8))
        if self.random.random() < 0.4:
            return [self.received(("float", "double"), f"__shfl{kind}_sync(0xffffffffu, (float)({self.real(2)}), {by}{width})")]
        value = f"({self.random.choice(('int', 'unsigned', 'long long'))})({self.integer(2)})"
        return [self.received(INTEGERS, f"__shfl{kind}_sync(0xffffffffu, {value}, {by}{width})")]

    def group(self) -> list[str]:
        """A tile of a warp: what its members bring, and what they are."""
        tile, width = self.fresh("g"), self.random.choice((4, 8, 16, 32))
        value = f"({self.random.choice(('int', 'unsigned', 'long long'))})({self.integer(2)})"
        made = f"auto {tile} = cg::tiled_partition<{width}>(cg::this_thread_block());"
        if self.random.random() < 0.3:
            real = f"{tile}.shfl_{self.random.choice(('up', 'down', 'xor'))}((float)({self.real(2)}), {self.random.randrange(4)})"
            return [made, self.received(("float", "double"), real)]
        asked = self.random.choice((
            f"{tile}.shfl({value}, {self.index(width)})", f"{tile}.shfl_up({value}, {self.random.randrange(4)})",
            f"{tile}.shfl_down({value}, {self.random.randrange(4)})", f"{tile}.shfl_xor({value}, {self.random.randrange(4)})",
            f"{tile}.any({self.condition(1)})", f"{tile}.all({self.condition(1)})", f"{tile}.ballot({self.condition(1)})",
            f"{tile}.thread_rank() * 10 + {tile}.size() + {tile}.meta_group_rank()",
        ))  # fmt: skip
        return [made, self.received(INTEGERS, asked)]

    def warp_exchange(self) -> list[str]:
        """Shared memory that only the threads of a warp exchange through."""
        meet = self.random.choice(("__syncwarp();", "__syncwarp(0xffffffffu);"))
        return [
            f"lanes[threadIdx.x] = {self.integer(2)};", meet,
            self.received(INTEGERS, f"lanes[threadIdx.x ^ {self.random.randrange(32)}]"), meet,
        ]  # fmt: skip

    def vote(self) -> list[str]:
        name = self.random.choice(
            ("__ballot_sync", "__any_sync", "__all_sync", "__syncthreads_count", "__syncthreads_or", "__syncthreads_and")
        )
        mask = "0xffffffffu, " if name.endswith("_sync") else ""
        return [self.received(INTEGERS, f"{name}({mask}{self.condition(2)})")]

    def tally(self) -> list[str]:
        name, start = self.random.choice(ATOMICS)
        guard = [f"if ({self.condition(1)})"] if self.random.random() < 0.5 else []
        return [
            f"if (threadIdx.x < 8) total[threadIdx.x] = {start};",
            "__syncthreads();",
            *guard,
            f"    {name}(&total[{self.index(8)}], (unsigned)({self.integer(2)}));",
            "__syncthreads();",
            self.received(INTEGERS, f"(int)total[{self.index(8)}]"),
            "__syncthreads();",
        ]
