"""Arrays of more objects than the compiler can make: it makes each of them in its own memory, to see which values are known before the
program runs, and ends its process where that has no room.

A text that may have such an array is parsed with `[extent]` written as `[(extent) > 0]` first: then each has one object, and its extent can
be asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import prod

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.frontend import clang
from kernels.simt.frontend.clang import TranslationUnit

MOST_OBJECTS = 1 << 22
"""300 MB of the compiler's memory."""
_SMALL = 1024
_NO_OBJECTS = (
    rb"(?:return|else|case|throw|goto|delete|new|void|bool|unsigned|signed|size_t|u?int\d+_t|__half2?|"
    rb"(?:u?(?:char|short|int|long|longlong)|float|double|half)[1-4]?)\b"
)
_DECLARATOR = re.compile(
    rb"(?:\b(?!" + _NO_OBJECTS + rb")[A-Za-z_]\w*\s+|>\s*)(?:\w+::)*\w+\s*(?P<extents>(?:\[[^][{};]+\]\s*)+)(?=[={;,])"
)
_EXTENT = re.compile(rb"\[([^][{};]+)\]")
_NUMBER = re.compile(rb"(?:#[ \t]*define[ \t]+|\b(?:int|unsigned|size_t|auto)\s+)(\w+)\s*=?\s*\(?(\d{1,4})\)?[ \t]*[;,>\r\n]")


@dataclass(frozen=True, slots=True)
class TooMany:
    """An array with more objects than the compiler can make, and what is to be said of it."""

    declaration: Cursor
    words: Message


def too_many(texts: Mapping[str, bytes], parse: Callable[[Mapping[str, bytes]], TranslationUnit]) -> TooMany | None:
    """The first such array of a program; `parse` is given other texts of it, where there may be one."""
    numbers = {found[1]: int(found[2]) for text in texts.values() for found in _NUMBER.finditer(text)}
    if not any(_may_be_large(found["extents"], numbers) for text in texts.values() for found in _DECLARATOR.finditer(text)):
        return None
    unit = parse({name: _DECLARATOR.sub(_of_one, text) for name, text in texts.items()})
    return next((found for top in unit.cursor.get_children() if clang.position(top.location)[0] in texts for found in _in(top)), None)


def _may_be_large(extents: bytes, numbers: Mapping[bytes, int]) -> bool:
    """Whether an array is of more than some thousand, or it is not seen at once of how many."""
    words = re.findall(rb"\w+", extents)
    return extents.count(b"*") > 1 or b"<<" in extents or any(not _small(word, numbers) for word in words)


def _small(word: bytes, numbers: Mapping[bytes, int]) -> bool:
    return (int(word) if word.isdigit() and len(word) < 5 else numbers.get(word, _SMALL)) < _SMALL


def _of_one(found: re.Match[bytes]) -> bytes:
    begin = found.start("extents") - found.start()
    return found[0][:begin] + _EXTENT.sub(rb"[(\1) > 0]", found[0][begin:])


def _in(top: Cursor) -> list[TooMany]:
    return [found for cursor in top.walk_preorder() if (found := _judged(cursor)) is not None]


def _judged(cursor: Cursor) -> TooMany | None:
    """What is to be said of a declaration that makes too many objects."""
    if cursor.kind not in (CursorKind.VAR_DECL, CursorKind.FIELD_DECL) or cursor.type.kind is not TypeKind.CONSTANTARRAY:
        return None
    made = cursor.type
    while made.kind is TypeKind.CONSTANTARRAY:
        made = made.get_array_element_type().get_canonical()
    if made.kind is not TypeKind.RECORD or made.is_pod():
        return None
    extents = (next(each.get_children(), None) for each in cursor.get_children() if clang.binary_operator(each) == ">")
    count = prod(int(clang.evaluate(each) or 1) for each in extents if each is not None)
    if count <= MOST_OBJECTS:
        return None
    return TooMany(
        cursor,
        message(
            "{name} has {count} objects, and the compiler that reads this makes each of them: it has room for {limit}. "
            "Use std::vector, or make them with new while the program runs.",
            name=cursor.spelling, count=count, limit=MOST_OBJECTS,
        ),
    )  # fmt: skip
