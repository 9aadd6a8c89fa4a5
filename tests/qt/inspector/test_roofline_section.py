"""The roofline's names stand where no line goes through them."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.inspector.roofline import Roofline
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.inspector.roofline_section import RooflineChart
from kernels.analysis.device_profiles import profiles

WIDTH = 92.0


@pytest.mark.parametrize("flops", [None, 0.2, 1.0, 2.0, 6.78, 14.0, 40.0, 500.0])
def test_no_line_goes_through_the_bandwidth(qtbot: QtBot, flops: float | None) -> None:
    chart = RooflineChart(Look(theme("light"), Translator("en")))
    qtbot.addWidget(chart)
    chart.resize(266, 128)
    roof = Roofline(profiles()[0], flops)
    chart.show_roofline(roof)
    left = chart.memory_left(roof, WIDTH)
    assert left + WIDTH <= chart.width()
    assert flops is None or not left - 4 < chart._x(flops) < left + WIDTH
