"""Counters recorded on a GPU, from `resources/recorded/counters/DEVICE.json`, and recorded times for the model to stand beside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from app.core.predictions.counters import Measured, instructions
from kernels.base.spec import Parameters, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.recording_file import load_recorded
from kernels.measure.results import Result

Key = tuple[str, int, int, int, tuple[tuple[str, int], ...]]
"""A variant's id, m, n, k and the parameters: what tells launches apart."""


@dataclass(frozen=True, slots=True)
class RecordedCounters:
    """Recording of counters. `conditions` are those of the machine; `launches` are by what was launched."""

    conditions: Mapping[str, str | int | float]
    launches: Mapping[Key, Measured]

    def find(self, variant_id: str, problem: Problem, parameters: Parameters) -> Measured | None:
        """The counters of a variant at a size, None where they were not recorded."""
        return self.launches.get(key(variant_id, problem, parameters))

    def sizes(self, variant_id: str) -> tuple[int, ...]:
        """The n at which a variant was recorded."""
        return tuple(sorted({each[2] for each in self.launches if each[0] == variant_id}))


@lru_cache(maxsize=8)
def recorded_counters(device: str) -> RecordedCounters | None:
    """The recording of a device by its profile's id, None where there is none."""
    file = files("resources").joinpath(f"recorded/counters/{device}.json")
    return read(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


@lru_cache(maxsize=1)
def recorded_devices() -> tuple[str, ...]:
    """The ids of the profiles of all devices whose counters come with the program."""
    folder = files("resources").joinpath("recorded/counters")
    return tuple(sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json")))


def read(document: Mapping[str, Any]) -> RecordedCounters:
    """The recording in a file's JSON."""
    launches = {
        (each["id"], each["m"], each["n"], each["k"], tuple(sorted(each["parameters"].items()))): {
            **each["counters"], **instructions(each.get("metrics", ())),
        }
        for each in document["launches"]
    }  # fmt: skip
    return RecordedCounters(document["conditions"], launches)


def key(variant_id: str, problem: Problem, parameters: Parameters) -> Key:
    """Return the key of what is launched."""
    return variant_id, problem.m, problem.n, problem.k, tuple(sorted(parameters.items()))


def recorded_time(device: str, point: Case) -> float | None:
    """The median milliseconds of a point on a device, by its profile's id; None where it was not recorded."""
    for result in recorded_results(device):
        known = result.point
        if known.variant_id == point.variant_id and known.problem == point.problem and dict(known.parameters) == dict(point.parameters):
            return result.median_ms
    return None


@lru_cache(maxsize=4)
def recorded_results(device: str) -> tuple[Result, ...]:
    """All results of a device, those with defaults where no more were recorded, empty where nothing was."""
    found = (files("resources").joinpath(f"recorded/{folder}{device}.json") for folder in ("", "defaults/"))
    return next((load_recorded(file) for file in found if file.is_file()), ())
