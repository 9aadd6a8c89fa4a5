"""Syntax trees of calls to `recording`: how instrumented source is written."""

from __future__ import annotations

import ast
import copy
from typing import TypeVar

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
    """The same with the place in the source at the end."""
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
