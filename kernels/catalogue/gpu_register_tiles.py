"""GPU ladder of multiplications, second part: a thread keeps many results in registers; launches, and which settings cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernels.base.architectures import PARTITIONS, REGISTERS, REGISTERS_PER_THREAD, THREADS_PER_BLOCK, WARP
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Launch, Operation, Parameter, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.launches import FLOAT4, REGISTER_CAP, REGISTER_ROWS, REGISTER_TILE, RESULT_ROWS, RESULTS, STAGES, tile_of

BANKS = 32
FEWEST_REGISTERS = 32
"""A lower cap is refused: nothing would be left for results."""


@dataclass(frozen=True, slots=True)
class RegisterTile:
    """One block a tile of C, `tile_rows` x `tile` (square where `tile_rows` is 0); `result_rows` x `results` of it a thread, `results`
    x `results` where there is no `result_rows`.

    A step takes `depth` values of k; shared memory holds tiles of A and B for as many steps as there are stages. Loads move `width`
    floats. Where A is swizzled, its tile's rows must fill the banks. Where `lanes` is given, a warp has a tile of its own, for that many
    lanes along m and n.
    """

    depth: int
    stages: int = 1
    width: int = FLOAT4
    swizzled: bool = False
    lanes: tuple[int, int] | None = None

    def __call__(self, problem: Problem, parameters: Parameters) -> Launch:
        """The macro REGISTERS is the most that a thread may take: the cap, or where there is none, its part of what a block has."""
        assert problem.operation is Operation.MATMUL
        (rows, columns), (down, across) = tile_of(parameters), _results(parameters)
        block = (columns // across, rows // down)
        macros = {"TILE_M": rows, "TILE_N": columns, "DEPTH": self.depth}
        macros |= {"RESULTS_M": down, "RESULTS_N": across} if "result_rows" in parameters else {"RESULTS": across}
        macros |= {"STAGES": parameters["stages"]} if "stages" in parameters else {}
        macros["REGISTERS"] = parameters["registers"] or most_registers(block[0] * block[1])
        stages = parameters.get("stages", self.stages)
        grid = -(-problem.n // columns), -(-problem.m // rows)
        return Launch(grid, block, macros, stages * (rows + columns) * self.depth * FLOAT32_BYTES)

    def refuse(self, parameters: Parameters) -> Message | None:
        """Why a tile cannot be divided among threads like this, or None. A block of too many threads is refused with its launch."""
        return next((reason for check in (self._divided, self._registers, self._shares) for reason in check(parameters)), None)

    def _divided(self, parameters: Parameters) -> Iterator[Message]:
        """Results are whole float4, tiles whole threads, whole warps, whole rows of banks."""
        for name in {"results", "result_rows"} & parameters.keys():
            if parameters[name] % self.width:
                yield message(
                    "{name} must be a multiple of {width}, not {value}: values are read as float4.",
                    name=name, width=self.width, value=parameters[name],
                )  # fmt: skip
        results = _results(parameters)
        for name, tile, one, lanes in zip(_names(parameters), tile_of(parameters), results, self.lanes or (1, 1), strict=True):
            if tile % (one * lanes):
                yield _no_multiple(name, tile, one, lanes)
        if self.swizzled and tile_of(parameters)[0] % BANKS:
            yield message(
                "{name} must be a multiple of the {banks} banks, not {value}: the swizzle would leave the row.",
                name=_names(parameters)[0], banks=BANKS, value=tile_of(parameters)[0],
            )  # fmt: skip

    def _registers(self, parameters: Parameters) -> Iterator[Message]:
        """The results fit, and so does what the cap gives to all threads."""
        (rows, columns), cap, threads = tile_of(parameters), parameters["registers"], _threads(parameters)
        if rows * columns >= REGISTERS:
            yield message(
                "{rows} × {columns} results of a block fill {needed} registers; a block has {limit} for everything.",
                rows=rows, columns=columns, needed=rows * columns, limit=REGISTERS,
            )  # fmt: skip
        if 0 < cap < FEWEST_REGISTERS:
            yield message("{name} must be 0, for no cap, or at least {minimum}, not {value}.",
                          name="registers", minimum=FEWEST_REGISTERS, value=cap)  # fmt: skip
        if cap > most_registers(threads) and threads <= THREADS_PER_BLOCK:
            yield message(
                "{threads} threads × {registers} registers = {needed}; a block has {limit}.",
                threads=threads, registers=cap, needed=threads * cap, limit=REGISTERS,
            )  # fmt: skip

    def _shares(self, parameters: Parameters) -> Iterator[Message]:
        """Yield why the threads cannot load equal shares of a tile."""
        threads = _threads(parameters)
        for tile in tile_of(parameters):
            if tile * self.depth % (threads * self.width) and threads <= THREADS_PER_BLOCK:
                yield message(
                    "{tile} × {depth} / {width} = {loads} loads of a step; {threads} threads cannot share them equally.",
                    tile=tile, depth=self.depth, width=self.width, loads=tile * self.depth // self.width, threads=threads,
                )  # fmt: skip


def most_registers(threads: int) -> int:
    """How many registers each thread of a block can have."""
    warps = -(-threads // (WARP * PARTITIONS)) * PARTITIONS
    return min(REGISTERS_PER_THREAD, REGISTERS // (warps * WARP) // 8 * 8)


def _names(parameters: Parameters) -> tuple[str, str]:
    """The parameters that they come from."""
    return "tile_rows" if parameters["tile_rows"] else "tile", "tile"


def _results(parameters: Parameters) -> tuple[int, int]:
    """Rows and columns of a thread's results."""
    return parameters.get("result_rows", parameters["results"]), parameters["results"]


def _threads(parameters: Parameters) -> int:
    (rows, columns), (down, across) = tile_of(parameters), _results(parameters)
    return (rows // down) * (columns // across)


def _no_multiple(name: str, tile: int, results: int, lanes: int) -> Message:
    if tile % results:
        return message(
            "{name} must be a multiple of {other}: {tile} = {quotient} × {results} + {rest}.",
            name=name, other="results", tile=tile, quotient=tile // results, results=results, rest=tile % results,
        )  # fmt: skip
    return message(
        "{name} must be a multiple of {lanes} lanes × {results} results of a warp, not {value}.",
        name=name, lanes=lanes, results=results, value=tile,
    )  # fmt: skip


SQUARE = (REGISTER_TILE, REGISTER_ROWS, RESULTS, REGISTER_CAP)
TALL = (replace(REGISTER_TILE, default=64), replace(REGISTER_ROWS, default=128, small=64), RESULTS, replace(REGISTER_CAP, default=168))
"""At k-depth 16, what is in flight does not fit beside the results of two blocks of 256 threads; with three blocks of 128 it does."""
FLAT = (REGISTER_TILE, replace(REGISTER_ROWS, default=64), RESULTS, replace(REGISTER_CAP, default=168), STAGES)
"""Where the copies of A are many, fewer rows of it; the places that they go to take registers too."""
WARP_PARAMETERS = (REGISTER_TILE, replace(REGISTER_ROWS, default=256, small=64), RESULTS, RESULT_ROWS, replace(REGISTER_CAP, default=0))
"""128 results a thread leave no room for a second block."""
FEATURES = frozenset({"shared memory", "tile", "barrier", "registers"})
VECTORISED = FEATURES | {"vectorised"}
SWIZZLED = VECTORISED | {"swizzle"}
BUFFERED = SWIZZLED | {"double buffering"}
_OUTER = message(
    "A thread keeps a square of results in registers: a column of A and a row of B make an outer product, and each value serves several."
)
_FLOAT4 = message("Loads move four floats at once; for this, A's tile is kept transposed, and its stores meet in banks.")
_FREE = message("A's transposed tile is kept in an order, row ^ s, in which neither stores nor reads meet in a bank.")
_AHEAD = message("The next tiles are on their way into registers while the threads multiply those in the other stage of shared memory.")
_COPIES = message("Copies go to shared memory by themselves, several steps ahead, and hold no registers on their way.")
_WARPS = message(
    "Each warp has a tile of its own, its lanes in an order that halves the reads, its sums in the other bank than their factors."
)


def _rung(
    name: str, title: Message, idea: Message, source: str, launch: RegisterTile, features: frozenset[str],
    parameters: tuple[Parameter, ...] = SQUARE,
) -> Variant:  # fmt: skip
    return Variant(
        f"gpu.{name}", Operation.MATMUL, Device.GPU, title, idea, f"gpu/{source}.cu", source, parameters, features,
        launch=launch, constraint=launch.refuse,
    )  # fmt: skip


REGISTER_MULTIPLICATIONS = (
    _rung("register-tiled-k8", message("Register-tiled, k-depth {depth}", depth=8), _OUTER, "matmul_register_tiled",
          RegisterTile(8, width=1), FEATURES),
    _rung("register-tiled-k16", message("Register-tiled, k-depth {depth}", depth=16), _OUTER, "matmul_register_tiled",
          RegisterTile(16, width=1), FEATURES),
    _rung("vectorized-k8", message("Vectorised, k-depth {depth}", depth=8), _FLOAT4, "matmul_vectorized",
          RegisterTile(8), VECTORISED),
    _rung("vectorized-k16", message("Vectorised, k-depth {depth}", depth=16), _FLOAT4, "matmul_vectorized",
          RegisterTile(16), VECTORISED),
    _rung("conflict-free-k8", message("Conflict-free, k-depth {depth}", depth=8), _FREE, "matmul_register_conflict_free",
          RegisterTile(8, swizzled=True), SWIZZLED),
    _rung("conflict-free-k16", message("Conflict-free, k-depth {depth}", depth=16), _FREE, "matmul_register_conflict_free",
          RegisterTile(16, swizzled=True), SWIZZLED),
    _rung("double-buffered-k8", message("Double-buffered, k-depth {depth}", depth=8), _AHEAD, "matmul_double_buffered",
          RegisterTile(8, stages=2, swizzled=True), BUFFERED),
    _rung("double-buffered-k16", message("Double-buffered, k-depth {depth}", depth=16), _AHEAD, "matmul_double_buffered",
          RegisterTile(16, stages=2, swizzled=True), BUFFERED, TALL),
    _rung("async", message("Asynchronous copies"), _COPIES, "matmul_async",
          RegisterTile(8, swizzled=True), SWIZZLED | {"asynchronous copy"}, FLAT),
    _rung("warp-tiled", message("Warp-tiled"), _WARPS, "matmul_warp_tiled",
          RegisterTile(8, stages=2, swizzled=True, lanes=(4, 8)), BUFFERED, WARP_PARAMETERS),
)  # fmt: skip
"""In teaching order. The two depths of a rung share one text."""
