"""Where results come from, in words: machine, day, versions, and how much of an output was verified."""

from __future__ import annotations

from collections.abc import Mapping

from app.core import published
from app.core.curves import Provenance, SeriesKey
from app.core.recordings import day_text
from app.core.results import Results
from kernels.measure.results import VERIFIED_ROWS
from kernels.measure.rows import AnyResult
from kernels.messages import Message, message
from kernels.spec import Device

Conditions = Mapping[str, str | int | float]
_VERSIONS = {
    Device.GPU: (("CUDA", "cuda_driver"), ("NVRTC", "nvrtc"), ("driver", "nvidia_driver"), ("Tilescope", "tilescope")),
    Device.CPU: (("Python", "python"), ("NumPy", "numpy"), ("Numba", "numba"), ("Tilescope", "tilescope")),
}
"""Names and conditions of what a time of a device depends on."""


def provenance_text(provenance: Provenance, results: Results) -> Message:
    """What the results of a provenance are called; of recorded ones on which machine and when, of several machines which."""
    machines, day = results.machines(provenance), day_text(*results.days(provenance))
    if provenance is Provenance.RECORDED and len(machines) == 1 and day:
        return message("recorded on {machine}, {day}", machine=machines[0], day=day)
    return brief_provenance(provenance, results)


def brief_provenance(provenance: Provenance, results: Results) -> Message:
    """The same without the day, where there is little room."""
    match provenance:
        case Provenance.MEASURED:
            return message("measured here")
        case Provenance.PUBLISHED:
            return message("published")
    machines = results.machines(provenance)
    return message("recorded on {machine}", machine=", ".join(machines)) if machines else message("recorded")


def note_of(key: SeriesKey, result: AnyResult) -> Message | None:
    """What is said of a result besides its numbers: of a published or recorded one whose it is, of a large one what was verified."""
    said = _recorded(key, result) if key.provenance is Provenance.RECORDED else published.note_of(key, result)
    verified = verified_part(result)
    return message("{first}; {rest}", first=said, rest=verified) if said and verified else said or verified


def verified_part(result: AnyResult) -> Message | None:
    """How many rows of the output were verified, where it was not all."""
    rows = result.conditions.get(VERIFIED_ROWS)
    if not isinstance(rows, int):
        return None
    return message("verified: {rows} of {all} rows, in every part of C", rows=rows, all=result.point.problem.shapes["C"][0])


def _recorded(key: SeriesKey, result: AnyResult) -> Message:
    day, versions = result.created[:10], _versions(key, result.conditions)
    if not versions:
        return message("recorded on {machine}, {day}", machine=key.machine, day=day)
    return message("recorded on {machine}, {day}; {versions}", machine=key.machine, day=day, versions=versions)


def _versions(key: SeriesKey, conditions: Conditions) -> str:
    named = _VERSIONS.get(key.variant.device, _VERSIONS[Device.CPU])
    return ", ".join(f"{title} {conditions[name]}" for title, name in named if name in conditions)
