"""Lab reports as files, with their figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.published import recorded_files
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.feature import Host
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.base.theme import theme
from app.qt.export.feature import LabReport
from app.qt.shell.application import Desktop
from kernels.base.messages import Message
from kernels.catalogue.catalogue import by_id
from kernels.measure.recording_file import load_recorded

PDF_PAGE = b"/Type /Page\n"


@pytest.fixture(scope="module")
def recorded() -> tuple[object, ...]:
    return tuple(each for path in recorded_files() for each in load_recorded(path) if each.point.variant_id in ("gpu.naive", "gpu.tiled"))


def report_of(qtbot: QtBot, recorded: tuple[object, ...], language: str) -> tuple[Desktop, LabReport]:
    desktop = Desktop(WindowArguments("en", "light", "gpu.tiled", (1440, 900)), None, Settings(None))
    qtbot.addWidget(desktop.window)
    look = Look(theme("light"), Translator(language))
    host = Host(desktop.window, desktop.workbench, lambda: look, lambda: None, desktop.settings)
    tiled, naive = by_id("gpu.tiled"), by_id("gpu.naive")
    desktop.session.tick_all(desktop.session.timing.value.variants, ticked=False)
    desktop.session.tick_all((naive, tiled), ticked=True)
    desktop.workbench.timing.show(Results({Provenance.RECORDED: recorded}))  # type: ignore[dict-item]
    return desktop, LabReport(host)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_form_is_written_whole(qtbot: QtBot, recorded: tuple[object, ...], language: str, tmp_path: Path) -> None:
    desktop, report = report_of(qtbot, recorded, language)
    for ending in ("html", "md", "pdf"):
        assert report.write(tmp_path / f"report.{ending}") is None
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.count("<svg") == html.count("</svg>") == 2
    figures = sorted(tmp_path.glob("report-*.svg"))
    assert [QSvgRenderer(str(figure)).isValid() for figure in figures] == [True, True]
    assert all(figure.name in (tmp_path / "report.md").read_text(encoding="utf-8") for figure in figures)
    pdf = (tmp_path / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(PDF_PAGE) >= 2
    desktop.shutdown()


def test_a_name_without_an_ending_gets_one(qtbot: QtBot, recorded: tuple[object, ...], tmp_path: Path) -> None:
    desktop, report = report_of(qtbot, recorded, "en")
    assert report.write(tmp_path / "mine") is None
    assert (tmp_path / "mine.html").is_file()
    desktop.shutdown()


@pytest.mark.parametrize("ending", ["html", "md", "pdf"])
def test_a_file_that_cannot_be_is_told_and_leaves_nothing(qtbot: QtBot, recorded: tuple[object, ...], ending: str, tmp_path: Path) -> None:
    desktop, report = report_of(qtbot, recorded, "en")
    assert isinstance(report.write(tmp_path / "none" / f"report.{ending}"), Message)
    assert list(tmp_path.iterdir()) == []
    desktop.shutdown()


def test_without_times_the_reason_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    desktop, report = report_of(qtbot, (), "en")
    assert "measure them" in str(report.write(tmp_path / "report.html"))
    assert desktop.workbench.activity.value is not None
    assert list(tmp_path.iterdir()) == []
    desktop.shutdown()
