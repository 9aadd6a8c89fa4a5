"""The fields of a draft's launch: what each is called, what stands in it, what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

from app.core.session.draft import Draft
from app.core.session.draft_arguments import named, texts_of
from app.core.session.draft_editor import DraftEditor
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3


@dataclass(frozen=True, slots=True)
class FormField:
    """Field of the launch form. `detail` is a parameter's type as written, or what the field counts."""

    key: str
    name: Message
    detail: Message
    value: str
    may_be: Message
    """What can be entered."""


_SHAPE = message("1 to 3 numbers, as in 64 or 8, 8.")
_THREADS = message("1 to 3 numbers, as in 256 or 16, 16; their product is at most 1024.")
_BYTES = message("A number of bytes, 0 where the kernel has no extern __shared__ array.")
_TEMPLATE = message("What stands between < and >, as in 128, 4.")
_ARRAY = message("Elements and what they begin as: 1024:random, 1024:zeros, 1024:arange, or 64x32 for a matrix.")
_NUMBER = message("A number of this type.")
_VARIABLE = message("What the variable begins as, as in 2, or 4:arange for an array. Nothing: as the text says.")


def fields_of(draft: Draft) -> tuple[FormField, ...]:
    """Launch first, then one field for each parameter, of a struct for each member, then the variables of the device. Of a file what counts
    most comes first: its numbers, which say how much there is to do."""
    settings = draft.settings
    shape = [
        FormField("grid", message("Grid"), message("blocks"), _sizes(settings.grid), _SHAPE),
        FormField("block", message("Block"), message("threads"), _sizes(settings.block), _THREADS),
        FormField("shared", message("Shared"), message("dynamic bytes"), str(settings.shared_bytes), _BYTES),
    ]
    if settings.template:
        shape.insert(0, FormField("template", message("Template"), message("< >"), settings.template, _TEMPLATE))
    texts = texts_of(draft.kernel, settings.arguments)
    parameters = tuple(named(draft.kernel)) if draft.kernel is not None else ()
    rows = {
        each: FormField(
            f"argument {each.name}",
            message("{name}", name=each.name),
            message("{type}", type=each.type),
            texts[each.name],
            _ARRAY if each.pointer else _NUMBER,
        )
        for each in parameters
    }
    first = [row for each, row in rows.items() if not each.pointer and not draft.variant_id]
    return (*first, *shape, *(row for row in rows.values() if row not in first), *_variables(draft))


def _variables(draft: Draft) -> Iterator[FormField]:
    """One field for each `__constant__` or `__device__` variable that the kernel uses: empty where it begins as the text says."""
    for each in (draft.kernel.variables or ()) if draft.kernel is not None else ():
        given = draft.settings.arguments.get(each.name, "")
        yield FormField(f"argument {each.name}", message("{name}", name=each.name), message("{type}", type=each.type), given, _VARIABLE)


def guess_text(draft: Draft) -> Message | None:
    """Which fields are guesses; None where none is."""
    names = {row.key: row.name for row in fields_of(draft)}
    guessed = [name for key, name in names.items() if key in draft.settings.guessed]
    if not guessed:
        return None
    listed = reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), guessed)
    return message("Guessed, because the text does not say it: {fields}. Enter what you want.", fields=listed)


def setter_of(draft_editor: DraftEditor, key: str) -> Callable[[str], Message | None]:
    """What a field's text is handed to."""
    if key.startswith("argument "):
        return lambda text: draft_editor.set_argument(key.removeprefix("argument "), text)
    return {
        "template": draft_editor.set_template,
        "grid": draft_editor.set_grid,
        "block": draft_editor.set_block,
        "shared": draft_editor.set_shared,
    }[key]


def _sizes(sizes: Dim3) -> str:
    """Return as many of the three sizes as matter, as text."""
    used = 3 if sizes[2] > 1 else 2 if sizes[1] > 1 else 1
    return ", ".join(str(size) for size in sizes[:used])


def launch_text(draft: Draft) -> Message:
    """The launch in one line, as it is written."""
    settings = draft.settings
    name = f"{settings.entry or '?'}<{settings.template}>" if settings.template else settings.entry or "?"
    shape = f"({_sizes(settings.grid)}), ({_sizes(settings.block)})"
    shared = f", {settings.shared_bytes}" if settings.shared_bytes else ""
    return message("{launch}", launch=f"{name}<<<{shape}{shared}>>>")
