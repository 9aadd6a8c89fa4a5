"""The launch of a file's kernel: read from `kernel<<<grid, block>>>(...)` where the text says it in constants, else guessed.

What is guessed is named, so that it can be shown as a guess. No guess looks at what a parameter is called.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import field

from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.signature import KernelParameter, KernelSignature
from kernels.simt.run.launchable import refuse_shape

ELEMENTS = 1024
SIDE = 32
BLOCK = 256
MOST_THREADS = 1024
SQUARE = (16, 16, 1)
MOST_ELEMENTS = 1 << 28
MOST_GUESSED = 1 << 24
"""Elements of an array that follows a size."""
_FLOATS = ("float", "double", "half", "__half")
LONGEST = 200
"""Characters of an expression that is read."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\S[^\n]*)$", re.MULTILINE)
_ASSIGNED = re.compile(r"\b(\w+)[ \t]*=(?!=)[ \t]*([^=;,{}]+)[;,]")
_CHANGED = re.compile(r"(?:\+\+|--)\s*(\w+)|\b(\w+)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)=)")
_SIZES = re.compile(r"\bdim3\s+(\w+)\s*(?:=\s*dim3\s*)?[({]([^;]*)[)}]\s*;")
_ALLOCATED = re.compile(r"\bcuda(?:Malloc|MallocManaged|MallocHost)\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*(\w+)\s*,([^;]*)\)\s*[;)]")
_SIZEOF = re.compile(r"\bsizeof\s*\(?\s*([\w ]+?)\s*(?:\)|(?=[;,*]))")
_BYTES = {"char": 1, "bool": 1, "short": 2, "half": 2, "int": 4, "unsigned": 4, "unsigned int": 4, "float": 4, "double": 8, "long long": 8,
          "size_t": 8}  # fmt: skip
_APART = r"(?<![\w.])(?:blockIdx\.{axis}\s*\*\s*(\w+)|(\w+)\s*\*\s*blockIdx\.{axis})(?![\w.])(?!\s*\*)"
"""How far blocks are apart along an axis, where that is one name or number."""
_CLUSTER = re.compile(r"__cluster_dims__\s*\(\s*(\d+(?:\s*,\s*\d+){0,2})\s*\)")
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundLaunch:
    """Launch that stands in a text, or is guessed: `guessed` are keys of the form's fields."""

    grid: Dim3
    block: Dim3
    shared_bytes: int = 0
    template: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    guessed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Said:
    """What the user has said of a launch: numbers by parameter, and the block, if it is not a guess. What is guessed follows it."""

    numbers: Mapping[str, int] = field(default_factory=dict)
    block: Dim3 | None = None


def launch_of(text: str, kernel: KernelSignature, parameters: tuple[KernelParameter, ...], said: Said | None = None) -> FoundLaunch:
    """How a file's kernel is launched; `parameters` is what a launch must give, of a struct its members."""
    plain = _COMMENT.sub(" ", text)
    body = "\n".join(_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text).split("\n")[kernel.lines[0] - 1 : kernel.lines[1]])
    constants = _constants(plain)
    guess = _guess(body, kernel, parameters, constants, said or Said())
    written = _written(plain, kernel.name.rpartition("::")[2])
    if written is None:
        return guess
    template, shape, given = written
    sizes = [_dimensions(each, plain, constants) for each in shape[:2]]
    shared = _value(shape[2], constants) if len(shape) > 2 else 0
    fitting = len(given) == len(kernel.parameters) == len(parameters)
    read = _arguments(given, parameters, plain, constants) if fitting else {}
    arguments = {**guess.arguments, **read}
    guessed = guess.guessed - {"grid", "block"} - {f"argument {name}" for name in read}
    grid, block = sizes if len(sizes) == 2 else (None, None)
    if grid is None or block is None or refuse_shape(grid, block) is not None:
        return FoundLaunch(guess.grid, guess.block, 0, template, arguments, guessed | {"grid", "block"})
    return FoundLaunch(grid, block, max(shared or 0, 0), template, arguments, guessed)


def _guess(
    body: str, kernel: KernelSignature, parameters: tuple[KernelParameter, ...], constants: Mapping[str, str], said: Said
) -> FoundLaunch:
    """A launch that fits how a kernel asks for its place: as many threads as the arrays have elements, where it asks for its block."""
    flat = "threadIdx.y" not in body or (kernel.max_threads or BLOCK) < BLOCK
    guessed, apart = _guessed_block(body, kernel.max_threads or MOST_THREADS, constants, flat=flat)
    block = said.block or guessed
    tall = apart[1] if apart[1] is not None and apart[1] > guessed[1] else 0  # two blocks show how far apart they are, one does not
    side = 2 * tall or SIDE
    squares = {each.name: square for each in parameters if (square := _is_side(each, body, flat=flat)) is not None}
    sizes = {name: side if square else ELEMENTS for name, square in squares.items()}
    counted = {name: max(1, said.numbers.get(name, size)) for name, size in sizes.items()}
    elements = min(max((size * size if squares[name] else size for name, size in counted.items()), default=ELEMENTS), MOST_GUESSED)
    across = elements if flat else max(counted.values(), default=SIDE)
    told = not said.numbers.keys().isdisjoint(sizes)  # else whole blocks, which need no check of the edge
    covered = [distance or threads for distance, threads in zip(apart, block, strict=False)]
    wanted = [max(1, -(-across // each) if told else across // each) for each in covered]
    cluster = _CLUSTER.search(body)
    grid = (wanted[0] if "blockIdx.x" in body else 1, wanted[1] if "blockIdx.y" in body and not flat else 1, 1)
    if cluster is not None:  # one cluster: another grid may not be made of whole ones
        along = [int(each) for each in cluster[1].split(",")] + [1, 1]
        grid = (along[0], along[1], along[2])
    arguments = {each.name: _guessed_value(each, sizes.get(each.name, 1), elements) for each in parameters}
    return FoundLaunch(grid, block, 0, "", arguments, frozenset(("grid", "block", *(f"argument {name}" for name in arguments))))


def _guessed_block(body: str, most: int, constants: Mapping[str, str], *, flat: bool) -> tuple[Dim3, tuple[int | None, int | None]]:
    """As many threads along each axis as blocks are apart, `blockIdx.x * TILE`, where that is a constant that `most` allows, and how far
    they are apart. Along y as many as a loop goes on by that moves the threads there, `threadIdx.y + j` with `j += ROWS`."""
    usual = (min(BLOCK, most), 1, 1) if flat else SQUARE
    apart: list[int | None] = [None, None]
    for number, axis in enumerate("x" if flat else "xy"):
        found = [each for each in re.finditer(_APART.format(axis=axis), body) if not body[: each.start()].rstrip().endswith("*")]
        sides = {_value(each[1] or each[2], constants) for each in found}
        apart[number] = sides.pop() if len(sides) == 1 else None
    x, y = (usual[number] if side is None else side for number, side in enumerate(apart))
    block = (x, y if flat else _rows(body, y, constants), 1)
    return (block, (apart[0], apart[1])) if min(block) > 0 and block[0] * block[1] <= most else (usual, (None, None))


def _rows(body: str, side: int, constants: Mapping[str, str]) -> int:
    """How many rows of threads a side needs: fewer where each takes several, always as many further."""
    moved = {each[1] or each[2] for each in re.finditer(r"threadIdx\.y\s*\+\s*(\w+)\b|\b(\w+)\s*\+\s*threadIdx\.y\b", body)}
    steps = {_value(each[2], constants) for each in re.finditer(r"\b(\w+)\s*\+=\s*(\w+)", body) if each[1] in moved}
    step = steps.pop() if len(steps) == 1 else None
    return step if step is not None and 0 < step < side and side % step == 0 else side


def _is_side(parameter: KernelParameter, body: str, *, flat: bool) -> bool | None:
    """Whether a number is taken for the side of a square, or for all elements: one that is compared, or multiplied by; None for what is
    no size."""
    if parameter.pointer or parameter.element.removeprefix("const ") in ("bool", *_FLOATS):
        return None
    name = re.escape(parameter.name.rpartition(".")[2])
    if re.search(rf"[<>*]=?\s*{name}\b|\b{name}\s*[<>*]", body) is None:
        return None
    return not flat or re.search(rf"\*\s*{name}\b|\b{name}\s*\*", body) is not None


def _guessed_value(parameter: KernelParameter, number: int, elements: int) -> str:
    if parameter.pointer:
        return f"{elements}:random"
    kind = parameter.element.removeprefix("const ")
    return "true" if kind == "bool" else "2" if kind in _FLOATS else str(number)


def _written(text: str, name: str) -> tuple[str, list[str], list[str]] | None:
    """The first launch of a kernel that stands in a text: its template, what stands between <<< and >>>, its arguments."""
    found = re.search(rf"\b{re.escape(name)}\s*(?:<([^<>;]*)>)?\s*<<<", text)
    end = text.find(">>>", found.end()) if found is not None else -1
    opened = re.match(r"\s*\(", text[end + 3 :]) if end >= 0 else None
    if found is None or opened is None:
        return None
    return (found[1] or "").strip(), _parts(text[found.end() : end]), _parts(_enclosed(text, end + 3 + opened.end()))


def _enclosed(text: str, start: int) -> str:
    """What stands before the parenthesis that closes."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return text[start:place]
    return text[start:]


def _parts(text: str) -> list[str]:
    """What commas outside of parentheses divide."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _constants(text: str) -> dict[str, str]:
    """The names that a text gives one value, each with the text of it."""
    given: dict[str, list[str]] = {}
    for found in (*_DEFINED.finditer(text), *_ASSIGNED.finditer(text)):
        given.setdefault(found[1], []).append(found[2].strip())
    changed = {name for found in _CHANGED.finditer(text) for name in found.groups() if name}
    return {name: values[0] for name, values in given.items() if len(set(values)) == 1 and name not in changed}


def _value(text: str, constants: Mapping[str, str], depth: int = 0) -> int | None:
    """The whole number that a constant expression is; None for any other."""
    if len(text) > LONGEST:
        return None
    sized = _SIZEOF.sub(lambda found: str(_BYTES.get(found[1].strip(), "?")), text)
    plain = re.sub(r"\(\s*(?:int|unsigned|unsigned int|size_t|float|double)\s*\)|\b(\d+)[uUlL]+\b", r"\1", sized)
    try:
        return _evaluated(ast.parse(plain.strip(), mode="eval").body, constants, depth)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _evaluated(node: ast.expr, constants: Mapping[str, str], depth: int) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1 << 40:
        return node.value
    if isinstance(node, ast.Name) and node.id in constants and depth < 8:
        value = _value(constants[node.id], constants, depth + 1)
        if value is not None:
            return value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluated(node.operand, constants, depth)
    if isinstance(node, ast.BinOp):
        left, right = _evaluated(node.left, constants, depth), _evaluated(node.right, constants, depth)
        if type(node.op) in _OPERATORS and abs(left) < 1 << 40 and abs(right) < 1 << 40:
            return _OPERATORS[type(node.op)](left, right)
        if isinstance(node.op, (ast.LShift, ast.RShift)) and 0 <= right < 40 and 0 <= left < 1 << 20:
            return left << right if isinstance(node.op, ast.LShift) else left >> right
    raise ValueError(ast.dump(node))


def _dimensions(text: str, whole: str, constants: Mapping[str, str]) -> Dim3 | None:
    """A grid or a block: a number, dim3(...), or the name of one that is declared once."""
    direct = re.fullmatch(r"dim3\s*[({](.*)[)}]", text, re.DOTALL)
    declared = {found[2] for found in _SIZES.finditer(whole) if found[1] == text}
    inner = direct[1] if direct is not None else declared.pop() if len(declared) == 1 else text
    sizes = [_value(part, constants) for part in _parts(inner)]
    if not sizes or len(sizes) > 3 or any(size is None or size < 1 for size in sizes):
        return None
    x, y, z = (*(size for size in sizes if size is not None), 1, 1)[:3]
    return x, y, z


def _arguments(
    given: list[str], parameters: tuple[KernelParameter, ...], text: str, constants: Mapping[str, str]
) -> dict[str, str]:  # fmt: skip
    """The arguments that are constants, and how many elements were allocated for the arrays."""
    allocated = {found[1]: _value(_parts(found[2])[0], constants) for found in _ALLOCATED.finditer(text) if _parts(found[2])}
    found = {}
    for written, parameter in zip(given, parameters, strict=True):
        if parameter.pointer:
            count = (allocated.get(written) or 0) // max(parameter.element_bytes, 1)
            if 0 < count <= MOST_ELEMENTS and parameter.element_bytes:
                found[parameter.name] = f"{count}:random"
            continue
        number = re.fullmatch(r"-?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?", constants.get(written, written).strip())
        value = _value(written, constants)
        if number is not None or value is not None:
            found[parameter.name] = str(value) if value is not None else number[0].rstrip("fF") if number is not None else ""
    return found
