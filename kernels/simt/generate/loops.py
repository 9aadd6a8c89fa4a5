"""Code of loops and switches, and of the jumps that leave them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kernels.simt import ir
from kernels.simt.generate.build import Build
from kernels.simt.generate.expressions import Expressions
from kernels.simt.generate.loop_counters import LoopCounter
from kernels.simt.generate.uniformity import tail
from kernels.simt.generate.values import Value, typed
from kernels.simt.generate.walk import Node, descendants, leaves_function

if TYPE_CHECKING:
    from kernels.simt.generate.statements import Statements


_SHORT = 256
"""Statements that may be executed without a look at the budget."""


class Loops:
    """Makes the code of loops. `_continued` names, for each loop around, the mask of the lanes that wait for its next round."""

    def __init__(self, build: Build, expressions: Expressions, statements: Statements) -> None:
        self._build = build
        self._expressions = expressions
        self._statements = statements
        self._continued: dict[int, str] = {}
        self._returned: dict[int, str] = {}
        """For each divergent device function around, the mask of the lanes that returned from it."""
        self._plain: set[int] = set()
        """The loops that are Python's `for`, which steps by itself."""

    def loop(self, loop: ir.Loop) -> None:
        """for, while and do."""
        build = self._build
        counter = build.ranges.counter(loop)
        uniform_counter = (
            counter is not None and not build.uniformity.varies(counter.variable) and not build.uniformity.varying(counter.bound)
        )
        before = loop.before.statements[:-1] if uniform_counter else loop.before.statements
        for statement in before:
            self._statements.statement(statement)
        outer = build.mask
        divergent = build.uniformity.divergent(loop)
        if divergent:
            build.flush_flops()
        mask = build.source.hold(outer, "m") if divergent else outer
        if counter is not None and uniform_counter:
            self._counted(loop, counter, mask)
        else:
            self._general(loop, mask)
        if divergent and leaves_function(loop):
            self._keep_present()

    def _counted(self, loop: ir.Loop, counter: LoopCounter, mask: str) -> None:
        build = self._build
        first, bound = self._expressions.scalar(counter.first), self._expressions.scalar(counter.bound)
        (name,) = build.registers(counter.variable)
        self._plain.add(id(loop))
        last = f"{bound.code} + 1" if counter.inclusive else bound.code
        header = f"for {name} in range({first.code}, {last}, {counter.step}):"
        if self._work(loop):
            self._straight(loop, header)
            return
        build.flush_flops()
        with build.source.indented(header), build.region(loop, mask):
            self._tick(loop)
            self._body(loop, mask)
            if build.uniformity.divergent(loop) or leaves_function(loop):
                self._stop_unless(mask)

    def _straight(self, loop: ir.Loop, header: str) -> None:
        """A short loop without branches: its operations are counted once for all rounds, and the budget is looked at outside."""
        build, trips = self._build, self._build.ranges.trips(loop) or 0
        before = build.take_flops()
        with build.source.indented(header), build.region(loop), build.region(loop.body):
            for statement in loop.body.statements:
                self._statements.statement(statement)
            within = build.take_flops()
        build.count_flops(before + trips * within)

    def _work(self, node: Node) -> int:
        """About how many statements it executes, if that is known to be few and none of them branches; else 0."""
        if isinstance(node, ir.Declare | ir.Store | ir.Evaluate):
            return 0 if any(map(self._expressions.choices.branches, descendants(node))) else 1
        if not isinstance(node, ir.Loop) or self._build.uniformity.divergent(node):
            return 0
        works = [self._work(statement) for statement in node.body.statements]
        total = sum(works) * (self._build.ranges.trips(node) or 0)
        return total if all(works) and total <= _SHORT else 0

    def _general(self, loop: ir.Loop, mask: str) -> None:
        build = self._build
        build.flush_flops()
        behind = build.waiting.behind(loop)
        again = "" if behind is None else build.source.hold("False", "again")
        with build.source.indented("while True:"), build.region(loop, mask):
            self._tick(loop)
            if again:
                with build.source.indented(f"if {again}:"):
                    build.give_way(loop.location, behind)
                build.source.line(f"{again} = True")
            if not loop.test_last:
                self._test(loop, mask)
            self._body(loop, mask)
            if build.uniformity.divergent(loop) or leaves_function(loop):
                self._stop_unless(mask)
            self._statements.block(loop.step)
            if loop.test_last:
                self._test(loop, mask)

    def _tick(self, loop: ir.Loop) -> None:
        """Look at the budget now and then."""
        source = self._build.source
        source.line("ticks -= 1")
        with source.indented("if ticks < 0:"):
            source.line(f"ticks = c.check_budget({self._build.location(loop.location)})")

    def _test(self, loop: ir.Loop, mask: str) -> None:
        """Leave the loop where its condition is false."""
        if loop.condition is None:
            return
        build = self._build
        condition = self._expressions.scalar(loop.condition)
        build.flush_flops()
        if condition.uniform:
            self._stop_unless(condition.code)
        else:
            build.source.line(f"{mask} = where({condition.code}, {mask})")
            self._stop_unless(mask)

    def _stop_unless(self, code: str) -> None:
        with self._build.source.indented(f"if not {code}:"):
            self._build.source.line("break")

    def _body(self, loop: ir.Loop, mask: str) -> None:
        """One round, and who is left after it."""
        build, source = self._build, self._build.source
        leaves = build.uniformity.divergent(loop)
        parts = build.uniformity.divergent(loop.body) or (leaves and any(isinstance(each, ir.Continue) for each in descendants(loop.body)))
        own = parts or leaves
        inner = source.hold(mask, "m") if own else mask
        if parts:
            self._continued[id(loop)] = source.hold("NONE", "m")
        with build.region(loop.body, inner):
            self._statements.block(loop.body)
        if own:
            left = f"union({inner}, {self._continued[id(loop)]})" if parts else inner
            if leaves:
                source.line(f"{mask} = {left}")
            elif leaves_function(loop):
                self._keep_present()

    # ------------------------------------------------------------ jumps

    def jump(self, node: ir.Break | ir.Continue) -> None:
        """Leave the loop or switch, or its round."""
        build, source = self._build, self._build.source
        build.flush_flops()
        target = self._target(isinstance(node, ir.Continue))
        if isinstance(node, ir.Break):
            if isinstance(target, ir.Loop) and not build.uniformity.divergent(target):
                source.line("break")
            else:
                source.line(f"{build.mask} = NONE")
            return
        assert isinstance(target, ir.Loop)
        waiting = self._continued.get(id(target))
        if waiting is not None:
            source.line(f"{waiting} = union({waiting}, {build.mask})")
            source.line(f"{build.mask} = NONE")
            return
        if id(target) not in self._plain:
            self._statements.block(target.step)
        source.line("continue")

    def _target(self, continues: bool) -> Node:
        kinds = ir.Loop if continues else ir.Loop | ir.Switch
        return next(each for each in reversed(self._build.path) if isinstance(each, kinds))

    def leave_function(self, function: ir.Inlined, node: ir.Return, expressions: Expressions) -> None:
        """Return from a device function."""
        build = self._build
        if node.value is not None:
            values = expressions.leaves(node.value)
            if function.result is not None:
                kept = tuple(Value(build.source.hold(value.code), value.uniform, value.type) for value in values)
                places = expressions.places
                places.store(places.target(ir.Whole(function.result)), kept, function.result.type, node.location)
        build.flush_flops()
        if not any(each is node for each in tail(function.body)):
            gone = self._returned[id(function)]
            build.source.line(f"{gone} = union({gone}, {build.mask})")
            build.source.line(f"{build.mask} = NONE")

    @contextmanager
    def function(self, node: ir.Inlined) -> Iterator[str | None]:
        """The body of a device function: the mask that its lanes have for themselves, if they may return one by one."""
        source = self._build.source
        if not self._build.uniformity.divergent(node):
            yield None
            return
        self._returned[id(node)] = source.hold("NONE", "m")
        yield source.hold(self._build.mask, "m")

    def _keep_present(self) -> None:
        """Take from the mask the lanes that left the function, or ended, in what was just executed."""
        build = self._build
        around = next((each for each in reversed(build.path) if isinstance(each, ir.Inlined)), None)
        if around is not None and id(around) in self._returned:
            build.source.line(f"{build.mask} = minus({build.mask}, {self._returned[id(around)]})")
        build.source.line(f"{build.mask} = alive({build.mask})")

    # ------------------------------------------------------------ switch

    def switch(self, node: ir.Switch) -> None:
        """A switch with cases that fall through: each part of the body for the lanes that enter there or come from above."""
        build, source = self._build, self._build.source
        value = self._expressions.scalar(node.value)
        value = Value(source.hold(typed(value)), False, value.type)  # noqa: FBT003 - as a lane value
        build.flush_flops()
        entries = self._entries(node, value.code)
        mask = source.hold("NONE", "m")
        starts = sorted(entries)
        for start, end in zip(starts, [*starts[1:], len(node.body)], strict=True):
            source.line(f"{mask} = union({mask}, {entries[start]})")
            with source.indented(f"if {mask}:"), build.region(node, mask):
                self._statements.block(ir.Block(node.body[start:end]))
        if leaves_function(node):
            self._keep_present()
        around = next((each for each in reversed(build.path) if isinstance(each, ir.Loop)), None)
        if around is not None and any(isinstance(each, ir.Continue) for each in descendants(node)):
            source.line(f"{build.mask} = minus({build.mask}, {self._continued.get(id(around), 'NONE')})")

    def _entries(self, node: ir.Switch, value: str) -> dict[int, str]:
        """Masks of the lanes that enter at each start."""
        source, mask = self._build.source, self._build.mask
        rest = source.hold(mask, "m")
        entries: dict[int, str] = {}
        default: int | None = None
        for values, start in node.cases:
            tests = [f"({value} == {each})" for each in values if each is not None]
            if None in values:
                default = start
            if tests:
                entered = source.hold(f"where({' | '.join(tests)}, {rest})", "m")
                source.line(f"{rest} = minus({rest}, {entered})")
                entries[start] = source.hold(f"union({entries[start]}, {entered})", "m") if start in entries else entered
        if default is not None:
            entries[default] = source.hold(f"union({entries[default]}, {rest})", "m") if default in entries else rest
        return entries
