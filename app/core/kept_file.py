"""What the program remembers, by key, in one small file: read and written in the background, never by the interface."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from app.core.errands import Errands
from app.core.observable import Field
from app.core.places import prepare
from app.core.source_files import write_whole
from kernels.messages import Message

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """How entries stand in their file. `read` leaves out what it does not understand; `join` adds what is new to what was kept."""

    name: str
    read: Callable[[Path], Mapping[str, T]]
    text: Callable[[Mapping[str, T]], str]
    join: Callable[[T, T], T]


class KeptFile(Generic[T]):
    """`entries` by key. The file is read when it is first needed; until it is read nothing is written over it."""

    def __init__(self, file: Path | None, errands: Errands, form: Form[T]) -> None:
        """Without a file nothing is kept."""
        self.entries: Field[Mapping[str, T]] = Field({})
        self.failure: Field[Message | None] = Field(None)
        """Why the file cannot be written."""
        self._file = file
        self._errands = errands
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
            self._errands.send(self._form.name, lambda: self._form.read(file), self._take)

    def read_now(self) -> None:
        """Read the file and wait for it."""
        if self._file is not None and not self._loaded:
            self._asked = True
            self._take(self._form.read(self._file))

    def put(self, key: str, entry: T) -> None:
        """Take over an entry, in place of the one with this key."""
        self.load()
        self.entries.value = {**self.entries.value, key: entry}

    def tick(self) -> None:
        """Have the file written if there is something new. Never waits."""
        entries = self.entries.value
        if self._loaded and not self._writing and entries != self._written:
            self._writing = True
            self._errands.send(self._form.name, lambda: self._write(entries), lambda failure: self._done(entries, failure))

    def finish(self) -> None:
        """Write what is not written yet, now."""
        if self._file is None or not self.entries.value:
            return
        self.read_now()
        if self.entries.value != self._written:
            self._write(self.entries.value)

    def _take(self, kept: Mapping[str, T]) -> None:
        """What was put meanwhile is newer than what was kept."""
        if self._loaded:
            return
        self._loaded, self._written = True, kept
        new = {key: self._form.join(kept[key], entry) if key in kept else entry for key, entry in self.entries.value.items()}
        self.entries.value = {**kept, **new}

    def _write(self, entries: Mapping[str, T]) -> Message | None:
        file = self._file
        if file is None:
            return None
        with self._lock:
            return prepare(file.parent) or write_whole(file, self._form.text(entries))

    def _done(self, entries: Mapping[str, T], failure: Message | None) -> None:
        self._writing, self._written, self.failure.value = False, entries, failure
