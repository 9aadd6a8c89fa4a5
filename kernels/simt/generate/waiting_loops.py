"""Where the generated code lets others go first: in loops that wait for other threads, or before every access.

A loop waits where it is left by what memory holds at a place that is the same in each round, and nothing that the loop carries from round
to round decides about it: `while (*flag == 0)`, `while (atomicCAS(lock, 0, 1) != 0)`. A loop that retries (`assumed = old; old =
atomicCAS(p, assumed, ...)`) or searches (`low`, `high`) is no such loop: it ends by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, auto

from kernels.simt import ir
from kernels.simt.base.instructions import TESTS
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.generate.walk import Node, assigned, children, descendants, root

SPIN = "spin"
"""What a warp reports that waits for others: nothing is reduced. With the number of the location at which threads go on that leave."""
ACCESS = "access"
"""What a warp reports that is about to access memory."""
MEET = "meet"
"""What some lanes of a warp report at a barrier of the warp. With the lanes that they name."""
TOGETHER = "together"
"""What some lanes of a warp report that exchange values with others. With the function, its call, its arguments, the lanes named first."""
ALONE = "__activemask"
"""A function of the warp that waits for no other lane."""
SLEEP = "__nanosleep"
_IDLE = (SLEEP, "__threadfence", "__threadfence_block", "__threadfence_system")


class Preempt(IntEnum):
    """Points at which other warps may go first; each has those before it, too."""

    SPINS = auto()
    ACCESSES = auto()
    FENCES = auto()


class Waiting:
    """The loops of a kernel that wait for other threads."""

    def __init__(self, body: ir.Block) -> None:
        self._found = {id(each): each.location for each in descendants(body) if isinstance(each, ir.Loop) and _waits(each)}
        if self._found:
            self._visit(body, None)

    def __bool__(self) -> bool:
        return bool(self._found)

    def behind(self, loop: ir.Loop) -> ir.Location | None:
        """Where threads go on that leave a loop that waits (the loop itself, where nothing follows); None: it does not wait."""
        return self._found.get(id(loop))

    def _visit(self, node: Node, behind: ir.Location | None) -> None:
        if id(node) in self._found and behind is not None:
            self._found[id(node)] = behind
        if not isinstance(node, ir.Block):
            for child in children(node):
                self._visit(child, behind)
            return
        for position, statement in enumerate(node.statements):
            self._visit(statement, _begin(node.statements[position + 1 :]) or behind)


def may_wait(body: ir.Block) -> bool:
    """Whether threads wait for others within, other than at barriers."""
    return bool(Waiting(body)) or any(isinstance(each, ir.Call) and each.name == SLEEP for each in descendants(body))


def _begin(statements: tuple[ir.Statement, ...]) -> ir.Location | None:
    """Where the first of the statements stands."""
    for each in statements:
        found = _begin(each.statements) if isinstance(each, ir.Block) else each.location
        if found is not None:
            return found
    return None


def _waits(loop: ir.Loop) -> bool:
    """Follow what decides about leaving the loop back through the variables that are given values in it."""
    if _steps(loop):
        return False
    given = _given(loop)
    needs: dict[ir.Variable, set[ir.Variable]] = {}
    waiting: list[tuple[ir.Variable | None, Node]] = [(None, each) for each in _exits(loop)]
    reads = False
    while waiting:
        owner, node = waiting.pop()
        for each in descendants(node):
            reads |= _reads_memory(each)
            if not isinstance(each, ir.Whole) or each.variable not in given:
                continue
            if owner is not None:
                needs.setdefault(owner, set()).add(each.variable)
            if each.variable not in needs:
                needs[each.variable] = set()
                waiting += [(each.variable, value) for value in given[each.variable]]
    return reads and not _circular(needs)


def _steps(loop: ir.Loop) -> bool:
    """Whether the loop counts: its condition looks at what its step changes. The rest of such a loop need not be looked at."""
    changed = {assigned(each) for each in descendants(loop.step)} - {None}
    return loop.condition is not None and any(
        isinstance(each, ir.Whole) and each.variable in changed for each in descendants(loop.condition)
    )


def _reads_memory(node: Node) -> bool:
    if isinstance(node, ir.Call):
        return KNOWN.get(node.name) is Known.ATOMIC or node.name in TESTS
    if not isinstance(node, ir.Load):
        return False
    below = root(node.place)
    return isinstance(below, ir.Deref) or below.variable.space in (ir.Space.GLOBAL, ir.Space.SHARED)


def _exits(loop: ir.Loop) -> Iterator[Node]:
    """The conditions under which the loop is left."""
    if loop.condition is not None:
        yield loop.condition
    for node in descendants(loop.body):
        if isinstance(node, ir.If) and any(isinstance(each, ir.Break | ir.Return) for each in descendants(node)):
            yield node.condition


def _given(loop: ir.Loop) -> dict[ir.Variable, list[Node]]:
    """For each variable what it is given in the loop, and the conditions under which it is."""
    found: dict[ir.Variable, list[Node]] = {}

    def visit(node: Node, conditions: tuple[Node, ...]) -> None:
        variable = assigned(node)
        if variable is not None and not (isinstance(node, ir.Declare) and node.value is None):
            found.setdefault(variable, []).extend((*_values(node), *conditions))
        if isinstance(node, ir.Inlined) and node.result is not None:
            found.setdefault(node.result, []).extend(each for each in descendants(node.body) if isinstance(each, ir.Return))
        if isinstance(node, ir.If):
            conditions = (*conditions, node.condition)
        for child in children(node):
            visit(child, conditions)

    for part in (loop.body, loop.step):
        visit(part, ())
    if loop.condition is not None:
        visit(loop.condition, ())
    return found


def _values(node: Node) -> tuple[Node, ...]:
    """What a node gives its variable; one that changes the old value holds that too."""
    if isinstance(node, ir.Increment):
        return (node.place,)
    if isinstance(node, ir.Store) and node.operator is not None:
        return node.place, node.value
    value = getattr(node, "value", None) or getattr(node, "predicate", None)
    return () if value is None else (value,)


def _circular(needs: dict[ir.Variable, set[ir.Variable]]) -> bool:
    """Whether a variable's value comes from its own of an earlier round."""
    for start in needs:
        reached: set[ir.Variable] = set()
        waiting = [*needs[start]]
        while waiting:
            variable = waiting.pop()
            if variable is start:
                return True
            if variable not in reached:
                reached.add(variable)
                waiting += needs.get(variable, ())
    return False


def waited_for(body: ir.Block) -> frozenset[int]:
    """Return the volatile places (by identity) that loops, doing nothing besides, read until a value there lets them end."""
    nodes = list(descendants(body))
    if not any(isinstance(node, ir.Load) and node.place.volatile for node in nodes):
        return frozenset()
    return frozenset(place for node in nodes if isinstance(node, ir.Loop) for place in _places(node))


def _places(loop: ir.Loop) -> frozenset[int]:
    nodes = [node for part in (loop.condition, loop.step, loop.body) if part is not None for node in descendants(part)]
    if any(map(_acts, nodes)):
        return frozenset()
    found = [node for node in nodes if isinstance(node, ir.Load) and node.place.volatile]
    deciding = _deciding(loop, nodes)
    return frozenset(id(each.place) for each in found if any(_depends(part, each, nodes) for part in deciding))


def _acts(node: Node) -> bool:
    """Whether the node changes anything but variables of the thread."""
    if isinstance(node, ir.Store | ir.Assign | ir.Increment):
        below = root(node.place)
        return isinstance(below, ir.Deref) or below.variable.space is not ir.Space.REGISTER
    return isinstance(node, ir.Barrier | ir.Print | ir.Launch) or (
        isinstance(node, ir.Call) and node.type is None and node.name not in _IDLE
    )


def _deciding(loop: ir.Loop, nodes: list[Node]) -> list[Node]:
    """Return the conditions that end the loop."""
    leaving: list[Node] = [
        node.condition
        for node in nodes
        if isinstance(node, ir.If) and any(isinstance(each, ir.Break | ir.Return) for each in descendants(node))
    ]
    return leaving if loop.condition is None else [loop.condition, *leaving]


def _depends(condition: Node, load: ir.Load, nodes: list[Node]) -> bool:
    """Whether a condition reads the place, itself or through variables of the thread."""
    holding: set[ir.Variable] = set()
    while True:
        given = {
            variable
            for node in nodes
            if (variable := assigned(node)) is not None and _reads(node, load, holding) and variable not in holding
        }
        if not given:
            return _reads(condition, load, holding)
        holding |= given


def _reads(node: Node, load: ir.Load, holding: set[ir.Variable]) -> bool:
    return any(
        each is load or (isinstance(each, ir.Load) and isinstance(each.place, ir.Whole) and each.place.variable in holding)
        for each in descendants(node)
    )
