"""Build of one launch's code: the generated text while it grows, and what the parts of the generator share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.generate.provenance import Provenance
from kernels.simt.generate.ranges import Ranges
from kernels.simt.generate.uniformity import Path, Uniformity
from kernels.simt.generate.values import Value, leaf_types, typed, zero
from kernels.simt.generate.waiting_loops import ACCESS, ALONE, SPIN, TOGETHER, Preempt, Waiting
from kernels.simt.generate.walk import Node, may_end
from kernels.simt.machine.memory import Region
from kernels.simt.machine.site_plans import SiteSpec
from kernels.simt.trace.trace import Site

_NOT_ASCII = re.compile(r"[^A-Za-z0-9]")


class Source:
    """Lines of Python, with a part that runs first (`prologue`), fresh names, and objects that the text refers to by name."""

    def __init__(self) -> None:
        self.prologue: list[str] = []
        self.objects: dict[str, object] = {}
        self.depth = 1
        self._lines: list[str] = []
        self._number = 0

    def line(self, text: str) -> None:
        """One statement at the present depth."""
        self._lines.append(" " * self.depth + text)

    @contextmanager
    def indented(self, header: str) -> Iterator[None]:
        """A compound statement; never left empty."""
        self.line(header)
        self.depth += 1
        start = len(self._lines)
        yield
        if len(self._lines) == start:
            self.line("pass")
        self.depth -= 1

    def name(self, stem: str) -> str:
        """A name that is used nowhere else."""
        self._number += 1
        return f"{stem}{self._number}"

    def variable(self, path: str) -> str:
        """A name for a variable of the kernel; only these have an underscore and a number at the end."""
        return _NOT_ASCII.sub("_", path) + self.name("_")

    def hold(self, value: str, stem: str = "t") -> str:
        """The name of a new local that has this value."""
        name = self.name(stem)
        self.line(f"{name} = {value}")
        return name

    def refer(self, stem: str, value: object) -> str:
        """The name by which the text finds an object."""
        for name, known in self.objects.items():
            if known is value:
                return name
        name = self.name(stem.upper())
        self.objects[name] = value
        return name

    def text(self, header: str) -> str:
        """The whole function."""
        return "\n".join([header, *(f" {line}" for line in self.prologue), *self._lines, ""])


class Unsupported(Exception):
    """A kernel that cannot be made into code, with the reason."""

    def __init__(self, location: ir.Location, reason: Message) -> None:
        super().__init__(str(reason))
        self.location = location
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Analyses:
    """Analyses of the kernel, made before code is."""

    uniformity: Uniformity
    ranges: Ranges
    provenance: Provenance
    regions: dict[ir.Variable, Region]
    """Where variables that live in memory are."""
    joined: frozenset[int]
    """See `joined_members`."""
    waited_for: frozenset[int]
    """See there."""
    named_products: frozenset[ir.Variable]
    """See there; none where sums are not contracted."""
    waiting: Waiting
    preempt: Preempt
    ends: bool
    """Whether a thread may end anywhere, other than by the kernel's return."""


class Build:
    """The text, the place in the control flow, the access sites, the variables' names."""

    def __init__(self, analyses: Analyses, functions: Mapping[str, Callable[..., object]], *, contract: bool) -> None:
        self.uniformity = analyses.uniformity
        self.ranges = analyses.ranges
        self.provenance = analyses.provenance
        self.regions = analyses.regions
        self.joined = analyses.joined
        self.waited_for = analyses.waited_for
        self.named_products = analyses.named_products
        self.waiting = analyses.waiting
        self.preempt = analyses.preempt
        self._ends = analyses.ends
        self.products: dict[ir.Variable, tuple[Value, Value]] = {}
        """The factors of those."""
        self.contract = contract
        self.source = Source()
        self.mask = "m0"
        """The local that holds the mask of the lanes that execute here."""
        self.path: Path = ()
        """The control flow around: what `Uniformity.needs_merge` asks about."""
        self.sites: list[SiteSpec] = []
        self.locations: list[ir.Location] = []
        self.targets: dict[int, Region | None] = {}
        """See `GeneratedKernel.targets`."""
        self._names: dict[ir.Variable, list[str]] = {}
        self._functions = functions
        self._constants: dict[str, str] = {}
        self._flops = 0

    def may_end(self, node: Node) -> bool:
        """Whether a thread may end within a node."""
        return self._ends and may_end(node)

    def function(self, call: ir.Call) -> str:
        """The name by which the text finds a CUDA function."""
        function = self._functions.get(call.name)
        if function is None:
            raise Unsupported(call.location, message("{name} is not supported: write what it does in CUDA C.", name=call.name))
        return self.source.refer("FUNCTION", function)

    def constant(self, code: str) -> str:
        """The name of a constant that is made once."""
        name = self._constants.get(code)
        if name is None:
            name = self._constants[code] = self.source.name("k")
            self.source.prologue.append(f"{name} = {code}")
        return name

    # ------------------------------------------------------------ registers

    def registers(self, variable: ir.Variable) -> list[str]:
        """The locals of a register variable: one for each scalar; a variable with arrays in it has one list of all (see `has_arrays`)."""
        found = self._names.get(variable)
        if found is None:
            parts = [variable.name] if has_arrays(variable.type) else [path for path, _, _ in leaves(variable.type, variable.name)]
            found = self._names[variable] = [self.source.variable(part) for part in parts]
            self.source.prologue.append(f"{' = '.join(found)} = None")
        return found

    def zeros(self, variable: ir.Variable) -> list[str]:
        """Code of what its registers hold before they are given a value. A list has one more item, for indices that leave it."""
        uniform = not self.uniformity.varies(variable)
        items = [zero(scalar, uniform=uniform) for scalar in leaf_types(variable.type)]
        if not has_arrays(variable.type):
            return items
        items = items or ["0"]  # an array of no elements: each of its indices leaves it
        same = len(set(items)) == 1
        return [f"[{items[0]}] * {len(items) + 1}" if same else f"[{', '.join([*items, items[0]])}]"]

    def give(self, variable: ir.Variable, register: str, value: Value) -> None:
        """Assign one scalar, in the active lanes only where the others still need theirs."""
        code = value.code if not self.uniformity.varies(variable) else typed(value)
        if self.uniformity.needs_merge(variable, self.path):
            code = f"merge({self.mask}, {code}, {register})"
        self.source.line(f"{register} = {code}")

    # ------------------------------------------------------------ control flow

    @contextmanager
    def region(self, node: Node, mask: str | None = None) -> Iterator[None]:
        """Code within a part of the control flow, for the lanes of another mask if one is given."""
        path, outer = self.path, self.mask
        self.path, self.mask = (*path, node), mask or outer
        yield
        self.flush_flops()
        self.path, self.mask = path, outer

    def count_flops(self, number: int) -> None:
        """Count `number` floating-point operations of each active lane."""
        self._flops += number

    def take_flops(self) -> int:
        """What was not counted yet; it is left to the caller."""
        taken, self._flops = self._flops, 0
        return taken

    def flush_flops(self) -> None:
        """Count what was done since; before the mask or the control flow changes."""
        if self._flops:
            self.source.line(f"c.flops += {self._flops} * {self.mask}.count")
            self._flops = 0

    def location(self, location: ir.Location) -> int:
        """A number for a location."""
        self.locations.append(location)
        return len(self.locations) - 1

    # ------------------------------------------------------------ preemption

    def give_way(self, location: ir.Location, behind: ir.Location | None = None) -> None:
        """Let others go first, who may end what is waited for here."""
        self.source.line(f"yield {self.location(location)}, {self.mask}, {SPIN!r}, {self.location(behind or location)}")

    def before_access(self, location: ir.Location, space: ir.Space) -> None:
        """Let others go first where every access can be preempted and this one is seen by others."""
        if self.preempt >= Preempt.ACCESSES and space is not ir.Space.REGISTER:
            self.source.line(f"yield {self.location(location)}, {self.mask}, {ACCESS!r}, None")

    def before_call(self, call: ir.Call) -> str:
        """Let others go first before a call that accesses memory, or orders accesses. What to report instead of calling, where lanes of a
        warp that go apart have to call together."""
        kind = KNOWN.get(call.name)
        if self.preempt >= Preempt.ACCESSES and kind in (Known.SHUFFLE, Known.VOTE) and call.name not in ALONE:
            return f"{self.location(call.location)}, {self.mask}, {TOGETHER!r}"
        waits = (Known.ATOMIC, Known.COPY, Known.TILE, Known.MATRIX, Known.MBARRIER)
        if kind in waits or (kind is Known.FENCE and self.preempt is Preempt.FENCES):
            self.before_access(call.location, ir.Space.GLOBAL)
        return ""

    # ------------------------------------------------------------ sites

    def site(self, site: Site, dtype: np.dtype[np.generic], count: int, region: Region | None, vector: int = 0, within: int = 0) -> str:
        """The name of a new access site; see `SiteSpec`."""
        self.sites.append(SiteSpec(site, dtype, count, region, len(self.sites), vector, within))
        return f"SITE{len(self.sites) - 1}"


def has_arrays(c_type: ir.Type) -> bool:
    """Whether a variable of this type needs an index to find its scalars."""
    if isinstance(c_type, ir.Struct):
        return any(has_arrays(field.type) for field in c_type.fields)
    return isinstance(c_type, ir.Array)
