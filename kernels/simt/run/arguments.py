"""Arguments of a launch: from text or `.npy` files to values, and from values to bytes in memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from math import ceil, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
import numpy.lib.format as npy
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.base.plain_file import NotPlainError, open_plain
from kernels.base.values import dataclass
from kernels.simt.base.launch import MIB, Argument, Budget, Fill, Filled, IndexArrangement, LaunchRequest
from kernels.simt.base.layout import leaves, numpy_dtype, scalar_dtype, size_of, written_name
from kernels.simt.base.rounding import bfloat16_bits
from kernels.simt.base.types import Array, Kind, Pointer, Scalar, Struct, Type, Variable
from kernels.simt.machine.memory import array_shape, variable_key
from kernels.simt.run.launchable import argument_types, no_parameter, refuse_number, settable_variables
from kernels.simt.run.written_objects import WRITTEN, written_object
from kernels.simt.trace.trace import Held, Initial

if TYPE_CHECKING:
    from kernels.simt.ir import Kernel

MOST_MADE = 4
"""Arrays that are kept: those of one launch."""
BEYOND = 1 << 28
"""An index that no array here has."""
ZIP = b"PK"
"""How an .npz file begins."""
_HEADERS: dict[tuple[int, int], Callable[[BinaryIO], Any]] = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def load_array(path: Path) -> npt.NDArray[np.generic] | Message:
    """The array of a file, not yet read where the system can leave it on disk; or why there is none."""
    try:
        with open_plain(path) as file:
            reason = _refusal(file, str(path))
        return reason or np.load(path, mmap_mode="r", allow_pickle=False)
    except NotPlainError as other:
        return other.told(str(path))
    except OSError as error:
        return message("{path} cannot be read: {error}.", path=str(path), error=error.strerror or str(error))
    except (ValueError, EOFError, SyntaxError):
        return _damaged(str(path))


def _refusal(file: BinaryIO, path: str) -> Message | None:
    """What keeps a file from being an array of numbers."""
    start = file.read(npy.MAGIC_LEN)
    if start.startswith(ZIP):
        return message("{path} holds several arrays; one .npy file is needed.", path=path)
    if not start.startswith(npy.MAGIC_PREFIX):
        return message("{path} is not an .npy file: numpy.save writes one.", path=path)
    file.seek(0)
    try:
        shape, _, dtype = _HEADERS[npy.read_magic(file)](file)
    except (ValueError, SyntaxError, EOFError, KeyError):
        return _damaged(path)
    if dtype.hasobject:
        return message("{path} holds Python objects: an array of numbers is needed.", path=path)
    begin, needed = file.tell(), prod(shape) * dtype.itemsize
    given = file.seek(0, 2) - begin
    if given < needed:
        return message("{path} ends too soon: it has {given} of {needed} bytes.", path=path, given=given, needed=needed)
    return None


def _damaged(path: str) -> Message:
    return message("{path} is a damaged .npy file: its head says nothing of type and shape.", path=path)


Bytes = npt.NDArray[np.uint8]
_INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})", re.ASCII)
_FLOAT = re.compile(r"[+-]?([0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})([eE][+-]?[0-9]{1,5})?[fF]?|[+-]?inf|nan", re.ASCII)
_COUNT = re.compile(r"([0-9]{1,20})(?::([a-z]+)(?::([0-9]{1,10}))?(?::([a-z]+))?)?", re.ASCII)
_BOOLS = {"true": True, "1": True, "false": False, "0": False}


def parse_argument(name: str, text: str, parameter_type: Type, largest: int = Budget().bytes) -> Argument | Message:
    """The value that `text` gives the parameter (or struct member) `name`, or the reason why it gives none.

    A number for a scalar; for a pointer `COUNT[:zeros|random|arange[:LIMIT][:ORDER]]` or `@FILE.npy[:ORDER]`, of `largest` bytes at most.
    """
    if isinstance(parameter_type, Pointer):
        if text.startswith("@"):
            return _array_file(name, text[1:], largest)
        return _filled(name, text, parameter_type.target, largest)
    if isinstance(parameter_type, Scalar):
        return _number(name, text, parameter_type)
    members = ", ".join(path for path, _, _ in leaves(parameter_type, name))
    return message("{name} ({type}) is given member by member: {members}.", name=name, type=written_name(parameter_type), members=members)


def text_of(argument: Argument) -> str | None:
    """An argument as the user writes it; None for an array that was given as it is."""
    if isinstance(argument, np.ndarray):
        return None
    if isinstance(argument, Filled):
        fill = argument.fill or (Fill.ZEROS if argument.order is not None else None)
        parts = (argument.count, fill, argument.limit if fill is not None else None, argument.order)
        return ":".join(str(part) for part in parts if part is not None)
    return str(argument).lower() if isinstance(argument, bool) else str(argument)


def with_arguments(kernel: Kernel, launch: LaunchRequest, texts: Mapping[str, str]) -> LaunchRequest | Message:
    """The launch with arguments that the user wrote, or the reason why one of them cannot be."""
    types, arguments = argument_types(kernel), dict(launch.arguments)
    whole = {parameter.name: parameter.type for parameter in kernel.parameters}
    settable, variables = {each.name: each for each in settable_variables(kernel)}, dict(launch.variables)
    for name, text in texts.items():
        if name not in types and name not in whole:
            if name not in settable:
                return no_parameter(kernel, name)
            content = _content(settable[name], text, launch)
            if isinstance(content, Message):
                return content
            variables[variable_key(settable[name])] = content
            continue
        kind = whole.get(name)
        if isinstance(kind, Struct) and kind.name in WRITTEN:
            members = written_object(kind.name, name, text, launch.budget.bytes)
            if isinstance(members, Message):
                return members
            arguments.update(members)
            continue
        value = parse_argument(name, text, types.get(name) or whole[name], launch.budget.bytes)
        if isinstance(value, Message):
            return value
        arguments[name] = value
    return replace(launch, arguments=arguments, variables=variables)


def _content(variable: Variable, text: str, launch: LaunchRequest) -> Bytes | Message:
    """The bytes of a `__constant__` or `__device__` variable that begins as the user wrote."""
    shape, element = array_shape(variable.type)
    if isinstance(variable.type, Scalar):
        number = _number(variable.name, text, variable.type)
        return number if isinstance(number, Message) else _as_bytes(number, variable.type)
    given = parse_argument(
        variable.name, text, Pointer(element) if isinstance(variable.type, Array) else variable.type, launch.budget.bytes
    )
    if isinstance(given, Message):
        return given
    assert isinstance(given, Filled | np.ndarray)
    size = size_of(variable.type)
    bytes_given = given.nbytes if isinstance(given, np.ndarray) else given.count * size_of(element)
    if bytes_given != size:
        return message(
            "{name} has {count} elements ({bytes} bytes), no more and no less.", name=variable.name, count=prod(shape), bytes=size
        )
    initial = initial_of(given, element, launch.seed)
    return np.zeros(size, np.uint8) if initial.bytes is None else np.array(initial.bytes)


def _as_bytes(value: Argument, scalar: Scalar) -> Bytes:
    return np.atleast_1d(_converted(np.atleast_1d(np.asarray(value)), scalar)).view(np.uint8)


def initial_of(argument: Filled | npt.NDArray[np.generic], target: Type | None, seed: int) -> Initial:
    """What a pointer argument points to as the launch begins: a given array's own bytes; `seed` makes a random fill."""
    if isinstance(argument, np.ndarray):
        native = np.ascontiguousarray(argument, argument.dtype.newbyteorder("="))
        return Initial(Held.BYTES, native.reshape(-1).view(np.uint8))
    if argument.fill is None:
        return Initial(Held.UNDEFINED)
    if argument.fill is Fill.ZEROS and argument.order is None:
        return Initial(Held.ZEROS)
    return _made(_Recipe(argument, target, seed))


class _Recipe(NamedTuple):
    """What bytes can be made of again."""

    argument: Filled
    target: Type | None
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Made(Initial):
    """Bytes made by a recipe, which is all that another process is sent: megabytes, and the same ones for each tile that is tried."""

    recipe: _Recipe | None = None

    def unchanging(self) -> Initial:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.recipe,)


@lru_cache(maxsize=MOST_MADE)
def _made(recipe: _Recipe) -> _Made:
    argument, target, seed = recipe
    memory = np.zeros((argument.count, size_of(target)), np.uint8)
    _fill(memory, list(leaves(target)) if target is not None else [("", Scalar(Kind.UNSIGNED, 1), 0)], argument, seed)
    filled = memory.reshape(-1)
    filled.flags.writeable = False
    return _Made(Held.BYTES, filled, recipe)


def arranged(values: npt.NDArray[Any], order: IndexArrangement | None, limit: int | None = None) -> npt.NDArray[Any]:
    """Whole numbers modulo `limit` and in that order, like `values`; anything else as it is."""
    if values.dtype.kind not in "iu" or values.size == 0:
        return values
    largest = int(np.iinfo(values.dtype).max)
    flat = values.reshape(-1) % values.dtype.type(min(limit, largest)) if limit else values.reshape(-1).copy()
    match order:
        case IndexArrangement.EQUAL:
            flat[:] = flat.max()
        case IndexArrangement.ZERO:
            flat[:] = 0
        case IndexArrangement.SORTED:
            flat = np.sort(flat)
        case IndexArrangement.REVERSED:
            flat = np.sort(flat)[::-1]
        case IndexArrangement.BELOW:
            flat[0] = -1 if values.dtype.kind == "i" else largest
        case IndexArrangement.BEYOND:
            flat[0] = min(BEYOND, largest)
    return flat.reshape(values.shape)


def _fill(memory: Bytes, scalars: list[tuple[str, Scalar | Pointer, int]], filled: Filled, seed: int) -> None:
    """Number or draw the scalars of all elements, one element after the other."""
    generator = np.random.default_rng(seed)
    count = len(memory)
    for position, (_, scalar, offset) in enumerate(scalars):
        if filled.fill is Fill.ARANGE:
            values = _converted(np.arange(count, dtype=np.int64) * len(scalars) + position, scalar)
        elif filled.fill is Fill.ZEROS:
            values = _converted(np.zeros(count), scalar)
        else:
            values = _converted(_random(generator, count, scalar), scalar)
        values = arranged(values, filled.order, filled.limit)
        memory[:, offset : offset + values.itemsize] = values.reshape(-1, 1).view(np.uint8)


def _random(generator: np.random.Generator, count: int, scalar: Scalar | Pointer) -> npt.NDArray[np.generic]:
    if isinstance(scalar, Scalar) and scalar.kind is Kind.FLOAT:
        return generator.uniform(-1.0, 1.0, count)
    if isinstance(scalar, Scalar) and scalar.kind is Kind.BOOL:
        return generator.integers(0, 2, count)
    least_of_one_byte = scalar == Scalar(Kind.SIGNED, 1)
    return generator.integers(0, 128 if least_of_one_byte else 256, count)


def _converted(values: npt.NDArray[np.generic], scalar: Scalar | Pointer) -> npt.NDArray[np.generic]:
    if isinstance(scalar, Scalar) and scalar.brain:
        return bfloat16_bits(values.astype(np.float32))
    with np.errstate(over="ignore"):  # numbering may leave the range of half
        return values.astype(scalar_dtype(scalar))


def _number(name: str, text: str, scalar: Scalar) -> Argument | Message:
    if scalar.kind is Kind.BOOL:
        if text in _BOOLS:
            return _BOOLS[text]
        return message("{name} is true or false, not “{text}”.", name=name, text=text)
    if scalar.kind is Kind.FLOAT:
        if _FLOAT.fullmatch(text):
            return float(text if text.lower().endswith("inf") else text.rstrip("fF"))
        return message("{name} ({type}) is a number, not “{text}”.", name=name, type=written_name(scalar), text=text)
    if not _INTEGER.fullmatch(text):
        return message("{name} ({type}) is a whole number, not “{text}”.", name=name, type=written_name(scalar), text=text)
    value = int(text, 16 if "x" in text.lower() else 10)
    return refuse_number(name, value, scalar) or value


def _filled(name: str, text: str, target: Type | None, largest: int) -> Argument | Message:
    matched = _COUNT.fullmatch(text)
    fills, arrangements = set(Fill), set(IndexArrangement)
    if matched is None or (matched[2] or Fill.ZEROS) not in fills or (matched[4] or IndexArrangement.EQUAL) not in arrangements:
        return message("{name} is COUNT, COUNT:zeros, COUNT:random, COUNT:arange or @FILE.npy, not “{text}”.", name=name, text=text)
    fill, order = (None if matched[2] is None else Fill(matched[2])), (None if matched[4] is None else IndexArrangement(matched[4]))
    filled = Filled(int(matched[1]), fill, None if matched[3] is None else int(matched[3]), order)
    return _too_large(name, filled.count * size_of(target), largest) or filled


def _too_large(name: str, needed: int, largest: int) -> Message | None:
    if needed <= largest:
        return None
    return message("{name} takes {needed} MiB; {limit} MiB are allowed.", name=name, needed=ceil(needed / MIB), limit=largest / MIB)


def _array_file(name: str, path: str, largest: int) -> Argument | Message:
    plain, _, order = path.rpartition(":")
    if order not in set(IndexArrangement):
        plain, order = path, ""
    mapped = load_array(Path(plain))
    if isinstance(mapped, Message):
        return message("{name}: {reason}", name=name, reason=mapped)
    return _too_large(name, mapped.nbytes, largest) or arranged(np.array(mapped), IndexArrangement(order) if order else None)


def result_of(memory: Bytes, argument: Filled | npt.NDArray[np.generic], target: Type | None) -> npt.NDArray[np.generic]:
    """An argument's memory after the launch: like the array it came from, else as elements of the pointed-to type (float4: `count` x 4)."""
    if isinstance(argument, np.ndarray):
        native = memory.view(argument.dtype.newbyteorder("=")).reshape(argument.shape)
        return native.astype(argument.dtype, copy=False)
    scalars = [(scalar_dtype(scalar), offset) for _, scalar, offset in leaves(target)] if target is not None else []
    kinds = {kind for kind, _ in scalars}
    if len(scalars) > 1 and len(kinds) == 1 and scalars[0][0].itemsize * len(scalars) == size_of(target):
        return memory.view(scalars[0][0]).reshape(argument.count, len(scalars))
    return memory.view(numpy_dtype(target))
