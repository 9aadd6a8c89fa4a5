"""The history: every result ever measured here, in an SQLite file to which rows are only ever added."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kernels.measure.phases import PhaseTimes, phases_from_object, phases_object
from kernels.measure.records import Record, from_record, to_record
from kernels.measure.results import Result, Status
from kernels.messages import Message, message
from kernels.spec import Operation

SCHEMA_VERSION: Final = 1
BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another program that is writing."""

_MAGIC: Final = b"SQLite format 3\0"
_SCHEMA: Final = (
    """CREATE TABLE results (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created TEXT NOT NULL,
        variant TEXT NOT NULL,
        operation TEXT NOT NULL,
        m INTEGER NOT NULL,
        n INTEGER NOT NULL,
        k INTEGER NOT NULL,
        parameters TEXT NOT NULL,
        status TEXT NOT NULL,
        times_ms TEXT NOT NULL,
        relative_error REAL,
        allowed_error REAL,
        reason TEXT,
        conditions TEXT NOT NULL
    )""",
    "CREATE INDEX results_by_operation ON results (operation)",
    """CREATE TRIGGER results_keep_values BEFORE UPDATE ON results
        BEGIN SELECT RAISE(ABORT, 'results are never changed'); END""",
    """CREATE TRIGGER results_keep_rows BEFORE DELETE ON results
        BEGIN SELECT RAISE(ABORT, 'results are never deleted'); END""",
    """CREATE TRIGGER results_not_replaced BEFORE INSERT ON results
        WHEN EXISTS (SELECT 1 FROM results WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'results are never replaced'); END""",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_LATER: Final = (
    "CREATE TABLE IF NOT EXISTS phases (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL)",
    """CREATE TRIGGER IF NOT EXISTS phases_keep_values BEFORE UPDATE ON phases
        BEGIN SELECT RAISE(ABORT, 'results are never changed'); END""",
    """CREATE TRIGGER IF NOT EXISTS phases_keep_rows BEFORE DELETE ON phases
        BEGIN SELECT RAISE(ABORT, 'results are never deleted'); END""",
)
"""What a file of the same version may lack that was begun before; earlier programs leave it alone."""


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
            return cls(_connect(path))
        except _OtherVersionError:
            return cls.in_memory(
                message("The history {path} was written by another version of Tilescope. New results are not kept.", path=str(path))
            )
        except sqlite3.OperationalError as error:
            return cls.in_memory(_not_kept(path, error))
        except sqlite3.DatabaseError:
            return cls._afresh(path)
        except OSError as error:
            return cls.in_memory(_not_kept(path, error))

    @classmethod
    def in_memory(cls, notice: Message | None = None) -> ResultStore:
        """A history that lasts as long as the program."""
        return cls(_prepared(_memory()), notice)

    @classmethod
    def _afresh(cls, path: Path) -> ResultStore:
        try:
            aside = _set_aside(path)
            connection = _connect(path)
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
        """All results in the order stored; only those of one operation, or measured on one processor, where given."""
        where, values = ["1"], []
        if operation is not None:
            where.append("operation = ?")
            values.append(operation.value)
        if processor is not None:
            where.append("json_extract(conditions, '$.processor') = ?")
            values.append(processor)
        with self._lock:
            cursor = self._connection.execute(f"SELECT * FROM results WHERE {' AND '.join(where)} ORDER BY id", values)
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
        return [from_record(dict(zip(names, row, strict=True))) for row in rows]

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
        return [phases_from_object(json.loads(record)) for (record,) in rows]

    def close(self) -> None:
        """Close the file. The store is not to be used afterwards."""
        with self._lock:
            self._connection.close()

    def _continue_in_memory(self, error: sqlite3.Error) -> None:
        memory = _memory()
        with suppress(sqlite3.Error):
            self._connection.backup(memory)
        with suppress(sqlite3.Error):
            self._connection.close()
        self._connection = _prepared(memory)
        self.notice = message("The history can no longer be written ({error}). New results last until the program ends.", error=str(error))


class _OtherVersionError(Exception):
    """The file is a database, but not one with our schema."""


def _connect(path: Path) -> sqlite3.Connection:
    # Looked at first, because SQLite throws away the journal of a file that it does not understand.
    if path.exists() and not _looks_like_database(path):
        raise sqlite3.DatabaseError("file is not a database")
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        problems = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problems != "ok":
            raise sqlite3.DatabaseError(problems)
        return _prepared(connection)
    except BaseException:
        connection.close()
        raise


def _looks_like_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) in (b"", _MAGIC)


def _memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    # The lock keeps two programs from both creating the tables, and shows a place that cannot be written now, not at the first result.
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if not empty and version != SCHEMA_VERSION:
        raise _OtherVersionError
    for statement in (*(_SCHEMA if empty else ()), *_LATER):
        connection.execute(statement)
    connection.execute("COMMIT")
    # Readers and a writer then do not wait for each other; where a network folder does not allow it, the plain journal is as safe.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _set_aside(path: Path) -> Path:
    """Rename the file and the journals that belong to it; returns the new name, which was free."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    candidates = (
        path.with_name(f"{path.stem}.unreadable-{stamp}{suffix}{path.suffix}") for suffix in ("", *(f"-{i}" for i in range(1, 100)))
    )
    aside = next(name for name in candidates if not name.exists())
    path.rename(aside)
    for ending in ("-wal", "-shm", "-journal"):
        journal = path.with_name(path.name + ending)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + ending))
    return aside


def _not_kept(path: Path, error: Exception) -> Message:
    return message(
        "The history {path} cannot be written ({error}). New results last until the program ends.", path=str(path), error=str(error)
    )
