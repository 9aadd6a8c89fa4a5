"""Matrices that note every access to them: when a kernel runs on them, what it touches, where and on which line is recorded."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.cpusim.loops import LoopNest
from kernels.cpusim.trace import NOT_STARTED, READ, WRITE

Matrix = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Access = tuple[int, int, int, int, int, int, float]
"""kind, matrix, row, column, rows, columns, value: as in `Trace`."""
ACCESS_FIELDS = 7


class AccessLimitReached(Exception):
    """The kernel touches its matrices more often than the recorder may note."""


class Recorder:
    """Collects accesses, and groups them into steps: executions of one source line of the kernel.

    The line comes from the kernel's own running frame and the loop indices from its variables; nothing is computed.
    """

    def __init__(self, code: CodeType, nest: LoopNest, limit: int) -> None:
        self.lines: list[int] = []
        self.indices: list[tuple[int, ...]] = []
        self.access_start: list[int] = []
        self.accesses: list[float] = []
        """`ACCESS_FIELDS` numbers for each access, one access after the other."""
        self._code = code
        self._most_numbers = limit * ACCESS_FIELDS
        self._line_at = {offset: line for start, end, line in code.co_lines() if line for offset in range(start, end, 2)}
        self._loops_around = {line: nest.names_around(line) for line in set(self._line_at.values())}
        self._line = -1
        self._instruction = -1

    def note(self, *accesses: Access) -> None:
        """Record what one instruction of the kernel touches, two calls up or more."""
        if not accesses:
            return
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code is not self._code:
            frame = frame.f_back
        assert frame is not None, "a recording array is used outside its kernel"
        instruction = frame.f_lasti
        line = self._line_at[instruction]
        # One execution of a line goes through its instructions in ascending order.
        if line != self._line or instruction <= self._instruction:
            self._begin_step(frame, line)
        self._instruction = instruction
        for access in accesses:
            self.accesses += access
        if len(self.accesses) > self._most_numbers:
            raise AccessLimitReached

    def _begin_step(self, frame: FrameType, line: int) -> None:
        variables = frame.f_locals
        self._line = line
        self.lines.append(line)
        self.indices.append(tuple([NOT_STARTED if name is None else variables[name] for name in self._loops_around[line]]))
        self.access_start.append(len(self.accesses) // ACCESS_FIELDS)


class RecordingArray:
    """A float32 matrix, or a rectangle, row or column of one, whose reads and writes are recorded.

    An index that leaves an array makes a view and touches nothing. A view is touched as a whole when it is used: assigned to,
    assigned from, or given to a NumPy function.
    """

    __slots__ = ("_columns", "_data", "_matrix", "_places", "_recorder")

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
            return RecordingArray(self._recorder, self._matrix, value, self._columns, place)
        row, column = divmod(int(place), self._columns)
        self._recorder.note((READ, self._matrix, row, column, 1, 1, value))
        return value

    def __setitem__(self, index: Any, value: Any) -> None:
        read = _touched(value, READ)
        self._data[index] = _plain(value)
        target = self._data[index]
        place = self._places[index]
        if isinstance(target, np.ndarray):
            written = _touched(RecordingArray(self._recorder, self._matrix, target, self._columns, place), WRITE)
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
        return out[0] if len(out) == 1 else result

    def whole(self, kind: int) -> Access:
        """The access that touches all of this array, which is not empty."""
        first, last = int(self._places.flat[0]), int(self._places.flat[-1])
        row, column = divmod(first, self._columns)
        last_row, last_column = divmod(last, self._columns)
        rows, columns = last_row - row + 1, last_column - column + 1
        if rows * columns != self._data.size:
            raise NotImplementedError("a slice with a step")
        value = float(self._data.flat[0])
        return kind, self._matrix, row, column, rows, columns, value if (self._data == value).all() else np.nan


def _touched(operand: Any, kind: int) -> list[Access]:
    """The access to all of `operand`, if it is a recording array and not empty."""
    return [operand.whole(kind)] if isinstance(operand, RecordingArray) and operand._data.size else []


def _plain(operand: Any) -> Any:
    """The NumPy array under a recording array; anything else as it is."""
    return operand._data if isinstance(operand, RecordingArray) else operand
