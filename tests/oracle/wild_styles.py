"""Programs of tests/corpus/wild for the ways in which they are written: host libraries, classes, namespaces, headers, line ends."""

from __future__ import annotations

import numpy as np

from tests.oracle.wild import RANDOM, Given, Program, floats, whole


def vectors() -> list[Program]:
    x, y = floats(1000), floats(1000)
    values = np.concatenate([floats(500), np.zeros(12, np.float32)])
    kept = values[:500][values[:500] >= 0]
    packed: Given = {
        "in": values, "out": np.zeros(len(kept), np.float32), "count": np.zeros(1, np.uint32), "n": 500, "least": 0.0,
    }  # fmt: skip
    product = (np.float64(2.5) * x.astype(np.float64) + y).astype(np.float32)
    return [
        Program("saxpy_cublas", "saxpy", (3, 1, 1), (128, 1, 1), {"n": 1000, "a": 2.5, "x": x, "y": y}, {"y": product}, 1e-6),
        Program("pack_windows", "pack_rows", (4, 1, 1), (128, 1, 1), packed, {"out": kept, "count": np.array([len(kept)], np.uint32)}),
    ]


def images() -> list[Program]:
    pixels = RANDOM.integers(0, 256, (19, 37, 3), dtype=np.uint8)
    grey = (pixels.astype(np.int32) @ np.array([29, 150, 77]) >> 8).astype(np.uint8)
    picture: Given = {"src": pixels, "dst": np.zeros_like(grey), "rows": 19, "cols": 37}
    binary: Given = {"img": grey, "total": grey.size, "level": 100}
    return [
        Program("opencv_gray", "bgr2gray", (3, 2, 1), (16, 16, 1), picture, {"dst": grey}),
        Program("opencv_gray", "threshold", (6, 1, 1), (128, 1, 1), binary, {"img": np.where(grey > 100, 255, 0).astype(np.uint8)}),
        _bilateral(),
    ]


def _bilateral() -> Program:
    image = floats(21, 30)
    near = np.array([0.25, 0.5, 1.0, 0.5, 0.25])
    padded = np.pad(image, 2, mode="edge").astype(np.float64)
    total, weights = np.zeros((21, 30)), np.zeros((21, 30))
    for dy in range(5):
        for dx in range(5):
            value = padded[dy : dy + 21, dx : dx + 30]
            weight = near[dy] * near[dx] / (1 + 4 * np.abs(value - image))
            total, weights = total + weight * value, weights + weight
    given: Given = {"in": image, "out": np.zeros_like(image), "width": 30, "height": 21, "range": 4.0}
    return Program("bilateral_local_header", "bilateral", (2, 2, 1), (16, 16, 1), given, {"out": total / weights}, 1e-5)


def fractals() -> list[Program]:
    width, height, most = 40, 24, 30
    c = (-2 + 0.07 * np.arange(width)) + 1j * (0.9 - 0.07 * np.arange(height))[:, None]
    z, steps = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(most):
        going = z.real**2 + z.imag**2 <= 4
        z, steps = np.where(going, z * z + c, z), steps + going
    view: Given = {
        "out": np.zeros((height, width), np.int32), "width": width, "height": height, "view.left": -2.0, "view.top": 0.9,
        "view.step": 0.07, "most": most,
    }  # fmt: skip
    launch = ((2, 3, 1), (32, 8, 1))
    inside = "fractal::mandelbrot<fractal::Colouring::Inside>"
    return [
        Program("mandelbrot_complex", "fractal::mandelbrot", *launch, view, {"out": steps.astype(np.int32)}),
        Program("mandelbrot_complex", inside, *launch, view, {"out": (steps == most).astype(np.int32)}),
    ]


def learning() -> list[Program]:
    rows, gamma = floats(3, 160), floats(160)
    wide = rows.astype(np.float64)
    normal = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * gamma
    layer: Given = {"in": rows, "gamma": gamma, "out": np.zeros_like(rows), "vectors": 40, "eps": 1e-5}
    matrix, bias = floats(20, 50), np.float32(0.25)
    shifted = matrix + bias
    chained = np.where(shifted * shifted > 0, shifted * shifted, np.float32(0.01) * (shifted * shifted))
    shape: Given = {"in.rows_": 20, "in.columns_": 50, "in.data_": matrix}
    result: Given = {"out.data_": np.zeros_like(matrix), "out.rows_": 20, "out.columns_": 50, "bias": 0.25}
    best: Given = {"best": np.zeros(50, np.float32), "where": np.zeros(50, np.int32)}
    maxima = {"best": matrix.max(0), "where": matrix.argmax(0).astype(np.int32)}
    return [
        Program("layernorm_float4", "layernorm<float4, 64>", (3, 1, 1), (64, 1, 1), layer, {"out": normal}, 1e-5),
        Program("matrix_class", "transform<Chain<Square, Relu>>", (4, 2, 1), (16, 16, 1), shape | result, {"out.data_": chained}),
        Program("matrix_class", "column_maxima", (2, 1, 1), (32, 1, 1), shape | best, maxima),
    ]


def cells() -> list[Program]:
    now = (RANDOM.random((20, 30)) < 0.4).astype(np.uint8)
    around = sum(np.roll(now, (dy, dx), (0, 1)).astype(int) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx)
    following = ((around == 3) | ((now == 1) & (around == 2))).astype(np.uint8)
    world: Given = {"now": now, "next": np.zeros_like(now), "width": 30, "height": 20}
    count: Given = {"cells": now, "count": now.size, "total": np.zeros(1, np.uint64)}
    return [
        Program("life_ranges", "step", (2, 2, 1), (16, 16, 1), world, {"next": following}),
        Program("life_ranges", "population", (2, 1, 1), (64, 1, 1), count, {"total": now.sum(dtype=np.uint64).reshape(1)}),
    ]


def searching() -> list[Program]:
    values = floats(300)
    bits = values.view(np.uint32)
    falling = ~np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31)).astype(np.uint32)
    found = whole(0, 1 << 30, 300).view(np.uint32)
    counts = np.bincount(found >> 8 & 15, minlength=16).astype(np.uint32)
    queries, points = floats(70, 3), floats(150, 3)
    distances = ((queries[:, None] - points) ** 2).astype(np.float32)
    total = (distances[..., 0] + distances[..., 1]) + distances[..., 2]
    near: Given = {
        "queries": queries, "n_queries": 70, "points": points, "n_points": 150, "best_index": np.zeros(70, np.int32),
        "best": np.zeros(70, np.float32),
    }  # fmt: skip
    nearest = {"best_index": total.argmin(1).astype(np.int32), "best": total.min(1)}
    keyed: Given = {"values": values, "out": np.zeros(300, np.uint32), "n": 300}
    counted: Given = {"in": found, "counts": np.zeros(16, np.uint32), "n": 300, "shift": 8}
    return [
        Program("radix_keys", "keys<DESCENDING>", (2, 1, 1), (64, 1, 1), keyed, {"out": falling}),
        Program("radix_keys", "digits", (5, 1, 1), (64, 1, 1), counted, {"counts": counts}),
        Program("knn_shared", "nearest<float, 3>", (2, 1, 1), (64, 1, 1), near, nearest, shared_bytes=64 * 12),
    ]


PROGRAMS = [*vectors(), *images(), *fractals(), *learning(), *cells(), *searching()]
