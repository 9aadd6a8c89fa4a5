"""Edited texts survive the program's end, however it ends: they are kept in files, and offered at the next start."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import json_value
from app.core.base.files.fields import BadFile
from app.core.base.files.orphan_files import Found, Left, OwnFile, orphans
from app.core.base.observable import Field
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.draft_editor import DraftEditor
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue

EVERY_S = 1.0
"""At most so often a draft is written."""
FORMAT = 1


class DraftBackup:
    """Writes the draft of one draft editor in the background. Each running program has a file of its own."""

    def __init__(
        self, draft_editor: DraftEditor, folder: Path | None, background_tasks: BackgroundTasks, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Without a folder nothing is kept."""
        self.offered: Field[Draft | None] = Field(None)
        """A changed text of a program that ended without closing it."""
        self.failure: Field[Message | None] = Field(None)
        """Why the text cannot be kept, or what became of one that was."""
        self._draft_editor = draft_editor
        self._folder = folder
        self._file = None if folder is None else OwnFile(folder)
        self._background_tasks = background_tasks
        self._clock = clock
        self._written: Draft | None = None
        self._writing = False
        self._last = float("-inf")
        self._left: Left[Draft] | None = None
        """What `offered` is from."""

    def start(self) -> None:
        """Look in the background for what was left."""
        if self._folder is not None:
            folder = self._folder
            self._background_tasks.send("drafts", lambda: orphans(folder, draft_from), self._found)

    def tick(self) -> None:
        """Have the draft written if it changed. Never waits."""
        draft = self._draft_editor.draft.value
        due = self._clock() - self._last >= EVERY_S
        if self._folder is None or self._writing or not due or not _differs(draft, self._written):
            return
        self._writing, self._last = True, self._clock()
        self._background_tasks.send("draft", lambda: self._write(draft), lambda failure: self._done(draft, failure))

    def finish(self) -> None:
        """The program ends: write what is not written yet, now."""
        self._write_now()
        if self._file is not None:
            self._file.close(keep=True)

    def accept(self) -> None:
        """Edit the offered text on."""
        draft = self.offered.value
        if draft is not None:
            self._draft_editor.take(draft)
            self._write_now()  # before the file that it is from is gone
            self.dismiss()

    def dismiss(self) -> None:
        """Give the offered text up."""
        self.offered.value = None
        if self._left is not None:
            self._left.give_up()
            self._left = None

    def _write_now(self) -> None:
        draft = self._draft_editor.draft.value
        if self._file is not None and _differs(draft, self._written):
            self._write(draft)
            self._written = draft

    def _write(self, draft: Draft | None) -> Message | None:
        assert self._file is not None
        if draft is None or not draft.changed:
            self._file.remove()
            return None
        return self._file.write(text_of(draft))

    def _done(self, draft: Draft | None, failure: Message | None) -> None:
        self._writing, self._written, self.failure.value = False, draft, failure

    def _found(self, found: Found[Draft]) -> None:
        """Offer the newest; the others wait for later starts."""
        wanted = self._draft_editor.draft.value is None
        for left in found.left[1:] if wanted else found.left:
            left.let_be()
        if wanted and found.left:
            self._left, self.offered.value = found.left[0], found.left[0].content
        if found.notice is not None:
            self.failure.value = found.notice


def text_of(draft: Draft) -> str:
    """The draft as JSON, without what its text tells again."""
    settings = draft.settings
    problem = draft.problem
    return json.dumps(
        {
            "format": FORMAT, "name": draft.name, "text": draft.text, "original": draft.original,
            "path": None if draft.path is None else str(draft.path), "variant": draft.variant_id, "parameters": dict(draft.parameters),
            "problem": None if problem is None else [problem.operation.value, problem.m, problem.n, problem.k],
            "settings": {
                "entry": settings.entry, "template": settings.template, "grid": settings.grid, "block": settings.block,
                "shared_bytes": settings.shared_bytes, "arguments": dict(settings.arguments), "defines": dict(settings.defines),
                "guessed": sorted(settings.guessed),
            },
        },
        ensure_ascii=False,
    )  # fmt: skip


def draft_from(text: str) -> Draft | None:
    """The draft that `text_of` wrote; None for anything else, and where its variant is not there any more."""
    try:
        saved: dict[str, Any] = json_value(text)
        if saved["format"] != FORMAT or (saved["variant"] and catalogue.find(saved["variant"]) is None):
            return None
        problem = None if saved["problem"] is None else Problem(Operation(saved["problem"][0]), *map(_whole, saved["problem"][1:]))
        return Draft(
            _text(saved["name"]), _text(saved["text"]), _text(saved["original"]), _settings(saved["settings"]),
            None if saved["path"] is None else Path(_text(saved["path"])), _text(saved["variant"]), problem, _wholes(saved["parameters"]),
        )  # fmt: skip
    except (BadFile, ValueError, TypeError, KeyError, AttributeError, IndexError):
        return None


def _settings(launch: dict[str, Any]) -> LaunchSettings:
    return LaunchSettings(
        None if launch["entry"] is None else _text(launch["entry"]), _text(launch["template"]),
        _three(launch["grid"]), _three(launch["block"]), _whole(launch["shared_bytes"]),
        {name: _text(value) for name, value in launch["arguments"].items()}, _wholes(launch["defines"]),
        frozenset(_text(each) for each in launch.get("guessed", ())),
    )  # fmt: skip


def _three(sizes: list[Any]) -> tuple[int, int, int]:
    x, y, z = map(_whole, sizes)
    return x, y, z


def _wholes(values: dict[str, Any]) -> dict[str, int]:
    return {name: _whole(value) for name, value in values.items()}


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _differs(draft: Draft | None, written: Draft | None) -> bool:
    """Whether the file would be another one."""
    if draft is None or written is None:
        return draft is not written
    return (draft.text, draft.original, draft.settings, draft.path) != (written.text, written.original, written.settings, written.path)
