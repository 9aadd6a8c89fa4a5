"""Does the cache model know the best tile? Predicted misses beside measured times, tile by tile, in one run.

`python tests/perf/tile_prediction.py [--n 1024] [--tiles 8,16,32] [VARIANT]`. Predicted is, for this machine's caches, the tile with the
fewest bytes that come from beyond each level; measured is the shortest of some samples.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from kernels.base.reference import random_inputs
from kernels.base.spec import Problem, Variant
from kernels.cachesim.count import Counts, count
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.presets import preset
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id, find
from kernels.jit.runner import CpuRunner
from tests.perf.figures import Figure

VARIANT = "cpu.simd-blocked"
TILES = "8,16,32,64,128,256,512,1024"
SAMPLES = 7


def measured_ms(variant: Variant, problem: Problem, tile: int) -> float:
    """The shortest time of some samples, after one that is not counted."""
    with CpuRunner().prepare(Case(variant.id, problem, {**variant.defaults, "tile": tile}), random_inputs(problem, 1), lambda: None) as run:
        run.sample(lambda: None)
        return min(run.sample(lambda: None) for _ in range(SAMPLES))


def predicted_misses(variant: Variant, problem: Problem, tile: int, machine: Hierarchy) -> list[int]:
    """The misses of each level."""
    counts = count(variant, problem, {**variant.defaults, "tile": tile}, machine)
    assert isinstance(counts, Counts), counts
    return [level.total.misses for level in counts.levels]


def compared(variant: Variant, n: int, tiles: Sequence[int], machine: Hierarchy) -> tuple[list[float], list[list[int]]]:
    """Milliseconds, and the misses of each level, tile by tile."""
    problem = Problem.square(variant.operation, n)
    times = [measured_ms(variant, problem, tile) for tile in tiles]
    return times, [predicted_misses(variant, problem, tile, machine) for tile in tiles]


def steps_off(times: Sequence[float], misses: Sequence[Sequence[int]], level: int) -> tuple[int, int]:
    """The place of the tile with the fewest misses of a level, and how far from that of the fastest it is."""
    fewest = min(range(len(misses)), key=lambda index: misses[index][level])
    return fewest, abs(fewest - times.index(min(times)))


def figures(*, quick: bool) -> list[Figure]:
    """For each level of the caches how many tiles lie between the predicted best and the fastest.

    Not of a level that has room for all the matrices: whatever the tile, it misses each line once.
    """
    variant, machine, n = by_id(VARIANT), preset("machine"), 512 if quick else 1024
    times, misses = compared(variant, n, [int(tile) for tile in TILES.split(",") if int(tile) <= n], machine)
    return [
        Figure(f"fewest {level.name} misses, from the fastest tile", steps_off(times, misses, number)[1], "steps", f"{VARIANT}, n = {n}")
        for number, level in enumerate(machine.levels)
        if level.size < Problem.square(variant.operation, n).bytes
    ]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("variant", nargs="?", default=VARIANT)
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--tiles", default=TILES)
    options = parser.parse_args()
    variant, tiles = find(options.variant), [int(tile) for tile in options.tiles.split(",")]
    machine = preset("machine")
    assert variant is not None
    times, misses = compared(variant, options.n, tiles, machine)
    names = [level.name for level in machine.levels]
    sys.stdout.write(f"{variant.id}, n = {options.n}; {', '.join(map(str, machine.levels))}\n")
    sys.stdout.write("tile      ms  " + "".join(f"{name + ' misses':>15}" for name in names) + "\n")
    for tile, time, row in zip(tiles, times, misses, strict=True):
        sys.stdout.write(f"{tile:4} {time:8.2f}  " + "".join(f"{value:15,}" for value in row) + "\n")
    sys.stdout.write(f"measured best: {tiles[times.index(min(times))]}\n")
    for number, name in enumerate(names):
        fewest, steps = steps_off(times, misses, number)
        sys.stdout.write(f"fewest {name} misses: {tiles[fewest]}, {steps} steps from it\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
