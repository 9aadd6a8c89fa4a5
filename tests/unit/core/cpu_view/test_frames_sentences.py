"""What frames of real traces say, in English."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.base.i18n import digits_text
from app.core.cpu_view.frame import frame_at
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.step_texts import tell
from app.core.frames.step_description import StepDescription
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace


def index_of(variant_id: str, m: int, n: int, k: int = 0, **parameters: int) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    return TraceIndex(trace(variant, Problem(variant.operation, m, n, k), {**variant.defaults, **parameters}, seed=1))


def description_where(index: TraceIndex, **values: int) -> StepDescription:
    columns = [next(i for i, loop in enumerate(index.trace.loops) if loop.name == name) for name in values]
    step = int(np.flatnonzero((index.trace.indices[:, columns] == list(values.values())).all(axis=1))[0]) if values else 0
    return tell(index, frame_at(index, step))


def equation(description: StepDescription) -> str:
    return " ".join(str(term.text) for term in description.equation)


def test_a_blocked_product() -> None:
    index = index_of("cpu.blocked", 8, 8, 8, tile=4)
    added = description_where(index, i0=0, j0=4, k0=4, i=1, k=5, j=2)
    assert str(added.title) == "Tile step 4 of 8"
    assert equation(added) == "C tile += A tile × B tile"
    assert str(added.sentence) == "Adds A[1][5] × B[5][6] to C[1][6]."
    assert str(added.reuse) == "In this tile step each value serves 4 multiplications."
    assert "This tile of C: 1 of 2 steps added" in [f"{label}: {value}" for label, value in added.facts]
    held = description_where(index, i0=0, j0=4, k0=4, i=1, k=5)
    assert str(held.sentence) == "Reads A[1][5] and holds it for the next 4 steps."
    cleared = description_where(index, i0=0, j0=4)
    assert str(cleared.title) == "Before tile step 3 of 8"
    assert str(cleared.sentence) == "Sets C[0..3][4..7] to 0."


@pytest.mark.parametrize(("variant_id", "unit"), [("cpu.hints", "element"), ("cpu.unrolled", "part"), ("cpu.loop-order", "row step")])
def test_what_comes_before_a_unit_of_work_calls_it_as_it_is_called_then(variant_id: str, unit: str) -> None:
    index = index_of(variant_id, 8, 8, 8)
    first = int(index.groups.start[np.flatnonzero(index.groups.computes)[0]])
    before, then = (str(tell(index, frame_at(index, step)).title) for step in (0, first))
    total = index.groups.computes.sum()
    assert (before, then) == (f"Before {unit} 1 of {total}", f"{unit.capitalize()} 1 of {total}")


def test_a_naive_product() -> None:
    index = index_of("cpu.naive", 3, 4, 5)
    adding = description_where(index, i=1, j=2, k=3)
    assert str(adding.title) == "Element 7 of 12"
    assert equation(adding) == "C[1][2] = row 1 of A × column 2 of B"
    assert str(adding.sentence) == "Adds A[1][3] × B[3][2] to the sum for C[1][2]."
    assert str(adding.reuse) == "Each value serves 1 multiplication here: nothing is used again."
    storing = tell(index, frame_at(index, 5))
    assert str(storing.sentence) == "Stores the finished sum in C[0][0]."
    assert str(storing.phase) == "store"


def test_ikj() -> None:
    index = index_of("cpu.loop-order", 3, 4, 5)
    description = description_where(index, i=1, k=2, j=0)
    assert str(description.title) == "Row step 8 of 15"
    assert equation(description) == "row 1 of C += A[1][2] × row 2 of B"
    assert str(description.place).endswith("i = 1, k = 2, j = 0")


def test_only_a_tile_step_is_called_one_where_it_is_said_how_often_values_serve() -> None:
    index = index_of("cpu.loop-order", 16, 16, 16)
    description = tell(index, frame_at(index, 69))
    assert str(description.title).startswith("Row step ")
    assert str(description.reuse) == "Here a value serves 1.88 multiplications on average."


def test_the_library_says_what_cannot_be_seen() -> None:
    description = description_where(index_of("cpu.numpy", 3, 4, 5, threads=1))
    assert str(description.title) == "One call of a library"
    assert "cannot be seen" in str(description.sentence)
    assert description.reuse is None


@pytest.mark.parametrize(("variant", "parameters"), [("cpu.transpose-naive", {}), ("cpu.transpose-blocked", {"tile": 2})])
def test_transpositions(variant: str, parameters: dict[str, int]) -> None:
    description = description_where(index_of(variant, 3, 4, **parameters), i=1, j=2)
    assert str(description.sentence) == "Copies A[1][2] to C[2][1]: row and column change places."
    assert str(description.phase) == "copy"


def test_the_end_is_announced() -> None:
    index = index_of("cpu.naive", 2, 2, 2)
    assert str(tell(index, frame_at(index, index.trace.steps - 1)).coming) == "the end"
    assert str(tell(index, frame_at(index, 0)).coming).startswith("line ")


def test_values_are_written_as_they_are() -> None:
    assert [digits_text(value) for value in (0.5, -1.0, -26.25)] == ["0.5", "−1", "−26.25"]


def test_a_kernel_that_calls_itself_in_place_of_looping_is_no_library() -> None:
    index = index_of("cpu.divide-and-conquer", 8, 8, 8, tile=4)
    cleared, last = tell(index, frame_at(index, 0)), tell(index, frame_at(index, index.trace.steps - 1))
    assert (str(cleared.title), equation(cleared)) == ("Before tile step 1 of 8", "C = 0")
    assert (str(last.title), equation(last)) == ("Tile step 8 of 8", "C tile += A tile × B tile")
    assert str(last.reuse) == "In this tile step each value serves 4 multiplications."
    assert "NumPy" not in str(last.sentence)


def test_packing_comes_before_a_tile_step() -> None:
    description = tell(index := index_of("cpu.packed", 16, 16, 16, mc=8, kc=8, nc=16), frame_at(index, 0))
    assert str(description.title) == "Before tile step 1 of 4"
    assert equation(description) == "B tile → packed copy"
    assert description.reuse is None


def test_threads_that_turn_blocks_in_registers_are_named() -> None:
    index = index_of("cpu.transpose-parallel", 32, 32, tile=16, threads=2)
    steps = range(index.trace.steps)
    descriptions = [tell(index, frame_at(index, step)) for step in steps]
    assert {str(description.place).partition(",")[0] for description in descriptions} == {"Thread 0", "Thread 1"}
    assert {str(description.title) for description in descriptions} == {"Part 1 of 2", "Part 2 of 2"}
    assert not any("sum" in str(description.sentence) for description in descriptions)
    assert str(tell(index_of("cpu.naive", 2, 2, 2), frame_at(index_of("cpu.naive", 2, 2, 2), 0)).place).startswith("Line ")


def test_an_edge_counts_by_the_one_loop_that_goes_along_it() -> None:
    alone = frame_at(index_of("cpu.transpose-blocked", 8, 8, tile=8), 0)
    assert [matrix.ticks for matrix in alone.matrices] == [(None, None), (None, None)], (
        "both loops stay at 0: which is which cannot be told"
    )
    names = [tick.name if tick else "" for tick in frame_at(index_of("cpu.transpose-blocked", 8, 8, tile=4), 0).matrix("A").ticks]
    assert names == ["i0", "j0"]


def test_what_follows_the_last_multiplication_precedes_none() -> None:
    index = index_of("cpu.parallel-private", 8, 8, 8, threads=2)
    description = tell(index, frame_at(index, index.trace.steps - 1))
    assert str(description.title) == "After the last multiplication"
    assert str(description.sentence).startswith("Adds a partial sum to C[")
