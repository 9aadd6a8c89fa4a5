"""Places of a host program: in slots of their own, or in the arena, where every access is checked.

A variable whose address nobody takes, and which is no array, lives in a slot: no address leads there. All others have addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from operator import itemgetter

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.host.arena import GRANULE, Layout
from kernels.simt.host.code import Code, memory_type, type_text

SLOT = 16
MOST_LEAVES = 32
"""Scalars of a struct that is copied one by one; a larger one as bytes."""


MOST_BY_VALUE = 1 << 15
"""Bytes of an object that is passed as a value."""


class TooLarge(Exception):
    """Refusal of a value of so many bytes."""

    def __init__(self, location: ir.Location, size: int) -> None:
        super().__init__(size)
        self.location = location
        self.reason = message("A value of {bytes} bytes is passed or returned here: use a pointer.", bytes=size)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that no address leads to; `name` is LLVM's pointer."""

    name: str


@dataclass(frozen=True, slots=True)
class Address:
    """A place in the arena; `value` is a number of 64 bits. `own` ones need no check: whole variables, known when compiled."""

    value: str
    own: bool = False


Spot = Slot | Address


@dataclass(slots=True)
class Shared:
    """Context that the functions of a module share: where variables lie, the places in the text that can fail, who is told."""

    layout: Layout
    addresses: Mapping[ir.Variable, int]
    fault: int
    """The address of the function that is told of an access that the shadow does not allow."""
    serve: int
    """The address of the function that answers calls of the library."""
    sites: list[tuple[ir.Location, str]] = field(default_factory=list)
    devices: frozenset[ir.Variable] = frozenset()
    """Variables of the device: the host may access those that are managed."""
    functions: dict[ir.Function, str] = field(default_factory=dict)
    launches: list[ir.Launch] = field(default_factory=list)
    thrown: dict[tuple[str, ...], int] = field(default_factory=dict)
    """What the program throws, numbered: the names of a class and of those that it inherits."""
    throwing: set[ir.Function] = field(default_factory=set)
    """Functions that may throw, or call one that may."""
    outside: dict[str, str] = field(default_factory=dict)
    """Declarations of what is not defined in the module, by name."""

    def site(self, location: ir.Location, text: str = "") -> int:
        """Number a place in the text."""
        self.sites.append((location, text))
        return len(self.sites) - 1


class FunctionCode(Code):
    """Code of one function with its variables."""

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self.shared = shared
        self.spots: dict[ir.Variable, Spot] = {}
        self.variables: list[tuple[int, int]] = []
        """Offset and bytes of each variable of this function in the arena."""
        self.again = 1
        """How many loops are around; one more in a function of the program that may be called more than once."""
        self.size = 0
        self.base = "%base"

    def spot(self, variable: ir.Variable) -> Spot:
        """Find where a variable lives; one that is new gets its place."""
        found = self.spots.get(variable)
        if found is None:
            found = self.spots[variable] = self._new(variable)
        return found

    def _new(self, variable: ir.Variable) -> Spot:
        if variable in self.shared.addresses:
            return Address(str(self.shared.addresses[variable]), own=variable not in self.shared.devices)
        if not variable.addressed and not _has_array(variable.type):
            return Slot(self.slot(type_text(variable.type)))
        size = max(size_of(variable.type), 1)
        offset = self.size
        self.size += -(-size // SLOT) * SLOT + SLOT
        self.variables.append((offset, size))
        name = f"%{self.fresh('a')}"
        self.slots.append(f"  {name} = add i64 {self.base}, {offset}")
        return Address(name, own=True)

    def check(self, address: str, size: int, location: ir.Location, text: str, *, writes: bool = False) -> None:
        """Let the program go on only where these bytes, sixteen at most, are allocated."""
        layout, site = self.shared.layout, self.shared.site(location, text)
        if not self.again:  # in place it is faster, and takes LLVM a millisecond
            self.add(f"call preserve_mostcc void @allowed(i64 {address}, i64 {size}, i64 {-size if writes else size}, i64 {site})")
            return
        offset = self.op(f"sub i64 {address}, {layout.base}")
        granule = self.op(f"lshr i64 {offset}, {GRANULE.bit_length() - 1}")
        inside = self.op(f"call i64 @llvm.umin.i64(i64 {granule}, i64 {layout.last})")
        where = self.op(f"getelementptr i8, ptr inttoptr (i64 {layout.shadow} to ptr), i64 {inside}")
        allowed = self.op(f"zext i8 {self.op(f'load i8, ptr {where}')} to i64")
        end = self.op(f"add i64 {self.op(f'and i64 {offset}, {GRANULE - 1}')}, {size}")
        fine, slow = self.fresh("fine"), self.fresh("slow")
        self.end(f"br i1 {self.op(f'icmp ule i64 {end}, {allowed}')}, label %{fine}, label %{slow}, !prof !0")
        self.begin(slow)
        self.tell(address, str(-size if writes else size), site)
        self.begin(fine)

    def tell(self, address: str, size: str, site: int) -> None:
        """Ask whether an access is allowed, of a negative size to write; the program ends there where it is not."""
        self.add(f"call void inttoptr (i64 {self.shared.fault} to ptr)(i64 {address}, i64 {size}, i64 {site})")

    def pointer(self, address: str) -> str:
        """Make a pointer of a checked address."""
        return self.op(f"inttoptr i64 {address} to ptr")

    def load(self, spot: Spot, kind: ir.Type, location: ir.Location, text: str = "", *, around: bool = False) -> str:
        """Load a value from a place; one that is stored again there, but for some bits (`around`), may never have been written."""
        if isinstance(spot, Slot):
            return self.op(f"load {type_text(kind)}, ptr {spot.name}")
        if isinstance(kind, ir.Struct | ir.Array):
            if size_of(kind) > MOST_BY_VALUE:
                raise TooLarge(location, size_of(kind))
            return self._load_parts(spot, kind, location, text)
        if not spot.own:
            self.check(spot.value, size_of(kind), location, text, writes=around)
        value = self.op(f"load {memory_type(kind)}, ptr {self.pointer(spot.value)}, align 1")
        return self.op(f"icmp ne i8 {value}, 0") if kind == ir.BOOL else value

    def _load_parts(self, spot: Address, kind: ir.Struct | ir.Array, location: ir.Location, text: str) -> str:
        value, whole = "zeroinitializer", type_text(kind)
        for number, (part, offset) in enumerate(parts(kind)):
            loaded = self.load(self.moved(spot, offset), part, location, text)
            value = self.op(f"insertvalue {whole} {value}, {type_text(part)} {loaded}, {number}")
        return value

    def store(self, spot: Spot, value: str, kind: ir.Type, location: ir.Location, text: str = "") -> None:
        """Store a value at a place."""
        if isinstance(spot, Slot):
            self.add(f"store {type_text(kind)} {value}, ptr {spot.name}")
            return
        if isinstance(kind, ir.Struct | ir.Array):
            if size_of(kind) > MOST_BY_VALUE:
                raise TooLarge(location, size_of(kind))
            for number, (part, offset) in sorted(enumerate(parts(kind)), reverse=overlaps(kind), key=itemgetter(0)):
                piece = self.op(f"extractvalue {type_text(kind)} {value}, {number}")
                self.store(self.moved(spot, offset), piece, part, location, text)
            return
        if not spot.own:
            self.check(spot.value, size_of(kind), location, text, writes=True)
        if kind == ir.BOOL:
            value = self.op(f"zext i1 {value} to i8")
        self.add(f"store {memory_type(kind)} {value}, ptr {self.pointer(spot.value)}, align 1")

    def copy(self, target: Address, source: Address, size: int, location: ir.Location, text: str) -> None:
        """Copy bytes from place to place."""
        for spot, extent in ((target, -size), (source, size)):
            if not spot.own:
                self.tell(spot.value, str(extent), self.shared.site(location, text))
        pointers = f"ptr {self.pointer(target.value)}, ptr {self.pointer(source.value)}"
        self.add(f"call void @llvm.memmove.p0.p0.i64({pointers}, i64 {size}, i1 0)")

    def moved(self, spot: Address, offset: int) -> Address:
        """Give the place some bytes further, within the same object."""
        return spot if offset == 0 else Address(self.op(f"add i64 {spot.value}, {offset}"), spot.own)


def parts(kind: ir.Struct | ir.Array) -> Iterator[tuple[ir.Type, int]]:
    """Go through the members of a struct, or the elements of an array, with their offsets in bytes."""
    if isinstance(kind, ir.Struct):
        return ((member.type, member.offset) for member in kind.fields)
    return ((kind.element, index * size_of(kind.element)) for index in range(kind.count))


def is_large(kind: ir.Type) -> bool:
    """Say whether an object is copied as bytes."""
    if isinstance(kind, ir.Scalar | ir.Pointer):
        return False
    return size_of(kind) > 8 * MOST_LEAVES or sum(1 for _ in leaves(kind)) > MOST_LEAVES


def overlaps(kind: ir.Struct | ir.Array) -> bool:
    """Say whether members lie over each other: of a union, the first is stored last, so that it is the one that counts."""
    if isinstance(kind, ir.Array):
        return False
    ends = [0, *(member.offset + size_of(member.type) for member in kind.fields)]
    return any(member.offset < end for member, end in zip(kind.fields, ends, strict=False))


def _has_array(kind: ir.Type) -> bool:
    if isinstance(kind, ir.Struct):
        return overlaps(kind) or any(_has_array(member.type) for member in kind.fields)
    return isinstance(kind, ir.Array)
