"""The representation as text, for people and for tests: one statement a line, C-like, with what is implicit in C written out."""

from __future__ import annotations

from collections.abc import Iterator

from kernels.simt import ir

NAMES = {
    **{(ir.Kind.SIGNED, size): f"i{8 * size}" for size in (1, 2, 4, 8)},
    **{(ir.Kind.UNSIGNED, size): f"u{8 * size}" for size in (1, 2, 4, 8)},
    **{(ir.Kind.FLOAT, size): f"f{8 * size}" for size in (2, 4, 8)},
    (ir.Kind.BOOL, 1): "bool",
}


def show_type(kind: ir.Type | None) -> str:
    """i32, f32*, f32[16][17], float4."""
    match kind:
        case None:
            return "void"
        case ir.Scalar():
            return "bf16" if kind.brain else NAMES[kind.kind, kind.size]
        case ir.Pointer():
            inner = show_type(kind.target)
            return f"({inner})*" if isinstance(kind.target, ir.Array) else f"{inner}*"
        case ir.Array():
            counts = ""
            while isinstance(kind, ir.Array):
                counts += f"[{kind.count}]"
                kind = kind.element
            return show_type(kind) + counts
    return kind.name


def show_place(place: ir.Place) -> str:
    match place:
        case ir.Whole():
            return place.variable.name
        case ir.Element():
            return f"{show_place(place.array)}[{show_expression(place.index)}]"
        case ir.Member():
            return f"{show_place(place.record)}.{place.field.name}"
    return f"*{_bracketed(place.pointer)}"


def _bracketed(expression: ir.Expression) -> str:
    text = show_expression(expression)
    return text if isinstance(expression, (ir.Const, ir.Special, ir.Load, ir.Call, ir.Cast)) else f"({text})"


def _list(expressions: tuple[ir.Expression, ...]) -> str:
    return ", ".join(map(show_expression, expressions))


def show_expression(expression: ir.Expression) -> str:
    """An expression; conversions as `type(operand)`, constants with their type where it is not i32."""
    match expression:
        case ir.Const():
            return str(expression.value) if expression.type in (ir.I32, ir.BOOL) else f"{expression.value}:{show_type(expression.type)}"
        case ir.Special() | ir.Load() | ir.AddressOf() | ir.Extract() | ir.Assign() | ir.Increment():
            return _of_place(expression)
        case ir.Cast():
            return f"{show_type(expression.type)}({show_expression(expression.operand)})"
        case ir.Make():
            return f"{show_type(expression.type)}{{{_list(expression.members)}}}"
        case ir.Invoke():
            return f"{expression.function.name}({_list(expression.arguments)})"
        case ir.Call():
            return f"{expression.name}({_list(expression.arguments)})"
        case ir.Inlined():
            inner = " ".join(line.strip() for line in _statements(expression.body.statements, ""))
            return f"inlined {show_type(expression.type)} {{ {inner} }}"
    return _operator(expression)


Named = ir.Special | ir.Load | ir.AddressOf | ir.Extract | ir.Assign | ir.Increment


def _of_place(expression: Named) -> str:
    match expression:
        case ir.Special():
            return expression.name
        case ir.Load():
            return show_place(expression.place)
        case ir.AddressOf():
            return f"&{show_place(expression.place)}"
        case ir.Extract():
            return f"{_bracketed(expression.record)}.{expression.field.name}"
        case ir.Assign():
            return f"{show_place(expression.place)} := {show_expression(expression.value)}"
    sign = "++" if expression.by > 0 else "--"
    place = show_place(expression.place)
    return f"{sign}{place}" if expression.prefix else f"{place}{sign}"


def _operator(expression: ir.Offset | ir.Difference | ir.UnaryOp | ir.BinaryOp | ir.ShortCircuit | ir.Select) -> str:
    match expression:
        case ir.Offset():
            return f"{_bracketed(expression.pointer)} +> {_bracketed(expression.index)}"
        case ir.Difference():
            return f"{_bracketed(expression.left)} <-> {_bracketed(expression.right)}"
        case ir.UnaryOp():
            return f"{expression.operator}{_bracketed(expression.operand)}"
        case ir.BinaryOp():
            return f"{_bracketed(expression.left)} {expression.operator} {_bracketed(expression.right)}"
        case ir.ShortCircuit():
            return f"{_bracketed(expression.left)} {'&&' if expression.conjunction else '||'} {_bracketed(expression.right)}"
    return f"{_bracketed(expression.condition)} ? {_bracketed(expression.yes)} : {_bracketed(expression.no)}"


def _statements(statements: tuple[ir.Statement, ...], indent: str) -> Iterator[str]:
    for statement in statements:
        yield from _statement(statement, indent)


def _nested(head: str, body: tuple[ir.Statement, ...], indent: str) -> Iterator[str]:
    yield f"{indent}{head} {{"
    yield from _statements(body, indent + "  ")
    yield f"{indent}}}"


def _statement(statement: ir.Statement, indent: str) -> Iterator[str]:
    match statement:
        case ir.Block():
            yield from _nested("block", statement.statements, indent)
        case ir.If():
            yield from _nested(f"if {show_expression(statement.condition)}", statement.then.statements, indent)
            if statement.otherwise is not None:
                yield from _nested("else", statement.otherwise.statements, indent)
        case ir.Loop():
            yield from _loop(statement, indent)
        case ir.Switch():
            yield from _switch(statement, indent)
        case _:
            yield indent + _simple(statement)


def _loop(loop: ir.Loop, indent: str) -> Iterator[str]:
    before, step = (" ".join(line.strip() for line in _statements(block.statements, "")) for block in (loop.before, loop.step))
    condition = "true" if loop.condition is None else show_expression(loop.condition)
    yield from _nested(f"{'until' if loop.test_last else 'loop'} [{before}] {condition} [{step}]", loop.body.statements, indent)


def _switch(switch: ir.Switch, indent: str) -> Iterator[str]:
    yield f"{indent}switch {show_expression(switch.value)} {{"
    labels = {position: values for values, position in switch.cases}
    for position, statement in enumerate(switch.body):
        if position in labels:
            names = ", ".join("default" if value is None else str(value) for value in labels[position])
            yield f"{indent}{names}:"
        yield from _statement(statement, indent + "  ")
    yield f"{indent}}}"


def _simple(statement: ir.Statement) -> str:
    match statement:
        case ir.Declare():
            value = "" if statement.value is None else f" = {show_expression(statement.value)}"
            return f"{show_type(statement.variable.type)} {statement.variable.name}{value};"
        case ir.Store():
            return f"{show_place(statement.place)} {statement.operator or ''}= {show_expression(statement.value)};"
        case ir.Evaluate():
            return f"{show_expression(statement.expression)};"
        case ir.Return():
            return "return;" if statement.value is None else f"return {show_expression(statement.value)};"
        case ir.Barrier():
            return _barrier(statement)
        case ir.Print():
            return f"print {statement.format!r} ({_list(statement.arguments)});"
        case ir.Assertion():
            return f"assert {show_expression(statement.condition)} {statement.text!r};"
        case ir.Break():
            return "break;"
    return "continue;"


def _barrier(barrier: ir.Barrier) -> str:
    target = "" if barrier.target is None else f"{barrier.target.name} = "
    given = " ".join(show_expression(value) for value in (barrier.mask, barrier.predicate) if value is not None)
    return f"{target}barrier {barrier.scope}{f' {barrier.reduce}' if barrier.reduce else ''}{f' {given}' if given else ''};"


def show(kernel: ir.Kernel) -> str:
    """The whole kernel."""
    parameters = ", ".join(f"{show_type(variable.type)} {variable.name}" for variable in kernel.parameters)
    lines = [f"kernel {kernel.name}({parameters})"]
    for variable in kernel.globals:
        initial = "" if variable.initial is None else f" = {', '.join(map(str, variable.initial))}"
        dynamic = "dynamic " if variable.dynamic else ""
        lines.append(f"{dynamic}{variable.space} {show_type(variable.type)} {variable.name}{initial};")
    return "\n".join([*lines, *_statements(kernel.body.statements, "")])
