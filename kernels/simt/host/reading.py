"""From the text of a program to all that its host side does, lowered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.frontend import clang
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.frontend.parse import parse
from kernels.simt.frontend.reach import stands_in
from kernels.simt.frontend.unit import Unit
from kernels.simt.host import exceptions  # noqa: F401 - it registers how they are lowered
from kernels.simt.host.lowering import HostContext
from kernels.simt.host.result import NotRun
from kernels.simt.lower.context import Frame
from kernels.simt.lower.kernel import diagnostics_of, room_for_recursion
from kernels.simt.lower.lvalues import nodes
from kernels.simt.lower.names import in_memory, space_of
from kernels.simt.lower.refusals import Refusal


@dataclass(frozen=True, slots=True, eq=False)
class LoweredProgram:
    """Program, lowered. `functions` are those that `main` reaches, `main` among them; `variables` those of the host that outlive a call,
    string literals among them; `devices` those of the device that the host names, `managed` those of them that it may access; `initial`
    runs before `main`, `final` after it; `entries` are the kernels launched."""

    main: ir.Function
    functions: tuple[ir.Function, ...]
    variables: tuple[ir.Variable, ...]
    devices: tuple[ir.Variable, ...]
    managed: tuple[ir.Variable, ...]
    initial: ir.Block
    final: ir.Function
    entries: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


PRELUDE = (
    "c", "options", "runtime", "std", "functional", "algorithms", "containers", "hashed", "streams", "calendar", "files",
    "complex", "random", "threads", "textures",
)  # fmt: skip
"""Its texts, each of which may name what stands before it."""


@cache
def prelude() -> str:
    """Give the text that stands before the host's side: what the headers of C, C++ and CUDA declare."""
    folder = files("kernels.simt.host").joinpath("prelude")
    return "".join(folder.joinpath(f"{name}.cuh").read_text(encoding="utf-8") for name in PRELUDE)


def read_program(text: str, path: Path | None = None) -> LoweredProgram | NotRun:
    """Parse and lower a program."""
    unit = parse(text, path, host=prelude())
    if unit.translation_unit is None:
        return NotRun(message("The program has errors."), unit.diagnostics)
    main = _main(unit)
    if main is None:
        wrong = unit.remarks_on(unit.translation_unit.cursor)
        if any(each.severity is Severity.ERROR for each in wrong):
            return NotRun(message("The program has errors."), wrong)
        return NotRun(message("There is no int main() in this text."), wrong)
    found = _causes([_told(each) for each in unit.remarks_on(main)], text)
    if all(each.severity is not Severity.ERROR for each in found):
        found += tuple(_in_library(unit))
    if any(each.severity is Severity.ERROR for each in found):
        return NotRun(message("The program has errors."), found)
    context = HostContext(unit)
    with room_for_recursion():
        try:
            with context.entered(Frame(main)):
                entry = context.function(main)
                for variable in _unnamed(unit, context):
                    in_memory(context, variable, variable)
            context.finish()
            _refuse_library(context, entry)
        except Refusal as refusal:
            context.note(refusal)
        if context.refusals:
            return NotRun(message("The program uses what cannot be executed."), diagnostics_of(context.refusals))
        return _program(context, entry, found)


def _unnamed(unit: Unit, context: HostContext) -> Iterator[Cursor]:
    """Find the variables of file scope that do something when they begin or end, whether or not anything names them."""
    own = frozenset(unit.own_files)
    assert unit.translation_unit is not None
    pending = [unit.translation_unit.cursor]
    while pending:
        for cursor in pending.pop().get_children():
            if not stands_in(cursor, own):
                continue
            if cursor.kind is CursorKind.NAMESPACE:
                pending.append(cursor)
            elif cursor.kind is CursorKind.VAR_DECL and cursor.is_definition() and space_of(cursor) is None and _acts(cursor, own, context):
                yield cursor


def _acts(variable: Cursor, own: frozenset[str], context: HostContext) -> bool:
    """Say whether functions run when a variable begins, or ends: the program's, or any function of the library that is no member."""
    for each in variable.walk_preorder():
        called = each.referenced if each.kind is CursorKind.CALL_EXPR else None
        if called is not None and not called.is_default_method() and (called.kind is CursorKind.FUNCTION_DECL or stands_in(called, own)):
            return True
        record = each.type.get_canonical()
        while record.kind is TypeKind.CONSTANTARRAY:
            record = record.element_type.get_canonical()
        owned = record.kind is TypeKind.RECORD and stands_in(record.get_declaration(), own)
        if owned and context.types.destructor(context.types.of(record)) is not None:
            return True
    return False


def _refuse_library(context: HostContext, main: ir.Function) -> None:
    """Refuse what the library allocates where the program has an `operator new` of its own, which that would have to go through."""
    if context.types.replaced("operator new") is None:
        return
    for function in context.functions.values():
        for node in nodes(function.body):
            if isinstance(node, ir.Call) and node.name in _ALLOCATING:
                at = node.location if node.location.line else main.location
                raise Refusal(at, message("operator new is the program's, but what the library allocates does not go through it here."))


def _in_library(unit: Unit) -> Iterator[Diagnostic]:
    """Find what is wrong in the library's text because of what the program gives it: at the place in the program that asks for that."""
    assert unit.translation_unit is not None
    for remark in unit.translation_unit.diagnostics:
        if remark.severity < remark.Error or clang.position(remark.location)[0] in unit.own_files:
            continue
        asked = (clang.position(each.location) for each in remark.children if each.spelling.startswith("in instantiation"))
        file, offset, _ = next((each for each in asked if each[0] in unit.own_files), ("", 0, 0))
        if file:
            at, words = unit.place(file, offset), message("This does not fit what the library does with it: {text}", text=remark.spelling)
            yield Diagnostic(at.line, at.column, Severity.ERROR, words, at.file)


_ALLOCATING = ("__tilescope_kept", "__tilescope_new", "__tilescope_new_array", "__tilescope_new_zeroed")
_LIBRARY = message("{space}::{name} is not known here: write it with arrays, structs and functions.", space="", name="").template
_OTHER = message("{name} is of a library that is not executed here.", name="").template
_UNKNOWN = message("Unknown name {name}.", name="").template
_WORDS = {
    "{space}::{name} does not exist in a kernel here: write it with arrays, structs and functions of CUDA.": _LIBRARY,
    "{name} is of a library that is not executed here: write what it does in the kernel.": _OTHER,
}
"""What is said of a kernel, and of the host."""


def _told(diagnostic: Diagnostic) -> Diagnostic:
    """Say of the host what would be said of a kernel."""
    words = _WORDS.get(diagnostic.message.template)
    return diagnostic if words is None else replace(diagnostic, message=Message(words, diagnostic.message.arguments))


def _causes(found: list[Diagnostic], text: str) -> tuple[Diagnostic, ...]:
    """Leave out what is wrong only because something of a library is not known: what stands behind it in its line, and the names that are
    declared there."""
    lines, reported, declared = text.splitlines(), set[int](), set[str]()
    causes: list[Diagnostic] = []
    for each in found:
        own = not each.file and 0 < each.line <= len(lines)
        if own and each.message.template in (_LIBRARY, _OTHER):
            declared.update(re.findall(r"\w+", lines[each.line - 1]))
        elif each.message.template == _UNKNOWN and dict(each.message.arguments)["name"] in declared:
            continue
        if own and each.line in reported:
            continue
        if own and each.message.template in (_LIBRARY, _OTHER):
            reported.add(each.line)
        causes.append(each)
    return tuple(causes)


def _program(context: HostContext, main: ir.Function, found: tuple[Diagnostic, ...]) -> LoweredProgram:
    functions = (*context.functions.values(), *context.choosers.values(), *(function for function, _ in context.enders.values()))
    functions += tuple(context.callers.values())
    variables = tuple(each for each in context.globals.values() if each not in context.devices)
    entries = {node.entry: None for function in functions for node in nodes(function.body) if isinstance(node, ir.Launch)}
    return LoweredProgram(
        main,
        functions,
        (*variables, *context.strings.values(), *context.order),
        tuple(context.devices),
        tuple(context.managed),
        context.initial,
        context.finish_ending(main),
        tuple(entries),
        found,
    )


def _main(unit: Unit) -> Cursor | None:
    """Find the definition of `main`."""
    own = frozenset(unit.own_files)
    assert unit.translation_unit is not None
    for cursor in unit.translation_unit.cursor.get_children():
        if cursor.kind is CursorKind.FUNCTION_DECL and cursor.spelling == "main" and cursor.is_definition() and stands_in(cursor, own):
            return cursor
    return None
