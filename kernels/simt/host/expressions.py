"""Expressions of host functions, emitted to values; and the places that they stand for."""

from __future__ import annotations

from collections.abc import Callable

from kernels.simt import ir
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.host.code import DIVISIONS, constant, is_float, is_signed, type_text
from kernels.simt.host.names import BACK, BYTES, CALLER, INTRINSICS, MATHEMATICS, NUMBER, RANDOM, ROOM, STACK
from kernels.simt.host.places import Address, FunctionCode, Shared, Slot, Spot

NO_DIVISION = "division"
"""The text of a site that is no access but a division by zero."""
NO_ROOM = "stack "
"""How the text of a site begins that is no access but what the stack has no room for: a call, or the array that is named behind."""


class Values(FunctionCode):
    """Emits expressions. `inlined` emits a body that is executed in place."""

    def __init__(self, shared: Shared, inlined: Callable[[ir.Inlined], str]) -> None:
        super().__init__(shared)
        self._inlined = inlined
        self.most_arguments = 1
        self.of_library = False
        self.grows = False
        """It takes memory on the stack until it ends, and how much is known only when it runs."""

    def unwind(self) -> None:
        """Emit the way out of an exception: to what handles it, or out of the function."""
        raise NotImplementedError

    def check_thrown(self, called: ir.Function) -> None:
        """After a call, go on only where it has thrown nothing."""
        if called in self.shared.throwing:
            calm, thrown = self.fresh("calm"), self.fresh("thrown")
            nothing = self.op(f"icmp eq i64 {self.op('load i64, ptr @thrown')}, 0")
            self.end(f"br i1 {nothing}, label %{calm}, label %{thrown}, !prof !0")
            self.begin(thrown)
            self.unwind()
            self.begin(calm)

    def place(self, place: ir.Place) -> Spot:
        """Find the spot of a place; what stands in the arena is checked when it is accessed."""
        match place:
            case ir.Whole():
                return self.spot(place.variable)
            case ir.Deref():
                return Address(self.value(place.pointer))
            case ir.Member():
                record = self.place(place.record)
                if isinstance(record, Address):
                    return self.moved(record, place.field.offset)
                outer = ir.place_type(place.record)
                assert isinstance(outer, ir.Struct)
                text = f"getelementptr {type_text(outer)}, ptr {record.name}, i32 0, i32 {outer.fields.index(place.field)}"
                return Slot(self.op(text))
            case ir.Element():
                array = self.place(place.array)
                assert isinstance(array, Address)
                return Address(self.advanced(array.value, place.index, size_of(place.type)))

    def advanced(self, address: str, index: ir.Expression, size: int) -> str:
        """Give the address `index` elements further."""
        if isinstance(index, ir.Const) and index.value == 0:
            return address
        count = self.code_of(index, ir.I64)
        scaled = count if size == 1 else self.op(f"mul i64 {count}, {size}")
        return self.op(f"add i64 {address}, {scaled}")

    def code_of(self, expression: ir.Expression, kind: ir.Type) -> str:
        """Emit an expression, converted."""
        return self.convert(self.value(expression), expression.type, kind)

    def value(self, expression: ir.Expression) -> str:
        """Emit an expression to its value; nothing for one without."""
        match expression:
            case ir.Const():
                return self._constant(expression)
            case ir.Load():
                place = self.place(expression.place)
                return self.load(place, expression.type, expression.location, text_of(expression.place), around=expression.around)
            case ir.AddressOf() | ir.Offset() | ir.Difference():
                return self._pointer(expression)
            case ir.UnaryOp():
                return self._unary(expression)
            case ir.BinaryOp():
                return self.binary(expression.operator, self.value(expression.left), expression.left.type, expression)
            case ir.ShortCircuit():
                return self._short_circuit(expression)
            case ir.Select():
                return self._select(expression)
            case ir.Cast():
                return self.code_of(expression.operand, expression.type)
            case _:
                return self._other(expression)

    def _other(self, expression: ir.Expression) -> str:
        match expression:
            case ir.Make():
                return self._make(expression)
            case ir.Extract():
                record = expression.record.type
                assert isinstance(record, ir.Struct)
                number = record.fields.index(expression.field)
                return self.op(f"extractvalue {type_text(record)} {self.value(expression.record)}, {number}")
            case ir.Assign():
                spot, value = self.place(expression.place), self.value(expression.value)
                self.store(spot, value, expression.type, expression.location, text_of(expression.place))
                return value
            case ir.Increment():
                return self._increment(expression)
            case ir.Invoke():
                return self._invoke(expression)
            case ir.Call():
                return self._call(expression)
            case ir.Inlined():
                return self._inlined(expression)
        raise AssertionError(expression)

    def _constant(self, expression: ir.Const) -> str:
        if isinstance(expression.type, ir.Scalar) and expression.type.kind is ir.Kind.FLOAT and expression.type.size == 2:
            return self.op(f"fptrunc double {constant(expression.value, ir.F64)} to {type_text(expression.type)}")
        return constant(expression.value, expression.type)

    def _pointer(self, expression: ir.AddressOf | ir.Offset | ir.Difference) -> str:
        if isinstance(expression, ir.AddressOf):
            spot = self.place(expression.place)
            assert isinstance(spot, Address)
            return spot.value
        if isinstance(expression, ir.Offset):
            target = expression.type.target if isinstance(expression.type, ir.Pointer) else None
            return self.advanced(self.value(expression.pointer), expression.index, size_of(target))
        kind = expression.left.type
        target = kind.target if isinstance(kind, ir.Pointer) else None
        distance = self.op(f"sub i64 {self.value(expression.left)}, {self.value(expression.right)}")
        return self.op(f"sdiv i64 {distance}, {max(size_of(target), 1)}")

    def _unary(self, expression: ir.UnaryOp) -> str:
        value, text = self.value(expression.operand), type_text(expression.type)
        if expression.operator is ir.Unary.NOT:
            return self.op(f"xor i1 {self.convert(value, expression.operand.type, ir.BOOL)}, 1")
        if expression.operator is ir.Unary.COMPLEMENT:
            return self.op(f"xor {text} {value}, -1")
        return self.op(f"fneg {text} {value}" if is_float(expression.type) else f"sub {text} 0, {value}")

    def binary(self, operator: ir.Binary, left: str, kind: ir.Type | None, of: ir.BinaryOp) -> str:
        """Emit an operation on a left value that is there already."""
        assert kind is not None
        right = self.value(of.right)
        if operator in (ir.Binary.SHIFT_LEFT, ir.Binary.SHIFT_RIGHT):
            right = self.convert(right, of.right.type, kind)
        return self.operation(operator, left, right, kind, of.location)

    def operation(self, operator: ir.Binary, left: str, right: str, kind: ir.Type, location: ir.Location) -> str:
        """Emit an operation on two values of one type; integers are not divided by zero."""
        if operator in DIVISIONS and not is_float(kind):
            right = self._divisor(left, right, kind, location)
        return self.arithmetic(operator, left, right, kind)

    def _divisor(self, left: str, right: str, kind: ir.Type, location: ir.Location) -> str:
        text = type_text(kind)
        wrong = self.op(f"icmp eq {text} {right}, 0")
        if is_signed(kind):
            least = -(1 << (8 * size_of(kind) - 1))
            overflow = self.op(f"and i1 {self.op(f'icmp eq {text} {left}, {least}')}, {self.op(f'icmp eq {text} {right}, -1')}")
            wrong = self.op(f"or i1 {wrong}, {overflow}")
        fine, slow = self.fresh("fine"), self.fresh("slow")
        self.end(f"br i1 {wrong}, label %{slow}, label %{fine}, !prof !1")
        self.begin(slow)
        self.tell("0", "0", self.shared.site(location, NO_DIVISION))
        self.begin(fine)
        return self.op(f"select i1 {wrong}, {text} 1, {text} {right}")

    def _short_circuit(self, expression: ir.ShortCircuit) -> str:
        result, more, done = self.slot("i1"), self.fresh("more"), self.fresh("done")
        first = self.code_of(expression.left, ir.BOOL)
        self.add(f"store i1 {first}, ptr {result}")
        self.branch(first, *((more, done) if expression.conjunction else (done, more)))
        self.begin(more)
        self.add(f"store i1 {self.code_of(expression.right, ir.BOOL)}, ptr {result}")
        self.begin(done)
        return self.op(f"load i1, ptr {result}")

    def _select(self, expression: ir.Select) -> str:
        text = type_text(expression.type)
        result, yes, no, done = self.slot(text), self.fresh("yes"), self.fresh("no"), self.fresh("done")
        self.branch(self.code_of(expression.condition, ir.BOOL), yes, no)
        for label, side in ((yes, expression.yes), (no, expression.no)):
            self.begin(label)
            self.add(f"store {text} {self.value(side)}, ptr {result}")
            self.jump(done)
        self.begin(done)
        return self.op(f"load {text}, ptr {result}")

    def _make(self, expression: ir.Make) -> str:
        value, whole = "zeroinitializer", type_text(expression.type)
        for number, member in enumerate(expression.members):
            value = self.op(f"insertvalue {whole} {value}, {type_text(member.type)} {self.value(member)}, {number}")
        return value

    def _increment(self, expression: ir.Increment) -> str:
        spot, kind, text = self.place(expression.place), expression.type, text_of(expression.place)
        old = self.load(spot, kind, expression.location, text)
        if isinstance(kind, ir.Pointer):
            new = self.op(f"add i64 {old}, {expression.by * size_of(kind.target)}")
        elif kind == ir.BOOL:
            new = "1"
        else:
            new = self.arithmetic(ir.Binary.ADD, old, constant(expression.by, kind), kind)
        self.store(spot, new, kind, expression.location, text)
        return new if expression.prefix else old

    def _invoke(self, expression: ir.Invoke) -> str:
        name = self.shared.functions[expression.function]
        values = [f"{type_text(each.type)} {self.value(each)}" for each in reversed(expression.arguments)]  # as the GNU compiler does
        arguments = ", ".join(reversed(values))
        call = f"call {type_text(expression.type)} @{name}({arguments}){'' if self.again else ' noinline'}"
        library, within = expression.function.location == CALLER, expression.location == CALLER
        if library and not within:
            self.add(f"store i64 {self.shared.site(expression.location)}, ptr @caller")
        found = "" if expression.type is None else self.op(call)
        if expression.type is None:
            self.add(call)
        if self.of_library and not (library and within):
            self.add("store i64 %caller, ptr @caller")
        self.check_thrown(expression.function)
        return found

    def _call(self, expression: ir.Call) -> str:
        name = expression.name
        if name in MATHEMATICS:
            return self._mathematics(expression)
        if name in RANDOM:
            arguments = ", ".join([f"i32 {self.value(each)}" for each in expression.arguments])
            return self.op(f"call i32 @tilescope_{name}({arguments})")
        if name.removeprefix("__") in BYTES:
            return self._on_bytes(expression)
        if name in (BACK, STACK) or name.startswith(ROOM):
            return self._on_stack(expression)
        given = [self.bits(self.value(each), each.type) for each in reversed(expression.arguments)][::-1]
        kinds = "".join("f" if is_float(each.type) else "i" for each in expression.arguments)
        return self.served(NUMBER[name], given, expression.type, expression.location, kinds)

    def _on_bytes(self, expression: ir.Call) -> str:
        """Copy bytes, or fill them with a value."""
        to, given, size = (self.code_of(each, ir.I64) for each in expression.arguments)
        name = expression.name.removeprefix("__")
        site = self.shared.site(expression.location, name if name == expression.name else "")
        self.add(f"call void @{'fill' if name == 'memset' else 'copy'}(i64 {to}, i64 {given}, i64 {size}, i64 {site})")
        return to

    def _on_stack(self, expression: ir.Call) -> str:
        """Take memory on the program's stack, or give it back."""
        value = self.value(expression.arguments[0])
        if expression.name == BACK:
            self.add(f"call void @give_back(i64 {value})")
            return ""
        self.grows |= expression.name == STACK
        site = self.shared.site(expression.location, NO_ROOM + expression.name.removeprefix(ROOM))
        return self.op(f"call i64 @room(i64 {value}, i64 {site})")

    def served(self, number: int, given: list[str], kind: ir.Type | None, location: ir.Location, kinds: str = "") -> str:
        """Emit a call of what is answered outside of the compiled program; `kinds` has an "f" for each argument that is a float."""
        self.most_arguments = max(self.most_arguments, len(given))
        for position, value in enumerate(given):
            self.add(f"store i64 {value}, ptr {self.op(f'getelementptr i64, ptr %arguments, i64 {position}')}")
        site = self.shared.site(location, kinds)
        call = f"call i64 inttoptr (i64 {self.shared.serve} to ptr)(i64 {number}, i64 {site}, ptr %arguments, i64 {len(given)})"
        found = self.op(call)
        return "" if kind is None else self.from_bits(found, kind)

    def _mathematics(self, expression: ir.Call) -> str:
        kind = expression.type
        assert isinstance(kind, ir.Scalar)
        text, name = type_text(kind), MATHEMATICS[expression.name]
        arguments = ", ".join([f"{text} {self.value(each)}" for each in expression.arguments])
        own = f"{name}f" if kind.size == 4 else name
        function = f"llvm.{name}.f{8 * kind.size}" if name in INTRINSICS else own
        types = ", ".join(text for _ in expression.arguments)
        self.shared.outside[function] = f"declare {text} @{function}({types})"
        return self.op(f"call {text} @{function}({arguments})")

    def scalars(self, value: str, kind: ir.Type) -> list[str]:
        """Give the scalars of a value one by one, each as 64 bits: a struct's in the order of `layout.leaves`."""
        if isinstance(kind, ir.Scalar | ir.Pointer):
            return [self.bits(value, kind)]
        assert isinstance(kind, ir.Struct | ir.Array)
        inner = [member.type for member in kind.fields] if isinstance(kind, ir.Struct) else [kind.element] * kind.count
        found = []
        for number, part in enumerate(inner):
            found += self.scalars(self.op(f"extractvalue {type_text(kind)} {value}, {number}"), part)
        assert len(found) == sum(1 for _ in leaves(kind))
        return found


def text_of(place: ir.Place) -> str:
    """Give a place as it is written."""
    return place.variable.name if isinstance(place, ir.Whole) else place.text
