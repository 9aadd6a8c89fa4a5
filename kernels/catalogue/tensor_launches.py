"""Launches of the multiplications on tensor cores, and which of their settings cannot be."""

from __future__ import annotations

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Launch, Operation, Parameters, Preparation, Problem
from kernels.base.values import dataclass
from kernels.catalogue.launches import tile_of

WARP = 32
WARPGROUP = 128
WARP_TILE = 64
"""Rows and columns of C that a warp has, with wmma."""
FLOAT4 = 4
MOST_WARPS = 8
"""A block of more has fewer than 255 registers a thread: the sums alone take 128."""
PAD_B = 8
BF16_BYTES = 2
SIDE = 64
"""Of a brick: rows of A, or columns of B, and steps of k."""
BRICK_BYTES = SIDE * SIDE * BF16_BYTES
PART_DEPTH = 32
"""Steps of k of a brick where a value has parts."""
PARTS = 3
PRODUCT_COLUMNS = 128
"""Of one wgmma instruction."""
MOST_SUMS = 32768
"""Of a block with wgmma."""
BARRIER_BYTES = 8
PACKERS = 256
PIECE_BYTES = 16
"""What a copy moves, and a row of a matrix of ldmatrix."""
PIECES_OF_A_PACKER_BLOCK = 4
SHORT_ROW_BYTES = 64
"""Of a tile of mma: a row has this, or twice as much."""
CLUSTER = 2
"""Blocks of a cluster with wgmma."""
CLUSTER_ROWS = 8
"""Rows of tiles of clusters that are computed together."""
EACH_SUM = 0.168
"""Cycles of an H200 that a sum takes to be stored, where all multiprocessors store."""


@dataclass(frozen=True, slots=True)
class ClusterTile:
    """A tile of `rows` x `columns` for each block of a cluster. For an H200: `cycles` that a sum takes, in 64 steps of k."""

    rows: int
    columns: int
    stages: int
    cycles: float

    def panels(self, problem: Problem) -> tuple[int, int]:
        """Tiles of clusters, one below another and side by side."""
        return -(-problem.m // (CLUSTER * self.rows)), -(-problem.n // self.columns)

    def expected(self, problem: Problem, clusters: int) -> float:
        """Cycles that a launch is expected to take: a cluster with the most tiles decides."""
        down, across = self.panels(problem)
        tiles = -(-down * across // clusters)
        return tiles * self.rows * self.columns * (-(-problem.k // SIDE) * self.cycles + EACH_SUM)


CLUSTER_TILES = (ClusterTile(64, 128, 8, 0.0403), ClusterTile(128, 192, 5, 0.0331), ClusterTile(128, 256, 4, 0.0320))


def wmma_tf32(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, a warp 64 x 64 of it; two stages of A and B in shared memory, as float32."""
    return _wmma(problem, parameters, 4, FLOAT32_BYTES)


def wmma_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch of the kernel with wmma and bfloat16 in shared memory."""
    return _wmma(problem, parameters, 8, BF16_BYTES)


def wgmma_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, a warpgroup 64 rows of it, and a warp that fetches; before that A and B are rounded and cut into bricks."""
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    stages = parameters["stages"]
    defines = {"TILE_M": rows, "TILE_N": columns, "STAGES": stages}
    down, across, steps = -(-problem.m // rows), -(-problem.n // columns), max(-(-problem.k // SIDE), 1)
    length = down * rows + across * columns
    packing = Launch((steps, length // SIDE), (PACKERS, 1), defines)
    return Launch(
        (across, down), (2 * rows + WARP, 1), defines,
        dynamic_shared_bytes=stages * ((rows + columns) // SIDE * BRICK_BYTES + 2 * BARRIER_BYTES),
        before=Preparation("pack_bricks", packing, length, steps * SIDE * BF16_BYTES // FLOAT32_BYTES),
    )  # fmt: skip


def wgmma_clusters_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """As many clusters as run at once, with the tile that is expected to take the least time; in a block a warpgroup for 64 rows of it, a
    warp that fetches and three that round and pack. What clusters begin with is packed before that."""
    assert problem.operation is Operation.MATMUL
    most = max(parameters["multiprocessors"] // CLUSTER, 1)
    tile = min(CLUSTER_TILES, key=lambda tile: tile.expected(problem, most))
    defines = {"TILE_M": tile.rows, "TILE_N": tile.columns, "STAGES": tile.stages}
    down, across = tile.panels(problem)
    steps, clusters, rows = max(-(-problem.k // SIDE), 1), min(down * across, most), min(down, CLUSTER_ROWS)
    first = rows * CLUSTER * tile.rows + min(across, -(-clusters // rows)) * tile.columns
    length, row_floats = down * CLUSTER * tile.rows + across * tile.columns, steps * SIDE * BF16_BYTES // FLOAT32_BYTES
    counts = -(-(down + across + 1) // row_floats)
    packing = Launch((steps, first // SIDE), (PACKERS, 1), defines)
    return Launch(
        (CLUSTER * clusters, 1), (2 * tile.rows + WARPGROUP, 1), defines,
        dynamic_shared_bytes=tile.stages * ((tile.rows + tile.columns) // SIDE * BRICK_BYTES + 2 * BARRIER_BYTES),
        before=Preparation("pack_first", packing, length + counts, row_floats),
    )  # fmt: skip


def three_parts(problem: Problem, parameters: Parameters) -> Launch:
    """One block `tile_rows` by 128 of C, a warpgroup 64 rows of it, and a warp that fetches; before that A and B are cut into parts."""
    assert problem.operation is Operation.MATMUL
    rows, stages = parameters["tile_rows"], parameters["stages"]
    defines = {"TILE_M": rows, "STAGES": stages}
    down, across, steps = -(-problem.m // rows), -(-problem.n // PRODUCT_COLUMNS), max(-(-problem.k // PART_DEPTH), 1)
    length, row_bytes = down * rows + across * PRODUCT_COLUMNS, PARTS * PART_DEPTH * BF16_BYTES
    packing = Launch((steps, length // SIDE), (PACKERS, 1), defines)
    return Launch(
        (across, down), (2 * rows + WARP, 1), defines,
        dynamic_shared_bytes=stages * ((rows + PRODUCT_COLUMNS) * row_bytes + 2 * BARRIER_BYTES),
        before=Preparation("pack_parts", packing, length, steps * row_bytes // FLOAT32_BYTES),
    )  # fmt: skip


def mma_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, a warp 64 x 64 of it; before that A is rounded, and B rounded and turned, both padded to whole tiles."""
    return _mma(problem, parameters, BF16_BYTES)


def mma_padded_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch of the kernel whose rows in shared memory are a piece longer."""
    return _mma(problem, parameters, BF16_BYTES, PIECE_BYTES)


def mma_tf32(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch of the kernel with TF32, in float32, in shared memory."""
    return _mma(problem, parameters, FLOAT32_BYTES)


def mma_padded_tf32(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch of the kernel with TF32 whose rows in shared memory are a piece longer."""
    return _mma(problem, parameters, FLOAT32_BYTES, PIECE_BYTES)


def refuse_mma_bf16(parameters: Parameters) -> Message | None:
    """Return why a tile cannot be divided among warps and copies like this, or None."""
    return _refuse_mma(parameters, BF16_BYTES)


def refuse_mma_tf32(parameters: Parameters) -> Message | None:
    """Return why a tile of TF32 cannot be divided among warps and copies like this, or None."""
    return _refuse_mma(parameters, FLOAT32_BYTES)


def refuse_wmma_tf32(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warps like this, or None."""
    return _refuse_wmma(parameters, 8)


def refuse_wmma_bf16(parameters: Parameters) -> Message | None:
    """Return why a tile cannot be divided among warps like this with fragments of 16 steps of k, or None."""
    return _refuse_wmma(parameters, 16)


def refuse_three_parts(parameters: Parameters) -> Message | None:
    """Why rows cannot be divided among warpgroups, or None."""
    return _refuse_multiple("tile_rows", parameters["tile_rows"], SIDE)


def refuse_wgmma(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warpgroups like this, or None."""
    rows, columns = tile_of(parameters)
    reason = _refuse_multiple("tile_rows", rows, SIDE) or _refuse_multiple("tile", columns, PRODUCT_COLUMNS)
    if reason is None and rows * columns > MOST_SUMS:
        return message(
            "{rows} × {columns} sums need {needed} registers; a block has {limit} for everything, and half of them for sums.",
            rows=rows, columns=columns, needed=rows * columns, limit=2 * MOST_SUMS,
        )  # fmt: skip
    return reason


def _wmma(problem: Problem, parameters: Parameters, pad_a: int, element_bytes: int) -> Launch:
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    depth = parameters["depth"]
    shared = 2 * (rows * (depth + pad_a) + depth * (columns + PAD_B)) * element_bytes
    defines = {"TILE_M": rows, "TILE_N": columns, "DEPTH": depth}
    return Launch((-(-problem.n // columns), -(-problem.m // rows)), (_warps(rows, columns) * WARP, 1), defines, shared)


def _mma(problem: Problem, parameters: Parameters, element_bytes: int, padding_bytes: int = 0) -> Launch:
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    depth, stages = parameters["depth"], parameters["stages"]
    defines = {"TILE_M": rows, "TILE_N": columns, "DEPTH": depth, "STAGES": stages}
    down, across, steps = -(-problem.m // rows), -(-problem.n // columns), max(-(-problem.k // depth), 1)
    length, row_bytes = down * rows + across * columns, depth * element_bytes
    packing = Launch((steps * row_bytes // (PIECE_BYTES * PIECES_OF_A_PACKER_BLOCK), length // SIDE), (PACKERS, 1), defines)
    return Launch(
        (across, down), (_warps(rows, columns) * WARP, 1), defines,
        dynamic_shared_bytes=stages * (rows + columns) * (row_bytes + padding_bytes),
        before=Preparation("round_and_turn", packing, length, steps * row_bytes // FLOAT32_BYTES),
    )  # fmt: skip


def _refuse_wmma(parameters: Parameters, fragment_depth: int) -> Message | None:
    rows, columns = tile_of(parameters)
    reason = _refuse_tile(rows, columns) or _refuse_multiple("depth", parameters["depth"], fragment_depth)
    return reason or _refuse_copies(parameters["depth"], min(rows, columns), _warps(rows, columns) * WARP, FLOAT4)


def _refuse_mma(parameters: Parameters, element_bytes: int) -> Message | None:
    rows, columns = tile_of(parameters)
    reason = _refuse_tile(rows, columns) or _refuse_multiple("depth", parameters["depth"], SHORT_ROW_BYTES // element_bytes)
    return reason or _refuse_copies(parameters["depth"], rows + columns, _warps(rows, columns) * WARP, PIECE_BYTES // element_bytes)


def _refuse_tile(rows: int, columns: int) -> Message | None:
    reason = _refuse_multiple("tile_rows", rows, WARP_TILE) or _refuse_multiple("tile", columns, WARP_TILE)
    if reason is None and _warps(rows, columns) > MOST_WARPS:
        return message(
            "{rows} × {columns} of C are {warps} warps with {side} × {side} each; with more than {most} a thread has too few registers.",
            rows=rows, columns=columns, warps=_warps(rows, columns), side=WARP_TILE, most=MOST_WARPS,
        )  # fmt: skip
    return reason


def _refuse_copies(depth: int, side: int, threads: int, values: int) -> Message | None:
    if depth * side % (threads * values) == 0:
        return None
    return message(
        "depth × {side} = {values} values of a tile are no multiple of the {threads} × {each} that all threads fetch at once.",
        side=side, values=depth * side, threads=threads, each=values,
    )  # fmt: skip


def _refuse_multiple(name: str, value: int, unit: int) -> Message | None:
    return None if value % unit == 0 else message("{name} must be a multiple of {unit}, not {value}.", name=name, unit=unit, value=value)


def _warps(rows: int, columns: int) -> int:
    return rows // WARP_TILE * (columns // WARP_TILE)
