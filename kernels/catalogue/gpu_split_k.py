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
ROW_WIDTHS = (4, 2, 1)
"""Whole float4s, float2s or floats that rows of B and C are of."""
WARP_ROWS, WARP_COLUMNS = 4, 8
"""Lanes of a warp along rows and columns of C."""
STAGES = 3
PART = 8
"""Steps of k that a group of warps takes at a time."""
BURSTS = 2
"""Into so many bursts the copies of a step are divided."""
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

    For an H200: a launch takes `start_us`, and a multiprocessor reaches one of `shares` of its peak while it has blocks, by the
    `ROW_WIDTHS` of n; fitted to times, so that the fastest is taken. `turned`: A is set up for copies of 16 bytes by a kernel of its
    own; `padded`: B is, unless 4 divides n. `groups`: clusters that share a tile, and add up their sums through L2;
    with `spread`, blocks that share one of the last tiles, of which the first takes more steps than the others, as many as leave no
    multiprocessor without work. `part`: steps of k that a group of warps takes at a time, copied in so many `bursts`.
    """

    rows: int
    columns: int
    results: int
    slices: int
    cluster: int
    stages: int
    start_us: float
    shares: tuple[float, float, float]
    turned: bool = False
    padded: bool = False
    groups: int = 1
    spread: bool = False
    part: int = PART
    bursts: int = BURSTS

    @property
    def depth(self) -> int:
        """Steps of k that a block takes at a time."""
        return self.part * self.slices

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
        at_once = self.places(multiprocessors)
        alone = tiles if self.sharing == 1 else tiles // at_once * at_once // self.cluster * self.cluster
        return alone, (tiles - alone) * self.sharing

    def expected_us(self, problem: Problem, multiprocessors: int) -> float:
        """Microseconds that a launch is expected to take: the multiprocessor with the most work decides.

        Clusters that fill nearly all of a round after the first do not find their places one on each: they run in pairs.
        """
        alone, sharing = self.blocks(problem, multiprocessors)
        resident, depth = _resident(self.parameters), self.depth
        rounds, last = divmod(sharing, multiprocessors * resident)
        paired = self.cluster > 1 and alone + rounds > 0 and ALL_BUT_FULL * multiprocessors < last <= multiprocessors
        parts = rounds * resident + (min(2, resident) if paired else -(-last // self._one_on_each(multiprocessors)))
        around = AROUND + (PART * self.slices if self.slices > 1 else 0), AROUND + PART * self.slices
        whole, shared = (-(-problem.k // span) * depth + more for span, more in zip((depth, depth * self.sharing), around, strict=True))
        share = self.shares[ROW_WIDTHS.index(gcd(problem.n, FLOAT4))]
        last_steps = self._spread_steps(problem.k, sharing // self.sharing, around[1], multiprocessors) if self.spread else parts * shared
        steps = -(-alone // multiprocessors) * whole + last_steps
        return self.start_us + self.setting_up_us(problem) + self.rows * self.columns * steps / (share * MULTIPLY_ADDS_A_US)

    def _spread_steps(self, k: int, tiles: int, around: int, multiprocessors: int) -> int:
        """Steps until the last tiles are done: the first block of each takes as long as a round after the other of its other blocks."""
        if tiles == 0:
            return 0
        steps, others = -(-k // self.depth), self.groups - 1
        rounds = -(-tiles * others // (self.places(multiprocessors) - tiles))
        first = min(steps, (rounds * steps + (rounds - 1) * others * SPREAD_AROUND) // (rounds + others))
        other = -(-(steps - first) // others)
        return max(first * self.depth + around, rounds * (other * self.depth + around))

    def places(self, multiprocessors: int) -> int:
        """Blocks that run at once."""
        return multiprocessors * _resident(self.parameters)

    def at_once(self, problem: Problem, multiprocessors: int) -> int:
        """Blocks that a multiprocessor is to run at once: no more than its share of the grid."""
        alone, sharing = self.blocks(problem, multiprocessors)
        places = multiprocessors if alone else self._one_on_each(multiprocessors)
        return min(_resident(self.parameters), -(-(alone + sharing) // places))

    def _one_on_each(self, multiprocessors: int) -> int:
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
SPREAD_AROUND = 3
"""AROUND of matmul_split_k.cu, in steps of a block."""
SET_UP_US, SET_UP_BYTES_A_US = 2.0, 3.8e6
"""Of the kernel before."""
FEWEST_STEPS, FEWEST_GROUPS, MOST_GROUPS, MOST_SPREAD = 4, 2, 64, 16
"""Steps of a block that shares a tile with other clusters, how many clusters may, and how many blocks where the last tiles are spread."""
OF_A, OF_B, ONLY_COUNTS = 1, 2, 4
"""TURNED of matmul_split_k.cu: what a kernel before sets up."""
SETTING_UP = 128
"""Threads of a block of the kernel before; it sets up `SET_UP_STEPS` of k for `SET_UP_SIDE` rows of A or columns of B."""
SET_UP_STEPS, SET_UP_SIDE = 32, 64
CHOICES = (
    Choice(16, 32, 4, 4, 1, 3, 2.0, (0.442, 0.369, 0.232), bursts=4),
    Choice(32, 32, 4, 2, 1, 4, 1.0, (0.599, 0.537, 0.567), turned=True, padded=True),
    Choice(32, 32, 4, 2, 2, 4, 2.5, (0.600, 0.491, 0.446), turned=True, padded=True),
    Choice(32, 64, 8, 4, 1, 3, 2.5, (0.644, 0.422, 0.347), bursts=4),
    Choice(32, 64, 8, 4, 2, 3, 3.5, (0.711, 0.715, 0.709), padded=True),
    Choice(32, 64, 8, 4, 2, 3, 3.0, (0.766, 0.706, 0.465), turned=True, bursts=1),
    Choice(32, 64, 8, 4, 2, 3, 2.5, (0.780, 0.752, 0.736), turned=True, padded=True),
    Choice(64, 64, 8, 1, 1, 4, 2.5, (0.606, 0.323, 0.280), bursts=4),
    Choice(64, 64, 8, 2, 1, 4, 2.5, (0.697, 0.680, 0.524), bursts=4),
    Choice(64, 64, 8, 2, 2, 3, 6.5, (0.746, 0.734, 0.562)),
    Choice(64, 64, 8, 2, 2, 4, 4.0, (0.795, 0.754, 0.629), turned=True, bursts=1),
    Choice(64, 64, 8, 2, 2, 4, 4.0, (0.779, 0.826, 0.773), turned=True, padded=True),
    Choice(64, 64, 16, 8, 1, 3, 1.0, (0.785, 0.728, 0.755), turned=True, padded=True),
    Choice(64, 128, 8, 1, 1, 4, 0.5, (0.784, 0.737, 0.741), turned=True, padded=True, bursts=4),
    Choice(64, 128, 16, 2, 2, 3, 4.0, (0.740, 0.654, 0.606), bursts=4),
    Choice(64, 128, 16, 4, 1, 2, 1.5, (0.770, 0.615, 0.550)),
    Choice(128, 64, 16, 2, 1, 3, 4.5, (0.824, 0.759, 0.770), turned=True, padded=True),
    Choice(128, 64, 16, 4, 1, 2, 0.5, (0.792, 0.776, 0.782), turned=True, padded=True, bursts=1),
    Choice(160, 64, 8, 3, 2, 3, 2.0, (0.726, 0.725, 0.700), turned=True, padded=True, bursts=1),
    Choice(128, 128, 16, 1, 1, 4, 0.5, (0.747, 0.644, 0.754), bursts=4),
    Choice(128, 128, 16, 2, 1, 3, 3.5, (0.798, 0.753, 0.726), bursts=4),
    Choice(128, 128, 16, 2, 1, 3, 1.5, (0.826, 0.781, 0.793), turned=True, padded=True, bursts=1),
    Choice(128, 128, 16, 2, 2, 3, 5.5, (0.814, 0.775, 0.721)),
    Choice(128, 256, 16, 1, 1, 3, 3.5, (0.806, 0.742, 0.772), bursts=4),
    Choice(128, 256, 16, 1, 1, 4, 4.0, (0.815, 0.820, 0.766), bursts=4),
)
GATHERED = (
    Choice(32, 64, 8, 4, 1, 3, 3.5, (0.688, 0.478, 0.384), bursts=4),
    Choice(32, 64, 8, 4, 1, 3, 4.5, (0.771, 0.717, 0.738), turned=True, padded=True),
    Choice(32, 64, 8, 4, 2, 3, 4.5, (0.697, 0.593, 0.454), bursts=4),
    Choice(64, 64, 8, 2, 1, 3, 6.0, (0.721, 0.725, 0.736), padded=True),
    Choice(64, 64, 8, 2, 1, 4, 5.5, (0.743, 0.660, 0.547)),
    Choice(64, 64, 8, 2, 1, 4, 5.0, (0.782, 0.745, 0.581), turned=True),
    Choice(64, 64, 8, 2, 2, 4, 5.0, (0.737, 0.672, 0.635)),
    Choice(64, 64, 8, 2, 2, 4, 3.5, (0.792, 0.738, 0.658), turned=True),
    Choice(64, 64, 8, 2, 2, 4, 5.5, (0.802, 0.783, 0.771), turned=True, padded=True, bursts=1),
    Choice(64, 128, 16, 4, 2, 2, 4.5, (0.776, 0.687, 0.438)),
    Choice(128, 64, 16, 4, 1, 2, 5.5, (0.806, 0.744, 0.766), turned=True, bursts=1),
    Choice(64, 256, 16, 1, 2, 4, 7.0, (0.807, 0.771, 0.741), turned=True, bursts=4),
    Choice(128, 128, 16, 2, 1, 3, 6.5, (0.804, 0.778, 0.718), bursts=4),
    Choice(128, 128, 16, 2, 1, 3, 6.5, (0.816, 0.803, 0.742), turned=True, bursts=1),
    Choice(256, 128, 16, 1, 1, 4, 7.5, (0.798, 0.773, 0.754)),
)
SPREAD = (
    Choice(64, 256, 16, 1, 1, 4, 21.0, (0.721, 0.619, 0.640)),
    Choice(128, 128, 16, 1, 1, 4, 19.5, (0.700, 0.728, 0.672), bursts=4),
    Choice(128, 256, 16, 1, 1, 2, 35.5, (0.822, 0.764, 0.729), part=16, bursts=1),
    Choice(128, 256, 16, 1, 1, 4, 27.0, (0.809, 0.687, 0.844), bursts=4),
)
"""The last two with groups: of `GATHERED` `in_groups` makes as many as may be best, of `SPREAD` `spread_out`. Fitted at 243 sizes; what is
taken took 0.9 % more than the best of all that was timed, on average; at sizes that were left out of a fit 3 %, in the middle 0.5 %."""


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
    places = choice.places(multiprocessors) if choice.spread else 0
    launch = _launch(problem, choice.parameters, choice.stages, sum(blocks), choice, places)
    launch = replace(launch, before=_setting_up(problem, choice, blocks[1] // choice.sharing, launch.defines))
    hopper = ARCHITECTURES["9.0"]
    too_many = hopper.shared_bytes // (choice.at_once(problem, multiprocessors) + 1) - hopper.shared_reserved
    more = (too_many // hopper.shared_unit + 1) * hopper.shared_unit
    return replace(launch, dynamic_shared_bytes=max(launch.dynamic_shared_bytes, more))


def chosen(problem: Problem, multiprocessors: int) -> Choice:
    """The choice that is expected to take the least time; of equal ones the first."""
    gathered = (each for choice in GATHERED for each in in_groups(choice, problem, multiprocessors))
    spread = (each for choice in SPREAD for each in spread_out(choice, problem, multiprocessors))
    return min((*CHOICES, *gathered, *spread), key=lambda choice: choice.expected_us(problem, multiprocessors))


def in_groups(choice: Choice, problem: Problem, multiprocessors: int) -> Iterator[Choice]:
    """The choice with so many clusters a tile that each multiprocessor runs one block, two, and so on, and with two and three."""
    blocks = _tiles(problem, choice.rows, choice.columns) * choice.cluster
    most = min(problem.k // (FEWEST_STEPS * PART * choice.slices * choice.cluster), MOST_GROUPS)
    filling = (multiprocessors * each // blocks for each in range(1, _resident(choice.parameters) + 1))
    return (replace(choice, groups=groups) for groups in sorted({2, 3, *filling}) if FEWEST_GROUPS <= groups <= most)


def spread_out(choice: Choice, problem: Problem, multiprocessors: int) -> Iterator[Choice]:
    """The choice with from two blocks for each of the last tiles to as many as there are multiprocessors; none without a whole round."""
    tiles, places = _tiles(problem, choice.rows, choice.columns), choice.places(multiprocessors)
    if tiles >= places:
        most = min(max(3, places // (tiles % places or places)), MOST_SPREAD)
        yield from (replace(choice, groups=groups, spread=True) for groups in range(FEWEST_GROUPS, most + 1))


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


def _launch(problem: Problem, parameters: Parameters, stages: int, blocks: int, choice: Choice | None = None, places: int = 0) -> Launch:
    """`places`: of blocks that run at once, where the last tiles are spread over all of them; how many share one the grid says."""
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    slices, cluster = parameters["slices"], parameters["cluster"]
    groups = 1 if choice is None else FEWEST_GROUPS if places else choice.groups
    down, across = _results(parameters["results"])
    width = gcd(problem.n, FLOAT4)
    turned = 0 if choice is None or not _is_set_up(problem, choice) else OF_A * choice.turned + OF_B * _pads(problem, choice) or ONLY_COUNTS
    part = PART if choice is None else choice.part
    defines = {
        "TILE_M": rows, "TILE_N": columns, "RESULTS_M": down, "RESULTS_N": across, "SLICES": slices, "PART": part, "CLUSTER": cluster,
        "STAGES": stages, "WIDTH": width, "GROUPS": groups, "PLACES": places, "TURNED": turned,
        "BURSTS": BURSTS if choice is None else choice.bursts,
    }  # fmt: skip
    copied = stages * slices * part * (rows + FLOAT4 * (not turned & OF_A) + columns)
    parts = slices * rows * columns if slices * cluster * groups > 1 else 0
    return Launch((blocks, 1), (_threads(parameters), 1), defines, dynamic_shared_bytes=max(copied, parts) * FLOAT32_BYTES)


def _setting_up(problem: Problem, choice: Choice, shared: int, defines: Mapping[str, int]) -> Preparation | None:
    """The kernel before: for each k a column of A, padded to whole tiles, and a row of B, as the choice says. Behind them are the counts
    and the sums of groups, for so many `shared` tiles."""
    if not _is_set_up(problem, choice):
        return None
    padded = -(-problem.m // choice.rows) * choice.rows if choice.turned else 0
    blocks = -(-padded // SET_UP_SIDE) + _pads(problem, choice) * -(-problem.n // SET_UP_SIDE)
    launch = Launch((max(-(-problem.k // SET_UP_STEPS), 1), max(blocks, 1)), (SETTING_UP, 1), defines)
    line = _prepared(problem, choice)
    columns = line or choice.columns
    counts = -(-_tiles(problem, choice.rows, choice.columns) * choice.cluster // FLOAT4) * FLOAT4
    more = counts + shared * choice.groups * choice.rows * choice.columns if choice.groups > 1 else 0
    return Preparation("set_up", launch, max((problem.k if line else 0) + -(-more // columns), 1), columns)


def _is_set_up(problem: Problem, choice: Choice) -> bool:
    return choice.turned or choice.groups > 1 or _pads(problem, choice)


def _pads(problem: Problem, choice: Choice) -> bool:
    """Whether rows of B are copied to such of whole float4s."""
    return choice.padded and problem.n % FLOAT4 != 0


def _prepared(problem: Problem, choice: Choice) -> int:
    """Values of a row of T."""
    of_a = -(-problem.m // choice.rows) * choice.rows if choice.turned else 0
    return of_a + _pads(problem, choice) * -(-problem.n // FLOAT4) * FLOAT4


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
