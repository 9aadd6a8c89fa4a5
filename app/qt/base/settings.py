"""Settings of the window between two starts, in an INI file."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from app.core.base.files.documents import json_table, json_value
from app.core.base.files.fields import BadFile
from app.core.base.files.locations import LONGEST_PATH
from app.core.base.files.text_files import is_file, is_text, is_there, set_aside
from app.core.base.parsing import LARGEST_SIZE, whole_number
from app.core.session.draft import LaunchSettings
from app.core.session.draft_editor import MOST_FILES, DraftEditor
from app.core.session.session import DEFAULT_PROFILE, LARGEST_LAUNCH_SIDE, STAGE_SIZES, Session, first_ticked, profile_named
from app.core.state.read import settings_from_launch
from app.core.state.written import launch_fields
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue

_NONE = "none"
"""In place of the ids of rungs: nothing is ticked."""


class Settings:
    """Reads tolerate any content: what cannot be understood counts as not saved. Without a path nothing is kept.

    A file that is not all settings is set aside before anything is written, and `notice` says so.
    """

    def __init__(self, path: Path | None) -> None:
        self.notice: Message | None = None
        self._store = self._opened(path) if path else None

    def _opened(self, path: Path) -> QSettings | None:
        if is_there(path) and not is_file(path):  # Qt would wait for a pipe to say something
            self.notice = set_aside(path)
            if is_there(path):
                return None
        store = QSettings(str(path), QSettings.Format.IniFormat)
        store.allKeys()  # reads the file
        if store.status() is not QSettings.Status.FormatError:
            return store
        self.notice = set_aside(path)
        return None if path.exists() else QSettings(str(path), QSettings.Format.IniFormat)

    def text(self, key: str) -> str | None:
        """The saved text, or None."""
        value = self._store.value(key) if self._store else None
        return value if isinstance(value, str) and value else None

    def save_text(self, key: str, value: str | None) -> None:
        """Keep a text; None forgets it."""
        if self._store is None:
            return
        if value is None:
            self._store.remove(key)
        else:
            self._store.setValue(key, value)

    def save(self) -> None:
        """Have all that is kept in the file now, not only a moment later."""
        if self._store is not None:
            self._store.sync()

    def geometry(self) -> QByteArray | None:
        """The window's saved place and size, or None."""
        value = self._store.value("window/geometry") if self._store else None
        return value if isinstance(value, QByteArray) else None

    def save_geometry(self, geometry: QByteArray) -> None:
        if self._store:
            self._store.setValue("window/geometry", geometry)

    def save_stage(self, session: Session) -> None:
        """Remember what the stage shows."""
        stage = session.stage.value
        problem = stage.problem
        self.save_text("stage/variant", stage.variant.id)
        self.save_text("stage/size", f"{problem.m} {problem.n} {problem.k}")
        self.save_text("stage/parameters", " ".join(f"{name}={value}" for name, value in stage.parameters.items()))
        self.save_text("stage/profile", session.profile.value.id)

    def restore_stage(self, session: Session) -> bool:
        """Put back what the stage showed; False where nothing was saved. Values that cannot be are left out."""
        with contextlib.suppress(KeyError):
            session.profile.value = profile_named(self.text("stage/profile") or DEFAULT_PROFILE)
        variant = catalogue.find(self.text("stage/variant") or "")
        if variant is None:
            return False
        session.choose_variant(variant)
        for word in (self.text("stage/parameters") or "").split():
            name, _, value = word.partition("=")
            number = whole_number(name, value, 0, LARGEST_SIZE)
            if name in variant.defaults and isinstance(number, int):
                session.set_stage_parameter(name, number)
        largest = STAGE_SIZES[-1] if variant.launch is None else LARGEST_LAUNCH_SIDE  # of any larger one there may be no trace to open with
        sizes = [size for word in (self.text("stage/size") or "").split() if isinstance(size := whole_number("", word, 0, largest), int)]
        if len(sizes) == 3:
            session.set_stage_problem(Problem(variant.operation, *sizes))
        return True

    def save_ticks(self, session: Session) -> None:
        """Remember which rungs of each operation are ticked to be timed."""
        timing = session.timing.value
        for operation in Operation:
            ticked = timing.ticked if operation is timing.operation else session.last_ticked(operation)
            usual = ticked == first_ticked(operation)
            self.save_text(f"timing/ticked-{operation}", None if usual else " ".join(sorted(ticked)) or _NONE)

    def restore_ticks(self, session: Session) -> None:
        """Put back which rungs are ticked; those that are not there any more are left out."""
        for operation in Operation:
            saved = (self.text(f"timing/ticked-{operation}") or "").split()
            ticked = frozenset(variant.id for variant in catalogue.of(operation) if variant.id in saved)
            if ticked or saved == [_NONE]:
                session.tick_at_first(operation, ticked)

    def keep_files(self, editor: DraftEditor) -> None:
        """Put back which files were opened last, how each was launched, and in which folder, and remember them from now on. Whether they
        are there still is seen when one is asked for: a folder on a network may take long to answer."""
        editor.recent_files.value = _paths(self.text("files/recent") or "[]")
        editor.launches.value = _launches(self.text("files/launches") or "{}")
        editor.launches.subscribe(lambda launches: self.save_text("files/launches", _launches_text(launches)))
        editor.recent_files.subscribe(lambda files: self.save_text("files/recent", json.dumps(_names(files))))
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        editor.folder.value = self.text("files/folder") or documents
        editor.folder.subscribe(lambda folder: self.save_text("files/folder", folder if is_text(folder) else None))


def _names(files: tuple[Path, ...]) -> list[str]:
    """Their names, without those that are no text: of half a character nothing in the list could be read again."""
    return [str(file) for file in files if is_text(str(file))]


def _paths(text: str) -> tuple[Path, ...]:
    """The absolute paths of a list; what in it is anything else is left out."""
    try:
        listed = json_value(text)
    except BadFile:
        return ()
    names = (each for each in listed if isinstance(each, str) and len(each) <= LONGEST_PATH) if isinstance(listed, list) else ()
    return tuple(path for name in names if (path := Path(name)).is_absolute())[:MOST_FILES]


def _launches_text(launches: Mapping[Path, LaunchSettings]) -> str:
    return json.dumps({str(file): launch_fields(each, own=True) for file, each in launches.items() if is_text(str(file))})


def _launches(text: str) -> Mapping[Path, LaunchSettings]:
    """How files are launched; what cannot be understood is left out."""
    launches = {}
    with contextlib.suppress(BadFile):
        listed = json_table(text)
        for name in listed.names:
            with contextlib.suppress(BadFile):
                launches[Path(name)] = settings_from_launch(listed.table(name), own=True)
    return launches
