"""The SQLite file of the history: its tables, opening it safely, setting one aside, looking into one that may only be read."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kernels.base.plain_file import NotPlainError, open_plain

SCHEMA_VERSION: Final = 1
BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another program that is writing."""

_MAGIC: Final = b"SQLite format 3\0"
_HEAD: Final = len(_MAGIC) + 4
"""Bytes: what every database begins with, the size of its pages, and the versions that may write and read it, which are 1 or 2."""
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


_COLUMNS: Final = {
    "results": {
        "id", "created", "variant", "operation", "m", "n", "k", "parameters", "status", "times_ms", "relative_error", "allowed_error",
        "reason", "conditions",
    },
    "phases": {"id", "record"},
}  # fmt: skip
_RULES: Final = {"results_keep_values", "results_keep_rows", "results_not_replaced", "phases_keep_values", "phases_keep_rows"}
_OF_THE_PLACE: Final = frozenset({
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_AUTH,
})  # fmt: skip
"""Errors of SQLite that say nothing against what the file holds."""


class OtherVersionError(Exception):
    """The file is a history, but of a later version."""


def of_the_place(error: sqlite3.Error) -> bool:
    """Whether an error comes from where the file lies, and not from what it holds."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.OperationalError) if code is None else (code & 0xFF) in _OF_THE_PLACE


def connect(path: Path, patience_s: float = BUSY_SECONDS) -> sqlite3.Connection:
    """The history at `path`, made if there is none. Raises sqlite3.Error for what is none, `OtherVersionError` for one of another.

    A file that is no history is left as it was, to the byte, and so is its journal. Another program that writes is waited for.
    """
    examined = path.exists() and _examine(path, patience_s)
    connection = _opened(str(path), patience_s)
    try:
        if not examined:
            _require_whole(connection)
        return _prepared(connection)
    except BaseException:
        connection.close()
        raise


def _examine(path: Path, patience_s: float) -> bool:
    """Look at a file before it is opened for writing, which alone may change it. False where the place does not allow that."""
    if not _looks_like_database(path):
        raise sqlite3.DatabaseError("file is not a database")
    try:
        with closing(_opened(f"{path.absolute().as_uri()}?mode=ro", patience_s, uri=True)) as file:
            file.execute("BEGIN")  # what is looked at is one state: another program may be making the tables
            _require_whole(file)
            _is_new(file)
    except sqlite3.Error as error:
        if not of_the_place(error):
            raise
        return False
    return True


def reader_of(path: Path) -> sqlite3.Connection | None:
    """The history at `path`, to be read only and without waiting; None where that cannot be."""
    try:
        return _opened(f"{path.absolute().as_uri()}?mode=ro", 0.05, uri=True)
    except sqlite3.Error:
        return None


def _looks_like_database(path: Path) -> bool:
    try:
        with open_plain(path) as file:
            head = file.read(_HEAD)
    except NotPlainError:
        return path.is_dir()  # which SQLite refuses without waiting, and which is not to be moved
    return not head or (head.startswith(_MAGIC) and set(head[len(_MAGIC) + 2 :]) <= {1, 2})


def _opened(name: str, patience_s: float = BUSY_SECONDS, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(name, timeout=patience_s, isolation_level=None, check_same_thread=False, uri=uri)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # one damaged text would hide all rows
    return connection


def _require_whole(connection: sqlite3.Connection) -> None:
    try:
        problems = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except UnicodeDecodeError as unfit:  # SQLite tells what is damaged in the words that it found there
        raise sqlite3.DatabaseError(str(unfit)) from unfit
    if problems != "ok":
        raise sqlite3.DatabaseError(problems)


def _is_new(connection: sqlite3.Connection) -> bool:
    """Whether the tables are still to be made. Raises sqlite3.DatabaseError for a database of another program."""
    version, mark = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not (tables or version or mark) and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return True
    if version > SCHEMA_VERSION and "results" in tables:
        raise OtherVersionError
    for table in tables & _COLUMNS.keys() | {"results"}:
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        rules = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", (table,))}
        if version != SCHEMA_VERSION or not columns >= _COLUMNS[table] or not rules <= _RULES:
            raise sqlite3.DatabaseError("the database is of another program")
    return False


def in_memory() -> sqlite3.Connection:
    """An empty history."""
    return _prepared(_opened(":memory:"))


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection with all its tables created."""
    # The lock keeps two programs from both creating the tables, and shows a place that cannot be written now, not at the first result.
    connection.execute("BEGIN IMMEDIATE")
    for statement in (*(_SCHEMA if _is_new(connection) else ()), *_LATER):
        connection.execute(statement)
    connection.execute("COMMIT")
    # Readers and a writer then do not wait for each other; where a network folder does not allow it, the plain journal is as safe.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def set_aside(path: Path) -> Path:
    """Rename the file and the journals that belong to it; returns the new name, which was free."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    candidates = (
        path.with_name(f"{path.stem}.unreadable-{stamp}{suffix}{path.suffix}") for suffix in ("", *(f"-{i}" for i in range(1, 100)))
    )
    aside = next((name for name in candidates if not name.exists()), None)
    if aside is None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    path.rename(aside)
    for ending in ("-wal", "-shm", "-journal"):
        journal = path.with_name(path.name + ending)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + ending))
    return aside


def copied_from(path: Path) -> sqlite3.Connection:
    """A history in memory with all that can be read of the file at `path`, which is left as it is."""
    for way in ("mode=ro", "immutable=1"):  # the second reads also where no journal can be made beside it
        with suppress(sqlite3.Error), closing(_opened(f"{path.absolute().as_uri()}?{way}", uri=True)) as file:
            file.execute("SELECT count(*) FROM sqlite_schema")
            return copied(file)
    return in_memory()


def copied(history: sqlite3.Connection) -> sqlite3.Connection:
    """A history in memory with all rows that can be read of another. Only rows are taken over, whatever else is in the file."""
    memory = in_memory()
    for table, columns in _COLUMNS.items():
        names = ", ".join(sorted(columns))
        into = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
        with suppress(sqlite3.Error):
            memory.executemany(into, history.execute(f"SELECT {names} FROM {table}"))
    return memory
