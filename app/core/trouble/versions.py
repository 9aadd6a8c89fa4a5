"""What runs, on what: for the log, for reports and for the doctor. Imports nothing heavy."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from app import __version__
from kernels.messages import Message, message

PACKAGES = ("numpy", "numba", "PySide6-Essentials", "pyqtgraph", "libclang", "mpi4py", "cupy-cuda13x")


def installed_as() -> Message:
    """How the program came here: as a package with its own Python, from its source, or by pip."""
    if getattr(sys, "frozen", False):
        return message("a package with its own Python")
    root = Path(__file__).resolve().parents[3]
    return message("a checkout of the source") if (root / "pyproject.toml").is_file() else message("an installation by pip")


def glibc() -> tuple[int, int] | None:
    """The version of the C library on Linux; None elsewhere, or where it is another library."""
    name, found = platform.libc_ver()
    parts = found.split(".")
    if name != "glibc" or len(parts) < 2 or not all(part.isdecimal() for part in parts[:2]):
        return None
    return int(parts[0]), int(parts[1])


def version_lines() -> list[str]:
    """One line each for the program, the machine and the packages."""
    return [
        f"Tilescope {__version__} ({installed_as()})",
        f"{platform.platform()}, {platform.machine()}, {os.cpu_count()} logical processors",
        f"Python {platform.python_version()}",
        ", ".join(f"{package} {_version(package)}" for package in PACKAGES),
    ]


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
