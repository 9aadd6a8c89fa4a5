"""A variant with its problem and parameters, as a key."""

from __future__ import annotations

import pickle

from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id

PROBLEM = Problem.square(Operation.MATMUL, 64)


def test_cases_are_one_key_in_whatever_order_their_parameters_are() -> None:
    one = Case("gpu.register-tiled", PROBLEM, {"bm": 64, "bn": 32})
    same = Case("gpu.register-tiled", PROBLEM, {"bn": 32, "bm": 64})
    others = [Case("gpu.register-tiled", PROBLEM, {"bm": 32, "bn": 64}), Case("gpu.tiled", PROBLEM, {"bm": 64, "bn": 32})]
    assert len({one, same, *others}) == 3
    assert {one: "found"}[pickle.loads(pickle.dumps(same))] == "found"


def test_a_case_knows_its_variant() -> None:
    variant = by_id("gpu.tiled")
    assert Case.of(variant, PROBLEM, variant.defaults).variant is variant
