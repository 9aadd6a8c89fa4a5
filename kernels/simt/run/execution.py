"""Execution of a lowered kernel and a launch to a trace, its arguments placed in the machine's memory and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Filled, Keep, LaunchRequest, Mode
from kernels.simt.base.layout import leaves, scalar_dtype, size_of, type_name
from kernels.simt.base.rounding import bfloat16_bits
from kernels.simt.generate.build import Unsupported
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.ir import Kernel, Kind, Location, Pointer, Scalar, Type, Variable
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.run.arguments import initial_of, result_of
from kernels.simt.run.block_execution import run
from kernels.simt.run.drivers import Stalled
from kernels.simt.run.launchable import refuse_launch
from kernels.simt.trace.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class PlacedArguments:
    """Arguments in memory: what the parameters hold when the kernel begins, and where their arrays are."""

    values: Mapping[Variable, tuple[Any, ...]]
    """For each parameter its scalars and pointers in the order of `layout.leaves`; floats are NumPy scalars, all else is int or bool."""
    regions: Mapping[str, Region]
    """By argument."""


def place_arguments(kernel: Kernel, request: LaunchRequest, memory: Memory) -> PlacedArguments:
    """Allocate and fill the arrays. The request is one that `refuse_launch` lets pass."""
    values: dict[Variable, tuple[Any, ...]] = {}
    regions: dict[str, Region] = {}
    for parameter in kernel.parameters:
        parts: list[Any] = []
        for name, c_type, _ in leaves(parameter.type, parameter.name):
            argument = request.arguments[name]
            if isinstance(argument, Filled | np.ndarray):
                regions[name] = _allocate(memory, name, argument, c_type, request.seed + len(regions))
                parts.append(regions[name].address)
            else:
                parts.append(number(argument, c_type))
        values[parameter] = tuple(parts)
    return PlacedArguments(values, regions)


def number(value: bool | int | float, c_type: Scalar | Pointer) -> Any:
    """A scalar argument as lanes hold it: floats rounded to their type, bfloat16 as its bits; a pointer to a function as it is."""
    if isinstance(c_type, Pointer):
        return int(value)
    if c_type.kind is Kind.BOOL:
        return bool(value)
    if c_type.kind is not Kind.FLOAT:
        return int(value)
    if c_type.brain:
        return int(bfloat16_bits(np.array(value, np.float32)))
    with np.errstate(over="ignore"):
        return scalar_dtype(c_type).type(value)


def _allocate(memory: Memory, name: str, argument: Filled | npt.NDArray[np.generic], c_type: Scalar | Pointer, seed: int) -> Region:
    assert isinstance(c_type, Pointer)
    size = size_of(c_type.target)
    count = argument.nbytes // size if isinstance(argument, np.ndarray) else argument.count
    return memory.allocate(name, initial_of(argument, c_type.target, seed), (count,), size, type_name(c_type.target))


def results(kernel: Kernel, request: LaunchRequest, placed: PlacedArguments) -> dict[str, npt.NDArray[np.generic]]:
    """The arrays after the launch, by argument: like the array given, else as elements of the pointed-to type. Memory itself, no copy."""
    types: dict[str, Type] = {name: c_type for each in kernel.parameters for name, c_type, _ in leaves(each.type, each.name)}
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for name, region in placed.regions.items():
        argument, c_type = request.arguments[name], types[name]
        assert isinstance(argument, Filled | np.ndarray)
        assert isinstance(c_type, Pointer)
        arrays[name] = result_of(region.poisoned(), argument, c_type.target)
    return arrays


class NotExecuted(Exception):
    """The launch, or something in the kernel (then with its `location`), keeps it from being executed."""

    def __init__(self, reason: Message, location: Location | None = None) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.location = location


def execute(kernel: Kernel, request: LaunchRequest, source: str = "", kernel_cache: KernelCache | None = None) -> Trace:
    """Execute the launch; `source` is the text that the trace is of, `kernel_cache` is of its launches before. Raises NotExecuted.

    An execution that goes wrong, or that its budget ends, has a trace with findings. Where threads wait for others that would run only
    after them, warps take turns whatever the request's mode, and where that does not help all blocks are executed.
    """
    refused = refuse_launch(kernel, request)
    if refused is not None:
        raise NotExecuted(refused)
    try:
        try:
            return _executed(kernel, request, source, kernel_cache)
        except Stalled:
            pass
        try:
            return _executed(kernel, replace(request, mode=Mode.WARP), source, kernel_cache)
        except Stalled:
            return _executed(kernel, replace(request, mode=Mode.WARP, blocks=None), source, kernel_cache)
    except Unsupported as error:
        raise NotExecuted(error.reason, error.location) from error


def _executed(kernel: Kernel, request: LaunchRequest, source: str, kernel_cache: KernelCache | None) -> Trace:
    """Execute the launch just so. Raises Unsupported, and Stalled as `run` does."""
    memory = Memory(request.keep, request.variables)
    placed = place_arguments(kernel, request, memory)
    arguments = tuple(part for parts in placed.values.values() for part in parts)
    trace = run(
        kernel, memory, arguments, request.grid, request.block,
        blocks=request.blocks, shared_bytes=request.shared_bytes, mode=request.mode, seed=request.seed,
        contract=request.contract_fma, budget=request.budget, source=source, kernel_cache=kernel_cache, gpu=request.gpu,
    )  # fmt: skip
    return trace if request.keep is Keep.HISTORY else replace(trace, values=results(kernel, request, placed))
