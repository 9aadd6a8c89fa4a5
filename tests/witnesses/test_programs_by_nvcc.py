"""Whole programs as nvcc builds them and a GPU ran them (`nvcc_programs.py`): what is expected of the corpus is what these print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.program_corpus import samples

FILES = [Path(__file__).parents[1] / "golden" / f"programs_{gpu}.json" for gpu in ("h200", "h100")]
RECORDED = {name: each for file in FILES for name, each in json.loads(file.read_text(encoding="utf-8"))["programs"].items()}
UNDEFINED = {
    "defect_after_free": "reads what was freed, and goes on",
    "defect_dangling_capture": "calls what refers to a variable that is gone, and goes on",
    "defect_device_pointer": "its output was in a buffer when it crashed",
    "defect_division": "its output was in a buffer when it crashed",
    "defect_double_free": "frees twice what the C library does not check",
    "defect_host_overflow": "is ended by the C library, which found its heap broken",
    "defect_large_local": "has an array that the compiler does away with",
    "defect_stack_overflow": "has its recursion turned into a loop by the compiler",
}
"""Programs that C++ leaves undefined on the host: here they end at the first wrong access; there they did this."""
NOT_YET = {"defect_host_member", "defect_symbol_by_name", "half_numbers", "member_of_the_host"}
"""Programs that nvcc builds and no GPU has run."""
CORPUS = {sample.name: sample for sample in samples()}


def test_every_program_was_recorded_but_those_that_wait_for_a_gpu() -> None:
    assert sorted([*RECORDED, *NOT_YET]) == sorted(CORPUS)


@pytest.mark.parametrize("name", sorted(set(RECORDED) - set(UNDEFINED)))
def test_a_program_prints_and_ends_as_the_gpu_had_it(name: str) -> None:
    found: dict[str, Any] = RECORDED[name]
    assert (found["stdout"], found["status"]) == (CORPUS[name].output, CORPUS[name].status)


@pytest.mark.parametrize("name", sorted(UNDEFINED))
def test_what_is_undefined_ended_differently_there(name: str) -> None:
    assert (RECORDED[name]["stdout"], RECORDED[name]["status"]) != (CORPUS[name].output, CORPUS[name].status)
