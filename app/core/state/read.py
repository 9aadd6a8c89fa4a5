"""Reader of a state's text into a snapshot. The text may come from anywhere: every field is checked, nothing in it is carried out.

Variant, sizes, parameters and drafts are fields that states, lessons and challenges have alike.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import replace
from pathlib import Path

from app.core.base.files.documents import json_table
from app.core.base.files.fields import LONGEST_TEXT, BadFile, Table
from app.core.base.files.text_files import LARGEST_FILE
from app.core.base.parsing import LARGEST_SIZE, shown
from app.core.base.timeline import SPEEDS, Unit
from app.core.frames.views import View
from app.core.session.choices import CacheChoice, no_variant
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.draft_arguments import names_file
from app.core.session.session import DEFAULT_PROFILE, SIZE_AXIS, TimingChoice, Workspace, refuse_stage
from app.core.state.snapshot import Pinned, Snapshot, TimelinePosition
from app.core.state.written import FORMAT, MARK
from app.core.timing.model import TimingPage
from kernels.analysis.device_profiles import profiles
from kernels.base.architectures import OPT_IN_SHARED_BYTES
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.cachesim.geometry import Replacement
from kernels.cachesim.presets import PRESETS, SCALED
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.simt.run.launchable import refuse_shape


def variant_from(table: Table) -> Variant:
    """The variant that the field `variant` names. Raises `BadFile`."""
    variant = catalogue.find(table.text("variant"))
    if variant is None:
        table.wrong("variant", no_variant(table.text("variant")))
    return variant


def problem_from(table: Table, operation: Operation) -> Problem:
    """The problem of the field `sizes`, which holds m, n and k. Raises `BadFile`."""
    if operation is Operation.HELLO:
        table.wholes("sizes", 0, LARGEST_SIZE, 3, ())
        return Problem.square(operation, 0)
    return Problem.of(operation, *table.three("sizes", 0, LARGEST_SIZE, message("must hold m, n and k")))


def parameters_from(table: Table, variant: Variant) -> dict[str, int]:
    """The parameters of a variant, defaults where the table has none. Raises `BadFile`."""
    values = {p.name: table.whole(p.name, p.minimum, p.maximum, p.default) for p in variant.parameters}
    table.finish()
    return values


LONGEST_NAME = 200
LONGEST_PATH = 32_767
"""Characters of the longest path that a system takes: Windows does; Linux takes 4096 bytes."""
MOST_GUESSED = 100
LATEST = 1 << 33
"""Seconds of the system's clock: beyond the year 2200."""


def draft_from(table: Table, *, own: bool = False) -> Draft:
    """The draft of a table's fields. Unless these are the reader's own it has no path: it is saved where its reader says. Raises
    `BadFile`."""
    name, text = table.text("name", longest=LONGEST_NAME), table.text("text", longest=LARGEST_FILE)
    settings = settings_from_launch(table.table("launch"), own=own)
    path = Path(table.text("path", longest=LONGEST_PATH)) if own and "path" in table else None
    variant: Variant | None = None
    problem: Problem | None = None
    parameters: Parameters = {}
    original = text
    if "variant" in table:
        variant = variant_from(table)
        if not variant.interpreted:
            table.wrong("variant", message("names a variant that has no text to edit"))
        problem, parameters = problem_from(table, variant.operation), parameters_from(table.table("parameters"), variant)
        original = variant.source_text if path is None else table.text("original", longest=LARGEST_FILE)
        reason = refuse(variant, problem, parameters, Limits())
        if reason is not None:
            table.refuse(reason)
    else:
        original = table.text("original", text, longest=LARGEST_FILE)
    table.finish()
    return Draft(_plain(name), text, original, settings, path, variant.id if variant else "", problem, parameters)


def settings_from_launch(table: Table, *, own: bool = False) -> LaunchSettings:
    """How a text is launched. Raises `BadFile`, also where it names a file and is not the reader's `own`."""
    grid, block = table.dim3("grid"), table.dim3("block")
    reason = refuse_shape(grid, block)
    if reason is not None:
        table.refuse(reason)
    arguments, defines = table.table("arguments"), table.table("defines")
    longest = LONGEST_PATH if own else LONGEST_TEXT
    given = {name: arguments.text(name, longest=longest) for name in arguments.names}
    for name, value in given.items():
        if names_file(value) and not own:
            arguments.wrong(name, message("names a file; what others have written may not read files"))
    settings = LaunchSettings(
        table.text("entry", "") or None, table.text("template", ""), grid, block,
        table.whole("shared_bytes", 0, OPT_IN_SHARED_BYTES, 0), given,
        {name: defines.whole(name, -(2**31), 2**31 - 1) for name in defines.names}, frozenset(table.texts("guessed", MOST_GUESSED, ())),
        table.flag("turned", default=False),
    )  # fmt: skip
    table.finish()
    return settings


def _plain(name: str) -> str:
    """A name without folders: it is shown, and offered when the text is saved."""
    return "".join(sign if sign.isprintable() and sign not in '/\\:*?"<>|' else " " for sign in name).strip(" .") or "kernel.cu"


MOST_TICKED = 64
MOST_VALUES = 200
LONGEST_TIME = 1 << 40
LONGEST_STEP = 14
"""Digits of a step in a link."""


def read_state(text: str) -> Snapshot | Message:
    """What a state's text says, be it a file's or a link; or why it says nothing. A link may ask for a step: `tilescope:…?step=120`."""
    link = "".join(text.split()) if text.lstrip().startswith(MARK) else ""
    word, asks, asked = link.partition("?")
    try:
        snapshot = snapshot_from(json_table(unpacked(word or text)))
        return replace(snapshot, place=replace(snapshot.place, time=float(step_asked(asked)))) if asks else snapshot
    except BadFile as bad:
        return bad.reason


def step_asked(query: str) -> int:
    """The index of the step that a link asks for behind its question mark, counted from 1. Raises `BadFile`, which names the field."""
    given = {name: value for name, _, value in (pair.partition("=") for pair in query.split("&"))}
    digits = {name for name, value in given.items() if value.isascii() and value.isdecimal() and len(value) < LONGEST_STEP}
    table = Table({name: int(value) if name in digits else value for name, value in given.items()})
    step = table.whole("step", 1, LONGEST_TIME)
    table.finish()
    return step - 1


def unpacked(text: str) -> str:
    """The JSON of a pasted word; any other text as it is. Raises `BadFile`."""
    word = "".join(text.split())
    if not word.startswith(MARK):
        return text
    packed = word.removeprefix(MARK)
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        unzip = zlib.decompressobj()
        content = unzip.decompress(data, 2 * LARGEST_FILE)
        if unzip.unconsumed_tail or not unzip.eof:
            raise BadFile(message("The pasted text is not whole."))
        return content.decode("utf-8")
    except (binascii.Error, zlib.error, ValueError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(message("The pasted text is not whole.")) from error


def snapshot_from(table: Table, *, own: bool = False) -> Snapshot:
    """The snapshot of a table's fields; only those of the reader's `own` files may name files. Raises `BadFile`."""
    if table.text("format", "") != FORMAT:
        raise BadFile(message("This is no state of Tilescope, or one of a later version."))
    stage = stage_from(table)
    caches = table.table("caches")
    has_draft = "draft" in table
    snapshot = Snapshot(
        stage,
        table.one_of("profile", {profile.id for profile in profiles()}, DEFAULT_PROFILE),
        _caches(caches),
        draft_from(table.table("draft"), own=own) if has_draft else None,
        table.flag("edited", default=False) and has_draft,
        _place(table.table("place")),
        table.whole("view", 0, max(View), 0),
        Workspace(table.one_of("workspace", set(Workspace), Workspace.STAGE)),
        _timing(table.table("timing"), stage) if "timing" in table else None,
        TimingPage(table.one_of("page", set(TimingPage), TimingPage.CURVES)),
        table.whole("ladder_n", 0, LARGEST_SIZE, 0),
        table.flag("published", default=False),
        table.whole("run", 0, LARGEST_SIZE, 0),
        table.number("seen", 0, LATEST, 0.0),
        _pinned(table.table("beside"), own=own) if "beside" in table else None,
    )
    table.text("format")
    table.finish()
    return snapshot


def _pinned(table: Table, *, own: bool) -> Pinned:
    draft = draft_from(table.table("draft"), own=own) if "draft" in table else None
    pinned = Pinned(stage_from(table), draft, table.whole("view", 0, max(View), 0))
    table.finish()
    return pinned


def stage_from(table: Table) -> Case:
    """The variant, the sizes and the parameters of a table, if the stage can show them. Raises `BadFile`."""
    variant = variant_from(table)
    problem = problem_from(table, variant.operation)
    given = parameters_from(table.table("parameters"), variant)
    reason = refuse_stage(variant, problem) or refuse(variant, problem, given, Limits())
    if reason is not None:
        raise BadFile(reason)
    return Case.of(variant, problem, given)


def _caches(table: Table) -> CacheChoice:
    preset = table.one_of("preset", PRESETS, SCALED)
    replacement = table.one_of("replacement", set(Replacement), "")
    table.finish()
    return CacheChoice(preset, Replacement(replacement) if replacement else None)


def _place(table: Table) -> TimelinePosition:
    place = TimelinePosition(
        table.number("time", 0, LONGEST_TIME, 0.0),
        Unit(table.one_of("unit", set(Unit), Unit.STEP)),
        table.number("speed", SPEEDS[0], SPEEDS[-1], 1.0),
    )
    table.finish()
    return place


def _timing(table: Table, stage: Case) -> TimingChoice:
    operation = Operation(table.one_of("operation", set(Operation), stage.variant.operation))
    known = {variant.id: variant for variant in catalogue.VARIANTS}
    ticked = table.texts("ticked", MOST_TICKED, ())
    for name in ticked:
        if name not in known or known[name].operation is not operation:
            table.wrong("ticked", message("names '{variant}', which is none of the operation's variants", variant=shown(name)))
    own = table.table("parameters")
    parameters = {name: variant.defaults for name, variant in known.items()}
    for name in own.names:
        if name not in known:
            own.wrong(name, message("names none of the variants"))
        parameters[name] = parameters_from(own.table(name), known[name])
    sizes = table.wholes("sizes", 1, LARGEST_SIZE, MOST_VALUES)
    if not sizes:
        table.wrong("sizes", message("is empty"))
    swept = table.table("swept")
    values = {name: swept.wholes(name, 0, LARGEST_SIZE, MOST_VALUES) for name in swept.names}
    choice = TimingChoice(operation, frozenset(ticked), parameters, tuple(sorted(set(sizes))), values, table.text("axis", SIZE_AXIS))
    if choice.axis not in choice.axes:
        table.wrong("axis", message("is a parameter of none of the ticked variants"))
    table.finish()
    return choice
