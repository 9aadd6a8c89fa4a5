"""What a kernel uses: its functions, types, variables, and theirs in turn. A remark elsewhere is none of the kernel's business."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kernels.base.values import dataclass
from kernels.simt.frontend.clang import Cursor, Extent, cindex, extent, position

FUNCTIONS = ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE")
RECORDS = ("STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")
VARIABLES = ("VAR_DECL", "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL")
DECLARATIONS = frozenset(FUNCTIONS + RECORDS + VARIABLES)


def kind(cursor: Cursor) -> str:
    """The cursor's kind by name; "" for one that the binding does not know."""
    try:
        return str(cursor.kind.name)
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class Reach:
    """The stretches of text that a kernel's meaning depends on, and the methods within them that it does not use."""

    used: tuple[Extent, ...]
    unused: tuple[Extent, ...]

    def holds(self, file: str, offset: int) -> bool:
        return any(part.holds(file, offset) for part in self.used) and not any(part.holds(file, offset) for part in self.unused)


def reach(
    kernels: Iterable[Cursor], own_files: frozenset[str], lost: Callable[[Cursor, Iterable[Cursor]], Iterable[Cursor]] | None = None
) -> Reach:
    """All that the definitions of `kernels` use, as far as it stands in `own_files`. `lost` says what a declaration uses besides what
    stands within it."""
    waiting = list(kernels)
    used: dict[Extent, None] = {}
    methods: dict[Extent, None] = {}
    while waiting:
        declaration = _definition(waiting.pop())
        around = extent(declaration)
        if around in used or around.file not in own_files:
            continue
        used[around] = None
        record = kind(declaration) in RECORDS
        within = list(_within(declaration, record))
        if lost is not None:
            waiting.extend(lost(declaration, within))
        for cursor in within:
            if record and kind(cursor) in FUNCTIONS:
                methods[extent(cursor)] = None
            else:
                waiting.extend(_referenced(cursor))
    return Reach(tuple(used), tuple(part for part in methods if part not in used))


def _definition(cursor: Cursor) -> Cursor:
    return cursor.get_definition() or cursor


def _within(declaration: Cursor, record: bool) -> Iterator[Cursor]:
    """What stands below a declaration. The bodies of a record's methods are left out: they are used one by one."""
    waiting = [declaration]
    while waiting:
        for child in waiting.pop().get_children():
            yield child
            if not (record and kind(child) in FUNCTIONS):
                waiting.append(child)


def _referenced(cursor: Cursor) -> Iterator[Cursor]:
    library = cindex().conf.lib
    if kind(cursor) == "OVERLOADED_DECL_REF":
        for index in range(library.clang_getNumOverloadedDecls(cursor)):
            yield library.clang_getOverloadedDecl(cursor, index)
        return
    target = cursor.referenced
    while target is not None and kind(target) in ("ENUM_CONSTANT_DECL", "FIELD_DECL"):
        target = target.semantic_parent
    if target is not None and kind(target) in DECLARATIONS and target != cursor:
        yield target


def stands_in(cursor: Cursor, own_files: frozenset[str]) -> bool:
    """Whether a cursor's text is the program's, not the prelude's."""
    return position(cursor.location)[0] in own_files
