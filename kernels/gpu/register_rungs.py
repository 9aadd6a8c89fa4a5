"""The GPU ladder of multiplications, second part: a thread keeps many results in registers."""

from __future__ import annotations

from dataclasses import replace

from kernels.gpu.parameters import REGISTER_CAP, REGISTER_ROWS, REGISTER_TILE, RESULT_ROWS, RESULTS, STAGES
from kernels.messages import Message, message
from kernels.register_launches import RegisterTile
from kernels.spec import Device, Operation, Parameter, Variant

SQUARE = (REGISTER_TILE, REGISTER_ROWS, RESULTS, REGISTER_CAP)
TALL = (replace(REGISTER_TILE, default=64), replace(REGISTER_ROWS, default=128, small=64), RESULTS, replace(REGISTER_CAP, default=168))
"""At k-depth 16, what is in flight does not fit beside the results of two blocks of 256 threads; with three blocks of 128 it does."""
FLAT = (REGISTER_TILE, replace(REGISTER_ROWS, default=64), RESULTS, replace(REGISTER_CAP, default=168), STAGES)
"""Where the copies of A are many, fewer rows of it; the places that they go to take registers too."""
WARP = (REGISTER_TILE, replace(REGISTER_ROWS, default=256, small=64), RESULTS, RESULT_ROWS, replace(REGISTER_CAP, default=0))
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
          RegisterTile(8, stages=2, swizzled=True, lanes=(4, 8)), BUFFERED, WARP),
)  # fmt: skip
"""In teaching order. The two depths of a rung share one text."""
