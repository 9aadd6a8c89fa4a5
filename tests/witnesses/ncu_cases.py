"""The launches that are compared with Nsight Compute: kernels of `ncu_kernels.cu`, and the kernels that the program ships.

Needs NumPy alone, because it is imported on the GPU machine too. Inputs are made by integer arithmetic, so that every release of
NumPy makes the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kernels.base.spec import Problem
from kernels.catalogue.catalogue import by_id
from tests.witnesses.copies_texts import MOVES, Move

ROOT = Path(__file__).resolve().parents[2]
KERNELS = Path("tests") / "witnesses" / "ncu_kernels.cu"
Value = int | npt.NDArray[np.generic]
Dim3 = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One launch. `source` is relative to the repository; integers are C's int; an array is an argument's memory before the launch."""

    name: str
    kernel: str
    grid: Dim3
    block: Dim3
    arguments: Mapping[str, Value]
    """In the order of the kernel's parameters."""
    source: Path = KERNELS
    defines: Mapping[str, int] = field(default_factory=dict)
    output: str = "out"
    """The argument that the kernel writes."""
    code: str = ""
    """The text itself, where it is in no file."""

    @property
    def text(self) -> str:
        return self.code or (ROOT / self.source).read_text(encoding="utf-8")


def hashed(count: int, seed: int) -> npt.NDArray[np.uint32]:
    """Numbers without a pattern, by a multiplicative hash."""
    x = np.arange(count, dtype=np.uint64) + np.uint64(seed) * np.uint64(0x9E3779B1)
    x = (x ^ (x >> np.uint64(15))) * np.uint64(0x2C1B3C6D) % np.uint64(1 << 32)
    x = (x ^ (x >> np.uint64(12))) * np.uint64(0x297A2D39) % np.uint64(1 << 32)
    return (x ^ (x >> np.uint64(15))).astype(np.uint32)


def floats(count: int, seed: int = 1) -> npt.NDArray[np.float32]:
    """Float32 in [-1, 1) with 24 random bits."""
    return ((hashed(count, seed) >> np.uint32(8)).astype(np.float32) / np.float32(1 << 23) - np.float32(1)).astype(np.float32)


def blank(count: int) -> npt.NDArray[np.float32]:
    """An output, full of NaN."""
    return np.full(count, np.nan, np.float32)


def _line(kernel: str, blocks: int, threads: int, arguments: Mapping[str, Value], suffix: str = "") -> Case:
    return Case(kernel + suffix, kernel, (blocks, 1, 1), (threads, 1, 1), arguments)


def _square(kernel: str, blocks: int, threads: int, arguments: Mapping[str, Value]) -> Case:
    return Case(kernel, kernel, (blocks, blocks, 1), (threads, threads, 1), arguments)


def _global_memory() -> list[Case]:
    index = (hashed(1000, 7) % 1000).astype(np.int32)
    order = np.argsort(hashed(1000, 8), kind="stable").astype(np.int32)
    copy: dict[str, Value] = {"in": floats(1100), "out": blank(1280), "n": 1000}
    strided: dict[str, Value] = {"in": floats(8192), "out": blank(8192), "n": 250}
    indexed: dict[str, Value] = {"in": floats(1000), "out": blank(1000), "n": 1000}
    columns: dict[str, Value] = {"in": floats(70 * 37), "out": blank(70 * 37), "rows": 37, "columns": 70}
    return [
        _line("copy", 5, 256, copy),
        _line("copy", 11, 96, copy, " in odd blocks"),
        _line("copy_shifted", 4, 256, copy | {"shift": 1}),
        _line("copy_shifted", 4, 256, copy | {"shift": 8}, " by a sector"),
        _line("copy_strided", 2, 128, strided | {"stride": 3}),
        _line("copy_strided", 2, 128, strided | {"stride": 32}, " by a line"),
        _line("copy_float2", 4, 128, {"in": floats(1000), "out": blank(1000), "n": 500}),
        _line("copy_float4", 4, 64, {"in": floats(1000), "out": blank(1000), "n": 250}),
        _line("copy_bytes", 4, 256, {"in": hashed(250, 3).view(np.uint8), "out": np.zeros(1000, np.uint8), "n": 1000}),
        _line("copy_doubles", 4, 128, {"in": floats(500).astype(np.float64), "out": np.zeros(500), "n": 500}),
        _line("gather", 4, 256, {"index": index} | indexed),
        _line("scatter", 4, 256, {"index": order} | indexed),
        _line("copy_sparse", 5, 256, copy),
        Case("transpose_by_columns", "transpose_by_columns", (3, 5, 1), (32, 8, 1), columns),
        Case("matmul_uncoalesced", "matmul_uncoalesced", (3, 3, 1), (16, 16, 1), _product(40), output="C"),
    ]


def _product(n: int) -> dict[str, Value]:
    return {"A": floats(n * n, 1), "B": floats(n * n, 2), "C": blank(n * n), "n": n}


def _shared_memory() -> list[Case]:
    square: dict[str, Value] = {"in": floats(64 * 64), "out": blank(64 * 64), "n": 64}
    keys: dict[str, Value] = {"data": hashed(256, 5).view(np.int32).copy(), "times": 1}
    counted: dict[str, Value] = {"data": (hashed(250, 6) % 64).astype(np.int32), "bins": np.zeros(64, np.int32), "n": 250, "weight": 3}
    pairs = [(1, 1), (2, 1), (1, 2), (1, 4), (4, 1), (3, 2), (8, 2)]
    return [
        *(_line("shared_stride", 1, 128, {"out": blank(128), "stride": s}, f" {s}") for s in (1, 2, 3, 8, 16, 31, 32)),
        *(_line("shared_broadcast", 1, 128, {"out": blank(128), "group": g}, f" {g}") for g in (2, 5, 64)),
        *(_line("shared_float2", 1, 64, {"out": blank(128), "stride": s, "group": g}, f" {s} {g}") for s, g in pairs),
        *(_line("shared_float4", 1, 64, {"out": blank(256), "stride": s, "group": g}, f" {s} {g}") for s, g in pairs),
        *(_line("shared_bytes", 1, 128, {"out": np.zeros(128, np.uint8), "stride": s}, f" {s}") for s in (1, 4, 33)),
        _line("shared_divergent", 1, 128, {"out": blank(128)}),
        *(_square(kernel, 2, 32, square) for kernel in ("transpose_unpadded", "transpose_with_padding", "transpose_swizzled")),
        Case("matmul_tiles", "matmul_tiles", (3, 3, 1), (16, 16, 1), _product(40), output="C"),
        _line("reduce_interleaved", 3, 256, {"in": floats(768), "out": blank(3), "times": 1}),
        _line("reduce_sequential", 3, 256, {"in": floats(768), "out": blank(3), "times": 1}),
        _line("scan", 1, 128, {"in": floats(128), "out": blank(128), "times": 1}),
        _line("stencil", 4, 128, {"in": floats(500), "out": blank(500), "n": 500}),
        Case("bitonic_sort", "bitonic_sort", (1, 1, 1), (256, 1, 1), keys, output="data"),
        *_atomics(),
        Case("histogram", "histogram", (2, 1, 1), (128, 1, 1), counted, output="bins"),
    ]


def _atomics() -> list[Case]:
    words: dict[str, Value] = {"out": np.zeros(128, np.int32)}
    long: dict[str, Value] = {"out": np.zeros(128, np.uint64)}
    weight: dict[str, Value] = {"weight": 3}
    kernels = {
        "shared_atomic_add": (words, weight), "shared_atomic_count": (words, {}), "shared_atomic_max": (words, {}),
        "shared_atomic_swap": (words, weight), "shared_atomic_long": (long, weight),
    }  # fmt: skip
    return [
        _line(kernel, 1, 128, {**out, "stride": stride, "group": group, **more}, f" {stride} {group}")
        for kernel, (out, more) in kernels.items()
        for stride, group in ((1, 1), (2, 1), (32, 1), (1, 2), (1, 32), (16, 4), (3, 5))
    ]


SHIPPED: tuple[tuple[str, dict[str, int]], ...] = (
    ("gpu.naive", {"tile": 16}),
    ("gpu.naive", {"tile": 8}),
    ("gpu.tiled", {"tile": 16}),
    ("gpu.tiled", {"tile": 32}),
    ("gpu.transpose-global", {"tile": 16}),
    ("gpu.transpose-padded", {"tile": 16}),
    ("gpu.transpose-padded", {"tile": 32}),
    ("gpu.naive", {"tile": 32, "rows": 4}),
    ("gpu.uncoalesced", {"tile": 16}),
    ("gpu.uncoalesced", {"tile": 32, "rows": 8}),
    ("gpu.transpose-shared", {"tile": 16}),
    ("gpu.transpose-shared", {"tile": 32}),
    ("gpu.transpose-padded", {"tile": 32, "padding": 2}),
    ("gpu.transpose-swizzled", {"tile": 16}),
    ("gpu.transpose-swizzled", {"tile": 32}),
)
"""Variants with their settings; what is not named is at its default."""
SIZES = ((64, 64, 64), (67, 45, 83))
"""m, n and k."""


def shipped() -> list[Case]:
    """The catalogue's CUDA kernels, at a size that their tile divides and at one that it does not."""
    return [_shipped(variant_id, setting, size) for variant_id, setting in SHIPPED for size in SIZES]


def _shipped(variant_id: str, setting: Mapping[str, int], size: tuple[int, int, int]) -> Case:
    variant = by_id(variant_id)
    assert variant.launch is not None
    m, n, k = size
    problem = Problem.of(variant.operation, m, n, k)
    launch = variant.launch(problem, {**variant.defaults, **setting})
    arrays: dict[str, Value] = {
        name: blank(rows * columns) if name == "C" else floats(rows * columns, seed)
        for seed, (name, (rows, columns)) in enumerate(problem.shapes.items(), 1)
    }
    sizes: dict[str, Value] = {"M": m, "N": n}
    if problem.k:
        sizes["K"] = k
    (grid_x, grid_y), (block_x, block_y) = launch.grid, launch.block
    values = " ".join(f"{name} {value}" for name, value in setting.items())
    name = f"{variant_id} {values} {m}x{n}x{problem.k}"
    return Case(
        name, variant.entry, (grid_x, grid_y, 1), (block_x, block_y, 1), arrays | sizes,
        Path("kernels") / variant.source, launch.defines, "C",
    )  # fmt: skip


MOVED_SETS = 4


def moves() -> list[Case]:
    """A warp that moves data between random places by ldmatrix, stmatrix and cp.async; recorded by themselves, in ncu_moves_h100.json."""
    return [case for move in MOVES for case in _moved(move)]


def _moved(move: Move) -> list[Case]:
    data, place, source = move.drawn(MOVED_SETS)
    wanted = move.expected(data, place, source).shape[1]
    return [
        Case(f"{move.title} {each}", "run", (1, 1, 1), (32, 1, 1),
             {"data": data[each], "place": place[each], "from": source[each], "out": np.zeros(wanted, np.uint32)}, code=move.text)
        for each in range(MOVED_SETS)
    ]  # fmt: skip


def chosen(names: Sequence[str]) -> list[Case]:
    """The cases whose names begin with one of these; where none is given, all but the moves."""
    return [case for case in own() + shipped() + moves() if case.name.startswith(tuple(names))] if names else own() + shipped()


def own() -> list[Case]:
    """The kernels in which the compiler merges nothing."""
    return _global_memory() + _shared_memory()
