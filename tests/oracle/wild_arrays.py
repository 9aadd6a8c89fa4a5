"""Programs that multiply, transpose, sum, count and sort."""

from __future__ import annotations

import numpy as np

from tests.oracle.wild import RANDOM, Given, Program, floats, whole


def gemm() -> list[Program]:
    a, b, c = floats(37, 29), floats(29, 41), floats(37, 41)
    guarded: Given = {"A": a, "B": b, "C": c, "M": 37, "N": 41, "K": 29, "alpha": 1.5, "beta": -0.5}
    x, y = floats(64, 64), floats(64, 64)
    square: Given = {"A": x, "B": y, "C": np.zeros_like(x)}
    return [
        Program("sgemm_guarded", "sgemm", (3, 3, 1), (16, 16, 1), guarded, {"C": 1.5 * (a @ b) - 0.5 * c}, 1e-5),
        Program(
            "sgemm_register_tiled", "gemm<32, 32, 8, 4, 4>", (2, 2, 1), (8, 8, 1), square | {"M": 64, "N": 64, "K": 64}, {"C": x @ y}, 1e-5
        ),
        Program("double_buffered_gemm", "matmul_double_buffer", (4, 4, 1), (16, 16, 1), square | {"n": 64}, {"C": x @ y}, 1e-5),
    ]


def transposes() -> list[Program]:
    image = floats(64, 64)
    arrays: Given = {"odata": np.zeros_like(image), "idata": image}
    names = ("transposeNaive", "transposeNoBankConflicts", "transposeSwizzled")
    return [Program("transpose", name, (2, 2, 1), (32, 8, 1), arrays, {"odata": image.T}) for name in names]


def reductions() -> list[Program]:
    x = whole(-100, 100, 1000)
    n: Given = {"g_idata": x, "n": 1000}
    parts = np.zeros(8, np.int32)
    by_block = np.resize(np.append(x, np.zeros(24, np.int32)), (8, 128)).sum(1, dtype=np.int32)
    strided = np.append(x, np.zeros(24, np.int32)).reshape(2, 2, 2, 128).sum((0, 2, 3), dtype=np.int32)
    doubles = RANDOM.standard_normal(777)
    padded = np.zeros(2048, np.int32)
    padded[:1000] = x
    total: Given = {"in": doubles, "out": np.zeros(1), "N": 777}
    data = whole(0, 9, 1024)
    summed: Given = {"sum": np.zeros(1, np.int32), "input": data, "n": 1024}
    answer = {"sum": np.array([data.sum()], np.int32)}
    return [
        Program("reductions", "reduce0", (8, 1, 1), (128, 1, 1), n | {"g_odata": parts}, {"g_odata": by_block}, shared_bytes=512),
        Program(
            "reductions", "reduce2", (4, 1, 1), (128, 1, 1), n | {"g_odata": parts[:4]}, {"g_odata": by_block.reshape(4, 2).sum(1)},
            shared_bytes=512,
        ),
        Program("reductions", "reduce5<128, false>", (2, 1, 1), (128, 1, 1), n | {"g_odata": parts[:2]}, {"g_odata": strided}),
        Program("reductions", "deviceReduceBlockAtomicKernel", (2, 1, 1), (96, 1, 1), total, {"out": np.array([doubles.sum()])}, 1e-13),
        Program("cooperative_reduction", "sum_kernel_block", (2, 1, 1), (64, 1, 1), summed, answer, shared_bytes=256),
        Program("cooperative_reduction", "sum_kernel_tile_shfl<16>", (2, 1, 1), (64, 1, 1), summed, answer),
    ]  # fmt: skip


def scans() -> list[Program]:
    x, y = whole(0, 16, 64).astype(np.float32), whole(0, 16, 2, 128)
    blocks = np.cumsum(y, 1, dtype=np.int32)
    exclusive = np.append(np.float32(0), np.cumsum(x, dtype=np.float32)[:-1])
    sums: Given = {"g_odata": np.zeros_like(y), "sums": np.zeros(2, np.int32), "g_idata": y, "n": 128}
    by = np.array([3, 50], np.int32)
    return [
        Program(
            "scan", "scanNaive", (1, 1, 1), (64, 1, 1), {"g_odata": np.zeros_like(x), "g_idata": x, "n": 64}, {"g_odata": exclusive},
            shared_bytes=512,
        ),
        Program(
            "scan", "scanBlocks", (2, 1, 1), (64, 1, 1), sums, {"g_odata": blocks - y, "sums": blocks[:, -1]}, shared_bytes=4 * (128 + 4)
        ),
        Program("scan", "uniformAdd", (2, 1, 1), (48, 1, 1), {"data": y, "offsets": by, "n": 128}, {"data": y + by[:, None]}),
    ]  # fmt: skip


def histograms() -> list[Program]:
    data = RANDOM.integers(0, 256, 2000, dtype=np.uint8)
    words = data.view(np.uint32)
    positions = np.arange(500) // 96 % 2
    partial = np.stack([np.bincount(words[positions == block].view(np.uint8), minlength=256) for block in range(2)]).astype(np.uint32)
    merge: Given = {"d_Histogram": np.zeros(256, np.uint32), "d_PartialHistograms": partial, "histogramCount": 2}
    return [
        Program(
            "histogram", "histogram256Kernel", (2, 1, 1), (96, 1, 1),
            {"d_PartialHistograms": np.zeros_like(partial), "d_Data": words, "dataCount": 500}, {"d_PartialHistograms": partial},
        ),
        Program("histogram", "mergeHistogram256Kernel", (256, 1, 1), (64, 1, 1), merge, {"d_Histogram": partial.sum(0, dtype=np.uint32)}),
    ]  # fmt: skip


def sorts() -> list[Program]:
    keys, values = whole(-1000, 1000, 256), np.arange(256, dtype=np.uint32)
    order = np.argsort(keys.reshape(2, 128), 1, kind="stable")
    step = floats(128)
    stepped = step.copy()
    low = np.flatnonzero(np.arange(128) & 4 == 0)
    for i in low:
        up = i & 8 == 0
        stepped[[i, i ^ 4]] = sorted(step[[i, i ^ 4]], reverse=not up)
    arrays: Given = {"d_DstKey": np.zeros_like(keys), "d_DstVal": np.zeros_like(values), "d_SrcKey": keys, "d_SrcVal": values}
    ordered = np.take_along_axis(keys.reshape(2, 128), order, 1)
    return [
        Program("bitonic_sort", "bitonicSortShared", (2, 1, 1), (64, 1, 1), arrays | {"arrayLength": 128, "dir": 1}, {"d_DstKey": ordered}),
        Program("bitonic_sort", "bitonic_sort_step", (2, 1, 1), (64, 1, 1), {"dev_values": step, "j": 4, "k": 8}, {"dev_values": stepped}),
    ]


PROGRAMS = [*gemm(), *transposes(), *reductions(), *scans(), *histograms(), *sorts()]
