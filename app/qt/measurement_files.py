"""Asking for the files that recordings go to and come from."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.recordings import Recordings
from app.qt.look import Look
from kernels.messages import message

KINDS = "JSON (*.json)"


def export_recording(owner: QWidget, look: Look, recordings: Recordings) -> None:
    """Ask where what was measured here goes, and write it."""
    title = look.text(message("Export the measurements as a recording"))
    name, _ = QFileDialog.getSaveFileName(owner, title, "recording.json", KINDS)
    if name:
        recordings.export(Path(name))


def import_recording(owner: QWidget, look: Look, recordings: Recordings) -> None:
    """Ask for a recording of another machine, and show it."""
    name, _ = QFileDialog.getOpenFileName(owner, look.text(message("Import a recording")), "", KINDS)
    if name:
        recordings.import_file(Path(name))
