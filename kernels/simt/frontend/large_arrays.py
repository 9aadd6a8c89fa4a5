"""Arrays of more objects than the compiler can make: it makes each of them in its own memory, to see which values are known before the
program runs, and ends its process where that has no room.

A text that may have such an array is parsed with `[extent]` written as `[(extent) > 0]` first: then each has one object, and its extent can
be asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from math import prod

from clang.cindex import Cursor, CursorKind, StorageClass, Type, TypeKind

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.frontend import clang
from kernels.simt.frontend.clang import TranslationUnit

MOST_OBJECTS = 1 << 22
"""300 MB of the compiler's memory."""
_NO_OBJECTS = (
    rb"(?:return|else|case|throw|goto|delete|new|void|bool|unsigned|signed|size_t|u?int\d+_t|__half2?|"
    rb"(?:u?(?:char|short|int|long|longlong)|float|double|half)[1-4]?)\b"
)
_EXTENTS = rb"\w+\s*(?P<extents>(?:\[[^][{};]+\]\s*)+)(?=[={;,])"
_DECLARATOR = re.compile(rb"(?:\b(?!" + _NO_OBJECTS + rb")[A-Za-z_]\w*\s+|>\s*)(?:\w+::)*" + _EXTENTS)
_NEXT = re.compile(rb",\s*" + _EXTENTS)
_EXTENT = re.compile(rb"\[([^][{};]+)\]")
_NUMBER = re.compile(rb"(?:#[ \t]*define[ \t]+|\b(?:int|unsigned|size_t|auto)[ \t]+)(\w+)[ \t]*(?:=[ \t]*)?\(?(\d{1,9})\)?[ \t]*[;,>\r\n]")
_ADDED = len("() > 0")


@dataclass(frozen=True, slots=True)
class TooMany:
    """A variable with more objects than the compiler can make: the byte of its file at which it stands, and what is to be said of it."""

    file: str
    offset: int
    words: Message


def too_many(texts: Mapping[str, bytes], parse: Callable[[Mapping[str, bytes]], TranslationUnit]) -> TooMany | None:
    """The first such variable of a program; `parse` is given other texts of it, where there may be one."""
    numbers = {found[1]: int(found[2]) for text in texts.values() for found in _NUMBER.finditer(text)}
    if not any(_may_be_large(found["extents"], numbers) for text in texts.values() for found in _declarators(text)):
        return None
    unit, counts = parse({name: _of_one(text) for name, text in texts.items()}), _Objects()
    for top in unit.cursor.get_children():
        if clang.position(top.location)[0] in texts:
            for cursor in top.walk_preorder():
                if _lives_from_start_to_end(cursor) and (count := counts.of(cursor)) > MOST_OBJECTS:
                    file, offset, _ = clang.position(cursor.location)
                    return TooMany(file, _place_before(texts[file], offset), _words(cursor.spelling, count))
    return None


def _declarators(text: bytes) -> Iterator[re.Match[bytes]]:
    """What may declare arrays of objects, each with its extents; of several in one declaration those without an initial value between."""
    for found in _DECLARATOR.finditer(text):
        following: re.Match[bytes] | None = found
        while following is not None:
            yield following
            following = _NEXT.match(text, following.end())


def _may_be_large(extents: bytes, numbers: Mapping[bytes, int]) -> bool:
    """Whether an array is of more than the limit, or it is not seen at once of how many."""
    words = re.findall(rb"\w+", extents)
    known = [int(word) if word.isdigit() and len(word) < 10 else numbers.get(word) for word in words]
    return b"<<" in extents or b"'" in extents or None in known or prod(each for each in known if each) > MOST_OBJECTS


def _extents(text: bytes) -> Iterator[re.Match[bytes]]:
    for found in _declarators(text):
        yield from _EXTENT.finditer(text, *found.span("extents"))


def _of_one(text: bytes) -> bytes:
    """The text with an extent of one in place of each, and the same lines."""
    parts, end = [], 0
    for found in _extents(text):
        parts += [text[end : found.start()], b"[(", found[1], b") > 0]"]
        end = found.end()
    return b"".join((*parts, text[end:]))


def _place_before(text: bytes, offset: int) -> int:
    """Where in a text stands what stands at `offset` of it with extents of one."""
    for found in _extents(text):
        if found.start() >= offset:
            break
        offset -= _ADDED
    return offset


def _lives_from_start_to_end(cursor: Cursor) -> bool:
    """Whether a cursor is a variable whose objects the compiler makes: others are made while the program runs."""
    if cursor.kind is not CursorKind.VAR_DECL:
        return False
    return cursor.storage_class is StorageClass.STATIC or cursor.semantic_parent.kind in (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE)


class _Objects:
    """Counts the objects in variables and members, each type once."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, declared: Cursor) -> int:
        """The objects that a variable or a member has, 0 where nothing is to be made."""
        extents = (next(each.get_children(), None) for each in declared.get_children() if clang.binary_operator(each) == ">")
        return prod(int(clang.evaluate(each) or 1) for each in extents if each is not None) * self._in(declared.type)

    def _in(self, made: Type) -> int:
        made = made.get_canonical()
        while made.kind is TypeKind.CONSTANTARRAY:
            made = made.get_array_element_type().get_canonical()
        if made.kind is not TypeKind.RECORD or made.is_pod():
            return 0
        if made.spelling not in self._known:
            self._known[made.spelling] = max(1, sum(self.of(member) for member in made.get_fields()))
        return self._known[made.spelling]


def _words(name: str, count: int) -> Message:
    return message(
        "{name} has {count} objects, and the compiler that reads this makes each of them: it has room for {limit}. "
        "Use std::vector, or make them with new while the program runs.",
        name=name, count=count, limit=MOST_OBJECTS,
    )  # fmt: skip
