"""Generator of a launch's Python function from a kernel, after rewrites that leave fewer forms of control flow.

Members of a vector that the compiler accesses as one are joined: `p->x + p->y` of a float4 pointer becomes one load of 8 or 16 bytes. NVRTC
narrows an access of which one member is used to that member, and joins those of several as far as nothing between them can change the
memory. So a pointer that is misaligned for its type does no harm to a lone `p->x`, and ends the launch where more of it is used.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from types import CodeType
from typing import Any

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.launch import Dim3
from kernels.simt.base.layout import size_of
from kernels.simt.base.types import Space
from kernels.simt.generate.build import Analyses, Build, Unsupported, has_arrays
from kernels.simt.generate.loop_counters import limits
from kernels.simt.generate.operators import named_products
from kernels.simt.generate.provenance import Provenance, Roots
from kernels.simt.generate.ranges import Ranges
from kernels.simt.generate.statements import Statements
from kernels.simt.generate.uniformity import Uniformity
from kernels.simt.generate.values import Value, leaf_types, typed
from kernels.simt.generate.waiting_loops import Preempt, Waiting, waited_for
from kernels.simt.generate.walk import Node, children, descendants, is_node, may_end, root, terminates
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.machine.site_plans import SiteSpec

Groups = dict[str, list[ir.Member]]
"""Members by the vector that they are of, as written."""


@dataclass(slots=True)
class _Found:
    together: set[int] = field(default_factory=set)
    loads: Groups = field(default_factory=dict)
    stores: Groups = field(default_factory=dict)

    def add(self, groups: Groups, member: ir.Member) -> None:
        same = groups.setdefault(member.text.removesuffix(member.field.name), [])
        same.append(member)
        if any(each.field != member.field for each in same):
            self.together.update(map(id, same))


def joined_members(body: ir.Block) -> frozenset[int]:
    """The places (by identity) of members that are accessed together with another of the same vector, through a pointer."""
    found: set[int] = set()
    for node in descendants(body):
        if isinstance(node, ir.Block):
            found |= _in_block(node)
    return frozenset(found)


def _in_block(block: ir.Block) -> set[int]:
    found = _Found()
    for statement in block.statements:
        nodes = list(_straight(statement))
        if not all(map(_runs_on, nodes)):
            found.loads.clear()
            found.stores.clear()
        for node in nodes:
            if isinstance(node, ir.Load) and _in_memory(node.place):
                found.stores.clear()
                _collect(found, found.loads, node.place)
        for node in nodes:
            if isinstance(node, ir.Store | ir.Assign | ir.Increment) and _in_memory(node.place):
                found.loads.clear()
                _collect(found, found.stores, node.place)
    return found.together


def _collect(found: _Found, groups: Groups, place: ir.Place) -> None:
    if isinstance(place, ir.Member) and isinstance(place.record, ir.Deref) and place.text and _is_vector(place.record.type):
        found.add(groups, place)


def _is_vector(c_type: ir.Type) -> bool:
    return isinstance(c_type, ir.Struct) and c_type.vector


def _straight(node: Node) -> Iterator[Node]:
    """The node and those below it that are executed with it."""
    yield node
    if not isinstance(node, ir.Block):
        for child in children(node):
            yield from _straight(child)


def _runs_on(node: Node) -> bool:
    """Whether nothing in the node keeps the compiler from moving accesses across it."""
    return not isinstance(node, ir.Block | ir.If | ir.Loop | ir.Switch | ir.Barrier | ir.Call | ir.Inlined | ir.Select | ir.ShortCircuit)


def _in_memory(place: ir.Place) -> bool:
    below = root(place)
    return isinstance(below, ir.Deref) or below.variable.space is not Space.REGISTER


def normalise(kernel: ir.Kernel) -> ir.Kernel:
    """Return the same kernel, where what follows a conditional return of a device function stands in its else, and a switch whose cases
    all end in a break is a chain of conditions.
    """
    return replace(kernel, body=_block(kernel.body, returning=False))


def _rebuilt(node: Any, *, returning: bool) -> Any:
    """A node with everything below it rewritten."""
    if isinstance(node, ir.Block):
        return _block(node, returning=returning)
    if isinstance(node, ir.Inlined):
        return replace(node, body=_block(node.body, returning=True))
    changes: dict[str, Any] = {}
    for name in type(node).__dataclass_fields__:
        value = getattr(node, name)
        if is_node(value):
            changes[name] = _rebuilt(value, returning=returning and isinstance(node, ir.If))
        elif isinstance(value, tuple) and any(is_node(each) for each in value):
            changes[name] = tuple(_rebuilt(each, returning=False) for each in value)
    changed = any(changes[name] is not getattr(node, name) for name in changes)
    return replace(node, **changes) if changed else node


def _block(block: ir.Block, *, returning: bool) -> ir.Block:
    statements: list[ir.Statement] = []
    for position, statement in enumerate(block.statements):
        if isinstance(statement, ir.Switch):
            statement = chain(statement) or statement
        rest = block.statements[position + 1 :]
        if returning and rest and isinstance(statement, ir.If) and statement.otherwise is None and _returns(statement.then):
            otherwise = ir.Block(rest)
            statements.append(_rebuilt(replace(statement, otherwise=otherwise), returning=True))
            break
        statements.append(_rebuilt(statement, returning=returning))
    return ir.Block(tuple(statements))


def _returns(block: ir.Block) -> bool:
    last: Node | None = block.statements[-1] if block.statements else None
    return terminates(block) and isinstance(last, ir.Return | ir.If | ir.Block)


def chain(switch: ir.Switch) -> ir.Statement | None:
    """A switch as if ... else if ... else, where no case falls through and nothing else breaks out of it; else None."""
    starts = sorted({start for _, start in switch.cases})
    arms: dict[int, ir.Block] = {}
    for start, end in zip(starts, [*starts[1:], len(switch.body)], strict=True):
        arm = _arm(switch.body[start:end], last=end == len(switch.body))
        if arm is None:
            return None
        arms[start] = arm
    value = ir.Variable("selector", switch.value.type or ir.I32, ir.Space.REGISTER, switch.location)
    chosen: ir.Block | None = next((arms[start] for values, start in switch.cases if None in values), None)
    for start in reversed(starts):
        values = [each for names, begin in switch.cases if begin == start for each in names]
        if None not in values:
            chosen = ir.Block((ir.If(_is_one_of(value, values, switch.location), arms[start], chosen, switch.location),))
    declare = ir.Declare(value, switch.value, switch.location)
    return ir.Block((declare, *(chosen.statements if chosen is not None else ())))


def _is_one_of(variable: ir.Variable, values: list[int | None], location: ir.Location) -> ir.Expression:
    load = ir.Load(ir.Whole(variable), variable.type, location)
    tests: list[ir.Expression] = [
        ir.BinaryOp(ir.Binary.EQUAL, load, ir.Const(value, variable.type), ir.BOOL, location) for value in values if value is not None
    ]
    result = tests[0]
    for test in tests[1:]:
        result = ir.ShortCircuit(False, result, test, location)  # noqa: FBT003 - a disjunction
    return result


def _arm(statements: tuple[ir.Statement, ...], *, last: bool) -> ir.Block | None:
    """The statements of one case without the break at its end; None if it falls through or breaks elsewhere."""
    while len(statements) == 1 and isinstance(statements[0], ir.Block):
        statements = statements[0].statements
    body, end = (statements[:-1], statements[-1]) if statements else ((), None)
    if isinstance(end, ir.Break):
        kept = body
    elif last or isinstance(end, ir.Return | ir.Continue):
        kept = statements
    else:
        return None
    return None if any(breaks(each) for each in kept) else ir.Block(kept)


def breaks(node: Node) -> bool:
    """Whether a break within leaves what is around the node."""
    if isinstance(node, ir.Break):
        return True
    if isinstance(node, ir.Loop | ir.Switch | ir.Inlined):
        return False
    if isinstance(node, ir.Block):
        return any(breaks(each) for each in node.statements)
    if isinstance(node, ir.If):
        return breaks(node.then) or (node.otherwise is not None and breaks(node.otherwise))
    return False


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
class PlacedLaunch:
    """Launch that code is made for.

    `arguments` are the parameters' scalars and pointers, one after another; `regions` the variables in memory.
    """

    grid: Dim3
    block: Dim3
    arguments: tuple[Number, ...]
    lanes: int
    memory: Memory
    regions: Mapping[ir.Variable, Region]
    functions: Mapping[str, Callable[..., object]]
    contract: bool
    preempt: Preempt = Preempt.SPINS


@dataclass(frozen=True, slots=True)
class GeneratedKernel:
    """Generated kernel: its `text` defines `kernel(c, lanes)`, a generator that yields once to begin, then at each block barrier."""

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
    local: Mapping[ir.Variable, Region]
    """The variables that were given local memory, in that order."""
    name: str

    def show(self) -> None:
        """Have its lines shown in tracebacks."""
        linecache.cache[self.name] = (len(self.text), None, self.text.splitlines(keepends=True), self.name)


def generate(kernel: ir.Kernel, launch: PlacedLaunch) -> GeneratedKernel:
    """Make the code of a launch. Raises `Unsupported`."""
    try:
        return _generate(normalise(kernel), launch)
    except (RecursionError, SyntaxError, MemoryError):  # what Python says of too many levels
        raise Unsupported(kernel.location, message("This kernel is nested too deeply.")) from None


def _generate(kernel: ir.Kernel, launch: PlacedLaunch) -> GeneratedKernel:
    values = dict(_argument_values(kernel, launch))
    uniformity = Uniformity(kernel, launch.block)
    _refuse_large(kernel)
    in_order = sorted(uniformity.in_memory, key=lambda each: (each.location.line, each.location.column, each.name))
    local = {variable: launch.memory.allocate_local(variable, launch.lanes) for variable in in_order}
    regions = {**launch.regions, **local}
    known = {variable: int(numbers[0]) for variable, numbers in values.items() if len(numbers) == 1 and (limits(variable.type) is not None)}
    analyses = Analyses(
        uniformity,
        Ranges(kernel, known, launch.block, launch.grid),
        Provenance(kernel, {variable: _roots(variable, numbers, launch) for variable, numbers in values.items()}, regions),
        regions,
        joined_members(kernel.body),
        waited_for(kernel.body),
        named_products(kernel.body) - uniformity.in_memory if launch.contract else frozenset(),
        Waiting(kernel.body),
        launch.preempt,
        may_end(kernel.body),
    )
    build = Build(analyses, launch.functions, contract=launch.contract)
    build.source.prologue.extend(_PROLOGUE)
    statements = Statements(build)
    for variable, numbers in values.items():
        _give_parameter(build, statements, variable, numbers)
    statements.block(kernel.body)
    text = build.source.text(_HEADER)
    name = f"<generated from {kernel.name}>"
    return GeneratedKernel(
        text, compile(text, name, "exec"), build.source.objects, tuple(build.sites), tuple(build.locations), build.targets, local, name
    )  # fmt: skip


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


def _argument_values(kernel: ir.Kernel, launch: PlacedLaunch) -> Iterator[tuple[ir.Variable, tuple[Number, ...]]]:
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


def _roots(variable: ir.Variable, numbers: tuple[Number, ...], launch: PlacedLaunch) -> Roots:
    """The regions that a parameter's pointers point into."""
    found: set[Region] = set()
    for number, c_type in zip(numbers, leaf_types(variable.type), strict=True):
        if isinstance(c_type, ir.Pointer) and number:
            region = launch.memory.find(int(number))
            if region is None:
                return None
            found.add(region)
    return frozenset(found)
