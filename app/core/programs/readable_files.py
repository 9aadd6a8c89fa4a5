"""Files that programs may read because the user has said so, by program: kept in a file, shown on the program page, withdrawn there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import kept_object
from app.core.base.files.json_store import Form, JsonStore
from app.core.base.files.text_files import LARGEST_FILE

FORMAT = "tilescope readable files 1"
Names = frozenset[str]


class ReadableFiles(JsonStore[Names]):
    """Names by the path of the program that may read them."""

    def __init__(self, file: Path | None, background_tasks: BackgroundTasks) -> None:
        """Without a file nothing is kept."""
        super().__init__(file, background_tasks, Form("readable files", FORMAT, read_names, text_of, frozenset.intersection))

    def of(self, program: Path | None) -> Names:
        """What a program may read; nothing where it lies in no folder."""
        self.load()
        return frozenset() if program is None else self.entries.value.get(_key(program), frozenset())

    def allow(self, program: Path, names: Names) -> None:
        """Let a program read files."""
        self.put(_key(program), self.of(program) | names)

    def withdraw(self, program: Path) -> None:
        """Let a program read nothing any more."""
        self.put(_key(program), frozenset())


def _key(program: Path) -> str:
    return str(program.absolute())


def text_of(entries: Mapping[str, Names]) -> str:
    """Return the text of the file."""
    programs = {program: sorted(names) for program, names in sorted(entries.items()) if names}
    return json.dumps({"format": FORMAT, "programs": programs}, ensure_ascii=True, indent=1) + "\n"


def read_names(file: Path) -> dict[str, Names]:
    """What the file holds; nothing where it is not there, and without what in it cannot be understood."""
    kept = kept_object(file, LARGEST_FILE).get("programs")
    programs = kept.items() if isinstance(kept, dict) else ()
    return {key: frozenset(each for each in names if isinstance(each, str)) for key, names in programs if isinstance(names, list)}
