"""Recording matrices: when a kernel runs on them, what it touches, where, on which line and at which instruction is noted."""

from __future__ import annotations

import dis
import sys
from bisect import bisect_right
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.cpusim.loops import LoopNest, lines_of_calls
from kernels.cpusim.trace import COPY, NOT_STARTED, READ, WRITE
from kernels.cpusim.turns import TurnTaking


def instruction_of(frame: FrameType) -> int:
    """The number of the instruction that a frame is at, in the order of its function's text.

    Not `f_lasti`: Python 3.12 and later say that a call stands in the cache behind its instruction once it has been specialised.
    """
    return bisect_right(_starts(frame.f_code), frame.f_lasti) - 1


@lru_cache(maxsize=64)
def _starts(code: CodeType) -> tuple[int, ...]:
    """Where the instructions of a function begin, ascending, in bytes; the caches behind them are none."""
    return tuple(instruction.offset for instruction in dis.get_instructions(code))


Matrix = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Access = tuple[int, int, int, int, int, int, float | Matrix]
"""kind, matrix, row, column, rows, columns, value: as in `Trace`; in place of one value the different ones, in row-major order."""
ACCESS_FIELDS = 7
MOST_VALUES = 512
"""Of an access whose different values are kept: the floats of the largest register tile."""


class AccessLimitReached(Exception):
    """End of a recording: the kernel touches its matrices more often than the recorder may note."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where in the kernel an access happens, and the vector function that is called there, if any."""

    frame: FrameType
    line: int
    instruction: int
    thread: int
    primitive: FrameType | None

    def goes_on_from(self, last: _Place | None) -> bool:
        """Whether this belongs to the same execution of a line: that goes through its instructions in ascending order.

        What one call of a vector function touches belongs together.
        """
        if last is None or (self.frame, self.line, self.thread) != (last.frame, last.line, last.thread):
            return False
        return self.instruction > last.instruction or (self.primitive is not None and self.primitive is last.primitive)


class Recorder:
    """Collects accesses, and groups them into steps: executions of one source line of the kernel.

    The line comes from the running frame of the kernel's text that is innermost, the loop indices from the variables of all its
    frames; nothing is computed.
    """

    def __init__(self, code: CodeType, nest: LoopNest, limit: int) -> None:
        """`code` is the kernel's entry; the functions that it calls belong to the kernel if they are in the same file."""
        self.lines: list[int] = []
        self.indices: list[tuple[int, ...]] = []
        self.access_start: list[int] = []
        self.accesses: list[float] = []
        """`ACCESS_FIELDS` numbers for each access, one access after the other."""
        self.values: dict[int, Matrix] = {}
        """The values of each access that has different ones, by its number."""
        self.copies: dict[int, Matrix] = {}
        """What was read of packed copies, by the number of the access."""
        self.threads: list[int] = []
        """The thread of each step."""
        self.products: list[int] = []
        """How many multiplications each step does with what was read of the matrices."""
        self.traced = _traced_values(self)
        self.chains: list[tuple[int, ...]] = []
        """Of a kernel that calls itself the calls that each step is in."""
        self.turns: TurnTaking | None = None
        """Of the threads of a multi-threaded kernel."""
        self._code = code
        self._most_numbers = limit * ACCESS_FIELDS
        self._nest = nest
        self._loops_around: dict[int, tuple[int, ...]] = {}
        self._last: _Place | None = None

    def note(self, *accesses: Access) -> None:
        """Record what one instruction of the kernel touches, two calls up or more."""
        if not accesses:
            return
        primitive: FrameType | None = None
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self._code.co_filename:
            primitive, frame = frame if _is_primitive(frame) else primitive, frame.f_back
        assert frame is not None, "a recording array is used outside its kernel"
        thread = 0 if self.turns is None else self.turns.current
        here = _Place(frame, frame.f_lineno, instruction_of(frame), thread, primitive)
        if not here.goes_on_from(self._last):
            self._begin_step(frame, here.line, thread)
        self._last = here
        for *place, value in accesses:
            if isinstance(value, np.ndarray):
                self.values[len(self.accesses) // ACCESS_FIELDS] = value
                value = np.nan
            self.accesses += (*place, value)
        if len(self.accesses) > self._most_numbers:
            raise AccessLimitReached

    def multiplied(self, count: int) -> None:
        """Count multiplications, which belong to the step that the last access is in."""
        if self.products:
            self.products[-1] += count

    def _begin_step(self, frame: FrameType, line: int, thread: int) -> None:
        indices = [NOT_STARTED] * len(self._nest.loops)
        self._take_indices(frame, indices)
        outer: FrameType | None = frame
        while outer is not None and outer.f_code is not self._code:
            outer = outer.f_back
            if outer is not None and outer.f_code.co_filename == self._code.co_filename:
                self._take_indices(outer, indices)
        self.lines.append(line)
        self.indices.append(tuple(indices))
        self.threads.append(thread)
        self.products.append(0)
        self.access_start.append(len(self.accesses) // ACCESS_FIELDS)
        if self._nest.recursive:
            self.chains.append(lines_of_calls(frame, self._code, self._nest.recursive))

    def _take_indices(self, frame: FrameType, indices: list[int]) -> None:
        """Fill in the loops that a frame is in; of a function that calls itself, the innermost call counts."""
        line = frame.f_lineno
        around = self._loops_around.get(line)
        if around is None:
            around = self._loops_around[line] = self._nest.around(line)
        for number in around:
            if indices[number] == NOT_STARTED:
                indices[number] = frame.f_locals[self._nest.loops[number].name]


def _traced_values(recorder: Recorder) -> type[np.float32]:
    """A type of values that were read of a matrix: their multiplications are counted; what these give is a plain value."""
    multiply, products = np.float32.__mul__, recorder.products

    class TracedValue(np.float32):
        __slots__ = ()

        def __mul__(self, other: Any) -> Any:
            if isinstance(other, np.float32):
                products[-1] += 1
                return multiply(self, other)
            product = np.multiply(self, other)
            if not isinstance(other, TracedArray):  # that counts itself
                recorder.multiplied(np.size(product))
            return product

        __rmul__ = __mul__

    return TracedValue


class TracedArray:
    """A float32 matrix, or a rectangle, row or column of one, whose reads and writes are recorded.

    An index that leaves an array makes a view and touches nothing. A view is touched as a whole when it is used: assigned to,
    assigned from, or given to a NumPy function.
    """

    __slots__ = ("_columns", "_data", "_matrix", "_places", "_recorder")
    _reads_as = READ

    def __init__(self, recorder: Recorder, matrix: int, data: Matrix, columns: int, places: Places | None = None) -> None:
        """`matrix` is its number, `columns` its width, and `places` the number of each element of `data` in row-major order."""
        self._recorder = recorder
        self._matrix = matrix
        self._data = data
        self._columns = columns
        self._places = np.arange(data.size).reshape(data.shape) if places is None else places

    @property
    def shape(self) -> tuple[int, ...]:
        return self._data.shape

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index: Any) -> Any:
        value = self._data[index]
        place = self._places[index]  # NumPy gives the element and its place the same meaning of `index`
        if isinstance(value, np.ndarray):
            return type(self)(self._recorder, self._matrix, value, self._columns, place)
        row, column = divmod(int(place), self._columns)
        self._recorder.note((self._reads_as, self._matrix, row, column, 1, 1, value))
        return self._recorder.traced(value) if type(value) is np.float32 else value

    def __setitem__(self, index: Any, value: Any) -> None:
        read = _touched(value, READ)
        self._data[index] = _plain(value)
        target = self._data[index]
        place = self._places[index]
        if isinstance(target, np.ndarray):
            written = _touched(TracedArray(self._recorder, self._matrix, target, self._columns, place), WRITE)
            self._recorder.note(*read, *written)
        else:
            row, column = divmod(int(place), self._columns)
            self._recorder.note(*read, (WRITE, self._matrix, row, column, 1, 1, target))

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] = (), **options: Any) -> Any:
        """One NumPy function on whole arrays is one step: it reads all of its inputs and writes all of its outputs."""
        if method != "__call__":
            return NotImplemented
        read = [access for array in inputs for access in _touched(array, READ)]
        if out:
            options["out"] = tuple(_plain(array) for array in out)
        result = function(*[_plain(array) for array in inputs], **options)
        written = [access for array in out for access in _touched(array, WRITE)]
        self._recorder.note(*read, *written)
        if function in (np.multiply, np.matmul):
            self._recorder.multiplied(np.size(result) * (inputs[0].shape[-1] if function is np.matmul else 1))
        return out[0] if len(out) == 1 else result

    def whole(self, kind: int) -> Access:
        """The access that touches all of this array, which is not empty."""
        first, last = int(self._places.flat[0]), int(self._places.flat[-1])
        row, column = divmod(first, self._columns)
        last_row, last_column = divmod(last, self._columns)
        rows, columns = last_row - row + 1, last_column - column + 1
        if rows * columns != self._data.size:
            raise NotImplementedError("a slice with a step")
        return self._reads_as if kind == READ else kind, self._matrix, row, column, rows, columns, self._value()

    def _value(self) -> float | Matrix:
        """The value of all elements; where they differ all of them, or NaN for more than a register tile."""
        value = float(self._data.flat[0])
        if (self._data == value).all():
            return value
        return self._data.flatten() if self._data.size <= MOST_VALUES else np.nan


class TracedCopies(TracedArray):
    """Memory for copies of a matrix, one for each thread; `places` are those in the matrix, which reading a copy does not read."""

    __slots__ = ()
    _reads_as = COPY


class TracedPanel(TracedArray):
    """Memory that a kernel packs copies into. What is read of it is noted with the copies; writing it is part of what is copied."""

    __slots__ = ()

    def __init__(self, recorder: Recorder, data: Matrix) -> None:
        super().__init__(recorder, 0, data, data.shape[-1])

    def __getitem__(self, index: Any) -> Any:
        view = TracedPanel(self._recorder, np.atleast_1d(self._data[index]))
        if isinstance(self._data[index], np.ndarray):
            return view
        self._recorder.note(view.whole(READ))
        value = self._data[index]
        return self._recorder.traced(value) if type(value) is np.float32 else value

    def __setitem__(self, index: Any, value: Any) -> None:
        read = _touched(value, READ)
        self._data[index] = _plain(value)
        self._recorder.note(*read)

    def whole(self, kind: int) -> Access:  # noqa: ARG002  # nothing but reads is noted
        """The access that reads all of this copy. Where its originals are is found out later."""
        self._recorder.copies[len(self._recorder.accesses) // ACCESS_FIELDS] = self._data.copy()
        return COPY, 0, 0, 0, 0, 0, np.nan


def _is_primitive(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") in ("kernels.cpu.simd", "kernels.cpu.matrix_registers")


def _touched(operand: Any, kind: int) -> list[Access]:
    """The access to all of `operand`, if it is a recording array and not empty."""
    return [operand.whole(kind)] if isinstance(operand, TracedArray) and operand._data.size else []


def _plain(operand: Any) -> Any:
    """The NumPy array under a recording array; anything else as it is."""
    return operand._data if isinstance(operand, TracedArray) else operand
