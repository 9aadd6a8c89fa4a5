"""Source texts: a text that is to be parsed, and the local files that it includes. libclang is given these and reads no others.

Every `#include` is decided here. That of a local file stays; any other is replaced by spaces, so that lines and columns hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from kernels.base.values import dataclass
from kernels.simt.frontend.declared_functions import HEADERS

FOLDER = "/tilescope-source"
LARGEST_FILE = 2 << 20
"""Bytes of one text: 1.2 million of them are read in 9 s, 1.9 million of small functions in 3 s."""
MOST_BYTES = 4 << 20
"""Bytes of a text with all that it includes."""
MOST_FILES = 100

_SPLICE = rb"(?:\\[ \t\v\f]*\r?\n)*"
_GAP = rb"(?:[ \t\v\f\r\x80-\xff]|\\[ \t\v\f]*\r?\n)*"
_NAMES = b"|".join(_SPLICE.join(re.escape(name[i : i + 1]) for i in range(len(name))) for name in (b"include", b"import"))
_DIRECTIVE = re.compile(
    rb"(?:#|%" + _SPLICE + rb":)" + _GAP + rb"(?:/(?=[*\\])|(?:" + _NAMES + rb")(?P<next>" + _SPLICE + rb"_\w*)?(?!\w)"
    rb"(?:[ \t]*(?P<target>\"[^\"\r\n]*\"|<[^>\r\n]*>|\w+(?:\([^()\r\n]*\))?))?)"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """`texts[main]` and what it includes, by the names that libclang is given."""

    main: str
    texts: Mapping[str, bytes]
    extended: bool
    """It includes one of the headers that add names to the prelude."""

    def shown_file(self, name: str) -> str | None:
        """ "" for the shown text, a relative path for an included file, None for what is not the program's."""
        if name == self.main:
            return ""
        return str(PurePosixPath(name).relative_to(FOLDER)) if name in self.texts else None


class _Gathering:
    """Reads the local files that a text includes, each once, never outside the folder tree of the text."""

    def __init__(self, folder: Path | None) -> None:
        self._root = folder.resolve() if folder is not None else None
        self.texts: dict[str, bytes] = {}
        self.extended = False
        self._size = 0

    def add(self, name: str, text: bytes, open_files: tuple[str, ...]) -> None:
        self._size += len(text)
        self.texts[name] = b""
        inside = (*open_files, name)
        kept = _DIRECTIVE.sub(lambda found: found[0] if self._keep(found, name, inside) else _blank(found[0]), text)
        once = b"\n#pragma once\n" if open_files else b"\n"
        self.texts[name] = kept + once

    def _keep(self, found: re.Match[bytes], name: str, open_files: tuple[str, ...]) -> bool:
        target = (found["target"] or b"").decode(errors="replace")
        if found["next"] or target[:1] not in ('"', "<") or b"\\" in found[0]:
            return False
        asked = target[1:-1]
        beside = str(PurePosixPath(name).parent)
        folders = (beside, FOLDER) if target[0] == '"' else (FOLDER,)
        if any(self._local(f"{folder}/{asked}", open_files) for folder in dict.fromkeys(folders)):
            return True
        self.extended |= asked in HEADERS
        return False

    def _local(self, name: str, open_files: tuple[str, ...]) -> bool:
        """Whether a local file of that name is, or can be, part of the program; one that is being read already is not read again."""
        if name in self.texts:
            return name not in open_files
        text = self._read(name)
        if text is None:
            return False
        self.add(name, text, open_files)
        return True

    def _read(self, name: str) -> bytes | None:
        relative = PurePosixPath(name).relative_to(FOLDER)
        if self._root is None or len(self.texts) >= MOST_FILES or relative.is_absolute() or ":" in name or "\\" in name:
            return None
        try:
            path = (self._root / relative).resolve()
            if not path.is_relative_to(self._root) or not path.is_file() or path.stat().st_size > LARGEST_FILE:
                return None
            text = path.read_bytes()
        except (OSError, ValueError):
            return None
        if self._size + len(text) > MOST_BYTES:
            return None
        return text.decode(errors="replace").replace("\0", " ").encode()


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", text)


def gather(text: str, path: Path | None) -> SourceTexts:
    """Gather `text` and the local files that it includes from the folder tree of `path`."""
    name = path.name if path is not None and re.fullmatch(r"\w[\w.-]*", path.name, re.ASCII) else "kernel.cu"
    main = f"{FOLDER}/{name}"
    gathering = _Gathering(path.parent if path is not None else None)
    gathering.add(main, text.encode(errors="replace"), ())
    return SourceTexts(main, gathering.texts, gathering.extended)
