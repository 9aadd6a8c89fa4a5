"""What about a launch cannot work, and the arguments that a kernel wants."""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING

import numpy as np

from kernels.base.architectures import OPT_IN_SHARED_BYTES, SHARED_BYTES, THREADS_PER_BLOCK, Gpu
from kernels.base.messages import Message, message
from kernels.simt.base.launch import (
    BLOCK_LIMITS,
    GRID_LIMITS,
    MIB,
    Argument,
    Dim3,
    Filled,
    LaunchRequest,
)
from kernels.simt.base.layout import integer_range, leaves, size_of, written_name
from kernels.simt.base.signature import KernelParameter
from kernels.simt.base.types import Array, Kind, Pointer, Scalar, Space, Type, Variable

if TYPE_CHECKING:
    from kernels.simt.ir import Kernel


def argument_types(kernel: Kernel) -> dict[str, Scalar | Pointer]:
    """What a launch must give: each parameter, a struct's member by member ("A.width"), with its type."""
    return {path: c_type for each in kernel.parameters for path, c_type, _ in leaves(each.type, each.name)}


def refuse_launch(kernel: Kernel, request: LaunchRequest) -> Message | None:
    """The first reason why this kernel cannot be launched so, or None: shape, shared memory, blocks, arguments."""
    return (
        _refuse_threads(request.block)
        or refuse_bounds(kernel.name, kernel.max_threads, request.block)
        or _refuse_grid(request.grid)
        or refuse_clusters(kernel.cluster, request.grid)
        or _refuse_shared(kernel, request)
        or _refuse_waiting(kernel, request)
        or _refuse_blocks(request)
        or _refuse_arguments(kernel, request)
    )


def refuse_shape(grid: Dim3, block: Dim3) -> Message | None:
    """Why no kernel can be launched in this shape, or None."""
    return _refuse_threads(block) or _refuse_grid(grid)


def refuse_bounds(name: str, max_threads: int | None, block: Dim3) -> Message | None:
    """Why the `__launch_bounds__` of the kernel `name` do not allow such a block, or None; `max_threads` None: it has none."""
    threads = prod(block)
    if max_threads is None or threads <= max_threads:
        return None
    return message(
        "{threads} threads a block; __launch_bounds__ of {kernel} allows {limit}.", threads=threads, kernel=name, limit=max_threads
    )  # fmt: skip


def _refuse_threads(block: Dim3) -> Message | None:
    for axis, size, limit in zip("xyz", block, BLOCK_LIMITS, strict=True):
        if not 1 <= size <= limit:
            return message("A block has from 1 to {limit} threads along {axis}, not {size}.", limit=limit, axis=axis, size=size)
    threads = prod(block)
    if threads > THREADS_PER_BLOCK:
        x, y, z = block
        return message(
            "{x} × {y} × {z} = {threads} threads a block; a GPU allows {limit}.", x=x, y=y, z=z, threads=threads, limit=THREADS_PER_BLOCK
        )
    return None


def _refuse_grid(grid: Dim3) -> Message | None:
    for axis, size, limit in zip("xyz", grid, GRID_LIMITS, strict=True):
        if not 1 <= size <= limit:
            return message("A grid has from 1 to {limit} blocks along {axis}, not {size}.", limit=limit, axis=axis, size=size)
    return None


def refuse_clusters(cluster: Dim3, grid: Dim3) -> Message | None:
    """Why a grid is not made of clusters of this size, or None."""
    for axis, size, of in zip("xyz", cluster, grid, strict=True):
        if of % size:
            return message("{blocks} blocks along {axis} are not whole clusters of {size}.", blocks=of, axis=axis, size=size)
    return None


def static_shared(kernel: Kernel) -> int:
    """Give the bytes of shared memory that a kernel declares."""
    return sum(size_of(each.type) for each in kernel.globals if each.space is Space.SHARED and not each.dynamic)


def _refuse_shared(kernel: Kernel, request: LaunchRequest) -> Message | None:
    if request.shared_bytes < 0:
        return message("Dynamic shared memory cannot be {bytes} bytes.", bytes=request.shared_bytes)
    static = static_shared(kernel)
    taken, limit = static + request.shared_bytes, request.shared_limit
    if static > SHARED_BYTES:
        return message("{bytes} bytes of static shared memory a block; a GPU allows {limit}.", bytes=static, limit=SHARED_BYTES)
    if taken > OPT_IN_SHARED_BYTES:
        return message(
            "{bytes} bytes of shared memory a block; no GPU allows more than {limit}.", bytes=taken, limit=OPT_IN_SHARED_BYTES
        )  # fmt: skip
    if taken <= limit:
        return None
    if limit >= request.gpu.architecture.shared_bytes_per_block:
        return message("{bytes} bytes of shared memory a block; this GPU allows {limit}.", bytes=taken, limit=limit)
    return message(
        "{bytes} bytes of shared memory a block; a GPU allows {limit} unless the host asks for more with cudaFuncSetAttribute.",
        bytes=taken, limit=limit,
    )  # fmt: skip


def _refuse_waiting(kernel: Kernel, request: LaunchRequest) -> Message | None:
    from kernels.simt.generate.walk import waits_for_grid  # the window, which asks about shapes, comes before the representation

    if not waits_for_grid(kernel.body):
        return None
    return refuse_together(request.grid, request.block, static_shared(kernel) + request.shared_bytes, request.gpu)


def refuse_together(grid: Dim3, block: Dim3, shared_bytes: int, gpu: Gpu) -> Message | None:
    """Why not all blocks of a grid can be on a GPU at once, to wait for each other, or None. Registers are not looked at."""
    room = gpu.blocks_at_once(prod(block), shared_bytes)
    if prod(grid) <= room:
        return None
    return message(
        "{blocks} blocks wait for each other, but a GPU has room for {limit} of them at once: launch fewer, and let each do more.",
        blocks=prod(grid), limit=room,
    )  # fmt: skip


def _refuse_blocks(request: LaunchRequest) -> Message | None:
    count = prod(request.grid)
    if request.blocks is None:
        return None
    if not request.blocks:
        return message("No block is chosen to be executed.")
    for index in request.blocks:
        if not 0 <= index < count:
            return message("There is no block {index}: the grid's blocks are 0 to {last}.", index=index, last=count - 1)
    if len(set(request.blocks)) < len(request.blocks):
        return message("A block is named twice among those to be executed.")
    return None


def _refuse_arguments(kernel: Kernel, request: LaunchRequest) -> Message | None:
    types = argument_types(kernel)
    for name in request.arguments:
        if name not in types:
            return no_parameter(kernel, name)
    taken = 0
    for name, c_type in types.items():
        if name not in request.arguments:
            return message("{kernel} needs a value for {name} ({type}).", kernel=kernel.name, name=name, type=written_name(c_type))
        argument = request.arguments[name]
        refused = _refuse_argument(name, argument, c_type)
        if refused is not None:
            return refused
        taken += _bytes(argument, c_type)
    if taken > request.budget.bytes:
        return message("The arrays take {needed} MiB; {limit} MiB are allowed.", needed=ceil(taken / MIB), limit=request.budget.bytes / MIB)
    return None


def settable_variables(kernel: Kernel) -> tuple[Variable, ...]:
    """The `__constant__` and `__device__` variables that a kernel uses: what they hold can be given like an argument."""
    return tuple(each for each in kernel.globals if each.space is not Space.SHARED and each.name.isidentifier())


def variable_parameters(kernel: Kernel) -> tuple[KernelParameter, ...]:
    """List the settable variables that hold numbers, or arrays of something, as what a launch may give."""
    return tuple(_as_parameter(each) for each in settable_variables(kernel) if isinstance(each.type, Scalar | Array))


def _as_parameter(variable: Variable) -> KernelParameter:
    element: Type = variable.type
    while isinstance(element, Array):
        element = element.element
    written = f"{'__constant__' if variable.space is Space.CONSTANT else '__device__'} {written_name(variable.type)}"
    return KernelParameter(variable.name, written, isinstance(variable.type, Array), written_name(element), size_of(element))


def no_parameter(kernel: Kernel, name: str) -> Message:
    """Say that there is no parameter or variable of this name, and which there are."""
    names = ", ".join((*argument_types(kernel), *(each.name for each in settable_variables(kernel))))
    if not names:
        return message("{kernel} has no parameters.", kernel=kernel.name)
    return message("{kernel} has no parameter {name}, but: {names}.", kernel=kernel.name, name=name, names=names)


def _refuse_argument(name: str, argument: Argument, c_type: Scalar | Pointer) -> Message | None:
    if isinstance(c_type, Scalar):
        if isinstance(argument, Filled | np.ndarray):
            return message("{name} is a number ({type}), not an array.", name=name, type=written_name(c_type))
        return refuse_number(name, argument, c_type)
    if isinstance(c_type.target, Pointer):
        return message(
            "{name} ({type}) points to pointers, and only arrays of numbers and structs can be given: write a main that allocates the"
            " arrays, copies their addresses and launches the kernel; the file then runs as a whole.",
            name=name, type=written_name(c_type),
        )  # fmt: skip
    if isinstance(argument, Filled):
        if argument.count < 0:
            return message("{name} cannot have {count} elements.", name=name, count=argument.count)
        return None
    if c_type.target is None and isinstance(argument, int):  # a pointer to a function, as the host had it
        return None
    if not isinstance(argument, np.ndarray):
        return message("{name} ({type}) needs an array, not a number.", name=name, type=written_name(c_type))
    size = size_of(c_type.target)
    if argument.nbytes % size:
        return message(
            "{name}: {bytes} bytes cannot be divided into elements of {size} bytes ({type}).",
            name=name, bytes=argument.nbytes, type=written_name(c_type.target), size=size,
        )  # fmt: skip
    return None


def refuse_number(name: str, value: bool | int | float, scalar: Scalar) -> Message | None:
    """Why a scalar parameter cannot have this value, or None."""
    if scalar.kind is Kind.FLOAT:
        return None
    if isinstance(value, float):
        return message("{name} ({type}) is a whole number, not “{text}”.", name=name, type=written_name(scalar), text=str(value))
    least, largest = integer_range(scalar)
    if least <= value <= largest:
        return None
    return message(
        "{name} ({type}) is from {least} to {largest}, not {value}.",
        name=name, type=written_name(scalar), least=least, largest=largest, value=value,
    )  # fmt: skip


def _bytes(argument: Argument, c_type: Type) -> int:
    if isinstance(argument, np.ndarray):
        return argument.nbytes
    return argument.count * size_of(c_type.target) if isinstance(argument, Filled) and isinstance(c_type, Pointer) else 0
