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
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD)
MOST_SCALARS = 1 << 18


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
        self._final: list[tuple[ir.Location, ir.Statement]] = []
        self._final_statics: list[ir.Statement] = []
        self._late: dict[int, ir.Variable] = {}
        """Static variables of functions whose initial value is not constant, by the hash of their declaration."""

    @property
    def initial(self) -> ir.Block:
        """Give what happens before `main`: initial values that are not constant, in the order of the text."""
        found = sorted(self._initial, key=lambda each: _place(each[0]))
        block = ir.Block(tuple(statement for _, statements in found for statement in statements))
        mark_addressed(block)
        return block

    def finish_ending(self, main: ir.Function) -> ir.Function:
        """Write what happens after `main`, or before `exit`: the ends of objects that outlive it."""
        found = sorted(self._final, key=lambda each: _place(each[0]))
        self.ending.location = main.location
        self.ending.body = ir.Block((*reversed(self._final_statics), *(statement for _, statement in reversed(found))))
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
        if value is None or is_trivial(self, value):
            self._end_after_main(variable)
            return
        statements: list[ir.Statement] = []
        if definition.semantic_parent.kind in FUNCTIONS and not self._is_constant(value, variable):
            self._late[definition.hash] = variable
            return
        if runs_constructor(self, value):
            with self.full_statement(statements):
                construct(self, value, ir.Whole(variable), statements)
        else:
            with self.full_statement(statements):
                initial = initial_value(self, value, variable.type)
                if not _flat(initial, variable):
                    statements.append(ir.Store(ir.Whole(variable), initial, location))
        if statements:
            self._initial.append((location, statements))
        self._end_after_main(variable)

    def _end_after_main(self, variable: ir.Variable) -> None:
        """Have an object of file scope destroyed after `main`."""
        ended: list[ir.Statement] = []
        self.destroy(ir.Whole(variable), variable.location, ended)
        self._final += [(variable.location, each) for each in ended]

    def _is_constant(self, value: Cursor, variable: ir.Variable) -> bool:
        """Say whether the initial value of a static variable is known before the program runs."""
        try:
            return not runs_constructor(self, value) and _flat(initial_value(self, value, variable.type), variable)
        except Refusal:  # it names what only its function knows
            return False

    def begun_once(self, declaration: Cursor, into: list[ir.Statement]) -> None:
        """Give a static variable whose initial value is not constant that value when its declaration is first reached."""
        variable, value = self._late.get(declaration.hash), initializer(declaration)
        if variable is None or value is None:
            return
        location = variable.location
        flag = self.globals.setdefault(~declaration.hash, ir.Variable(variable.name, ir.BOOL, ir.Space.GLOBAL, location))
        begun: list[ir.Statement] = [ir.Store(ir.Whole(flag), build.constant(1, ir.BOOL), location)]
        if runs_constructor(self, value):
            construct(self, value, ir.Whole(variable), begun)
        else:
            begun.append(ir.Store(ir.Whole(variable), initial_value(self, value, variable.type), location))
        first = build.unary(ir.Unary.NOT, ir.Load(ir.Whole(flag), ir.BOOL, location), ir.BOOL, location)
        into.append(ir.If(first, ir.Block(tuple(begun)), None, location))
        ended: list[ir.Statement] = []
        self.destroy(ir.Whole(variable), location, ended)
        if ended:
            self._final_statics.append(ir.If(ir.Load(ir.Whole(flag), ir.BOOL, location), ir.Block(tuple(ended)), None, location))


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
