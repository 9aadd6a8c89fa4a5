"""Jumps of kernels as what all lanes can follow: what a goto skips, or repeats, becomes a part of its own that is left early.

A part is a body that is executed in place, as that of a device function is; to leave it is to return from it. What leaves more than the
part says so in a flag, which is looked at behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, fields, replace
from typing import Any

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.refusals import Refusal

INTO = message("This goto leads into a block: put the label where the goto is, or around it.")
STATEMENTS = (ir.Block, ir.If, ir.Loop, ir.Switch)


def structured(body: tuple[ir.Statement, ...], result: ir.Type | None) -> tuple[ir.Statement, ...]:
    """Rewrite a function's body without jumps; `result` is what it returns. Raises Refusal."""
    if not any(isinstance(each, ir.Goto | ir.Label) for statement in body for each in _all(statement)):
        return body
    done = _listed(body, result)
    left = next((goto for each in done if (goto := _first(each)) is not None), None)
    if left is not None:
        raise Refusal(left.location, INTO)
    return done


def _listed(statements: tuple[ir.Statement, ...], result: ir.Type | None) -> tuple[ir.Statement, ...]:
    """Rewrite statements that follow each other, inner ones first."""
    rewritten = [_inside(each, result) for each in statements]
    for label in [each for each in rewritten if isinstance(each, ir.Label)]:
        if label not in rewritten:  # it stands in a part that is repeated
            continue
        at = rewritten.index(label)
        backward = [place for place in range(at + 1, len(rewritten)) if _jumps(rewritten[place], label.name)]
        if backward:
            repeated = tuple(rewritten[at + 1 : backward[-1] + 1])
            rewritten[at + 1 : backward[-1] + 1] = _repeated(_listed(repeated, result), label, result)
        forward = next((place for place in range(at) if _jumps(rewritten[place], label.name)), None)
        if forward is not None:
            rewritten[forward:at] = _Part(label, result).made(tuple(rewritten[forward:at]))
    return tuple(each for each in rewritten if not isinstance(each, ir.Label))


def _inside(statement: ir.Statement, result: ir.Type | None) -> ir.Statement:
    if isinstance(statement, ir.Block):
        return ir.Block(_listed(statement.statements, result))
    if isinstance(statement, ir.Switch):
        body = (ir.Block(()) if isinstance(each, ir.Label) else _inside(each, result) for each in statement.body)
        return replace(statement, body=tuple(body))
    return _below(statement, lambda each: _inside(each, result)) if isinstance(statement, ir.If | ir.Loop) else statement


def _below(statement: Any, rewrite: Callable[[Any], Any]) -> Any:
    """Rewrite the statements right below one."""
    changes = {each.name: rewrite(value) for each in fields(statement) if isinstance(value := getattr(statement, each.name), STATEMENTS)}
    return replace(statement, **changes)


def _repeated(statements: tuple[ir.Statement, ...], label: ir.Label, result: ir.Type | None) -> list[ir.Statement]:
    """Make a loop of what stands between a label and the last jump back to it."""
    location = label.location
    again = build.temporary("again", ir.BOOL, location)
    part = _Part(label, result, (ir.Store(ir.Whole(again), build.constant(1, ir.BOOL), location),))
    made = part.made(statements)
    within: list[ir.Statement] = [ir.Store(ir.Whole(again), build.constant(0, ir.BOOL), location), made[part.declared]]
    test = ir.Load(ir.Whole(again), ir.BOOL, location)  # what leaves more than the part does not ask for another round
    declared = ir.Block((ir.Declare(again, build.constant(0, ir.BOOL), location),))
    loop = ir.Loop(declared, test, ir.Block(()), ir.Block(tuple(within)), test_last=True, location=location)
    return [*made[: part.declared], loop, *made[part.declared + 1 :]]


@dataclass(slots=True)
class _Part:
    """A part that a jump to `label` leaves; `first` is done before it is left so."""

    label: ir.Label
    result: ir.Type | None
    first: tuple[ir.Statement, ...] = ()
    flag: ir.Variable = field(init=False)
    value: ir.Variable | None = field(init=False)
    exits: dict[str, tuple[int, ir.Statement]] = field(default_factory=dict)
    """What else leaves it, each by a number."""

    def __post_init__(self) -> None:
        self.flag = build.temporary("left", ir.I32, self.label.location)
        self.value = None if self.result is None else build.temporary("returned", self.result, self.label.location)

    @property
    def declared(self) -> int:
        """How many statements stand before the part."""
        return (1 if self.exits else 0) + (1 if "return" in self.exits and self.value is not None else 0)

    def made(self, statements: tuple[ir.Statement, ...]) -> list[ir.Statement]:
        """Make the part of statements: declarations, the part, and what is looked at behind it."""
        location = self.label.location
        body = tuple(self._left(each, loops=0, stops=0) for each in statements if not isinstance(each, ir.Label))
        part = ir.Evaluate(ir.Inlined(ir.Block(body), None, None, location), location)
        if not self.exits:
            return [part]
        made: list[ir.Statement] = [ir.Declare(self.flag, ir.Const(0, ir.I32), location)]
        if "return" in self.exits and self.value is not None:
            made.append(ir.Declare(self.value, None, location))
        made.append(part)
        for number, leave in self.exits.values():
            test = ir.BinaryOp(ir.Binary.EQUAL, ir.Load(ir.Whole(self.flag), ir.I32, location), ir.Const(number, ir.I32), ir.BOOL, location)
            made.append(ir.If(test, ir.Block((leave,)), None, location))
        return made

    def _left(self, statement: ir.Statement, *, loops: int, stops: int) -> ir.Statement:
        """Rewrite what leaves the part; `loops` are around that `continue` is for, `stops` those that `break` is for."""
        match statement:
            case ir.Goto(name=self.label.name):
                return ir.Block((*self.first, ir.Return(None, statement.location)))
            case ir.Goto():
                return self._leave(f"goto {statement.name}", statement)
            case ir.Return():
                return self._returned(statement)
            case ir.Break() if not stops:
                return self._leave("break", statement)
            case ir.Continue() if not loops:
                return self._leave("continue", statement)
            case ir.Switch():
                return replace(statement, body=tuple(self._left(each, loops=loops, stops=stops + 1) for each in statement.body))
            case ir.Block():
                return ir.Block(tuple(self._left(each, loops=loops, stops=stops) for each in statement.statements))
            case ir.If():
                return _below(statement, lambda each: self._left(each, loops=loops, stops=stops))  # type: ignore[no-any-return]
            case ir.Loop():
                return _below(statement, lambda each: self._left(each, loops=loops + 1, stops=stops + 1))  # type: ignore[no-any-return]
        return statement

    def _leave(self, how: str, statement: ir.Statement, *before: ir.Statement) -> ir.Statement:
        number, _ = self.exits.setdefault(how, (len(self.exits) + 1, statement))
        location = self.label.location
        return ir.Block((*before, ir.Store(ir.Whole(self.flag), ir.Const(number, ir.I32), location), ir.Return(None, location)))

    def _returned(self, statement: ir.Return) -> ir.Statement:
        location = statement.location
        if statement.value is None or self.value is None:
            return self._leave("return", ir.Return(None, location))
        kept = ir.Store(ir.Whole(self.value), statement.value, location)
        return self._leave("return", ir.Return(ir.Load(ir.Whole(self.value), self.value.type, location), location), kept)


def _jumps(statement: ir.Statement, name: str) -> bool:
    return any(isinstance(each, ir.Goto) and each.name == name for each in _all(statement))


def _first(statement: ir.Statement) -> ir.Goto | None:
    return next((each for each in _all(statement) if isinstance(each, ir.Goto)), None)


def _all(statement: ir.Statement) -> Iterator[ir.Statement]:
    """Walk a statement and those within it; not the bodies of other functions."""
    yield statement
    below: tuple[Any, ...] = ()
    if isinstance(statement, ir.Block):
        below = statement.statements
    elif isinstance(statement, ir.Switch):
        below = statement.body
    elif isinstance(statement, ir.If | ir.Loop):
        below = tuple(value for each in fields(statement) if isinstance(value := getattr(statement, each.name), STATEMENTS))
    for each in below:
        yield from _all(each)
