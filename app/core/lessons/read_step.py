"""One step of a lesson's TOML file into its value. Raises `BadFile`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from app.core.facts.expression import Expression, parse
from app.core.facts.fact import Fact
from app.core.facts.read import fact_from, settings_from
from app.core.lessons.lesson import Action, Choice, Question, QuestionKind, Step
from app.core.lessons.scene import Scene
from app.core.nest.choice import CacheChoice
from app.core.playground.draft import Draft
from app.core.reading.fields import Table
from app.core.reading.variants import no_variant
from app.core.session import DEFAULT_PROFILE, Session, StageChoice, TimingChoice, Workspace, refuse_stage
from app.core.state.snapshot import Place, Snapshot
from app.core.ticks import first_ticked
from app.core.timeline import Unit
from app.core.timing import Drawing
from kernels import catalog
from kernels.analysis.devices import profiles
from kernels.cachesim.presets import PRESETS, SCALED
from kernels.limits import Limits, refuse
from kernels.measure.real_run import refuse_recording
from kernels.messages import message
from kernels.spec import Problem, Variant

MOST_CHOICES = 6
MOST_CLAIMS = 20
MOST_TICKED = 64
LARGEST = 1 << 20
VIEWS = 4
LONGEST_NAME = 40

Kernels = Mapping[str, Draft]


def step_from(table: Table, kernels: Kernels) -> Step:
    """The step of a table `[[step]]`."""
    name = table.text("name", longest=LONGEST_NAME)
    scene = scene_from(table.table("show"), kernels) if "show" in table else None
    values = values_from(table.table("values"), kernels)
    question = _question(table.table("question"), values) if "question" in table else None
    action = _action(table.table("action")) if "action" in table else None
    claims = tuple(expression_from(table, "claims", text, values) for text in table.texts("claims", MOST_CLAIMS, ()))
    table.finish()
    return Step(name, scene, values, question, action, claims, table.line)


def check_action(table: Table, action: Action, shown: StageChoice | None) -> None:
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
    """An expression over known names."""
    expression = parse(text)
    if not isinstance(expression, Expression):
        table.wrong(name, expression)
    unknown = sorted(expression.names - values.keys())
    if unknown:
        table.wrong(name, message("speaks of {name}, which is none of the step's values", name=unknown[0]))
    return expression


def scene_from(table: Table, kernels: Kernels) -> Scene:
    """What `show = { ... }` sets: a variant or one of the lesson's own texts, where in time, and what is looked at."""
    kernel = table.text("kernel", "", longest=LONGEST_NAME)
    if kernel and kernel not in kernels:
        table.wrong("kernel", message("names none of the lesson's kernels"))
    draft = kernels[kernel] if kernel else None
    stage = Session().stage.value if draft is not None and "variant" not in table else _stage(table)
    snapshot = Snapshot(
        stage,
        table.one_of("profile", {profile.id for profile in profiles()}, DEFAULT_PROFILE),
        CacheChoice(table.one_of("preset", PRESETS, SCALED)),
        draft,
        draft is not None,
        Place(table.number("time", 0, 1 << 40, 0.0)),
        table.whole("view", 0, VIEWS, 0),
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
        table.flag("before", default=True), kernel,
    )  # fmt: skip
    table.finish()
    return scene


def _on_timing(table: Table, snapshot: Snapshot) -> Snapshot:
    """A page of the timing workspace: a ladder at its n, curves with what was published or without."""
    page = Drawing(table.one_of("page", set(Drawing)))
    n = table.whole("ladder_n", 1, LARGEST, 0) if page is Drawing.LADDER else 0
    published = table.flag("published", default=False) if page is Drawing.CURVES else False
    timing = _timed_as_shown(snapshot.stage) if page is Drawing.LADDER and snapshot.timing is None else snapshot.timing
    return replace(snapshot, workspace=Workspace.TIMING, timing=timing, page=page, ladder_n=n, published=published)


def _timed_as_shown(stage: StageChoice) -> TimingChoice | None:
    """For a ladder: the parameters that were chosen for the variant on the stage, for all that can have them; None: there are none."""
    chosen = {name: value for name, value in stage.parameters.items() if value != stage.variant.defaults[name]}
    if not chosen:
        return None
    parameters = {variant.id: variant.defaults for variant in catalog.VARIANTS}
    for variant in catalog.of(stage.variant.operation):
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


def _stage(table: Table) -> StageChoice:
    variant, problem, values = settings_from(table, "variant")
    reason = refuse_stage(variant, problem) or refuse(variant, problem, values, Limits())
    if reason is not None:
        table.refuse(reason)
    return StageChoice(variant, problem, values)


def _beside(table: Table) -> StageChoice:
    choice = _stage(table)
    table.finish()
    return choice


def _timing(table: Table, variant: Variant) -> TimingChoice:
    ticked = table.texts("ticked", MOST_TICKED, (variant.id,))
    for name in ticked:
        known = catalog.find(name)
        if known is None or known.operation is not variant.operation:
            table.wrong("ticked", message("names a variant that cannot be timed beside {variant}", variant=variant.id))
    defaults = {each.id: each.defaults for each in catalog.VARIANTS}
    sizes = table.wholes("sizes", 1, LARGEST, 64, (128, 256, 512, 1024))
    choice = TimingChoice(variant.operation, frozenset(ticked), defaults, sizes, axis=table.text("axis", "n"))
    if not sizes or choice.axis not in choice.axes:
        table.wrong("axis" if sizes else "sizes", message("does not go with what is ticked"))
    table.finish()
    return choice


def values_from(table: Table, kernels: Collection[str]) -> dict[str, Fact | Expression]:
    """Numbers by name: facts, and calculations with those before them."""
    values: dict[str, Fact | Expression] = {}
    for name in table.names:
        if not name.isidentifier() or len(name) > LONGEST_NAME:
            table.wrong(name, message("is no name that a text can use"))
        if table.is_text(name):
            values[name] = expression_from(table, name, table.text(name), values)
        else:
            values[name] = fact_from(table.table(name), kernels)
    return values


def _question(table: Table, values: Mapping[str, Fact | Expression]) -> Question:
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


def _choices(table: Table, values: Mapping[str, Fact | Expression]) -> tuple[Choice, ...]:
    """Numbers, of which the answer is one; or names with what must hold for each to be right."""
    if "choices" in table and table.is_list("choices"):
        return tuple(Choice("", float(number)) for number in table.wholes("choices", -(1 << 60), 1 << 60, MOST_CHOICES))
    named = table.table("choices")
    return tuple(Choice(name, None, expression_from(named, name, named.text(name), values)) for name in named.names)


def _action(table: Table) -> Action:
    parameter, variant = (table.text(name, "", longest=LONGEST_NAME) for name in ("parameter", "variant"))
    action = Action(parameter, table.whole("value", 0, LARGEST, 0), catalog.find(variant), table.flag("at_end", default=False))
    if sum((bool(parameter), bool(variant), action.at_end)) != 1:
        table.wrong(None, message("must have one of parameter, variant, at_end"))
    if variant and action.variant is None:
        table.wrong("variant", no_variant(variant))
    table.finish()
    return action
