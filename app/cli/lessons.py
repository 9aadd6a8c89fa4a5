"""`tilescope lessons`: the lessons there are, or whether those of a folder can be read and are true."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import WRONG_INPUT, Refused, accept
from app.cli.base.parser import Group
from app.core.base.background import BackgroundTasks
from app.core.base.files.locations import LONGEST_PATH
from app.core.base.files.text_files import is_file, is_folder
from app.core.base.parsing import shown
from app.core.lessons.check import problems_in
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import own, shipped
from app.core.lessons.progress import LessonProgress
from app.core.lessons.read import STRUCTURE, read_lesson
from app.core.lessons.sentences import topic_title
from kernels.base.messages import Message, message


def add_options(group: Group) -> None:
    """Add which lessons are meant, and whether they are executed."""
    group.option(
        "folder",
        "FOLDER",
        message("lessons of your own, each in a folder of its own, or one; those of the program if not given"),
        nargs="?",
    )
    group.switch("--check", message("find all numbers by executing: are the claims true, has each question one right answer?"))


def perform(options: argparse.Namespace, console: Console) -> int:
    """List lessons; with --check execute what they speak of. Status 2 where one cannot be read or is not true."""
    lessons, problems = _lessons(options.folder)
    if not options.check:
        _list(lessons, options.json, console)
    else:
        problems += [problem for lesson in lessons for problem in _check(lesson, console)]
        if options.json:
            console.print_json({"lessons": [lesson.id for lesson in lessons], "problems": [console.text(each) for each in problems]})
    for problem in problems:
        console.tell(console.text(problem))
    return WRONG_INPUT if problems else 0


def _lessons(folder: str | None) -> tuple[list[Lesson], list[Message]]:
    """Read those of the program, or those of a folder, which may be that of one lesson."""
    if folder is None:
        return list(shipped()), []
    path = Path(folder).absolute()
    if not is_folder(path):
        raise Refused(message("There is no folder {folder}.", folder=shown(str(path), LONGEST_PATH)))
    if is_file(path.joinpath(STRUCTURE)):
        return [accept(read_lesson(path))], []
    lessons, problems = own(path)
    if not lessons and not problems:
        raise Refused(
            message("There is no lesson in {folder}: each has a folder with {file}.", folder=shown(str(path), LONGEST_PATH), file=STRUCTURE)
        )
    return lessons, problems


def _list(lessons: list[Lesson], as_json: bool, console: Console) -> None:
    progress = LessonProgress(console.places.lesson_progress, BackgroundTasks())
    progress.read_now()
    if as_json:
        console.print_json([_object(lesson, progress, console) for lesson in lessons])
        return
    heads = (message("Lesson"), message("Topic"), message("Minutes"), message("Steps"), message("Done"), message("Title"))
    rows = [[console.text(head) for head in heads]]
    for lesson in lessons:
        topic, steps = topic_title(lesson.topic), progress.steps_of(lesson)
        rows.append([
            lesson.id, console.text(topic) if isinstance(topic, Message) else topic, str(lesson.minutes), str(steps.steps), str(steps.done),
            lesson.text(console.translator.language).title,
        ])  # fmt: skip
    console.print_rows(rows)


def _object(lesson: Lesson, progress: LessonProgress, console: Console) -> dict[str, object]:
    text, steps = lesson.text(console.translator.language), progress.steps_of(lesson)
    return {
        "id": lesson.id, "topic": lesson.topic, "minutes": lesson.minutes, "title": text.title, "summary": text.summary,
        "languages": list(lesson.texts), "steps": [step.name for step in lesson.steps],
        "done": steps.done, "asked": steps.asked, "right": steps.right,
    }  # fmt: skip


def _check(lesson: Lesson, console: Console) -> list[Message]:
    problems = list(problems_in(lesson))
    if not problems:
        said = message("{lesson}: {steps} steps, all true", lesson=lesson.id, steps=len(lesson.steps))
        console.tell(console.text(said))
    return problems
