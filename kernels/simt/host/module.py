"""A whole program compiled: the functions of its host side, with what all programs share, made into machine code of this process."""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from importlib.resources import files
from typing import Any

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.host.arena import GRANULE, RESERVED
from kernels.simt.host.emit import Emitter
from kernels.simt.host.names import NUMBER
from kernels.simt.host.places import Shared
from kernels.simt.host.reading import LoweredProgram
from kernels.simt.lower.lvalues import nodes

COMMON = """
declare i64 @llvm.umin.i64(i64, i64)
declare ptr @llvm.frameaddress.p0(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
@lowest = global i64 0
@caller = global i64 0
@thrown = internal global i64 0
@kind = internal global i64 0
@state = internal global [31 x i32] zeroinitializer
@front = internal global i64 3
@rear = internal global i64 0

; The random numbers of the GNU C library: each is the sum of those 3 and 31 before it.
define internal i32 @tilescope_rand() nounwind {
  %f = load i64, ptr @front
  %r = load i64, ptr @rear
  %pf = getelementptr [31 x i32], ptr @state, i64 0, i64 %f
  %pr = getelementptr [31 x i32], ptr @state, i64 0, i64 %r
  %a = load i32, ptr %pf
  %b = load i32, ptr %pr
  %sum = add i32 %a, %b
  store i32 %sum, ptr %pf
  %f1 = add i64 %f, 1
  %fw = icmp eq i64 %f1, 31
  %f2 = select i1 %fw, i64 0, i64 %f1
  store i64 %f2, ptr @front
  %r1 = add i64 %r, 1
  %rw = icmp eq i64 %r1, 31
  %r2 = select i1 %rw, i64 0, i64 %r1
  store i64 %r2, ptr @rear
  %value = lshr i32 %sum, 1
  ret i32 %value
}

define i64 @here() nounwind noinline {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %address = ptrtoint ptr %frame to i64
  ret i64 %address
}

define internal i32 @tilescope_srand(i32 %given) nounwind {
entry:
  %none = icmp eq i32 %given, 0
  %seed = select i1 %none, i32 1, i32 %given
  store i32 %seed, ptr @state
  br label %fill
fill:
  %i = phi i64 [1, %entry], [%i1, %fill]
  %before = phi i32 [%seed, %entry], [%word, %fill]
  %wide = sext i32 %before to i64
  %product = mul i64 %wide, 16807
  %rest = srem i64 %product, 2147483647
  %negative = icmp slt i64 %rest, 0
  %lifted = add i64 %rest, 2147483647
  %chosen = select i1 %negative, i64 %lifted, i64 %rest
  %word = trunc i64 %chosen to i32
  %p = getelementptr [31 x i32], ptr @state, i64 0, i64 %i
  store i32 %word, ptr %p
  %i1 = add i64 %i, 1
  %filled = icmp eq i64 %i1, 31
  br i1 %filled, label %discard0, label %fill
discard0:
  store i64 3, ptr @front
  store i64 0, ptr @rear
  br label %discard
discard:
  %n = phi i64 [0, %discard0], [%n1, %discard]
  %unused = call i32 @tilescope_rand()
  %n1 = add i64 %n, 1
  %done = icmp eq i64 %n1, 310
  br i1 %done, label %leave, label %discard
leave:
  ret i32 0
}

!0 = !{!"branch_weights", i32 1000000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1000000}
"""


@dataclass(frozen=True, slots=True)
class Compiled:
    """`start(argc, argv)` runs the program and returns its status. `here()` gives an address near the top of the caller's stack; `lowest`
    holds the one that the stack must not pass, `caller` the site of the program's text that has called the library. `engine` keeps the code
    alive."""

    start: Any
    here: Any
    lowest: ctypes.c_uint64
    caller: ctypes.c_uint64
    engine: Any


def compile_program(program: LoweredProgram, shared: Shared) -> Compiled:
    """Compile a program. `shared` has the addresses of the variables and of the functions that are told and asked."""
    text = module_text(program, shared)
    return _compiled(text)


def module_text(program: LoweredProgram, shared: Shared) -> str:
    """Write the module of a program."""
    before = ir.Function("", (), None, program.main.location, program.initial)
    functions = (before, program.final, *program.functions)
    shared.functions.update({function: f"function{number}" for number, function in enumerate(functions)})
    _note_thrown(functions, shared)
    once = (before, program.main, program.final)
    parts = [Emitter(shared, function, once=function in once).text() for function in functions]
    declared = "\n".join(shared.outside.values())
    stack = f"@stack = internal global i64 {shared.layout.stack}\n"
    grown = (_common("stack", shared),) if any("@room(" in part for part in parts) else ()
    return "\n".join((stack, COMMON, _common("checks", shared), *grown, declared, *parts, _start(program.main, shared)))


def _note_thrown(functions: tuple[ir.Function, ...], shared: Shared) -> None:
    """Number what is thrown, and find the functions that it can come out of."""
    callers: defaultdict[ir.Function, set[ir.Function]] = defaultdict(set)
    waiting: list[ir.Function] = []
    for function in functions:
        for node in nodes(function.body):
            if isinstance(node, ir.Invoke):
                callers[node.function].add(function)
            elif isinstance(node, ir.Throw):
                waiting.append(function)
                if node.names:
                    shared.thrown.setdefault(node.names, len(shared.thrown))
    while waiting:
        function = waiting.pop()
        if function not in shared.throwing:
            shared.throwing.add(function)
            waiting += callers[function]


def _common(name: str, shared: Shared) -> str:
    """Give functions that are the same in all programs, for one layout of memory."""
    layout = shared.layout
    words = {
        "BASE": layout.base, "SHADOW": layout.shadow, "LAST": layout.last, "FAULT": shared.fault, "RESERVED": RESERVED, "GRANULE": GRANULE,
        "BITS": GRANULE.bit_length() - 1, "MASK": GRANULE - 1, "WHOLE": -GRANULE, "ROUND": 2 * GRANULE - 1, "STACK_END": layout.stack_end,
        "STACK": layout.stack_end - layout.stack,
    }  # fmt: skip
    text = files("kernels.simt.host").joinpath("llvm", f"{name}.ll").read_text(encoding="utf-8")
    return re.sub(r"\$(\w+)\$", lambda found: str(words[found[1]]), text)


def _start(main: ir.Function, shared: Shared) -> str:
    """Write what begins the program."""
    given = ("i32 %count", "i64 %texts", "i64 0")[: len(main.parameters)]
    result = "i32" if main.result is not None else "void"
    call = f"call {result} @{shared.functions[main]}({', '.join(given)})"
    lines = ["define i32 @start(i32 %count, i64 %texts) nounwind {", "  %unused = call i32 @tilescope_srand(i32 1)"]
    lines.append("  call void @function0()")
    lines += [f"  %status = {call}"] if result == "i32" else [f"  {call}", "  %status = add i32 0, 0"]
    site = shared.site(main.location)
    uncaught = f"call i64 inttoptr (i64 {shared.serve} to ptr)(i64 {NUMBER['__tilescope_uncaught']}, i64 {site}, ptr null, i64 0)"
    lines += ["  %thrown = load i64, ptr @thrown", "  %calm = icmp eq i64 %thrown, 0", "  br i1 %calm, label %end, label %lost", "lost:"]
    lines += [f"  %unused2 = {uncaught}", "  br label %end", "end:", "  call void @function1()", "  ret i32 %status"]
    return "\n".join((*lines, "}"))


def machine_code(text: str, *, here: bool = False) -> Any:
    """Compile a module, `here` for just this processor; what is given keeps the code alive."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    own = llvm.get_host_cpu_features()
    halves = {"features": "+f16c"} if own.get("f16c") else {}  # else conversions of half are calls of functions that are not there
    features = {"cpu": llvm.get_host_cpu_name(), "features": own.flatten()} if here else halves
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, **features)
    module = llvm.parse_assembly(f'target triple = "{machine.triple}"\ntarget datalayout = "{machine.target_data}"\n{text}')
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _compiled(text: str) -> Compiled:
    engine = machine_code(text)
    start = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int64)(engine.get_function_address("start"))
    here = ctypes.CFUNCTYPE(ctypes.c_int64)(engine.get_function_address("here"))
    lowest, caller = (ctypes.c_uint64.from_address(engine.get_global_value_address(name)) for name in ("lowest", "caller"))
    return Compiled(start, here, lowest, caller, engine)
