"""What arrays are: declared by the catalogue or by a user, else seen; and what is said of a student's kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.execution.execute import execute
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.step_texts import tell_launch
from app.core.gpu_view.subject import MOST_VALUES, subject_of, subject_of_draft
from app.core.session.draft import Draft, draft_of, with_kernels
from app.core.session.session import Session, profile_named
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.simt.base.launch import Budget
from kernels.simt.frontend.parse import parse
from kernels.simt.trace.finding_kinds import FindingKind
from tests.launches.launch_records import launched
from tests.launches.own_kernels import ADD, EVERY, REDUCTION, TILED


def copied() -> Draft:
    session = Session("gpu.tiled")
    assert session.set_stage_problem(Problem.square(Operation.MATMUL, 32)) is None
    assert session.draft_editor.edit_copy() is None
    assert session.draft.value is not None
    return with_kernels(session.draft.value, tuple(parse(session.draft.value.text).kernels))


LARGE = Problem.of(Operation.MATMUL, 128, 128, (MOST_VALUES >> 7) + 64)
PREPARING = [each for each in VARIANTS if each.launch is not None and each.operation is Operation.MATMUL
             and each.measured_only is None and each.launch(LARGE, each.defaults).prepared]  # fmt: skip


@pytest.mark.parametrize("variant", PREPARING, ids=lambda each: each.id)
def test_what_another_launch_prepares_is_there_where_matrices_are_too_large_for_values(variant: Variant) -> None:
    """A false finding: T was read before it was written, as nobody had executed what fills it."""
    subject = subject_of(variant, LARGE, variant.defaults, profile_named("h200"))
    assert subject.before is None
    record = execute(replace(subject, launch=replace(subject.launch, budget=Budget(60.0, 2000))))
    assert isinstance(record, LaunchRecord), record
    assert {each.kind for each in record.findings} == {FindingKind.BUDGET_EXCEEDED}, "it was to begin, no more"


def words(index: LaunchIndex) -> str:
    """All sentences at some moments."""
    matrices, found = Matrices(index), []
    for step in range(0, index.steps, max(index.steps // 200, 1)):
        frame = frame_at(index, step, 0.0)
        found.append(f"{tell_launch(index, frame)} {matrices.at(frame).meter}")
    return "\n".join(found)


@pytest.mark.parametrize("kind", [kind for kind in EVERY if kind not in ("naive", "one block", "tiled", "racing")])
def test_nothing_of_tiles_is_told_of_what_is_no_product(kind: str) -> None:
    index = EVERY[kind].launched()
    assert not Matrices(index).arrangement.crossed
    assert "Meter(" not in words(index)
    if kind != "transpose":
        assert "ile step" not in words(index)
        assert set(index.record.letters) == {""}


def test_a_vector_that_is_called_as_a_matrix_is_drawn_as_a_strip() -> None:
    shown = Matrices(ADD.launched()).arrays
    assert [(array.title, array.rows, array.columns, array.matrix) for array in shown] == [
        (name, 16, 64, False) for name in ("A", "B", "C")
    ]
    assert not {array.name for array in shown} & {"A", "B", "C"}  # the places of operands, and their colours


def test_a_product_under_other_names_is_told_with_its_own_names() -> None:
    index = TILED.launched({"A": "B", "B": "A", "C": "out", "As": "left", "Bs": "right"})
    assert index.record.letters == ("A", "B", "C", "A", "B")
    assert [(array.title, array.name) for array in Matrices(index).arrays] == [("B", "A"), ("A", "B"), ("out", "C")]
    assert "puts values of" in words(index)
    assert "('matrix', 'B'), ('region', 'left" in words(index)


def test_what_a_reduction_leaves_in_shared_memory_is_no_tile() -> None:
    assert {each.number for each in REDUCTION.launched().record.tiles} == {0}


def test_a_copy_keeps_its_operands_while_they_are_declared() -> None:
    draft = copied()
    assert launched(draft).record.letters == ("A", "B", "C", "A", "B")
    assert [role.letter for role in subject_of_draft(draft, profile_named("h200")).matrices] == ["A", "B", "C"]
    given = {**draft.settings.arguments, "B": "1024:random"}
    changed = replace(draft, settings=replace(draft.settings, arguments=given))
    assert {role.letter for role in subject_of_draft(changed, profile_named("h200")).matrices} == {""}
    assert Matrices(launched(changed)).arrangement.crossed  # seen, not declared


def test_a_shape_that_a_user_says_is_a_shape_and_no_role() -> None:
    text = "__global__ void k(const float* A, float* C) { C[threadIdx.x] = A[threadIdx.x]; }"
    draft = with_kernels(draft_of(Path("k.cu"), text), tuple(parse(text).kernels))
    assert not any(array.matrix for array in Matrices(launched(draft)).arrays)
    given = {**draft.settings.arguments, "A": "16x64:random"}
    shown = Matrices(launched(replace(draft, settings=replace(draft.settings, arguments=given))))
    assert [(array.title, array.shape, array.matrix) for array in shown.arrays] == [("A", (16, 64), True), ("C", (16, 64), False)]
    assert (shown.arrangement.crossed, shown.arrangement.mirrored, set(shown.index.record.letters)) == (False, False, {""})
