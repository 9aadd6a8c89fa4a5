"""Programs that simulate, filter images and walk sparse structures."""

from __future__ import annotations

import numpy as np

from kernels.simt.base.launch import Dim3
from tests.oracle.wild import RANDOM, Given, Program, floats


def stencils() -> list[Program]:
    now = floats(19, 37)
    after = now.astype(np.float64)
    inner = now[1:-1, 1:-1].astype(np.float64)
    across = (now[1:-1, :-2] - 2.0 * inner + now[1:-1, 2:]) / 0.25 + (now[:-2, 1:-1] - 2.0 * inner + now[2:, 1:-1]) / 0.5
    after[1:-1, 1:-1] += 0.125 * across
    grid: Given = {"g.nx": 37, "g.ny": 19, "g.dx2": 0.25, "g.dy2": 0.5}
    heat: Given = {"now": now, "next": np.zeros_like(now), "a_dt": 0.125, **grid}
    image = floats(8, 128)
    weights = np.array([0.001, 0.004, 0.01, 0.02, 0.04, 0.07, 0.11, 0.14, 0.21, 0.14, 0.11, 0.07, 0.04, 0.02, 0.01, 0.004, 0.001])
    rows = np.stack([np.convolve(row, weights, "same") for row in image.astype(np.float64)])
    convolution: Given = {"d_Dst": np.zeros_like(image), "d_Src": image, "imageW": 128, "imageH": 8, "pitch": 128}
    return [
        Program("heat_stencil", "heat", (3, 3, 1), (16, 8, 1), heat, {"next": after}, 1e-5),
        Program("separable_convolution", "convolutionRowsKernel", (2, 2, 1), (16, 4, 1), convolution, {"d_Dst": rows}, 1e-6),
    ]


def physics() -> list[Program]:
    x = floats(3, 200)
    shifted = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    positions = floats(100, 4)
    apart = positions[None, :, :3].astype(np.float64) - positions[:, None, :3]
    acceleration = (apart * (positions[None, :, 3] / ((apart**2).sum(2) + 0.01) ** 1.5)[:, :, None]).sum(1)
    bodies: Given = {"positions": positions, "acc": np.zeros((100, 3), np.float32), "numBodies": 100, "softening": 0.01}
    softmax: Given = {"x": x, "y": np.zeros_like(x), "columns": 200}
    return [
        Program("softmax", "softmax_rows<64>", (3, 1, 1), (64, 1, 1), softmax, {"y": shifted / shifted.sum(1, keepdims=True)}, 1e-5),
        Program("nbody", "accelerations", (4, 1, 1), (32, 1, 1), bodies, {"acc": acceleration}, 1e-4, shared_bytes=512),
    ]


def random_points(threads: int, block: int, points: int, seed: int) -> int:
    """The number of points inside the quarter of a circle."""
    mask, inside = (1 << 64) - 1, 0
    for thread in range(threads):
        state, increment = (seed + 0x9E3779B97F4A7C15 * thread) & mask, thread % block | 1

        def drawn() -> np.float32:
            nonlocal state
            old, state = state, (state * 6364136223846793005 + increment) & mask  # noqa: B023 - called in this round only
            shifted, turn = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF, old >> 59
            turned = (shifted >> turn | shifted << (-turn & 31)) & 0xFFFFFFFF
            return np.float32(turned >> 8) * np.float32(1 / 16777216)

        drawn()
        for _ in range(points):
            a, b = drawn(), drawn()
            inside += bool(a * a + b * b < 1)
    return inside


def simulations() -> list[Program]:
    counted = np.array([random_points(128, 64, 20, 9)], np.uint64)
    return [
        Program(
            "monte_carlo_pi", "count_inside", (2, 1, 1), (64, 1, 1), {"inside": np.zeros(1, np.uint64), "seed": 9, "points": 20},
            {"inside": counted},
        ),
        mandelbrot(),
    ]  # fmt: skip


def mandelbrot() -> Program:
    cr, ci = np.meshgrid(-2.0 + 3.0 * np.arange(40) / 40, -1.0 + 2.0 * np.arange(20) / 20)
    zr, zi, rounds = np.zeros_like(cr), np.zeros_like(cr), np.zeros(cr.shape, np.int32)
    going = np.ones(cr.shape, bool)
    for _ in range(50):
        going &= zr * zr + zi * zi <= 4.0
        rounds += going
        zr, zi = np.where(going, zr * zr - zi * zi + cr, zr), np.where(going, 2 * zr * zi + ci, zi)
    arguments: Given = {"out": np.zeros_like(rounds), "width": 40, "height": 20, "maxIterations": 50}
    return Program("image_filters", "mandelbrot", (3, 2, 1), (16, 16, 1), arguments, {"out": rounds})


def images() -> list[Program]:
    pixels = RANDOM.integers(0, 256, (21, 35, 4), dtype=np.uint8)
    parts = [np.float32(weight) * pixels[..., i].astype(np.float32) for i, weight in enumerate((0.299, 0.587, 0.114))]
    grey = (parts[0] + parts[1] + parts[2]).astype(np.uint8)
    edge = np.pad(grey, 1, mode="edge").astype(np.int32)
    around = np.stack([edge[y : y + 21, x : x + 35] for y in range(3) for x in range(3)])
    across = around[[2, 8]].sum(0) + 2 * around[5] - around[[0, 6]].sum(0) - 2 * around[3]
    down = around[[6, 8]].sum(0) + 2 * around[7] - around[[0, 2]].sum(0) - 2 * around[1]
    sobel = np.minimum(np.abs(across) + np.abs(down), 255).astype(np.uint8)
    size: Given = {"w": 35, "h": 21}
    out = np.zeros_like(grey)
    launch: tuple[Dim3, Dim3] = (3, 2, 1), (16, 16, 1)
    rgba: Given = {"rgba": pixels, "grey": out, "numRows": 21, "numCols": 35}
    return [
        Program("image_filters", "rgba_to_grey", *launch, rgba, {"grey": grey}),
        Program("image_filters", "sobel", *launch, size | {"in": grey, "out": out}, {"out": sobel}),
        Program("image_filters", "median", *launch, size | {"in": grey, "out": out}, {"out": np.median(around, 0).astype(np.uint8)}),
    ]


def sparse() -> list[Program]:
    dense = floats(7, 90) * (RANDOM.random((7, 90)) < 0.6)
    rows, columns = np.nonzero(dense)
    pointers = np.searchsorted(rows, np.arange(8)).astype(np.int32)
    x = floats(90)
    matrix: Given = {
        "num_rows": 7, "ptr": pointers, "indices": columns.astype(np.int32), "data": dense[rows, columns].astype(np.float32), "x": x,
        "y": np.zeros(7, np.float32),
    }  # fmt: skip
    far = np.iinfo(np.int32).max
    graph: Given = {
        "offsets": np.array([0, 3, 5, 7, 8, 8], np.int32), "edges": np.array([1, 2, 0, 3, 2, 3, 4, 0], np.int32),
        "distance": np.array([0, 1, 1, far, far], np.int32), "frontier": np.array([1, 2], np.int32), "frontier_size": 2,
        "next": np.zeros(2, np.int32), "next_size": np.zeros(1, np.int32), "level": 2,
    }  # fmt: skip
    reached = {"distance": np.array([0, 1, 1, 2, 2], np.int32), "next_size": np.array([2], np.int32)}
    return [
        Program("spmv_and_graph", "spmv_vector", (2, 1, 1), (128, 1, 1), matrix, {"y": dense.astype(np.float64) @ x}, 1e-5),
        Program("spmv_and_graph", "bfs_level", (1, 1, 1), (32, 1, 1), graph, reached | {"next": np.array([3, 4], np.int32)}),
    ]


PROGRAMS = [*stencils(), *physics(), *simulations(), *images(), *sparse()]
