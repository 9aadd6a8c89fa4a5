"""Packages for Windows and macOS, made on those systems. Written for them and not tried: no such system was at hand."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from bundle.edition import LICENCES, PROGRAM, ROOT, Edition, publisher
from bundle.finishing import compile_modules

_HERE = Path(__file__).resolve().parent
SIGN_VARIABLE = "TILESCOPE_SIGN"
"""The command that signs a file for Windows, with `$f` for the file, as Inno Setup takes it; without it nothing is signed."""

KINDS_OF_FILES = {"tilescope": "Tilescope state", "attempt": "Attempt at a challenge of Tilescope", "cu": "CUDA C++ source"}
"""By the endings of their names."""
INFO: dict[str, Any] = {
    "CFBundleDevelopmentRegion": "en",
    "CFBundleLocalizations": ["en", "zh_CN"],
    "NSHighResolutionCapable": True,
    "CFBundleURLTypes": [{"CFBundleURLName": "io.tilescope.link", "CFBundleURLSchemes": [PROGRAM], "CFBundleTypeRole": "Viewer"}],
    "CFBundleDocumentTypes": [
        {
            "CFBundleTypeName": name,
            "CFBundleTypeExtensions": [ending],
            "CFBundleTypeRole": "Editor",
            "LSHandlerRank": "Alternate" if ending == "cu" else "Owner",
        }
        for ending, name in KINDS_OF_FILES.items()
    ],
}
"""What the application for macOS says of itself: its kinds of files, and that links which begin with tilescope: are its own."""


def write_installer(edition: Edition, target: Path, version: str) -> None:
    """The installer for Windows, by Inno Setup's compiler `iscc`."""
    subprocess.run(installer_command(edition, version, os.environ.get(SIGN_VARIABLE, "")), cwd=ROOT, check=True)
    if not target.is_file():
        raise FileNotFoundError(target)


def installer_command(edition: Edition, version: str, sign: str) -> list[str]:
    """What compiles the installer; signed where `sign` is a command."""
    folder = edition.folder.relative_to(ROOT)
    defined = [f"/DVersion={version}", f"/DEdition={edition.name}", f"/DFolder={folder}", f"/DPublisher={publisher()[0]}"]
    signed = [f"/S{PROGRAM}={sign}", "/DSigned"] if sign else []
    return ["iscc", "/Qp", *defined, *signed, str(_HERE / "windows" / "tilescope.iss")]


def write_image(edition: Edition, target: Path) -> None:
    """The disk image for macOS: signed and notarised as far as the script's variables are set."""
    target.parent.mkdir(parents=True, exist_ok=True)
    application = edition.folder.parent / "Tilescope.app"
    complete_application(application, edition.folder)
    subprocess.run([str(_HERE / "macos" / "finish.sh"), str(application), str(target)], cwd=ROOT, check=True)


def complete_application(application: Path, folder: Path) -> None:
    """Bring into the application for macOS, which PyInstaller makes beside the folder, what the folder was given after that.

    Once the application is signed, nothing can be written into it any more.
    """
    resources = application / "Contents" / "Resources"
    shutil.copyfile(folder / LICENCES, resources / LICENCES)
    compile_modules(resources)
