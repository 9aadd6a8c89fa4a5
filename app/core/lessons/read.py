"""A folder into a lesson: `lesson.toml` has its structure, `en.md`, `zh_CN.md` its texts, `*.cu` texts of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.i18n import LANGUAGES
from app.core.inputs import shown
from app.core.lessons.lesson import Lesson, Question, QuestionKind, Step
from app.core.lessons.prose import LessonText, Paragraph, read_prose
from app.core.lessons.read_step import check_action, step_from
from app.core.playground.draft import Draft
from app.core.reading.documents import text_of, toml_table
from app.core.reading.fields import BadFile, Table
from app.core.session import StageChoice
from app.core.state.read_draft import settings_from_launch
from kernels.messages import Message, message

STRUCTURE = "lesson.toml"
MOST_STEPS = 60
MOST_KERNELS = 20
LONGEST_TOPIC = 40
_FIELDS = re.compile(r"\{[^{}]*\}")
_KERNEL_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*\.cu")


def read_lesson(folder: Path) -> Lesson | Message:
    """The user's lesson in a folder, or why there is none: which file, which line, what is wrong."""
    return _read(folder, folder)


def read_shipped(folder: Traversable) -> Lesson | Message:
    """The same of a lesson that came with the program, whose files may be links to wherever it was installed from."""
    return _read(folder, None)


def _read(folder: Traversable, within: Path | None) -> Lesson | Message:
    file = STRUCTURE
    try:
        table = toml_table(text_in(folder, STRUCTURE, within))
        topic, minutes = table.text("topic", longest=LONGEST_TOPIC), table.whole("minutes", 1, 60)
        kernels = kernels_from(table, folder, within)
        steps = _steps(table, kernels)
        table.finish()
        texts: dict[str, LessonText] = {}
        for language in LANGUAGES:
            file = f"{language}.md"
            if folder.joinpath(file).is_file():
                texts[language] = _checked(read_prose(text_in(folder, file, within)), steps)
        file = STRUCTURE
        if not texts:
            raise BadFile(message("There is no text: {names} are missing.", names=", ".join(f"{language}.md" for language in LANGUAGES)))
    except BadFile as bad:
        return message("{place}: {reason}", place=f"{folder.name}/{file}", reason=bad.reason)
    return Lesson(folder.name, topic, minutes, steps, texts, kernels, within)


def text_in(folder: Traversable, name: str, within: Path | None) -> str:
    """The text of a file of a folder. Raises `BadFile`, also where it is no file, or leads out of the folder `within`."""
    file = folder.joinpath(name)
    if within is not None and (within / name).exists() and (within / name).resolve().parent != within.resolve():
        raise BadFile(message("{name} leads out of the folder.", name=name))
    if not file.is_file():
        raise BadFile(message("There is no file {path}.", path=name))
    return text_of(file)


def kernels_from(table: Table, folder: Traversable, within: Path | None = None) -> dict[str, Draft]:
    """The texts of `[[kernel]]`, each with its launch. Raises `BadFile`."""
    kernels: dict[str, Draft] = {}
    for each in table.tables("kernel", MOST_KERNELS):
        name, file = each.text("name", longest=LONGEST_TOPIC), each.text("file", longest=LONGEST_TOPIC)
        if name in kernels:
            each.wrong("name", message("is there twice"))
        if _KERNEL_FILE.fullmatch(file) is None:
            each.wrong("file", message("must be a .cu file in the same folder"))
        text = text_in(folder, file, within)
        kernels[name] = Draft(file, text, text, settings_from_launch(each.table("launch")))
        each.finish()
    return kernels


def _steps(table: Table, kernels: dict[str, Draft]) -> tuple[Step, ...]:
    steps: list[Step] = []
    stage: StageChoice | None = None
    for each in table.tables("step", MOST_STEPS):
        step = step_from(each, kernels)
        stage = stage if step.scene is None else step.scene.snapshot.stage
        if step.action is not None:
            check_action(each, step.action, stage)
        if step.name in {before.name for before in steps}:
            each.wrong("name", message("is there twice"))
        steps.append(step)
    if not steps:
        raise BadFile(message("It has no steps."))
    return tuple(steps)


def _checked(text: LessonText, steps: tuple[Step, ...]) -> LessonText:
    """The text, if it says what the steps ask for and no more."""
    known = {step.name: step for step in steps}
    for name, said in text.steps.items():
        if name not in known:
            raise BadFile(message("Line {line}: the lesson has no step {name}.", line=said.line, name=shown(name)))
        for paragraph in said.paragraphs:
            _check_fields(paragraph, known[name])
    for step in steps:
        if step.name not in text.steps:
            raise BadFile(
                message(
                    "The text of the step {name}, which begins in line {line} of {file}, is missing: write it below a line {heading}.",
                    name=step.name, line=step.line, file=STRUCTURE, heading=f"## {step.name}",
                )
            )  # fmt: skip
        _check_question(step, step.question, text)
    return text


def _check_fields(paragraph: Paragraph, step: Step) -> None:
    brace = re.search(r"[{}]", _FIELDS.sub("", paragraph.text))
    if brace is not None:
        raise BadFile(
            message("Line {line}: {brace} has no other half: names of values stand between braces.", line=paragraph.line, brace=brace[0])
        )
    unknown = next((name for name in paragraph.fields if name.removesuffix("%") not in step.values), None)
    if unknown is not None:
        line = paragraph.line
        raise BadFile(
            message("Line {line}: {name} is none of the values of the step {step}.", line=line, name=shown(unknown), step=step.name)
        )


def _check_question(step: Step, question: Question | None, text: LessonText) -> None:
    said = text.steps[step.name]
    if (question is None) != (not said.question):
        problem = message("asks nothing, but its text does") if question is None else message("asks, but its text has no question")
        raise BadFile(message("Line {line}: the step {name} {problem}.", line=said.line, name=step.name, problem=problem))
    named: Mapping[str, object] = {}
    if question is not None and question.kind is QuestionKind.CHOICE:
        named = {choice.name: choice for choice in question.choices if choice.name}
    if named.keys() != said.options.keys():
        other = sorted(named.keys() ^ said.options.keys())[0]
        raise BadFile(message("Line {line}: the option {name} is not in both files.", line=said.line, name=other))
    if question is not None and not said.answer:
        raise BadFile(message("Line {line}: the step {name} has no answer.", line=said.line, name=step.name))
