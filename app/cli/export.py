"""`tilescope export`: one of the kinds that there are."""

from __future__ import annotations

import argparse
from importlib import import_module

from app.cli.console import Console
from app.cli.export_options import KINDS


def export(options: argparse.Namespace, console: Console) -> int:
    """Each kind is imported when it is asked for."""
    kind = next(each for each in KINDS if each.name == options.kind)
    status: int = getattr(import_module(f"app.cli.{kind.module}"), kind.function)(options, console)
    return status
