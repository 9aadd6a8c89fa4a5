"""Code of statements. Divergence is a mask for each part of the control flow that lanes can leave one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kernels.simt import ir
from kernels.simt.generate.build import Build, has_arrays
from kernels.simt.generate.expressions import Expressions
from kernels.simt.generate.loops import Loops
from kernels.simt.generate.operators import cast
from kernels.simt.generate.values import Leaves, Value, typed
from kernels.simt.generate.waiting_loops import MEET, Preempt
from kernels.simt.generate.walk import Node, descendants, ends_thread, leaves_function, may_end

GRID = "grid"
"""What is reduced where a block waits for all others: nothing."""
DEEPEST = 60
"""Python allows a hundred levels of indentation; beyond this depth lanes that left are not skipped, only masked."""


class Statements:
    """Makes the code of statements."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self.expressions = Expressions(build, self._inlined)
        self._loops = Loops(build, self.expressions, self)
        self._kinds: dict[type, Callable[[Any], None]] = {
            ir.Block: self.block, ir.Declare: self._declare, ir.Store: self._store, ir.Evaluate: self._evaluate, ir.If: self._if,
            ir.Loop: self._loops.loop, ir.Switch: self._loops.switch, ir.Break: self._loops.jump, ir.Continue: self._loops.jump,
            ir.Return: self._return, ir.Barrier: self._barrier, ir.Print: self._print, ir.Assertion: self._assertion,
            ir.Launch: self._launch,
        }  # fmt: skip

    def block(self, block: ir.Block) -> None:
        """Statements one after another; those after one that lanes may leave are skipped when none is left."""
        build, depth = self._build, self._build.source.depth
        for position, statement in enumerate(block.statements):
            self.statement(statement)
            simple = isinstance(statement, ir.Declare | ir.Store | ir.Evaluate)
            ends = simple and build.may_end(statement)
            if ends:
                build.flush_flops()
                build.source.line(f"{build.mask} = alive({build.mask})")
            if position + 1 < len(block.statements) and (ends if simple else escapes(statement)) and build.source.depth < DEEPEST:
                build.flush_flops()
                if isinstance(statement, ir.Return | ir.Break | ir.Continue):
                    break
                build.source.line(f"if {build.mask}:")
                build.source.depth += 1
        build.flush_flops()
        if build.source.depth > depth:
            build.source.line("pass")
        build.source.depth = depth

    def statement(self, node: ir.Statement) -> None:
        """One statement."""
        self._kinds[type(node)](node)

    def _evaluate(self, node: ir.Evaluate) -> None:
        self.expressions.leaves(node.expression)
        if ends_thread(node.expression):
            self._build.flush_flops()
            self._build.source.line(f"leave({self._build.mask})")
            self._build.source.line(f"{self._build.mask} = NONE")

    # ------------------------------------------------------------ variables

    def _declare(self, node: ir.Declare) -> None:
        build, variable = self._build, node.variable
        whole, value = ir.Whole(variable), node.value
        arrays = isinstance(value, ir.Make) and isinstance(variable.type, ir.Array)
        if variable not in build.uniformity.in_memory:
            if value is None or has_arrays(variable.type) or any(each == whole for each in descendants(value)):  # int x = x + 1;
                for register, code in zip(build.registers(variable), build.zeros(variable), strict=True):
                    build.source.line(f"{register} = {code}")
        elif arrays:
            build.source.line(f"c.clear({build.source.refer('REGION', build.regions[variable])}, {build.mask})")
        if arrays:
            self._fill(whole, value)
        elif value is not None:
            named = variable in build.named_products
            values = (self.expressions.name_product(variable, value),) if named else self.expressions.leaves(value)
            self._write(whole, values, variable.type, node.location)

    def _fill(self, place: ir.Place, value: ir.Expression | None) -> None:
        """The given elements of an array that is all zeros."""
        if not isinstance(value, ir.Make) or not isinstance(value.type, ir.Array):
            return
        for index, member in enumerate(value.members):
            element = ir.Element(place, ir.Const(index, ir.I32), value.type.element, value.location)
            if isinstance(member.type, ir.Array):
                self._fill(element, member)
            else:
                self._write(element, self.expressions.leaves(member), value.type.element, value.location)

    def _write(self, place: ir.Place, values: Leaves, c_type: ir.Type, location: ir.Location) -> None:
        places = self.expressions.places
        places.store(places.target(place), values, c_type, location)

    def _store(self, node: ir.Store) -> None:
        if node.operator is None:
            values = self.expressions.leaves(node.value)
            if len(values) > 1:  # the parts of a struct are read before any is written
                values = tuple(Value(self._build.source.hold(value.code), value.uniform, value.type) for value in values)
            self._write(node.place, values, node.value.type or ir.I32, node.location)
            return
        self._update(node, node.operator)

    def _update(self, node: ir.Store, operator: ir.Binary) -> None:
        """`place operator= value`."""
        expressions, places = self.expressions, self.expressions.places
        c_type, kind = ir.place_type(node.place), node.value.type or ir.I32
        if expressions.fuses(operator, c_type) and c_type == kind and expressions.is_factored(node.value):
            factors, target = expressions.product(node.value), places.target(node.place)
            (old,) = places.load(target, c_type, node.location)
            fused = expressions.fuse(factors, old, kind, negate_product=operator is ir.Binary.SUBTRACT)
            places.store(target, (fused,), c_type, node.location)
            return
        value = expressions.scalar(node.value)
        value = Value(self._build.source.hold(value.code), value.uniform, value.type) if places.in_memory(node.place) else value
        target = places.target(node.place)
        (old,) = places.load(target, c_type, node.location)
        new = expressions.combined(operator, cast(old, kind, fits=False), value, c_type=kind)
        places.store(target, (cast(new, c_type, fits=False),), c_type, node.location)

    # ------------------------------------------------------------ control flow

    def _if(self, node: ir.If) -> None:
        build = self._build
        condition = self.expressions.scalar(node.condition)
        build.flush_flops()
        if condition.uniform:
            with build.source.indented(f"if {condition.code}:"), build.region(node):
                self.block(node.then)
            if node.otherwise is not None:
                with build.source.indented("else:"), build.region(node):
                    self.block(node.otherwise)
            return
        then = build.source.hold(f"where({condition.code}, {build.mask})", "m")
        leaves = escapes(node)
        otherwise = build.source.hold(f"minus({build.mask}, {then})", "m") if leaves or node.otherwise is not None else ""
        with build.source.indented(f"if {then}:"), build.region(node, then):
            self.block(node.then)
        if node.otherwise is not None:
            with build.source.indented(f"if {otherwise}:"), build.region(node, otherwise):
                self.block(node.otherwise)
        if leaves:
            build.source.line(f"{build.mask} = union({then}, {otherwise})")

    def _return(self, node: ir.Return) -> None:
        build = self._build
        function = next((each for each in reversed(build.path) if isinstance(each, ir.Inlined)), None)
        if function is not None:
            self._loops.leave_function(function, node, self.expressions)
            return
        build.flush_flops()
        build.source.line(f"leave({build.mask})")
        if any(map(build.uniformity.divergent, build.path)):
            build.source.line(f"{build.mask} = NONE")
        else:
            build.source.line("return")

    def _inlined(self, node: ir.Inlined) -> Leaves:
        """A device function's body where it is called, and its result."""
        build = self._build
        build.flush_flops()
        if node.result is not None and node.result not in build.uniformity.in_memory:
            for register, code in zip(build.registers(node.result), build.zeros(node.result), strict=True):
                build.source.line(f"{register} = {code}")
        with self._loops.function(node) as mask, build.region(node, mask):
            self.block(node.body)
        if build.may_end(node.body):
            build.source.line(f"{build.mask} = alive({build.mask})")
        if node.result is None or node.type is None:
            return ()
        places = self.expressions.places
        result = places.load(places.target(ir.Whole(node.result)), node.type, node.location)
        return tuple(Value(build.source.hold(value.code), value.uniform, value.type) for value in result)

    # ------------------------------------------------------------ synchronising and telling

    def _barrier(self, node: ir.Barrier) -> None:
        build = self._build
        build.flush_flops()
        if node.scope is ir.Scope.WARP:
            named = "0xFFFFFFFF" if node.mask is None else self.expressions.scalar(node.mask).code
            number = build.location(node.location)
            if build.preempt >= Preempt.ACCESSES:
                build.source.line(f"yield {number}, {build.mask}, {MEET!r}, {named}")
            else:
                build.source.line(f"c.meet_warp({number}, {build.mask}, {named})")
            return
        predicate = "True" if node.predicate is None else self.expressions.scalar(node.predicate).code
        number, name = build.location(node.location), build.source.name("t")
        reduce = GRID if node.scope is ir.Scope.GRID else node.reduce
        build.source.line(f"{name} = yield {number}, {build.mask}, {reduce!r}, {predicate}")
        if node.target is not None:
            result = cast(Value(name, True, ir.I32), node.target.type, fits=False)  # noqa: FBT003 - uniform
            self._write(ir.Whole(node.target), (result,), node.target.type, node.location)

    def _print(self, node: ir.Print) -> None:
        values = [value for given in self.expressions.in_order(node.arguments) for value in given]
        codes = ", ".join(typed(value) for value in values)
        self._build.source.line(f"c.print_formatted({self._build.mask}, {node.format!r}, [{codes}])")

    def _launch(self, node: ir.Launch) -> None:
        build = self._build
        parts = (node.grid, node.block, node.shared_bytes, node.stream, *node.arguments)
        values = [value for given in self.expressions.in_order(parts) for value in given]
        codes = ", ".join(typed(value) for value in values)
        build.source.line(f"c.launch({build.location(node.location)}, {build.mask}, {node.entry!r}, [{codes}])")

    def _assertion(self, node: ir.Assertion) -> None:
        build = self._build
        condition = self.expressions.scalar(node.condition)
        build.flush_flops()
        number = build.location(node.location)
        failed = build.source.hold(f"minus({build.mask}, where({condition.code}, {build.mask}))", "m")
        with build.source.indented(f"if {failed}:"):
            build.source.line(f"c.fail_assertion({number}, {failed}, {node.text!r})")
            build.source.line(f"leave({failed})")
            build.source.line(f"{build.mask} = alive({build.mask})")


def escapes(node: Node) -> bool:
    """Whether lanes may leave the node other than at its end."""
    match node:
        case ir.Return() | ir.Break() | ir.Continue():
            return True
        case ir.Block():
            return any(map(escapes, node.statements))
        case ir.If():
            below = escapes(node.then) or (node.otherwise is not None and escapes(node.otherwise))
            return below or may_end(node.condition)
        case ir.Loop():
            return leaves_function(node)
        case ir.Switch():
            return leaves_function(node) or any(isinstance(each, ir.Continue) for each in descendants(node))
    return may_end(node)
