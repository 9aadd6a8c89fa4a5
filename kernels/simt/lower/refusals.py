"""What cannot be executed, in words: where it stands, what it is, and what to write instead."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import Message, message
from kernels.simt.base.types import Location


class Refusal(Exception):
    """Refusal of one construct. Caught at the statement that it stands in, so that every statement is looked at."""

    def __init__(self, location: Location, reason: Message) -> None:
        super().__init__(str(reason))
        self.location = location
        self.reason = reason


class Consequence(Refusal):
    """Refusal of a name whose declaration has been refused: nothing more is to be said of it."""


ASSEMBLY = message("Assembly of this kind is not CUDA's: write asm with a string of PTX.")
LAMBDA = message(
    "A lambda can only be called where it is written, stored with auto, or passed to a function: write a __device__ function instead."
)
GOTO = message("A goto to an address is not supported: use a switch.")
EXCEPTION = message("Exceptions do not exist in device code: return an error value instead.")
CONSTRUCTS: dict[CursorKind, Message] = {
    CursorKind.MS_ASM_STMT: ASSEMBLY,
    CursorKind.INDIRECT_GOTO_STMT: GOTO,
    CursorKind.CXX_TRY_STMT: EXCEPTION,
    CursorKind.CXX_CATCH_STMT: EXCEPTION,
    CursorKind.CXX_THROW_EXPR: EXCEPTION,
    CursorKind.CXX_TYPEID_EXPR: message("typeid is not supported in device code: use a template argument instead."),
    CursorKind.CXX_DYNAMIC_CAST_EXPR: message("dynamic_cast is not supported in device code: use a template argument instead."),
    CursorKind.StmtExpr: message("A block used as a value is not supported: write a __device__ function and call it."),
    **dict.fromkeys(
        (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT),
        message("A case within another statement is not supported: put it directly between the braces of the switch."),
    ),
    CursorKind.COMPOUND_LITERAL_EXPR: message("A compound literal is not supported: declare a variable with this value."),
}

PRELUDE = {
    "__other_scope": message("A barrier or a pipeline of another scope is not executed: use cuda::thread_scope_block."),
    "__completion": message("A barrier with a function of completion is not executed: call it behind the wait, in one thread."),
}
"""Why functions of the prelude have no body."""
TEXTURES = message("{name} is not supported: of textures and surfaces those of one and two dimensions are known. Use an array.")


def undefined(callee: Cursor, *, in_prelude: bool) -> Message:
    """Say why a function without a body cannot be called."""
    if in_prelude and callee.spelling.startswith(("tex", "surf")):
        return Message(TEXTURES.template, (("name", callee.spelling),))
    if in_prelude and callee.spelling in PRELUDE:
        return PRELUDE[callee.spelling]
    return message("{name} has no body here: define it in this text as a __device__ function.", name=callee.spelling)


def unsupported_construct(location: Location, cursor: Cursor) -> Refusal:
    """Make the refusal of a kind of expression or statement."""
    known = CONSTRUCTS.get(cursor.kind)
    return Refusal(location, known or message("This is not supported: write it with simpler expressions or statements."))
