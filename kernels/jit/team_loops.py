"""The loops that a multi-threaded kernel shares out, as its own text writes them."""

from __future__ import annotations

import ast

from kernels.base.spec import Variant
from kernels.base.values import dataclass
from kernels.cpu.teams import next_chunk


@dataclass(frozen=True, slots=True)
class TeamLoop:
    """A loop whose iterations the threads share out."""

    line: int
    """Where the kernel begins to ask for them."""
    over: str
    """What the iterations are, in the kernel's words: `rows`, `strips`."""


def team_loops(variant: Variant) -> tuple[TeamLoop, ...]:
    """The loops of the variant's entry function in the order in which every thread comes to them; empty where it has no threads."""
    tree = ast.parse(variant.source_text)
    entry = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == variant.entry), None)
    calls = [call for statement in entry.body if isinstance(statement, ast.Assign) for call in _calls(statement)] if entry else []
    return tuple(TeamLoop(call.lineno, ast.unparse(call.args[2])) for call in calls)


def _calls(statement: ast.Assign) -> list[ast.Call]:
    """Return the calls for a chunk. One that stands in a loop asks for the loop's next chunk, and is not looked at."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return [node for node in nodes if isinstance(node.func, ast.Name) and node.func.id == next_chunk.__name__]
