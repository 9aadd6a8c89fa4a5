"""Next steps that several of the doctor's checks tell."""

from __future__ import annotations

from kernels.messages import Message, message


def apt_install(*packages: str) -> Message:
    """How packages of the system are installed where that is known."""
    return message("Debian and Ubuntu: {command}", command="sudo apt-get install " + " ".join(packages))


def run_this(command: str) -> Message:
    """A command that helps."""
    return message("Install it: {command}", command=command)
