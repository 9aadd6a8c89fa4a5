"""Earlier results of all origins come in as one change, and take nothing away from what was measured meanwhile."""

from __future__ import annotations

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.published import load_published
from app.core.timing.model import TimingModel
from tests.measured.timing_results import LATE, measured, wholes


def test_all_origins_are_one_change() -> None:
    published = load_published()
    told: list[int] = []
    timing = TimingModel()
    timing.revision.subscribe(told.append)
    timing.take(Results({Provenance.RECORDED: published[:3], Provenance.PUBLISHED: published, Provenance.MEASURED: []}))
    assert len(told) == 1
    assert [each for each in Provenance if timing.results.knows(each)] == [Provenance.RECORDED, Provenance.PUBLISHED]
    timing.add(Provenance.MEASURED, iter(()))
    assert len(told) == 1


def test_what_was_measured_while_the_history_was_read_stays() -> None:
    timing = TimingModel()
    here, earlier, later = measured("cpu.naive", 256, 1.0), measured("cpu.naive", 512, 2.0), measured("cpu.naive", 512, 1.0, created=LATE)
    timing.add(Provenance.MEASURED, [here, later])
    timing.take(Results({Provenance.MEASURED: [earlier]}))
    assert set(map(str, wholes(timing.results.rows(Provenance.MEASURED)))) == {str(here), str(later)}


def test_what_came_before_stays() -> None:
    published = load_published()
    one_by_one = TimingModel()
    for results in (published[:2], published[2:]):
        one_by_one.add(Provenance.PUBLISHED, results)
    at_once = Results({Provenance.PUBLISHED: published})
    assert wholes(one_by_one.results.rows(Provenance.PUBLISHED)) == wholes(at_once.rows(Provenance.PUBLISHED))
