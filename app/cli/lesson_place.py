"""What the options that name a lesson and a step of it mean."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.refusal import Refused, accept
from app.core.base.parsing import one_of, shown
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named, shipped_ids
from app.core.lessons.read import STRUCTURE, read_lesson
from app.core.program.window_arguments import LessonPosition
from kernels.base.messages import message


def place_of(options: argparse.Namespace) -> LessonPosition | None:
    """The step that is meant; None where none is. Refused where there is no such lesson or step."""
    if options.lesson is None:
        if options.step_name is not None or options.reveal:
            raise Refused(message("--step-name and --reveal speak of a step of a lesson: --lesson is missing."))
        return None
    lesson = lesson_named(options.lesson)
    names = [step.name for step in lesson.steps]
    name = names[0] if options.step_name is None else accept(one_of("--step-name", options.step_name, names))
    return LessonPosition(lesson, names.index(name), options.reveal)


def lesson_named(text: str) -> Lesson:
    """The lesson of the program with this id, or that of a folder."""
    ids = shipped_ids()
    if text in ids:
        return accept(named(text))
    folder = Path(text).absolute()
    if not folder.joinpath(STRUCTURE).is_file():
        raise Refused(message("There is no lesson '{text}'. Lessons: {names}.", text=shown(text), names=", ".join(ids)))
    return accept(read_lesson(folder))
