"""Earlier results of all origins come in as one change: all results are gone through each time that they change."""

from __future__ import annotations

from app.core.curves import Provenance, Results
from app.core.published import load_published
from app.core.timing import TimingModel


def test_all_origins_are_one_change() -> None:
    published = list(load_published())
    told: list[Results] = []
    timing = TimingModel()
    timing.results.subscribe(told.append)
    before = len(told)
    timing.add_all({Provenance.RECORDED: published[:3], Provenance.PUBLISHED: published, Provenance.MEASURED: []})
    assert len(told) == before + 1
    assert set(told[-1]) == {Provenance.RECORDED, Provenance.PUBLISHED}
    timing.add_all({Provenance.MEASURED: iter(())})
    assert len(told) == before + 1


def test_what_came_before_stays() -> None:
    published = list(load_published())
    one_by_one, at_once = TimingModel(), TimingModel()
    for results in (published[:2], published[2:]):
        one_by_one.add(Provenance.PUBLISHED, results)
    at_once.add_all({Provenance.PUBLISHED: published})
    assert one_by_one.results.value == at_once.results.value
