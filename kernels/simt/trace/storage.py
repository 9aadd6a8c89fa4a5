"""Trace file: a zip archive of a JSON header and the arrays' bytes. No pickles; every size is checked before memory is taken.

Dataclasses become lists of their fields in order; arrays are set aside, and a number stands in their place. Reading makes nothing that the
declared types do not allow.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from math import prod
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.lib.format as npy
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.simt.trace.trace import VERSION, WARP, Held, Trace, Unordered, Updates, Written

AnyArray = npt.NDArray[Any]


class Malformed(Exception):
    """The plain value is not what the type says."""


def encode(value: Any, set_aside: Callable[[AnyArray], int]) -> Any:
    """`set_aside` takes each array and returns its number."""
    if isinstance(value, np.ndarray):
        return set_aside(value)
    if is_dataclass(value):
        return [encode(getattr(value, field.name), set_aside) for field in fields(value)]
    if isinstance(value, tuple):
        return [encode(item, set_aside) for item in value]
    if isinstance(value, Mapping):
        return {key: encode(item, set_aside) for key, item in value.items()}
    return value.value if isinstance(value, Enum) else value


def decode(plain: Any, expected: Any, array: Callable[[int], AnyArray]) -> Any:
    """The value of type `expected` that `plain` stands for; `array` fetches an array by its number. Raises Malformed."""
    expected = _unaliased(expected)
    origin, arguments = get_origin(expected), get_args(expected)
    if origin in (Union, UnionType):
        return _decode_union(plain, arguments, array)
    if origin is np.ndarray:
        return _decode_array(plain, expected, array)
    if origin is tuple:
        return _decode_tuple(plain, arguments, array)
    if origin is Mapping:
        return {str(key): decode(item, arguments[1], array) for key, item in _checked(plain, dict).items()}
    if is_dataclass(expected):
        return _decode_dataclass(plain, expected, array)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _decode_enum(plain, expected)
    if expected is float and type(plain) is int:
        return float(plain)
    return _checked(plain, expected)


def _unaliased(expected: Any) -> Any:
    """What a type alias stands for: `NDArray` is one from NumPy 2.5 on."""
    meaning = getattr(get_origin(expected), "__value__", None)
    return expected if meaning is None else meaning[get_args(expected)]


def _checked(plain: Any, expected: Any) -> Any:
    if type(plain) is not expected:
        raise Malformed(f"{expected} expected")
    return plain


def _decode_union(plain: Any, choices: tuple[Any, ...], array: Callable[[int], AnyArray]) -> Any:
    """The choice that fits; plain types are told apart exactly (1 is no float, 1.0 no int)."""
    if plain is None and NoneType in choices:
        return None
    if type(plain) in choices:
        return plain
    for choice in choices:
        if is_dataclass(choice) or get_origin(choice) is not None:
            return decode(plain, choice, array)
    raise Malformed("none of the choices")


def _decode_array(plain: Any, expected: Any, array: Callable[[int], AnyArray]) -> AnyArray:
    found = array(_checked(plain, int))
    (wanted,) = get_args(get_args(expected)[1])
    if wanted is not np.generic and found.dtype != np.dtype(wanted):
        raise Malformed("another element type")
    return found


def _decode_tuple(plain: Any, items: tuple[Any, ...], array: Callable[[int], AnyArray]) -> tuple[Any, ...]:
    values = _checked(plain, list)
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(decode(item, items[0], array) for item in values)
    if len(values) != len(items):
        raise Malformed("another length")
    return tuple(decode(item, kind, array) for item, kind in zip(values, items, strict=True))


def _decode_dataclass(plain: Any, expected: Any, array: Callable[[int], AnyArray]) -> Any:
    values, kinds = _checked(plain, list), _field_types(expected)
    if len(values) != len(kinds):
        raise Malformed("another number of fields")
    return expected(*(decode(item, kind, array) for item, kind in zip(values, kinds, strict=True)))


def _decode_enum(plain: Any, expected: type[Enum]) -> Enum:
    try:
        return expected(_checked(plain, str))
    except ValueError as error:
        raise Malformed(str(error)) from error


@lru_cache(maxsize=64)
def _field_types(dataclass: Any) -> tuple[Any, ...]:
    hints = get_type_hints(dataclass)
    return tuple(hints[field.name] for field in fields(dataclass))


FORMAT = "tilescope-trace"
HEADER = "trace.json"
LARGEST_HEADER = 64 << 20
LARGEST_FILE = 1 << 30
"""Bytes of all that a file unpacks to."""
FAR = 1 << 53
"""Arrays begin and end below twice this address."""
_EARLIEST = (1980, 1, 1, 0, 0, 0)

_Description = tuple[Any, tuple[int, ...]]


def write_trace(trace: Trace, path: Path) -> Message | None:
    """Write the file, whole or not at all; the reason why it cannot be written, or None."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".part")
        os.close(handle)
        part = Path(name)
        try:
            _write(trace, part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        return message("{path} cannot be written: {error}", path=str(path), error=error.strerror or str(error))
    return None


def read_trace(path: Path) -> Trace | Message:
    """The trace in a file, exactly as it was written, or the reason why there is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, path)
    except OSError as error:
        return message("{path} cannot be read: {error}", path=str(path), error=error.strerror or str(error))
    except (zipfile.BadZipFile, zlib.error, Malformed, ValueError, TypeError, KeyError, EOFError, RecursionError, NotImplementedError,
            SyntaxError, OverflowError, RuntimeError, MemoryError):  # fmt: skip
        return message("{path} is damaged, or is no trace.", path=str(path))


def _write(trace: Trace, path: Path) -> None:
    arrays: list[AnyArray] = []

    def set_aside(array: AnyArray) -> int:
        arrays.append(array)
        return len(arrays) - 1

    plain = encode(trace, set_aside)
    if sum(array.nbytes for array in arrays) > LARGEST_FILE - LARGEST_HEADER:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    described = [[npy.dtype_to_descr(array.dtype), list(array.shape)] for array in arrays]
    header = {"format": FORMAT, "version": trace.version, "arrays": described, "trace": plain}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(_member(HEADER), json.dumps(header).encode())
        for number, array in enumerate(arrays):
            archive.writestr(_member(str(number)), array.tobytes())


def _member(name: str) -> zipfile.ZipInfo:
    """Equal traces make equal files: no time of day."""
    member = zipfile.ZipInfo(name, _EARLIEST)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _read(archive: zipfile.ZipFile, path: Path) -> Trace | Message:
    members = {member.filename: member for member in archive.infolist()}
    if sum(member.file_size for member in members.values()) > LARGEST_FILE or members[HEADER].file_size > LARGEST_HEADER:
        return message("{path} is larger than a trace can be.", path=str(path))
    header = json.loads(archive.read(HEADER))
    if header["format"] != FORMAT:
        raise Malformed("another format")
    if header["version"] != VERSION:
        return message(
            "{path} is a trace of version {found}; this program reads version {version}. Record it again.",
            path=str(path), found=str(header["version"]), version=VERSION,
        )  # fmt: skip
    described = [_description(each, members[str(number)].file_size) for number, each in enumerate(header["arrays"])]

    left = set(range(len(described)))

    def fetch(number: int) -> AnyArray:
        if number not in left:
            raise Malformed("no such array, or it is used twice")
        left.remove(number)
        dtype, shape = described[number]
        return np.frombuffer(archive.read(str(number)), dtype).reshape(shape)

    trace: Trace = decode(header["trace"], Trace, fetch)
    _check(trace)
    return trace


def _description(described: Any, size: int) -> _Description:
    """Element type and shape, if they make `size` bytes."""
    descr, shape = described
    dtype = npy.descr_to_dtype(_tuples(descr))
    if dtype.hasobject or not all(type(count) is int and count >= 0 for count in shape):
        raise Malformed("not an array of plain elements")
    if prod(shape) * dtype.itemsize != size or not dtype.itemsize:
        raise Malformed("another size")
    return dtype, tuple(shape)


def _tuples(descr: Any) -> Any:
    """JSON's lists as the tuples that NumPy wants in a description."""
    if not isinstance(descr, list):
        return descr
    return [tuple(_field_part(part) for part in field) for field in descr]


def _field_part(part: Any) -> Any:
    if not isinstance(part, list):
        return part
    return tuple(part) if all(isinstance(item, int | str) for item in part) else _tuples(part)


def _check(trace: Trace) -> None:
    """What all who read a trace rely on: columns of one length, indices that exist, a lane for each thread of whole warps."""
    rows = trace.rows
    columns: list[AnyArray] = [rows.site, rows.mask, rows.base, rows.offset, rows.epoch, rows.warp_epoch, rows.block]
    columns += [column for column in (rows.changed, rows.lost, rows.issued) if column is not None]
    lanes = -(-prod(trace.block) // WARP) * WARP
    sound = (
        trace.version == VERSION
        and all(column.shape == rows.site.shape and column.ndim == 1 for column in columns)
        and trace.masks.shape == (len(trace.masks), lanes)
        and trace.bases.shape == (len(trace.bases), lanes)
        and all(
            _within(column, count)
            for column, count in (
                (rows.site, len(trace.sites)),
                (rows.mask, len(trace.masks)),
                (rows.base, len(trace.bases)),
                (rows.block, len(trace.blocks)),
            )
        )
        and all(_within_optional(column, len(trace.masks)) for column in (rows.changed, rows.lost))
        and (rows.issued is None or bool(((rows.issued >= -1) & (rows.issued <= np.arange(len(rows.issued)))).all()))
        and all(-1 <= site.allocation < len(trace.allocations) for site in trace.sites)
        and all(0 <= each.block < len(trace.blocks) and 0 <= each.mask < len(trace.masks) for each in trace.barriers)
        and all(0 <= each.row <= len(rows.site) for each in trace.barriers)
        and all(0 <= each.block < len(trace.blocks) and 0 <= each.mask < len(trace.masks) for each in trace.events)
        and all(0 <= each.row <= len(rows.site) for each in trace.events)
        and all(-1 <= each.row < len(rows.site) for each in trace.findings)
        and all(0 <= each.address <= FAR and 0 <= each.bytes <= FAR and 0 <= each.element_bytes <= FAR for each in trace.allocations)
        and _initial_fits(trace)
        and (trace.written is None or _written_fits(trace, trace.written))
        and (rows.updates is None or _updates_fit(trace, rows.updates))
        and (trace.unordered is None or _unordered_fits(trace, trace.unordered))
    )
    if not sound:
        raise Malformed("columns do not fit")


def _initial_fits(trace: Trace) -> bool:
    """Whether `initial` fits: with a history one for each array, its bytes where it has some; else none."""
    return len(trace.initial) == (0 if trace.written is None else len(trace.allocations)) and all(
        (each.bytes is not None) == (each.held is Held.BYTES) and (each.bytes is None or each.bytes.shape == (array.bytes,))
        for each, array in zip(trace.initial, trace.allocations, strict=False)
    )


def _written_fits(trace: Trace, written: Written) -> bool:
    """Rows that exist, ascending, and write; for each as many bytes as its active lanes move."""
    row, start = written.row, written.start
    if row.ndim != 1 or start.shape != (len(row) + 1,) or written.bytes.ndim != 1 or not _within(row, len(trace.rows.site)):
        return False
    size = np.array([0 if site.operation == "load" else site.bytes for site in trace.sites], np.int64)[trace.rows.site[row]]
    lanes = np.count_nonzero(trace.masks, axis=1)[trace.rows.mask[row]]
    return bool(
        (np.diff(row) > 0).all() and (size > 0).all()
        and start[0] == 0 and start[-1] == len(written.bytes) and (np.diff(start) == lanes * size).all()
    )  # fmt: skip


def _unordered_fits(trace: Trace, unordered: Unordered) -> bool:
    """Rows that exist and were made before; for each that read old values as many bytes as its active lanes move, and earlier writes."""
    row, made, read = unordered.row, unordered.made, unordered.read
    if row.ndim != 1 or made.shape != row.shape or not _within(row, len(trace.rows.site)) or read.row.ndim != 1:
        return False
    if read.start.shape != (len(read.row) + 1,) or read.bytes.ndim != 1 or not _within(read.row, len(trace.rows.site)):
        return False
    size = np.array([site.bytes for site in trace.sites], np.int64)[trace.rows.site[read.row]]
    lanes = np.count_nonzero(trace.masks, axis=1)[trace.rows.mask[read.row]]
    held = read.start[0] == 0 and read.start[-1] == len(read.bytes) and (np.diff(read.start) == lanes * size).all()
    before = unordered.missed < np.repeat(read.row, lanes) if unordered.missed.shape == (int(lanes.sum()),) else np.zeros(1, np.bool_)
    return bool(held and (made >= 0).all() and (made <= row).all() and before.all() and (unordered.missed >= -1).all())


def _updates_fit(trace: Trace, updates: Updates) -> bool:
    """Whether they are of rows that exist, ascending, with two numbers for each of its active lanes."""
    row, start, lanes = updates.row, updates.start, np.count_nonzero(trace.masks, axis=1)
    shaped = row.ndim == 1 and start.shape == (len(row) + 1,) and updates.before.shape == updates.after.shape
    if not shaped or updates.before.ndim != 1 or not _within(row, len(trace.rows.site)):
        return False
    counted = np.diff(start) == lanes[trace.rows.mask[row]]
    return bool((np.diff(row) > 0).all() and counted.all() and start[0] == 0 and start[-1] == len(updates.before))


def _within(column: AnyArray, count: int) -> bool:
    return not len(column) or (int(column.min()) >= 0 and int(column.max()) < count)


def _within_optional(column: AnyArray | None, count: int) -> bool:
    """-1 stands for none."""
    return column is None or not len(column) or (int(column.min()) >= -1 and int(column.max()) < count)
