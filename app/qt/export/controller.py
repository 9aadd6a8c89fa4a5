"""Export controller: the choice, the export view that it asks for, and what is being written."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.base.observable import Field
from app.core.export.choice import KINDS, MOVING, ExportChoice, Of, What, usual_begin, with_habits
from app.core.export.clips.mp4 import refuse_mp4
from app.core.export.curves import selected_curves, table_of_curves
from app.core.export.kinds import refuse_player
from app.core.export.staged import Staged, refuse_staged, staged, steps_of
from app.core.frames.views import CpuView, View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.shown_views import left_out_of_two
from app.core.stage.model import GpuPicture
from app.qt.base.feature import Host
from app.qt.base.look import Look
from app.qt.export.clip import ClipDrawing, DrawingJob, FileDrawing
from app.qt.export.examples_writer import ExamplesWriter
from app.qt.export.export_view import COMPACT_BELOW, ExportView, MovingExportView, export_theme
from app.qt.export.exported_stage import link_of, moving_view, played, steps_played, still_view
from app.qt.export.figure import write_figure
from app.qt.export.played import Played
from app.qt.export.player_recording import PlayerDrawing
from app.qt.export.report_of_selection import NAME, picture_of_lab_report, refuse_lab_report, write_lab_report
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

_HABITS = "export/habits"


@dataclass(frozen=True, slots=True)
class Progress:
    """Pictures that have been drawn, or players of a page of examples."""

    drawn: int
    total: int
    said: Message


class ExportController:
    """Lives as long as the window, as what is being written may outlast the panel."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.choice: Field[ExportChoice] = Field(with_habits(host.settings.text(_HABITS) or ""))
        self.progress: Field[Progress | None] = Field(None)
        self.told: Field[Message | None] = Field(None)
        """What became of the last export."""
        self.last = self.choice.value.what
        """Of which kind `told` and `progress` are."""
        self.name: Field[str] = Field(host.settings.text(NAME) or "")
        """Who signs the lab report."""
        self.examples = ExamplesWriter(host, self._examples_show, self._examples_end)
        self._job: DrawingJob | None = None
        self._ranged: object = None
        """What the range was proposed for that is chosen, or was before a hand chose another."""
        self._proposed = 0, 0
        self._speed_of_launches: int | None = None
        """The speed that was chosen before a program was proposed; None where none is."""

    @property
    def redrawn_by(self) -> tuple[Field[Any], ...]:
        """What the stage shows besides its steps; where one of these changes, other choices are offered."""
        bench = self._host.workbench
        return bench.program_page.shown, bench.comparison.pair, bench.comparison.view, bench.real_runs.kept, bench.real_runs.chosen

    def sign(self, name: str) -> Message | None:
        """Choose who signs the lab report; that is remembered."""
        self.name.value = name.strip()
        self._host.settings.save_text(NAME, self.name.value)
        return None

    @property
    def steps(self) -> int:
        """Number of steps of what is exported: of the trace on the stage, or from event to event of a program."""
        return steps_of(self._host.workbench)

    @property
    def views(self) -> tuple[Message, ...]:
        """What can be chosen of the stage: the views by their numbers, before them what is usual; nothing of a run."""
        kind = staged(self._host.workbench)
        if kind in (Staged.RUNS, Staged.PROGRAM):
            return ()
        titles = tuple(view.title for view in (CpuView if kind is Staged.NEST else View))
        return (message("The view shown") if kind is Staged.COMPARISON else message("All views"), *titles)

    @property
    def page(self) -> Look:
        """How pictures look and read: in the colours that are chosen, in the language of the window."""
        return Look(export_theme(self.choice.value.colours), self._host.look().translator)

    def prepare(self) -> None:
        """Propose a range of the trace that is shown, unless one was chosen by hand: what is looped, or what is about the step shown."""
        stage, frame = self._host.workbench.stage, self._host.workbench.program_page.frame.value
        if frame is not None and staged(self._host.workbench) is Staged.PROGRAM:
            if (id(frame.run), None) != self._ranged:
                self._ranged = id(frame.run), None
                if self._speed_of_launches is None:
                    self._speed_of_launches = self.choice.value.speed
                self.choice.value = replace(self.choice.value.over(frame.selected, self.steps), speed=1)  # an event is read
            return
        if self._speed_of_launches is not None:
            self.choice.value = replace(self.choice.value, speed=self._speed_of_launches)
            self._speed_of_launches = None
        shown, looped, choice = stage.shown.value, stage.timeline.range.value, self.choice.value
        if (id(shown), looped) == self._ranged and (choice.first, choice.last) != self._proposed:
            return
        self._ranged = id(shown), looped
        if looped is None:
            computes = shown.computes_from if isinstance(shown, LaunchIndex) else 0
            self.choice.value = choice.over(usual_begin(stage.timeline.position.value.step, computes), self.steps)
        else:
            self.choice.value = replace(choice, first=math.floor(looped[0]) + 1, last=math.ceil(looped[1]))
        self._proposed = self.choice.value.first, self.choice.value.last

    def refusal(self) -> Message | None:
        """Why the choice cannot be exported now, or None."""
        choice = self.choice.value
        reason = self._refuse_subject() or choice.refusal(self.steps)
        return refuse_mp4() if reason is None and choice.what is What.CLIP and choice.clip == ".mp4" else reason

    @property
    def left_out(self) -> Message | None:
        """Which views of the stage the picture has no room for, and from which width on it has; None where it has all."""
        choice, bench = self.choice.value, self._host.workbench
        index, on_stage = bench.stage.shown.value, choice.what in MOVING or (choice.what is What.FIGURE and choice.of is Of.STAGE)
        alone = choice.view or staged(bench) is not Staged.LAUNCH or choice.size.width >= COMPACT_BELOW
        picture = bench.stage.picture.value
        shown = picture.frame if choice.what is What.FIGURE and isinstance(picture, GpuPicture) else None
        views = left_out_of_two(index, shown) if on_stage and not alone and isinstance(index, LaunchIndex) else ()
        if not views:
            return None
        names = reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), (view.title for view in views))
        return message("Left out: {views}. A size {width} wide or more, before it is scaled, has room for all views.",
                       views=names, width=COMPACT_BELOW)  # fmt: skip

    @property
    def begins_later(self) -> Message | None:
        """Why the proposed range begins after the step that the stage shows; None where it does not, or a hand has chosen another."""
        choice, stage = self.choice.value, self._host.workbench.stage
        index, step = stage.shown.value, stage.timeline.position.value.step + 1
        proposed = choice.what in MOVING and (choice.first, choice.last) == self._proposed and stage.timeline.range.value is None
        if not proposed or not isinstance(index, LaunchIndex) or not step < choice.first <= index.computes_from:
            return None
        return message("Without step {step}, which the stage shows: computing begins at step {first}.",
                       step=step, first=index.computes_from + 1)  # fmt: skip

    def _refuse_subject(self) -> Message | None:
        """Why there is nothing to write, whatever its form."""
        choice = self.choice.value
        if choice.what is What.REPORT:
            return refuse_lab_report(self._host)
        frame = self._host.workbench.program_page.frame.value
        if choice.what is What.PLAYER and frame is not None and staged(self._host.workbench) is Staged.PROGRAM:
            return refuse_player(choice.size, len(frame.run.events))
        moving = choice.what in MOVING
        on_stage = moving or (choice.what is What.FIGURE and choice.of is Of.STAGE)
        return refuse_staged(self._host.workbench, moving=moving) if on_stage else None

    def report(self) -> QImage | Message:
        """The first page of the lab report, or why there is none."""
        return picture_of_lab_report(self._host)

    def exported(self, look: Look) -> ExportView | Message:
        """What the choice draws, or why there is nothing to draw."""
        choice, bench, reason = self.choice.value, self._host.workbench, self._refuse_subject()
        if reason is not None:
            return reason
        if choice.what in MOVING:
            moving = self._moving(look)
            if choice.refusal(self.steps) is None:
                first = choice.range.first
                moving.show(float(first if choice.what is What.CLIP else steps_played(bench, range(first, choice.last)).start))
            return moving
        if choice.of is Of.STAGE:
            return still_view(look, bench, choice.view, choice.size.width)
        from app.qt.export import exported_charts

        match choice.of:
            case Of.LADDER:
                return exported_charts.ladder_view(look, bench.ladder)
            case Of.TUNING:
                return exported_charts.tuning_view(look, bench.tuning)
            case Of.USES:
                return exported_charts.uses_view(look, bench.uses)
            case _:
                return exported_charts.chart_view(look, bench.session, bench.timing)

    def suggestion(self) -> Path:
        """Where the file would go: the folder of the last file opened or saved; a name that says what it is."""
        choice, session = self.choice.value, self._host.workbench.session
        name = session.stage.value.variant.id if session.draft_editor.shown is None else Path(session.draft_editor.shown.name).stem
        if choice.what is What.FIGURE and choice.of is not Of.STAGE:
            name = str(choice.of)
        elif choice.what not in (What.FIGURE, *MOVING):
            name = str(choice.what)
        return Path(session.draft_editor.beside(f"{name}{choice.ending}"))

    def save(self, path: Path) -> None:
        """Write what is chosen; `told` says what became of it, of what has many pictures when it is done."""
        self.last = self.choice.value.what
        reason = refuse_file(path) or self.refusal()
        if reason is not None:
            self._tell(reason)
            return
        self._host.workbench.session.draft_editor.visit(path)
        self._host.settings.save_text(_HABITS, self.choice.value.habits)
        if self.choice.value.what in MOVING:
            self._draw(path)
        else:
            self._tell(self._write(path) or message("Written: {path}", path=str(path)))

    def refuse(self, reason: Message) -> None:
        """Say why what is chosen is not written."""
        self.last = self.choice.value.what
        self.told.value = reason

    def cancel(self) -> None:
        """Stop what is being written; no file is left but the players that are done, with a page."""
        self.examples.cancel()
        if self._job is not None:
            self._job.cancel()

    def ask_for_examples(self) -> None:
        """Ask where the page of examples is to be, and begin to write it."""
        if self.progress.value is None:
            self.examples.ask_and_write()
        else:
            self._tell(message("Something is being written already. Wait for it, or cancel it in Export."))

    def _write(self, path: Path) -> Message | None:
        bench, choice = self._host.workbench, self.choice.value
        if choice.what is What.MEASUREMENTS:
            return bench.export(path)
        if choice.what is What.REPORT:
            return write_lab_report(path, self._host)
        if choice.what is What.CURVES:
            return write_whole(path, table_of_curves(selected_curves(bench.session, bench.timing), choice.table, self.page.text))
        look = self.page
        exported = self.exported(look)
        if isinstance(exported, Message):
            return exported
        reason = write_figure(path, exported, choice.size, look)
        exported.close()
        return reason

    def _draw(self, path: Path) -> None:
        look, choice = self.page, self.choice.value
        drawing: FileDrawing
        if choice.what is What.PLAYER:
            bench = self._host.workbench
            steps, link = steps_played(bench, range(choice.first - 1, choice.last)), link_of(bench)
            drawing = PlayerDrawing(path, self._played, steps, choice.size, look.translator, link)
        else:
            drawing = ClipDrawing(path, self._moving(look), choice.range, choice.size, look)
        self.told.value = None
        self._show(0, drawing.total)
        self._job = DrawingJob(drawing, lambda told: self._drawn(told, path), self._host.window)

    def _moving(self, look: Look) -> MovingExportView:
        choice = self.choice.value
        return moving_view(look, self._host.workbench, choice.view, choice.size.width)

    def _played(self, look: Look) -> Played:
        choice = self.choice.value
        return played(look, self._host.workbench, choice.view, choice.size.width)

    def _drawn(self, drawing: FileDrawing, path: Path) -> None:
        if not drawing.done:
            self._show(drawing.drawn, drawing.total)
        elif self._job is not None:
            self._job.deleteLater()
            self._job, self.progress.value = None, None
            self._tell(drawing.reason or message("Written: {path}", path=str(path)))

    def _show(self, drawn: int, total: int) -> None:
        said = message("{kind}: {done} of {total} pictures", kind=KINDS[self.last], done=drawn, total=total)
        self.progress.value = Progress(drawn, total, said)

    def _examples_show(self, done: int, count: int, said: Message) -> None:
        """The status bar is told of each change once, so that others are read there too while the page is written."""
        if self.progress.value is None:
            self.last, self.told.value = What.PLAYER, None
        shown, self.progress.value = self.progress.value, Progress(done, count, said)
        if self.progress.value != shown:
            self._host.workbench.tell(said)

    def _examples_end(self, said: Message) -> None:
        self.last, self.progress.value = What.PLAYER, None
        self._tell(said)

    def _tell(self, said: Message) -> None:
        self.told.value = said
        self._host.workbench.tell(said)
