"""Declarations that libclang could not make sense of. It drops what uses one, whole statements too, without a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from kernels.simt.frontend.clang import Cursor, cindex, extent, position
from kernels.simt.frontend.reach import DECLARATIONS, RECORDS, kind

_SCOPES = (*RECORDS, "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_WORD = re.compile(rb"//[^\n]*|/\*(?s:.*?)\*/|\"(?:[^\"\\\n]|\\.)*\"|(?P<word>[^\W\d]\w*)")


class Broken:
    """The broken declarations below `root` that stand in `texts`."""

    def __init__(self, root: Cursor, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._by_name: dict[bytes, list[Cursor]] = {}
        for cursor in _declared(root, texts):
            if cindex().conf.lib.clang_isInvalidDeclaration(cursor):
                self._by_name.setdefault(cursor.spelling.encode(), []).append(cursor)

    def lost(self, declaration: Cursor, within: Iterable[Cursor]) -> Iterator[Cursor]:
        """Those that a declaration's text names, although no cursor `within` it has that name any more."""
        if self._by_name:
            part = extent(declaration)
            words = {found["word"] for found in _WORD.finditer(self._texts[part.file][part.start : part.end])}
            kept = {cursor.spelling.encode() for cursor in (declaration, *within)}
            for name in (words & self._by_name.keys()) - kept:
                yield from self._by_name[name]


def _declared(root: Cursor, texts: Mapping[str, bytes]) -> Iterator[Cursor]:
    waiting = [root]
    while waiting:
        for child in waiting.pop().get_children():
            if position(child.location)[0] not in texts:
                continue
            if kind(child) in _SCOPES:
                waiting.append(child)
            elif kind(child) in DECLARATIONS:
                yield child
