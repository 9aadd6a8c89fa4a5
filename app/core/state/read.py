"""The text of a state into a snapshot. It may come from anywhere: every field is checked, nothing in it is carried out."""

from __future__ import annotations

import base64
import binascii
import zlib

from app.core.inputs import LARGEST_SIZE, shown
from app.core.nest.choice import CacheChoice
from app.core.reading.documents import json_table
from app.core.reading.fields import BadFile, Table
from app.core.session import DEFAULT_PROFILE, SIZE_AXIS, StageChoice, TimingChoice, Workspace, refuse_stage
from app.core.source_files import LARGEST_FILE
from app.core.state.read_choice import parameters_from, problem_from, variant_from
from app.core.state.read_draft import draft_from
from app.core.state.snapshot import Place, Snapshot
from app.core.state.written import FORMAT, MARK
from app.core.timeline import SPEEDS, Unit
from app.core.timing import Drawing
from kernels import catalog
from kernels.analysis.devices import profiles
from kernels.cachesim.geometry import Replacement
from kernels.cachesim.presets import PRESETS, SCALED
from kernels.limits import Limits, refuse
from kernels.messages import Message, message
from kernels.spec import Operation

MOST_TICKED = 64
MOST_VALUES = 200
VIEWS = 4
LONGEST_TIME = 1 << 40


def read_state(text: str) -> Snapshot | Message:
    """What a state's text says, be it a file's or a pasted word; or why it says nothing."""
    try:
        return snapshot_from(json_table(unpacked(text)))
    except BadFile as bad:
        return bad.reason


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


def snapshot_from(table: Table) -> Snapshot:
    """The snapshot of a table's fields. Raises `BadFile`."""
    if table.text("format", "") != FORMAT:
        raise BadFile(message("This is no state of Tilescope, or one of a later version."))
    stage = stage_from(table)
    caches = table.table("caches")
    has_draft = "draft" in table
    snapshot = Snapshot(
        stage,
        table.one_of("profile", {profile.id for profile in profiles()}, DEFAULT_PROFILE),
        _caches(caches),
        draft_from(table.table("draft")) if has_draft else None,
        table.flag("edited", default=False) and has_draft,
        _place(table.table("place")),
        table.whole("view", 0, VIEWS, 0),
        Workspace(table.one_of("workspace", set(Workspace), Workspace.STAGE)),
        _timing(table.table("timing"), stage) if "timing" in table else None,
        Drawing(table.one_of("page", set(Drawing), Drawing.CURVES)),
        table.whole("ladder_n", 0, LARGEST_SIZE, 0),
        table.flag("published", default=False),
        table.whole("run", 0, LARGEST_SIZE, 0),
    )
    table.text("format")
    table.finish()
    return snapshot


def stage_from(table: Table) -> StageChoice:
    """The variant, the sizes and the parameters of a table, if the stage can show them. Raises `BadFile`."""
    variant = variant_from(table)
    problem = problem_from(table, variant.operation)
    given = parameters_from(table.table("parameters"), variant)
    reason = refuse_stage(variant, problem) or refuse(variant, problem, given, Limits())
    if reason is not None:
        raise BadFile(reason)
    return StageChoice(variant, problem, given)


def _caches(table: Table) -> CacheChoice:
    preset = table.one_of("preset", PRESETS, SCALED)
    replacement = table.one_of("replacement", set(Replacement), "")
    table.finish()
    return CacheChoice(preset, Replacement(replacement) if replacement else None)


def _place(table: Table) -> Place:
    place = Place(
        table.number("time", 0, LONGEST_TIME, 0.0),
        Unit(table.one_of("unit", set(Unit), Unit.STEP)),
        table.number("speed", SPEEDS[0], SPEEDS[-1], 1.0),
    )
    table.finish()
    return place


def _timing(table: Table, stage: StageChoice) -> TimingChoice:
    operation = Operation(table.one_of("operation", set(Operation), stage.variant.operation))
    known = {variant.id: variant for variant in catalog.VARIANTS}
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
