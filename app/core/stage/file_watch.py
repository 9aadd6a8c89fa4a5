"""Watch on the file of the draft: what another editor saves there is taken over, or asked for where both were changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.text_files import file_stamp, read_source
from app.core.base.observable import Field
from app.core.session.draft_editor import DraftEditor
from kernels.base.messages import Message, message

EVERY_S = 0.5
"""At most so often the file is looked at."""
TOLD_S = 10.0
"""How long it is said that a file was taken over."""
Stamp = tuple[int, int]
_Looked = tuple[Path, Stamp | None, str | Message | None]


class FileWatch:
    """Watch on the draft's file. `tell` is given what was taken over, `withdraw` the same once that was said long enough. `offered`
    is the file's text where it and the draft were both changed."""

    def __init__(
        self,
        draft_editor: DraftEditor,
        background_tasks: BackgroundTasks,
        tell: Callable[[Message], object],
        withdraw: Callable[[Message], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.offered: Field[str | None] = Field(None)
        self._draft_editor = draft_editor
        self._background_tasks = background_tasks
        self._tell, self._withdraw = tell, withdraw
        self._told: tuple[Message, float] | None = None
        """What is said of a file that was taken over, and since when."""
        self._clock = clock
        self._known: tuple[Path, Stamp] | None = None
        """The file as it was last read."""
        self._opened = draft_editor.opened
        self._looking = False
        self._last = float("-inf")
        draft_editor.draft.subscribe(lambda _draft: self._forget_another())

    def tick(self) -> None:
        """Have the file looked at. Never waits."""
        if self._told is not None and self._clock() - self._told[1] >= TOLD_S:
            self._withdraw(self._told[0])
            self._told = None
        draft = self._draft_editor.draft.value
        if draft is None or draft.path is None:
            self._known, self.offered.value = None, None
            return
        if self._looking or self._clock() - self._last < EVERY_S:
            return
        path, known = draft.path, self._known
        self._looking, self._last = True, self._clock()
        self._background_tasks.queue(lambda: _look(path, None if known is None or known[0] != path else known[1]), self._looked)

    def accept(self) -> None:
        """Take the file's text in place of what was typed."""
        text, self.offered.value = self.offered.value, None
        if text is not None:
            self._draft_editor.reload(text)

    def dismiss(self) -> None:
        """Keep what was typed, as a change of what the file says now."""
        text, self.offered.value = self.offered.value, None
        if text is not None:
            self._draft_editor.rebase(text)

    def _forget_another(self) -> None:
        """Begin anew with each text that is opened: it may be an older one of the same file."""
        if self._opened != self._draft_editor.opened:
            self._opened = self._draft_editor.opened
            self._known, self.offered.value = None, None

    def _looked(self, found: _Looked) -> None:
        self._looking = False
        path, stamp, text = found
        draft = self._draft_editor.draft.value
        if stamp is None or draft is None or draft.path != path or not isinstance(text, str):
            return  # also while an editor is about to put another file in its place
        self._known = path, stamp
        if text == draft.original:
            self.offered.value = None
        elif text == draft.text:
            self._draft_editor.rebase(text)
        elif draft.changed:
            self.offered.value = text
        else:
            self._draft_editor.reload(text)
            self._told = message("{file} was changed in another editor, and is taken over.", file=draft.name), self._clock()
            self._tell(self._told[0])


def _look(path: Path, known: Stamp | None) -> _Looked:
    """The file's stamp, and its text where the stamp is another one than before."""
    stamp = file_stamp(path)
    return path, stamp, None if stamp is None or stamp == known else read_source(path)
