"""The history: every result ever measured here, in an SQLite file to which rows are only ever added."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.gpu_use_times import UseTimes, use_from_object, use_object
from kernels.measure.result_json import UNFIT, Record, from_record, to_record
from kernels.measure.results import Result, Status
from kernels.measure.rows import COLUMNS, Row, RowReader
from kernels.measure.store_file import OtherVersionError, connect, copied, copied_from, in_memory, of_the_place, reader_of, set_aside

RETRY_S = 15.0
"""How long a file that could not be written is left alone before it is tried again."""
RETRY_PATIENCE_S = 1.0
"""How long another program that is writing is waited for then."""
AT_ONCE = 50
"""Rows that are read in one go: two milliseconds."""


class ResultStore:
    """Keeps results; safe to use from several threads, and from several programs at once on the same file.

    `notice` is None as long as all is well. Otherwise it says what happened to the file: it was set aside and a fresh one
    begun, or it cannot be written. Results are in memory then, and are written as soon as that is possible.
    """

    def __init__(
        self, connection: sqlite3.Connection, notice: Message | None = None, *, unwritable: Path | None = None, path: Path | None = None
    ) -> None:
        """Use `open` instead. `path` is the file; with `unwritable` results go to memory until that file can be written."""
        self._connection = connection
        self._lock, self._reading = threading.Lock(), threading.Lock()
        self._reader = None if path is None or unwritable is not None else reader_of(path)
        """A second way into the file, for single results; None where there is no file, or it cannot be opened so."""
        self._path = path or unwritable
        self._waiting: list[tuple[str, Record]] | None = None if unwritable is None else []
        """What is in memory alone; None while the file is written."""
        self._clock = time.monotonic
        self._tried = self._clock()
        self.notice = notice

    @property
    def retry_due(self) -> bool:
        """Whether results wait for the file, and it is time to try it again."""
        return bool(self._waiting) and self._clock() - self._tried >= RETRY_S

    @classmethod
    def open(cls, path: Path) -> ResultStore:
        """Open the history at `path`, creating it and its folder when missing. Never raises for what the file or its place is like."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return cls(connect(path), path=path)
        except OtherVersionError:
            return cls.in_memory(
                message("The history {path} was written by another version of Tilescope. New results are not kept.", path=str(path))
            )
        except sqlite3.Error as error:
            return cls(copied_from(path), _not_written(path, error), unwritable=path) if of_the_place(error) else cls._afresh(path)
        except OSError as error:
            return cls(in_memory(), _not_written(path, error), unwritable=path)

    @classmethod
    def in_memory(cls, notice: Message | None = None) -> ResultStore:
        """A history that lasts as long as the program."""
        return cls(in_memory(), notice)

    @classmethod
    def _afresh(cls, path: Path) -> ResultStore:
        try:
            aside = set_aside(path)
            connection = connect(path)
        except (OSError, sqlite3.Error) as error:
            return cls(in_memory(), _not_written(path, error), unwritable=path)
        told = message("The history could not be read. It is kept as {aside}, and a new one has been started.", aside=str(aside))
        return cls(connection, told, path=path)

    def append(self, result: Result) -> None:
        """Add one result; once this returns it survives the end of the program at any moment. When the file can no longer be
        written, results go to memory instead, `notice` says so, and they are written when that is possible again."""
        self._insert("results", to_record(result))

    def _insert(self, table: str, record: Record) -> None:
        statement = _inserting(table, record)
        if self.retry_due:
            self.write_waiting()
        with self._lock:
            try:
                self._connection.execute(statement, record)
            except sqlite3.Error as error:
                if self._path is None or self._waiting is not None:
                    raise
                self._continue_in_memory(error)
                self._connection.execute(statement, record)
            if self._waiting is not None:
                self._waiting.append((table, record))

    def write_waiting(self) -> None:
        """Try to write what is in memory alone. May wait for a disk and, for a moment, for another program; never raises."""
        with self._lock:
            self._tried = self._clock()
            if self._path is None or not self._waiting:
                return
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                connection = connect(self._path, RETRY_PATIENCE_S)
            except (OSError, sqlite3.Error, OtherVersionError):
                return
            try:
                connection.execute("BEGIN IMMEDIATE")
                for table, record in self._waiting:
                    connection.execute(_inserting(table, record), record)
                connection.execute("COMMIT")
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    connection.close()  # which takes back what was written of them
                return
            self.notice = message("The history can be written again. Results that were in memory are now in it: {count}.",
                                  count=len(self._waiting))  # fmt: skip
            self._connection, self._waiting, memory = connection, None, self._connection
            memory.close()

    def results(self, operation: Operation | None = None, processor: str | None = None, variant: str | None = None) -> list[Result]:
        """All results in the order stored; only those of one operation, measured on one processor, or of one variant, where given.

        Those of variants that this version does not have are left out, as are those that cannot be understood, which `notice` tells.
        """
        where, values = ["1"], []
        if operation is not None:
            where.append("operation = ?")
            values.append(operation.value)
        if processor is not None:
            valid = "typeof(conditions) = 'text' AND json_valid(conditions)"
            where.append(f"CASE WHEN {valid} THEN json_extract(conditions, '$.processor') END = ?")
            values.append(processor)
        if variant is not None:
            where.append("variant = ?")
            values.append(variant)
        with self._lock:
            rows = self._rows(f"SELECT * FROM results WHERE {' AND '.join(where)} ORDER BY id", values)
        found = [_result(row) for row in rows]
        read = [each for each in found if each is not None]
        self._tell_unread(len(found) - len(read))
        return [each for each in read if find(each.point.variant_id) is not None]

    def rows(self, processor: str, variants: Collection[str] = ()) -> Iterator[list[Row]]:
        """All results measured on one processor as rows, in the order stored: some at a time, so that others can add meanwhile.

        Only those of `variants` where given. What is left out is as with `results`.
        """
        reader, last, unread = RowReader(self.whole), 0, 0
        chosen = f"AND variant IN ({', '.join('?' * len(variants))})" if variants else ""
        query = f"SELECT {', '.join(COLUMNS)} FROM results WHERE id > ? {chosen} ORDER BY id LIMIT {AT_ONCE}"
        while True:
            with self._lock:
                found = self._rows(query, (last, *variants))
            if not found:
                break
            last, rows = found[-1]["id"], []
            for each in found:
                try:
                    row = reader.row(tuple(each.values()))
                except UNFIT:  # of a later program, or damaged
                    unread += 1
                    continue
                if row is not None and row.host == processor:
                    rows.append(row)
            yield rows
        self._tell_unread(unread)

    def whole(self, number: int) -> Result | None:
        """One result by its place in the history; None where it cannot be read. Waits for nobody who writes, where the file is read."""
        reader = self._reader
        if reader is None or self._waiting is not None:
            with self._lock:
                found = self._rows("SELECT * FROM results WHERE id = ?", (number,))
            return _result(found[0]) if found else None
        with self._reading, suppress(sqlite3.Error):
            cursor = reader.execute("SELECT * FROM results WHERE id = ?", (number,))
            names = [column[0] for column in cursor.description]
            return next((_result(dict(zip(names, row, strict=True))) for row in cursor), None)
        return None

    def _tell_unread(self, count: int) -> None:
        if count and self.notice is None:
            self.notice = message("Results in the history that cannot be understood: {count}. They are left as they are.", count=count)

    def latest(self, processor: str | None = None) -> list[Result]:
        """The last result of each point, in the order stored. A point that once ran is not replaced by one that was skipped."""
        last: dict[Case, Result] = {}
        for result in self.results(processor=processor):
            key = result.point
            if result.status is Status.SKIPPED and key in last:
                continue
            last.pop(key, None)
            last[key] = result
        return list(last.values())

    def append_use(self, times: UseTimes) -> None:
        """Add the phases of one use of the GPU, as `append` adds a result."""
        self._insert("phases", {"record": json.dumps(use_object(times), ensure_ascii=False, allow_nan=False)})

    def uses(self) -> list[UseTimes]:
        """All uses of a GPU in the order stored."""
        with self._lock:
            rows = self._rows("SELECT record FROM phases ORDER BY id")
        found = [_use(row["record"]) for row in rows]
        return [times for times in found if times is not None and find(times.point.variant_id) is not None]

    def close(self) -> None:
        """Close the file, after a last try to write what is in memory alone; `notice` says what is lost. Not to be used afterwards."""
        with self._reading, suppress(sqlite3.Error):  # first: the last to close takes the journal in
            if self._reader is not None:
                self._reader.close()
        self.write_waiting()
        with self._lock:
            if self._waiting:
                self.notice = message("The history {path} could not be written. Results that are lost: {count}.",
                                      path=str(self._path), count=len(self._waiting))  # fmt: skip
            with suppress(sqlite3.Error):
                self._connection.close()

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> list[dict[str, Any]]:
        """What can be read. A page of the file may turn out to be damaged only now: what comes after is left out, and `notice` says so."""
        rows: list[dict[str, Any]] = []
        try:
            cursor = self._connection.execute(query, values)
            names = [column[0] for column in cursor.description]
            rows.extend(dict(zip(names, row, strict=True)) for row in cursor)
        except sqlite3.Error as error:
            self.notice = self.notice or message("Earlier results could not be read: {error}", error=str(error))
        return rows

    def _continue_in_memory(self, error: sqlite3.Error) -> None:
        memory = copied(self._connection)
        with suppress(sqlite3.Error):
            self._connection.close()
        self._connection, self._waiting, self._tried = memory, [], self._clock()
        self.notice = _in_memory_for_now(message("The history can no longer be written ({error}).", error=str(error)))


def _inserting(table: str, record: Record) -> str:
    return f"INSERT INTO {table} ({', '.join(record)}) VALUES ({', '.join(':' + name for name in record)})"


def _result(record: dict[str, Any]) -> Result | None:
    try:
        return from_record(record)
    except UNFIT:  # of a later program, or damaged
        return None


def _use(record: str) -> UseTimes | None:
    try:
        return use_from_object(json.loads(record))
    except UNFIT:
        return None


def _not_written(path: Path, error: Exception) -> Message:
    return _in_memory_for_now(message("The history {path} cannot be written ({error}).", path=str(path), error=str(error)))


def _in_memory_for_now(said: Message) -> Message:
    return message("{said} New results are in memory, and are written as soon as that is possible.", said=said)
