"""The GPU ladder of multiplications in float32 for matrices that are small or thin: k is split, and a model chooses tile and parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import gcd

from kernels.base.architectures import ARCHITECTURES
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Launch, Needs, Operation, Parameter, Parameters, Preparation, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.launches import RESULTS, tile_of

FLOAT4 = 4
WARP_ROWS, WARP_COLUMNS = 4, 8
"""Lanes of a warp along rows and columns of C."""
STAGES = 3
PART = 8
"""Steps of k that a group of warps takes at a time."""
MOST_COLUMNS = 8
"""Columns of results a thread; one with fewer rows of results has as many columns as rows."""
HOPPER = Needs(90)

TILE = Parameter("tile", message("Columns of C a block"), default=64, minimum=32, maximum=256, stops=(32, 64, 128), small=64)
TILE_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=0, minimum=0, maximum=256, stops=(0, 16, 32, 64, 128))
"""0 means as many as columns."""
ROWS = replace(RESULTS, title=message("Rows of results a thread"), maximum=16)
"""16 are 16 x 8 results, fewer as many along both sides."""
SLICES = Parameter("slices", message("Groups of warps that share k"), default=2, minimum=1, maximum=8, stops=(1, 2, 4))
CLUSTER = Parameter("cluster", message("Blocks that share k"), default=2, minimum=1, maximum=8, stops=(1, 2, 4, 8))
MULTIPROCESSORS = Parameter("multiprocessors", message("Multiprocessors"), 132, 1, 1024, stops=(66, 78, 114, 132))


@dataclass(frozen=True, slots=True)
class Choice:
    """A tile of `rows` x `columns`, with `results` rows of results a thread, and how k is shared in the tiles that are.

    For an H200: a launch takes `start_us`, and a multiprocessor reaches `share` of its peak while it has blocks, `share_of_odd` where
    4 does not divide n; fitted to times, so that the fastest is taken. `turned`: A, and then B too, is set up for copies of 16 bytes by
    a kernel of its own.
    """

    rows: int
    columns: int
    results: int
    slices: int
    cluster: int
    stages: int
    start_us: float
    share: float
    share_of_odd: float
    turned: bool = False

    @property
    def parameters(self) -> Parameters:
        """The settings of `gpu.split-k` that this is, whatever its stages."""
        return {
            "tile": self.columns, "tile_rows": self.rows, "results": self.results, "slices": self.slices, "cluster": self.cluster,
        }  # fmt: skip

    def blocks(self, problem: Problem, multiprocessors: int) -> tuple[int, int]:
        """Blocks with a tile each, and blocks that share: full rounds of the blocks that run at once are not shared out, the rest is."""
        tiles = _tiles(problem, self.rows, self.columns)
        at_once = multiprocessors * _resident(self.parameters)
        alone = tiles if self.cluster == 1 else tiles // at_once * at_once // self.cluster * self.cluster
        return alone, (tiles - alone) * self.cluster

    def expected_us(self, problem: Problem, multiprocessors: int) -> float:
        """Microseconds that a launch is expected to take: the multiprocessor with the most work decides.

        Clusters that fill nearly all of a round after the first do not find their places one on each: they run in pairs.
        """
        alone, sharing = self.blocks(problem, multiprocessors)
        resident, depth = _resident(self.parameters), PART * self.slices
        rounds, last = divmod(sharing, multiprocessors * resident)
        paired = self.cluster > 1 and alone + rounds > 0 and ALL_BUT_FULL * multiprocessors < last <= multiprocessors
        parts = rounds * resident + (min(2, resident) if paired else -(-last // self._places(multiprocessors)))
        around = AROUND + (PART * self.slices if self.slices > 1 else 0), AROUND + PART * self.slices
        whole, shared = (-(-problem.k // span) * depth + more for span, more in zip((depth, depth * self.cluster), around, strict=True))
        share = self.share if problem.n % FLOAT4 == 0 else self.share_of_odd
        steps = -(-alone // multiprocessors) * whole + parts * shared
        return self.start_us + self.setting_up_us(problem) + self.rows * self.columns * steps / (share * MULTIPLY_ADDS_A_US)

    def at_once(self, problem: Problem, multiprocessors: int) -> int:
        """Blocks that a multiprocessor is to run at once: no more than its share of the grid."""
        alone, sharing = self.blocks(problem, multiprocessors)
        places = multiprocessors if alone else self._places(multiprocessors)
        return min(_resident(self.parameters), -(-(alone + sharing) // places))

    def _places(self, multiprocessors: int) -> int:
        """Blocks that find places one on each multiprocessor."""
        return max(1, multiprocessors * PLACES.get(self.cluster, PLACES[1]) // PLACES[1])

    def setting_up_us(self, problem: Problem) -> float:
        """Microseconds that the kernel before takes: it reads and writes each value once."""
        return 0.0 if not self.turned else SET_UP_US + 2 * FLOAT32_BYTES * _prepared(problem, self.rows) * problem.k / SET_UP_BYTES_A_US


MULTIPLY_ADDS_A_US = 128 * 1980.0
"""Of a multiprocessor of an H100 or H200: 128 lanes at 1980 MHz."""
ALL_BUT_FULL = 15 / 16
PLACES = {1: 132, 2: 132, 3: 114, 4: 120, 6: 96, 8: 120}
"""Of an H200, by the size of a cluster, the blocks that run one on each multiprocessor: a cluster lies in one of its parts (GPCs)."""
AROUND = 24
"""A tile takes so many steps of k longer, and PART for each group of warps whose sums are added up: stages are filled, C is stored."""
SET_UP_US, SET_UP_BYTES_A_US = 2.0, 3.8e6
"""Of the kernel before."""
SETTING_UP = 128
"""Threads of a block of the kernel before; it sets up `SET_UP_STEPS` of k for `SET_UP_SIDE` rows of A or columns of B."""
SET_UP_STEPS, SET_UP_SIDE = 32, 64
CHOICES = (
    Choice(16, 32, 4, 4, 1, 3, 3.5, 0.402, 0.296),
    Choice(16, 32, 4, 4, 1, 4, 2.0, 0.521, 0.463, turned=True),
    Choice(16, 32, 4, 4, 6, 4, 7.5, 0.377, 0.362),
    Choice(16, 32, 4, 8, 2, 4, 4.5, 0.515, 0.496, turned=True),
    Choice(32, 32, 4, 2, 1, 4, 2.0, 0.512, 0.548, turned=True),
    Choice(32, 32, 4, 2, 2, 4, 4.5, 0.603, 0.580, turned=True),
    Choice(32, 32, 4, 2, 8, 4, 4.5, 0.436, 0.422),
    Choice(32, 32, 4, 4, 1, 3, 3.0, 0.422, 0.376),
    Choice(32, 64, 4, 1, 1, 4, 4.0, 0.543, 0.442),
    Choice(32, 64, 8, 4, 1, 3, 4.0, 0.641, 0.514),
    Choice(32, 64, 8, 4, 2, 3, 4.0, 0.651, 0.510),
    Choice(32, 64, 8, 4, 2, 3, 3.5, 0.765, 0.739, turned=True),
    Choice(32, 64, 8, 4, 4, 4, 6.0, 0.599, 0.622, turned=True),
    Choice(32, 64, 8, 8, 2, 3, 4.5, 0.672, 0.403),
    Choice(64, 64, 8, 2, 2, 3, 13.5, 0.757, 0.699),
    Choice(64, 64, 8, 2, 2, 4, 4.0, 0.788, 0.763, turned=True),
    Choice(64, 64, 8, 2, 8, 4, 7.5, 0.681, 0.595),
    Choice(64, 64, 16, 8, 1, 3, 2.0, 0.788, 0.702, turned=True),
    Choice(64, 64, 16, 8, 2, 4, 3.0, 0.789, 0.671, turned=True),
    Choice(64, 128, 8, 1, 1, 4, 6.0, 0.815, 0.772, turned=True),
    Choice(64, 128, 16, 2, 2, 3, 10.0, 0.778, 0.640),
    Choice(64, 256, 16, 1, 1, 4, 4.5, 0.766, 0.671),
    Choice(64, 256, 16, 1, 3, 4, 1.0, 0.745, 0.644),
    Choice(128, 64, 16, 4, 1, 2, 4.0, 0.832, 0.793, turned=True),
    Choice(128, 128, 16, 2, 1, 3, 6.0, 0.840, 0.726, turned=True),
    Choice(128, 256, 16, 1, 1, 4, 10.0, 0.868, 0.791, turned=True),
    Choice(160, 64, 8, 3, 2, 3, 1.5, 0.708, 0.692, turned=True),
)
"""27 of 696 that were timed, the best of them at 307 sizes, 113 with n no multiple of 4, 129 not square: what is taken took 1.0 % more than
the best of all, on average."""


def split_k(problem: Problem, parameters: Parameters) -> Launch:
    """`cluster` blocks a tile of C, side by side; in each `slices` groups of warps."""
    return _launch(problem, parameters, STAGES, _tiles(problem, *tile_of(parameters)) * parameters["cluster"])


def fitted(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch with the choice that is expected to take the least time; only the last tiles are shared."""
    multiprocessors = parameters["multiprocessors"]
    choice = chosen(problem, multiprocessors)
    return _launch_of(choice, problem, multiprocessors)


def _launch_of(choice: Choice, problem: Problem, multiprocessors: int) -> Launch:
    """Return the launch with a choice. Each block gets so much shared memory that no more run at once on a multiprocessor than its share
    of the grid, and than the choice counts with: where there is room for one more, some multiprocessors have it, and take longer than
    those that do not. Clusters gather so while the kernel before still runs."""
    launch = _launch(problem, choice.parameters, choice.stages, sum(choice.blocks(problem, multiprocessors)), turned=choice.turned)
    hopper = ARCHITECTURES["9.0"]
    too_many = hopper.shared_bytes // (choice.at_once(problem, multiprocessors) + 1) - hopper.shared_reserved
    more = (too_many // hopper.shared_unit + 1) * hopper.shared_unit
    return replace(launch, dynamic_shared_bytes=max(launch.dynamic_shared_bytes, more))


def chosen(problem: Problem, multiprocessors: int) -> Choice:
    """The choice that is expected to take the least time; of equal ones the first."""
    return min(CHOICES, key=lambda choice: choice.expected_us(problem, multiprocessors))


def refuse_split_k(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warps and slices like this, or None."""
    rows, columns = tile_of(parameters)
    down, across = _results(parameters["results"])
    sides = (("results", down, FLOAT4), ("tile_rows", rows, WARP_ROWS * down), ("tile", columns, WARP_COLUMNS * across))
    for name, value, unit in sides:
        if value % unit:
            return message("{name} must be a multiple of {unit}, not {value}.", name=name, unit=unit, value=value)
    most = _most_threads(parameters)
    if _threads(parameters) > most:
        return message(
            "{slices} groups of warps for {rows} × {columns} results are {threads} threads; there are registers for {most}.",
            slices=parameters["slices"], rows=rows, columns=columns, threads=_threads(parameters), most=most,
        )  # fmt: skip
    return None


def _launch(problem: Problem, parameters: Parameters, stages: int, blocks: int, *, turned: bool = False) -> Launch:
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    slices, cluster = parameters["slices"], parameters["cluster"]
    down, across = _results(parameters["results"])
    defines = {
        "TILE_M": rows, "TILE_N": columns, "RESULTS_M": down, "RESULTS_N": across, "SLICES": slices, "CLUSTER": cluster,
        "STAGES": stages, "WIDTH": gcd(problem.n, FLOAT4), "TURNED": int(turned),
    }  # fmt: skip
    copied = stages * slices * PART * (rows + FLOAT4 + columns)
    parts = slices * rows * columns if slices * cluster > 1 else 0
    bytes_used = max(copied, parts) * FLOAT32_BYTES
    before = _setting_up(problem, rows, defines) if turned else None
    return Launch((blocks, 1), (_threads(parameters), 1), defines, dynamic_shared_bytes=bytes_used, before=before)


def _setting_up(problem: Problem, rows: int, defines: Mapping[str, int]) -> Preparation:
    """The kernel before: for each k a column of A, padded to whole tiles, and, unless 4 divides n, a row of B."""
    whole = problem.n % FLOAT4 == 0
    padded = -(-problem.m // rows) * rows
    blocks = -(-padded // SET_UP_SIDE) + (0 if whole else -(-problem.n // SET_UP_SIDE))
    launch = Launch((max(-(-problem.k // SET_UP_STEPS), 1), blocks), (SETTING_UP, 1), defines)
    return Preparation("set_up", launch, max(problem.k, 1), _prepared(problem, rows))


def _prepared(problem: Problem, rows: int) -> int:
    """Values of a row of T."""
    return -(-problem.m // rows) * rows + (0 if problem.n % FLOAT4 == 0 else -(-problem.n // FLOAT4) * FLOAT4)


def _tiles(problem: Problem, rows: int, columns: int) -> int:
    return -(-problem.m // rows) * -(-problem.n // columns)


def _results(rows: int) -> tuple[int, int]:
    """Rows and columns of results a thread."""
    return rows, min(rows, MOST_COLUMNS)


def _most_threads(parameters: Parameters) -> int:
    """Threads of a multiprocessor that there are registers for: 255, 168 or 128 each."""
    if parameters["results"] > MOST_COLUMNS:
        return 256
    return 384 if _threads(parameters) == 128 else 512


def _resident(parameters: Parameters) -> int:
    """Blocks that a multiprocessor runs at once."""
    return _most_threads(parameters) // _threads(parameters)


def _threads(parameters: Parameters) -> int:
    rows, columns = tile_of(parameters)
    down, across = _results(parameters["results"])
    return parameters["slices"] * (rows // down) * (columns // across)


FEATURES = frozenset({"shared memory", "tile", "barrier", "registers", "vectorised", "asynchronous copy"})
SPLIT_MULTIPLICATIONS = (
    Variant(
        "gpu.split-k", Operation.MATMUL, Device.GPU,
        message("Split k"),
        message("Blocks of a cluster and groups of warps share the steps of k for one tile, and add up their sums through shared memory."),
        source="gpu/matmul_split_k.cu", entry="matmul_split_k", parameters=(TILE, TILE_ROWS, ROWS, SLICES, CLUSTER),
        launch=split_k, constraint=refuse_split_k, features=FEATURES, needs=HOPPER,
    ),
    Variant(
        "gpu.fitted", Operation.MATMUL, Device.GPU,
        message("Tile chosen by a model"),
        message(
            "The same text, with only the tiles of the last round shared. A table says what each tile reaches; taken is the one whose "
            "rounds of blocks on all multiprocessors take least."
        ),
        source="gpu/matmul_split_k.cu", entry="matmul_split_k", parameters=(MULTIPROCESSORS,),
        launch=fitted, features=FEATURES, needs=HOPPER,
    ),
)  # fmt: skip
"""In teaching order."""
