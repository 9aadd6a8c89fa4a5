"""Generator of reads and writes of places: registers by name, memory through access sites.

Places are also given as one writes them, for what the trace and the findings say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.base.types import Space
from kernels.simt.generate.addresses import Addresses, Linear
from kernels.simt.generate.build import Build, has_arrays
from kernels.simt.generate.values import Leaves, Value, is_bool, is_float, lane_dtype, leaf_types, typed
from kernels.simt.generate.walk import root
from kernels.simt.trace.trace import Site


def place_text(place: ir.Place) -> str:
    """Return a place as written in the text where that is known, else made from the parts."""
    match place:
        case ir.Whole():
            return place.variable.name
        case ir.Element():
            return place.text or f"{place_text(place.array)}[...]"
        case ir.Member():
            return place.text or f"{place_text(place.record)}.{place.field.name}"
    return place.text or "*" + (_pointer_text(place.pointer) or "...")


def _pointer_text(pointer: ir.Expression) -> str:
    match pointer:
        case ir.Load():
            return place_text(pointer.place)
        case ir.Offset():
            base = _pointer_text(pointer.pointer)
            return base and f"({base} + ...)"
    return ""


WIDEST = 16
"""Bytes that one lane can move at once."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Scalars of one type that one access moves, `offset` bytes into the object."""

    offset: int
    scalar: ir.Scalar | ir.Pointer
    count: int


@dataclass(frozen=True, slots=True)
class Target:
    """A place with its address worked out: register names, or code of a base and an offset."""

    place: ir.Place
    registers: tuple[str, ...] = ()
    base: str = ""
    offset: str = ""
    uniform: bool = False


class Lvalues:
    """Code that reads and writes places."""

    def __init__(self, build: Build, addresses: Addresses, value: Callable[[ir.Expression], Value]) -> None:
        self._build = build
        self._addresses = addresses
        self._value = value

    def in_memory(self, place: ir.Place) -> bool:
        """Whether reading it is an access."""
        return not self._build.uniformity.in_register(place)

    def target(self, place: ir.Place) -> Target:
        """Work out where a place is, and check its indices."""
        if self._build.uniformity.in_register(place):
            return Target(place, tuple(self._registers(place)))
        linear = self._addresses.split(place)
        base, offset = self._addresses.base(linear)
        uniform = not linear.varying
        if uniform and not offset.isdecimal():
            offset = self._build.source.hold(offset, "at")
        return Target(place, (), base, offset, uniform)

    def load(self, target: Target, c_type: ir.Type, location: ir.Location, *, around: bool = False) -> Leaves:
        """The scalars of what is there."""
        if target.registers:
            below = root(target.place)
            assert isinstance(below, ir.Whole)
            uniform = not self._build.uniformity.varies(below.variable)
            return tuple(Value(name, uniform, scalar) for name, scalar in zip(target.registers, leaf_types(c_type), strict=True))
        return tuple(value for chunk in chunks(c_type) for value in self._load_chunk(target, chunk, location, around=around))

    def store(self, target: Target, values: Leaves, c_type: ir.Type, location: ir.Location) -> None:
        """Give it new scalars."""
        if target.registers:
            below = root(target.place)
            assert isinstance(below, ir.Whole)
            for register, value in zip(target.registers, values, strict=True):
                self._build.give(below.variable, register, value)
            return
        rest = iter(values)
        for chunk in chunks(c_type):
            site = self._site("store", target, chunk, location)
            codes = [_stored(next(rest)) for _ in range(chunk.count)]
            self._build.before_access(location, self._space(target))
            self._build.source.line(
                f"{site}.store({target.base}, {_plus(target.offset, chunk.offset)}, {self._build.mask}, {', '.join(codes)})"
            )

    def _load_chunk(self, target: Target, chunk: Chunk, location: ir.Location, *, around: bool) -> Iterator[Value]:
        site = self._site("load", target, chunk, location, around=around)
        uniform = target.uniform
        method = "load_each" if chunk.count > 1 else "load_uniform" if uniform else "load"
        call = f"{site}.{method}({target.base}, {_plus(target.offset, chunk.offset)}, {self._build.mask})"
        if is_bool(chunk.scalar):
            call = f"{call} != 0"
        elif uniform and chunk.count == 1 and not is_float(chunk.scalar):
            call = f"int({call})"
        self._build.before_access(location, self._space(target))
        name = self._build.source.hold(call)
        if chunk.count == 1:
            yield Value(name, uniform, chunk.scalar)
            return
        for item in range(chunk.count):
            code = f"{name}[{item}][{self._build.mask}.first]" if uniform else f"{name}[{item}]"
            yield Value(f"int({code})" if uniform and not is_float(chunk.scalar) else code, uniform, chunk.scalar)

    def _space(self, target: Target) -> Space:
        region = self._build.provenance.region(target.place)
        return Space.GLOBAL if region is None else region.space

    def _site(self, operation: str, target: Target, chunk: Chunk, location: ir.Location, *, around: bool = False) -> str:
        region = self._build.provenance.region(target.place)
        text = place_text(target.place)
        dtype = np.dtype(np.uint8) if is_bool(chunk.scalar) else lane_dtype(chunk.scalar)
        number = -1 if region is None else region.number
        space = Space.GLOBAL if region is None else region.space
        volatile, waits = target.place.volatile, operation == "load" and id(target.place) in self._build.waited_for
        site = Site(operation, space, dtype.itemsize * chunk.count, number, location, text, volatile=volatile, waits=waits, around=around)
        name = self._build.site(site, dtype, chunk.count, region, *self._vector(target.place))
        self._check_indices(name, target.place)
        return name

    def _vector(self, place: ir.Place) -> tuple[int, int]:
        """Return, of a member that is accessed together with others, the bytes of their vector, and how far into it the member is.

        Else zeros.
        """
        if id(place) not in self._build.joined:
            return 0, 0
        assert isinstance(place, ir.Member)
        record = ir.place_type(place.record)
        assert isinstance(record, ir.Struct)
        return min(record.align, WIDEST), place.field.offset

    # ------------------------------------------------------------ indices

    def _check_indices(self, site: str, place: ir.Place) -> None:
        """Check that each index is within its dimension, but for the outermost of an array, which the array's bounds check anyway."""
        while isinstance(place, ir.Element | ir.Member):
            if isinstance(place, ir.Member):
                place = place.record
                continue
            count = _count(place)
            interval = self._build.ranges.of(place.index)
            within = interval is not None and count is not None and interval[0] >= 0 and interval[1] < count
            if count is not None and not within and not isinstance(place.array, ir.Whole):
                base, offset = self._addresses.base(self._addresses.integer(place.index))
                self._build.source.line(f"{site}.check({base}, {offset}, {count}, {self._build.mask})")
            place = place.array

    def _registers(self, place: ir.Place) -> list[str]:
        below = root(place)
        assert isinstance(below, ir.Whole)
        names = self._build.registers(below.variable)
        count = len(leaf_types(ir.place_type(place)))
        if not has_arrays(below.variable.type):
            first = _first_leaf(place)
            return names[first : first + count]
        linear = Linear()
        checks: list[tuple[str, str]] = []
        self._add_slots(linear, place, checks)
        slot = linear.offset
        if checks:
            size = len(leaf_types(below.variable.type))
            number = self._build.location(_location(place))
            within, asked = " and ".join(check for check, _ in checks), "".join(f"({array}), " for _, array in checks)
            outside = f"c.leave_array({size}, {number}, {self._build.mask}, {place_text(place)!r}, ({asked}))"
            slot = self._build.source.hold(f"{slot} if {within} else {outside}", "slot")
            return [f"{names[0]}[{slot}]"] if count == 1 else [f"{names[0]}[min({slot} + {item}, {size})]" for item in range(count)]
        return [f"{names[0]}[{_plus(slot, item)}]" for item in range(count)]

    def _add_slots(self, linear: Linear, place: ir.Place, checks: list[tuple[str, str]]) -> None:
        """Which scalar of its variable a place begins at; what is to hold of each index, and the index, count and name of its array."""
        if isinstance(place, ir.Member):
            self._add_slots(linear, place.record, checks)
            linear.constant += _leaves_before(ir.place_type(place.record), place.field)
        elif isinstance(place, ir.Element):
            self._add_slots(linear, place.array, checks)
            each, known, count = len(leaf_types(place.type)), self._build.ranges.value(place.index), _count(place)
            if known is not None:
                linear.constant += each * known
            interval = self._build.ranges.of(place.index)
            within = interval is not None and count is not None and interval[0] >= 0 and interval[1] < count
            if within and known is not None:
                return
            index = str(known) if known is not None else self._value(place.index).code
            if not within and not index.isidentifier():
                index = self._build.source.hold(index, "index")
            if not within:
                checks.append((f"0 <= {index} < {count}", f"{index}, {count}, {place_text(place.array)!r}"))
            if known is None:
                linear.uniform.append(f"{index} * {each}" if each > 1 else index)


def chunks(c_type: ir.Type) -> list[Chunk]:
    """The accesses that move an object: one for each scalar, or as wide as alignment allows for a built-in vector."""
    scalars = list(leaves(c_type))
    if not (isinstance(c_type, ir.Struct) and c_type.vector):
        return [Chunk(offset, scalar, 1) for _, scalar, offset in scalars]
    step = min(c_type.align, WIDEST) // size_of(scalars[0][1])
    return [Chunk(scalars[at][2], scalars[at][1], len(scalars[at : at + step])) for at in range(0, len(scalars), max(1, step))]


def _stored(value: Value) -> str:
    return f"np.uint8({value.code})" if is_bool(value.type) else typed(value) if not is_float(value.type) and value.uniform else value.code


def _plus(code: str, constant: int) -> str:
    if not constant:
        return code
    return str(int(code) + constant) if code.isdecimal() else f"{code} + {constant}"


def _count(place: ir.Element) -> int | None:
    array = ir.place_type(place.array)
    return array.count if isinstance(array, ir.Array) else None


def _location(place: ir.Place) -> ir.Location:
    return place.variable.location if isinstance(place, ir.Whole) else place.location


def _leaves_before(record: ir.Type, field: ir.Field) -> int:
    assert isinstance(record, ir.Struct)
    position = record.fields.index(field)
    return sum(len(leaf_types(each.type)) for each in record.fields[:position])


def _first_leaf(place: ir.Place) -> int:
    if not isinstance(place, ir.Member):
        return 0
    return _first_leaf(place.record) + _leaves_before(ir.place_type(place.record), place.field)
