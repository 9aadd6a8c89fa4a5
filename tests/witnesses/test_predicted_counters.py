"""Counters predicted from a trace and the machine code against what Nsight Compute counted on an H200."""

from __future__ import annotations

import pytest

from app.core.predictions.predicted_and_measured import compare
from app.core.predictions.prediction import Prediction, predict
from app.core.predictions.recorded_counters import Key, recorded_counters
from kernels.analysis.device_profiles import profiles
from kernels.base.spec import Problem
from kernels.catalogue.catalogue import by_id
from tests.witnesses.ncu_cases import SHIPPED, SIZES
from tests.witnesses.test_ncu_counts import MEASURED

COUNTERS = {
    "global_load_requests": "global_load_requests", "global_load_sectors": "global_load_sectors",
    "global_store_requests": "global_store_requests", "global_store_sectors": "global_store_sectors",
    "shared_load_requests": "shared_load_requests", "shared_store_requests": "shared_store_requests",
    "shared_load_wavefronts": "shared_load_wavefronts_hardware", "shared_store_wavefronts": "shared_store_wavefronts_hardware",
}  # fmt: skip
H200 = next(profile for profile in profiles() if profile.id == "h200")
RECORDED = recorded_counters("h200")
assert RECORDED is not None
LAUNCHES = [launch for launch in RECORDED.launches if launch[2] == min(RECORDED.sizes(launch[0]))]
"""Every rung with its defaults, at the smallest size."""
CASES = [(variant, setting, size) for variant, setting in SHIPPED for size in SIZES]
pytestmark = pytest.mark.usefixtures("tools")


@pytest.mark.parametrize(("variant_id", "setting", "size"), CASES, ids=str)
def test_every_counter_agrees_or_is_explained(variant_id: str, setting: dict[str, int], size: tuple[int, int, int]) -> None:
    variant = by_id(variant_id)
    problem = Problem.of(variant.operation, *size)
    prediction = predict(variant, problem, {**variant.defaults, **setting}, H200)
    assert isinstance(prediction, Prediction)
    values = " ".join(f"{name} {value}" for name, value in setting.items())
    counted = MEASURED[f"{variant_id} {values} {problem.m}x{problem.n}x{problem.k}"]["counters"]
    rows = compare(prediction, {name: counted[theirs] for name, theirs in COUNTERS.items()})
    assert [row.id for row in rows if not row.explained] == []
    for row in rows:
        if row.id.endswith("_sectors") or row.id.endswith("_wavefronts"):
            assert row.measured in (None, row.predicted)


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch[0])
def test_every_recorded_counter_of_every_rung_agrees_or_is_explained(launch: Key) -> None:
    """But for what asynchronous copies add to counters of loads: of that the profiler's manual says nothing."""
    name, m, n, k, parameters = launch
    variant = by_id(name)
    prediction = predict(variant, Problem.of(variant.operation, m, n, k), dict(parameters), H200)
    if not variant.interpreted:
        assert prediction == variant.measured_only
        return
    assert isinstance(prediction, Prediction)
    assert RECORDED is not None
    rows = compare(prediction, RECORDED.launches[launch])
    of_copies = {"shared_load_requests"} if prediction.of_launches("copied_requests") else set()
    sectors = next(row for row in rows if row.id == "global_load_sectors")
    if (
        of_copies
        and sectors.written is not None
        and sectors.measured is not None
        and sectors.written < sectors.measured <= 1.125 * sectors.written
    ):
        of_copies |= {sectors.id}
    assert [row.id for row in rows if not row.explained and row.id not in of_copies] == []
    told = {row.id: row for row in rows}
    assert told["global_store_sectors"].measured == told["global_store_sectors"].predicted or prediction.of_launches("tile_operations")
