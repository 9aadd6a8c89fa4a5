"""A kernel and a launch made into a Python function."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType

from kernels.messages import message
from kernels.simt import ir
from kernels.simt.generate.build import Analyses, Build, Unsupported, has_arrays
from kernels.simt.generate.counters import limits
from kernels.simt.generate.normalise import normalise
from kernels.simt.generate.products import named_products
from kernels.simt.generate.provenance import Provenance, Roots
from kernels.simt.generate.ranges import Ranges
from kernels.simt.generate.statements import Statements
from kernels.simt.generate.together import joined_members
from kernels.simt.generate.uniformity import Uniformity
from kernels.simt.generate.values import Value, leaf_types, typed
from kernels.simt.generate.walk import descendants
from kernels.simt.layout import size_of
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.machine.plans import SiteSpec

Dim3 = tuple[int, int, int]
Number = bool | int | float
LOCAL_BYTES = 512 << 10
"""Local memory of a thread."""
_HEADER = "def kernel(c, lanes):"
_PROLOGUE = (
    "leave, alive = lanes.leave, lanes.alive",
    "THREAD_x, THREAD_y, THREAD_z = lanes.x, lanes.y, lanes.z",
    "LANE, LANE_IN_WARP = lanes.number, lanes.lane",
    "block_x, block_y, block_z = lanes.block",
    "m0 = lanes.live",
    "ticks = 0",
    "yield",
)


@dataclass(frozen=True, slots=True)
class Launch:
    """What code is made for. `arguments` are the parameters' scalars and pointers, one after another; `regions` the variables in memory."""

    grid: Dim3
    block: Dim3
    arguments: tuple[Number, ...]
    lanes: int
    memory: Memory
    regions: Mapping[ir.Variable, Region]
    functions: Mapping[str, Callable[..., object]]
    contract: bool


@dataclass(frozen=True, slots=True)
class Program:
    """Generated code: `text` defines `kernel(c, lanes)`, a generator that yields once to begin, then at each block barrier."""

    text: str
    code: CodeType
    objects: dict[str, object]
    """What the text names besides the machine."""
    sites: tuple[SiteSpec, ...]
    """SITE0, SITE1 ..."""
    locations: tuple[ir.Location, ...]
    """What numbers in calls of the machine stand for."""
    targets: Mapping[int, Region | None]
    """For each call of a CUDA function (by identity) the region that its first pointer can only point into."""


def generate(kernel: ir.Kernel, launch: Launch) -> Program:
    """Make the code of a launch. Raises `Unsupported`."""
    try:
        return _generate(normalise(kernel), launch)
    except (RecursionError, SyntaxError, MemoryError):  # what Python says of too many levels
        raise Unsupported(kernel.location, message("This kernel is nested too deeply.")) from None


def _generate(kernel: ir.Kernel, launch: Launch) -> Program:
    values = dict(_argument_values(kernel, launch))
    uniformity = Uniformity(kernel, launch.block)
    _refuse_large(kernel)
    regions = dict(launch.regions)
    for variable in sorted(uniformity.in_memory, key=lambda each: (each.location.line, each.location.column, each.name)):
        regions[variable] = launch.memory.allocate_local(variable, launch.lanes)
    known = {variable: int(numbers[0]) for variable, numbers in values.items() if len(numbers) == 1 and (limits(variable.type) is not None)}
    analyses = Analyses(
        uniformity,
        Ranges(kernel, known, launch.block, launch.grid),
        Provenance(kernel, {variable: _roots(variable, numbers, launch) for variable, numbers in values.items()}, regions),
        regions,
        joined_members(kernel.body),
        named_products(kernel.body) - uniformity.in_memory if launch.contract else frozenset(),
    )
    build = Build(analyses, launch.functions, contract=launch.contract)
    build.source.prologue.extend(_PROLOGUE)
    statements = Statements(build)
    for variable, numbers in values.items():
        _give_parameter(build, statements, variable, numbers)
    statements.block(kernel.body)
    text = build.source.text(_HEADER)
    name = f"<generated from {kernel.name}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # shown in tracebacks
    return Program(text, compile(text, name, "exec"), build.source.objects, tuple(build.sites), tuple(build.locations), build.targets)


def _refuse_large(kernel: ir.Kernel) -> None:
    for node in descendants(kernel.body):
        if isinstance(node, ir.Declare) and size_of(node.variable.type) > LOCAL_BYTES:
            raise Unsupported(
                node.location,
                message(
                    "{name} takes {bytes} bytes of every thread; a GPU has {limit}.",
                    name=node.variable.name,
                    bytes=size_of(node.variable.type),
                    limit=LOCAL_BYTES,
                ),
            )


def _argument_values(kernel: ir.Kernel, launch: Launch) -> Iterator[tuple[ir.Variable, tuple[Number, ...]]]:
    at = 0
    for parameter in kernel.parameters:
        count = len(leaf_types(parameter.type))
        yield parameter, launch.arguments[at : at + count]
        at += count


def _give_parameter(build: Build, statements: Statements, variable: ir.Variable, numbers: tuple[Number, ...]) -> None:
    """A parameter's scalars into its registers, or into memory if its address is taken."""
    types = leaf_types(variable.type)
    values = tuple(
        Value(statements.expressions.constant(number, c_type), True, c_type)  # noqa: FBT003 - uniform
        for number, c_type in zip(numbers, types, strict=True)
    )
    if variable in build.uniformity.in_memory:
        places = statements.expressions.places
        places.store(places.target(ir.Whole(variable)), values, variable.type, variable.location)
        return
    registers, varies = build.registers(variable), build.uniformity.varies(variable)
    codes = [typed(value) if varies else value.code for value in values]
    if has_arrays(variable.type):
        codes = [f"[{', '.join([*codes, codes[0]])}]"]
    for register, code in zip(registers, codes, strict=True):
        build.source.line(f"{register} = {code}")


def _roots(variable: ir.Variable, numbers: tuple[Number, ...], launch: Launch) -> Roots:
    """The regions that a parameter's pointers point into."""
    found: set[Region] = set()
    for number, c_type in zip(numbers, leaf_types(variable.type), strict=True):
        if isinstance(c_type, ir.Pointer) and number:
            region = launch.memory.find(int(number))
            if region is None:
                return None
            found.add(region)
    return frozenset(found)
