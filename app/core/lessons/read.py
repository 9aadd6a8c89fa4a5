"""Reader of a lesson's folder: `lesson.toml` has its structure, `en.md`, `zh_CN.md` its texts, `*.cu` kernels of its own.

What cannot be raises `BadFile`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.base.files.documents import toml_table
from app.core.base.files.fields import BadFile, Table
from app.core.base.i18n import LANGUAGES
from app.core.base.parsing import shown
from app.core.base.timeline import Unit
from app.core.lesson_metrics.expression import Expression, parse
from app.core.lesson_metrics.metric import Metric
from app.core.lesson_metrics.read import metric_from, settings_from
from app.core.lessons.lesson import Action, Choice, Lesson, Question, QuestionKind, Scene, Step
from app.core.lessons.own_texts import OwnTexts, kernels_from, programs_from, text_in
from app.core.lessons.prose import LessonText, Paragraph, read_prose
from app.core.session.choices import CacheChoice, no_variant
from app.core.session.session import DEFAULT_PROFILE, Session, TimingChoice, Workspace, first_ticked, refuse_stage
from app.core.state.snapshot import Snapshot, TimelinePosition, views_of
from app.core.timing.model import TimingPage
from kernels.analysis.device_profiles import profiles
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Problem, Variant
from kernels.cachesim.presets import PRESETS, SCALED
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.real_run import refuse_recording

MOST_CHOICES = 6
MOST_CLAIMS = 20
MOST_TICKED = 64
LARGEST = 1 << 20
LONGEST_NAME = 40


def step_from(table: Table, own: OwnTexts) -> Step:
    """The step of a table `[[step]]`."""
    name = table.text("name", longest=LONGEST_NAME)
    scene = scene_from(table.table("show"), own) if "show" in table else None
    values = values_from(table.table("values"), own.kernels, own.programs)
    question = _question(table.table("question"), values) if "question" in table else None
    action = _action(table.table("action")) if "action" in table else None
    claims = tuple(expression_from(table, "claims", text, values) for text in table.texts("claims", MOST_CLAIMS, ()))
    table.finish()
    return Step(name, scene, values, question, action, claims, table.line)


def check_action(table: Table, action: Action, shown: Case | None) -> None:
    """Whether a step's action can be done where `shown` is on the stage. Raises `BadFile`."""
    if not action.parameter:
        return
    parameter = next((each for each in shown.variant.parameters if each.name == action.parameter), None) if shown is not None else None
    if shown is None or parameter is None:
        table.table("action").wrong("parameter", message("is no parameter of what the stage shows"))
    reason = refuse(shown.variant, shown.problem, {**shown.parameters, action.parameter: action.value}, Limits())
    if reason is not None or not parameter.minimum <= action.value <= parameter.maximum:
        table.table("action").wrong("value", message("is none that {parameter} can have", parameter=action.parameter))


def expression_from(table: Table, name: str, text: str, values: Mapping[str, object]) -> Expression:
    """Parse an expression over known names; raises `BadFile` where it speaks of another."""
    expression = parse(text)
    if not isinstance(expression, Expression):
        table.wrong(name, expression)
    unknown = sorted(expression.names - values.keys())
    if unknown:
        table.wrong(name, message("speaks of {name}, which is none of the step's values", name=unknown[0]))
    return expression


def scene_from(table: Table, own: OwnTexts) -> Scene:
    """What `show = { ... }` sets: a variant or one of the lesson's own texts, where in time, and what is looked at."""
    kernel, program = (table.text(name, "", longest=LONGEST_NAME) for name in ("kernel", "program"))
    if kernel and kernel not in own.kernels:
        table.wrong("kernel", message("names none of the lesson's kernels"))
    if program and (kernel or program not in own.programs):
        table.wrong("program", message("names none of the lesson's programs"))
    draft = own.kernels[kernel] if kernel else own.programs[program].draft if program else None
    stage = Session().stage.value if draft is not None and "variant" not in table else _stage(table)
    views = views_of(stage, edited=draft is not None)
    snapshot = Snapshot(
        stage,
        table.one_of("profile", {profile.id for profile in profiles()}, DEFAULT_PROFILE),
        CacheChoice(table.one_of("preset", PRESETS, SCALED)),
        draft,
        draft is not None,
        TimelinePosition(table.number("time", 0, 1 << 40, 0.0)),
        table.whole("view", 0, max(views), 0),
        Workspace.STAGE,
        _timing(table.table("timing"), stage.variant) if "timing" in table else None,
    )
    if "page" in table:
        snapshot = _on_timing(table, snapshot)
    elif "run" in table:
        snapshot = _with_run(table, snapshot)
    scene = Scene(
        snapshot, table.text("line", "", longest=200), table.whole("occurrence", 0, LARGEST, 0), table.flag("play", default=False),
        Unit(table.one_of("unit", set(Unit), Unit.STEP)), _beside(table.table("beside")) if "beside" in table else None,
        table.flag("before", default=True), table.whole("view_before", 0, max(views), 0), kernel, own.programs.get(program),
        table.whole("launch", 1, LARGEST, 0) if program else 0,
    )  # fmt: skip
    table.finish()
    return scene


def _on_timing(table: Table, snapshot: Snapshot) -> Snapshot:
    """A page of the timing workspace: a ladder at its n, curves with what was published or without."""
    page = TimingPage(table.one_of("page", set(TimingPage)))
    n = table.whole("ladder_n", 1, LARGEST, 0) if page is TimingPage.LADDER else 0
    published = table.flag("published", default=False) if page is TimingPage.CURVES else False
    timing = _timed_as_shown(snapshot.stage) if page is TimingPage.LADDER and snapshot.timing is None else snapshot.timing
    return replace(snapshot, workspace=Workspace.TIMING, timing=timing, page=page, ladder_n=n, published=published)


def _timed_as_shown(stage: Case) -> TimingChoice | None:
    """For a ladder: the parameters that were chosen for the variant on the stage, for all that can have them; None: there are none."""
    chosen = {name: value for name, value in stage.parameters.items() if value != stage.variant.defaults[name]}
    if not chosen:
        return None
    parameters = {variant.id: variant.defaults for variant in catalogue.VARIANTS}
    for variant in catalogue.of(stage.variant.operation):
        own = {**variant.defaults, **{name: value for name, value in chosen.items() if name in variant.defaults}}
        if refuse(variant, Problem.square(variant.operation, 1), own, Limits()) is None:
            parameters[variant.id] = own
    return TimingChoice(stage.variant.operation, first_ticked(stage.variant.operation), parameters)


def _with_run(table: Table, snapshot: Snapshot) -> Snapshot:
    """A real run of n x n matrices in place of an animation."""
    if snapshot.draft is not None:
        table.wrong("run", message("is only for variants, not for a text"))
    reason = refuse_recording(snapshot.stage.variant)
    if reason is not None:
        table.refuse(reason)
    return replace(snapshot, run=table.whole("run", 1, LARGEST))


def _stage(table: Table) -> Case:
    variant, problem, values = settings_from(table, "variant")
    reason = refuse_stage(variant, problem) or refuse(variant, problem, values, Limits())
    if reason is not None:
        table.refuse(reason)
    return Case.of(variant, problem, values)


def _beside(table: Table) -> Case:
    choice = _stage(table)
    table.finish()
    return choice


def _timing(table: Table, variant: Variant) -> TimingChoice:
    ticked = table.texts("ticked", MOST_TICKED, (variant.id,))
    for name in ticked:
        known = catalogue.find(name)
        if known is None or known.operation is not variant.operation:
            table.wrong("ticked", message("names a variant that cannot be timed beside {variant}", variant=variant.id))
    defaults = {each.id: each.defaults for each in catalogue.VARIANTS}
    sizes = table.wholes("sizes", 1, LARGEST, 64, (128, 256, 512, 1024))
    choice = TimingChoice(variant.operation, frozenset(ticked), defaults, sizes, axis=table.text("axis", "n"))
    if not sizes or choice.axis not in choice.axes:
        table.wrong("axis" if sizes else "sizes", message("does not go with what is ticked"))
    table.finish()
    return choice


def values_from(table: Table, kernels: Collection[str], programs: Collection[str]) -> dict[str, Metric | Expression]:
    """Numbers by name: lesson metrics, and calculations with those before them."""
    values: dict[str, Metric | Expression] = {}
    for name in table.names:
        if not name.isidentifier() or len(name) > LONGEST_NAME:
            table.wrong(name, message("is no name that a text can use"))
        if table.is_text(name):
            values[name] = expression_from(table, name, table.text(name), values)
        else:
            values[name] = metric_from(table.table(name), kernels, programs)
    return values


def _question(table: Table, values: Mapping[str, Metric | Expression]) -> Question:
    kind = QuestionKind(table.one_of("kind", set(QuestionKind)))
    answer = expression_from(table, "answer", table.text("answer"), values) if "answer" in table else None
    lanes = table.text("lanes", "", longest=LONGEST_NAME)
    question = Question(kind, answer, _choices(table, values), lanes, table.number("tolerance", 0, 1, 0.0))
    if kind is QuestionKind.LANE and lanes not in values:
        table.wrong("lanes", message("names none of the step's values"))
    if kind is QuestionKind.NUMBER and answer is None:
        table.wrong("answer", message("is missing"))
    if kind is QuestionKind.CHOICE and not 2 <= len(question.choices) <= MOST_CHOICES:
        table.wrong("choices", message("must be from 2 to {most}", most=MOST_CHOICES))
    if any(choice.number is not None for choice in question.choices) and answer is None:
        table.wrong("answer", message("is missing"))
    table.finish()
    return question


def _choices(table: Table, values: Mapping[str, Metric | Expression]) -> tuple[Choice, ...]:
    """Numbers, of which the answer is one; or names with what must hold for each to be right."""
    if "choices" in table and table.is_list("choices"):
        return tuple(Choice("", float(number)) for number in table.wholes("choices", -(1 << 60), 1 << 60, MOST_CHOICES))
    named = table.table("choices")
    return tuple(Choice(name, None, expression_from(named, name, named.text(name), values)) for name in named.names)


def _action(table: Table) -> Action:
    parameter, variant = (table.text(name, "", longest=LONGEST_NAME) for name in ("parameter", "variant"))
    at_end, play_race = (table.flag(name, default=False) for name in ("at_end", "play_race"))
    action = Action(parameter, table.whole("value", 0, LARGEST, 0), catalogue.find(variant), at_end, play_race)
    if sum((bool(parameter), bool(variant), at_end, play_race)) != 1:
        table.wrong(None, message("must have one of parameter, variant, at_end, play_race"))
    if variant and action.variant is None:
        table.wrong("variant", no_variant(variant))
    table.finish()
    return action


STRUCTURE = "lesson.toml"
MOST_STEPS = 60
LONGEST_TOPIC = 40
_FIELDS = re.compile(r"\{[^{}]*\}")


def read_lesson(folder: Path) -> Lesson | Message:
    """The user's lesson in a folder, or why there is none: which file, which line, what is wrong."""
    return _read(folder, folder)


def read_shipped(folder: Traversable) -> Lesson | Message:
    """Read a lesson that came with the program, whose files may be links to wherever it was installed from; or say why there is none."""
    return _read(folder, None)


def _read(folder: Traversable, within: Path | None) -> Lesson | Message:
    file = STRUCTURE
    try:
        table = toml_table(text_in(folder, STRUCTURE, within))
        topic, minutes = table.text("topic", longest=LONGEST_TOPIC), table.whole("minutes", 1, 60)
        own = OwnTexts(kernels_from(table, folder, within), programs_from(table, folder, within))
        steps = _steps(table, own)
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
    return Lesson(folder.name, topic, minutes, steps, texts, own.kernels, own.programs, within)


def _steps(table: Table, own: OwnTexts) -> tuple[Step, ...]:
    steps: list[Step] = []
    stage: Case | None = None
    for each in table.tables("step", MOST_STEPS):
        step = step_from(each, own)
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
