"""How the register-tiled CUDA kernels are launched, and which of their settings cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernels.launches import FLOAT4
from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES, Launch, Operation, Parameters, Problem

BANKS = 32
REGISTERS = 65536
"""Of a block, and of a multiprocessor."""
REGISTERS_PER_THREAD = 255
FEWEST_REGISTERS = 32
"""A lower cap is refused: nothing would be left for results."""
THREADS = 1024
"""Of a block."""
WARP = 32
SCHEDULERS = 4
"""Registers are given to as many warps at a time."""


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
        (rows, columns), (down, across) = _tile(parameters), _results(parameters)
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
        for name, tile, one, lanes in zip(_names(parameters), _tile(parameters), results, self.lanes or (1, 1), strict=True):
            if tile % (one * lanes):
                yield _no_multiple(name, tile, one, lanes)
        if self.swizzled and _tile(parameters)[0] % BANKS:
            yield message(
                "{name} must be a multiple of the {banks} banks, not {value}: the swizzle would leave the row.",
                name=_names(parameters)[0], banks=BANKS, value=_tile(parameters)[0],
            )  # fmt: skip

    def _registers(self, parameters: Parameters) -> Iterator[Message]:
        """The results fit, and so does what the cap gives to all threads."""
        (rows, columns), cap, threads = _tile(parameters), parameters["registers"], _threads(parameters)
        if rows * columns >= REGISTERS:
            yield message(
                "{rows} × {columns} results of a block fill {needed} registers; a block has {limit} for everything.",
                rows=rows, columns=columns, needed=rows * columns, limit=REGISTERS,
            )  # fmt: skip
        if 0 < cap < FEWEST_REGISTERS:
            yield message("{name} must be 0, for no cap, or at least {minimum}, not {value}.",
                          name="registers", minimum=FEWEST_REGISTERS, value=cap)  # fmt: skip
        if cap > most_registers(threads) and threads <= THREADS:
            yield message(
                "{threads} threads × {registers} registers = {needed}; a block has {limit}.",
                threads=threads, registers=cap, needed=threads * cap, limit=REGISTERS,
            )  # fmt: skip

    def _shares(self, parameters: Parameters) -> Iterator[Message]:
        """Each thread loads as much as the others."""
        threads = _threads(parameters)
        for tile in _tile(parameters):
            if tile * self.depth % (threads * self.width) and threads <= THREADS:
                yield message(
                    "{tile} × {depth} / {width} = {loads} loads of a step; {threads} threads cannot share them equally.",
                    tile=tile, depth=self.depth, width=self.width, loads=tile * self.depth // self.width, threads=threads,
                )  # fmt: skip


def most_registers(threads: int) -> int:
    """How many registers each thread of a block can have."""
    warps = -(-threads // (WARP * SCHEDULERS)) * SCHEDULERS
    return min(REGISTERS_PER_THREAD, REGISTERS // (warps * WARP) // 8 * 8)


def _tile(parameters: Parameters) -> tuple[int, int]:
    """Rows and columns of a block's tile of C."""
    return parameters["tile_rows"] or parameters["tile"], parameters["tile"]


def _names(parameters: Parameters) -> tuple[str, str]:
    """The parameters that they come from."""
    return "tile_rows" if parameters["tile_rows"] else "tile", "tile"


def _results(parameters: Parameters) -> tuple[int, int]:
    """Rows and columns of a thread's results."""
    return parameters.get("result_rows", parameters["results"]), parameters["results"]


def _threads(parameters: Parameters) -> int:
    (rows, columns), (down, across) = _tile(parameters), _results(parameters)
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
