"""How many blocks of an executed launch are resident, against the tables of the CUDA guide."""

from __future__ import annotations

import pytest

import app.core.lesson_metrics.residency as residency
from app.core.base.files.fields import Table
from app.core.gpu_view.subject import subject_of_draft
from app.core.lesson_metrics.answer import answer_metrics
from app.core.lesson_metrics.metric import SubjectQuestion, Value
from app.core.lesson_metrics.read import metric_from
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.analysis.occupancy import ASSUMED_REGISTERS
from kernels.base.messages import Message, message

TEXT = 'extern "C" __global__ void k(float* out) { __shared__ float s[8192]; s[threadIdx.x] = 1.0f; out[threadIdx.x] = s[threadIdx.x]; }'


def found(count: str, **options: str | int) -> Value | Message:
    settings = LaunchSettings("k", block=(128, 1, 1), arguments={"out": "128"})
    subject = subject_of_draft(Draft("k.cu", TEXT, TEXT, settings), profile_named(DEFAULT_PROFILE))
    metric = metric_from(Table({"launch": "k", "count": count, **options}), {"k"})
    return answer_metrics(SubjectQuestion(subject, (metric,))).values[0]


def test_shared_memory_limits_the_blocks_of_an_sm() -> None:
    # 32 KiB and 1 KiB for the system in each block, of 228 KiB
    assert found("blocks_per_sm", profile="h200", registers=32) == 6
    assert found("warps_per_sm", profile="h200", registers=32) == 24
    assert found("occupancy", profile="h200", registers=32) == 24 / 64


def test_registers_limit_them_where_they_are_many() -> None:
    assert found("blocks_per_sm", profile="h200", registers=255) == 2


def test_another_gpu_holds_other_blocks() -> None:
    occupancy = found("occupancy", profile="rtx-4090", registers=255)
    assert occupancy == pytest.approx(2 * 4 / 48)


def test_registers_are_assumed_where_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(residency, "find_tools", lambda: message("There is no compiler."))
    residency._compiled.cache_clear()
    assert found("registers") == ASSUMED_REGISTERS
    residency._compiled.cache_clear()
