"""Where the packaged program begins: its worker processes part from it here, before anything of the program is imported."""

from __future__ import annotations

import multiprocessing
import os
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from kernels.base.packaged import contents, prepare

    folder = contents()
    if folder is not None:
        prepare(os.environ, folder)
    if sys.platform == "darwin" and len(sys.argv) == 2 and sys.argv[1].startswith("/"):
        sys.argv.insert(1, "open")  # a file that the system asks the program to open
    from app.cli import main

    sys.exit(main())
