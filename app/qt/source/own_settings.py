"""What the command palette finds of a text that is edited: the fields of its launch, and the values that the text defines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from app.core.session.draft import Draft
from app.core.session.launch_fields import fields_of
from app.qt.base.commands import Place, titled
from kernels.base.messages import Message, message

LAUNCH, DEFINED = message("launch of the text"), message("value in the text")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)[ \t]+(?P<value>[^\s/][^\n/\\]*?)[ \t]*(?:/[/*].*)?$", re.MULTILINE)
_CONSTANT = re.compile(
    r"^[ \t]*(?:static[ \t]+)?const(?:expr)?[ \t]+(?:\w+[ \t]+)+(?P<name>\w+)[ \t]*=[ \t]*(?P<value>-?[\d.][\w.]*)[ \t]*;", re.MULTILINE
)


def own_settings(draft: Draft, select: Callable[[int, int], object], go_to_field: Callable[[str], object] | None = None) -> Iterator[Place]:
    """Places for the palette, the launch's first. `select` gets where a value of the text begins and ends, `go_to_field` a field's key;
    None: there are no fields."""
    if go_to_field is not None:
        fields = fields_of(draft)
        yield titled(LAUNCH, message("Launch"), partial(go_to_field, fields[0].key))
        for field in fields:
            yield titled(LAUNCH, _valued(field.name, field.value), partial(go_to_field, field.key), also=field.key)
    for pattern in (_MACRO, _CONSTANT):
        for found in pattern.finditer(draft.text):
            title = _valued(message("{name}", name=found["name"]), found["value"])
            yield titled(DEFINED, title, partial(select, found.start("value"), found.end("value")), also=found["name"])


def _valued(name: Message, value: str) -> Message:
    return message("{setting}: {value}", setting=name, value=value)
