"""The table of results: the newest of each point is found by variant, setting and problem, and a new one disturbs nothing else."""

from __future__ import annotations

from pathlib import Path

from app.core.results.curves import Provenance
from app.core.results.known_results import REMEMBERED, Results
from app.core.results.point_list import PointList
from app.core.results.quantities import Quantity, Smallest
from app.core.results.query import select_parts
from app.core.results.relative_times import Lines
from app.core.session.session import SIZE_AXIS, Session
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.measure.results import Status
from kernels.measure.rows import row_of
from kernels.measure.store import ResultStore
from tests.measured.timing_results import CPU, EARLY, LATE, measured, refused, wholes

HERE = Provenance.MEASURED
REASON = message("No GPU is here.")


def test_a_row_says_the_same_as_its_result() -> None:
    result = measured("cpu.blocked", 512, 2.0, tile=8)
    row = row_of(result)
    assert (row.median_ms, row.spread_ms, row.rate, row.verified) == (result.median_ms, result.spread_ms, result.rate, result.verified)
    assert row.point == result.point
    assert (row.whole, row.disturbed, row.bimodal) == (result, False, False)


def test_rows_of_a_history_have_their_results_when_they_are_looked_at(tmp_path: Path) -> None:
    store = ResultStore.open(tmp_path / "results.sqlite")
    kept = [measured("cpu.naive", n, 1.0 + n) for n in range(64, 64 + 120)] + [refused("cpu.blocked", 64, REASON)]
    for result in (*kept, measured("cpu.naive", 8, 1.0, machine="Another CPU")):
        store.append(result)
    rows = [row for some in store.rows(CPU) for row in some]
    assert wholes(rows) == tuple(kept)
    assert [row.reason for row in rows if not row.verified] == [REASON]
    assert all(row == row_of(result)._replace(kept=row.kept, find=row.find) for row, result in zip(rows, kept, strict=True))
    store.close()
    assert rows[0].whole.times_ms == (rows[0].median_ms,)


def test_an_older_result_changes_nothing() -> None:
    known = Results({HERE: [measured("cpu.naive", 64, 1.0, created=LATE)]})
    revision = known.revision
    assert not known.add(HERE, [measured("cpu.naive", 64, 2.0, created=EARLY)])
    assert known.revision == revision
    assert [row.median_ms for row in known.rows(HERE)] == [1.0]


def test_what_was_refused_belongs_to_the_first_machine_of_its_device() -> None:
    known = Results({HERE: [refused("gpu.tiled", 64, REASON, created=EARLY)]})
    known.add(HERE, [measured("gpu.tiled", 64, 1.0, created=LATE)])
    assert [row.status for row in known.rows(HERE)] == [Status.MEASURED]


def test_a_slower_time_of_a_library_replaces_the_one_before() -> None:
    known = Results({HERE: [measured("cpu.numpy", 64, 1.0, created=EARLY)]})
    known.add(HERE, [measured("cpu.numpy", 64, 3.0, created=LATE)])
    library = known.library(HERE, row_of(measured("cpu.naive", 64, 9.0)))
    assert library is not None
    assert library.median_ms == 3.0


def test_a_new_point_leaves_the_parts_and_lines_of_other_rungs_as_they_were() -> None:
    known, choice, lines = Results(), Session().timing.value, Lines()
    known.add(HERE, [measured(name, n, 1.0) for name in ("cpu.naive", "cpu.blocked") for n in (64, 128)])

    def drawn() -> dict[str, object]:
        parts = select_parts(known, choice, SIZE_AXIS, frozenset(Provenance), "", None)
        found = lines.series(parts, SIZE_AXIS, Quantity.RATE, known, Smallest(SIZE_AXIS))
        return {line.key.variant_id: line for line in found}

    before = drawn()
    known.add(HERE, [measured("cpu.blocked", 256, 1.0)])
    after = drawn()
    assert after["cpu.naive"] is before["cpu.naive"]
    assert after["cpu.blocked"].points[:2] == before["cpu.blocked"].points  # type: ignore[attr-defined]
    assert after["cpu.blocked"].points[0] is before["cpu.blocked"].points[0]  # type: ignore[attr-defined]
    known.add(HERE, [measured("cpu.numpy", 64, 0.5)])
    assert drawn()["cpu.naive"].points[0].share.percent == 50  # type: ignore[attr-defined]


def test_changes_are_told_until_there_are_too_many() -> None:
    known = Results()
    known.add(HERE, [measured("cpu.naive", 64, 1.0)])
    known.add(HERE, [measured("cpu.naive", 64, 2.0, created=LATE), measured("cpu.naive", 128, 2.0)])
    changes = known.since(1)
    assert changes is not None
    assert [(each.row.median_ms, None if each.earlier is None else each.earlier.median_ms) for each in changes] == [(2.0, 1.0), (2.0, None)]
    known.add(HERE, [measured("cpu.naive", n, 1.0) for n in range(200, 200 + REMEMBERED)])
    assert known.since(1) is None


def test_rows_come_in_the_order_in_which_they_were_added_also_after_many_repetitions() -> None:
    known = Results()
    for number in range(3 * REMEMBERED):
        known.add(HERE, [measured("cpu.naive", 64 + number % 7, 1.0 + number)])
    assert [row.median_ms for row in known.in_time(HERE)] == [3 * REMEMBERED - 6.0 + place for place in range(7)]


def test_the_list_of_points_has_the_newest_first_and_each_reason_once() -> None:
    choice = Session().timing.value
    known = Results({HERE: [measured("cpu.naive", 64, 1.0), measured("cpu.blocked", 64, 2.0, created=LATE)]})
    ticked = frozenset({"cpu.naive", "cpu.blocked", "gpu.naive", "gpu.tiled"})
    choice = Session().timing.value.__class__(choice.operation, ticked, choice.parameters)
    known.add(HERE, [refused(name, n, REASON) for name in ("gpu.naive", "gpu.tiled") for n in (64, 128)])
    too_long = [refused("cpu.naive", n, message("It would take {seconds} s.", seconds=n)) for n in (4096, 8192)]
    known.add(HERE, too_long)
    points = PointList(known, choice)
    assert [points.timed(place).variant_id for place in range(len(points))] == ["cpu.blocked", "cpu.naive"]
    told = sorted((str(each.name), each.sizes, str(each.reason)) for each in points.refusals)
    assert told == [
        ("GPU: 2 rungs", "64–128", "No GPU is here. (4 points, n = 64–128)"),
        ("Naive, ijk", "4096–8192", "It would take 4096 s. (2 points, n = 4096–8192)"),
    ]  # fmt: skip
    assert points.follows(known, choice)
    assert known.of(HERE, "cpu.naive").at(Problem.square(Operation.MATMUL, 64))[0] is points.timed(1)
    assert points.place_of(points.timed(1)) == 1
