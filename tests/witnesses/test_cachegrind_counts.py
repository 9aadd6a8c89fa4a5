"""The cache model's counts beside cachegrind's, for the same loops in C: equal."""

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

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RECORD = json.loads((GOLDEN / "cachegrind_counts.json").read_text(encoding="utf-8"))
PLAIN = json.loads((GOLDEN / "cachegrind_plain_counts.json").read_text(encoding="utf-8"))
NAMES = ("D1", "LL")
KINDS = ("reads", "writes", "read_misses", "write_misses")

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")


def hierarchy_of(case: dict[str, Any]) -> Hierarchy:
    levels = parse_levels("geometry", [f"{name}:{text.replace(',', ':')}" for name, text in zip(NAMES, case["geometry"], strict=True)])
    assert isinstance(levels, tuple), levels
    return Hierarchy("cachegrind", levels)


def counted(case: dict[str, Any]) -> Counts:
    variant = by_id(case["variant"])
    sizes = case["sizes"]
    problem = Problem(variant.operation, sizes["m"], sizes["n"], sizes.get("k", 0))
    parameters = {name: sizes.get(name, value) for name, value in variant.defaults.items()}
    found = count(variant, problem, parameters, hierarchy_of(case))
    assert isinstance(found, Counts), found
    return found


WITHIN = 0.002
"""Of cachegrind's count."""
STACK_WITHIN = 0.01
"""Of its misses, where the loops keep variables on the stack: these take a line of the first level that the matrices have in the model."""


@pytest.mark.parametrize("variant", dict.fromkeys(case["variant"] for case in RECORD["cases"]))
def test_every_count_is_cachegrinds(variant: str) -> None:
    cases = [case for case in RECORD["cases"] if case["variant"] == variant]
    assert len(cases) >= 20
    for case in cases:
        found = [{"name": each.level.name, **{kind: getattr(each.total, kind) for kind in KINDS}} for each in counted(case).levels]
        assert found == case["levels"], case


@pytest.mark.parametrize("case", PLAIN["cases"], ids=lambda case: f"{case['variant']}-{case['sizes']}")
def test_plain_loops_at_the_first_level_of_optimisation_touch_the_matrices_as_often(case: dict[str, Any]) -> None:
    for found, recorded in zip(counted(case).levels, case["levels"], strict=True):
        accesses, misses = recorded["reads"] + recorded["writes"], recorded["read_misses"] + recorded["write_misses"]
        uses_stack = case["beside"] > accesses * WITHIN
        assert found.level.name != NAMES[0] or abs(found.total.accesses - accesses) <= WITHIN * accesses
        assert abs(found.total.misses - misses) <= (STACK_WITHIN if uses_stack else WITHIN) * misses


def test_plain_loops_miss_more_only_for_what_they_keep_on_the_stack() -> None:
    """The same loops, compiled so that they keep nothing there, miss exactly as often as in the model."""
    differing = [case for case in PLAIN["cases"] if misses(case) != misses_of(case)]
    assert len(differing) == 3
    for case in differing:
        assert case["beside"] > 9000
        twin = next(each for each in RECORD["cases"] if all(each[key] == case[key] for key in ("variant", "sizes", "geometry")))
        assert misses(case) == misses_of(twin)
        assert all(found <= recorded for found, recorded in zip(misses(case), misses_of(case), strict=True))


def misses(case: dict[str, Any]) -> list[int]:
    """Those of each level in the model."""
    return [level.total.misses for level in counted(case).levels]


def misses_of(case: dict[str, Any]) -> list[int]:
    """Those of each level that cachegrind counts."""
    return [level["read_misses"] + level["write_misses"] for level in case["levels"]]
