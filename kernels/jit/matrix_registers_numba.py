"""Teaches numba the functions of `matrix_registers`: LLVM's instructions for AMX, each of which names its registers.

A value is nothing but its type, which has the number: LLVM keeps these instructions in order, and uses the registers for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import Signature
from numba.extending import models, register_model

from kernels.cpu import matrix_registers
from kernels.jit.simd_types import FLOAT, FLOAT_BYTES, INDEX, Code, TileType, constant, instruction

BYTE = ir.IntType(8)
POINTER = BYTE.as_pointer()
SIDE = matrix_registers.SIDE
ROW_BYTES = SIDE * FLOAT_BYTES
REGISTERS = 8
PALETTE = 1
"""The number of the only way so far to divide AMX's memory: eight registers of 1 KiB."""
CONFIGURATION = ".matrix_registers"


class RegisterType(types.Type):
    """The matrix register with a number."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(f"matrix_register{number}")


@register_model(RegisterType)
class _RegisterModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: RegisterType) -> None:
        super().__init__(manager, kind, BYTE)  # type: ignore[no-untyped-call]


@instruction(matrix_registers.registers_configure, lambda: types.void())
def _registers_configure(code: Code, signature: Signature, values: Any) -> None:
    _call(code, "ldtilecfg", [code.builder.bitcast(_configuration(code.builder.module), POINTER)])


@instruction(matrix_registers.registers_release, lambda: types.void())
def _registers_release(code: Code, signature: Signature, values: Any) -> None:
    _call(code, "tilerelease", [])


@instruction(matrix_registers.register_zeros, lambda number: _register_type(number)(number))
def _register_zeros(code: Code, signature: Signature, values: Any) -> Any:
    _call(code, "tilezero", [_number(signature.return_type)])
    return _number(signature.return_type)


@instruction(
    matrix_registers.register_load, lambda number, matrix, row, column: _register_type(number)(number, matrix, types.intp, types.intp)
)
def _register_load(code: Code, signature: Signature, values: Any) -> Any:
    kind, matrix = signature.args[1], values[1]
    strides = code.context.make_array(kind)(code.context, code.builder, matrix).strides
    stride = cgutils.unpack_tuple(code.builder, strides)[0]
    address = code.builder.bitcast(code.address(kind, *values[1:]), POINTER)
    _call(code, "tileloadd64", [_number(signature.return_type), address, stride])
    return _number(signature.return_type)


@instruction(matrix_registers.register_dot, lambda c, a, b: c(c, a, b))
def _register_dot(code: Code, signature: Signature, values: Any) -> Any:
    _call(code, "tdpbf16ps", [_number(kind) for kind in signature.args])
    return values[0]


@instruction(matrix_registers.register_tile, lambda register: TileType(SIDE, SIDE)(register))
def _register_tile(code: Code, signature: Signature, values: Any) -> Any:
    kind = code.context.get_value_type(signature.return_type)
    stack = cgutils.alloca_once(code.builder, kind)
    stack.align = ROW_BYTES
    _call(code, "tilestored64", [_number(signature.args[0]), code.builder.bitcast(stack, POINTER), INDEX(ROW_BYTES)])
    tile = ir.Constant(kind, ir.Undefined)
    first = code.builder.bitcast(stack, FLOAT.as_pointer())
    for row in range(SIDE):
        tile = code.builder.insert_value(tile, code.load(code.builder.gep(first, [INDEX(row * SIDE)]), SIDE), row)
    return tile


def _register_type(number: Any) -> RegisterType:
    return RegisterType(constant(number))


def _number(kind: RegisterType) -> Any:
    return ir.Constant(BYTE, kind.number)


def _call(code: Code, name: str, arguments: Sequence[Any]) -> None:
    code.call(f"llvm.x86.{name}", ir.VoidType(), arguments)


def _configuration(module: Any) -> Any:
    """64 bytes that say how many rows each register has, and how many bytes a row."""
    found = module.globals.get(CONFIGURATION)
    if found is not None:
        return found
    none, unused = [0] * 14, 16 - REGISTERS
    widths = [ROW_BYTES, 0] * REGISTERS + [0, 0] * unused  # 16 bits each, the lower byte first
    bytes_of_it = [PALETTE, 0, *none, *widths, *[SIDE] * REGISTERS, *[0] * unused]
    made = ir.GlobalVariable(module, ir.ArrayType(BYTE, len(bytes_of_it)), CONFIGURATION)
    made.global_constant, made.linkage = True, "internal"
    made.initializer = ir.Constant(made.value_type, bytes_of_it)
    return made
