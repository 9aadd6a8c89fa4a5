"""What the window remembers between two starts, in an INI file."""

from __future__ import annotations

import contextlib
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from app.core.session import DEFAULT_PROFILE, LARGEST_LAUNCH_SIDE, STAGE_SIZES, Session, profile_named
from kernels import catalog
from kernels.spec import Problem


class Settings:
    """Reads tolerate any content: what cannot be understood counts as not saved. Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._store = QSettings(str(path), QSettings.Format.IniFormat) if path else None

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
        variant = catalog.find(self.text("stage/variant") or "")
        if variant is None:
            return False
        session.choose_variant(variant)
        for word in (self.text("stage/parameters") or "").split():
            name, _, value = word.partition("=")
            if name in variant.defaults and value.isdecimal():
                session.set_stage_parameter(name, int(value))
        sizes = [int(word) for word in (self.text("stage/size") or "").split() if word.isdecimal()]
        largest = STAGE_SIZES[-1] if variant.launch is None else LARGEST_LAUNCH_SIDE
        if len(sizes) == 3 and max(sizes) <= largest:  # of any larger one there may be no trace to open with
            session.set_stage_problem(Problem(variant.operation, *sizes))
        return True
