"""Loops over what has `begin` and `end`: the functions are called that the language has called, which libclang does not show."""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Cursor

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.host.calls import CallContext
from kernels.simt.lower import build
from kernels.simt.lower.cursors import defined
from kernels.simt.lower.types import VOID


@dataclass(frozen=True)
class _Calls:
    """Calls of the member functions of one object of a class without arguments, or with one."""

    context: CallContext
    location: ir.Location

    def find(self, kind: ir.Struct, name: str, given: int) -> Cursor | None:
        """Find a member function by its name and the number of its parameters: one that may change the object before one that may not."""
        found = [
            each
            for each in self.context.types.methods(kind)
            if each.spelling == name and len(list(each.get_arguments())) == given and each.type.get_canonical().kind.name == "FUNCTIONPROTO"
        ]
        return min(found, key=lambda each: bool(each.is_const_method()), default=None)

    def call(self, method: Cursor, place: ir.Place, *given: ir.Expression) -> ir.Expression:
        """Call a member function of the object at a place."""
        kind = ir.place_type(place)
        function = self.context.function(defined(method), kind)
        this = build.cast(build.address_of(place, self.location), VOID, self.location)
        return ir.Invoke(function, (this, *given), function.result, self.location)


def loop_over(
    context: CallContext, place: ir.Place, location: ir.Location, body: Callable[[ir.Place, list[ir.Statement]], ir.Block]
) -> list[ir.Statement] | None:
    """Make the loop over an object with `begin` and `end`; None where it has none. `body` is given each element's place."""
    kind, calls = ir.place_type(place), _Calls(context, location)
    if not isinstance(kind, ir.Struct):
        return None
    first, last = calls.find(kind, "begin", 0), calls.find(kind, "end", 0)
    if first is None or last is None:
        return None
    begin, end = calls.call(first, place), calls.call(last, place)
    iterator = build.temporary("iterator", build.type_of(begin), location)
    stop = build.temporary("end", build.type_of(end), location)
    steps = _steps(calls, iterator, stop)
    if steps is None:
        return None
    test, step, element, before = steps
    inner: list[ir.Statement] = list(before)
    done = body(element, inner)
    loop = ir.Loop(ir.Block(()), test, ir.Block((step,)), ir.Block((*inner, *done.statements)), test_last=False, location=location)
    return [ir.Declare(iterator, begin, location), ir.Declare(stop, end, location), loop]


def _steps(
    calls: _Calls, iterator: ir.Variable, stop: ir.Variable
) -> tuple[ir.Expression, ir.Statement, ir.Place, list[ir.Statement]] | None:
    """Make the test whether the end is reached, the step to the next element, the element, and what gives it."""
    here, location, kind = ir.Whole(iterator), calls.location, iterator.type
    if isinstance(kind, ir.Pointer):
        if kind.target is None:
            return None
        now = ir.Load(here, kind, location)
        differ = ir.BinaryOp(ir.Binary.NOT_EQUAL, now, ir.Load(ir.Whole(stop), stop.type, location), ir.BOOL, location)
        moved = ir.Store(here, build.offset(now, ir.Const(1, ir.I32), location), location)
        return differ, moved, ir.Deref(now, kind.target, location), []
    if not isinstance(kind, ir.Struct):
        return None
    differs, next_, star = calls.find(kind, "operator!=", 1), calls.find(kind, "operator++", 0), calls.find(kind, "operator*", 0)
    if differs is None or next_ is None or star is None:
        return None
    by_address = isinstance(calls.context.function(defined(differs), kind).parameters[1].type, ir.Pointer)
    other = build.address_of(ir.Whole(stop), location) if by_address else ir.Load(ir.Whole(stop), stop.type, location)
    value = calls.call(star, here)
    test, step = calls.call(differs, here, other), ir.Evaluate(calls.call(next_, here), location)
    if star.result_type.get_canonical().kind.name == "LVALUEREFERENCE":
        return test, step, ir.Deref(value, build.target_of(value), location), []
    held = build.temporary("element", build.type_of(value), location)
    return test, step, ir.Whole(held), [ir.Declare(held, value, location)]
