"""Charts, bars and maps as figures: complete at the first drawing, told from where their times are, refused where there are none."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.observable import Field
from app.core.export.curves import choose_curves
from app.core.export.kinds import PictureSize
from app.core.frames.matrix import Role
from app.core.ladder.model import LadderModel
from app.core.predictions.recorded_counters import recorded_results
from app.core.results.curves import Provenance
from app.core.results.gpu_uses import Uses, recorded_cpu, recorded_uses
from app.core.results.quantities import Quantity
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.use_timer import UseModel
from app.qt.base.look import Look
from app.qt.charts.chart import Chart
from app.qt.charts.content import content_of
from app.qt.export.clip import pixels_of
from app.qt.export.export_view import export_theme
from app.qt.export.exported_charts import ExportedWidget, chart_view, ladder_view, tuning_view, uses_view
from app.qt.export.figure import picture_of_page, write_figure
from app.qt.matrix.cells import role_colour
from kernels.base.messages import Message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.results import Result
from tests.measured.idle_tuner import idle_tuning
from tests.measured.idle_use_timer import IdleUseTimer

SIZE = PictureSize(1000, 600)
LOOK = Look(export_theme("print"), Translator("en"))
H200 = "NVIDIA H200"


@cache
def recorded() -> tuple[Result, ...]:
    return tuple(recorded_results("h200"))


def models(variant_id: str = "gpu.warp-tiled") -> tuple[Session, TimingModel]:
    variant = catalogue.by_id(variant_id)
    session, timing = Session(), TimingModel()
    session.choose_variant(variant)
    session.timing.value = replace(session.timing.value, ticked=frozenset((variant_id,)))
    timing.add(Provenance.RECORDED, recorded())
    timing.uses.value = Uses((), recorded_uses(), recorded_cpu())
    return session, timing


def curves() -> ExportedWidget | Message:
    session, timing = models()
    variants = [variant for name in ("gpu.tiled", "gpu.warp-tiled") if (variant := catalogue.find(name)) is not None]
    assert choose_curves(session, timing, variants, (1024, 2048, 4096), frozenset((Provenance.RECORDED,))) is None
    return chart_view(LOOK, session, timing)


def ladder() -> ExportedWidget | Message:
    session, timing = models()
    model = LadderModel(session, timing)
    model.choose_device(Device.GPU)
    return ladder_view(LOOK, model)


def tuning() -> ExportedWidget | Message:
    session, timing = models()
    return tuning_view(LOOK, idle_tuning(session, timing))


def uses() -> ExportedWidget | Message:
    session, timing = models("gpu.tiled")
    return uses_view(LOOK, UseModel(session, timing, Field({}), IdleUseTimer()))


@pytest.mark.parametrize("made", [curves, ladder, tuning, uses])
def test_a_picture_is_complete_when_it_is_drawn_first(qtbot: QtBot, made: Callable[[], ExportedWidget | Message]) -> None:
    exported = made()
    assert isinstance(exported, ExportedWidget), exported
    first = pixels_of(picture_of_page(exported, SIZE, LOOK))
    qtbot.wait(1)  # what has asked to be laid out anew is
    assert np.array_equal(first, pixels_of(picture_of_page(exported, SIZE, LOOK)))
    exported.close()
    body = first[40:500]
    assert (body != 255).any(axis=2).mean() > 0.01
    assert (first[[0, 0, -1, -1], [0, -1, 0, -1]] == 255).all()
    assert H200 in " ".join(map(str, exported.words.sources))


def test_a_curve_of_one_point_is_its_marker(qtbot: QtBot, tmp_path: Path) -> None:
    """An outline without a point is what readers of SVG warn of."""
    session, timing = models()
    variant = catalogue.by_id("gpu.tiled")
    assert choose_curves(session, timing, [variant], (1024,), frozenset((Provenance.RECORDED,))) is None
    exported = chart_view(LOOK, session, timing)
    assert isinstance(exported, ExportedWidget), exported
    assert write_figure(tmp_path / "curve.svg", exported, SIZE, LOOK) is None
    exported.close()
    drawn = (tmp_path / "curve.svg").read_text()
    assert drawn.count("<path") > 3
    assert ' d=""' not in drawn


def test_a_figure_has_no_mark_of_what_is_being_measured_while_it_is_made(qtbot: QtBot) -> None:
    """The mark went into the file, where nothing is being measured any more."""
    session, timing = models()
    variant = catalogue.by_id("gpu.tiled")
    assert choose_curves(session, timing, [variant], (1024,), frozenset((Provenance.RECORDED,))) is None
    parameters = session.timing.value.parameters[variant.id]
    timing.under_way.value = (Case(variant.id, Problem.square(Operation.MATMUL, 1024), parameters),)
    choice = session.timing.value
    assert content_of(timing, choice, choice.axis, Quantity.RATE).running
    exported = chart_view(LOOK, session, timing)
    assert isinstance(exported, ExportedWidget), exported
    (chart,) = exported.widget.findChildren(Chart)
    assert not chart.content.running
    exported.close()


def test_a_figure_with_no_room_for_all_rungs_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    """The last rungs lay under the caption."""
    exported = ladder()
    assert isinstance(exported, ExportedWidget), exported
    path = tmp_path / "ladder.png"
    reason = write_figure(path, exported, PictureSize(1280, 400), LOOK)
    said = re.fullmatch(r"What is on the picture needs at least 640 × (\d+), not 1280 × 400\.", str(reason))
    assert said is not None, reason
    assert not path.exists()
    assert write_figure(path, exported, PictureSize(640, int(said[1]) - 1), LOOK) is not None
    assert write_figure(path, exported, PictureSize(640, int(said[1])), LOOK) is None
    exported.close()


def test_without_times_there_is_a_reason(qtbot: QtBot) -> None:
    session, timing = Session(), TimingModel()
    for exported in (
        chart_view(LOOK, session, timing),
        ladder_view(LOOK, LadderModel(session, timing)),
        uses_view(LOOK, UseModel(session, timing, Field({}), IdleUseTimer())),
    ):
        assert isinstance(exported, Message)


def test_on_paper_the_role_of_a_cell_is_told_by_its_lightness() -> None:
    theme = export_theme("print")
    for name in "ABC":
        idle, band, done, now = (role_colour(role, name, theme).toHsl() for role in (Role.IDLE, Role.BAND, Role.DONE, Role.READ))
        grey = [
            0.299 * each.toRgb().redF() + 0.587 * each.toRgb().greenF() + 0.114 * each.toRgb().blueF() for each in (idle, band, done, now)
        ]
        assert all(one - other > 0.08 for one, other in pairwise(grey)), (name, grey)
