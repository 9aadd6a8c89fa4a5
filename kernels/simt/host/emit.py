"""Statements of host functions, emitted as LLVM's text; a function with its variables in the arena's stack."""

from __future__ import annotations

from dataclasses import replace

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.host.arena import GRANULE
from kernels.simt.host.code import type_text
from kernels.simt.host.expressions import NO_ROOM, Values, text_of
from kernels.simt.host.names import CALLER, NUMBER, SERVICES
from kernels.simt.host.places import Address, Shared, Spot, is_large, overlaps, parts

LONG = 120
"""Lines of a function of the library that stays a call: to make it part of what calls it takes LLVM long, and wins little."""


@dataclass(frozen=True, slots=True)
class _Around:
    """Where `return`, `break` and `continue` lead."""

    leave: str
    result: str | None
    kind: ir.Type | None
    depth: int = 0
    """How many blocks to be executed at an end there are outside."""
    stop: str = ""
    stop_depth: int = 0
    next: str = ""
    next_depth: int = 0


class Emitter(Values):
    """Emits the body of one function."""

    def __init__(self, shared: Shared, function: ir.Function, *, once: bool = False) -> None:
        """`once`: the function is executed no more than once."""
        super().__init__(shared, self._inline)
        self._function = function
        self.of_library = function.location == CALLER
        self.again = int(not once and not self.of_library)
        result = None if function.result is None else self.slot(type_text(function.result))
        self._around = [_Around("leave", result, function.result)]
        self._deferred: list[ir.Block] = []
        self._labels: dict[str, str] = {}
        self._landings: dict[tuple[object, ...], tuple[str, tuple[ir.Block, ...]]] = {}
        """Where the ways of exceptions begin, with the blocks that are executed on them: those are kept, as their numbers are the keys."""
        self._tries: list[tuple[int, str]] = []
        """Of the blocks that catch: how many deferred ones are outside, and where an exception leads."""
        self._handled: list[tuple[str, str]] = []
        """Of the exceptions that are being handled: where the object's address and its kind are kept."""

    def text(self) -> str:
        """Write the whole function."""
        function = self._function
        self.begin("start")
        for position, parameter in enumerate(function.parameters):
            self.store(self.spot(parameter), f"%p{position}", parameter.type, parameter.location)
        self.block(function.body)
        self.jump("leave")
        self.begin("leave")
        if self.grows:
            self.add(f"call void @give_back(i64 {self.base})")
        elif self.size:
            self._shade("0", self.size, self.base)
            self.add(f"store i64 {self.base}, ptr @stack")
        result = self._around[0].result
        kind = type_text(function.result)
        self.end("ret void" if result is None else f"ret {kind} {self.op(f'load {kind}, ptr {result}')}")
        parameters = ", ".join(f"{type_text(each.type)} %p{position}" for position, each in enumerate(function.parameters))
        apart = " noinline" if self.of_library and len(self.lines) > LONG else ""
        head = f"define internal {kind} @{self.shared.functions[function]}({parameters}) nounwind{apart} {{\nentry:\n"
        return head + "\n".join((*self._entry(), *self.lines, "}\n"))

    def _entry(self) -> list[str]:
        """Write the entry: room for the function's variables, and a look at whether there is any."""
        lines = ["  %base = load i64, ptr @stack", f"  %arguments = alloca i64, i64 {self.most_arguments}", *self.slots]
        if self.of_library:
            lines.append("  %caller = load i64, ptr @caller")
        site = self.shared.site(self._function.location, NO_ROOM)
        lines += [
            "  %frame = call ptr @llvm.frameaddress.p0(i32 0)",
            "  %here = ptrtoint ptr %frame to i64",
            "  %lowest = load i64, ptr @lowest",
            "  %deep = icmp ult i64 %here, %lowest",
            f"  %top = add i64 %base, {self.size}",
            f"  %high = icmp ugt i64 %top, {self.shared.layout.stack_end}",
            "  %over = or i1 %deep, %high",
            "  br i1 %over, label %full, label %room, !prof !1",
            "full:",
            f"  call void inttoptr (i64 {self.shared.fault} to ptr)(i64 0, i64 0, i64 {site})",
            "  br label %room",
            "room:",
        ]
        if self.size:
            lines.append("  store i64 %top, ptr @stack")
            body, self.lines, self._open = self.lines, [], True
            for offset, size in self.variables:
                self._light(offset, size)
            lines += self.lines
            self.lines = body
        return lines

    def _light(self, offset: int, size: int) -> None:
        """Mark the bytes of a variable as allocated."""
        start = self.op(f"add i64 {self.base}, {offset}")
        whole, rest = divmod(size, GRANULE)
        if whole:
            self._shade(str(GRANULE), whole * GRANULE, start)
        if rest:
            where = self._shadow(self.op(f"add i64 {start}, {whole * GRANULE}"))
            self.add(f"store i8 {rest}, ptr {where}")

    def _shade(self, value: str, size: int, start: str) -> None:
        self.add(f"call void @llvm.memset.p0.i64(ptr {self._shadow(start)}, i8 {value}, i64 {size // GRANULE}, i1 0)")

    def _shadow(self, address: str) -> str:
        layout = self.shared.layout
        granule = self.op(f"lshr i64 {self.op(f'sub i64 {address}, {layout.base}')}, {GRANULE.bit_length() - 1}")
        return self.op(f"getelementptr i8, ptr inttoptr (i64 {layout.shadow} to ptr), i64 {granule}")

    # ------------------------------------------------------------ statements

    def block(self, block: ir.Block) -> None:
        """Emit statements one after the other."""
        depth = len(self._deferred)
        for statement in block.statements:
            self.statement(statement)
        self._leave(depth)
        del self._deferred[depth:]

    def _leave(self, depth: int) -> None:
        """Emit what is to be executed when the blocks are left that began with so many of them deferred."""
        deferred = self._deferred
        for position in range(len(deferred) - 1, depth - 1, -1) if self._open else ():
            self._deferred = deferred[:position]
            self.block(deferred[position])
        self._deferred = deferred

    def statement(self, statement: ir.Statement) -> None:
        """Emit one statement."""
        match statement:
            case ir.Declare() | ir.Store() | ir.Evaluate() | ir.Launch():
                self._simple(statement)
            case ir.If():
                self._if(statement)
            case ir.Loop():
                self._loop(statement)
            case ir.Switch():
                self._switch(statement)
            case ir.Return():
                self._return(statement)
            case ir.Block():
                self.block(statement)
            case _:
                self._way(statement)

    def _way(self, statement: ir.Statement) -> None:
        """Emit what says where the program goes on."""
        match statement:
            case ir.Break() | ir.Continue():
                around, stops = self._around[-1], isinstance(statement, ir.Break)
                self._leave(around.stop_depth if stops else around.next_depth)
                self.jump(around.stop if stops else around.next)
            case ir.Label():
                self.begin(self._label(statement.name))
            case ir.Goto():
                self.jump(self._label(statement.name))
            case ir.Defer():
                self._deferred.append(statement.body)
            case ir.Throw():
                self._throw(statement)
            case ir.Try():
                self._try(statement)
            case _:
                raise AssertionError(statement)

    def _throw(self, statement: ir.Throw) -> None:
        if statement.value is not None:
            address, kind = self.value(statement.value), str(self.shared.thrown[statement.names])
            name = self.shared.site(statement.location, statement.names[0])
            self.served(NUMBER["__tilescope_throw"], [self.value(statement.what), str(name)], None, statement.location, "ii")
        else:
            address, kind = (self.op(f"load i64, ptr {each}") for each in self._handled[-1])
        self.add(f"store i64 {address}, ptr @thrown")
        self.add(f"store i64 {kind}, ptr @kind")
        self.unwind()

    def unwind(self) -> None:
        """Emit the way out of an exception: to what handles it, or out of the function. Ways that are the same are emitted once, where an
        exception comes first."""
        depth, label = self._tries[-1] if self._tries else (0, "leave")
        deferred, tries, end = self._deferred, self._tries, label
        while len(self._deferred) > depth:
            left = tuple(self._deferred)
            way = (*map(id, left), depth, label)
            if way in self._landings:
                end = self._landings[way][0]
                break
            self._landings[way] = self.fresh("landing"), left
            self.begin(self._landings[way][0])
            kept = [self.op(f"load i64, ptr {each}") for each in ("@thrown", "@kind")]
            self.add("store i64 0, ptr @thrown")
            self._tries = []
            self._leave(len(left) - 1)
            for value, place in zip(kept, ("@thrown", "@kind"), strict=True):
                self.add(f"store i64 {value}, ptr {place}")
            self._deferred, self._tries = list(left[:-1]), tries
        self._deferred = deferred
        self.jump(end)

    def _try(self, statement: ir.Try) -> None:
        depth, caught, done = len(self._deferred), self.fresh("caught"), self.fresh("done")
        self.value(statement.begin)
        self._tries.append((depth, caught))
        end = ir.Evaluate(statement.end, statement.location)
        self.block(ir.Block((ir.Defer(ir.Block((end,)), statement.location), statement.body)))
        self._tries.pop()
        self.jump(done)
        self.begin(caught)
        address, kind = self.op("load i64, ptr @thrown"), self.op("load i64, ptr @kind")
        for name, variable, body in statement.handlers:
            chosen, other = self.fresh("chosen"), self.fresh("other")
            numbers = [number for names, number in self.shared.thrown.items() if name is None or name in names]
            test = "0"
            for number in numbers:
                test = self.op(f"or i1 {test}, {self.op(f'icmp eq i64 {kind}, {number}')}")
            self.branch(test, chosen, other)
            self.begin(chosen)
            self._handled.append((self.slot("i64"), self.slot("i64")))
            for value, place in zip((address, kind), self._handled[-1], strict=True):
                self.add(f"store i64 {value}, ptr {place}")
            self.add("store i64 0, ptr @thrown")
            self.store(self.spot(variable), address, variable.type, statement.location)
            self.block(body)
            self._handled.pop()
            self.jump(done)
            self.begin(other)
        self.unwind()
        self.begin(done)

    def _label(self, name: str) -> str:
        if name not in self._labels:
            self._labels[name] = self.fresh("label")
        return self._labels[name]

    def _simple(self, statement: ir.Declare | ir.Store | ir.Evaluate | ir.Launch) -> None:
        match statement:
            case ir.Declare():
                spot = self.spot(statement.variable)
                if statement.value is not None:
                    self._put(spot, statement.value, statement.variable.type, statement.location, "")
            case ir.Store():
                self._store(statement)
            case ir.Evaluate():
                self.value(statement.expression)
            case ir.Launch():
                self._launch(statement)

    def _store(self, statement: ir.Store) -> None:
        place, value, text = statement.place, statement.value, text_of(statement.place)
        kind = ir.place_type(place)
        if statement.operator is None:
            self._put(self.place(place), value, kind, statement.location, text)
            return
        right, wide = self.value(value), value.type
        assert wide is not None
        spot = self.place(place)
        old = self.convert(self.load(spot, kind, statement.location, text), kind, wide)
        new = self.operation(statement.operator, old, right, wide, statement.location)
        self.store(spot, self.convert(new, wide, kind), kind, statement.location, text)

    def _put(self, spot: Spot, value: ir.Expression, kind: ir.Type, location: ir.Location, text: str) -> None:
        """Store a value: arrays element by element, large objects as bytes."""
        made = isinstance(spot, Address) and isinstance(value, ir.Make) and (isinstance(kind, ir.Array) or is_large(kind))
        if made and isinstance(spot, Address) and isinstance(value, ir.Make) and isinstance(kind, ir.Array | ir.Struct):
            self._put_parts(spot, value, kind, location, text)
            return
        if isinstance(spot, Address) and is_large(kind) and isinstance(value, ir.Load):
            source = self.place(value.place)
            if isinstance(source, Address):
                self.copy(spot, source, size_of(kind), location, text)
                return
        self.store(spot, self.value(value), kind, location, text)

    def _put_parts(self, spot: Address, value: ir.Make, kind: ir.Array | ir.Struct, location: ir.Location, text: str) -> None:
        if not spot.own:
            self.tell(spot.value, str(-size_of(kind)), self.shared.site(location, text))
        if isinstance(kind, ir.Array) and len(value.members) < kind.count:
            self.add(f"call void @llvm.memset.p0.i64(ptr {self.pointer(spot.value)}, i8 0, i64 {size_of(kind)}, i1 0)")
        for member, (part, offset) in list(zip(value.members, parts(kind), strict=False))[:: -1 if overlaps(kind) else 1]:
            self._put(self.moved(Address(spot.value, own=True), offset), member, part, location, text)

    def _if(self, statement: ir.If) -> None:
        yes, no, done = self.fresh("then"), self.fresh("else"), self.fresh("done")
        self.branch(self.code_of(statement.condition, ir.BOOL), yes, no)
        self.begin(yes)
        self.block(statement.then)
        self.jump(done)
        self.begin(no)
        if statement.otherwise is not None:
            self.block(statement.otherwise)
        self.begin(done)

    def _loop(self, statement: ir.Loop) -> None:
        test, body, step, done = (self.fresh(name) for name in ("test", "body", "step", "done"))
        before = len(self._deferred)
        for each in statement.before.statements:
            self.statement(each)
        depth = len(self._deferred)
        self.again += 1
        self.jump(body if statement.test_last else test)
        self.begin(test)
        if statement.condition is None:
            self.jump(body)
        else:
            self.branch(self.code_of(statement.condition, ir.BOOL), body, done)
        self.begin(body)
        outer = self._around[-1]
        self._around.append(replace(outer, stop=done, stop_depth=depth, next=step, next_depth=depth))
        self.block(statement.body)
        self._around.pop()
        self.begin(step)
        self.block(statement.step)
        self.jump(test)
        self.again -= 1
        self.begin(done)
        self._leave(before)
        del self._deferred[before:]

    def _switch(self, statement: ir.Switch) -> None:
        kind = statement.value.type
        done = self.fresh("done")
        labels = {index: self.fresh("case") for _, index in statement.cases}
        chosen = {value: labels[index] for values, index in statement.cases for value in values}
        other = chosen.pop(None, done)
        table = " ".join(f"{type_text(kind)} {value}, label %{label}" for value, label in chosen.items())
        self.end(f"switch {type_text(kind)} {self.value(statement.value)}, label %{other} [{table}]")
        outer = self._around[-1]
        depth = len(self._deferred)
        self._around.append(replace(outer, stop=done, stop_depth=depth))
        for index, each in enumerate(statement.body):
            if index in labels:
                self.begin(labels[index])
            self.statement(each)
        self._leave(depth)
        del self._deferred[depth:]
        self._around.pop()
        self.begin(done)

    def _return(self, statement: ir.Return) -> None:
        around = self._around[-1]
        if statement.value is not None and around.result is not None and around.kind is not None:
            self.add(f"store {type_text(around.kind)} {self.value(statement.value)}, ptr {around.result}")
        self._leave(around.depth)
        self.jump(around.leave)

    def _inline(self, expression: ir.Inlined) -> str:
        """Emit a body that is executed in place, to its value."""
        done = self.fresh("inlined")
        kind = expression.type
        result = None if kind is None else self.slot(type_text(kind))
        self._around.append(_Around(done, result, kind, len(self._deferred)))
        labels, self._labels = self._labels, {}
        self.block(expression.body)
        self._labels = labels
        self._around.pop()
        self.begin(done)
        return "" if result is None else self.op(f"load {type_text(kind)}, ptr {result}")

    def _launch(self, launch: ir.Launch) -> None:
        given = [*self._shape(launch.grid), *self._shape(launch.block)]
        given += [self.value(launch.shared_bytes), self.value(launch.stream)]
        for argument in launch.arguments:
            assert argument.type is not None
            given += self.scalars(self.value(argument), argument.type)
        self.shared.launches.append(launch)
        self.served(len(SERVICES) + len(self.shared.launches) - 1, given, None, launch.location)

    def _shape(self, shape: ir.Expression) -> list[str]:
        assert shape.type is not None
        assert len(list(leaves(shape.type))) == 3
        return [self.op(f"and i64 {each}, 4294967295") for each in self.scalars(self.value(shape), shape.type)]
