"""Runs of whole programs drawn: the page at its events, launches on the stage in every view, with what the pointer is told and the tables.

Nothing of a program, however broken, may keep its run from being drawn. A QApplication must be there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPointF

from app.core.base.background import BackgroundTasks
from app.core.base.i18n import Translator
from app.core.base.observable import Field
from app.core.execution.execute import execute
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from app.core.inspector.finding_rows import checked_text, count_text, finding_rows
from app.core.programs.host_program import HostProgram, launch_title, not_opened, remarks, summary
from app.core.programs.page import LaunchTimes, ProgramPage
from app.core.session.draft import draft_of
from app.core.session.session import Session
from app.core.stage.model import StageModel
from app.core.tracing.service import TracingService
from app.core.tracing.stage_tracer import StageTracer
from app.core.workbench.tracing_process import answer
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.gpu_view.view import GpuView
from app.qt.programs.page import ProgramPanel
from app.qt.shell.application import qt_application
from kernels.simt.host.result import ProgramOutcome, ProgramRun

MOST_EVENTS, MOST_LAUNCHES = 6, 3
FRACTIONS = (0.0, 0.5)
ACROSS = 5
"""Places of the pointer in a row, and rows."""
T = TypeVar("T")


class _AtOnce(BackgroundTasks):
    """Tasks that are done where they are asked for."""

    def send(self, name: str, work: Callable[[], T], deliver: Callable[[T], None]) -> None:
        deliver(work())


def draw_apart(path: Path, text: str, outcome: ProgramOutcome) -> None:
    """Draw a run in a process that has drawn nothing yet, and will draw nothing else."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    made = qt_application()
    draw(path, text, outcome)
    made.processEvents()


def draw(path: Path, text: str, outcome: ProgramOutcome) -> int:
    """Draw a run of a text. Returns how many launches were on the stage. Raises whatever goes wrong on the way."""
    look, session = Look(theme("light"), Translator("zh_CN" if len(text) % 2 else "en")), Session()
    program = HostProgram(session.draft_editor, session.profile, _AtOnce(), run=lambda _programs, _job, _tell: outcome)
    page = ProgramPage(session, program, LaunchTimes(session, program, StageTracer(TracingService(answer), TracingService(answer))))
    session.draft_editor.take(draft_of(path, text))
    program.tick()
    for said in (summary(outcome), *(each.message for each in remarks(outcome))):
        look.text(said)
    panel = ProgramPanel(look, page, Field(frozenset()))
    panel.resize(900, 760)
    panel.grab()
    if isinstance(outcome, ProgramRun):
        _draw_page(panel, page, outcome)
    panel.deleteLater()
    return sum(_draw_launch(look, each) for each in _launches(look, session, program))


def _draw_page(panel: ProgramPanel, page: ProgramPage, run: ProgramRun) -> None:
    panel.canvas.table()
    for number in _some(len(run.events), MOST_EVENTS):
        page.select(number)
        panel.grab()
        for point in _points(panel.canvas.width(), panel.canvas.height()):
            panel.canvas.tip_at(point)
    for number in range(len(run.findings)):
        page.select_finding(number)


def _launches(look: Look, session: Session, program: HostProgram) -> Iterator[Subject]:
    draft = session.draft_editor.shown
    assert draft is not None
    for number, launched in enumerate(program.launches[:MOST_LAUNCHES]):
        look.text(launch_title(number, launched))
        not_opened(launched)
        subject = program.spec_of(launched, draft, session.profile.value)
        if subject is not None:
            yield subject


def _draw_launch(look: Look, subject: Subject) -> bool:
    record = execute(subject)
    if not isinstance(record, LaunchRecord) or not record.order.steps:
        return False
    index = LaunchIndex(subject, record)
    rows = finding_rows(index)
    for said in (*(row.sentence for row in rows), *(row.places for row in rows), count_text(rows), checked_text(index)):
        look.text(said) if said is not None else None
    model = StageModel()
    stage = GpuStage(look, model, compact=False)
    stage.resize(1240, 760)
    model.shown.value = index
    for alone in (0, *View):
        model.alone.value = alone
        for step in _some(index.steps, 3):
            for fraction in FRACTIONS:
                model.timeline.scrub(step + fraction)
                stage.grab()
            if alone:
                view = stage.frames[alone - 1].view
                assert isinstance(view, GpuView)
                _ask(look, view)
    stage.deleteLater()
    return True


def _ask(look: Look, view: GpuView) -> None:
    """Have a view tell all that it can, and pin what lies at some points."""
    picture = view.picture
    if picture is None:
        return
    view.describe(picture)
    view.table(picture)
    for said in (view.heading(picture), view.fact(picture), view.brief(picture), view.detail(picture)):
        look.text(said) if said is not None else None
    for point in _points(view.width(), view.height()):
        found = view.selection_at(point, picture)
        told = view.tip(found, picture)
        look.text(told) if told is not None else None
        view.model.pinned.value = found
    view.model.pinned.value = view.moved(view.model.pinned.value, 1, 0, picture)
    view.grab()


def _points(width: float, height: float) -> Iterator[QPointF]:
    places = [(each + 0.5) / ACROSS for each in range(ACROSS)]
    return (QPointF(width * x, height * y) for y in places for x in places)


def _some(count: int, most: int) -> list[int]:
    """Some numbers below `count`, the first and the last among them."""
    return sorted({round(each * (count - 1) / (most - 1)) for each in range(most)}) if count else []
