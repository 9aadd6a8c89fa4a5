"""GPU ladder of multiplications, first part: from one thread an element to a column of results a thread, and other shared layouts.

The kernel whose threads say where they are is here too.
"""

from __future__ import annotations

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Launch, Operation, Parameter, Parameters, Problem, Variant
from kernels.catalogue import launches
from kernels.catalogue.launches import BLOCKS, GPU_TILE, ROWS, THREADS_X, THREADS_Y, refuse_swizzle

BANKS = 32
PADDED, SWIZZLED = range(2)
"""Values of the parameter `layout`."""


def conflict_free_tile_of_c(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, the tile of B transposed; its rows are padded, or swizzled, so that a column of it lies in different banks."""
    tile, swizzled = parameters["tile"], parameters["layout"] == SWIZZLED
    padding = 0 if swizzled else max(1, BANKS // tile)
    defines = {"TILE": tile, "PADDING": padding, "SWIZZLE": int(swizzled)}
    return _launch(problem, (tile, tile), (tile, tile), defines, tile * tile + tile * (tile + padding))


def refuse_layout(parameters: Parameters) -> Message | None:
    """Why the tile cannot have this layout, or None."""
    return refuse_swizzle(parameters) if parameters["layout"] == SWIZZLED else None


def column_of_tile(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, `results` elements of a column a thread; a tile of A and one of B in shared memory."""
    tile, results = parameters["tile"], parameters["results"]
    return _launch(problem, (tile, tile), (tile, tile // results), {"TILE": tile, "RESULTS": results}, 2 * tile * tile)


def refuse_column_of_tile(parameters: Parameters) -> Message | None:
    """Why a column of the tile cannot be divided among threads like this, or None."""
    tile, results = parameters["tile"], parameters["results"]
    return None if tile % results == 0 else message(
        "{name} must be a multiple of {other}: {tile} = {quotient} × {results} + {rest}.",
        name="tile", other="results", tile=tile, quotient=tile // results, results=results, rest=tile % results,
    )  # fmt: skip


def column_a_thread(problem: Problem, parameters: Parameters) -> Launch:
    """A row of `tile` threads a block, each with a column of `results` elements of C; `depth` columns of A in shared memory."""
    tile, results, depth = parameters["tile"], parameters["results"], parameters["depth"]
    defines = {"TILE": tile, "RESULTS": results, "DEPTH": depth}
    return _launch(problem, (tile, results), (tile, 1), defines, depth * results)


def _launch(problem: Problem, part: tuple[int, int], block: tuple[int, int], defines: dict[str, int], shared_floats: int) -> Launch:
    """Blocks that compute `part` (columns, rows) of C each."""
    assert problem.operation is Operation.MATMUL
    grid = -(-problem.n // part[0]), -(-problem.m // part[1])
    return Launch(grid, block, defines, shared_floats * FLOAT32_BYTES)


LAYOUT = Parameter("layout", message("Layout"), default=0, minimum=0, maximum=1, stops=(0, 1), names=("padding", "swizzle"))
WORK_TILE = Parameter("tile", message("Tile size"), default=32, minimum=1, maximum=64, stops=(8, 16, 32, 64))
WORK_RESULTS = Parameter("results", message("Results a thread"), default=8, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16))
PRODUCT_TILE = Parameter("tile", message("Columns of C a block"), default=128, minimum=32, maximum=1024, stops=(32, 64, 128, 256), small=32)
PRODUCT_RESULTS = Parameter("results", message("Results a thread"), default=16, minimum=1, maximum=32, stops=(4, 8, 16, 32))
DEPTH = Parameter("depth", message("k-depth"), default=8, minimum=1, maximum=32, stops=(4, 8, 16, 32))
"""Values of k in a step."""

SIMPLE_MULTIPLICATIONS = (
    Variant(
        "gpu.naive", Operation.MATMUL, Device.GPU,
        message("Naive"),
        message("One thread for each element of C; every thread reads its whole row of A and column of B from global memory."),
        source="gpu/matmul_naive.cu", entry="matmul_naive", parameters=(GPU_TILE, ROWS), launch=launches.thread_per_element,
        features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.naive-global", Operation.MATMUL, Device.GPU,
        message("Naive, sum in global memory"),
        message("The naive kernel without a variable for the sum: an element of C itself takes each product, and is stored in every step."),
        source="gpu/matmul_naive_global.cu", entry="matmul_naive_global", parameters=(GPU_TILE, ROWS),
        launch=launches.thread_per_element, features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.uncoalesced", Operation.MATMUL, Device.GPU,
        message("Uncoalesced"),
        message("The naive kernel with x and y exchanged: neighbours of a warp read and write a whole row apart, each in another sector."),
        source="gpu/matmul_uncoalesced.cu", entry="matmul_uncoalesced", parameters=(GPU_TILE, ROWS),
        launch=launches.thread_per_element_by_columns, features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.tiled", Operation.MATMUL, Device.GPU,
        message("Shared-memory tiled"),
        message(
            "A block copies one tile of A and one of B into shared memory; "
            "each value is then read by a whole row or column of threads."
        ),
        source="gpu/matmul_tiled.cu", entry="matmul_tiled", parameters=(GPU_TILE,), launch=launches.tile_of_c,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
    Variant(
        "gpu.coalesced-bt", Operation.MATMUL, Device.GPU,
        message("Tiled, B transposed"),
        message(
            "The tile of B is transposed in shared memory, which saves no sector, because warps have read along the rows of B before; "
            "but now their lanes meet in the banks."
        ),
        source="gpu/matmul_coalesced_bt.cu", entry="matmul_coalesced_bt", parameters=(GPU_TILE,), launch=launches.tile_of_c,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
    Variant(
        "gpu.conflict-free", Operation.MATMUL, Device.GPU,
        message("Tiled, B transposed, conflict-free"),
        message("The transposed tile of B is padded or swizzled, so that lanes that read down a column of it find different banks."),
        source="gpu/matmul_conflict_free.cu", entry="matmul_conflict_free", parameters=(GPU_TILE, LAYOUT),
        launch=conflict_free_tile_of_c, constraint=refuse_layout,
        features=frozenset({"shared memory", "tile", "padding", "swizzle", "barrier"}),
    ),
    Variant(
        "gpu.work-per-thread", Operation.MATMUL, Device.GPU,
        message("More work a thread"),
        message("A thread computes several elements of a column of C, so that each value of B that it reads serves all of them."),
        source="gpu/matmul_work_per_thread.cu", entry="matmul_work_per_thread", parameters=(WORK_TILE, WORK_RESULTS),
        launch=column_of_tile, constraint=refuse_column_of_tile,
        features=frozenset({"shared memory", "tile", "barrier", "registers"}),
    ),
    Variant(
        "gpu.outer-product", Operation.MATMUL, Device.GPU,
        message("Outer products"),
        message(
            "In each step a column of A, in shared memory, meets a row of B, of which each thread keeps one value in a register: "
            "B needs no tile."
        ),
        source="gpu/matmul_outer_product.cu", entry="matmul_outer_product", parameters=(PRODUCT_TILE, PRODUCT_RESULTS, DEPTH),
        launch=column_a_thread, features=frozenset({"shared memory", "tile", "barrier", "registers", "outer product"}),
    ),
    Variant(
        "gpu.prefetch", Operation.MATMUL, Device.GPU,
        message("Outer products, prefetched"),
        message("The same outer products; the values of the next step are on their way while those of this one are multiplied."),
        source="gpu/matmul_prefetch.cu", entry="matmul_prefetch", parameters=(PRODUCT_TILE, PRODUCT_RESULTS, DEPTH),
        launch=column_a_thread,
        features=frozenset({"shared memory", "tile", "barrier", "registers", "outer product", "prefetch"}),
    ),
)  # fmt: skip
"""In teaching order."""


GREETINGS = (
    Variant(
        "gpu.hello", Operation.HELLO, Device.GPU,
        message("Hello threads"),
        message("Every thread says where it is. Lines of one warp come together; warps and blocks in any order."),
        source="gpu/hello.cu", entry="hello", parameters=(BLOCKS, THREADS_X, THREADS_Y), launch=launches.greeting,
        features=frozenset({"threads"}),
    ),
)  # fmt: skip
"""In teaching order."""
