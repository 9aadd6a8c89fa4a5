"""The part of a program that NVRTC can compile: it takes device code only, and a file as it is found has host code beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kernels.simt.frontend.clang import Extent, extent
from kernels.simt.frontend.reach import Reach, kind, reach
from kernels.simt.frontend.signatures import SCOPES
from kernels.simt.frontend.unit import Unit

_NAMES = ("USING_DIRECTIVE", "USING_DECLARATION", "NAMESPACE_ALIAS")
_KEPT_OR_BYTE = re.compile(rb"(^[ \t]*#(?:[^\\\n]|\\\r?\n|\\)*)|[^\r\n]", re.MULTILINE)


def device_code(source: str, unit: Unit, entry: str) -> str:
    """`source`, which `unit` was made from, with spaces in place of the declarations that the kernel `entry` does not use.

    Lines, columns and the preprocessor's lines hold; what included files declare is left as it is. Raises `FrontEndError` where there is no
    such kernel.
    """
    if unit.translation_unit is None:
        return source
    top = unit.translation_unit.cursor
    files = frozenset(extent(cursor).file for cursor in top.get_children() if not unit.in_prelude(cursor))
    used = reach((unit.function_cursor(entry),), files)
    text = source.encode()
    for start, end in _unused(unit, top, used, len(text)):
        text = text[:start] + _KEPT_OR_BYTE.sub(lambda found: found[1] or b" ", text[start:end]) + text[end:]
    return text.decode(errors="replace")


def _unused(unit: Unit, scope: Any, used: Reach, scope_end: int | None) -> Iterator[tuple[int, int]]:
    """Where unused declarations stand, each with what is between it and the next: libclang drops the rest of one that it cannot read."""
    own = [cursor for cursor in scope.get_children() if not unit.in_prelude(cursor) and unit.location(cursor).file == ""]
    parts = [extent(cursor) for cursor in own]
    for index, (cursor, part) in enumerate(zip(own, parts, strict=True)):
        if kind(cursor) in SCOPES and any(cursor.get_children()):
            yield from _unused(unit, cursor, used, None)
        elif kind(cursor) not in _NAMES and not _touches(used, part):
            after = min((each.start for each in parts[index + 1 :]), default=scope_end)
            yield part.start, part.end if after is None else max(part.start, after)


def _touches(used: Reach, part: Extent) -> bool:
    return any(each.file == part.file and each.start < part.end and part.start < each.end for each in used.used)
