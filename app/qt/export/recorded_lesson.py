"""Player of a lesson: its steps with their questions, each beside what the program shows of it, before the answer and with it.

The program's own player goes through the lesson; what it shows is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt

from app.core.base.i18n import CHINESE
from app.core.export.picture_text import text_of_results
from app.core.export.staged import Staged, staged
from app.core.lessons.current_lesson import LessonMoment, StepState, scene_number, waits_to_show
from app.core.lessons.judging import ROUNDING, right_answers
from app.core.lessons.lesson import Lesson, QuestionKind
from app.core.lessons.numbers import number_text, written
from app.core.lessons.prose import Paragraph, filled, spans
from app.core.lessons.sentences import answer_text, judged_text, place_of, task_of
from app.core.session.session import Workspace
from app.core.stage.model import FIRST_STEP_ASKED
from app.core.state.written import LESSON
from app.core.timing.model import TimingPage
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.export.export_view import ExportView, backdrop
from app.qt.export.exported_stage import link_of, played, still_view
from app.qt.export.played import Played, PlayedStill
from app.qt.export.player_recording import Chapter, Recording
from app.qt.widgets.labels import label
from kernels.base.messages import Message, message

BEFORE, AFTER, PLAYED = 4, 20, 40
"""Steps before and after the moment that a step of a lesson is about; and after it, where it is one to watch."""

Until = Callable[[Callable[[], bool]], bool]
"""Lets the program work until something holds; False when that takes too long."""


class LessonRecording:
    """Goes through a lesson and records it. `told` is called with the number of each step that is done."""

    def __init__(self, bench: Workbench, until: Until, lesson: Lesson, recording: Recording, told: Callable[[int], object]) -> None:
        self._bench, self._until, self._lesson, self._recording, self._told = bench, until, lesson, recording, told
        self._player = self._bench.lesson_controller.player
        self._known: dict[tuple[int | None, bool], int] = {}
        """Chapters by the step whose scene they show, and whether an answer is awaited."""

    def page(self) -> str | Message:
        """The page; or why something of the lesson cannot be shown."""
        self._bench.lesson_controller.progress.stop()
        self._bench.stage.still.value = True
        self._player.open(self._lesson)
        text = self._lesson.text(self._recording.translator.language)
        steps = []
        for number in range(len(self._lesson.steps)):
            self._player.go(number)
            step = self._step()
            if isinstance(step, Message):
                return step
            steps.append(step)
            self._told(number)
        return self._recording.page(text.title, lesson={"summary": text.summary, "steps": steps})

    def _step(self) -> dict[str, Any] | Message:
        """Record a step, which has just been entered."""
        reason = self._arrived()
        if reason is not None:
            return reason
        playing = self._playing
        asked: int | None = None
        task = task_of(playing)
        if playing.state is not StepState.TOLD:
            asked = self._shown(playing, asking=True)
            self._player.reveal()
            reason = self._arrived()
        return reason or self._written(self._playing, task, asked, self._shown(self._playing, asking=False))

    @property
    def _playing(self) -> LessonMoment:
        playing = self._player.playing.value
        assert playing is not None
        return playing

    def _arrived(self) -> Message | None:
        """Wait until the scene is set and its numbers are known; why it is not."""
        bench = self._bench

        def arrived() -> bool:
            waits = bench.states.arrival.pending or not bench.stage_ready or not bench.studies.caches.settled
            return not waits and self._player.settled and bench.races.settled and bench.real_runs.settled

        if self._until(arrived):
            return bench.stage.notice.value
        return message("Step {number} of the lesson was not ready in time.", number=self._playing.number + 1)

    # ------------------------------------------------------------ what is shown

    def _shown(self, playing: LessonMoment, *, asking: bool) -> int:
        """The number of the chapter of what is shown now; one that is there already is taken again."""
        key = scene_number(playing.lesson, playing.number), asking
        if asking or key not in self._known:
            self._known[key] = self._chapter(playing, asking=asking)
        return self._known[key]

    def _chapter(self, playing: LessonMoment, *, asking: bool) -> int:
        bench, width = self._bench, self._recording.size.width
        still = partial(_still, bench, width)
        if asking and bench.stage.unbegun.value:
            return self._recorded(lambda look: _said(look, FIRST_STEP_ASKED), range(1), 0)
        if bench.session.workspace.value is Workspace.TIMING or (staged(bench) is Staged.RUNS and not bench.program_page.shown.value):
            return self._recorded(still, range(1), 0)
        frame = bench.program_page.frame.value
        if bench.program_page.shown.value and frame is not None:
            at, count = frame.selected, len(frame.run.events)
            steps = range(at, at + 1) if asking else range(count)
            return self._recorded(lambda look: played(look, bench, 0, width), steps, at)
        at, count = bench.stage.timeline.position.value.step, bench.stage.timeline.extent.value.steps
        scene = playing.step.scene
        watched = scene is None or scene.play or not scene.line
        steps = range(max(at - BEFORE, 0), min(at + (PLAYED if watched else AFTER) + 1, count))
        if asking and (waits_to_show(playing.step) or not watched):
            steps = range(at, at + 1)
        view = bench.stage.alone.value
        return self._recorded(lambda look: played(look, bench, view, width), steps, at)

    def _recorded(self, played_in: Callable[[Look], Played], steps: range, at: int) -> int:
        chapter = Chapter(self._recording, played_in, steps)
        while not chapter.done:
            chapter.step()
        own = self._lesson.folder is not None
        link = link_of(self._bench) if own else f"{LESSON}{self._lesson.id}?step={self._playing.number + 1}"
        return chapter.end(link, at)[0]

    # ------------------------------------------------------------ what is said

    def _written(self, playing: LessonMoment, task: Message | None, asked: int | None, told: int) -> dict[str, Any]:
        """A step as the page reads it."""
        translator, question = self._recording.translator, playing.step.question
        text = playing.lesson.step_text(playing.number, translator.language)
        numbers = written(playing.numbers, "、" if translator.language == CHINESE else ", ")
        return {
            "place": translator.text(place_of(playing)), "headline": text.headline, "narration": _paragraphs(text.narration, numbers),
            "task": "" if task is None else translator.text(task), "question": self._question(playing, numbers) if question else None,
            "answer": _paragraphs(text.answer, numbers), "asked": asked, "told": told,
        }  # fmt: skip

    def _question(self, playing: LessonMoment, numbers: dict[str, str]) -> dict[str, Any]:
        """The question with what is right, and what is said of each answer; `{given}` stands for one that is typed."""
        translator, question = self._recording.translator, playing.step.question
        assert question is not None
        text = playing.lesson.step_text(playing.number, translator.language)
        found = right_answers(question, playing.numbers)
        right = found if isinstance(found, tuple) else ()
        said = " / ".join(answer_text(playing, each, translator.language, numbers) for each in right)

        def judged(given: str, *, correct: bool) -> str:
            return translator.text(judged_text(question.kind, given, said, correct=correct))

        choices = []
        for choice in question.choices:
            answer = choice.name if choice.number is None else choice.number
            words = filled(text.options[choice.name].text, numbers) if choice.number is None else number_text(choice.number)
            given = answer_text(playing, answer, translator.language, numbers)
            choices.append({"text": _pieces(words), "right": answer in right, "said": judged(given, correct=answer in right)})
        hint = message("Write the number of a lane, from 0 to 31.") if question.kind is QuestionKind.LANE else message("Your answer")
        return {
            "asked": _paragraphs(text.question, numbers), "choices": choices, "hint": translator.text(hint),
            "right": [each for each in right if not isinstance(each, str)],
            "tolerance": max(question.tolerance, ROUNDING), "lane": question.kind is QuestionKind.LANE,
            "said": [judged("{given}", correct=False), judged("{given}", correct=True)],
            "unknown": translator.text(found) if isinstance(found, Message) else "",
        }  # fmt: skip


def _still(bench: Workbench, width: int, look: Look) -> PlayedStill:
    """The page of times or the real run that is shown."""
    from app.qt.export import exported_charts

    exported: ExportView | Message
    if bench.session.workspace.value is not Workspace.TIMING:
        exported = still_view(look, bench, 0, width)
    elif bench.timing.page.value is TimingPage.LADDER:
        exported = exported_charts.ladder_view(look, bench.ladder)
    elif bench.timing.page.value is TimingPage.TUNING:
        exported = exported_charts.tuning_view(look, bench.tuning)
    else:
        exported = exported_charts.chart_view(look, bench.session, bench.timing)
    return _said(look, exported) if isinstance(exported, Message) else PlayedStill(look, exported)


def _said(look: Look, sentence: Message) -> PlayedStill:
    """A sentence where there is no picture."""
    from app.qt.export.exported_charts import ExportedWidget

    said = label(look, sentence, "sentence")
    said.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return PlayedStill(look, ExportedWidget(backdrop(look, said), text_of_results(sentence, None, ())))


def _paragraphs(paragraphs: tuple[Paragraph, ...], numbers: dict[str, str]) -> list[dict[str, Any]]:
    return [{"item": each.item, "pieces": _pieces(filled(each.text, numbers))} for each in paragraphs]


def _pieces(text: str) -> list[tuple[str, str]]:
    """A paragraph in pieces, each with its kind: plain, code or strong."""
    return [(span.text, "code" if span.code else "strong" if span.strong else "") for span in spans(text)]
