"""Rewrites that leave fewer forms of control flow to generate code for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kernels.simt import ir
from kernels.simt.generate.walk import Node, is_node, terminates


def normalise(kernel: ir.Kernel) -> ir.Kernel:
    """The same kernel, where what follows a conditional return of a device function stands in its else, and a switch whose cases all
    end in a break is a chain of conditions."""
    return replace(kernel, body=_block(kernel.body, returning=False))


def _rebuilt(node: Any, *, returning: bool) -> Any:
    """A node with everything below it rewritten."""
    if isinstance(node, ir.Block):
        return _block(node, returning=returning)
    if isinstance(node, ir.Inlined):
        return replace(node, body=_block(node.body, returning=True))
    changes: dict[str, Any] = {}
    for name in type(node).__dataclass_fields__:
        value = getattr(node, name)
        if is_node(value):
            changes[name] = _rebuilt(value, returning=returning and isinstance(node, ir.If))
        elif isinstance(value, tuple) and any(is_node(each) for each in value):
            changes[name] = tuple(_rebuilt(each, returning=False) for each in value)
    changed = any(changes[name] is not getattr(node, name) for name in changes)
    return replace(node, **changes) if changed else node


def _block(block: ir.Block, *, returning: bool) -> ir.Block:
    statements: list[ir.Statement] = []
    for position, statement in enumerate(block.statements):
        if isinstance(statement, ir.Switch):
            statement = chain(statement) or statement
        rest = block.statements[position + 1 :]
        if returning and rest and isinstance(statement, ir.If) and statement.otherwise is None and _returns(statement.then):
            otherwise = ir.Block(rest)
            statements.append(_rebuilt(replace(statement, otherwise=otherwise), returning=True))
            break
        statements.append(_rebuilt(statement, returning=returning))
    return ir.Block(tuple(statements))


def _returns(block: ir.Block) -> bool:
    last: Node | None = block.statements[-1] if block.statements else None
    return terminates(block) and isinstance(last, ir.Return | ir.If | ir.Block)


def chain(switch: ir.Switch) -> ir.Statement | None:
    """A switch as if ... else if ... else, where no case falls through and nothing else breaks out of it; else None."""
    starts = sorted({start for _, start in switch.cases})
    arms: dict[int, ir.Block] = {}
    for start, end in zip(starts, [*starts[1:], len(switch.body)], strict=True):
        arm = _arm(switch.body[start:end], last=end == len(switch.body))
        if arm is None:
            return None
        arms[start] = arm
    value = ir.Variable("selector", switch.value.type or ir.I32, ir.Space.REGISTER, switch.location)
    chosen: ir.Block | None = next((arms[start] for values, start in switch.cases if None in values), None)
    for start in reversed(starts):
        values = [each for names, begin in switch.cases if begin == start for each in names]
        if None not in values:
            chosen = ir.Block((ir.If(_is_one_of(value, values, switch.location), arms[start], chosen, switch.location),))
    declare = ir.Declare(value, switch.value, switch.location)
    return ir.Block((declare, *(chosen.statements if chosen is not None else ())))


def _is_one_of(variable: ir.Variable, values: list[int | None], location: ir.Location) -> ir.Expression:
    load = ir.Load(ir.Whole(variable), variable.type, location)
    tests: list[ir.Expression] = [
        ir.BinaryOp(ir.Binary.EQUAL, load, ir.Const(value, variable.type), ir.BOOL, location) for value in values if value is not None
    ]
    result = tests[0]
    for test in tests[1:]:
        result = ir.ShortCircuit(False, result, test, location)  # noqa: FBT003 - a disjunction
    return result


def _arm(statements: tuple[ir.Statement, ...], *, last: bool) -> ir.Block | None:
    """The statements of one case without the break at its end; None if it falls through or breaks elsewhere."""
    while len(statements) == 1 and isinstance(statements[0], ir.Block):
        statements = statements[0].statements
    body, end = (statements[:-1], statements[-1]) if statements else ((), None)
    if isinstance(end, ir.Break):
        kept = body
    elif last or isinstance(end, ir.Return | ir.Continue):
        kept = statements
    else:
        return None
    return None if any(breaks(each) for each in kept) else ir.Block(kept)


def breaks(node: Node) -> bool:
    """Whether a break within leaves what is around the node."""
    if isinstance(node, ir.Break):
        return True
    if isinstance(node, ir.Loop | ir.Switch | ir.Inlined):
        return False
    if isinstance(node, ir.Block):
        return any(breaks(each) for each in node.statements)
    if isinstance(node, ir.If):
        return breaks(node.then) or (node.otherwise is not None and breaks(node.otherwise))
    return False
