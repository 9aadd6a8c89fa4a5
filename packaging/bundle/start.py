"""Where the packaged program begins: its worker processes part from it here, before anything of the program is imported."""

from __future__ import annotations

import multiprocessing
import os
import sys
from types import ModuleType

OPENGL = ("PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets")


def without_opengl() -> None:
    """Let empty modules stand for Qt's OpenGL: pyqtgraph imports it, but draws with it only where it is told to."""
    sys.modules.update({name: ModuleType(name) for name in OPENGL})
    vars(sys.modules["PySide6.QtOpenGLWidgets"])["QOpenGLWidget"] = object  # classes are derived from it


if __name__ == "__main__":
    multiprocessing.freeze_support()
    from kernels.base.packaged import contents, prepare

    folder = contents()
    if folder is not None:
        prepare(os.environ, folder)
    if sys.platform == "darwin" and len(sys.argv) == 2 and sys.argv[1].startswith("/"):
        sys.argv.insert(1, "open")  # a file that the system asks the program to open
    without_opengl()
    from app.cli import main

    sys.exit(main())
