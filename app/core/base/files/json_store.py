"""Values that the program keeps by key in one small JSON file, read and written in the background, never by the interface.

A kept file names its format. One that does not may be somebody's work: it is set aside, never written over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from app.core.base.background import BackgroundTasks
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.documents import kept_object
from app.core.base.files.locations import prepare
from app.core.base.files.text_files import LARGEST_FILE, set_aside
from app.core.base.observable import Field
from kernels.base.file_lock import held
from kernels.base.messages import Message
from kernels.base.values import dataclass


def aside_unless(file: Path, file_format: str, largest: int = LARGEST_FILE) -> Message | None:
    """Set a file aside that is not of this format; returns what is to be said of it, None where all is well or there is no file."""
    if not file.exists():
        return None
    return None if kept_object(file, largest).get("format") == file_format else set_aside(file)


T = TypeVar("T")
LOCK_WAIT_S = 2.0
"""How long another program that writes the same file is waited for."""


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """Form of the entries in their file. `read` leaves out what it does not understand; `join` adds what is new to what was kept."""

    name: str
    format: str
    """What the field "format" says."""
    read: Callable[[Path], Mapping[str, T]]
    text: Callable[[Mapping[str, T]], str]
    join: Callable[[T, T], T]
    largest: int = LARGEST_FILE


class JsonStore(Generic[T]):
    """Store of entries in a JSON file: `entries` by key. The file is read when it is first needed; until it is read nothing is written over
    it.

    Several programs may keep the same file: before it is written, what another one has written meanwhile is taken over.
    """

    def __init__(self, file: Path | None, background_tasks: BackgroundTasks, form: Form[T]) -> None:
        """Without a file nothing is kept."""
        self.entries: Field[Mapping[str, T]] = Field({})
        self.failure: Field[Message | None] = Field(None)
        """Why the file cannot be written, or what became of one that could not be understood."""
        self._file = file
        self._background_tasks = background_tasks
        self._form = form
        self._asked = self._loaded = self._writing = False
        self._written: Mapping[str, T] = {}
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Keep nothing from now on."""
        self._file = None

    def load(self) -> None:
        """Read the file in the background, unless that was asked for before."""
        if self._file is not None and not self._asked:
            file, self._asked = self._file, True
            self._background_tasks.send(self._form.name, lambda: self._read(file), self._take)

    def read_now(self) -> None:
        """Read the file and wait for it."""
        if self._file is not None and not self._loaded:
            self._asked = True
            self._take(self._read(self._file))

    def put(self, key: str, entry: T) -> None:
        """Take over an entry, in place of the one with this key."""
        self.load()
        self.entries.value = {**self.entries.value, key: entry}

    def tick(self) -> None:
        """Have the file written if there is something new. Never waits."""
        entries = self.entries.value
        if self._loaded and not self._writing and entries != self._written:
            self._writing, base = True, self._written
            self._background_tasks.send(self._form.name, lambda: self._write(entries, base), lambda outcome: self._done(entries, outcome))

    def finish(self) -> None:
        """Write what is not written yet, now."""
        if self._file is None or not self.entries.value:
            return
        self.read_now()
        if self.entries.value != self._written:
            self._write(self.entries.value, self._written)

    def _read(self, file: Path) -> tuple[Mapping[str, T], Message | None]:
        notice = aside_unless(file, self._form.format, self._form.largest)
        return self._form.read(file), notice

    def _take(self, read: tuple[Mapping[str, T], Message | None]) -> None:
        """What was put meanwhile is newer than what was kept."""
        if self._loaded:
            return
        kept, notice = read
        self._loaded, self._written = True, kept
        self.entries.value = self._joined(self.entries.value, {}, kept)
        if notice is not None:
            self.failure.value = notice

    def _write(self, entries: Mapping[str, T], base: Mapping[str, T]) -> Mapping[str, T] | Message:
        """Return what the file holds after writing, or why it cannot be written.

        `base` is what it held when it was last read or written.
        """
        file = self._file
        if file is None:
            return entries
        reason = prepare(file.parent)
        if reason is not None:
            return reason
        with self._lock, held(file.with_suffix(".lock"), LOCK_WAIT_S):
            found, notice = self._read(file)
            if notice is not None and file.exists():  # it could not even be set aside
                return notice
            together = self._joined(entries, base, found)
            return write_whole(file, self._form.text(together)) or together

    def _done(self, entries: Mapping[str, T], outcome: Mapping[str, T] | Message) -> None:
        self._writing = False
        if isinstance(outcome, Message):
            self._written, self.failure.value = entries, outcome
        else:
            self._written, self.failure.value = outcome, None
            self.entries.value = self._joined(self.entries.value, entries, outcome)

    def _joined(self, mine: Mapping[str, T], base: Mapping[str, T], there: Mapping[str, T]) -> dict[str, T]:
        """Join two sets of entries: of every key the one that was changed since `base`, or one made of both where both were."""
        joined = {**there, **mine}
        for key in mine.keys() & there.keys():
            before = base.get(key)
            if mine[key] == before:
                joined[key] = there[key]
            elif there[key] != before:
                joined[key] = self._form.join(there[key], mine[key])
        return joined
