"""Last session: what the program shows, kept while it runs; after an end without closing, or in the middle of a sweep, the next start
offers to go on there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import json_table
from app.core.base.files.fields import BadFile
from app.core.base.files.orphan_files import Found, Left, OwnFile, orphans
from app.core.base.observable import Field
from app.core.stage.draft_backup import DraftBackup
from app.core.state.read import snapshot_from
from app.core.state.snapshot import Snapshot, TimelinePosition
from app.core.state.states import States
from app.core.state.written import fields_of
from kernels.base.messages import Message
from kernels.base.values import dataclass

EVERY_S = 2.0
"""At most so often it is written."""
FORMAT = "tilescope session 1"


@dataclass(frozen=True, slots=True)
class Ended:
    """State that was shown at last. The edited text is kept by itself; `edited` says whether the stage showed it.

    `measuring` says that the program was closed in the middle of a sweep.
    """

    shown: Snapshot
    edited: bool = False
    measuring: bool = False


class LastSession:
    """Keeper of what is shown: from `start` on `tick` has it written; it never waits. Without a folder nothing is kept."""

    def __init__(
        self,
        states: States,
        drafts: DraftBackup,
        folder: Path | None,
        background_tasks: BackgroundTasks,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`drafts` offers the edited text."""
        self.offered: Field[Ended | None] = Field(None)
        self.notice: Field[Message | None] = Field(None)
        """Why nothing can be kept, or what became of a file that could not be understood."""
        self._states, self._drafts, self._background_tasks, self._clock = states, drafts, background_tasks, clock
        self._folder = folder
        self._file = None if folder is None else OwnFile(folder)
        self._left: tuple[Left[Ended], ...] = ()
        self._last = float("-inf")
        self._started = self._writing = False
        self._written: Snapshot | None = None

    def start(self) -> None:
        """Look in the background for what was left, and keep what is shown from then on."""
        if self._folder is not None:
            folder = self._folder
            self._background_tasks.send("last session", lambda: orphans(folder, session_from), self._found)

    def tick(self) -> None:
        """Have it written if it changed."""
        if not self._started or self._writing or self._file is None or self._clock() - self._last < EVERY_S:
            return
        now = self._states.now()
        if not self._differs(now):
            return
        file, self._last, self._writing = self._file, self._clock(), True
        self._background_tasks.send("session", lambda: file.write(text_of(now)), lambda failure: self._done(now, failure))

    def restore(self) -> None:
        """Show what was shown when the program ended, with the text that was edited."""
        ended, draft = self.offered.value, self._drafts.offered.value
        if ended is None:
            return
        if draft is not None:
            self._drafts.accept()
        self._states.show(replace(ended.shown, draft=draft, edited=ended.edited and draft is not None))
        self.offered.value = None  # what it is from goes when what is shown now is in a file of our own

    def dismiss(self) -> None:
        """Stay with what is shown. A text that was edited is still offered by itself."""
        self.offered.value = None
        self._give_up()

    def finish(self) -> None:
        """The program ends in order: there will be nothing to offer, but what `leave` has left."""
        self._started = False
        self.dismiss()
        if self._file is not None:
            self._file.close(keep=False)

    def leave(self, *, measuring: bool = False) -> None:
        """What is shown stays for the next start: the display is gone, or the program was closed while it was `measuring`."""
        file, self._file = self._file, None
        if file is None:
            return
        now = self._states.now()
        if measuring or (self._started and self._differs(now)):
            file.write(text_of(now, measuring=measuring))  # where it cannot be written, the one before stays
        file.close(keep=True)
        for left in self._left:
            left.let_be()
        self._left = ()

    def _differs(self, now: Snapshot) -> bool:
        """Whether it is to be written; the place in time alone is no answer to the offer."""
        return now != self._written and (self.offered.value is None or not _same_but_place(now, self._written))

    def _found(self, found: Found[Ended]) -> None:
        """An older one is not offered: what was shown last is what is missed."""
        self._started, self._left, self.notice.value = True, found.left, found.notice
        if found.left:
            self._written = self._states.now()  # nothing is kept of this start before something was done
            self.offered.value = found.left[0].content

    def _done(self, written: Snapshot, failure: Message | None) -> None:
        self._writing, self._written = False, written
        if failure is not None:
            self.notice.value = failure
        elif self.offered.value is None:
            self._give_up()

    def _give_up(self) -> None:
        for left in self._left:
            left.give_up()
        self._left = ()


def text_of(shown: Snapshot, *, measuring: bool = False) -> str:
    """Return the text of the file of the last session."""
    state = fields_of(replace(shown, draft=None))
    return json.dumps({"format": FORMAT, "edited": shown.edited, "measuring": measuring, "state": state}, ensure_ascii=False) + "\n"


def session_from(text: str) -> Ended | None:
    """What `text_of` wrote; None for anything else."""
    try:
        table = json_table(text)
        if table.text("format", "") != FORMAT:
            return None
        edited, measuring = table.flag("edited", default=False), table.flag("measuring", default=False)
        return Ended(snapshot_from(table.table("state")), edited, measuring)
    except BadFile:
        return None


def _same_but_place(now: Snapshot, before: Snapshot | None) -> bool:
    return before is not None and replace(now, place=TimelinePosition()) == replace(before, place=TimelinePosition())
