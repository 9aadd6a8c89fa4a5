"""The GPU ladder of multiplications in float32 for matrices that are small or thin: k is split, and a model chooses tile and parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    a kernel of its own; `padded`: B alone, unless 4 divides n. `groups`: clusters that share a tile, and add up their sums through L2.
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
    padded: bool = False
    groups: int = 1

    @property
    def sharing(self) -> int:
        """Blocks that share a tile."""
        return self.cluster * self.groups

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
        alone = tiles if self.sharing == 1 else tiles // at_once * at_once // self.cluster * self.cluster
        return alone, (tiles - alone) * self.sharing

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
        whole, shared = (-(-problem.k // span) * depth + more for span, more in zip((depth, depth * self.sharing), around, strict=True))
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
        values = _prepared(problem, self) * problem.k
        return 0.0 if values == 0 and self.groups == 1 else SET_UP_US + 2 * FLOAT32_BYTES * values / SET_UP_BYTES_A_US


MULTIPLY_ADDS_A_US = 128 * 1980.0
"""Of a multiprocessor of an H100 or H200: 128 lanes at 1980 MHz."""
ALL_BUT_FULL = 15 / 16
PLACES = {1: 132, 2: 132, 3: 114, 4: 120, 6: 96, 8: 120}
"""Of an H200, by the size of a cluster, the blocks that run one on each multiprocessor: a cluster lies in one of its parts (GPCs)."""
AROUND = 24
"""A tile takes so many steps of k longer, and PART for each group of warps whose sums are added up: stages are filled, C is stored."""
SET_UP_US, SET_UP_BYTES_A_US = 2.0, 3.8e6
"""Of the kernel before."""
FEWEST_STEPS, MOST_GROUPS = 4, 64
"""Steps of a block that shares a tile with other clusters, and how many clusters may."""
SETTING_UP = 128
"""Threads of a block of the kernel before; it sets up `SET_UP_STEPS` of k for `SET_UP_SIDE` rows of A or columns of B."""
SET_UP_STEPS, SET_UP_SIDE = 32, 64
CHOICES = (
    Choice(16, 32, 4, 4, 1, 3, 1.5, 0.346, 0.280),
    Choice(16, 32, 4, 4, 6, 4, 4.0, 0.408, 0.460),
    Choice(32, 32, 4, 2, 1, 4, 1.0, 0.531, 0.586, turned=True),
    Choice(32, 32, 4, 2, 2, 4, 1.0, 0.507, 0.520, turned=True),
    Choice(32, 32, 4, 4, 1, 3, 2.0, 0.448, 0.395),
    Choice(32, 64, 8, 4, 1, 3, 3.0, 0.612, 0.532),
    Choice(32, 64, 8, 4, 2, 3, 5.0, 0.644, 0.635),
    Choice(32, 64, 8, 4, 2, 3, 4.0, 0.776, 0.758, turned=True),
    Choice(64, 64, 8, 2, 2, 3, 11.0, 0.721, 0.719),
    Choice(64, 64, 8, 2, 2, 4, 5.5, 0.814, 0.863, turned=True),
    Choice(64, 64, 16, 8, 1, 3, 0.5, 0.740, 0.636, turned=True),
    Choice(64, 128, 8, 1, 1, 4, 7.0, 0.810, 0.771, turned=True),
    Choice(64, 128, 16, 2, 2, 3, 7.0, 0.779, 0.718),
    Choice(64, 256, 16, 1, 1, 4, 7.5, 0.817, 0.712),
    Choice(64, 256, 16, 1, 3, 4, 3.0, 0.711, 0.702),
    Choice(128, 64, 16, 4, 1, 2, 1.0, 0.843, 0.859, turned=True),
    Choice(128, 128, 16, 2, 1, 3, 9.5, 0.828, 0.914, turned=True),
    Choice(128, 256, 16, 1, 1, 4, 7.0, 0.864, 0.794, turned=True),
    Choice(160, 64, 8, 3, 2, 3, 4.0, 0.703, 0.735, turned=True),
    Choice(32, 64, 8, 4, 1, 3, 3.0, 0.612, 0.656, padded=True),
    Choice(32, 64, 8, 4, 2, 3, 5.5, 0.644, 0.705, padded=True),
)
GATHERED = (
    Choice(64, 64, 8, 2, 2, 4, 4.5, 0.771, 0.776, turned=True),
    Choice(32, 64, 8, 4, 1, 3, 3.0, 0.713, 0.707, turned=True),
    Choice(64, 64, 16, 8, 1, 3, 3.5, 0.808, 0.729, turned=True),
    Choice(64, 64, 8, 2, 1, 3, 5.5, 0.659, 0.693),
    Choice(32, 32, 4, 4, 1, 3, 2.0, 0.407, 0.344),
    Choice(32, 64, 8, 4, 1, 3, 4.5, 0.654, 0.691),
    Choice(64, 128, 16, 2, 1, 3, 9.5, 0.738, 0.793),
    Choice(64, 256, 16, 1, 1, 4, 13.0, 0.755, 0.749),
    Choice(32, 32, 4, 2, 1, 4, 2.5, 0.538, 0.527, turned=True),
)
"""With groups, of which `in_groups` makes as many as may be best. Of 41 tiles that were timed at 136 sizes, 61 with n no multiple of 4, 49
not square, these are the best; what is taken took 0.8 % more than the best of all, on average."""


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
    blocks = choice.blocks(problem, multiprocessors)
    launch = _launch(problem, choice.parameters, choice.stages, sum(blocks), choice)
    launch = replace(launch, before=_setting_up(problem, choice, blocks[1] // choice.sharing, launch.defines))
    hopper = ARCHITECTURES["9.0"]
    too_many = hopper.shared_bytes // (choice.at_once(problem, multiprocessors) + 1) - hopper.shared_reserved
    more = (too_many // hopper.shared_unit + 1) * hopper.shared_unit
    return replace(launch, dynamic_shared_bytes=max(launch.dynamic_shared_bytes, more))


def chosen(problem: Problem, multiprocessors: int) -> Choice:
    """The choice that is expected to take the least time; of equal ones the first."""
    gathered = (each for choice in GATHERED for each in in_groups(choice, problem, multiprocessors))
    return min((*CHOICES, *gathered), key=lambda choice: choice.expected_us(problem, multiprocessors))


def in_groups(choice: Choice, problem: Problem, multiprocessors: int) -> Iterator[Choice]:
    """The choice with so many clusters a tile that each multiprocessor runs one block, two, and so on, and with two and three."""
    blocks = _tiles(problem, choice.rows, choice.columns) * choice.cluster
    most = min(problem.k // (FEWEST_STEPS * PART * choice.slices * choice.cluster), MOST_GROUPS)
    filling = (multiprocessors * each // blocks for each in range(1, _resident(choice.parameters) + 1))
    return (replace(choice, groups=groups) for groups in sorted({2, 3, *filling}) if 2 <= groups <= most)


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


def _launch(problem: Problem, parameters: Parameters, stages: int, blocks: int, choice: Choice | None = None) -> Launch:
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    slices, cluster = parameters["slices"], parameters["cluster"]
    groups = 1 if choice is None else choice.groups
    down, across = _results(parameters["results"])
    width = gcd(problem.n, FLOAT4)
    turned = 0 if choice is None or not _is_set_up(problem, choice) else 1 if choice.turned else 2
    defines = {
        "TILE_M": rows, "TILE_N": columns, "RESULTS_M": down, "RESULTS_N": across, "SLICES": slices, "CLUSTER": cluster,
        "STAGES": stages, "WIDTH": width, "GROUPS": groups, "TURNED": turned,
    }  # fmt: skip
    copied = stages * slices * PART * (rows + FLOAT4 * (turned != 1) + columns)
    parts = slices * rows * columns if slices * cluster * groups > 1 else 0
    return Launch((blocks, 1), (_threads(parameters), 1), defines, dynamic_shared_bytes=max(copied, parts) * FLOAT32_BYTES)


def _setting_up(problem: Problem, choice: Choice, shared: int, defines: Mapping[str, int]) -> Preparation | None:
    """The kernel before: for each k a column of A, padded to whole tiles, and, unless 4 divides n, a row of B. Behind them are the counts
    and the sums of groups, for so many `shared` tiles."""
    if not _is_set_up(problem, choice):
        return None
    padded = -(-problem.m // choice.rows) * choice.rows if choice.turned else 0
    blocks = -(-padded // SET_UP_SIDE) + (0 if problem.n % FLOAT4 == 0 else -(-problem.n // SET_UP_SIDE))
    launch = Launch((max(-(-problem.k // SET_UP_STEPS), 1), max(blocks, 1)), (SETTING_UP, 1), defines)
    line = _prepared(problem, choice)
    columns = line or choice.columns
    counts = -(-_tiles(problem, choice.rows, choice.columns) * choice.cluster // FLOAT4) * FLOAT4
    more = counts + shared * choice.groups * choice.rows * choice.columns if choice.groups > 1 else 0
    return Preparation("set_up", launch, max((problem.k if line else 0) + -(-more // columns), 1), columns)


def _is_set_up(problem: Problem, choice: Choice) -> bool:
    return choice.turned or choice.groups > 1 or (choice.padded and problem.n % FLOAT4 != 0)


def _prepared(problem: Problem, choice: Choice) -> int:
    """Values of a row of T."""
    of_a = -(-problem.m // choice.rows) * choice.rows if choice.turned else 0
    copied = problem.n % FLOAT4 != 0 and _is_set_up(problem, choice)
    return of_a + (-(-problem.n // FLOAT4) * FLOAT4 if copied else 0)


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
            "The same text, with only the tiles of the last round shared, by several clusters each where they are few. A table says "
            "what each tile reaches; taken is the one whose rounds of blocks on all multiprocessors take least."
        ),
        source="gpu/matmul_split_k.cu", entry="matmul_split_k", parameters=(MULTIPROCESSORS,),
        launch=fitted, features=FEATURES, needs=HOPPER,
    ),
)  # fmt: skip
"""In teaching order."""
