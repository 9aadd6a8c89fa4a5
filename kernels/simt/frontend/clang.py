"""The one door to libclang: loaded at the first use, with what its Python binding leaves out."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kernels.base.values import dataclass

Cursor = Any
"""clang.cindex.Cursor; the binding has no types of its own."""
ClangDiagnostic = Any
TranslationUnit = Any
Position = tuple[str, int, int]
"""A file's name, the byte offset in it, and the line counted from 1."""

FLAGS = (
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++", "-std=c++17",
    "--cuda-path=/nonexistent", "-Xclang", "-fcuda-allow-variadic-functions", "--target=x86_64-unknown-linux-gnu",
    "-Xclang", "-fnative-half-type", "-Xclang", "-fnative-half-arguments-and-returns",
    "-fmacro-prefix-map=/tilescope-source/=",  # of `sources.FOLDER`: __FILE__ is what a compiler makes of it in the file's folder
    "-ferror-limit=0", "-fbracket-depth=200", "-ftemplate-depth=200", "-ftemplate-backtrace-limit=4", "-fconstexpr-depth=200",
    "-fconstexpr-steps=200000", "-Wno-unknown-cuda-version", "-Wno-pragma-once-outside-header",
    "-Wno-unused-value", "-Wno-vla-cxx-extension", "-Wno-unqualified-std-cast-call", "-Wuninitialized", "-Wsometimes-uninitialized",
)  # fmt: skip
HOST_SIDE = "--cuda-host-only"
"""Given behind FLAGS: the host's side of a program, instead of the device's."""
KEEP_GOING = 0x200
BINARY = ("", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||",
          "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",")  # fmt: skip
UNARY = ("", "post++", "post--", "pre++", "pre--", "&", "*", "+", "-", "~", "!", "__real", "__imag", "__extension__", "co_await")


class ParseFailed(Exception):
    """libclang gave no translation unit."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A stretch of a file, in bytes, the end not included."""

    file: str
    start: int
    end: int

    def holds(self, file: str, offset: int) -> bool:
        return self.file == file and self.start <= offset <= self.end


@cache
def cindex() -> Any:
    """The binding, with the functions that it does not declare."""
    import clang.cindex as module

    library = module.conf.lib
    for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
        function = getattr(library, name)
        function.argtypes, function.restype = [module.Cursor], ctypes.c_int

    library.clang_getCursorPrettyPrinted.argtypes = [module.Cursor, ctypes.c_void_p]
    library.clang_getCursorPrettyPrinted.restype = module._CXString
    library.clang_getCursorPrettyPrinted.errcheck = module._CXString.from_result
    library.clang_getFileLocation.argtypes = [module.SourceLocation, ctypes.POINTER(ctypes.c_void_p), *(ctypes.POINTER(ctypes.c_uint),) * 3]
    library.clang_getFileLocation.restype = None
    library.clang_isInvalidDeclaration.argtypes, library.clang_isInvalidDeclaration.restype = [module.Cursor], ctypes.c_uint
    library.clang_Cursor_Evaluate.argtypes, library.clang_Cursor_Evaluate.restype = [module.Cursor], ctypes.c_void_p
    results = {
        "getKind": ctypes.c_int, "getAsLongLong": ctypes.c_longlong, "isUnsignedInt": ctypes.c_uint, "getAsUnsigned": ctypes.c_ulonglong,
        "getAsDouble": ctypes.c_double, "dispose": None,
    }  # fmt: skip
    for name, result in results.items():
        function = getattr(library, f"clang_EvalResult_{name}")
        function.argtypes, function.restype = [ctypes.c_void_p], result
    return module


@cache
def _handles() -> tuple[Any, Any]:
    """An index, and the class of translation units. Neither needs the binding when it goes: it may have gone before."""
    module = cindex()
    dispose_index, dispose_unit = module.conf.lib.clang_disposeIndex, module.conf.lib.clang_disposeTranslationUnit
    index_class = type("Index", (module.Index,), {"__del__": lambda self: dispose_index(self)})
    unit_class = type("TranslationUnit", (module.TranslationUnit,), {"__del__": lambda self: dispose_unit(self)})
    return index_class(module.conf.lib.clang_createIndex(1, 0)), unit_class


def parse(name: str, texts: Mapping[str, str | bytes], arguments: Sequence[str]) -> TranslationUnit:
    """The translation unit of `texts[name]`; nothing but `texts` is needed on disk."""
    module = cindex()
    index, unit_class = _handles()
    unsaved = [(file, text) for file, text in texts.items()]
    try:
        return unit_class.from_source(name, [*FLAGS, *arguments], unsaved, KEEP_GOING, index)
    except module.TranslationUnitLoadError as error:
        raise ParseFailed from error


def precompile(name: str, texts: Mapping[str, str | bytes], arguments: Sequence[str], target: Path) -> None:
    """Write `texts[name]`, compiled, to `target`, for `-include-pch` with the same arguments."""
    module = cindex()
    try:
        module.TranslationUnit.save(parse(name, texts, arguments), str(target))
    except module.TranslationUnitSaveError as error:
        raise ParseFailed from error


def position(location: Any) -> Position:
    """Where something stands: in a macro's argument, where that is written; else in a macro, where the macro is used."""
    module = cindex()
    file, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    library = module.conf.lib
    library.clang_getFileLocation(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
    name = module.File(ctypes.cast(file, module.c_object_p)).name if file.value else ""
    return name, offset.value, line.value


def extent(cursor: Cursor) -> Extent:
    """What a cursor covers, ends included where they come from macros."""
    around = cursor.extent
    file, start, _ = position(around.start)
    _, end, _ = position(around.end)
    return Extent(file, start, max(start, end))


def evaluate(cursor: Cursor) -> int | float | None:
    """The value of a constant expression, or of a variable's constant initialiser; None where there is none."""
    library = cindex().conf.lib
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        kind = library.clang_EvalResult_getKind(result)
        if kind == 1:
            unsigned = library.clang_EvalResult_isUnsignedInt(result)
            return int(library.clang_EvalResult_getAsUnsigned(result) if unsigned else library.clang_EvalResult_getAsLongLong(result))
        return float(library.clang_EvalResult_getAsDouble(result)) if kind == 2 else None
    finally:
        library.clang_EvalResult_dispose(result)


def binary_operator(cursor: Cursor) -> str:
    """The operator of a BINARY_OPERATOR or COMPOUND_ASSIGNMENT_OPERATOR as written, "" for another cursor."""
    return BINARY[cindex().conf.lib.clang_getCursorBinaryOperatorKind(cursor)]


def unary_operator(cursor: Cursor) -> str:
    """The operator of a UNARY_OPERATOR as written, ++ and -- with "pre" or "post" before them, "" for another cursor."""
    return UNARY[cindex().conf.lib.clang_getCursorUnaryOperatorKind(cursor)]


def printed(declaration: Cursor) -> str:
    """A declaration as the compiler sees it, after macros; of a function with its body, of one made from a template with its arguments."""
    return str(cindex().conf.lib.clang_getCursorPrettyPrinted(declaration, None))
