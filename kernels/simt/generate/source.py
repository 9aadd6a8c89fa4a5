"""The generated text while it grows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_NOT_ASCII = re.compile(r"[^A-Za-z0-9]")


class Source:
    """Lines of Python, with a part that runs first (`prologue`), fresh names, and objects that the text refers to by name."""

    def __init__(self) -> None:
        self.prologue: list[str] = []
        self.objects: dict[str, object] = {}
        self.depth = 1
        self._lines: list[str] = []
        self._number = 0

    def line(self, text: str) -> None:
        """One statement at the present depth."""
        self._lines.append(" " * self.depth + text)

    @contextmanager
    def indented(self, header: str) -> Iterator[None]:
        """A compound statement; never left empty."""
        self.line(header)
        self.depth += 1
        start = len(self._lines)
        yield
        if len(self._lines) == start:
            self.line("pass")
        self.depth -= 1

    def name(self, stem: str) -> str:
        """A name that is used nowhere else."""
        self._number += 1
        return f"{stem}{self._number}"

    def variable(self, path: str) -> str:
        """A name for a variable of the kernel; only these have an underscore and a number at the end."""
        return _NOT_ASCII.sub("_", path) + self.name("_")

    def hold(self, value: str, stem: str = "t") -> str:
        """The name of a new local that has this value."""
        name = self.name(stem)
        self.line(f"{name} = {value}")
        return name

    def refer(self, stem: str, value: object) -> str:
        """The name by which the text finds an object."""
        for name, known in self.objects.items():
            if known is value:
                return name
        name = self.name(stem.upper())
        self.objects[name] = value
        return name

    def text(self, header: str) -> str:
        """The whole function."""
        return "\n".join([header, *(f" {line}" for line in self.prologue), *self._lines, ""])
