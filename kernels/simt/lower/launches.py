"""Launches of kernels, `kernel<<<grid, block, shared, stream>>>(...)`: of the host, and of device code, where they are written as calls."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.clang import printed
from kernels.simt.frontend.device_launches import CONFIGURATION, KERNEL
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import operands, template_of
from kernels.simt.lower.dispatch import rvalue
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import argument_or_default
from kernels.simt.lower.types import LAMBDAS

K = CursorKind
TEMPLATE_PARAMETERS = (K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_NON_TYPE_PARAMETER, K.TEMPLATE_TEMPLATE_PARAMETER)
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
CONFIGURATIONS = ("cudaConfigureCall", "__cudaPushCallConfiguration")


def configuration_of(cursor: Cursor) -> Cursor | None:
    """Find the configuration of a launch of the host, `grid, block, shared, stream`; None where it is a call."""
    second = next((child for position, child in enumerate(cursor.get_children()) if position == 1), None)
    return second if second is not None and second.kind is K.CALL_EXPR and second.spelling in CONFIGURATIONS else None


def is_kernel(function: Cursor) -> bool:
    """Say whether a function is a kernel, as the host's side has it."""
    declared = template_of(function) or function
    return any(child.kind is K.CUDAGLOBAL_ATTR for child in declared.get_children())


def is_device_kernel(function: Cursor) -> bool:
    """Say whether a function is a kernel of a text in which device code launches."""
    declared = template_of(function) or function
    return any(child.kind is K.ANNOTATE_ATTR and child.spelling == KERNEL for child in declared.get_children())


def lower_device_launch(context: Context, cursor: Cursor, kernel: Cursor) -> list[ir.Statement]:
    """Lower a launch with arguments: a call, whose first argument has the configuration before it."""
    given = list(cursor.get_arguments())
    configuration = next((each for each in given[0].walk_preorder() if _configures(each)), None) if given else None
    if configuration is None:
        raise context.refuse(cursor, message("{name} is a kernel: launch it with <<<grid, block>>>.", name=kernel.spelling))
    return [launch(context, cursor, kernel, configuration)]


def lower_empty_launch(context: Context, left: Cursor, right: Cursor) -> list[ir.Statement] | None:
    """Lower a launch without arguments, `kernel, (configuration)`; None where the two are something else."""
    configuration = next((each for each in right.walk_preorder() if _configures(each)), None)
    if configuration is None:
        return None
    named = (each.referenced for each in left.walk_preorder() if each.kind is K.DECL_REF_EXPR)
    kernel = next((each for each in named if each is not None and is_device_kernel(each)), None)
    if kernel is None:
        raise context.refuse(left, message("Which kernel is launched must stand here: write its name."))
    return [launch(context, None, kernel, configuration, left)]


def _configures(cursor: Cursor) -> bool:
    return cursor.kind is K.CALL_EXPR and cursor.spelling == CONFIGURATION


def launch(context: Context, call: Cursor | None, kernel: Cursor, configuration: Cursor, at: Cursor | None = None) -> ir.Launch:
    """Make a launch of a kernel, whose arguments are those of a call, if it has any."""
    place, entry = call or at or configuration, kernel_entry(kernel)
    if LAMBDAS in entry:
        raise context.refuse(place, message(
            "A lambda given to a kernel is not supported: write a struct with a __device__ operator(), and give an object of it."
        ))  # fmt: skip
    shape = configured(context, configuration)
    arguments = tuple(
        initial_value(context, argument_or_default(context, kernel, position, argument), context.type(parameter))
        for position, (parameter, argument) in enumerate(
            zip(kernel.get_arguments(), () if call is None else call.get_arguments(), strict=False)
        )
    )
    return ir.Launch(entry, *shape, arguments, context.location(place))


def configured(context: Context, configuration: Cursor) -> tuple[ir.Expression, ir.Expression, ir.Expression, ir.Expression]:
    """Give grid, block, bytes of shared memory and stream of a launch."""
    given = list(configuration.get_arguments())
    shape = context.type(given[0])
    grid, block = (initial_value(context, each, shape) for each in given[:2])
    shared, stream = (or_zero(context, configuration, position, given) for position in (2, 3))
    return grid, block, shared, stream


def or_zero(context: Context, configuration: Cursor, position: int, given: list[Cursor]) -> ir.Expression:
    """Give a number of a configuration, 0 where it is left out."""
    argument = given[position] if position < len(given) else None
    if argument is None or (argument.kind is K.UNEXPOSED_EXPR and not argument.location.line and not operands(argument)):
        return ir.Const(0, SIZE)
    return build.cast(rvalue(context, argument), SIZE, context.location(configuration))


def kernel_entry(kernel: Cursor) -> str:
    """Name a kernel as the interpreter takes it: "name", or "name<128, float>"."""
    scopes, parent = [str(kernel.spelling)], kernel.semantic_parent
    while parent is not None and parent.kind is K.NAMESPACE:
        if parent.spelling:
            scopes.insert(0, str(parent.spelling))
        parent = parent.semantic_parent
    arguments = []
    made_from = template_of(kernel)
    parameters = [] if made_from is None else [child for child in made_from.get_children() if child.kind in TEMPLATE_PARAMETERS]
    count = max(kernel.get_num_template_arguments(), 0)
    if not all(_is_plain(kernel, index) for index in range(count)):
        return "::".join(scopes) + _printed_arguments(kernel)
    for index in range(count):
        if kernel.get_template_argument_kind(index).name == "TYPE":
            arguments.append(str(kernel.get_template_argument_type(index).spelling))
            continue
        value = kernel.get_template_argument_value(index)
        arguments.append(_constant(parameters[index].type.get_canonical(), value) if index < len(parameters) else str(value))
    return "::".join(scopes) + (f"<{', '.join(arguments)}>" if arguments else "")


def _is_plain(kernel: Cursor, index: int) -> bool:
    """Say whether a template's argument is a type or a number: no template, no function and no pack."""
    try:
        return kernel.get_template_argument_kind(index).name in ("TYPE", "INTEGRAL")
    except ValueError:  # a kind that the binding does not know
        return False


def _printed_arguments(kernel: Cursor) -> str:
    """Give the arguments of a template, in angle brackets, as the compiler prints them behind a function's name; those of a pack, which it
    puts in brackets of their own, one after the other, and functions without the & before them."""
    text = printed(kernel)
    found, packs, depth = "", list[int](), 0
    for place in range(text.index(f"{kernel.spelling}<") + len(kernel.spelling), len(text)):
        letter = text[place]
        if letter == "<":
            depth += 1
            if depth > 1 and found.endswith(("<", ", ")):
                packs.append(depth)
                continue
        elif letter == ">":
            depth -= 1
            if not depth:
                break
            if packs and packs[-1] == depth + 1:
                packs.pop()
                continue
        found += "" if letter == "&" and found.endswith(("<", ", ")) else letter
    return f"{found}>"


def _constant(kind: Type, value: int) -> str:
    """Write a template's argument as its parameter's type takes it: an enumerator, or a number of its type."""
    if kind.kind is TypeKind.ENUM:
        enumerators = (each for each in kind.get_declaration().get_children() if each.kind is K.ENUM_CONSTANT_DECL)
        name = next((each.spelling for each in enumerators if each.enum_value == value), None)
        return f"({kind.spelling}){value}" if name is None else f"{kind.spelling}::{name}"
    return str(bool(value)).lower() if kind.kind is TypeKind.BOOL else str(value)
