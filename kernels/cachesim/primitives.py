"""Syntax trees of calls to `recording`, and which memory the functions of `kernels.cpu.simd` touch; what these compute is in registers."""

from __future__ import annotations

import ast
import copy
from typing import TypeVar

from kernels.base.values import dataclass
from kernels.cpu.matrix_registers import SIDE

RECORDER = "_recorder_"
"""The argument that every instrumented function has in addition."""
PREFIX = "_recording_"
"""Begins the names by which instrumented source knows the functions of `recording`."""

Node = TypeVar("Node", bound=ast.AST)


def name(text: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(text, ast.Load())


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function of `recording` with the recorder after its arguments."""
    return ast.Call(name(PREFIX + function), [*arguments, name(RECORDER)], [])


def call_at(function: str, place: int, *arguments: ast.expr) -> ast.Call:
    """Return a call of a recording function with the place in the source as its last argument."""
    made = call(function, *arguments)
    made.args.append(ast.Constant(place))
    return made


def assign(target: str, value: ast.expr) -> ast.Assign:
    """target = value."""
    return ast.Assign([ast.Name(target, ast.Store())], value)


def index_of(slices: ast.expr) -> ast.expr:
    """What stands between brackets as an argument: `a:b` is written slice(a, b)."""
    if isinstance(slices, ast.Tuple):
        return ast.Tuple([index_of(part) for part in slices.elts], ast.Load())
    if isinstance(slices, ast.Slice):
        ends = [slices.lower, slices.upper, *([slices.step] if slices.step else [])]
        return ast.Call(name("slice"), [ast.Constant(None) if end is None else end for end in ends], [])
    return slices


def again(node: Node) -> Node:
    """A copy, for a second use of the same expression."""
    return copy.deepcopy(node)


ALLOCATING = "panel"
"""Makes a matrix of rows x columns floats."""


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of a matrix, touched a row after the other, in vectors. Numbers are those of the call's arguments."""

    matrix: int
    row: int
    column: int
    columns: int
    """How many; or the vector that is as long."""
    rows: int | None = None
    """How many; None means one."""
    most: int | None = None
    """How many columns there can be, where more, or less than none, may be asked for."""

    def arguments(self, given: list[ast.expr]) -> list[ast.expr]:
        """Row, column, rows and columns in a call with the arguments `given`."""
        rows = ast.Constant(1) if self.rows is None else given[self.rows]
        columns = given[self.columns]
        if self.most is not None:
            columns = ast.Call(name("min"), [ast.Call(name("max"), [again(columns), ast.Constant(0)], []), given[self.most]], [])
        return [given[self.row], given[self.column], rows, columns]


READ = {
    "load": Block(0, 1, 2, columns=3),
    "load_first": Block(0, 1, 2, columns=4, most=3),
    "tile_load": Block(0, 1, 2, rows=3, columns=4),
    "tile_load_turned": Block(0, 1, 2, rows=3, columns=3),
}
"""The halves of a row, which are loaded one after the other, count as one."""
WRITTEN = {
    "store": Block(0, 1, 2, columns=3),
    "store_first": Block(0, 1, 2, columns=4),
    "tile_store": Block(0, 1, 2, rows=4, columns=5),
}
STREAMED = {"tile_stream": Block(0, 1, 2, rows=4, columns=5)}
UPDATED = {"tile_add": Block(0, 1, 2, rows=4, columns=5)}
LINES = {"stream_lines": Block(0, 1, 2, columns=3)}
"""In each row of two tiles the line that begins in the first."""
CHANGING = WRITTEN | STREAMED | LINES | UPDATED
_FUNCTIONS = {
    **dict.fromkeys(WRITTEN, "write_block"),
    **dict.fromkeys(STREAMED, "stream_block"),
    **dict.fromkeys(LINES, "stream_block_lines"),
    **dict.fromkeys(UPDATED, "update_block"),
}
PANELS = {"rank_one": ((1, 3, "read_floats"), (2, 3, "read_vectors"))}
"""A matrix and its row: the left panel's floats are broadcast one by one, the right panel's are loaded as vectors."""
REGISTERS = frozenset({
    "broadcast", "fma", "add", "total", "turned", "words", "tile_zeros", "prefetch", "prefetch_to_read", "prefetch_to_l2", "floats_to_line",
})  # fmt: skip
"""These touch nothing that anyone waits for: a prefetch is a hint."""
MATRIX_REGISTERS = frozenset({
    "registers_configure", "registers_release", "register_zeros", "register_load", "register_dot", "register_tile",
})  # fmt: skip
"""What of these is counted is what is loaded: they are not compiled, so a processor without matrix registers can count too."""
KNOWN = frozenset({*READ, *CHANGING, *PANELS, *REGISTERS, *MATRIX_REGISTERS, ALLOCATING})


def without_registers(primitive: str, arguments: list[ast.expr], place: int) -> ast.expr:
    """What stands for a call of `matrix_registers`: a load notes what it reads, and nothing is multiplied."""
    side = ast.Constant(SIDE)
    if primitive == "register_load":
        return call_at("read_block", place, *arguments[1:], side, again(side))
    if primitive == "register_tile":
        return ast.Call(name(PREFIX + "tile_zeros"), [side, again(side)], [])
    return arguments[0] if primitive == "register_dot" else ast.Constant(0)


def reading(primitive: str, call: ast.Call, original: list[ast.expr], place: int) -> ast.expr:
    """`call` with its matrices noting what is read; `original` are its arguments before the pass."""
    if primitive in MATRIX_REGISTERS:
        return without_registers(primitive, call.args, place)
    if primitive in READ:
        block = READ[primitive]
        call.args[block.matrix] = call_at("read_block", place, call.args[block.matrix], *map(again, block.arguments(original)))
    for matrix, row, function in PANELS.get(primitive, ()):
        call.args[matrix] = call_at(function, place, call.args[matrix], again(original[row]))
    return call


def writing(primitive: str, call: ast.Call, original: list[ast.expr], place: int) -> list[ast.stmt]:
    """The statement `call`, and after it what notes the writing. What is stored is computed, and its loads noted, before."""
    block = CHANGING[primitive]
    value = f"_stored_{place}"
    stored = assign(value, call.args[3])
    call.args[3] = name(value)
    shape = block.arguments([*original[:3], name(value), *original[4:]])
    return [stored, ast.Expr(call), ast.Expr(call_at(_FUNCTIONS[primitive], place, again(original[block.matrix]), *map(again, shape)))]
