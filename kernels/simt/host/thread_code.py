"""A kernel as LLVM's text: what a thread executes, with the places where it waits for its block; and its blocks, one after the other."""

from __future__ import annotations

import ctypes
from importlib.resources import files
from typing import Any

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves
from kernels.simt.generate.walk import descendants
from kernels.simt.host.arena import Layout
from kernels.simt.host.code import type_text
from kernels.simt.host.module import machine_code
from kernels.simt.host.places import Shared, Slot, is_large
from kernels.simt.host.thread_functions import ThreadFunctions
from kernels.simt.host.threads import FIELD, MANY, NotCompiled, Plan

LAST_EPOCH = 0xE0000000
"""Tags are numbers of 32 bits: where an interval begins beyond this, they are counted anew before the next block."""
DIVERGED = 6
"""What a core says where threads of a block wait at different barriers, or not all of them."""
_NOWHERE = Layout(0, 0, 0, 0, 0)
IN_WARP = 1 << 30
"""What is added to the status of a thread that waits for its warp alone."""
FELL_OFF = -1
"""What a thread leaves as its status that came to the end of the kernel; one that returned leaves less, by the place of that return."""


class ThreadCode(ThreadFunctions):
    """Emits the body of a kernel."""

    _places = 0
    """Barriers and returns so far: the number of the next one, in the order of the text."""

    def text(self) -> str:
        """Write the whole function. Raises NotCompiled."""
        plan = self.plan
        self._refuse()
        self.begin("start")
        if plan.waits:
            self.add(f"store i32 {FELL_OFF}, ptr %ended")
        self._take_up()
        self._parameters()
        self.block(plan.kernel.body)
        self.jump("leave")
        self.begin("leave")
        if plan.waits:
            self._tell(self.op("load i32, ptr %ended"))
            self.end("br label %last")
            return "\n".join((_HEAD_WAITING, *self._entry_lines(), *self.lines, _FOOT_WAITING))
        self.end("ret void")
        return "\n".join((_HEAD, *self._entry_lines(), *self.lines, "}\n"))

    def _refuse(self) -> None:
        for node in descendants(self.plan.kernel.body):
            kind = getattr(node, "type", None)
            if isinstance(kind, ir.Scalar) and kind.kind is ir.Kind.FLOAT and kind.size == 2:
                raise NotCompiled(message("Numbers of 16 bits are computed by the interpreter."))

    def _entry_lines(self) -> list[str]:
        lines = ["  %now = alloca i32", "  %me = alloca i32", "  %ended = alloca i32"]
        for name, told in (("reads", "reads"), ("writes", "writes"), ("shared", "shared"), ("locals", "local")):
            lines.append(f"  %at_{name} = getelementptr i64, ptr %core, i64 {FIELD[told]}\n  %{name} = load i64, ptr %at_{name}")
        lines.append(f"  %wide = zext i32 %tid to i64\n  %behind = mul i64 %wide, {self.plan.local}\n  %local = add i64 %locals, %behind")
        for axis, size in zip("xyz", self.plan.block, strict=True):
            lines.append(f"  %in{axis} = icmp ult i32 %t{axis}, {size}\n  call void @llvm.assume(i1 %in{axis})")
        return [*lines, *self.slots]

    def _take_up(self) -> None:
        """Learn which interval between barriers it is."""
        now = self.op(f"trunc i64 {self.field('epoch')} to i32")
        self.add(f"store i32 {now}, ptr %now")
        self.add(f"store i32 {self.op(f'add i32 {now}, %tid')}, ptr %me")

    def _tell(self, status: str) -> None:
        place = self.op(f"getelementptr i32, ptr {self.pointer(self.field('status'))}, i32 %tid")
        self.add(f"store i32 {status}, ptr {place}")

    def _parameters(self) -> None:
        position = 0
        for parameter in self.plan.kernel.parameters:
            values = []
            for _, kind, _ in leaves(parameter.type):
                values.append(self.from_bits(self.field("first", position), kind))
                position += 1
            value, rest = self._built(parameter.type, values)
            assert not rest
            self.store(self.spot(parameter), value, parameter.type, parameter.location)

    def _built(self, kind: ir.Type, values: list[str]) -> tuple[str, list[str]]:
        """Put the scalars of a value together."""
        if isinstance(kind, ir.Scalar | ir.Pointer):
            return values[0], values[1:]
        inner = [member.type for member in kind.fields] if isinstance(kind, ir.Struct) else [kind.element] * kind.count
        whole = "zeroinitializer"
        for number, part in enumerate(inner):
            value, values = self._built(part, values)
            whole = self.op(f"insertvalue {type_text(kind)} {whole}, {type_text(part)} {value}, {number}")
        return whole, values

    # ------------------------------------------------------------ statements

    def statement(self, statement: ir.Statement) -> None:
        """Emit one statement."""
        match statement:
            case ir.Barrier():
                if statement.scope is ir.Scope.BLOCK:
                    self._barrier(statement)
            case ir.Assertion():
                self.require(self.code_of(statement.condition, ir.BOOL), 4)
            case ir.Print():
                raise NotCompiled(message("printf is executed by the interpreter."))
            case ir.Declare():
                self._declare(statement)
            case ir.Evaluate(expression=ir.Call() as call) if call.name.startswith("atomic"):
                self.update(call, used=False)
            case ir.Return() if len(self._around) == 1 and self.plan.waits:
                self._places += 1
                self.add(f"store i32 {FELL_OFF - self._places}, ptr %ended")
                self.jump("leave")
            case _:
                super().statement(statement)

    def _declare(self, statement: ir.Declare) -> None:
        """A variable begins with zeros each time, as the interpreter has it."""
        spot = self.spot(statement.variable)
        if isinstance(spot, Slot):
            kind = type_text(statement.variable.type)
            self.add(f"store {kind} zeroinitializer, ptr {spot.name}")
        super().statement(statement)

    def _store(self, statement: ir.Store) -> None:
        """The value is found before the place, as C++ has it."""
        kind = statement.value.type
        if statement.operator is not None or kind is None or isinstance(kind, ir.Array) or is_large(kind):
            super()._store(statement)
            return
        value = self.value(statement.value)
        self.store(self.place(statement.place), value, kind, statement.location)

    def _loop(self, statement: ir.Loop) -> None:
        self.loops += 1
        super()._loop(statement)
        self.loops -= 1

    def _barrier(self, barrier: ir.Barrier) -> None:
        """Wait for the block."""
        if barrier.predicate is not None:
            truth = self.op(f"zext i1 {self.code_of(barrier.predicate, ir.BOOL)} to i32")
            place = self.op(f"getelementptr i32, ptr {self.pointer(self.field('predicates'))}, i32 %tid")
            self.add(f"store i32 {truth}, ptr {place}")
        self.wait(of_warp=False)
        if barrier.target is not None:
            self._joined(barrier, barrier.target)

    def wait(self, *, of_warp: bool) -> None:
        """Wait for the block, or for the warp alone."""
        self._places += 1
        self._tell(str(self._places + (IN_WARP if of_warp else 0)))
        again = self.fresh("again")
        waited = self.op("call i8 @llvm.coro.suspend(token none, i1 false)")
        self.end(f"switch i8 {waited}, label %suspend [i8 0, label %{again} i8 1, label %cleanup]")
        self.begin(again)
        self._take_up()

    def _joined(self, barrier: ir.Barrier, target: ir.Variable) -> None:
        """Take what the block's threads said together: how many of them said yes, and how many there were."""
        joined = self.field("joined")
        yes = self.op(f"trunc i64 {joined} to i32")
        found = yes
        if barrier.reduce != "count":
            of = self.op(f"trunc i64 {self.op(f'lshr i64 {joined}, 32')} to i32")
            test = f"icmp eq i32 {yes}, {of}" if barrier.reduce == "and" else f"icmp ne i32 {yes}, 0"
            found = self.op(f"zext i1 {self.op(test)} to i32")
        self.store(self.spot(target), self.convert(found, ir.I32, target.type), target.type, barrier.location)


_HEAD = "define internal void @thread(ptr %core, i32 %tid, i32 %tx, i32 %ty, i32 %tz) nounwind {\nentry:"
_HEAD_WAITING = """define internal ptr @thread(ptr %core, i32 %tid, i32 %tx, i32 %ty, i32 %tz) presplitcoroutine nounwind {
entry:
  %id = call token @llvm.coro.id(i32 16, ptr null, ptr null, ptr null)
  %size = call i64 @llvm.coro.size.i64()
  %room = call ptr @room(ptr %core, i32 %tid, i64 %size)
  %handle = call ptr @llvm.coro.begin(token %id, ptr %room)"""
_FOOT_WAITING = """last:
  %over = call i8 @llvm.coro.suspend(token none, i1 false)
  switch i8 %over, label %suspend [i8 0, label %cleanup i8 1, label %cleanup]
cleanup:
  %unused = call ptr @llvm.coro.free(token %id, ptr %handle)
  br label %suspend
suspend:
  call void @llvm.coro.end(ptr %handle, i1 false, token none)
  ret ptr %handle
}
"""


@dataclass(frozen=True, slots=True)
class BlockCode:
    """Code of a kernel: `run(core, first, count)` executes blocks, and gives how many were begun. `plan` is what it was made for."""

    run: Any
    plan: Plan
    engine: Any


def compile_blocks(plan: Plan) -> BlockCode:
    """Compile a kernel. Raises NotCompiled."""
    shared = Shared(_NOWHERE, {}, 0, 0)
    plan.look()
    thread = ThreadCode(shared, plan)
    text = thread.text()
    told = "\n".join(shared.outside.values())
    parts = (_text("accesses"), told, text, _text("run"), _text("waiting" if plan.waits else "straight"))
    sizes = {
        "THREADS": plan.threads, "MANY": plan.threads + MANY, "STRIDE": thread.stride, "UNIT": plan.unit.bit_length() - 1,
        "LAST": LAST_EPOCH, "FELL_OFF": FELL_OFF, "DIVERGED": DIVERGED, "IN_WARP": IN_WARP, "WIDE": plan.block[0], "HIGH": plan.block[1],
    }  # fmt: skip
    whole = "\n".join(parts)
    for name, value in sizes.items():
        whole = whole.replace(f"${name}$", str(value))
    for name, number in FIELD.items():
        whole = whole.replace(f"#{name}#", f"getelementptr i64, ptr %core, i64 {number}")
    engine = machine_code(whole, here=True)
    run_at = engine.get_function_address("run")
    return BlockCode(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(run_at), plan, engine)


def _text(name: str) -> str:
    return files("kernels.simt.host").joinpath("llvm", f"{name}.ll").read_text(encoding="utf-8")
