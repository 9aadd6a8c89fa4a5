"""Edits that solve the challenges about memory order, and those that only look like it; what is expected of any challenge on a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Edits = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Expected:
    """`missed`: the targets that the given text misses. `solution`: edits that solve it. `constant`: a body that writes without working."""

    missed: frozenset[str]
    solution: Edits
    constant: str
    grid: tuple[int, int, int] | None = None
    wrong: Edits = ()
    """Edits that look like a solution and are none."""
    pretended: Mapping[str, Edits] = field(default_factory=dict)
    """Further ones, by name."""
    others: Mapping[str, Edits] = field(default_factory=dict)
    """Other edits that solve it, by name."""


WIDE, NARROW = "__threadfence();\n", "__threadfence_block();\n"

# ------------------------------------------------------------ double-buffer

SYNC = "        __syncthreads();\n\n"
END = "        i = next;"
FRONT = ((SYNC, ""), ("        int now = tile", f"{SYNC.strip(chr(10))}\n        int now = tile"))
AT_END = ((SYNC, ""), (END, SYNC[:-1] + END))
DOUBLE_BUFFER = Expected(
    frozenset({"schedule"}),
    FRONT,
    "if (at < n) C[at] = A[at];",
    wrong=((SYNC, ""),),
    pretended={
        "a second barrier in each round": ((END, SYNC[:-1] + END),),
        "behind the reading alone": AT_END,
        "in every second round": ((END, "        if (now == 1) __syncthreads();\n" + END),),
        "of the warp": ((END, "        __syncwarp();\n" + END),),
        "read from A again": (("part[now][63 - t]", "(i / 64 * 64 + 63 - t < n ? A[i / 64 * 64 + 63 - t] : 0.0f)"),),
    },
    others={
        "behind the reading, and before the rounds": (*AT_END, ("    for (int tile", "    __syncthreads();\n    for (int tile")),
        "three buffers": (("part[2][64]", "part[3][64]"), ("tile % 2", "tile % 3"), ("part[1 - now]", "part[(now + 1) % 3]")),
    },
)

# ------------------------------------------------------------ swizzled-rows

READ, WRITTEN = "(piece ^ r % 4)", "(piece ^ r / 2 % 4)"
LOAD_A = "        load(a, &tile[r * 4 + (piece ^ r % 4)]);\n"
SWIZZLED_ROWS = Expected(
    frozenset({"banks"}),
    ((READ, WRITTEN),),
    "if (at < rows * 8) C[at] = 1.0f;",
    wrong=((WRITTEN, "piece"),),
    pretended={
        "no exchange at all": ((WRITTEN, "piece"), (READ, "piece")),
        "by r % 4 on both sides": ((WRITTEN, READ),),
        "one bit too far": ((READ, "(piece ^ r / 4 % 4)"),),
        "rotated where it is read": ((READ, "(piece + r / 2) % 4"),),
        "read as it is": ((READ, "piece"),),
        "padded": (("tile[16 * 4]", "tile[16 * 5]"), (f"r * 4 + {WRITTEN}", "r * 5 + piece"), (f"r * 4 + {READ}", "r * 5 + piece")),
        "every second bit": ((READ, "(piece ^ (r & 2))"),),
        "right and loaded twice": ((LOAD_A, 2 * LOAD_A.replace(READ, WRITTEN)),),
    },
    others={
        "in bits": ((READ, "(piece ^ r >> 1 & 3)"),),
        "rotated on both sides": ((WRITTEN, "(piece + r / 2) % 4"), (READ, "(piece + r / 2) % 4")),
    },
)

# ------------------------------------------------------------ copies-ahead

WAIT = "        __pipeline_wait_prior(STAGES - 1);\n"
WAIT_ONE = "        __pipeline_wait_prior(STAGES - 2);\n"
ALL_WAIT = "        __syncthreads();\n"
SET_OUT = "        set_out(tile + STAGES - 1);\n"
COPIES_AHEAD = Expected(
    frozenset({"arrived"}),
    ((WAIT, WAIT_ONE),),
    "C[blockIdx.x * 64 + threadIdx.x] = 1.0f;",
    wrong=((WAIT, ""),),
    pretended={
        "a second barrier": ((WAIT, WAIT + ALL_WAIT),),
        "one more on their way": ((WAIT, WAIT.replace("- 1", "")),),
        "waited for behind the barrier": ((WAIT + ALL_WAIT, ALL_WAIT + WAIT_ONE),),
        "four stages": (("#define STAGES 3", "#define STAGES 4"),),
        "waited for by one warp": ((WAIT, WAIT + "        if (t < 32) __pipeline_wait_prior(1);\n"),),
        "set out before the barrier": ((f"{WAIT}{ALL_WAIT}{SET_OUT}", f"{WAIT_ONE}{SET_OUT}{ALL_WAIT}"),),
        "copies of nobody committed": (("        __pipeline_commit();\n", ""),),
    },
    others={
        "all of them": ((WAIT, "        __pipeline_wait_prior(0);\n"),),
    },
)

# ------------------------------------------------------------ lock-scope

TAKEN, BEFORE, FREED = "    while (atomicCAS(lock, 0, 1) != 0) {}\n", "    " + NARROW, "    atomicExch(lock, 0);\n"
BEHIND = (TAKEN, TAKEN + "    " + WIDE)
WIDENED = (BEFORE, "    " + WIDE)
LOCK_SCOPE = Expected(
    frozenset({"races"}),
    (BEHIND, WIDENED),
    "if (at == 0) best[0] = A[0];",
    wrong=(WIDENED,),
    pretended={
        "behind the taking alone": (BEHIND,),
        "narrow fences": ((TAKEN, TAKEN + BEFORE),),
        "before the taking": ((TAKEN, "    " + WIDE + TAKEN), WIDENED),
        "behind the giving back": (BEHIND, (BEFORE, ""), (FREED, FREED + "    " + WIDE)),
        "atomics of the block": (BEHIND, WIDENED, ("atomicCAS(", "atomicCAS_block("), ("atomicExch(", "atomicExch_block(")),
        "given back plainly": (BEHIND, WIDENED, ("atomicExch(lock, 0)", "*lock = 0")),
        "volatile": (("int* best", "volatile int* best"),),
        "without the lock": ((TAKEN, ""), (BEFORE, ""), (FREED, "")),
        "by one block": (
            ("first = blockIdx.x * blockDim.x,", "first = 0,"),
            ("min(first + (int)blockDim.x, n)", "n"),
            ("threadIdx.x != 0", "threadIdx.x != 0 || blockIdx.x != 0"),
        ),
    },
)

# ------------------------------------------------------------ spinning-lock

SPINNING = """        while (atomicCAS(&locks[bucket], 0, 1) != 0) {}
        __threadfence();
        sums[bucket] += A[i];
        counts[bucket] += 1;
        __threadfence();
        atomicExch(&locks[bucket], 0);
"""
IN_TURN = """        bool done = false;
        while (!done) {
            if (atomicCAS(&locks[bucket], 0, 1) == 0) {
                __threadfence();
                sums[bucket] += A[i];
                counts[bucket] += 1;
                __threadfence();
                atomicExch(&locks[bucket], 0);
                done = true;
            }
        }
"""
FREE = "    atomicExch(&locks[bucket], 0);\n"
END = "            }\n"
FREED_BY_ALL = IN_TURN.replace("            " + FREE, "").replace(END, END + "        " + FREE)
SPINNING_LOCK = Expected(
    frozenset({"ends"}),
    ((SPINNING, IN_TURN),),
    "if (at < 8) sums[at] = 1;",
    wrong=((") != 0) {}", ") != 0) __nanosleep(20);"),),
    pretended={
        "meeting in the loop": ((") != 0) {}", ") != 0) __syncwarp();"),),
        "without fences": ((SPINNING, IN_TURN.replace("                " + WIDE, "")),),
        "narrow fences": ((SPINNING, IN_TURN.replace(WIDE, NARROW)),),
        "given back by all": ((SPINNING, FREED_BY_ALL),),
        "without the lock": ((SPINNING.splitlines()[0] + "\n", ""),),
        "one lane of each warp": (("if (i < n)", "if (i < n && threadIdx.x % 32 == 0)"),),
        "tried once": (("while (atomicCAS(&locks[bucket], 0, 1) != 0) {}", "atomicCAS(&locks[bucket], 0, 1);"),),
    },
    others={
        "left by break": (
            (SPINNING, IN_TURN.replace("bool done = false;\n        while (!done)", "while (true)").replace("done = true", "break")),
        ),
        "atomic additions": ((SPINNING, "        atomicAdd(&sums[bucket], A[i]);\n        atomicAdd(&counts[bucket], 1);\n"),),
    },
)  # fmt: skip

# ------------------------------------------------------------ message

SUM, FLAG = "        sums[b + 1] = before + part[63];\n", "        flags[b + 1] = 1;\n"
WAIT = "        while (b > 0 && flags[b] == 0) {}\n"
HEARD = (WAIT, WAIT + "        " + WIDE)
MESSAGE = Expected(
    frozenset({"races"}),
    (HEARD, (FLAG, "        " + WIDE + FLAG)),
    "if (at < n) C[at] = A[at];",
    wrong=((FLAG, "        " + NARROW + FLAG),),
    pretended={
        "behind the flag": (HEARD, (FLAG, FLAG + "        " + WIDE)),
        "in the reader alone": (HEARD,),
        "the flag first": (HEARD, (SUM + FLAG, FLAG + "        " + WIDE + SUM)),
        "a barrier": ((FLAG, FLAG + "    }\n    __syncthreads();\n    if (t == 0) {\n        " + WIDE),),
        "volatile": (("int* sums", "volatile int* sums"),),
        "without waiting": (HEARD, (FLAG, "        " + WIDE + FLAG), (WAIT, "")),
        "each by itself": (
            (WAIT, ""),
            ("before = b > 0 ? sums[b] : 0;\n", "before = 0;\n        for (int k = 0; k < b * 64; ++k)\n            before += A[k];\n"),
        ),
    },
    others={
        "an atomic flag": ((FLAG, "        " + WIDE + "        atomicExch((int*)&flags[b + 1], 1);\n"),),
    },
)  # fmt: skip

MEMORY_ORDER = {
    "double-buffer": DOUBLE_BUFFER,
    "copies-ahead": COPIES_AHEAD,
    "lock-scope": LOCK_SCOPE,
    "spinning-lock": SPINNING_LOCK,
    "message": MESSAGE,
}
