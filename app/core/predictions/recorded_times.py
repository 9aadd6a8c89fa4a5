"""Times that come with the program, for the model to stand beside."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from kernels.measure.recorded import load_recorded
from kernels.measure.results import Point, Result


def recorded_time(device: str, point: Point) -> float | None:
    """The median milliseconds of a point on a device, by its profile's id; None where it was not recorded."""
    for result in recorded_results(device):
        known = result.point
        if known.variant_id == point.variant_id and known.problem == point.problem and dict(known.parameters) == dict(point.parameters):
            return result.median_ms
    return None


@lru_cache(maxsize=4)
def recorded_results(device: str) -> tuple[Result, ...]:
    """All results of a device, empty where nothing was recorded on it."""
    file = files("resources").joinpath(f"recorded/{device}.json")
    return load_recorded(file) if file.is_file() else ()
