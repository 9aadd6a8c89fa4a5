"""The GPU ladder of multiplications in float32 for matrices that are small or thin: k is split, and a model chooses tile and parts."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Launch, Needs, Operation, Parameter, Parameters, Problem, Variant
from kernels.catalogue.launches import RESULTS, tile_of

FLOAT4 = 4
WARP_ROWS, WARP_COLUMNS = 4, 8
"""Lanes of a warp along rows and columns of C."""
STAGES = 4
PART = 8
"""Steps of k that a group of warps takes at a time."""
MOST_THREADS = 512
HOPPER = Needs(90)

TILE = Parameter("tile", message("Columns of C a block"), default=64, minimum=32, maximum=128, stops=(32, 64, 128), small=64)
TILE_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=0, minimum=0, maximum=128, stops=(0, 16, 32, 64, 128))
"""0 means as many as columns."""
SLICES = Parameter("slices", message("Groups of warps that share k"), default=2, minimum=1, maximum=8, stops=(1, 2, 4))
CLUSTER = Parameter("cluster", message("Blocks that share k"), default=2, minimum=1, maximum=8, stops=(1, 2, 4, 8))
MULTIPROCESSORS = Parameter("multiprocessors", message("Multiprocessors"), 132, 1, 1024, stops=(66, 78, 114, 132))


@dataclass(frozen=True, slots=True)
class Choice:
    """A tile of `rows` x `columns`, with `results` x `results` a thread, and how k is shared.

    As measured on an H200: a launch takes `start_us`, and a multiprocessor reaches `share` of its peak while it has blocks.
    """

    rows: int
    columns: int
    results: int
    slices: int
    cluster: int
    start_us: float
    share: float

    @property
    def parameters(self) -> Parameters:
        """The settings of `gpu.split-k` that this is."""
        return {
            "tile": self.columns, "tile_rows": self.rows, "results": self.results, "slices": self.slices, "cluster": self.cluster,
        }  # fmt: skip

    def expected_us(self, problem: Problem, multiprocessors: int) -> float:
        """Microseconds that a launch is expected to take: the multiprocessor with the most blocks decides."""
        blocks = -(-problem.m // self.rows) * -(-problem.n // self.columns) * self.cluster
        steps = PART * self.slices * -(-problem.k // (PART * self.slices * self.cluster))
        rounds = -(-blocks // multiprocessors)
        return self.start_us + rounds * self.rows * self.columns * steps / (self.share * MULTIPLY_ADDS_A_US)


MULTIPLY_ADDS_A_US = 128 * 1980.0
"""Of a multiprocessor of an H200: 128 lanes at 1980 MHz."""
CHOICES = (
    Choice(16, 32, 4, 4, 1, 2.7, 0.45),
    Choice(16, 32, 4, 4, 8, 6.9, 0.17),
    Choice(32, 64, 8, 4, 1, 3.3, 0.60),
    Choice(32, 64, 8, 4, 2, 4.4, 0.59),
    Choice(64, 64, 8, 4, 1, 3.2, 0.63),
    Choice(64, 64, 8, 2, 2, 4.8, 0.64),
    Choice(64, 128, 8, 1, 2, 6.9, 0.68),
    Choice(128, 128, 8, 1, 1, 3.3, 0.69),
)
"""Eight of 43 that were timed, at 38 sizes: where one of them is taken, it took 1 % more than the best of all, on average."""


def split_k(problem: Problem, parameters: Parameters) -> Launch:
    """`cluster` blocks a tile of C, side by side; in each `slices` groups of warps."""
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    results, slices, cluster = parameters["results"], parameters["slices"], parameters["cluster"]
    defines = {
        "TILE_M": rows, "TILE_N": columns, "RESULTS": results, "SLICES": slices, "CLUSTER": cluster,
        "WIDTH_A": FLOAT4 if problem.k % FLOAT4 == 0 else 1, "WIDTH_B": FLOAT4 if problem.n % FLOAT4 == 0 else 1,
    }  # fmt: skip
    depth = PART * slices
    stages = STAGES * (rows * (depth + FLOAT4) + depth * columns)
    parts = slices * rows * columns if slices * cluster > 1 else 0
    return Launch(
        (-(-problem.n // columns) * cluster, -(-problem.m // rows)), (_threads(parameters), 1), defines,
        dynamic_shared_bytes=max(stages, parts) * FLOAT32_BYTES,
    )  # fmt: skip


def fitted(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch with the choice that is expected to take the least time."""
    return split_k(problem, chosen(problem, parameters["multiprocessors"]).parameters)


def chosen(problem: Problem, multiprocessors: int) -> Choice:
    """The choice that is expected to take the least time; of equal ones the first."""
    return min(CHOICES, key=lambda choice: choice.expected_us(problem, multiprocessors))


def refuse_split_k(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warps and slices like this, or None."""
    rows, columns = tile_of(parameters)
    results = parameters["results"]
    sides = (("results", results, FLOAT4), ("tile_rows", rows, WARP_ROWS * results), ("tile", columns, WARP_COLUMNS * results))
    for name, value, unit in sides:
        if value % unit:
            return message("{name} must be a multiple of {unit}, not {value}.", name=name, unit=unit, value=value)
    if _threads(parameters) > MOST_THREADS:
        return message(
            "{slices} groups of warps for {rows} × {columns} results are {threads} threads; there are registers for {most}.",
            slices=parameters["slices"], rows=rows, columns=columns, threads=_threads(parameters), most=MOST_THREADS,
        )  # fmt: skip
    return None


def _threads(parameters: Parameters) -> int:
    rows, columns = tile_of(parameters)
    return parameters["slices"] * (rows // parameters["results"]) * (columns // parameters["results"])


FEATURES = frozenset({"shared memory", "tile", "barrier", "registers", "vectorised", "asynchronous copy"})
SPLIT_MULTIPLICATIONS = (
    Variant(
        "gpu.split-k", Operation.MATMUL, Device.GPU,
        message("Split k"),
        message("Blocks of a cluster and groups of warps share the steps of k for one tile, and add up their sums through shared memory."),
        source="gpu/matmul_split_k.cu", entry="matmul_split_k", parameters=(TILE, TILE_ROWS, RESULTS, SLICES, CLUSTER),
        launch=split_k, constraint=refuse_split_k, features=FEATURES, needs=HOPPER,
    ),
    Variant(
        "gpu.fitted", Operation.MATMUL, Device.GPU,
        message("Tile chosen by a model"),
        message(
            "The same text. A table says what each tile reaches; taken is the one whose rounds of blocks on all multiprocessors take least."
        ),
        source="gpu/matmul_split_k.cu", entry="matmul_split_k", parameters=(MULTIPROCESSORS,),
        launch=fitted, features=FEATURES, needs=HOPPER,
    ),
)  # fmt: skip
"""In teaching order."""
