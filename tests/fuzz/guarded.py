"""Reads everything in a process that is watched: nothing may be run, connected to or written outside the readers' own folder.

    python -m tests.fuzz.guarded FOLDER [READER ...]

Writes one line of JSON for each input that went wrong, and `{"inputs": count}` at the end.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.fuzz.hostile import hostile
from tests.fuzz.originals import ORIGINALS
from tests.fuzz.readers import READERS, SEEDS, Scratch, found_inputs

DEADLINE_S = 10.0
ORIGINALS_READ = 6
MEMORY = 2 << 30
"""Bytes of addresses beyond those that are taken before the first input."""
GENERATED = "<generated from "
"""How the file names of the interpreter's own code begin."""
FORBIDDEN = (
    "subprocess.", "socket.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn", "os.startfile", "urllib.", "ftplib.",
    "smtplib.", "http.", "ctypes.dlopen", "pickle.", "webbrowser.", "pty.", "cpython.run_", "code.__new__",
)  # fmt: skip
CHANGING = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.link", "os.symlink", "os.truncate", "shutil.")
_NUMBERED = re.compile(r"_[0-9]+$")
"""How names end that were those of variables of the text: no name that means something to Python does."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
OURS = (str(Path(__file__).resolve().parents[2]), sys.prefix, sys.base_prefix, "<frozen ")


class Watch:
    """What was done that nothing that reads may do. An audit hook stays for good, so this is for a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self.done: list[str] = []

    def __call__(self, event: str, arguments: Sequence[Any]) -> None:
        if event.startswith(FORBIDDEN):
            self.done.append(f"{event} {arguments}"[:300])
        elif event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & WRITING:
                self._outside(event, path)
        elif event.startswith(CHANGING):
            for path in arguments[: 2 if event in ("os.rename", "os.link", "os.symlink") else 1]:
                self._outside(event, path)
        elif event == "exec" and not arguments[0].co_filename.startswith((GENERATED, *OURS)) and not _by_dataclasses():
            self.done.append(f"executed {arguments[0].co_filename}")
        elif event == "compile" and str(arguments[1]).startswith(GENERATED):
            self.done += own_words(arguments[0])

    def _outside(self, event: str, path: Any) -> None:
        name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else path
        if not (isinstance(name, str) and Path(name).absolute().is_relative_to(self._folder)) and name != os.devnull:
            self.done.append(f"{event} {name}"[:300])


def _by_dataclasses() -> bool:
    """Whether it is a method of a dataclass that is made: which each has is written in its class, and in no text."""
    return sys._getframe(2).f_globals.get("__name__") in ("dataclasses", "kernels.base.values")


def own_words(source: Any) -> Iterator[str]:
    """What is in generated code that the generator never writes: names that reach beyond it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Lambda | ast.ClassDef):
            yield f"generated code has a {type(node).__name__}"
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield f"generated code has .{node.attr}"
        elif isinstance(node, ast.Name) and node.id.startswith("__") and _NUMBERED.search(node.id) is None:
            yield f"generated code has {node.id}"


def inputs(names: Sequence[str]) -> Iterator[tuple[str, str, bytes]]:
    """Reader, description and content of all that is read."""
    means_harm = hostile()
    for name in names:
        yield from ((name, f"original {at}", each) for at, each in enumerate(ORIGINALS[name]()[:ORIGINALS_READ]))
        yield from ((name, f"hostile {at}", each) for at, each in enumerate(means_harm.get(name, ())))
    for found in found_inputs():
        if found.reader in names:
            yield found.reader, str(found.path.relative_to(SEEDS)), found.path.read_bytes()


def limit_memory() -> None:
    """Let allocations fail beyond `MEMORY`, where the system can do that."""
    with suppress(ImportError, OSError):
        import resource

        import psutil

        wanted = psutil.Process().memory_info().vms + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))


def main() -> None:
    """Read everything and tell."""
    sys.dont_write_bytecode = True
    folder = Path(sys.argv[1]).absolute()
    names = sys.argv[2:] or list(READERS)
    scratch = Scratch(folder)
    given = list(inputs(names))
    for name in names:
        for each in ORIGINALS[name]()[:ORIGINALS_READ]:
            READERS[name](each, scratch)  # what is imported late, and loaded
    limit_memory()
    watch = Watch(folder)
    sys.addaudithook(watch)
    for name, description, content in given:
        watch.done.clear()
        began, failure = time.process_time(), ""
        try:
            READERS[name](content, scratch)
        except BaseException as error:  # whatever it is, it is told
            failure = f"{type(error).__name__}: {error}"[:300]
        took = time.process_time() - began
        if failure or watch.done or took > DEADLINE_S:
            wrong = {"reader": name, "input": description, "failure": failure, "done": watch.done[:5], "seconds": round(took, 1)}
            sys.stdout.write(json.dumps(wrong) + "\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps({"inputs": len(given)}) + "\n")


if __name__ == "__main__":
    main()
