"""Host functions to the representation: by the rules for kernels, but called instead of inlined, with variables that outlive a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clang.cindex import Cursor, CursorKind, StorageClass

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.host import heap
from kernels.simt.host.calls import CallContext
from kernels.simt.host.iteration import loop_over
from kernels.simt.host.names import BYTES, LIBRARY, kernel_number
from kernels.simt.lower import build
from kernels.simt.lower.context import Frame, Result
from kernels.simt.lower.conversions import convert, decayed
from kernels.simt.lower.cursors import body_of, defined, initializer, is_reference
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.initializers import flatten, initial_value, is_trivial, runs_constructor, scalar_count, scalars
from kernels.simt.lower.inlining import argument_or_default, body_statements
from kernels.simt.lower.kernel import mark_addressed
from kernels.simt.lower.lambdas import function_of, is_of_lambda, opened
from kernels.simt.lower.launches import configuration_of, is_kernel, kernel_entry, launch, or_zero
from kernels.simt.lower.lvalues import after, keep_pointer, nodes
from kernels.simt.lower.names import space_of
from kernels.simt.lower.objects import construct
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.types import VOID, is_empty, is_lambda

K = CursorKind
COOPERATIVE = "cudaLaunchCooperativeKernel"
ABOUT_KERNELS = frozenset((
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncGetAttributes", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxPotentialBlockSize",
))  # fmt: skip
LAUNCHING = (COOPERATIVE, "cudaLaunchKernel")
METHODS = (K.CXX_METHOD, K.CONVERSION_FUNCTION, K.DESTRUCTOR)
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD)
SEQUENCES = (
    "std::vector<", "std::string", "std::map<", "std::set<", "std::array<", "std::initializer_list<", "std::deque<", "std::multiset<",
    "std::multimap<",
)  # fmt: skip
"""Containers of the prelude whose elements lie one after the other."""
SHARED = "__shared_"
"""How functions of the prelude begin that are called, not inlined: no finding can be in them."""
MOST_SCALARS = 1 << 18
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
Lowered = ir.Expression | list[ir.Statement]


GOTO = message(
    "goto is not supported in a function with objects that have destructors, arrays whose length is known only when the program runs, or"
    " try: use a loop, or return."
)


class HostContext(CallContext):
    """Context of a whole program. Functions are lowered one after the other, each once."""

    has_threads = False
    keeps_statics = True
    keeps_lambdas = True
    jumps = True

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.functions: dict[int, ir.Function] = {}
        self.devices: list[ir.Variable] = []
        """Variables of the device that the host names."""
        self.managed: list[ir.Variable] = []
        """Those of them that the host may access."""
        self._waiting: list[tuple[ir.Function, Cursor, ir.Type | None]] = []
        self._initial: list[tuple[ir.Location, list[ir.Statement]]] = []
        self._final: list[ir.Statement] = []
        self._late: dict[int, ir.Variable] = {}
        """Static variables of functions whose initial value is not constant, by the hash of their declaration."""

    @property
    def initial(self) -> ir.Block:
        """Give what happens before `main`: initial values that are not constant, in the order of the text."""
        found = sorted(self._initial, key=lambda each: (each[0].line, each[0].column))
        return ir.Block(tuple(statement for _, statements in found for statement in statements))

    @property
    def final(self) -> ir.Block:
        """Give what happens after `main`: the ends of objects that outlive it."""
        return ir.Block(tuple(reversed(self._final)))

    def call(self, cursor: Cursor, callee: Cursor, result: Result) -> Lowered | None:
        """Lower a call: a launch, a function of the library, or one of the program's; those with a body in the prelude are inlined."""
        configuration = configuration_of(cursor)
        if configuration is not None:
            return [launch(self, cursor, callee, configuration)]
        function = defined(callee)
        if callee.kind is K.DESTRUCTOR:
            return self.destroyed(cursor)
        if callee.kind is K.CONVERSION_FUNCTION and (converted := function_of(callee.semantic_parent)) is not None:
            return ir.Const(self.address(converted), VOID)
        if self.unit.in_prelude(callee) and callee.spelling in LAUNCHING:
            return self._launched(cursor)
        if self.unit.in_prelude(callee) and callee.spelling in ABOUT_KERNELS:
            return self._about_kernel(cursor, callee)
        virtual = callee.kind is K.CXX_METHOD and callee.is_virtual_method()
        if self.unit.in_prelude(callee) and not callee.spelling.startswith(SHARED) and not virtual:
            known = callee.spelling in LIBRARY and (body_of(function) is None or callee.spelling in BYTES)
            return self._library(cursor, callee) if known else None
        if body_of(function) is None and not virtual:
            return None
        apart = is_of_lambda(function) or any(_is_taken_apart(self, each) for each in function.get_arguments())
        if apart and all(frame.function != function for frame in self.frames):
            return None
        return self._invoke(cursor, function, result)

    def new(self, cursor: Cursor) -> ir.Expression:
        """Lower `new`."""
        return heap.lower_new(self, cursor)

    def delete(self, cursor: Cursor, into: list[ir.Statement]) -> bool:
        """Lower `delete`."""
        heap.lower_delete(self, cursor, into)
        return True

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

    def sequence(self, place: ir.Place, location: ir.Location) -> tuple[ir.Expression, ir.Expression] | None:
        """Find the elements of a container: what the prelude calls its first, and how many are used."""
        kind, length = build.place_type(place), self.length(place)
        if length is not None:
            return decayed(place, location, ""), length
        if not isinstance(kind, ir.Struct) or not kind.name.startswith(SEQUENCES):
            return None
        first = ir.Member(place, kind.fields[0], location, kind.fields[0].name)
        if isinstance(kind.fields[0].type, ir.Struct):
            return self.sequence(first, location)
        if isinstance(kind.fields[0].type, ir.Array):
            return decayed(first, location, ""), ir.Const(kind.fields[0].type.count, ir.I32)
        used = ir.Load(ir.Member(place, kind.fields[1], location), kind.fields[1].type, location)
        return ir.Load(first, kind.fields[0].type, location), used

    def iterated(
        self, place: ir.Place, location: ir.Location, body: Callable[[ir.Place, list[ir.Statement]], ir.Block]
    ) -> list[ir.Statement] | None:
        """Make a loop over the elements of an object with `begin` and `end`."""
        return loop_over(self, place, location, body)

    def function(self, cursor: Cursor, record: ir.Type | None = None) -> ir.Function:
        """Give the function of a definition; its body is lowered when its turn comes. `record` is what a method's `this` points to."""
        found = self.functions.get(cursor.hash)
        if found is None:
            found = self.functions[cursor.hash] = self.head(cursor)
            self._waiting.append((found, cursor, record))
        return found

    def head(self, cursor: Cursor) -> ir.Function:
        """Make a function without a body, of the parameters and the result that a definition or a declaration has."""
        kind = self.type_or_void(cursor, cursor.result_type)
        if kind is not None and is_reference(cursor.result_type):
            kind = ir.Pointer(kind)
        parameters = [self._parameter(each) for each in cursor.get_arguments()]
        if _has_this(cursor):
            parameters.insert(0, ir.Variable("this", VOID, ir.Space.REGISTER, self.unit.location(cursor)))
        return ir.Function(cursor.spelling, tuple(parameters), kind, self.unit.location(cursor), ir.Block(()))

    def finish(self) -> None:
        """Lower the bodies that wait, and those that they call."""
        ended: set[str] = set()
        while self._waiting or len(ended) < len(self.enders) or self.write_choosers():
            self._size = 0
            if self._waiting:
                self._body(*self._waiting.pop())
                continue
            for name in self.enders.keys() - ended:
                self.write_ender(*self.enders[name])
                ended.add(name)

    def _body(self, function: ir.Function, cursor: Cursor, record: ir.Type | None) -> None:
        returned = Result.ADDRESS if is_reference(cursor.result_type) else Result.NOTHING if function.result is None else Result.VALUE
        frame = Frame(cursor, result=returned)
        parameters = list(function.parameters)
        if _has_this(cursor):
            assert record is not None
            this = ir.Load(ir.Whole(parameters.pop(0)), ir.Pointer(record), function.location)
            frame.this = ir.Deref(this, record, function.location)
        for declaration, variable in zip(cursor.get_arguments(), parameters, strict=True):
            place: ir.Place = ir.Whole(variable)
            if is_reference(declaration.type):
                assert isinstance(variable.type, ir.Pointer)
                assert variable.type.target is not None
                place = ir.Deref(ir.Load(place, variable.type, variable.location), variable.type.target, variable.location)
            frame.places[declaration.hash] = place
        statements: list[ir.Statement] = []
        with self.entered(frame):
            if is_of_lambda(cursor) and frame.this is not None:
                opened(self, frame.this, cursor.semantic_parent, cursor).enter(frame)
            for declaration, variable in zip(cursor.get_arguments(), parameters, strict=True):
                if not is_reference(declaration.type):
                    self.ends(declaration, variable, statements)
            function.body = ir.Block((*statements, *body_statements(self, cursor)))
        mark_addressed(function.body)
        self.refuse_rows(function)
        jump = next((each for each in nodes(function.body) if isinstance(each, ir.Goto)), None)
        if jump is not None and any(isinstance(each, ir.Defer | ir.Try) for each in nodes(function.body)):
            self.note(Refusal(jump.location, GOTO))

    def _parameter(self, cursor: Cursor) -> ir.Variable:
        kind = self.types_of(cursor)
        if is_reference(cursor.type):
            kind = ir.Pointer(kind)
        return ir.Variable(cursor.spelling, kind, ir.Space.REGISTER, self.unit.location(cursor))

    def _begin(self, definition: Cursor, variable: ir.Variable) -> None:
        """Give a variable its initial value: scalars where they are constant, else statements that run before `main`."""
        value = initializer(definition)
        if value is None or is_trivial(self, value):
            return
        location = self.unit.location(definition)
        statements: list[ir.Statement] = []
        if definition.semantic_parent.kind in FUNCTIONS and not self._is_constant(value, variable):
            self._late[definition.hash] = variable
            return
        if runs_constructor(self, value):
            with self.full_statement(statements):
                construct(self, value, ir.Whole(variable), statements)
        else:
            initial = initial_value(self, value, variable.type)
            if _flat(initial, variable):
                return
            statements.append(ir.Store(ir.Whole(variable), initial, location))
        self._initial.append((location, statements))
        self.destroy(ir.Whole(variable), location, self._final)

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
            self._final.append(ir.If(ir.Load(ir.Whole(flag), ir.BOOL, location), ir.Block(tuple(ended)), None, location))

    def _library(self, cursor: Cursor, callee: Cursor) -> ir.Expression:
        parameters = list(callee.get_arguments())
        arguments = []
        for position, given in enumerate(cursor.get_arguments()):
            argument = argument_or_default(self, callee, position, given) if position < len(parameters) else given
            parameter = parameters[position] if position < len(parameters) else None
            arguments.append(self._given(argument, parameter))
        name = f"__{callee.spelling}" if callee.spelling in BYTES and self.frame.caller else callee.spelling
        return ir.Call(name, tuple(arguments), self.type_or_void(cursor, cursor.type), self.location(cursor))

    def _given(self, argument: Cursor, parameter: Cursor | None) -> ir.Expression:
        if parameter is None:
            return rvalue(self, argument)
        if is_reference(parameter.type):
            return build.address_of(lvalue(self, argument), self.location(argument))
        return convert(self, rvalue(self, argument), self.type(parameter), argument)

    def _launched(self, cursor: Cursor) -> ir.Expression:
        """Lower a launch by name, of a kernel whose arguments are given by their addresses; its value is the error."""
        location = self.location(cursor)
        kernel, grid, block, addresses, *_ = given = list(cursor.get_arguments())
        callee = _kernel_in(kernel)
        if callee is None:
            raise self.refuse(cursor, message("Which kernel is launched must stand here: write its name."))
        statements: list[ir.Statement] = []
        first = keep_pointer(rvalue(self, addresses), statements)
        arguments: list[ir.Expression] = []
        for position, parameter in enumerate(callee.get_arguments()):
            place = build.deref(build.offset(first, ir.Const(position, ir.I32), location), location)
            kind = self.types_of(parameter)
            address = build.cast(ir.Load(place, VOID, location), ir.Pointer(kind), location)
            arguments.append(ir.Load(build.deref(address, location), kind, location))
        shape = self.type(grid)
        grid_size, block_size = (initial_value(self, each, shape) for each in (grid, block))
        shared, stream = (or_zero(self, cursor, position, given) for position in (4, 5))
        together = cursor.spelling == COOPERATIVE
        statements.append(
            ir.Launch(kernel_entry(callee), grid_size, block_size, shared, stream, tuple(arguments), location, cooperative=together)
        )
        error = self.type(cursor)
        return after(statements, ir.Call("cudaPeekAtLastError", (), error, location), location)

    def _about_kernel(self, cursor: Cursor, callee: Cursor) -> ir.Expression:
        """Lower a question about a kernel, or a setting of it: the kernel is given by a number made of its name."""
        arguments: list[ir.Expression] = []
        for position, (parameter, given) in enumerate(zip(callee.get_arguments(), cursor.get_arguments(), strict=False)):
            argument = argument_or_default(self, callee, position, given)
            kernel = _kernel_in(argument)
            number = None if kernel is None else ir.Const(kernel_number(kernel_entry(kernel)), SIZE)
            arguments.append(number or self._given(argument, parameter))
        if len(arguments) == len(list(cursor.get_arguments())) and not any(map(_kernel_in, cursor.get_arguments())):
            raise self.refuse(cursor, message("Which kernel is meant must stand here: write its name."))
        return ir.Call(callee.spelling, tuple(arguments), self.type(cursor), self.location(cursor))

    def _invoke(self, cursor: Cursor, function: Cursor, result: Result) -> Lowered:
        statements: list[ir.Statement] = []
        given = list(cursor.get_arguments())
        arguments: list[ir.Expression] = []
        record: ir.Type | None = None
        if _has_this(function):
            this = self.inherited(function, self.this(cursor, function, given, statements), self.location(cursor))
            record = build.target_of(this)
            if self.is_chosen(cursor, function):
                this = keep_pointer(this, statements)
                self.check_class(this, self.location(cursor), statements)
            arguments.append(build.cast(this, VOID, self.location(cursor)))
        called = self.chooser(function, record) if self.is_chosen(cursor, function) else self.function(function, record)
        arguments += self.arguments(function, given, statements)
        call = ir.Invoke(called, tuple(arguments), called.result, self.location(cursor))
        if result is Result.NOTHING:
            self.unused(call, call.location, statements)
            return statements
        return after(statements, call, call.location)


def _kernel_in(cursor: Cursor) -> Cursor | None:
    """Find the kernel that an argument names."""
    named = (each.referenced for each in cursor.walk_preorder() if each.kind is K.DECL_REF_EXPR)
    return next((each for each in named if each is not None and is_kernel(each)), None)


def _has_this(function: Cursor) -> bool:
    return function.kind in METHODS and not function.is_static_method()


def _is_taken_apart(context: HostContext, parameter: Cursor) -> bool:
    """Say whether a parameter is a lambda, or nothing: what it does is known where it is called, and only there."""
    kind = context.types_of(parameter)
    return is_lambda(kind) or is_empty(kind)


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
