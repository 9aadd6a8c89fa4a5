"""Where a time comes from, in words: machine, day and versions, and of a large output how much was verified."""

from __future__ import annotations

from dataclasses import replace

from app.core.results.curves import Provenance, SeriesKey
from app.core.results.known_results import Results
from app.core.timing.recordings import note_of, provenance_text
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.results import Result, Status

RESULT = Result(
    Case("gpu.tiled", Problem.square(Operation.MATMUL, 16384), {"tile": 16}), Status.SINGLE, "2026-11-20T10:00:00+00:00", (1.0,), 1e-7,
    1e-5, conditions={"gpu": "H200", "processor": "Xeon", "cuda_driver": "13.0", "nvidia_driver": "580.1", "tilescope": "0.1.0"},
)  # fmt: skip
LARGE = replace(RESULT, conditions={**RESULT.conditions, "verified_rows": 130})
OTHER = replace(RESULT, created="2026-11-21T10:00:00+00:00", conditions={"gpu": "T4"})


def key(provenance: Provenance) -> SeriesKey:
    return SeriesKey("gpu.tiled", provenance, "H200", ())


def test_one_machine_is_named_with_its_day_and_several_without() -> None:
    assert str(provenance_text(Provenance.RECORDED, Results({Provenance.RECORDED: (RESULT,)}))) == "recorded on H200, 2026-11-20"
    assert str(provenance_text(Provenance.RECORDED, Results({Provenance.RECORDED: (RESULT, OTHER)}))) == "recorded on H200, T4"
    assert str(provenance_text(Provenance.RECORDED, Results())) == "recorded"
    assert str(provenance_text(Provenance.MEASURED, Results({Provenance.MEASURED: (RESULT,)}))) == "measured here"


def test_a_recorded_result_names_its_versions() -> None:
    note = note_of(key(Provenance.RECORDED), RESULT)
    assert str(note) == "recorded on H200, 2026-11-20; CUDA 13.0, driver 580.1, Tilescope 0.1.0"
    assert str(note_of(key(Provenance.RECORDED), OTHER)) == "recorded on H200, 2026-11-21"


def test_a_measured_result_says_only_what_part_of_it_was_verified() -> None:
    assert note_of(key(Provenance.MEASURED), RESULT) is None
    assert str(note_of(key(Provenance.MEASURED), LARGE)) == "verified: 130 of 16384 rows, in every part of C"
    assert str(note_of(key(Provenance.RECORDED), LARGE)).endswith("; verified: 130 of 16384 rows, in every part of C")
