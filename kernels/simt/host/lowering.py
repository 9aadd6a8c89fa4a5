"""Host functions to the representation: by the rules for kernels, but called instead of inlined, with variables that outlive a call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.types import Location
from kernels.simt.frontend.diagnostics import Severity
from kernels.simt.frontend.unit import Unit
from kernels.simt.host import heap
from kernels.simt.host.calls import is_variadic
from kernels.simt.host.iteration import loop_over
from kernels.simt.host.names import BEHIND, BYTES, CALLER, LIBRARY, kernel_number
from kernels.simt.host.static_variables import StaticVariableContext
from kernels.simt.lower import build
from kernels.simt.lower.context import Frame, Result
from kernels.simt.lower.conversions import convert, decayed
from kernels.simt.lower.cursors import body_of, defined, is_reference
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import argument_or_default, body_statements
from kernels.simt.lower.kernel import mark_addressed
from kernels.simt.lower.lambdas import function_of, is_of_lambda, opened
from kernels.simt.lower.launches import configuration_of, is_kernel, kernel_entry, launch, or_zero
from kernels.simt.lower.lvalues import after, keep, keep_pointer, nodes
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.types import VOID, is_empty, is_lambda

K = CursorKind
COOPERATIVE = "cudaLaunchCooperativeKernel"
ABOUT_KERNELS = frozenset((
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncGetAttributes", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxPotentialBlockSize",
))  # fmt: skip
LOOPS = (K.FOR_STMT, K.WHILE_STMT, K.DO_STMT, K.CXX_FOR_RANGE_STMT)
LAUNCHING = (COOPERATIVE, "cudaLaunchKernel")
METHODS = (K.CXX_METHOD, K.CONVERSION_FUNCTION, K.DESTRUCTOR)
SEQUENCES = (
    "std::vector<", "std::string", "std::map<", "std::set<", "std::array<", "std::initializer_list<", "std::deque<", "std::multiset<",
    "std::multimap<",
)  # fmt: skip
"""Containers of the prelude whose elements lie one after the other."""
LONG = 40
"""Cursors in the body of a function of the prelude that is called, as one with a loop is; a shorter one is inlined."""
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
Lowered = ir.Expression | list[ir.Statement]


GOTO = message(
    "goto is not supported in a function with objects that have destructors, arrays whose length is known only when the program runs, or"
    " try: use a loop, or return."
)


class HostContext(StaticVariableContext):
    """Context of a whole program. Functions are lowered one after the other, each once."""

    has_threads = False
    keeps_statics = True
    keeps_lambdas = True
    jumps = True

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.functions: dict[int, ir.Function] = {}
        self._waiting: list[tuple[ir.Function, Cursor, ir.Type | None]] = []
        self._long: dict[int, bool] = {}
        """By function of the prelude, whether it is called, not inlined."""

    def call(self, cursor: Cursor, callee: Cursor, result: Result) -> Lowered | None:
        """Lower a call: a launch, a function of the library, or one of the program's; short ones of the prelude are inlined."""
        configuration = configuration_of(cursor)
        if configuration is not None:
            return [launch(self, cursor, callee, configuration)]
        function = defined(callee)
        if callee.kind is K.DESTRUCTOR:
            return self.destroyed(cursor)
        if callee.kind is K.CONVERSION_FUNCTION and (converted := function_of(callee.semantic_parent)) is not None:
            return ir.Const(self.address(converted), VOID)
        virtual = callee.kind is K.CXX_METHOD and callee.is_virtual_method()
        if self.unit.in_prelude(callee) and not virtual:
            if body_of(function) is None or callee.spelling in (*BYTES, *LAUNCHING, *ABOUT_KERNELS):
                return self._known(cursor, callee)
            if not self._is_long(function):
                return None
        if body_of(function) is None and not virtual:
            return None
        apart = is_of_lambda(function) or any(self._is_taken_apart(function, each) for each in function.get_arguments())
        if apart and all(frame.function != function for frame in self.frames):
            return None
        return self._invoke(cursor, function, result)

    def _known(self, cursor: Cursor, callee: Cursor) -> ir.Expression | None:
        """Lower a call of what has no body: a launch by name, a question about a kernel, what is answered outside of the program."""
        if callee.spelling in LAUNCHING:
            return self._launched(cursor)
        if callee.spelling == BEHIND:
            return self._behind(cursor)
        if callee.spelling in ABOUT_KERNELS:
            return self._about_kernel(cursor, callee)
        return self._library(cursor, callee) if callee.spelling in LIBRARY else None

    def _behind(self, cursor: Cursor) -> ir.Expression:
        """Give what the function in the making is given behind its parameters."""
        function = self.functions.get(self.frame.function.hash)
        if self.frame.function.kind is K.CONSTRUCTOR:
            raise self.refuse(cursor, message(
                "A constructor of any number of arguments is not supported: let it take a text, and make that in a function."
            ))  # fmt: skip
        if function is None or not is_variadic(self.frame.function):
            raise self.refuse(cursor, message("va_start stands in a function whose parameters do not end in three dots."))
        variable = function.parameters[-1]
        return ir.Load(ir.Whole(variable), variable.type, self.location(cursor))

    def _is_taken_apart(self, function: Cursor, parameter: Cursor) -> bool:
        """Say whether a parameter is a lambda, or nothing: what it does is known where it is called, and only there. In a function of the
        library, what is nothing does what its type says."""
        kind = self.types_of(parameter)
        return is_lambda(kind) if not is_empty(kind) else not self.unit.in_prelude(function)

    def _is_long(self, function: Cursor) -> bool:
        """Say whether a function of the prelude is called, not inlined. Operators never are: C++ has an order for what they are given."""
        found = self._long.get(function.hash)
        if found is None:
            body, name = body_of(function), str(function.spelling)
            within = list(islice(body.walk_preorder(), LONG)) if body is not None else []
            found = len(within) == LONG or any(each.kind in LOOPS for each in within)
            found = self._long[function.hash] = found and (name == "operator()" or not name.startswith("operator"))
        return found

    def new(self, cursor: Cursor) -> ir.Expression:
        """Lower `new`."""
        return heap.lower_new(self, cursor)

    def delete(self, cursor: Cursor, into: list[ir.Statement]) -> bool:
        """Lower `delete`."""
        heap.lower_delete(self, cursor, into)
        return True

    def sequence(self, place: ir.Place, location: ir.Location) -> tuple[ir.Expression, ir.Expression] | None:
        """Find the elements of a container: what the prelude calls its first, and how many are used."""
        kind, length = ir.place_type(place), self.length(place)
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
        location = CALLER if self.unit.in_prelude(cursor) else self.unit.location(cursor)
        parameters = [self._parameter(each) for each in cursor.get_arguments()]
        if _has_this(cursor):
            parameters.insert(0, ir.Variable("this", VOID, ir.Space.REGISTER, location))
        if is_variadic(cursor):
            parameters.append(ir.Variable("...", VOID, ir.Space.REGISTER, location))
        return ir.Function(cursor.spelling, tuple(parameters), kind, location, ir.Block(()))

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
        self._refuse_wrong(cursor)
        returned = Result.ADDRESS if is_reference(cursor.result_type) else Result.NOTHING if function.result is None else Result.VALUE
        frame = Frame(cursor, result=returned, caller=CALLER if function.location == CALLER else None)
        parameters = list(function.parameters)
        if _has_this(cursor):
            assert record is not None
            this = ir.Load(ir.Whole(parameters.pop(0)), ir.Pointer(record), function.location)
            frame.this = ir.Deref(this, record, function.location)
        if is_variadic(cursor):
            parameters.pop()
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

    def _refuse_wrong(self, function: Cursor) -> None:
        """Refuse a function in which the compiler finds an error that `main` did not lead to: called through a base class, or new."""
        assert self.unit.translation_unit is not None
        if any(each.severity >= each.Error for each in self.unit.translation_unit.diagnostics):
            for each in self.unit.remarks_on(function):
                if each.severity is Severity.ERROR:
                    raise Refusal(Location(each.line, each.column, each.file), each.message)

    def _parameter(self, cursor: Cursor) -> ir.Variable:
        kind = self.types_of(cursor)
        if is_reference(cursor.type):
            kind = ir.Pointer(kind)
        return ir.Variable(cursor.spelling, kind, ir.Space.REGISTER, self.unit.location(cursor))

    def _library(self, cursor: Cursor, callee: Cursor) -> ir.Expression:
        parameters = list(callee.get_arguments())
        arguments = []
        for position, given in enumerate(cursor.get_arguments()):
            argument = argument_or_default(self, callee, position, given) if position < len(parameters) else given
            parameter = parameters[position] if position < len(parameters) else None
            lowered = self._given(argument, parameter)
            if parameter is None and not isinstance(lowered.type, (ir.Scalar, ir.Pointer)):
                raise self.refuse(argument, message(
                    "{function} takes numbers and pointers behind its text, not an object.",
                    function=callee.spelling,
                ))  # fmt: skip
            arguments.append(lowered)
        if callee.spelling == "exit":
            return self._exit(arguments[0], self.location(cursor))
        name = f"__{callee.spelling}" if callee.spelling in BYTES and self.frame.caller else callee.spelling
        return ir.Call(name, tuple(arguments), self.type_or_void(cursor, cursor.type), self.location(cursor))

    def _exit(self, status: ir.Expression, location: ir.Location) -> ir.Expression:
        """End the program before `main` does: what outlives that ends here."""
        statements: list[ir.Statement] = []
        status = keep(status, "status", statements)
        statements.append(ir.Evaluate(ir.Invoke(self.ending, (), None, location), location))
        return after(statements, ir.Call("exit", (status,), None, location), location)

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
        behind = self.behind(cursor, function, given, statements)
        arguments += [*self.arguments(function, given, statements), *behind]
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
