"""The cache model's misses beside those that pycachesim counts of the same accesses: equal at every level."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from kernels.base.spec import Problem
from kernels.cachesim.count import Counts, count
from kernels.cachesim.geometry import Hierarchy, parse_levels
from kernels.catalogue.catalogue import by_id

RECORD = json.loads((Path(__file__).resolve().parents[1] / "golden" / "pycachesim_counts.json").read_text(encoding="utf-8"))


@pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")
@pytest.mark.parametrize("case", RECORD["cases"], ids=lambda case: f"{case['variant']}-{case['levels'][0]}")
def test_every_level_misses_as_often(case: dict[str, Any]) -> None:
    variant, levels = by_id(case["variant"]), parse_levels("level", case["levels"])
    assert isinstance(levels, tuple), levels
    m, n, k = case["sizes"]
    found = count(variant, Problem(variant.operation, m, n, k), {**variant.defaults, **case["parameters"]}, Hierarchy("recorded", levels))
    assert isinstance(found, Counts), found
    assert [{"accesses": level.total.accesses, "misses": level.total.misses} for level in found.levels] == case["counts"]
