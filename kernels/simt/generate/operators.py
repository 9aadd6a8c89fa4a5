"""Generator of arithmetic: C's operators on uniform values (Python) and on lane vectors (NumPy).

A product that has a name before it is added, `float p = a * b; s += p;`, is contracted like `s += a * b`, as NVIDIA's compiler does it:
where a product is used for nothing but sums and differences, each takes it in unrounded; where its own value is needed anywhere, it is
rounded for all.
"""

from __future__ import annotations

from collections import Counter

from kernels.simt import ir
from kernels.simt.generate.values import Value, dtype_code, is_bool, is_float
from kernels.simt.generate.walk import assigned, children, descendants
from kernels.simt.ir import Binary

COMPARISONS = (Binary.LESS, Binary.LESS_EQUAL, Binary.GREATER, Binary.GREATER_EQUAL, Binary.EQUAL, Binary.NOT_EQUAL)
SHIFTS = (Binary.SHIFT_LEFT, Binary.SHIFT_RIGHT)
_PLAIN = {Binary.DIVIDE: "//", Binary.REMAINDER: "%"}
"""Python's operators that give what C's do where nothing is negative."""


def binary(operator: Binary, left: Value, right: Value, c_type: ir.Type, *, exact: bool, positive: bool = False) -> Value:
    """`left operator right`. `exact`: the result cannot leave its type. `positive`: neither is negative, nor the right one zero."""
    if _brain(left.type):
        return narrowed(
            binary(operator, widened(left), widened(right), ir.BOOL if operator in COMPARISONS else ir.F32, exact=exact), c_type
        )
    uniform = left.uniform and right.uniform
    if operator in COMPARISONS or is_float(c_type):
        return Value(f"({left.code} {operator} {right.code})", uniform, c_type)
    if operator in SHIFTS:
        return _shift(operator, left, right, c_type)
    if uniform and positive and operator in _PLAIN:
        return Value(f"({left.code} {_PLAIN[operator]} {right.code})", uniform, c_type)
    code = _uniform_integer(operator, left.code, right.code) if uniform else _vector_integer(operator, left.code, right.code)
    wraps = operator in (Binary.ADD, Binary.SUBTRACT, Binary.MULTIPLY, Binary.DIVIDE)
    return Value(wrapped(code, c_type) if uniform and wraps and not exact else code, uniform, c_type)


def _uniform_integer(operator: Binary, left: str, right: str) -> str:
    match operator:
        case Binary.DIVIDE:
            return f"quotient({left}, {right})"
        case Binary.REMAINDER:
            return f"remainder({left}, {right})"
    return f"({left} {operator} {right})"


def _vector_integer(operator: Binary, left: str, right: str) -> str:
    match operator:
        case Binary.DIVIDE:
            return f"quotients({left}, {right})"
        case Binary.REMAINDER:
            return f"np.fmod({left}, {right})"
    return f"({left} {operator} {right})"


def _shift(operator: Binary, left: Value, right: Value, c_type: ir.Type) -> Value:
    bits = 8 * c_type.size if isinstance(c_type, ir.Scalar) else 64
    if left.uniform and right.uniform:
        if operator is Binary.SHIFT_RIGHT:
            return Value(f"shift_right({left.code}, {right.code}, {bits})", True, c_type)  # noqa: FBT003 - uniform
        return Value(wrapped(f"shift_left({left.code}, {right.code}, {bits})", c_type), True, c_type)  # noqa: FBT003 - uniform
    count = f"{right.code}.astype({dtype_code(c_type)})"
    if right.uniform and right.code.isdecimal():
        count = f"{dtype_code(c_type)}({min(int(right.code), bits)})"
    elif right.uniform:
        count = f"{dtype_code(c_type)}({right.code} if 0 <= {right.code} < {bits} else {bits})"
    shifted = f"{dtype_code(c_type)}({left.code})" if left.uniform else left.code
    return Value(f"({shifted} {operator} {count})", False, c_type)  # noqa: FBT003 - varies


def unary(operator: ir.Unary, operand: Value, c_type: ir.Type) -> Value:
    """`operator operand`."""
    if _brain(operand.type):
        return narrowed(unary(operator, widened(operand), ir.F32), c_type)
    if operator is ir.Unary.NOT:
        return Value(f"(not {operand.code})" if operand.uniform else f"np.logical_not({operand.code})", operand.uniform, c_type)
    code = f"({operator}{operand.code})"
    return Value(wrapped(code, c_type) if operand.uniform and not is_float(c_type) else code, operand.uniform, c_type)


def wrapped(code: str, c_type: ir.Type) -> str:
    """A Python int brought into the range of its type."""
    if c_type == ir.I32:
        return f"i32({code})"
    if isinstance(c_type, ir.Pointer) or c_type == ir.I64:
        return f"i64({code})"
    assert isinstance(c_type, ir.Scalar)
    if c_type.kind is ir.Kind.UNSIGNED:
        return f"({code} & {(1 << 8 * c_type.size) - 1})"
    return f"wrapped({code}, {8 * c_type.size}, True)"


def cast(operand: Value, c_type: ir.Type, *, fits: bool) -> Value:
    """A conversion. `fits`: the integer's value does not change."""
    source = operand.type
    if source == c_type or (isinstance(source, ir.Pointer) and isinstance(c_type, ir.Pointer)):
        return Value(operand.code, operand.uniform, c_type)
    if _brain(source):
        return cast(widened(operand), c_type, fits=fits)
    if _brain(c_type):
        return narrowed(cast(operand, ir.F32, fits=fits), c_type)
    return Value(_uniform_cast(operand, c_type, fits=fits) if operand.uniform else _vector_cast(operand, c_type), operand.uniform, c_type)


def _uniform_cast(operand: Value, c_type: ir.Type, *, fits: bool) -> str:
    code = operand.code
    if is_bool(c_type):
        return f"bool({code} != 0)"
    if is_float(c_type):
        if is_float(operand.type):
            return f"{dtype_code(c_type)}({code})"
        return f"int_to_float({code}, {dtype_code(operand.type)}, np.dtype({dtype_code(c_type)}))"
    if is_float(operand.type):
        return f"int(float_to_int({code}, np.dtype({dtype_code(c_type)})))"
    if is_bool(operand.type):
        return f"int({code})"
    return code if fits else wrapped(code, c_type)


def _vector_cast(operand: Value, c_type: ir.Type) -> str:
    if is_bool(c_type):
        return f"({operand.code} != 0)"
    if is_float(operand.type) and not is_float(c_type):
        return f"float_to_int({operand.code}, np.dtype({dtype_code(c_type)}))"
    return f"{operand.code}.astype({dtype_code(c_type)})"


def _brain(c_type: ir.Type) -> bool:
    return isinstance(c_type, ir.Scalar) and c_type.brain


def widened(value: Value) -> Value:
    """A bfloat16, which lives as its bits, as float."""
    return Value(f"bfloat16_value({value.code})", value.uniform, ir.F32) if _brain(value.type) else value


def narrowed(value: Value, c_type: ir.Type) -> Value:
    """A float rounded to bfloat16."""
    return Value(f"bfloat16_bits({value.code})[()]", value.uniform, c_type) if _brain(c_type) else value


SUMS = (ir.Binary.ADD, ir.Binary.SUBTRACT)


def is_product(node: ir.Expression | None) -> bool:
    """Whether an addition could take it in."""
    return isinstance(node, ir.BinaryOp) and node.operator is ir.Binary.MULTIPLY


def named_products(body: ir.Block) -> frozenset[ir.Variable]:
    """The variables that are given one product, once, and are used in sums only."""
    given: Counter[ir.Variable] = Counter()
    products: set[ir.Variable] = set()
    uses: Counter[ir.Variable] = Counter()
    added: Counter[ir.Variable] = Counter()
    for node in descendants(body):
        variable = assigned(node)
        if variable is not None:
            given[variable] += 1
        if isinstance(node, ir.Declare) and is_product(node.value) and node.variable.type in (ir.F32, ir.F64):
            products.add(node.variable)
        uses.update(each.variable for each in children(node) if isinstance(each, ir.Whole))
        added.update(_summands(node))
    return frozenset(each for each in products if given[each] == 1 and uses[each] == added[each])


def _summands(node: object) -> list[ir.Variable]:
    """The variables whose values the node adds or subtracts."""
    match node:
        case ir.BinaryOp(operator=operator, left=left, right=right) if operator in SUMS:
            operands = [left, right]
        case ir.Store(operator=operator, value=value) if operator in SUMS:
            operands = [value]
        case _:
            return []
    return [each.place.variable for each in operands if isinstance(each, ir.Load) and isinstance(each.place, ir.Whole)]
