"""Parsed program: its kernels, what is wrong with them, and what libclang knows of them.

Made up for here is what libclang drops: the parts of a for statement that are left out, and every statement that uses a declaration of
which it could not make sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.signature import KernelSignature
from kernels.simt.base.types import Location
from kernels.simt.frontend import clang, device_launches, signatures, sources
from kernels.simt.frontend.assembly import Assembly, assemblies
from kernels.simt.frontend.clang import Cursor, TranslationUnit, cindex, extent, position
from kernels.simt.frontend.declared_functions import DEFINES, KNOWN, PRELUDE, Known, prelude
from kernels.simt.frontend.diagnostics import Diagnostic, FrontEndError, Severity
from kernels.simt.frontend.large_arrays import too_many
from kernels.simt.frontend.precompiled import prelude_arguments
from kernels.simt.frontend.reach import DECLARATIONS, RECORDS, Reach, kind, reach
from kernels.simt.frontend.remark_places import Lines, remarks, stray_calls


@dataclass(frozen=True, slots=True)
class ForParts:
    """The cursors of `for (init; condition; step) body`, None for what is left out."""

    init: Cursor | None
    condition: Cursor | None
    step: Cursor | None
    body: Cursor


def for_parts(statement: Cursor) -> ForParts:
    """The parts of a FOR_STMT, told apart by the tokens between them; of one that a macro makes, by their number and order."""
    *header, body = list(statement.get_children())
    if len(header) == 3:
        return ForParts(header[0], header[1], header[2], body)
    ends = _semicolons(statement)
    slots: list[Cursor | None] = [None, None, None]
    for part in header:
        slots[sum(end < position(part.extent.start)[1] for end in ends)] = part
    return ForParts(slots[0], slots[1], slots[2], body)


def _semicolons(statement: Cursor) -> list[int]:
    """The byte offsets of the two `;` of the header."""
    depth, found = 0, []
    for token in statement.get_tokens():
        spelling = token.spelling
        depth += (spelling in "([{") - (spelling in ")]}")
        if spelling == ";" and depth == 1:
            found.append(position(token.location)[1])
            if len(found) == 2:
                break
    return found


_SCOPES = (*RECORDS, "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_WORD = re.compile(rb"//[^\n]*|/\*(?s:.*?)\*/|\"(?:[^\"\\\n]|\\.)*\"|(?P<word>[^\W\d]\w*)")


class Broken:
    """The broken declarations below `root` that stand in `texts`."""

    def __init__(self, root: Cursor, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._by_name: dict[bytes, list[Cursor]] = {}
        for cursor in _declared(root, texts):
            if cindex().conf.lib.clang_isInvalidDeclaration(cursor):
                self._by_name.setdefault(cursor.spelling.encode(), []).append(cursor)

    def lost(self, declaration: Cursor, within: Iterable[Cursor]) -> Iterator[Cursor]:
        """Yield the broken declarations that a declaration's text names, although no cursor `within` it has that name any more."""
        if self._by_name:
            part = extent(declaration)
            words = {found["word"] for found in _WORD.finditer(self._texts[part.file][part.start : part.end])}
            kept = {cursor.spelling.encode() for cursor in (declaration, *within)}
            for name in (words & self._by_name.keys()) - kept:
                yield from self._by_name[name]


def _declared(root: Cursor, texts: Mapping[str, bytes]) -> Iterator[Cursor]:
    waiting = [root]
    while waiting:
        for child in waiting.pop().get_children():
            if position(child.location)[0] not in texts:
                continue
            if kind(child) in _SCOPES:
                waiting.append(child)
            elif kind(child) in DECLARATIONS:
                yield child


_ENTRY = re.compile(r"\s*(?P<name>\w+(?:::\w+)*)\s*(?:<(?P<arguments>[\w\s,:<>()+*/%.-]*)>)?\s*", re.ASCII)
_ENTRY_VARIABLE = "__tilescope_entry"
_ARGUMENTS = ("-include", DEFINES, f"-I{sources.FOLDER}")
NO_OTHERS: Mapping[str, bytes] = {}
LONGEST_ENTRY = 200
MOST_REPAIRS = 4
_LOOKED_AT = 200
"""Bytes of a text that are looked at to see which kind of `new` or `delete` it is."""


class Unit:
    """Translation unit that `parse` makes of a text. Cursors are of libclang; they live as long as the unit does."""

    def __init__(self, gathered: sources.SourceTexts, defines: str, refusal: Diagnostic | None, host: str | None = None) -> None:
        """`host` is a text after the prelude: then the host's side of the program is parsed, else the device's."""
        self._host = host
        self._sources = gathered
        self._defines = defines
        self._texts = gathered.texts
        """What libclang is given: of the same length, so that places hold."""
        macros = device_launches.launching_macros(gathered.texts.values())
        if any(device_launches.has_launches(text, macros) for text in gathered.texts.values()):
            write = device_launches.as_calls if host is None else partial(device_launches.without, macros=macros)
            self._texts = {name: write(text) for name, text in gathered.texts.items()}
            self._defines = (device_launches.DEFINES if host is None else "") + defines
        self._text = self._texts[gathered.main]
        self._refusal = refusal
        self._own = frozenset(gathered.texts)
        self._entries: dict[str, _Entry] = {}
        self._assemblies: dict[int, list[tuple[Cursor, Assembly]]] = {}
        self._lines = Lines(gathered.texts)
        self.translation_unit: TranslationUnit | None = None
        if refusal is None:
            try:
                self._refusal = self._refuse_large_arrays()
                self.translation_unit = None if self._refusal is not None else self._parse_past_stray_calls()
            except clang.ParseFailed:
                self._refusal = Diagnostic(1, 1, Severity.ERROR, message("This text cannot be parsed."))

    def _parse_past_stray_calls(self) -> TranslationUnit:
        probe = signatures.bounds_probe(self._text.decode())
        for _ in range(MOST_REPAIRS):
            unit = self._parse(probe)
            stray = stray_calls(unit, self._sources.main, self._text)
            if not stray:
                break
            for part in stray:
                self._text = self._text[: part.start] + b" " * (part.end - part.start) + self._text[part.end :]
        return unit

    def _refuse_large_arrays(self) -> Diagnostic | None:
        found = too_many(self._texts, lambda texts: self._parse("", texts))
        if found is None:
            return None
        at = self.place(found.file, found.offset)
        return Diagnostic(at.line, at.column, Severity.ERROR, found.words, at.file)

    def _parse(self, last_line: str, others: Mapping[str, bytes] = NO_OTHERS) -> TranslationUnit:
        """The program with a line of ours after its last; `others` stand in place of its texts."""
        extended, host = self._sources.extended, self._host
        before = prelude(extended=extended) + (host or "")
        texts = {**self._texts, PRELUDE: before.encode(), DEFINES: self._defines.encode()}
        texts[self._sources.main] = self._text + f"\n{last_line}\n".encode()
        texts.update(others)
        return clang.parse(self._sources.main, texts, (*prelude_arguments(extended=extended, host=host), *_ARGUMENTS))

    @property
    def own_files(self) -> frozenset[str]:
        """The names that libclang knows the program's texts by."""
        return self._own

    # ------------------------------------------------------------ kernels

    @cached_property
    def _kernels(self) -> tuple[tuple[str, Cursor], ...]:
        """The kernels by qualified name, in order; of several declarations of one, its definition or else the first."""
        if self.translation_unit is None:
            return ()
        found: dict[str, tuple[str, Cursor]] = {}
        for cursor in signatures.find_kernels(self.translation_unit.cursor, self._own):
            key = cursor.get_usr()
            if key not in found or cursor.is_definition():
                found[key] = signatures.qualified_name(cursor), cursor
        return tuple(found.values())

    @cached_property
    def _every_kernel(self) -> tuple[Cursor, ...]:
        return tuple(cursor for _, cursor in self._kernels)

    @cached_property
    def kernels(self) -> tuple[KernelSignature, ...]:
        """Kernels of the text, all of them, in order."""
        if self.translation_unit is None:
            return ()
        bounds = signatures.probed_bounds(self.translation_unit.cursor)
        return tuple(self._signature(name, cursor, bounds) for name, cursor in self._kernels)

    def _signature(self, name: str, cursor: Cursor, bounds: Mapping[int, tuple[int, ...]]) -> KernelSignature:
        around = clang.extent(cursor)
        start, end = (self._lines.place(around.file, offset)[0] for offset in (around.start, around.end))
        template = signatures.template_parameters(cursor, self._sources.texts)
        given: tuple[int, ...] = ()
        if around.file == self._sources.main:
            given = signatures.launch_bounds(self._lines.characters(around), self._sources.texts[around.file], template, bounds)
        return KernelSignature(
            name, self.location(cursor), signatures.parameters(cursor), template, given[0] if given else None, (start, end)
        )

    def function_cursor(self, entry: str) -> Cursor:
        """The definition of the kernel that `entry` names: "name", or "name<128, 8>" for a template (whose parameters may all have
        defaults: then "name" will do). Raises `FrontEndError`."""
        return self._entry(entry).cursor

    def _entry(self, entry: str) -> _Entry:
        if entry not in self._entries:
            self._entries[entry] = self._find(entry)
        return self._entries[entry]

    def _find(self, entry: str) -> _Entry:
        if self._refusal is not None or self.translation_unit is None:
            raise FrontEndError(message("The text cannot be parsed."), self.diagnostics)
        found = _ENTRY.fullmatch(entry) if len(entry) <= LONGEST_ENTRY else None
        if found is None:
            raise FrontEndError(
                message("{entry} is not a kernel's name, nor a template's with its arguments.", entry=entry[:LONGEST_ENTRY])
            )
        if (of_runtime := found["name"]) in device_launches.OF_RUNTIME and (made := self._referred(of_runtime)[1]) is not None:
            return made
        name, cursor = self._named(found["name"])
        if cursor.get_definition() is None:
            at, reason = self.location(cursor), message("{name} is declared, but its body stands nowhere.", name=name)
            raise FrontEndError(reason, (Diagnostic(at.line, at.column, Severity.ERROR, reason, at.file),))
        if kind(cursor) != "FUNCTION_TEMPLATE":
            if found["arguments"] is not None:
                raise FrontEndError(message("{name} is not a template: it takes no arguments in < >.", name=name))
            return _Entry(self.translation_unit, cursor.get_definition())
        return self._instance(name, cursor, found["arguments"] or "")

    def _named(self, name: str) -> tuple[str, Cursor]:
        full = [each for each in self._kernels if each[0] == name]
        found = full or [each for each in self._kernels if each[0].rpartition("::")[2] == name]
        names = ", ".join(dict.fromkeys(each[0] for each in self._kernels))
        if not self._kernels:
            raise FrontEndError(
                message("There is no kernel in this text: a kernel is a function with __global__ before it."), self.diagnostics
            )
        if not found:
            raise FrontEndError(message("There is no kernel {name} in this text, but: {names}.", name=name, names=names))
        if len(found) > 1:
            choices = ", ".join(f"{each[0]}({', '.join(p.type for p in signatures.parameters(each[1]))})" for each in found)
            raise FrontEndError(message("Several kernels are named {name}: {choices}. Rename all but one.", name=name, choices=choices))
        return found[0]

    def _instance(self, name: str, template: Cursor, arguments: str) -> _Entry:
        variable, made = self._referred(f"{name}<{arguments}>")
        if made is not None:
            return made
        broken = tuple(each for each in self.diagnostics_of(name) if each.severity is Severity.ERROR)
        if not variable and not broken:  # something before it is not ended
            raise FrontEndError(message("The text cannot be parsed."), self._last_error(self._parse(_referring(f"{name}<{arguments}>"))))
        if broken:
            raise FrontEndError(message("{name} has errors.", name=name), broken)
        wanted = ", ".join(signatures.template_parameters(template, self._sources.texts))
        if not arguments:
            raise FrontEndError(message("{name} is a template: write {name}<...> with values for <{wanted}>.", name=name, wanted=wanted))
        raise FrontEndError(
            message("{name} takes the template arguments <{wanted}>, not <{given}>.", name=name, wanted=wanted, given=arguments)
        )

    def _referred(self, name: str) -> tuple[bool, _Entry | None]:
        """Whether the text takes the address of a function, and the function."""
        unit = self._parse(_referring(name))
        variable = next((each for each in unit.cursor.get_children() if each.spelling == _ENTRY_VARIABLE), None)
        for cursor in variable.walk_preorder() if variable is not None else ():
            target = cursor.referenced if kind(cursor) == "DECL_REF_EXPR" else None
            if target is not None and kind(target) == "FUNCTION_DECL":
                return True, _Entry(unit, target)
        return variable is not None, None

    # ------------------------------------------------------------ what is wrong

    def remarks_on(self, function: Cursor) -> tuple[Diagnostic, ...]:
        """What is wrong with a function of this unit and with what it uses, in the order of the text."""
        return () if self.translation_unit is None else self._remarks(self.translation_unit, (function,))

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the kernels and with what they use, in the order of the text."""
        if self.translation_unit is None:
            return (self._refusal,) if self._refusal is not None else ()
        return self._remarks(self.translation_unit, self._every_kernel)

    def diagnostics_of(self, entry: str) -> tuple[Diagnostic, ...]:
        """What is wrong with one kernel and with what it uses, in the order of the text. Of a template named without arguments: what is
        wrong whichever they are. Raises `FrontEndError` where there is no such kernel."""
        if self.translation_unit is None:
            return self.diagnostics
        if entry in device_launches.OF_RUNTIME:
            return ()
        if "<" in entry:
            found = self._entry(entry)
            return self._remarks(found.unit, (found.cursor, self._named(entry.partition("<")[0].strip())[1]))
        return self._remarks(self.translation_unit, (self._named(entry)[1],))

    def _remarks(self, unit: TranslationUnit, kernels: tuple[Cursor, ...]) -> tuple[Diagnostic, ...]:
        every = kernels if kernels is self._every_kernel else None
        return remarks(unit, self._sources, self._lines, lambda: self._reach(unit, kernels), every)

    def _last_error(self, unit: TranslationUnit) -> tuple[Diagnostic, ...]:
        whole = Reach((clang.Extent(self._sources.main, 0, len(self._text)),), ())
        every = remarks(unit, self._sources, self._lines, lambda: whole, None)
        return tuple(each for each in every if each.severity is Severity.ERROR)[-1:]

    def _reach(self, unit: TranslationUnit, kernels: tuple[Cursor, ...]) -> Reach:
        return reach(kernels, self._own, Broken(unit.cursor, self._sources.texts).lost)

    # ------------------------------------------------------------ what cursors say

    def location(self, cursor: Cursor) -> Location:
        """Where a cursor stands; line 0 where that is not in the program."""
        file, offset, _ = clang.position(cursor.location)
        return self.place(file, offset)

    def place(self, file: str, offset: int) -> Location:
        """Where a byte of a text stands; line 0 where that is not in the program."""
        shown = self._sources.shown_file(file)
        return Location(0, 0, file) if shown is None else Location(*self._lines.place(file, offset), shown)

    def assembly(self, function: Cursor, statement: Cursor) -> Assembly | None:
        """An asm statement within a function; None where libclang does not print it."""
        found = self._assemblies.get(function.hash)
        if found is None:
            found = self._assemblies[function.hash] = assemblies(function)
        return next((read for cursor, read in found if cursor == statement), None)

    def in_prelude(self, cursor: Cursor) -> bool:
        """Whether a cursor stands in the prelude: what is shown is then the place from which it is used."""
        return clang.position(cursor.location)[0] not in self._own

    def text_from_name(self, declaration: Cursor) -> str:
        """A declaration as written, from its name on: others may stand before it in the same statement."""
        whole, (file, at, _) = clang.extent(declaration), clang.position(declaration.location)
        named = file == whole.file and whole.start <= at < whole.end
        return signatures.written(replace(whole, start=at) if named else whole, self._sources.texts)

    def text_of(self, cursor: Cursor) -> str:
        """A cursor's text as written, on one line."""
        return " ".join(signatures.written(clang.extent(cursor), self._sources.texts).split())

    def text_from(self, cursor: Cursor) -> str:
        """Some of the text from where a cursor begins: libclang does not always know where one ends."""
        around = clang.extent(cursor)
        return signatures.written(clang.Extent(around.file, around.start, around.start + _LOOKED_AT), self._sources.texts)

    def known(self, function: Cursor) -> Known | None:
        """What a called function is to the interpreter; None where the program, or the prelude, gives it a body. A prototype that the
        program repeats means the prelude's function."""
        if not self.in_prelude(function.canonical) or function.get_definition() is not None:
            return None
        return KNOWN.get(function.spelling)

    def evaluate(self, cursor: Cursor) -> int | float | None:
        """The value of a constant expression, or of a variable's constant initialiser; None where there is none."""
        return clang.evaluate(cursor)

    def binary_operator(self, cursor: Cursor) -> str:
        """The operator as written, compound assignments too."""
        return clang.binary_operator(cursor)

    def unary_operator(self, cursor: Cursor) -> str:
        """The operator as written; ++ and -- have "pre" or "post" before them."""
        return clang.unary_operator(cursor)

    def for_parts(self, cursor: Cursor) -> ForParts:
        """The parts of a FOR_STMT."""
        return for_parts(cursor)


def _referring(name: str) -> str:
    return f"static auto {_ENTRY_VARIABLE} = &{name};"


class _Entry(NamedTuple):
    """A kernel's definition and the translation unit that it lives in."""

    unit: TranslationUnit
    cursor: Cursor
