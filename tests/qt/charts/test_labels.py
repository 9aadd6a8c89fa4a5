"""The names in a chart: they say where times come from, and are broken where there is little room, not cut."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.results.curves import Provenance
from app.core.results.quantities import Quantity
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.chart import Chart
from app.qt.charts.content import content_of
from app.qt.charts.labels import SMALL, EndLabel, broken
from tests.measured.timing_results import measured

SIZES = (128, 256, 512)


def chart_of(qtbot: QtBot, *sources: Provenance, width: int = 1000, compact: bool = False, language: str = "en") -> Chart:
    made, model = Chart(Look(theme("light"), Translator(language)), "Chart", compact=compact), TimingModel()
    qtbot.addWidget(made)
    made.resize(width, 500)
    made.show()
    for slower, source in enumerate(sources, start=1):
        model.add(source, tuple(measured("cpu.blocked", n, slower * n**3 / 2e7, tile=64) for n in SIZES))
    model.shown.value = frozenset(Provenance)
    made.show_content(content_of(model, replace(Session().timing.value, sizes=SIZES), SIZE_AXIS, Quantity.RATE))
    return made


@pytest.mark.parametrize(("compact", "rest"), [(False, ", tile 64"), (True, "")])
def test_times_of_two_sources_say_which_is_which(qtbot: QtBot, *, compact: bool, rest: str) -> None:
    both = chart_of(qtbot, Provenance.MEASURED, Provenance.RECORDED, compact=compact)
    assert {label.detail for label in both.overlay.end_labels()} == {f"measured here{rest}", f"recorded{rest}"}


def test_times_of_one_source_do_not_say_it(qtbot: QtBot) -> None:
    assert [label.detail for label in chart_of(qtbot, Provenance.RECORDED).overlay.end_labels()] == ["tile 64"]


def test_the_box_of_a_narrow_chart_says_which_is_which(qtbot: QtBot) -> None:
    chart = chart_of(qtbot, Provenance.MEASURED, Provenance.RECORDED, width=500)
    chart.overlay.crosshair = 256
    found = chart.overlay.readout()
    assert found is not None
    assert {row.name for row in found[0].rows} == {"Blocked, measured here", "Blocked, recorded"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_narrow_chart_breaks_names_and_keeps_them_apart(qtbot: QtBot, language: str) -> None:
    wide, narrow = (chart_of(qtbot, *Provenance, width=width, language=language).overlay.label_boxes() for width in (1000, 220))
    assert max(box.height for box in narrow) > max(box.height for box in wide)
    boxes = sorted(narrow, key=lambda box: box.y)
    assert all(above.y + above.height <= below.y + 1e-6 for above, below in pairwise(boxes))


def test_no_word_of_a_broken_name_is_lost() -> None:
    label = EndLabel("Global memory, coalesced reads", "published, tile 16", strong=False, x=1, value=1.0)
    for width, count in ((400, 1), (190, 2), (120, 3), (40, 3)):
        lines = broken(Look(theme("light"), Translator("en")), SMALL, label, width)
        assert len(lines) == count
        assert " ".join(text for line in lines for text, _ in line) == f"{label.name} {label.detail}"
