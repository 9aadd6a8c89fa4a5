"""The libraries that are packaged work without the modules that are not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bundle import start
from bundle.collecting import EXCLUDED, EXCLUDED_OF_CPU

LIBRARIES = (
    "pyqtgraph", "numba", "PIL.Image", "clang.cindex", "psutil", "pygments.lexers.c_like", "llvmlite.binding", "app.qt.shell.application",
    "app.cli.trace",
)  # fmt: skip
PROGRAM = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None
sys.path.append(sys.argv[3])
from bundle.start import without_opengl
without_opengl()
for name in sys.argv[2].split():
    __import__(name)
import numba, numpy
assert numba.njit(parallel=True)(lambda numbers: numbers.sum())(numpy.ones(4)) == 4
"""


def test_what_is_packaged_imports_nothing_that_is_left_out() -> None:
    words = (" ".join((*EXCLUDED, *EXCLUDED_OF_CPU)), " ".join(LIBRARIES), str(Path(start.__file__).parents[1]))
    imported = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, timeout=120, check=False)
    assert imported.returncode == 0, imported.stderr
