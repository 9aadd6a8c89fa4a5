"""Runs one benchmark in this process and writes its figures into a file: `python -m tests.perf.one MODULE FILE [quick]`.

A process each, because some settle what is read once: whether CUDA is simulated, how Qt draws.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path


def main(module: str, file: str, effort: str = "") -> None:
    figures = importlib.import_module(f"tests.perf.{module}").figures(quick=effort == "quick")
    Path(file).write_text(json.dumps(list(figures)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
