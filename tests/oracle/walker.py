"""The oracle: executes `ir.Kernel` by walking its tree, one thread at a time.

Each thread is a generator that yields where threads meet (barriers, shuffles, votes) and is resumed with what the others have brought.
Nothing here is shared with the code that is checked by it, and nothing is done for speed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from kernels.simt import ir
from tests.oracle import arithmetic, functions
from tests.oracle.memory import Memory, Value, complete, size_of, step, type_of

EVERYONE = 0xFFFFFFFF


class TooLong(Exception):
    """More statements than the walk was allowed."""


@dataclass(frozen=True, slots=True)
class WarpSync:
    """A thread waits for the threads of its block, or for the lanes of its warp in `mask`, and brings a value."""

    scope: ir.Scope
    mask: int
    value: Value


Steps = Generator[WarpSync, functions.Peers, Value]
"""A computation that may wait; its result."""
Flow = Generator[WarpSync, functions.Peers, str | None]
"""A statement's execution: how it was left ("break", "continue", "return"), None at its end."""


class Thread:
    """One thread: its place in the launch, and where its variables lie in memory."""

    def __init__(
        self,
        memory: Memory,
        places: Mapping[ir.Variable, int],
        specials: Mapping[str, int],
        values: list[tuple[ir.Variable, Value]],
        patience: list[float],
    ) -> None:
        """`patience` holds the number of statements that all threads together may still execute."""
        self.memory = memory
        self.patience = patience
        self.places = dict(places)
        self.specials = specials
        self.results: list[ir.Variable | None] = []
        for parameter, value in values:
            memory.write(self.place(parameter), parameter.type, value)

    def run(self, body: ir.Block) -> Flow:
        return self.block(body.statements)

    def place(self, variable: ir.Variable) -> int:
        if variable not in self.places:
            self.places[variable] = self.memory.allocate(size_of(variable.type))
        return self.places[variable]

    def address(self, place: ir.Place) -> Generator[WarpSync, functions.Peers, int]:
        match place:
            case ir.Whole():
                return self.place(place.variable)
            case ir.Element():
                start = yield from self.address(place.array)
                index = yield from self.value(place.index)
                return start + cast(int, index) * size_of(place.type)
            case ir.Member():
                return (yield from self.address(place.record)) + place.field.offset
            case ir.Deref():
                return cast(int, (yield from self.value(place.pointer)))

    def values(self, expressions: Iterable[ir.Expression]) -> Generator[WarpSync, functions.Peers, list[Value]]:
        found: list[Value] = []
        for each in expressions:
            found.append((yield from self.value(each)))  # noqa: PERF401 - a comprehension cannot wait
        return found

    def value(self, e: ir.Expression) -> Steps:  # noqa: C901 - a case a node
        match e:
            case ir.Const():
                return arithmetic.convert(np.float64(e.value) if isinstance(e.value, float) else e.value, e.type)
            case ir.Special():
                return self.specials[e.name]
            case ir.Load():
                return self.memory.read((yield from self.address(e.place)), e.type)
            case ir.AddressOf():
                return (yield from self.address(e.place))
            case ir.UnaryOp():
                return arithmetic.unary(e.operator, (yield from self.value(e.operand)), e.type)
            case ir.BinaryOp():
                left = yield from self.value(e.left)
                return arithmetic.binary(e.operator, left, (yield from self.value(e.right)), e.type)
            case ir.ShortCircuit():
                decided = bool((yield from self.value(e.left))) != e.conjunction
                return int(not e.conjunction) if decided else int(bool((yield from self.value(e.right))))
            case ir.Select():
                return (yield from self.value(e.yes if (yield from self.value(e.condition)) else e.no))
            case ir.Cast():
                value = yield from self.value(e.operand)
                return value if isinstance(e.type, ir.Struct | ir.Array) else arithmetic.convert(value, e.type)
            case ir.Make():
                return complete(tuple((yield from self.values(e.members))), e.type)
            case ir.Extract():
                assert isinstance(e.record.type, ir.Struct)
                return cast("tuple[Value, ...]", (yield from self.value(e.record)))[e.record.type.fields.index(e.field)]
            case _:
                return (yield from self.effect(e))

    def effect(self, e: ir.Expression) -> Steps:
        """Pointer arithmetic, and expressions that change something."""
        match e:
            case ir.Offset():
                start, index = (yield from self.value(e.pointer)), (yield from self.value(e.index))
                return arithmetic.wrap(cast(int, start) + cast(int, index) * step(e.type), e.type)
            case ir.Difference():
                left, right = (yield from self.value(e.left)), (yield from self.value(e.right))
                return (cast(int, left) - cast(int, right)) // step(e.left.type)
            case ir.Assign():
                value = yield from self.value(e.value)
                address = yield from self.address(e.place)
                self.memory.write(address, e.type, value)
                return value
            case ir.Increment():
                address = yield from self.address(e.place)
                old = self.memory.read(address, e.type)
                new = self.combine(ir.Binary.ADD, old, arithmetic.convert(e.by, ir.I32), e.type, ir.I32)
                self.memory.write(address, e.type, new)
                return new if e.prefix else old
            case ir.Inlined():
                self.results.append(e.result)
                yield from self.block(e.body.statements)
                self.results.pop()
                return self.memory.read(self.place(e.result), e.result.type) if e.result is not None else 0
        assert isinstance(e, ir.Call)
        return (yield from self.call(e))

    def combine(self, operator: ir.Binary, old: Value, value: Value, kind: ir.Type, operand: ir.Type) -> Value:
        """`old operator value`, computed in the type of `value` and converted back; a pointer moves by elements."""
        if isinstance(kind, ir.Pointer):
            sign = 1 if operator is ir.Binary.ADD else -1
            return arithmetic.wrap(cast(int, old) + sign * cast(int, value) * step(kind), kind)
        if arithmetic.is_float(kind) and not arithmetic.is_float(operand):
            value, operand = arithmetic.convert(value, kind), kind
        return arithmetic.convert(arithmetic.binary(operator, arithmetic.convert(old, operand), value, operand), kind)

    def call(self, e: ir.Call) -> Steps:
        arguments = yield from self.values(e.arguments)
        if e.name in functions.ATOMICS:
            assert e.type is not None
            address = cast(int, arguments[0])
            old = self.memory.read(address, e.type)
            self.memory.write(address, e.type, arithmetic.convert(functions.ATOMICS[e.name](old, *arguments[1:]), e.type))
            return old
        if e.name in functions.SHUFFLES or e.name in functions.VOTES or e.name == "__all_sync":
            peers = yield WarpSync(ir.Scope.WARP, cast(int, arguments[0]), arguments[1])
            if e.name in functions.SHUFFLES:
                return functions.shuffle(e.name, self.specials["laneid"], peers, arguments)
            return functions.vote(e.name, peers)
        assert e.type is not None
        return functions.plain(e.name, arguments, e.type)

    def block(self, statements: Iterable[ir.Statement]) -> Flow:
        for statement in statements:
            left = yield from self.execute(statement)
            if left is not None:
                return left
        return None

    def execute(self, s: ir.Statement) -> Flow:  # noqa: C901 - a case a node
        self.patience[0] -= 1
        if self.patience[0] < 0:
            raise TooLong
        match s:
            case ir.Block():
                return (yield from self.block(s.statements))
            case ir.Declare():
                if s.value is not None:
                    self.memory.write(self.place(s.variable), s.variable.type, (yield from self.value(s.value)))
            case ir.Store():
                yield from self.store(s)
            case ir.Evaluate():
                yield from self.value(s.expression)
            case ir.If():
                chosen = s.then if (yield from self.value(s.condition)) else s.otherwise
                return (yield from self.block(chosen.statements)) if chosen is not None else None
            case ir.Loop():
                return (yield from self.loop(s))
            case ir.Switch():
                return (yield from self.switch(s))
            case ir.Break():
                return "break"
            case ir.Continue():
                return "continue"
            case ir.Return():
                if s.value is not None:
                    result = self.results[-1]
                    assert result is not None
                    self.memory.write(self.place(result), result.type, (yield from self.value(s.value)))
                return "return"
            case ir.Barrier():
                yield from self.barrier(s)
            case _:
                raise NotImplementedError(type(s).__name__)
        return None

    def store(self, s: ir.Store) -> Steps:
        value = yield from self.value(s.value)
        address = yield from self.address(s.place)
        kind = type_of(s.place)
        if s.operator is not None:
            value = self.combine(s.operator, self.memory.read(address, kind), value, kind, s.value.type or kind)
        self.memory.write(address, kind, value)
        return value

    def loop(self, s: ir.Loop) -> Flow:
        yield from self.block(s.before.statements)
        first = s.test_last
        while first or s.condition is None or (yield from self.value(s.condition)):
            first = False
            left = yield from self.block(s.body.statements)
            if left == "return":
                return left
            if left == "break":
                break
            yield from self.block(s.step.statements)
        return None

    def switch(self, s: ir.Switch) -> Flow:
        value = yield from self.value(s.value)
        start = {label: index for labels, index in s.cases for label in labels}
        if value not in start and None not in start:
            return None
        left = yield from self.block(s.body[start.get(cast(int, value), start.get(None, 0)) :])
        return left if left != "break" else None

    def barrier(self, s: ir.Barrier) -> Flow:
        mask = (yield from self.value(s.mask)) if s.mask is not None else EVERYONE
        brought = (yield from self.value(s.predicate)) if s.predicate is not None else 0
        peers = yield WarpSync(s.scope, cast(int, mask) if s.scope is ir.Scope.WARP else EVERYONE, brought)
        if s.reduce is not None and s.target is not None:
            true = [bool(each) for each in peers.values()]
            result = {"count": sum(true), "and": int(all(true)), "or": int(any(true))}[s.reduce]
            self.memory.write(self.place(s.target), s.target.type, result)
        return None
