"""Reader of the challenges that come with the program.

A challenge is a folder: `challenge.toml`, the text with the defect, a reference that is right, and words in each language.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from app.core.base.files.documents import text_of, toml_table
from app.core.base.files.fields import BadFile, Table
from app.core.base.i18n import LANGUAGES
from app.core.base.parsing import shown
from app.core.challenges.challenge import Challenge, ProgramCases, Target
from app.core.lesson_metrics.expression import Expression
from app.core.lessons.own_texts import LONGEST_WORDS, kernels_from, programs_from
from app.core.lessons.prose import LessonText, read_prose
from app.core.lessons.read import expression_from, values_from
from app.core.session.draft import LaunchSettings
from app.core.state.read import settings_from_launch
from kernels.base.messages import Message, message
from kernels.simt.host.result import Wrong

STRUCTURE = "challenge.toml"
GIVEN, REFERENCE = "given", "reference"
TASK, SOLVED = "task", "solved"
MOST_TARGETS = 8
MOST_CASES = 8


def read_challenge(folder: Traversable) -> Challenge | Message:
    """The challenge of a folder, or why there is none: which file, which line, what is wrong."""
    file = STRUCTURE
    try:
        challenge = _challenge(folder, toml_table(text_of(folder.joinpath(STRUCTURE))))
        texts: dict[str, LessonText] = {}
        for language in LANGUAGES:
            file = f"{language}.md"
            if folder.joinpath(file).is_file():
                texts[language] = _checked(read_prose(text_of(folder.joinpath(file))), challenge)
        if not texts:
            raise BadFile(message("There is no text: {names} are missing.", names=", ".join(f"{language}.md" for language in LANGUAGES)))
    except BadFile as bad:
        return message("{place}: {reason}", place=f"{folder.name}/{file}", reason=bad.reason)
    return replace(challenge, texts=texts)


def _challenge(folder: Traversable, table: Table) -> Challenge:
    if "program" in table:
        return _on_program(folder, table)
    kernels = kernels_from(table, folder)
    for name in (GIVEN, REFERENCE):
        if name not in kernels:
            raise BadFile(message("There is no kernel called {name}.", name=name))
    topic, free = table.text("topic", longest=40), table.flag("free_launch", default=False)
    outputs = table.texts("outputs", 4)
    given = kernels[GIVEN]
    for name in outputs:
        if name not in given.settings.arguments:
            table.wrong("outputs", message("names {name}, which is none of the arguments", name=name[:40]))
    cases = {each.text("name", longest=40): _case(each, given.settings) for each in table.tables("case", MOST_CASES)}
    targets = tuple(_target(each) for each in table.tables("target", MOST_TARGETS))
    table.finish()
    return Challenge(folder.name, topic, given, kernels[REFERENCE], outputs, targets, {}, cases, free)


def _on_program(folder: Traversable, table: Table) -> Challenge:
    """A challenge whose texts are whole programs: its cases are other words for main."""
    programs = programs_from(table, folder)
    for name in (GIVEN, REFERENCE):
        if name not in programs:
            raise BadFile(message("There is no program called {name}.", name=name))
    topic, allowed = table.text("topic", longest=40), table.texts("allowed_findings", MOST_TARGETS, ())
    for name in allowed:
        if name not in set(Wrong):
            table.wrong("allowed_findings", message("names {name}, which is no kind of findings", name=shown(name)))
    others = {each.text("name", longest=40): _words(each) for each in table.tables("case", MOST_CASES)}
    targets = tuple(_target(each) for each in table.tables("target", MOST_TARGETS))
    table.finish()
    given = programs[GIVEN]
    cases = ProgramCases(given.arguments, others, frozenset(allowed))
    return Challenge(folder.name, topic, given.draft, programs[REFERENCE].draft, (), targets, {}, program=cases)


def _words(table: Table) -> str:
    words = table.text("words", longest=LONGEST_WORDS)
    table.finish()
    return words


def _case(table: Table, settings: LaunchSettings) -> LaunchSettings:
    launch = settings_from_launch(table.table("launch"))
    table.finish()
    return replace(launch, entry=settings.entry, defines=settings.defines, arguments={**settings.arguments, **launch.arguments})


def _target(table: Table) -> Target:
    name = table.text("name", longest=40)
    values = values_from(table.table("values"), (GIVEN,), (GIVEN,))
    holds: Expression = expression_from(table, "holds", table.text("holds"), values)
    table.finish()
    return Target(name, values, holds)


def _checked(text: LessonText, challenge: Challenge) -> LessonText:
    """The text, if it has the task, what is told at the end, and words for each target."""
    wanted = {TASK, SOLVED, *(f"target-{target.name}" for target in challenge.targets)}
    missing = sorted(wanted - text.steps.keys())
    if missing:
        raise BadFile(message("The text of the step {name} is missing.", name=missing[0]))
    numbers = {f"target-{target.name}": target.values for target in challenge.targets}
    for name, said in text.steps.items():
        if name not in wanted and not name.startswith("hint"):
            raise BadFile(message("Line {line}: the challenge has nothing called {name}.", line=said.line, name=shown(name)))
        for paragraph in said.paragraphs:
            unknown = [each for each in paragraph.fields if each.removesuffix("%") not in numbers.get(name, {})]
            if unknown:
                raise BadFile(
                    message(
                        "Line {line}: {name} is none of the values of {target}.", line=paragraph.line, name=shown(unknown[0]), target=name
                    )
                )
    return text


ORDER = "order.txt"


@cache
def challenges() -> tuple[Challenge, ...]:
    """All of them, in teaching order. Raises ValueError where one cannot be read."""
    folder = files("resources").joinpath("challenges")
    found = []
    for name in folder.joinpath(ORDER).read_text(encoding="utf-8").split():
        challenge = read_challenge(folder.joinpath(name))
        if isinstance(challenge, Message):
            raise ValueError(str(challenge))
        found.append(challenge)
    return tuple(found)


def challenge_of(identifier: str) -> Challenge | None:
    """The challenge with this id, or None."""
    return next((each for each in challenges() if each.id == identifier), None)
