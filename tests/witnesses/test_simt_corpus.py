"""Kernels with a seeded bug, and clean ones beside them: every bug is found at its line, and nothing is reported on the clean ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import Mode
from kernels.simt.run.execution import execute
from tests.oracle.corpus import FOLDER, Found, files, read

BUGS, CLEAN = files("bugs"), files("clean")
KINDS = {
    "data-race", "out-of-bounds", "misaligned-access", "uninitialised-read", "barrier-divergence", "paired-barriers", "deadlock",
    "budget-exceeded", "asynchronous-access",
}  # fmt: skip


def found(path: Path, mode: Mode = Mode.BLOCK) -> set[Found]:
    """What is reported on the launch that a file describes."""
    case = read(path)
    trace = execute(case.kernel, replace(case.request, mode=mode), case.text)
    return {
        (each.kind, frozenset({each.location.line} | ({each.other.line} if each.other is not None else set()))) for each in findings(trace)
    }


def test_the_corpus_is_large_and_has_every_kind() -> None:
    assert len(BUGS) >= 40
    assert len(CLEAN) >= 40
    assert {kind for path in BUGS for kind, _ in read(path).findings} == KINDS


@pytest.mark.parametrize("path", BUGS, ids=lambda path: path.stem)
def test_a_seeded_bug_is_found_at_its_line_and_nothing_else(path: Path) -> None:
    expected = read(path).findings
    assert expected
    assert found(path) == expected


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
@pytest.mark.parametrize("mode", list(Mode))
def test_nothing_is_reported_on_a_clean_kernel(path: Path, mode: Mode) -> None:
    assert read(path).findings == frozenset()
    assert found(path, mode) == set()


@pytest.mark.parametrize("path", BUGS, ids=lambda path: path.stem)
def test_a_seeded_bug_is_found_when_warps_take_turns(path: Path) -> None:
    """What a race leads to may show as well then: a warp reads what another has not written yet."""
    expected, reported = read(path).findings, found(path, Mode.WARP)
    assert expected <= reported
    consequences = {kind for kind, _ in reported - expected}
    assert consequences <= ({"uninitialised-read"} if any(kind == "data-race" for kind, _ in expected) else set())


def test_a_missing_barrier_gives_wrong_numbers_when_warps_take_turns() -> None:
    case = read(FOLDER / "bugs" / "missing-barrier-reverse.cu")
    right = np.arange(128, dtype=np.float32).reshape(2, 64)[:, ::-1].ravel()
    outputs = {mode: execute(case.kernel, replace(case.request, mode=mode)).values["out"].view(np.float32) for mode in Mode}
    assert np.array_equal(outputs[Mode.BLOCK], right)
    assert not np.array_equal(outputs[Mode.WARP], right)
