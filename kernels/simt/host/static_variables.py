"""Static variables of a host program, those that outlive calls: their initial values, when they begin and when they end."""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, CursorKind, StorageClass

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.host.calls import CallContext
from kernels.simt.lower import build
from kernels.simt.lower.context import Frame
from kernels.simt.lower.cursors import initializer
from kernels.simt.lower.initializers import flatten, initial_value, is_trivial, runs_constructor, scalar_count, scalars
from kernels.simt.lower.kernel import mark_addressed
from kernels.simt.lower.names import space_of
from kernels.simt.lower.objects import construct
from kernels.simt.lower.refusals import Refusal

K = CursorKind
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION)
MOST_SCALARS = 1 << 18
NUMBER = ir.I32


class StaticVariableContext(CallContext):
    """Context with the variables that outlive calls."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.devices: list[ir.Variable] = []
        """Variables of the device that the host names."""
        self.managed: list[ir.Variable] = []
        """Those of them that the host may access."""
        self.ending = ir.Function("", (), None, ir.Location(0, 0), ir.Block(()))
        self._initial: list[tuple[ir.Location, list[ir.Statement]]] = []
        self._last = ir.Variable("last", NUMBER, ir.Space.GLOBAL, ir.Location(0, 0))
        """The number of the object that was made last, of those that outlive calls and do something when they end; 0: there is none."""
        self._ends: dict[int, tuple[ir.Variable, list[ir.Statement]]] = {}
        """By the hash of its declaration, which object was made before it, and what ends it. Their numbers are their order here."""
        self._late: dict[int, ir.Variable] = {}
        """Static variables of functions whose initial value is not constant, or that do something when they end, by the hash of their
        declaration."""

    @property
    def initial(self) -> ir.Block:
        """Give what happens before `main`: initial values that are not constant, in the order of the text."""
        found = sorted(self._initial, key=lambda each: _place(each[0]))
        block = ir.Block(tuple(statement for _, statements in found for statement in statements))
        mark_addressed(block)
        return block

    @property
    def order(self) -> tuple[ir.Variable, ...]:
        """Give the variables that hold in which order objects were made."""
        return (self._last, *(before for before, _ in self._ends.values())) if self._ends else ()

    def finish_ending(self, main: ir.Function) -> ir.Function:
        """Write what happens after `main`, or before `exit`: the ends of the objects that were made, the last one first. Each is taken off
        the list before it ends: where its destructor calls `exit`, that ends the others."""
        at = main.location
        last = ir.Load(ir.Whole(self._last), NUMBER, at)
        bodies: list[ir.Statement] = []
        for before, ended in self._ends.values():
            taken_off = ir.Store(ir.Whole(self._last), ir.Load(ir.Whole(before), NUMBER, at), at)
            bodies += [ir.Block((taken_off, *ended)), ir.Break(at)]
        choices = tuple(((number + 1,), 2 * number) for number in range(len(self._ends)))
        chosen = ir.Block((ir.Switch(last, choices, tuple(bodies), at),))
        some = build.binary(ir.Binary.NOT_EQUAL, last, ir.Const(0, NUMBER), ir.BOOL, at)
        self.ending.location = at
        if self._ends:
            self.ending.body = ir.Block((ir.Loop(ir.Block(()), some, ir.Block(()), chosen, test_last=False, location=at),))
        return self.ending

    def variable(self, cursor: Cursor, declaration: Cursor) -> ir.Variable | None:
        """Make a variable of file scope, or a static one; the device's are kept apart."""
        kind = self.type(declaration)
        definition = declaration.get_definition() or declaration
        space, location = space_of(declaration), self.unit.location(declaration)
        variable = ir.Variable(declaration.spelling, kind, space or ir.Space.GLOBAL, location)
        if space is not None:
            self.devices.append(variable)
            with self.entered(Frame(definition)):
                variable.initial = scalars(self, definition, kind)
            if _has_address(variable.initial or ()):
                raise self.refuse(cursor, message("{name} begins with an address: the host cannot name it.", name=variable.name))
            if any(child.kind is K.ANNOTATE_ATTR for child in declaration.get_children()):
                self.managed.append(variable)
            return variable
        if declaration.storage_class is StorageClass.EXTERN and declaration.get_definition() is None:
            raise self.refuse(cursor, message("{name} is declared, but stands nowhere.", name=declaration.spelling))
        self.globals[declaration.hash] = variable
        with self.entered(Frame(definition)):
            self._begin(definition, variable)
        return variable

    def _begin(self, definition: Cursor, variable: ir.Variable) -> None:
        """Give a variable its initial value: scalars where they are constant, else statements that run before `main`."""
        value, location = initializer(definition), self.unit.location(definition)
        if value is not None and is_trivial(self, value):
            value = None
        if definition.semantic_parent.kind in FUNCTIONS and (
            self.types.destructor(variable.type) is not None or not (value is None or self._is_constant(value, variable))
        ):
            self._late[definition.hash] = variable
            return
        statements: list[ir.Statement] = []
        with self.full_statement(statements):
            if value is not None and runs_constructor(self, value):
                construct(self, value, ir.Whole(variable), statements)
            elif value is not None:
                initial = initial_value(self, value, variable.type)
                if not _flat(initial, variable):
                    statements.append(ir.Store(ir.Whole(variable), initial, location))
        self._note_end(definition, variable, statements)
        if statements:
            self._initial.append((location, statements))

    def _note_end(self, declaration: Cursor, variable: ir.Variable, into: list[ir.Statement]) -> None:
        """Put an object that was made on the list of those that end after `main`."""
        key, at, ended = declaration.hash, variable.location, list[ir.Statement]()
        self.destroy(ir.Whole(variable), at, ended)
        if not ended:
            return
        if key not in self._ends:
            self._ends[key] = ir.Variable(variable.name, NUMBER, ir.Space.GLOBAL, at), ended
        before, number = self._ends[key][0], list(self._ends).index(key) + 1
        into.append(ir.Store(ir.Whole(before), ir.Load(ir.Whole(self._last), NUMBER, at), at))
        into.append(ir.Store(ir.Whole(self._last), ir.Const(number, NUMBER), at))

    def _is_constant(self, value: Cursor, variable: ir.Variable) -> bool:
        """Say whether the initial value of a static variable is known before the program runs."""
        try:
            return not runs_constructor(self, value) and _flat(initial_value(self, value, variable.type), variable)
        except Refusal:  # it names what only its function knows
            return False

    def begun_once(self, declaration: Cursor, into: list[ir.Statement]) -> None:
        """Make a static variable when its declaration is first reached, unless its value is constant and it does nothing when it ends."""
        variable, value = self._late.get(declaration.hash), initializer(declaration)
        if variable is None:
            return
        location = variable.location
        flag = self.globals.setdefault(~declaration.hash, ir.Variable(variable.name, ir.BOOL, ir.Space.GLOBAL, location))
        begun: list[ir.Statement] = []
        if value is not None and runs_constructor(self, value):
            construct(self, value, ir.Whole(variable), begun)
        elif value is not None and not is_trivial(self, value):
            begun.append(ir.Store(ir.Whole(variable), initial_value(self, value, variable.type), location))
        begun.append(ir.Store(ir.Whole(flag), build.constant(1, ir.BOOL), location))  # after an exception it is made at the next call
        self._note_end(declaration, variable, begun)
        first = build.unary(ir.Unary.NOT, ir.Load(ir.Whole(flag), ir.BOOL, location), ir.BOOL, location)
        into.append(ir.If(first, ir.Block(tuple(begun)), None, location))


def _place(location: ir.Location) -> tuple[bool, str, int, int]:
    """Order places as variables begin: those of headers before those of the program."""
    return not location.file, location.file, location.line, location.column


def _flat(initial: ir.Expression, variable: ir.Variable) -> bool:
    """Give a variable its initial value as scalars; say whether these are constant."""
    scalars: list[int | float | ir.AddressIn] = []
    if scalar_count(variable.type) > MOST_SCALARS or not flatten(initial, variable.type, scalars) or _has_address(scalars):
        return False
    variable.initial = tuple(scalars)
    return True


def _has_address(values: Iterable[int | float | ir.AddressIn]) -> bool:
    """Say whether a variable begins with the address of another."""
    return any(isinstance(each, ir.AddressIn) for each in values)
