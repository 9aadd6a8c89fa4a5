"""The grammar of the command line: a command's module is imported when the command is named, and no other's is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from app.cli.base.commands import COMMANDS, Command
from app.cli.export import KINDS

IMPORTED = """
import sys
from contextlib import redirect_stdout
from io import StringIO
from app.cli import main
with redirect_stdout(StringIO()):
    main(sys.argv[1:])
print(*(name.removeprefix("app.cli.") for name in sys.modules if name.startswith("app.cli.")))
"""


@pytest.mark.parametrize(
    ("arguments", "own"),
    [(["--help"], set()), (["list", "--json"], {"catalogue"}), (["export", "clip", "--help"], {"export", "export.clip"})],
)
def test_only_the_module_of_the_command_that_is_named_is_imported(arguments: list[str], own: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, check=True, timeout=120)
    modules = {command.module for command in (*COMMANDS, *KINDS)}
    assert modules & set(done.stdout.split()) == own


@pytest.mark.parametrize("command", [*COMMANDS, *KINDS], ids=lambda command: command.name)
def test_each_module_has_its_options_and_what_performs_it(command: Command) -> None:
    assert callable(command.of_module("add_options"))
    assert callable(command.of_module(command.function))
