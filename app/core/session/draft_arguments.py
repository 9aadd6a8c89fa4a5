"""The arguments of a draft: defaults that a signature tells, and what is wrong with a text before anything is executed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from app.core.base.parsing import half_width, shown
from app.core.session.launch_inference import ELEMENTS
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Fill, Filled
from kernels.simt.base.signature import KernelParameter, KernelSignature
from kernels.simt.base.types import Kind, Pointer, Scalar
from kernels.simt.run.arguments import parse_argument
from kernels.simt.run.written_objects import WRITTEN, example_of, written_object

MOST_BYTES = 1 << 30
_MATRIX = re.compile(r"([0-9]{1,7})\s*[x×*]\s*([0-9]{1,7})(?::([\w:]+))?", re.ASCII)
_FLOATS = {"float": 4, "double": 8, "half": 2, "__half": 2}
_SIGNED = {
    "char": 1,
    "signed char": 1,
    "short": 2,
    "int": 4,
    "long": 8,
    "long long": 8,
    "int8_t": 1,
    "int16_t": 2,
    "int32_t": 4,
    "int64_t": 8,
}


@dataclass(frozen=True, slots=True)
class Matrix:
    """An argument written as ROWSxCOLUMNS: what it is as an array, and its shape."""

    text: str
    rows: int
    columns: int


def default_text(parameter: KernelParameter) -> str:
    """What a parameter is given of which only the type is known."""
    if parameter.element in WRITTEN and not parameter.pointer:
        return example_of(parameter.element)
    if parameter.pointer:
        return f"{ELEMENTS}:random"
    if parameter.element == "bool":
        return "true"
    return "2" if parameter.element in _FLOATS else "1"


def texts_of(kernel: KernelSignature | None, given: Mapping[str, str]) -> dict[str, str]:
    """A text for each parameter, the given one or the default, and for each variable that is given one; while the kernel is not known,
    those given."""
    if kernel is None:
        return dict(given)
    variables = {each.name: given[each.name] for each in kernel.variables or () if given.get(each.name)}
    return {**variables, **{each.name: given.get(each.name, default_text(each)) for each in named(kernel)}}


def named(kernel: KernelSignature) -> Iterator[KernelParameter]:
    """What a launch must give: the parameters, of a struct its members, but a texture or a tensor map in one text."""
    for parameter in kernel.parameters:
        yield from (parameter,) if parameter.element in WRITTEN else parameter.members or (parameter,)


def understand(text: str) -> Matrix | None:
    """The shape and the array that `ROWSxCOLUMNS[:fill]` stands for; None for any other text."""
    found = _MATRIX.fullmatch(half_width(text).strip())
    if found is None:
        return None
    rows, columns = int(found[1]), int(found[2])
    return Matrix(f"{rows * columns}" + (f":{found[3]}" if found[3] else ""), rows, columns)


def names_file(text: str) -> bool:
    """Whether an argument is read from a file."""
    return array_text(text).startswith("@")


def array_text(text: str) -> str:
    """An argument as the interpreter reads it."""
    matrix = understand(text)
    return half_width(text).strip() if matrix is None else matrix.text


def refuse_text(parameter: KernelParameter, text: str) -> Message | None:
    """Why a parameter cannot be given this, as far as its type is known, or None."""
    if parameter.element in WRITTEN and not parameter.pointer:
        made = written_object(parameter.element, parameter.name, text, MOST_BYTES)
        return made if isinstance(made, Message) else None
    plain = array_text(text)
    kind = type_of(parameter)
    if parameter.pointer and not plain.startswith("@"):
        value = parse_argument(parameter.name, plain, Pointer(Scalar(Kind.UNSIGNED, max(parameter.element_bytes, 1))), MOST_BYTES)
        if isinstance(value, Message):
            return _refused_array(parameter, text)
        if isinstance(value, Filled) and value.count == 0:
            return message("{name} has no elements.", name=parameter.name)
        return None
    if kind is None or plain.startswith("@"):
        return None if plain else message("{name} needs a value.", name=parameter.name)
    value = parse_argument(parameter.name, plain, kind)
    return value if isinstance(value, Message) else None


def _refused_array(parameter: KernelParameter, text: str) -> Message:
    matrix = understand(text)
    count = None if matrix is None else matrix.rows * matrix.columns
    if count is not None and count * max(parameter.element_bytes, 1) > MOST_BYTES:
        return message("{name} takes {needed} MiB; {limit} MiB are allowed.", name=parameter.name,
                       needed=count * max(parameter.element_bytes, 1) / 2**20, limit=MOST_BYTES / 2**20)  # fmt: skip
    return message(
        "{name} is COUNT or ROWSxCOLUMNS, with :{fills} behind it where it holds something, or @FILE.npy; not “{text}”.",
        name=parameter.name, fills="|".join(Fill), text=shown(text),
    )  # fmt: skip


def type_of(parameter: KernelParameter) -> Scalar | None:
    """The type of a number as far as its name tells it; None for structs and names that the text made up."""
    name = re.sub(r"^(const|volatile) ", "", parameter.element)
    if name == "bool":
        return Scalar(Kind.BOOL, 1)
    if name in _FLOATS:
        return Scalar(Kind.FLOAT, _FLOATS[name])
    if name in _SIGNED:
        return Scalar(Kind.SIGNED, parameter.element_bytes or _SIGNED[name], name=name)
    if re.fullmatch(r"unsigned( \w+)*|size_t|u(int|long|short|char)|uint\d+_t", name):
        return Scalar(Kind.UNSIGNED, parameter.element_bytes or 4, name=name)
    return None
