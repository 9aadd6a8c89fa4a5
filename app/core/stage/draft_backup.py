"""Edited texts survive the program's end, however it ends: they are kept in files, and offered at the next start."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import json_value
from app.core.base.files.fields import BadFile
from app.core.base.files.orphan_files import Found, Left, OwnFile, changed_at, orphans
from app.core.base.observable import Field
from app.core.base.value_labels import moment_text
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.draft_editor import DraftEditor
from kernels.base.messages import Message, message
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
        self.offer: Field[Message | None] = Field(None)
        """Which text that is, and how many are offered after it."""
        self.failure: Field[Message | None] = Field(None)
        """Why the text cannot be kept, or what became of one that was."""
        self.looked = folder is None
        """Whether it is known what is offered."""
        self._draft_editor = draft_editor
        self._folder = folder
        self._file = None if folder is None else OwnFile(folder)
        self._others: list[tuple[Draft, OwnFile]] = []
        """What other texts were opened over, each in a file of its own."""
        self._one_at_a_time = threading.Lock()
        self._background_tasks = background_tasks
        self._clock = clock
        self._written: Draft | None = None
        self._written_others: tuple[Draft, ...] = ()
        self._writing = False
        self._last = float("-inf")
        self._left: tuple[Left[Draft], ...] = ()
        """What `offered` is from, and what is offered after it."""
        draft_editor.draft.subscribe(self._settle)

    def start(self) -> None:
        """Look in the background for what was left."""
        if self._folder is not None:
            folder = self._folder
            self._background_tasks.send("drafts", lambda: orphans(folder, draft_from), self._found)

    def tick(self) -> None:
        """Have the draft written if it changed. Never waits."""
        draft, others = self._draft_editor.draft.value, self._draft_editor.kept
        due = self._clock() - self._last >= EVERY_S
        if self._folder is None or self._writing or not due or not self._outdated(draft, others):
            return
        self._writing, self._last = True, self._clock()
        self._background_tasks.send("draft", lambda: self._write(draft, others), lambda failure: self._done(draft, others, failure))

    def finish(self) -> None:
        """The program ends: write what is not written yet, now."""
        self._write_now()
        if self._file is not None:
            for file in (self._file, *(file for _, file in self._others)):
                file.close(keep=True)

    def accept(self) -> None:
        """Edit the offered text on."""
        draft = self.offered.value
        if draft is not None:
            self._draft_editor.take(draft)
            self._settle(draft)

    def dismiss(self) -> None:
        """Give the offered text up; the next one is offered."""
        for left in self._left[:1]:
            left.give_up()
        self._offer(self._left[1:])

    def _settle(self, draft: Draft | None) -> None:
        """A text that is offered, or waits, is edited on: it is kept as any other from now on."""
        taken = [left for left in self._left if left.content is draft]
        if taken:
            self.failure.value = self._write_now()
            if self.failure.value is not None:
                return  # the file that it is from stays
            for left in taken:
                left.give_up()
            self._offer(tuple(left for left in self._left if left not in taken))

    def _offer(self, left: tuple[Left[Draft], ...]) -> None:
        self._left, self._draft_editor.left = left, tuple(each.content for each in left)
        self.offered.value = left[0].content if left else None
        self.offer.value = _offer_text(left) if left else None

    def _outdated(self, draft: Draft | None, others: tuple[Draft, ...]) -> bool:
        return _differs(draft, self._written) or others != self._written_others

    def _write_now(self) -> Message | None:
        """Write what is not written yet; returns why that failed."""
        draft, others = self._draft_editor.draft.value, self._draft_editor.kept
        if self._file is None or not self._outdated(draft, others):
            return None
        failure = self._write(draft, others)
        if failure is None:
            self._written, self._written_others = draft, others
        return failure

    def _write(self, draft: Draft | None, others: tuple[Draft, ...]) -> Message | None:
        """Write what is new before what it was in is written over or goes."""
        assert self._file is not None
        with self._one_at_a_time:
            failure = self._write_others(others)
            if draft is None or not draft.changed:
                if failure is None:
                    self._file.remove()
            else:
                failure = self._file.write(text_of(draft)) or failure
            for _, file in (each for each in self._others if each[0] not in others):
                file.remove()
            self._others = [each for each in self._others if each[0] in others]
            return failure

    def _write_others(self, others: tuple[Draft, ...]) -> Message | None:
        assert self._folder is not None
        failure = None
        for draft in others:
            if not any(known == draft for known, _ in self._others):
                file = OwnFile(self._folder)
                failed = file.write(text_of(draft))
                if failed is None:
                    self._others.append((draft, file))
                failure = failed or failure
        return failure

    def _done(self, draft: Draft | None, others: tuple[Draft, ...], failure: Message | None) -> None:
        self._writing, self._written, self.failure.value = False, draft, failure
        self._written_others = tuple(each for each in others if any(known == each for known, _ in self._others))

    def _found(self, found: Found[Draft]) -> None:
        """Offer one after the other, the newest first; beside a text that was opened, its own: the others wait for later starts."""
        self.looked = True
        opened = self._draft_editor.draft.value
        offered = found.left if opened is None else tuple(left for left in found.left if _is_newer(left.content, opened))
        for left in found.left:
            if left not in offered:
                left.let_be()
        self._offer(offered)
        if found.notice is not None:
            self.failure.value = found.notice


def _is_newer(left: Draft, opened: Draft) -> bool:
    """Whether it is the text of a file that is opened as it was saved."""
    return opened.path is not None and left.path == opened.path and not opened.changed


def _offer_text(left: tuple[Left[Draft], ...]) -> Message:
    """Sentence on the first of them: of two texts of one file the moments tell which is which."""
    first, more = left[0], len(left) - 1
    when = moment_text(changed_at(first.file))
    said = message("{title} was not saved when the program ended; its text of {when} is kept.", title=first.content.title, when=when)
    return message("{said} {more} more will be offered after it.", said=said, more=more) if more else said


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
