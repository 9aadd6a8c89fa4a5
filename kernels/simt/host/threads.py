"""One thread of a kernel, emitted by the rules for functions of the host: it runs by itself from barrier to barrier.

Where a block has barriers a thread is a coroutine of LLVM, which finds out what has to be kept meanwhile. An access is checked: whether
it stays in its array, is aligned, reads what was written; and whether the outcome hangs on the order of the block's threads. To tell
that, tags beside the memory say which thread read and wrote each unit of it last, and in which interval between barriers. Whatever is
not just so is a fault: the thread ends, and the interpreter executes the launch in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from math import prod

from kernels.base.messages import ReasonedError, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.generate.provenance import Provenance
from kernels.simt.generate.walk import Node, descendants, root
from kernels.simt.host.code import DIVISIONS, is_float, is_signed, memory_type, type_text
from kernels.simt.host.emit import Emitter
from kernels.simt.host.places import Address, Shared, Slot, Spot, is_large, parts
from kernels.simt.lower.build import SHIFTS
from kernels.simt.machine.memory import Region

FIELDS = (
    "epoch", "fault", "reads", "writes", "shared", "local", "block_x", "block_y", "block_z", "grid_x", "grid_y", "grid_z", "status",
    "handles", "frames", "frames_end", "shared_bytes", "joined", "predicates", "dynamic", "allowed", "defined", "base", "span",
    "values", "names", "taken", "present", "ballots", "orders", "first",
)  # fmt: skip
"""What a processor core is told, as numbers of 64 bits: the interval between barriers, what was found wrong, where tags and memory are,
which block it executes. `first` is the place of the arguments, and of the arrays behind them: where one begins, ends, has its flags."""
FIELD = {name: number for number, name in enumerate(FIELDS)}
MANY = 0
"""Tag, counted behind those of the threads, of what several threads of a block have read."""
COMMUTING = {"atomicAdd": 1, "atomicSub": 1, "atomicMin": 2, "atomicMax": 3, "atomicAnd": 4, "atomicOr": 5, "atomicXor": 6}
"""Tags of what several threads have updated by operations whose order is all the same."""
SHUFFLES = {"__shfl_sync": "", "__shfl_up_sync": "up", "__shfl_down_sync": "down", "__shfl_xor_sync": "xor"}
VOTES = ("__ballot_sync", "__any_sync", "__all_sync", "__uni_sync")
SITES = 7
"""The first tag of an update that stands in no loop: the threads come to it in their order, as in the interpreter."""
LARGEST_FRAME = 1 << 15
"""Bytes of the variables of a thread."""


class NotCompiled(ReasonedError):
    """Reason why a kernel is left to the interpreter."""


@dataclass(frozen=True, slots=True)
class Cell(Address):
    """A place in memory; `region` is the only array that it can be in, `checked` whether it is known to be inside."""

    region: Region | None = None
    checked: bool = False


@dataclass(slots=True, eq=False)
class Plan:
    """Plan for the code of a kernel. `regions` are the arrays that arguments point to, then the variables of the device, `full` those of
    them that were all written before the launch; `offsets` has where a variable lies in shared memory."""

    kernel: ir.Kernel
    block: tuple[int, int, int]
    regions: tuple[Region, ...]
    full: frozenset[Region]
    offsets: Mapping[ir.Variable, int]
    provenance: Provenance
    places: Mapping[ir.Variable, Region]
    """Where variables of the device and of shared memory are, and those of a thread that have an address."""
    symbols: Mapping[ir.Variable, int]
    written: set[Region] = field(default_factory=set)
    anywhere: bool = False
    """Whether something is written that may be in any array."""
    reaches: bool = False
    """Whether something is accessed that may be in any array."""
    updates: bool = False
    """Whether blocks update the same memory, so that their order is that of their numbers."""
    unit: int = 4
    """Bytes that share a tag."""
    waits: bool = False
    tags: int = SITES
    local: int = 0

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return prod(self.block)

    def look(self) -> None:
        """Find out what is written, in which units, and whether threads wait for each other."""
        sizes = [8]
        for node in descendants(self.kernel.body):
            if isinstance(node, ir.Barrier) and node.scope is ir.Scope.GRID:
                raise NotCompiled(message("{name} is computed by the interpreter.", name="this_grid().sync()"))
            self.waits = self.waits or (isinstance(node, ir.Barrier) and node.scope is ir.Scope.BLOCK)
            self.waits = self.waits or (isinstance(node, ir.Call) and node.name in (*SHUFFLES, *VOTES))
            for place, writes in _accessed(node):
                below = root(place)
                if isinstance(below, ir.Whole) and below.variable.space is ir.Space.REGISTER:
                    continue
                sizes += [size_of(kind) for _, kind, _ in leaves(ir.place_type(place))]
                region = self.provenance.region(place)
                self.reaches = self.reaches or region is None
                if writes and region is None:
                    self.anywhere = True
                elif writes and region is not None:
                    self.written.add(region)
                if isinstance(node, ir.Call) and (region is None or region.space is not ir.Space.SHARED):
                    self.updates = True
        self.unit = min(sizes)

    def tagged(self, region: Region | None) -> bool:
        """Say whether the order of accesses can matter there."""
        if region is None or region.space is ir.Space.SHARED:
            return True
        return region.space is ir.Space.GLOBAL and (self.anywhere or region in self.written)


def _accessed(node: Node) -> Iterator[tuple[ir.Place, bool]]:
    match node:
        case ir.Load():
            yield node.place, False
        case ir.Store() | ir.Assign() | ir.Increment():
            yield node.place, True
        case ir.Call(arguments=(ir.AddressOf(place=place), *_)) if node.name.startswith("atomic"):
            yield place, True


class ThreadPlaces(Emitter):
    """Emits the places of a thread: its own variables, and checked accesses of all other memory."""

    def __init__(self, shared: Shared, plan: Plan) -> None:
        kernel = plan.kernel
        super().__init__(shared, ir.Function(kernel.name, (), None, kernel.location, kernel.body))
        self.plan = plan
        self._own = 0
        """Bytes of the variables of a thread."""

    # ------------------------------------------------------------ where things are

    def field(self, name: str, further: int = 0) -> str:
        """Load what the core is told."""
        return self.op(f"load i64, ptr {self.field_place(name, further)}")

    def field_place(self, name: str, further: int = 0) -> str:
        """Find where it is told that."""
        return self.op(f"getelementptr i64, ptr %core, i64 {FIELD[name] + further}")

    def _new(self, variable: ir.Variable) -> Spot:
        if variable.space is ir.Space.SHARED:
            place = self._entry_value(f"add i64 %shared, {self.plan.offsets[variable]}")
            return Cell(place, region=self.plan.places[variable], checked=True)
        if variable in self.plan.symbols:
            return Cell(str(self.plan.symbols[variable]), region=self.plan.places[variable], checked=True)
        size = max(size_of(variable.type), 1)
        self._own += size
        if self._own > LARGEST_FRAME:
            raise NotCompiled(message("{name} takes {bytes} bytes of every thread.", name=variable.name, bytes=size))
        if not variable.addressed:
            return Slot(self.slot(type_text(variable.type)))
        offset = self.plan.local
        self.plan.local += -(-size // 16) * 16
        return Cell(self._entry_value(f"add i64 %local, {offset}"), region=self.plan.places[variable], checked=True)

    def _entry_value(self, text: str) -> str:
        name = f"%{self.fresh('a')}"
        self.slots.append(f"  {name} = {text}")
        return name

    def place(self, place: ir.Place) -> Spot:
        """Find the spot of a place; an index stays within its dimension."""
        match place:
            case ir.Deref():
                return Cell(self.value(place.pointer), region=self.plan.provenance.region(place))
            case ir.Element():
                return self._element(place)
            case ir.Member():
                outer = ir.place_type(place.record)
                if isinstance(outer, ir.Struct) and outer.vector and isinstance(place.record, ir.Deref):
                    record = self.place(place.record)
                    assert isinstance(record, Cell)
                    self._align(record, min(outer.align, 16))
                    return self.moved(record, place.field.offset)
        return super().place(place)

    def _element(self, place: ir.Element) -> Spot:
        array, kind = self.place(place.array), ir.place_type(place.array)
        assert isinstance(kind, ir.Array)
        index, size = self.code_of(place.index, ir.I64), size_of(place.type)
        count = str(kind.count)
        if isinstance(place.array, ir.Whole) and place.array.variable.dynamic:
            count = self.op(f"udiv i64 {self.field('dynamic')}, {size}")
        self.require(self.op(f"icmp ult i64 {index}, {count}"), 1)
        if isinstance(array, Slot):
            return Slot(self.op(f"getelementptr {type_text(kind)}, ptr {array.name}, i64 0, i64 {index}"))
        assert isinstance(array, Cell)
        return Cell(self.op(f"add i64 {array.value}, {self.op(f'mul i64 {index}, {size}')}"), region=array.region, checked=array.checked)

    def moved(self, spot: Address, offset: int) -> Address:
        """Give the place some bytes further, within the same object."""
        assert isinstance(spot, Cell)
        return spot if offset == 0 else Cell(self.op(f"add i64 {spot.value}, {offset}"), region=spot.region, checked=spot.checked)

    @property
    def stride(self) -> int:
        """Numbers that an interval between barriers takes: those of the threads, and the tags of several."""
        return self.plan.threads + self.plan.tags + 1

    # ------------------------------------------------------------ checked accesses

    def require(self, condition: str, why: int) -> None:
        """Go on only where a condition holds."""
        fine, slow = self.fresh("fine"), self.fresh("slow")
        self.end(f"br i1 {condition}, label %{fine}, label %{slow}, !prof !0")
        self.begin(slow)
        self.add(f"store i64 {why + 1}, ptr {self.field_place('fault')}")
        self.jump("leave")
        self.begin(fine)

    def load(self, spot: Spot, kind: ir.Type, location: ir.Location, text: str = "", *, around: bool = False) -> str:
        """Load a value from a place."""
        if isinstance(spot, Cell):
            self._whole(spot, kind)
            if isinstance(kind, ir.Scalar | ir.Pointer):
                self._inside(spot, size_of(kind))
                self._tags(spot, size_of(kind), "read", "1" if around else self._is_defined(spot, size_of(kind)))
                value = self.op(f"load {memory_type(kind)}, ptr {self.pointer(spot.value)}")
                return self.op(f"icmp ne i8 {value}, 0") if kind == ir.BOOL else value
        return super().load(spot, kind, location, text, around=around)

    def store(self, spot: Spot, value: str, kind: ir.Type, location: ir.Location, text: str = "") -> None:
        """Store a value at a place."""
        if isinstance(spot, Cell):
            self._whole(spot, kind)
            if isinstance(kind, ir.Scalar | ir.Pointer):
                self._inside(spot, size_of(kind))
                value = self.op(f"zext i1 {value} to i8") if kind == ir.BOOL else value
                self._tags(spot, size_of(kind), "write", self._is_there(spot, value, kind))
                self.add(f"store {memory_type(kind)} {value}, ptr {self.pointer(spot.value)}")
                return
        super().store(spot, value, kind, location, text)

    def _is_there(self, spot: Cell, value: str, kind: ir.Type) -> str:
        """Say whether a value is in memory already, bit for bit: to write it again changes nothing."""
        if not self.plan.tagged(spot.region):
            return "0"
        text, bits = memory_type(kind), f"i{8 * size_of(kind)}"
        held = self.op(f"load {bits}, ptr {self.pointer(spot.value)}")
        return self.op(f"icmp eq {bits} {held}, {value if text == bits else self.op(f'bitcast {text} {value} to {bits}')}")

    def _put_parts(self, spot: Address, value: ir.Make, kind: ir.Array | ir.Struct, location: ir.Location, text: str) -> None:
        """Give an array or a struct of the thread's own its members."""
        assert isinstance(spot, Cell)
        if spot.region is None or spot.region.space is not ir.Space.REGISTER:
            raise NotCompiled(message("An object of {bytes} bytes is copied.", bytes=size_of(kind)))
        if isinstance(kind, ir.Array) and len(value.members) < kind.count:
            self.add(f"call void @llvm.memset.p0.i64(ptr {self.pointer(spot.value)}, i8 0, i64 {size_of(kind)}, i1 0)")
        for member, (part, offset) in zip(value.members, parts(kind), strict=False):
            self._put(self.moved(spot, offset), member, part, location, text)

    def copy(self, _target: Address, _source: Address, size: int, _location: ir.Location, _text: str) -> None:
        """Refuse to copy bytes: they would not be checked."""
        raise NotCompiled(message("An object of {bytes} bytes is copied.", bytes=size))

    def _whole(self, spot: Cell, kind: ir.Type) -> None:
        """Refuse objects that are many accesses; a vector is aligned as a whole."""
        if is_large(kind):
            raise NotCompiled(message("An object of {bytes} bytes is copied.", bytes=size_of(kind)))
        if isinstance(kind, ir.Struct) and kind.vector:
            self._align(spot, min(kind.align, 16))

    def _align(self, spot: Cell, size: int) -> None:
        if not spot.checked:
            self.require(self.op(f"icmp eq i64 {self.op(f'and i64 {spot.value}, {size - 1}')}, 0"), 0)

    def _inside(self, spot: Cell, size: int) -> None:
        """Look whether bytes are aligned, and inside of the array that they can be in."""
        if spot.checked:
            return
        self._align(spot, size)
        if spot.region is None:
            offset = self.op(f"sub i64 {spot.value}, {self.field('base')}")
            self.require(self.op(f"icmp ult i64 {offset}, {self.field('span')}"), 0)
            self.require(self._granule("allowed", spot.value, size), 0)
            return
        start, end = self._extent(spot.region)
        last = self.op(f"or i64 {self.op(f'sub i64 {spot.value}, {start}')}, {size - 1}")
        self.require(self.op(f"icmp ult i64 {last}, {self.op(f'sub i64 {end}, {start}')}"), 0)

    def _extent(self, region: Region) -> tuple[str, str]:
        variable = next((each for each, place in self.plan.places.items() if place is region), None)
        if region in self.plan.regions:
            at = self._array(region)
            return self.field("first", at), self.field("first", at + 1)
        assert variable is not None
        spot = self.spot(variable)
        assert isinstance(spot, Cell)
        size = self.field("dynamic") if variable.dynamic else str(size_of(variable.type))
        return spot.value, self.op(f"add i64 {spot.value}, {size}")

    def _array(self, region: Region) -> int:
        """Say where the core is told of an array."""
        arguments = sum(1 for each in self.plan.kernel.parameters for _ in leaves(each.type))
        return arguments + 3 * self.plan.regions.index(region)

    def _granule(self, name: str, address: str, size: int) -> str:
        place = self.op(f"add i64 {self.field(name)}, {self.op(f'lshr i64 {address}, 4')}")
        allowed = self.op(f"zext i8 {self.op(f'load i8, ptr {self.pointer(place)}')} to i64")
        within = self.op(f"and i64 {address}, 15")
        return self.op(f"icmp ule i64 {self.op(f'add i64 {within}, {size}')}, {allowed}")

    def _is_defined(self, spot: Cell, size: int) -> str:
        """Say whether bytes were written before the launch."""
        region = spot.region
        if region is None:
            return self._granule("defined", spot.value, size)
        if region.space is ir.Space.SHARED:
            return "0"
        if region not in self.plan.regions or region in self.plan.full:
            return "1"
        flags = self.op(f"add i64 {self.field('first', self._array(region) + 2)}, {spot.value}")
        found = self.op(f"load i{8 * size}, ptr {self.pointer(flags)}, align 1")
        return self.op(f"icmp eq i{8 * size} {found}, {int.from_bytes(bytes([1]) * size, 'little')}")

    def _tags(self, spot: Cell, size: int, access: str, known: str, tag: str = "") -> None:
        """Look whether the order of threads matters to an access, and note it. `known`: of what is read, whether it was written before the
        launch; of what is written, whether it is there already."""
        if spot.region is not None and not self.plan.tagged(spot.region):
            if access != "write" and known not in ("0", "1"):
                self.require(known, 2)
            return
        now, me = self.op("load i32, ptr %now"), self.op("load i32, ptr %me")
        for further in range(0, size, self.plan.unit):
            address = spot.value if further == 0 else self.op(f"add i64 {spot.value}, {further}")
            given = f"i64 {address}, i64 %reads, i64 %writes, i32 {now}, i32 {me}"
            more = f", i32 {tag}" if access == "update" else ""
            self.require(self.op(f"call i1 @{access}({given}{more}, i1 {known})"), 3)

    # ------------------------------------------------------------ arithmetic that C leaves open

    def arithmetic(self, operator: ir.Binary, left: str, right: str, kind: ir.Type) -> str:
        """Compute as a GPU does: a shift by more than there are bits leaves nothing, or the sign."""
        if operator not in SHIFTS or is_float(kind):
            return super().arithmetic(operator, left, right, kind)
        text, bits = type_text(kind), 8 * size_of(kind)
        inside = self.op(f"icmp ult {text} {right}, {bits}")
        shifted = super().arithmetic(operator, left, right, kind)
        signed = operator is ir.Binary.SHIFT_RIGHT and is_signed(kind)
        rest = self.op(f"ashr {text} {left}, {bits - 1}") if signed else "0"
        return self.op(f"select i1 {inside}, {text} {shifted}, {text} {rest}")

    def operation(self, operator: ir.Binary, left: str, right: str, kind: ir.Type, _location: ir.Location) -> str:
        """Emit an operation on two values of one type; by zero an integer's quotient and remainder are 0."""
        if operator not in DIVISIONS or is_float(kind):
            return self.arithmetic(operator, left, right, kind)
        text = type_text(kind)
        zero = self.op(f"icmp eq {text} {right}, 0")
        wrong = zero
        if is_signed(kind):
            least = -(1 << (8 * size_of(kind) - 1))
            overflow = self.op(f"and i1 {self.op(f'icmp eq {text} {left}, {least}')}, {self.op(f'icmp eq {text} {right}, -1')}")
            wrong = self.op(f"or i1 {zero}, {overflow}")
        found = self.arithmetic(operator, left, self.op(f"select i1 {wrong}, {text} 1, {text} {right}"), kind)
        return self.op(f"select i1 {zero}, {text} 0, {text} {found}")

    def _to_integer(self, value: str, old: str, target: ir.Type) -> str:
        """Convert a float to the nearest integer that there is towards zero; NaN is 0."""
        assert isinstance(target, ir.Scalar)
        wide, letter = 8 * max(target.size, 4), "s" if is_signed(target) else "u"
        name = f"llvm.fpto{letter}i.sat.i{wide}.f{32 if old == 'float' else 64}"
        self.shared.outside[name] = f"declare i{wide} @{name}({old})"
        found = self.op(f"call i{wide} @{name}({old} {value})")
        return found if wide == 8 * target.size else self.op(f"trunc i{wide} {found} to {type_text(target)}")
