"""The system packages that Tilescope needs on Debian and Ubuntu: finds what is missing and installs it where that is allowed."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys

QT = ("libglib2.0-0", "libgl1", "libegl1", "libxkbcommon0", "libdbus-1-3", "libfontconfig1")
"""Without these the Qt libraries do not load, not even to draw without a display."""

USEFUL = {
    "libxcb-cursor0": "a window under X11",
    "libxkbcommon-x11-0": "a window under X11",
    "libxcb-icccm4": "a window under X11",
    "libxcb-keysyms1": "a window under X11",
    "libxcb-shape0": "a window under X11",
    "libwayland-cursor0": "a window under Wayland",
    "fonts-wqy-microhei": "Chinese text",
    "libgomp1": "kernels that run on several threads at once",
}
"""Without one of these the rest works; the value says what does not."""

_WAITING = ("--option", "DPkg::Lock::Timeout=300")
"""Seconds for another installation to end: a machine that was just started may bring itself up to date."""


def building_names() -> list[str]:
    """The packages that making a bundle needs: `objdump` and `strip`; and Python as a library, which Debian's own Python comes without."""
    library = [f"libpython{sys.version_info[0]}.{sys.version_info[1]}"] if sys.base_prefix == "/usr" else []
    return ["binutils", *library]


def ensure_packages(with_qt: bool, building: bool = False) -> None:
    """Install the packages that are missing, or say which command installs them; exits if nothing can work without them.

    Elsewhere than on a Debian-family system there is nothing to do: Python comes with venv and Qt's wheels bring what they need.
    """
    if not shutil.which("apt-get") or not shutil.which("dpkg-query"):
        return
    installed = installed_names()
    needed = [name for name in (*needed_names(with_qt), *(building_names() if building else ())) if name not in installed]
    useful = [name for name in USEFUL if with_qt and name not in installed]
    if not needed and not useful:
        return
    if install(needed + useful):
        return
    command = _command_to_type(install_command(needed + useful))
    if needed:
        sys.exit(f"Missing on this system: {', '.join(needed)}. Type this, then the same command again:\n  {command}")
    lost = ", ".join(sorted({USEFUL[name] for name in useful}))
    print(f"Not on this system: {lost}. Tilescope goes on without; to have it, type:\n  {command}", file=sys.stderr)


def needed_names(with_qt: bool) -> list[str]:
    """The packages without which nothing works; Debian ships Python without the part that makes environments."""
    venv = [] if importlib.util.find_spec("ensurepip") else [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"]
    return [*venv, *(QT if with_qt else ())]


def installed_names() -> set[str]:
    """The installed packages and the names that they provide (Debian 13 and Ubuntu 24.04 have libglib2.0-0t64 for libglib2.0-0)."""
    query = ["dpkg-query", "--show", "--showformat", "${db:Status-Status}\t${Package}\t${Provides}\n"]
    listing = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    names: set[str] = set()
    for line in listing.splitlines():
        status, package, provides = line.split("\t")
        if status == "installed":
            names.add(package)
            names.update(provided.split(" ")[0] for provided in provides.split(", ") if provided)
    return names


def install(names: list[str]) -> bool:
    """Install packages as root, or with a sudo that asks no password; the package lists are fetched only if the first try fails."""
    prefix = _privileges()
    if prefix is None:
        return False
    print(f"Installing system packages: {' '.join(names)} ...", flush=True)
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *install_command(names), *_WAITING]
    if subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0:
        return True
    subprocess.run([*prefix, "apt-get", "update", "--quiet"], stdin=subprocess.DEVNULL, check=False)
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0


def install_command(names: list[str]) -> list[str]:
    """The command that installs packages, to run with the rights of root."""
    return ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", *names]


def _command_to_type(installing: list[str]) -> str:
    """Debian has no sudo where a password for root was chosen when it was installed; su is always there."""
    if shutil.which("sudo"):
        return f"sudo apt-get update && sudo {shlex.join(installing)}"
    return f"su - -c {shlex.quote(f'apt-get update && {shlex.join(installing)}')}"


def _privileges() -> list[str] | None:
    """What to write before a command so that it runs as root: nothing, sudo, or None if neither works."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        allowed = subprocess.run(["sudo", "-n", "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return ["sudo", "-n"] if allowed.returncode == 0 else None
    return None
