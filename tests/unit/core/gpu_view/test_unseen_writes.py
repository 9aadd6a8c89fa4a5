"""Old values of a weak memory on the stage: the value that was read is drawn, not the newer one, and it is said from where it is."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.execution.execute import answer_race
from app.core.execution.questions import RaceQuestion, RaceSchedules
from app.core.frames.matrix import Box
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.elements import lanes_table
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.subject import Subject
from app.core.gpu_view.unseen_writes import OldValue, old_values, unseen_words
from kernels.analysis.races import races
from kernels.simt.run.execution import execute
from tests.oracle.corpus import FOLDER, read

OLD = [
    "message-relaxed-load",
    "lock-of-block-scope",
    "ticket-lock-without-acquire",
    "block-scope-counter",
]


def broken(name: str) -> LaunchIndex:
    """The schedule that breaks the first race of a kernel of the corpus, as the stage shows it."""
    case = read(FOLDER / "bugs" / f"{name}.cu")
    finding = races(execute(case.kernel, case.request, case.text))[0]
    subject = Subject(text=case.text, entry=case.kernel.entry, launch=case.request)
    found = answer_race(RaceQuestion(subject, finding))
    assert isinstance(found, RaceSchedules)
    assert found.breaks is not None
    return LaunchIndex(subject, found.breaks)


def first(index: LaunchIndex) -> tuple[int, tuple[OldValue, ...]]:
    """The first step that reads an old value, and what it reads."""
    return next((step, found) for step in range(index.steps) if (found := old_values(index, frame_at(index, step))))


@pytest.mark.parametrize("name", OLD)
def test_what_is_drawn_is_what_the_execution_read(name: str) -> None:
    index = broken(name)
    unordered, checked = index.trace.unordered, 0
    assert unordered is not None
    missed = unordered.missed
    for number, row in enumerate(unordered.read.row.tolist()):
        lanes = np.flatnonzero(index.trace.masks[index.trace.rows.mask[row]]).tolist()
        read = unordered.read.bytes[unordered.read.start[number] : unordered.read.start[number + 1]].view(np.int32)
        steps = {step for lane in lanes if (step := index.record.order.step_of(row, lane // 32)) is not None}
        found = {each.lane: each for step in steps for each in old_values(index, frame_at(index, step))}
        for lane, value, write in zip(lanes, read.tolist(), missed[: len(lanes)].tolist(), strict=True):
            assert (lane in found) == (write >= 0)
            if lane in found and found[lane].value != "?":
                assert found[lane].number == value
                assert found[lane].newer != found[lane].value
            checked += lane in found
        missed = missed[len(lanes) :]
    assert checked


def test_the_old_value_stands_in_its_cell_while_it_is_read_and_the_new_one_before_and_after() -> None:
    index = broken("lock-of-block-scope")
    step, (found,) = first(index)
    matrices = Matrices(index)
    shown = {number: matrices.at(frame_at(index, number)).matrix("lock") for number in (step - 1, step)}
    assert [float(each.cells.values(Box(0, 0, 1, 1))[0, 0]) for each in shown.values()] == [1.0, 0.0]
    assert (found.value, found.newer, found.source) == ("0", "1", None)
    assert [str(words) for _, words in shown[step].old] == ["old: 0, not 1"]
    assert shown[step].wrong == ()
    assert shown[step - 1].old == ()


def test_it_is_said_from_where_the_value_is_and_what_is_newer() -> None:
    index = broken("message-relaxed-load")
    step, _ = first(index)
    assert str(unseen_words(index, frame_at(index, step))) == (
        "Old: data[0] is read as before the launch, when nothing was written there. Not seen: 42, which line 10 of block (0, 0, 0) stored."
    )
    assert unseen_words(index, frame_at(index, step - 1)) is None
    assert str(lanes_table(index, Matrices(index).arrays, frame_at(index, step)).rows[0][3]) == "old: nothing yet, not 42"


def test_of_a_value_that_a_thread_stored_its_line_is_said() -> None:
    index = broken("lock-of-block-scope")
    words = [str(unseen_words(index, frame_at(index, step))) for step in range(index.steps)]
    assert any("which line 12 of block" in each and "Not seen" in each for each in words)


def test_a_store_that_is_seen_late_is_missed_by_those_who_read_meanwhile() -> None:
    index = broken("message-flag-without-fence")
    step, (found,) = first(index)
    assert (found.newer, found.missed) == ("42", index.steps - 1)
    assert step < found.missed
    last = str(unseen_words(index, frame_at(index, index.steps - 1)))
    assert last == "Late: what line 8 of block (0, 0, 0) stored is seen by others only now. Accesses made meanwhile: 4."
