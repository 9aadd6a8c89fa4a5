"""Closed state: what was shown when the program was closed, as the next start shows it again.

A file that was open is read anew. An edited text is none of it: it is kept by itself, and offered.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import json_table
from app.core.base.files.fields import BadFile
from app.core.base.files.text_files import is_text, read_source
from app.core.session.session import Session, Workspace
from app.core.stage.draft_backup import DraftBackup
from app.core.state.read import LONGEST_PATH, snapshot_from
from app.core.state.snapshot import Snapshot
from app.core.state.states import States
from app.core.state.written import fields_of
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.catalogue.case import Case

FORMAT = "tilescope closed 1"


@dataclass(frozen=True, slots=True)
class Closed:
    """State that was shown, without a text. `file`: what the stage showed in place of the rung."""

    shown: Snapshot
    file: Path | None = None


def text_of(shown: Snapshot) -> str:
    """Return what is kept of a state: not a real run, which would run again, nor which half was in front: the stage is there first."""
    draft, beside = shown.draft if shown.edited else None, shown.beside
    file = draft.path if draft is not None and not draft.changed and not draft.lent else None
    place = shown.place if draft is None or file is not None else replace(shown.place, time=0.0)
    pinned = beside if beside is not None and beside.draft is None and draft is None else None
    kept = replace(shown, draft=None, edited=False, place=place, workspace=Workspace.STAGE, run=0, beside=pinned)
    fields = {"format": FORMAT, "state": fields_of(kept)}
    return json.dumps(fields | ({"file": str(file)} if file is not None and is_text(str(file)) else {}), ensure_ascii=False)


def closed_from(text: str) -> Closed:
    """What `text_of` wrote. Raises `BadFile`."""
    table = json_table(text)
    if table.text("format", "") != FORMAT:
        raise BadFile(message("This is no state of Tilescope, or one of a later version."))
    file = Path(table.text("file", longest=LONGEST_PATH)) if "file" in table else None
    return Closed(snapshot_from(table.table("state")), file)


class ClosedState:
    """Shows again what was closed. A file is read beside the interface, and opened unless an edited text is offered or there is another."""

    def __init__(
        self, states: States, session: Session, drafts: DraftBackup, background_tasks: BackgroundTasks, tell: Callable[[Message], object]
    ) -> None:
        """`tell` is called with why something cannot be shown again."""
        self._states, self._session, self._editor, self._drafts = states, session, session.draft_editor, drafts
        self._background_tasks, self._tell = background_tasks, tell
        self._read: tuple[Closed, Path, Message | None] | None = None
        self._staged: Case | None = None
        """What the stage showed when the file was asked for: whoever chose something else meanwhile keeps it."""

    def show(self, text: str) -> None:
        """Show what `text_of` has kept."""
        try:
            closed = closed_from(text)
        except BadFile as bad:
            self._tell(message("What was shown last cannot be shown again: {reason}", reason=bad.reason))
            return
        file = closed.file
        if file is None:
            self._states.show(closed.shown)
            return
        self._states.show(replace(closed.shown, place=replace(closed.shown.place, time=0.0), view=0))
        self._staged = self._session.stage.value
        self._background_tasks.send("closed file", lambda: _why_unreadable(file), lambda reason: self._found(closed, file, reason))

    def tick(self) -> None:
        """Open the file when it is known whether an edited text is offered. Never waits."""
        if self._read is None or not self._drafts.looked:
            return
        (closed, file, reason), self._read = self._read, None
        chosen = self._session.stage.value != self._staged
        if chosen or self._drafts.offered.value is not None or self._editor.draft.value is not None:
            return
        reason = reason or self._editor.open_file(file)
        if reason is not None:
            self._tell(reason)
            return
        self._states.arrive(closed.shown.place, closed.shown.view)

    def _found(self, closed: Closed, file: Path, reason: Message | None) -> None:
        self._read = closed, file, reason


def _why_unreadable(file: Path) -> Message | None:
    """Why a file cannot be opened. What is read once is there at once when it is opened: the interface does not wait for a network."""
    text = read_source(file)
    return text if isinstance(text, Message) else None
