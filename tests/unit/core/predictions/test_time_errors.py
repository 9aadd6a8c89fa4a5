"""The time model's errors on the recorded ladder of two GPUs: they may not become worse than they are."""

from __future__ import annotations

from functools import lru_cache
from statistics import median

import pytest

from app.core.predictions.counted_launches import PredictedLaunch, launched
from app.core.predictions.prediction import Prediction
from app.core.predictions.recorded_counters import recorded_results
from app.core.predictions.variant_time import TimeModel, model_time, relative_error
from kernels.analysis.device_profiles import profiles
from kernels.base.messages import Message
from kernels.base.spec import Problem
from kernels.catalogue.catalogue import by_id

LADDER = (
    "gpu.naive", "gpu.uncoalesced", "gpu.tiled", "gpu.coalesced-bt", "gpu.work-per-thread", "gpu.prefetch", "gpu.vectorized-k8",
    "gpu.double-buffered-k8", "gpu.warp-tiled", "gpu.fastest", "gpu.transpose-global", "gpu.transpose-direct-map",
    "gpu.transpose-row-first", "gpu.transpose-padded", "gpu.transpose-vectorized",
)  # fmt: skip
"""A part of each kind: all of them take a minute (`tests/perf/time_model.py`)."""
MEDIAN = 0.11


@lru_cache(maxsize=64)
def launches(name: str, n: int) -> tuple[PredictedLaunch, ...]:
    variant = by_id(name)
    found = launched(variant, Problem.of(variant.operation, n, n, n), variant.defaults, 90)
    assert not isinstance(found, Message)
    return found


def error(device: str, name: str, n: int) -> float:
    variant, profile = by_id(name), next(each for each in profiles() if each.id == device)
    problem = Problem.of(variant.operation, n, n, n)
    model = model_time(Prediction(variant, problem, variant.defaults, profile, launches(name, n), {}, {}, {}))
    assert isinstance(model, TimeModel)
    points = (each for each in recorded_results(device) if each.point.variant_id == name and each.point.problem == problem)
    recorded = next(each.median_ms for each in points if dict(each.point.parameters) == variant.defaults)
    assert recorded is not None
    return relative_error(model.milliseconds, recorded)


@pytest.mark.parametrize("device", ["h200", "h100"])
def test_half_of_the_ladder_is_closer_than_this(device: str) -> None:
    assert median(abs(error(device, name, 256)) for name in LADDER) <= MEDIAN


@pytest.mark.parametrize("device", ["h200", "h100"])
@pytest.mark.parametrize(
    ("name", "n", "most"),
    [
        ("gpu.uncoalesced", 500, 0.15),  # even and odd lines are looked up at once: twice too long without
        ("gpu.naive", 1000, 0.15),
        ("gpu.transpose-row-first", 1024, 0.25),  # stores behind a barrier come together: 82 % too long without
        ("gpu.transpose-global", 1024, 0.30),  # those of no barrier do not
    ],
)
def test_what_a_term_explains_stays_explained(device: str, name: str, n: int, most: float) -> None:
    assert abs(error(device, name, n)) <= most


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("gpu.transpose-in-place", 2048),  # the upper blocks touch nothing
        ("gpu.fitted", 1024),  # kernels before it depend on k
    ],
)
def test_launches_that_differ_from_block_to_block_or_with_the_size_are_counted(name: str, n: int) -> None:
    assert all(isinstance(each, PredictedLaunch) for each in launches(name, n))
    assert launches(name, n)
