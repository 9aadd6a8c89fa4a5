"""An edited text and its launch, from fields that anybody may have written."""

from __future__ import annotations

from app.core.playground.draft import Draft, Settings
from app.core.reading.fields import Table
from app.core.source_files import LARGEST_FILE
from app.core.state.read_choice import parameters_from, problem_from, variant_from
from kernels.limits import Limits, refuse
from kernels.messages import message
from kernels.simt.launch import OPT_IN_SHARED_BYTES, Dim3
from kernels.simt.launchable import refuse_shape
from kernels.spec import Parameters, Problem, Variant

LARGEST_GRID = 2**31 - 1
LONGEST_NAME = 200


def draft_from(table: Table) -> Draft:
    """The draft of a table's fields. It has no path: it is saved where its reader says. Raises `BadFile`."""
    name, text = table.text("name", longest=LONGEST_NAME), table.text("text", longest=LARGEST_FILE)
    settings = settings_from_launch(table.table("launch"))
    variant: Variant | None = None
    problem: Problem | None = None
    parameters: Parameters = {}
    original = text
    if "variant" in table:
        variant = variant_from(table)
        if not variant.interpreted:
            table.wrong("variant", message("names a variant that has no text to edit"))
        problem, parameters = problem_from(table, variant.operation), parameters_from(table.table("parameters"), variant)
        original = variant.source_text
        reason = refuse(variant, problem, parameters, Limits())
        if reason is not None:
            table.refuse(reason)
    else:
        original = table.text("original", text, longest=LARGEST_FILE)
    table.finish()
    return Draft(_plain(name), text, original, settings, None, variant.id if variant else "", problem, parameters)


def settings_from_launch(table: Table) -> Settings:
    """How a text is launched. Raises `BadFile`."""
    grid, block = _three(table, "grid"), _three(table, "block")
    reason = refuse_shape(grid, block)
    if reason is not None:
        table.refuse(reason)
    arguments, defines = table.table("arguments"), table.table("defines")
    given = {name: arguments.text(name) for name in arguments.names}
    for name, value in given.items():
        if value.lstrip().startswith("@"):
            arguments.wrong(name, message("names a file; what others have written may not read files"))
    settings = Settings(
        table.text("entry", "") or None, table.text("template", ""), grid, block,
        table.whole("shared_bytes", 0, OPT_IN_SHARED_BYTES, 0), given,
        {name: defines.whole(name, -(2**31), 2**31 - 1) for name in defines.names},
    )  # fmt: skip
    table.finish()
    return settings


def _three(table: Table, name: str) -> Dim3:
    sizes = table.wholes(name, 1, LARGEST_GRID, 3)
    if len(sizes) != 3:
        table.wrong(name, message("must hold x, y and z"))
    return sizes[0], sizes[1], sizes[2]


def _plain(name: str) -> str:
    """A name without folders: it is shown, and offered when the text is saved."""
    return "".join(sign if sign.isprintable() and sign not in '/\\:*?"<>|' else " " for sign in name).strip(" .") or "kernel.cu"
