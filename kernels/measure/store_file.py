"""The SQLite file of the history: its tables, opening it safely, setting one aside, looking into one that may only be read."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kernels.plain_file import NotPlainError, open_plain

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


class OtherVersionError(Exception):
    """The file is a database, but not one with our schema."""


def connect(path: Path) -> sqlite3.Connection:
    """The history at `path`, made if there is none. Raises sqlite3.Error for what is none, `OtherVersionError` for one of another."""
    # Looked at first, because SQLite throws away the journal of a file that it does not understand.
    if path.exists() and not _looks_like_database(path):
        raise sqlite3.DatabaseError("file is not a database")
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        problems = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problems != "ok":
            raise sqlite3.DatabaseError(problems)
        return prepared(connection)
    except BaseException:
        connection.close()
        raise


def _looks_like_database(path: Path) -> bool:
    try:
        with open_plain(path) as file:
            return file.read(len(_MAGIC)) in (b"", _MAGIC)
    except NotPlainError:
        return path.is_dir()  # which SQLite refuses without waiting, and which is not to be moved


def in_memory() -> sqlite3.Connection:
    """An empty database."""
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """With all its tables."""
    # The lock keeps two programs from both creating the tables, and shows a place that cannot be written now, not at the first result.
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if not empty and version != SCHEMA_VERSION:
        raise OtherVersionError
    for statement in (*(_SCHEMA if empty else ()), *_LATER):
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
    aside = next(name for name in candidates if not name.exists())
    path.rename(aside)
    for ending in ("-wal", "-shm", "-journal"):
        journal = path.with_name(path.name + ending)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + ending))
    return aside


def copied(path: Path) -> sqlite3.Connection:
    """A history in memory with all that can be read of the file at `path`, which is left as it is."""
    for way in ("mode=ro", "immutable=1"):  # the second reads also where no journal can be made beside it
        memory = in_memory()
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as file:
                file.backup(memory)
            return prepared(memory)
        except (sqlite3.Error, OtherVersionError):
            memory.close()
    return prepared(in_memory())
