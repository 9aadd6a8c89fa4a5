"""Does the cache model know the best tile? Predicted misses beside measured times, tile by tile, in one run.

`python tests/perf/tile_prediction.py [--n 1024] [--tiles 8,16,32] [VARIANT]`. Predicted is, for this machine's caches, the tile with the
fewest bytes that come from beyond each level; measured is the shortest of some samples.
"""

from __future__ import annotations

import argparse
import sys

from kernels.cachesim.count import Counts, count
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.presets import preset
from kernels.catalog import find
from kernels.cpu.runner import CpuRunner
from kernels.measure.results import Point
from kernels.reference import random_inputs
from kernels.spec import Problem, Variant

TILES = "8,16,32,64,128,256,512,1024"
SAMPLES = 7


def measured_ms(variant: Variant, problem: Problem, tile: int) -> float:
    """The shortest time of some samples, after one that is not counted."""
    with CpuRunner().prepare(
        Point(variant.id, problem, {**variant.defaults, "tile": tile}), random_inputs(problem, 1), lambda: None
    ) as run:
        run.sample(lambda: None)
        return min(run.sample(lambda: None) for _ in range(SAMPLES))


def predicted_misses(variant: Variant, problem: Problem, tile: int, machine: Hierarchy) -> list[int]:
    """The misses of each level."""
    counts = count(variant, problem, {**variant.defaults, "tile": tile}, machine)
    assert isinstance(counts, Counts), counts
    return [level.total.misses for level in counts.levels]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("variant", nargs="?", default="cpu.simd-blocked")
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--tiles", default=TILES)
    options = parser.parse_args()
    variant, tiles = find(options.variant), [int(tile) for tile in options.tiles.split(",")]
    machine = preset("machine")
    assert variant is not None
    problem = Problem.square(variant.operation, options.n)
    times = [measured_ms(variant, problem, tile) for tile in tiles]
    misses = [predicted_misses(variant, problem, tile, machine) for tile in tiles]
    names = [level.name for level in machine.levels]
    sys.stdout.write(f"{variant.id}, n = {options.n}; {', '.join(map(str, machine.levels))}\n")
    sys.stdout.write("tile      ms  " + "".join(f"{name + ' misses':>15}" for name in names) + "\n")
    for tile, time, row in zip(tiles, times, misses, strict=True):
        sys.stdout.write(f"{tile:4} {time:8.2f}  " + "".join(f"{value:15,}" for value in row) + "\n")
    best = times.index(min(times))
    sys.stdout.write(f"measured best: {tiles[best]}\n")
    for number, name in enumerate(names):
        fewest = min(range(len(tiles)), key=lambda index: misses[index][number])
        sys.stdout.write(f"fewest {name} misses: {tiles[fewest]}, {abs(fewest - best)} steps from it\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
