"""`tilescope present`: a lesson on the whole screen; and the options that name a step of a lesson."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept
from app.cli.base.parser import Group, theme_option
from app.cli.window import language_of, show_window, theme_of
from app.core.base.parsing import one_of, shown
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named, shipped_ids
from app.core.lessons.read import STRUCTURE, read_lesson
from app.core.workbench.window_arguments import LessonPosition, Presented, WindowArguments
from kernels.base.messages import message

REVEAL = message("show the step's answer too")


def add_options(group: Group) -> None:
    """Add the lesson, and how it looks."""
    group.option("lesson", "LESSON", message("a lesson's id, or the folder of one; what the stage shows if not given"), nargs="?")
    group.option("--step-name", "NAME", message("the step to begin with, that at which the lesson was left if not given"))
    group.switch("--reveal", REVEAL)
    theme_option(group, default=argparse.SUPPRESS)


def place_options(group: Group) -> None:
    """Add a step of a lesson, for a picture."""
    group.option("--lesson", "LESSON", message("a lesson's id, as {command} lists them, or the folder of one", command="tilescope lessons"))
    group.option("--step-name", "NAME", message("the step of the lesson, the first if not given"))
    group.switch("--reveal", REVEAL)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Open the window and present at once; returns when it is closed."""
    place = place_of(options)
    presented = Presented(place, place is not None and options.step_name is None, theme_of(options))
    return show_window(WindowArguments(language_of(options, console), presented=presented), console)


def place_of(options: argparse.Namespace) -> LessonPosition | None:
    """Find the step that is meant; None where none is. Refused where there is no such lesson or step."""
    if options.lesson is None:
        if options.step_name is not None or options.reveal:
            raise Refused(message("--step-name and --reveal speak of a step of a lesson: --lesson is missing."))
        return None
    lesson = lesson_named(options.lesson)
    names = [step.name for step in lesson.steps]
    name = names[0] if options.step_name is None else accept(one_of("--step-name", options.step_name, names))
    return LessonPosition(lesson, names.index(name), options.reveal)


def lesson_named(text: str) -> Lesson:
    """Find the lesson of the program with this id, or that of a folder."""
    ids = shipped_ids()
    if text in ids:
        return accept(named(text))
    folder = Path(text).absolute()
    if not folder.joinpath(STRUCTURE).is_file():
        raise Refused(message("There is no lesson '{text}'. Lessons: {names}.", text=shown(text), names=", ".join(ids)))
    return accept(read_lesson(folder))
