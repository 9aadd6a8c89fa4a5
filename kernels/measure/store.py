"""The history: every result ever measured here, in an SQLite file to which rows are only ever added."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernels.measure.phases import PhaseTimes, phases_from_object, phases_object
from kernels.measure.records import Record, from_record, to_record
from kernels.measure.results import Result, Status
from kernels.measure.store_file import OtherVersionError, connect, copied, in_memory, prepared, set_aside
from kernels.messages import Message, message
from kernels.spec import Operation


class ResultStore:
    """Keeps results; safe to use from several threads, and from several programs at once on the same file.

    `notice` is None as long as all is well. Otherwise it says what happened to the file: it was set aside and a fresh one
    begun, or nothing can be written and results are kept in memory until the program ends.
    """

    def __init__(self, connection: sqlite3.Connection, notice: Message | None = None) -> None:
        """Use `open` instead."""
        self._connection = connection
        self._lock = threading.Lock()
        self.notice = notice

    @classmethod
    def open(cls, path: Path) -> ResultStore:
        """Open the history at `path`, creating it and its folder when missing. Never raises for what the file or its place is like."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return cls(connect(path))
        except OtherVersionError:
            return cls.in_memory(
                message("The history {path} was written by another version of Tilescope. New results are not kept.", path=str(path))
            )
        except sqlite3.OperationalError as error:
            return cls(copied(path), _not_kept(path, error))
        except sqlite3.DatabaseError:
            return cls._afresh(path)
        except OSError as error:
            return cls.in_memory(_not_kept(path, error))

    @classmethod
    def in_memory(cls, notice: Message | None = None) -> ResultStore:
        """A history that lasts as long as the program."""
        return cls(prepared(in_memory()), notice)

    @classmethod
    def _afresh(cls, path: Path) -> ResultStore:
        try:
            aside = set_aside(path)
            connection = connect(path)
        except (OSError, sqlite3.Error) as error:
            return cls.in_memory(_not_kept(path, error))
        return cls(
            connection, message("The history could not be read. It is kept as {aside}, and a new one has been started.", aside=str(aside))
        )

    def append(self, result: Result) -> None:
        """Add one result; once this returns it survives the end of the program at any moment. When the file can no longer be
        written, results go to memory instead and `notice` says so."""
        self._insert("results", to_record(result))

    def _insert(self, table: str, record: Record) -> None:
        statement = f"INSERT INTO {table} ({', '.join(record)}) VALUES ({', '.join(':' + name for name in record)})"
        with self._lock:
            try:
                self._connection.execute(statement, record)
            except sqlite3.Error as error:
                self._continue_in_memory(error)
                self._connection.execute(statement, record)

    def results(self, operation: Operation | None = None, processor: str | None = None) -> list[Result]:
        """All results in the order stored; only those of one operation, or measured on one processor, where given.

        Those that cannot be understood are left out, and `notice` says so.
        """
        where, values = ["1"], []
        if operation is not None:
            where.append("operation = ?")
            values.append(operation.value)
        if processor is not None:
            where.append("CASE WHEN json_valid(conditions) THEN json_extract(conditions, '$.processor') END = ?")
            values.append(processor)
        with self._lock:
            cursor = self._connection.execute(f"SELECT * FROM results WHERE {' AND '.join(where)} ORDER BY id", values)
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
        found = [_result(dict(zip(names, row, strict=True))) for row in rows]
        read = [each for each in found if each is not None]
        if len(read) < len(found) and self.notice is None:
            unread = len(found) - len(read)
            self.notice = message("Results in the history that cannot be understood: {count}. They are left as they are.", count=unread)
        return read

    def latest(self, operation: Operation | None = None, processor: str | None = None) -> list[Result]:
        """The last result of each point, in the order stored. A point that once ran is not replaced by one that was skipped."""
        last: dict[object, Result] = {}
        for result in self.results(operation, processor):
            point = result.point
            key = (point.variant_id, point.problem, tuple(sorted(point.parameters.items())))
            if result.status is Status.SKIPPED and key in last:
                continue
            last.pop(key, None)
            last[key] = result
        return list(last.values())

    def append_phases(self, times: PhaseTimes) -> None:
        """Add the phases of one use of the GPU, as `append` adds a result."""
        self._insert("phases", {"record": json.dumps(phases_object(times), ensure_ascii=False, allow_nan=False)})

    def phases(self) -> list[PhaseTimes]:
        """All uses of a GPU in the order stored."""
        with self._lock:
            rows = self._connection.execute("SELECT record FROM phases ORDER BY id").fetchall()
        return [times for (record,) in rows if (times := _phases(record)) is not None]

    def close(self) -> None:
        """Close the file. The store is not to be used afterwards."""
        with self._lock:
            self._connection.close()

    def _continue_in_memory(self, error: sqlite3.Error) -> None:
        memory = in_memory()
        with suppress(sqlite3.Error):
            self._connection.backup(memory)
        with suppress(sqlite3.Error):
            self._connection.close()
        self._connection = prepared(memory)
        self.notice = message("The history can no longer be written ({error}). New results last until the program ends.", error=str(error))


def _result(record: dict[str, Any]) -> Result | None:
    try:
        return from_record(record)
    except (ValueError, KeyError, TypeError, AttributeError):  # of a later program, or damaged
        return None


def _phases(record: str) -> PhaseTimes | None:
    try:
        return phases_from_object(json.loads(record))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _not_kept(path: Path, error: Exception) -> Message:
    return message(
        "The history {path} cannot be written ({error}). New results last until the program ends.", path=str(path), error=str(error)
    )
