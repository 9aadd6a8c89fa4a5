"""Atomic updates: `atom` and `red`, of one value, of two halves in a register, and of vectors."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, TYPES, U16, UNSIGNED, Assembler, assembles
from kernels.simt.lower.ptx.clusters import update_async
from kernels.simt.lower.ptx.memory import SCOPES, Access, access_of, atomic, order
from kernels.simt.lower.ptx.text import Instruction, Operand

_UPDATES = {
    "add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd", "or": "atomicOr", "xor": "atomicXor",
    "inc": "atomicInc", "dec": "atomicDec", "exch": "atomicExch", "cas": "atomicCAS",
}  # fmt: skip
_HALVES = ("f16", "bf16", "f16x2", "bf16x2")
_VECTORS = {"f32": (2, 4), "f16": (2, 4, 8), "bf16": (2, 4, 8), "f16x2": (2, 4), "bf16x2": (2, 4)}
"""How many values a vector of each type may have."""


@assembles("atom", "red")
def update(assembler: Assembler, instruction: Instruction) -> None:
    """`atom.global.add.u32 d, [a], b` and, without what was there before, `red`."""
    if instruction.opcode == "red" and instruction.modifiers[:1] == ("async",):
        update_async(assembler, instruction)
        return
    access = access_of(instruction)
    access.order = "relaxed" if access.order == "weak" else access.order
    names = [each for each in access.rest if each not in TYPES]
    assembler.only([each for each in names if each != "noftz"], *_UPDATES)
    operation = next((each for each in names if each in _UPDATES), "")
    type_name = next((each for each in access.rest if each in TYPES), "")
    kind = assembler.type(type_name)
    if not operation:
        raise assembler.unsupported(f".{access.rest[-1]}")
    given = list(instruction.operands)
    target = given.pop(0) if instruction.opcode == "atom" else None
    wanted = 2 if operation == "cas" else 1
    if len(given) < 1 + wanted:
        raise assembler.refuse(message("{name} needs {count} values.", name=instruction.name, count=wanted))
    parts = access.vector > 1 or type_name.endswith("x2") or type_name == "bf16"
    if parts:
        _check_parts(assembler, instruction, access, operation, type_name)
    address = assembler.address(given.pop(0), access.space)
    values = [assembler.read(each, kind) for each in given[:wanted]] if not parts else []
    if access.order != "relaxed":
        order(assembler, access, before=True)
    if parts:
        found = _update_parts(assembler, access, operation, type_name, address, given[0])
    else:
        found = atomic(assembler, _UPDATES[operation] + SCOPES[access.scope], address, values, kind)
    if target is None:
        assembler.statements.append(ir.Evaluate(found, assembler.location))
    else:
        found = assembler.hold(found, "found")
    order(assembler, access, before=False)
    if target is not None:
        assembler.write(target, found)


def _check_parts(assembler: Assembler, instruction: Instruction, access: Access, operation: str, kind: str) -> None:
    """Refuse what PTX has no form of: it updates several floats at once, or one bfloat16."""
    allowed = ("add", "min", "max") if access.vector > 1 and kind in _HALVES else ("add",)
    if operation not in allowed:
        raise assembler.unsupported(f".{operation}.{kind}")
    if kind in _HALVES and "noftz" not in instruction.modifiers:
        raise assembler.refuse(message("{name} of 16-bit floats needs .noftz.", name=instruction.name))
    if access.vector == 1:
        return
    if access.vector not in _VECTORS.get(kind, ()) or instruction.opcode == "atom":
        raise assembler.unsupported(f".v{access.vector}.{kind}")
    if access.space in SHARED_SPACES:
        raise assembler.refuse(message("{name}: vectors are updated in global memory only.", name=instruction.name))


def _update_parts(
    assembler: Assembler, access: Access, operation: str, kind: str, address: ir.Expression, source: Operand
) -> ir.Expression:
    """Each part is atomic by itself; together they are one access, or two where they have 16 bytes."""
    element = ir.U32 if kind == "f32" or kind.endswith("x2") else U16
    values = [assembler.read(each, element) for each in assembler.group(source, access.vector)]
    size = element.size * access.vector
    name = f"atomic.{operation}.{kind}.b{8 * size}{SCOPES[access.scope]}"
    return atomic(assembler, name, address, values, UNSIGNED[min(size, 8)])
