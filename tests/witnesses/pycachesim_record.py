"""Record what pycachesim counts: `python tests/witnesses/pycachesim_record.py tests/golden/pycachesim_counts.json`, from the repository's
root, where pycachesim is installed beside what the program needs. Takes about a minute.

It is given the accesses of the cases below one after the other, writes as loads: where a store finds its line, pycachesim 0.3.1 does not
make it the last used one, as cachegrind and processors do. A miss is a miss all the same.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from kernels.base.spec import Problem
from kernels.cachesim.geometry import Hierarchy, parse_levels
from kernels.cachesim.history import History, history
from kernels.catalogue.catalogue import by_id

LEVELS = ("L1:4096:4:64", "L2:16384:8:64", "L3:131072:16:64")
FIFO_LEVELS = ("L1:8192:2:32:fifo", "L2:32768:4:64:fifo")
CASES: tuple[tuple[str, tuple[int, int, int], dict[str, int]], ...] = (
    ("cpu.naive", (40, 33, 29), {}),
    ("cpu.loop-order", (40, 33, 29), {}),
    ("cpu.blocked", (48, 48, 48), {"tile": 8}),
    ("cpu.transpose-naive", (100, 130, 0), {}),
    ("cpu.transpose-blocked", (128, 128, 0), {"tile": 16}),
    ("cpu.loop-order", (64, 64, 64), {"order": 5}),
)
POLICIES = {"lru": "LRU", "fifo": "FIFO"}


def main() -> None:
    """Run every case and write the record."""
    recorded = [record(*case, texts=texts) for case in CASES for texts in (LEVELS, FIFO_LEVELS)]
    body = ",\n".join(json.dumps(case) for case in recorded)
    text = f'{{"conditions": {json.dumps({"pycachesim": version("pycachesim")})},\n"cases": [\n{body}\n]}}\n'
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


def record(name: str, sizes: tuple[int, int, int], parameters: dict[str, int], texts: tuple[str, ...]) -> dict[str, Any]:
    """One case: accesses and misses of every level."""
    variant = by_id(name)
    levels = parse_levels("level", texts)
    assert isinstance(levels, tuple), levels
    hierarchy = Hierarchy("recorded", levels)
    m, n, k = sizes
    found = history(variant, Problem(variant.operation, m, n, k), {**variant.defaults, **parameters}, hierarchy, 1 << 24)
    assert isinstance(found, History), found
    return {"variant": name, "sizes": sizes, "parameters": parameters, "levels": texts, "counts": replayed(found)}


def replayed(found: History) -> list[dict[str, int]]:
    """The accesses of a history, given to pycachesim."""
    top, chain = simulator(found.hierarchy)
    for address, size in zip(found.accesses.address.tolist(), found.accesses.size.tolist(), strict=True):
        top.load(address, size)
    return [{"accesses": cache.LOAD_count, "misses": cache.MISS_count} for cache in chain]


def simulator(hierarchy: Hierarchy) -> tuple[Any, list[Any]]:
    """pycachesim's hierarchy, and its levels from the nearest on."""
    from cachesim import Cache, CacheSimulator, MainMemory  # type: ignore[import-not-found,unused-ignore]

    chain: list[Any] = []
    for level in reversed(hierarchy.levels):
        policy = POLICIES[level.replacement]
        below = {"load_from": chain[-1]} if chain else {}
        chain.append(Cache(level.name, level.sets, level.ways, level.line, policy, **below))
    memory = MainMemory()
    memory.load_to(chain[0])
    memory.store_from(chain[-1])
    return CacheSimulator(chain[-1], memory), chain[::-1]


if __name__ == "__main__":
    main()
