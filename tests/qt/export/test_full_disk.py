"""Where a file cannot be written to its end, whatever is exported: the reason is told, what was there stays, and nothing else is left."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.files.atomic_write import write_whole
from app.core.base.i18n import Translator
from app.core.export.choice import Range
from app.core.export.curves import table_of_curves
from app.core.export.kinds import PictureSize
from app.core.export.picture_text import ExportSubject
from app.core.report.build import build
from app.core.report.content import Asked, Report
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.published import recorded_files
from app.core.session.session import Session
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.export.clip import ClipDrawing
from app.qt.export.export_view import ExportedStage, export_theme
from app.qt.export.figure import write_figure
from app.qt.export.report_writer import write_report
from kernels.base.messages import Message, message
from kernels.measure.recording_file import load_recorded
from kernels.measure.results import Result
from tests.launches.launch_records import launch_of
from tests.measured.timing_results import selected

LOOK = Look(export_theme("print"), Translator("en"))
SIZE = PictureSize(640, 400)
TOO_SMALL = 1500
"""Bytes that fit: less than any of the files has."""
CLIPS = (".webp", ".apng", ".gif", *((".mp4",) if shutil.which("ffmpeg") else ()))


@contextmanager
def files_of_at_most(count: int) -> Iterator[None]:
    """The system refuses to write more into a file: the same error path as a full disk, and just as late."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(autouse=True, scope="module")
def _traced() -> None:
    """What the compiler keeps in files is there before these are limited."""
    launch_of("gpu.tiled", 16, tile=8)


def exported() -> ExportedStage:
    model = StageModel()
    model.profile.value = Session().profile.value
    model.shown.value = launch_of("gpu.tiled", 16, tile=8)
    return ExportedStage(LOOK, model, ExportSubject(message("Tiled"), ()), 4, SIZE.width)


def figure(path: Path) -> Message | None:
    drawn = exported()
    reason = write_figure(path, drawn, SIZE, LOOK)
    drawn.close()
    return reason


def clip(path: Path) -> Message | None:
    drawing = ClipDrawing(path, exported(), Range(0, 6, 15, 15.0), SIZE, LOOK)
    while not drawing.done:
        drawing.step()
        drawing.wait()
    return drawing.reason


def recorded() -> tuple[Result, ...]:
    return tuple(each for path in recorded_files() for each in load_recorded(path) if each.point.variant_id == "gpu.tiled")


def table(path: Path) -> Message | None:
    return write_whole(path, table_of_curves(selected({Provenance.RECORDED: recorded()}), path.suffix, LOOK.text))


def report(path: Path) -> Message | None:
    session = Session("gpu.tiled")
    session.tick_all(session.timing.value.variants, ticked=False)
    session.tick(session.stage.value.variant, ticked=True)
    asked = Asked(session.timing.value, Provenance.RECORDED, Results({Provenance.RECORDED: recorded()}))
    made = build(asked, (), "2026-11-22")
    assert isinstance(made, Report)
    return write_report(path, made, asked, LOOK)


WRITERS: list[tuple[str, Callable[[Path], Message | None]]] = [
    *((ending, figure) for ending in (".png", ".svg", ".pdf")), *((ending, clip) for ending in CLIPS),
    *((ending, table) for ending in (".csv", ".json")), *((ending, report) for ending in (".html", ".md", ".pdf")),
]  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize(("ending", "write"), WRITERS)
def test_a_full_disk_is_told_and_leaves_what_was_there(
    qtbot: QtBot, ending: str, write: Callable[[Path], Message | None], tmp_path: Path
) -> None:
    path = tmp_path / f"made{ending}"
    path.write_text("before", encoding="utf-8")
    with files_of_at_most(TOO_SMALL):
        reason = write(path)
    assert reason is not None
    assert "could not be written" in LOOK.text(reason)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert path.read_text(encoding="utf-8") == "before"


@pytest.mark.parametrize("write", [figure, clip])
def test_a_name_may_be_as_long_as_the_system_takes(qtbot: QtBot, write: Callable[[Path], Message | None], tmp_path: Path) -> None:
    ending = ".png" if write is figure else ".apng"
    path = tmp_path / ("文" * 80 + "a" * (255 - 240 - len(ending)) + ending)
    assert write(path) is None
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
