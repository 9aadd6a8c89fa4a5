"""The report as a document: figures that keep their own labels, titles that stay with what they are above, and nothing half written."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.report.build import build
from app.core.report.content import Asked, Report
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.published import recorded_files
from app.core.session.session import Session
from app.qt.base.look import Look
from app.qt.export.export_view import export_theme
from app.qt.export.report_writer import keep_titles, write_report
from kernels.measure.recording_file import load_recorded

LOOK = Look(export_theme("print"), Translator("en"))
IDS = ("gpu.naive", "gpu.tiled")


@pytest.fixture(scope="module")
def asked() -> Asked:
    results = tuple(each for path in recorded_files() for each in load_recorded(path) if each.point.variant_id in IDS)
    session = Session("gpu.tiled")
    session.tick_all(session.timing.value.variants, ticked=False)
    session.tick_all([each.point.variant for each in results], ticked=True)
    return Asked(session.timing.value, Provenance.RECORDED, Results({Provenance.RECORDED: results}))


def report_of(asked: Asked) -> Report:
    report = build(asked, (), "2026-11-22")
    assert isinstance(report, Report)
    return report


def test_no_name_in_a_page_is_given_twice(qtbot: QtBot, asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert write_report(path, report_of(asked), asked, LOOK) is None
    text = path.read_text(encoding="utf-8")
    names = re.findall(r'\bid="([^"]+)"', text)
    assert len(names) > 20
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text)) <= set(names)


@pytest.mark.parametrize("lines", range(18, 30))
def test_a_title_is_on_the_page_of_what_it_is_above(qtbot: QtBot, lines: int) -> None:
    rows = "<tr><td>1</td></tr>" * 20
    document = QTextDocument()
    document.setHtml("<p>line</p>" * lines + f"<h2>Heading</h2><table><caption>Title</caption>{rows}</table>")
    document.setPageSize(QSizeF(400, 700))
    keep_titles(document)
    places: dict[str, int] = {}
    block = document.begin()
    while block.isValid():
        places.setdefault(block.text(), int(document.documentLayout().blockBoundingRect(block).top() // 700))
        block = block.next()
    assert places["Heading"] == places["Title"] == places["1"]


@pytest.mark.parametrize("name", ["two words (1).md", "schräg & <b>.md", "矩阵 #1 100%.md", f"{'a' * 200}.md"])
def test_a_file_of_any_name_finds_its_figures(qtbot: QtBot, asked: Asked, name: str, tmp_path: Path) -> None:
    assert write_report(tmp_path / name, report_of(asked), asked, LOOK) is None
    linked = re.findall(r"!\[[^\]]*\]\(([^\s()<>#&]+)\)", (tmp_path / name).read_text(encoding="utf-8"))
    assert sorted(map(unquote, linked)) == sorted(path.name for path in tmp_path.glob("*.svg"))
    assert len(linked) == 2


def test_where_the_text_cannot_be_written_no_figure_is_left(
    qtbot: QtBot, asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if Path(target).suffix == ".md":
            raise OSError(errno.ENOSPC, "No space left on device")
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    reason = write_report(tmp_path / "report.md", report_of(asked), asked, LOOK)
    assert "No space left on device" in str(reason)
    assert list(tmp_path.iterdir()) == []
