"""Uniformity analysis: which values are equal in all lanes, and which control flow all lanes share.

A value is uniform where every active lane has the same one; it then is one Python value. A variable varies if it is ever given a varying
value, or given any value where only some of the lanes that still need its old one take part. The analysis starts from "everything is
uniform" and repeats until nothing changes. CUDA functions are known to it by their names.
"""

from __future__ import annotations

from kernels.simt import ir
from kernels.simt.base.instructions import product_of
from kernels.simt.base.launch import Dim3
from kernels.simt.generate.values import is_float
from kernels.simt.generate.walk import Node, children, descendants, indices, root
from kernels.simt.ir.fragments import PRODUCT, product_operations

PURE = frozenset(
    name
    for line in (
        "min max abs labs llabs fminf fmaxf fmin fmax fabsf fabs sqrtf sqrt rsqrtf expf exp exp2f logf log log2f powf pow sinf cosf",
        "tanhf floorf ceilf floor ceil roundf round truncf trunc fmaf fma __fdividef __expf __logf __mul24 __umul24 __mulhi __umulhi",
        "__clz __popc __ffs __brev __float2int_rn __float2int_rz __float2int_rd __float2int_ru __int2float_rn",
        "__float_as_int __int_as_float cvta.to.shared cvta.shared::cta cvta.shared::cluster",
    )
    for name in line.split()
)
"""Some of those whose result depends on nothing but their arguments and the block, so that it is uniform where they are; the result of any
other is taken to vary, which costs time alone."""

_FUSED = frozenset(("fma", "fmaf", "__fmaf_rn", "__fma_rn", "__hfma"))
_WITHOUT_ARITHMETIC = (
    "atomic", "__shfl", "__float", "__double", "__int", "__uint", "__ll", "__ull", "__half", "__hiloint", "fmin", "fmax", "fabs", "min",
    "max", "abs", "copysign", "floor", "ceil", "trunc", "rint", "round", "nearbyint", "ldexp", "scalbn", "frexp", "modf", "logb",
)  # fmt: skip
"""Beginnings of the names of functions that give floats without an operation on them."""


def operations(call: ir.Call) -> int:
    """Floating-point operations that a call counts for in each lane: two for a fused multiply-add, a lane's part of a warp's product of
    tiles, one for any other function of arithmetic."""
    if call.name in _FUSED:
        return 2
    if call.name == PRODUCT:
        return product_operations(call)
    product = product_of(call.name)
    if product is not None:
        return product.operations
    return int(is_float(call.type) and not call.name.startswith(_WITHOUT_ARITHMETIC))


Path = tuple[Node, ...]


class Uniformity:
    """The result for one kernel and one shape of block."""

    def __init__(self, kernel: ir.Kernel, block: Dim3) -> None:
        self._block = block
        self._varying: set[ir.Variable] = set()
        self._divergent: set[int] = set()
        self.in_memory: set[ir.Variable] = {each for each in _variables(kernel) if each.addressed}
        """Register variables that need addresses: their own was taken, or an index into them varies."""
        self._depths: dict[ir.Variable, int] = dict.fromkeys(kernel.parameters, 0)
        self._changed = True
        while self._changed:
            self._changed = False
            self._visit(kernel.body, ())

    def divergent(self, node: Node) -> bool:
        """Whether lanes part at this statement or expression (a loop: leave it at different times)."""
        return id(node) in self._divergent

    def varies(self, variable: ir.Variable) -> bool:
        """Whether a register variable holds a lane vector."""
        return variable in self._varying

    def varying(self, node: ir.Expression) -> bool:
        """Whether an expression's value is a lane vector."""
        match node:
            case ir.Const():
                return False
            case ir.Special():
                axis = "xyz".find(node.name[-1])
                return node.name == "laneid" or (node.name.startswith("threadIdx") and self._block[axis] > 1)
            case ir.Load():
                return self._loads_varying(node.place)
            case ir.Increment():
                return self._loads_varying(node.place)
            case ir.AddressOf():
                return self.address_varies(node.place)
            case ir.Assign():
                return self.varying(node.value)
            case ir.Inlined():
                return node.result is not None and self.varies(node.result)
            case ir.Call():
                return node.name not in PURE or any(map(self.varying, node.arguments))
        return any(self.varying(child) for child in children(node) if not isinstance(child, ir.Whole))  # type: ignore[arg-type]

    def address_varies(self, place: ir.Place) -> bool:
        """Whether the address of a place differs among lanes."""
        below = root(place)
        varies = self.varying(below.pointer) if isinstance(below, ir.Deref) else below.variable.space is ir.Space.REGISTER
        return varies or any(map(self.varying, indices(place)))

    def in_register(self, place: ir.Place) -> bool:
        """Whether a place is (part of) a variable that lives in lane vectors."""
        below = root(place)
        return isinstance(below, ir.Whole) and below.variable.space is ir.Space.REGISTER and below.variable not in self.in_memory

    def needs_merge(self, variable: ir.Variable, path: Path) -> bool:
        """Whether an assignment here must keep the old value in lanes that do not take part."""
        return any(self.divergent(node) for node in path[self._depths.get(variable, 0) :])

    def _loads_varying(self, place: ir.Place) -> bool:
        below = root(place)
        if isinstance(below, ir.Whole) and self.in_register(place):
            return self.varies(below.variable)
        return self.address_varies(place)

    # ------------------------------------------------------------ the walk

    def _visit(self, node: Node, path: Path) -> None:
        match node:
            case ir.Declare():
                self._declare(node, path)
            case ir.If() | ir.Select():
                self._branch(node, node.condition, path)
            case ir.ShortCircuit():
                self._branch(node, node.left, path)
            case ir.Loop():
                self._loop(node, path)
            case ir.Switch():
                self._switch(node, path)
            case ir.Inlined():
                if node.result is not None:
                    self._depths[node.result] = len(path)
                self._visit(node.body, (*path, node))
            case _:
                for child in children(node):
                    self._visit(child, path)
                self._effect(node, path)

    def _declare(self, node: ir.Declare, path: Path) -> None:
        self._depths[node.variable] = len(path)
        if node.value is not None:
            self._visit(node.value, path)
            self._give(node.variable, self.varying(node.value), path)

    def _switch(self, node: ir.Switch, path: Path) -> None:
        """Lanes enter a switch at different places, and cases fall through: its parts are always masked."""
        self._mark(node)
        self._visit(node.value, path)
        for statement in node.body:
            self._visit(statement, (*path, node))

    def _effect(self, node: Node, path: Path) -> None:
        match node:
            case ir.Store() | ir.Assign():
                self._store(node.place, self.varying(node.value), path)
            case ir.Increment():
                self._store(node.place, varying=False, path=path)
            case ir.Load():
                self._index(node.place)
            case ir.Barrier():
                if node.target is not None:
                    self._depths.setdefault(node.target, len(path))
                    self._give(node.target, False, path)  # noqa: FBT003 - what a barrier counts is uniform
            case ir.Break() | ir.Continue():
                self._jump(path, isinstance(node, ir.Continue))
            case ir.Return():
                self._return(node, path)

    def _branch(self, node: ir.If | ir.Select | ir.ShortCircuit, condition: ir.Expression, path: Path) -> None:
        self._visit(condition, path)
        if self.varying(condition):
            self._mark(node)
        for child in children(node):
            if child is not condition:
                self._visit(child, (*path, node))

    def _loop(self, loop: ir.Loop, path: Path) -> None:
        """A lane that left the loop needs nothing that its header declares, one that continues needs nothing that its body declares."""
        self._visit(loop.before, path)
        within = (*path, loop)
        for statement in loop.before.statements:
            if isinstance(statement, ir.Declare):
                self._depths[statement.variable] = len(within)
        if loop.condition is not None:
            self._visit(loop.condition, within)
            if self.varying(loop.condition):
                self._mark(loop)
        self._visit(loop.body, (*within, loop.body))
        self._visit(loop.step, within)

    def _jump(self, path: Path, continues: bool) -> None:
        """A break makes its loop diverge, a continue its body, if not all lanes take it together."""
        for position in reversed(range(len(path))):
            target = path[position]
            if isinstance(target, ir.Switch) and not continues:
                return
            if isinstance(target, ir.Loop):
                if any(map(self.divergent, path[position + 1 :])) or (continues and target.test_last):
                    self._mark(target.body if continues else target)
                return

    def _return(self, node: ir.Return, path: Path) -> None:
        """A return from a device function: what it leaves diverges unless it stands at the end, where all lanes come together anyway."""
        position = next((at for at in reversed(range(len(path))) if isinstance(path[at], ir.Inlined)), None)
        if position is None:
            return
        function = path[position]
        assert isinstance(function, ir.Inlined)
        if node.value is not None and function.result is not None:
            self._give(function.result, self.varying(node.value), path)
        if not any(each is node for each in tail(function.body)):
            for left in path[position:]:
                if isinstance(left, ir.Inlined | ir.Loop):
                    self._mark(left)

    def _store(self, place: ir.Place, varying: bool, path: Path) -> None:
        self._index(place)
        below = root(place)
        if isinstance(below, ir.Whole) and self.in_register(place):
            self._give(below.variable, varying, path)

    def _index(self, place: ir.Place) -> None:
        below = root(place)
        if isinstance(below, ir.Whole) and self.in_register(place) and any(map(self.varying, indices(place))):
            self.in_memory.add(below.variable)
            self._changed = True

    def _give(self, variable: ir.Variable, varying: bool, path: Path) -> None:
        if variable not in self._varying and (varying or self.needs_merge(variable, path)):
            self._varying.add(variable)
            self._changed = True

    def _mark(self, node: Node) -> None:
        if id(node) not in self._divergent:
            self._divergent.add(id(node))
            self._changed = True


def tail(block: ir.Block) -> list[Node]:
    """The returns after which nothing is left of a body."""
    last = block.statements[-1] if block.statements else None
    match last:
        case ir.Return():
            return [last]
        case ir.Block():
            return tail(last)
        case ir.If():
            return tail(last.then) + (tail(last.otherwise) if last.otherwise is not None else [])
    return []


def _variables(kernel: ir.Kernel) -> set[ir.Variable]:
    found = set(kernel.parameters)
    for node in descendants(kernel.body):
        if isinstance(node, ir.Declare | ir.Whole):
            found.add(node.variable)
        elif isinstance(node, ir.Inlined) and node.result is not None:
            found.add(node.result)
    return found
