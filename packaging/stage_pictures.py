"""Draws what the stage shows of CUDA kernels, in both languages and both themes: `stage_pictures.py [--only WORD] [FOLDER]`.

Each subject is one moment of one launch at which there is something to see. Beside them stand a kernel without its barrier,
one with a call that the interpreter does not know and one with a mistake, all made here from the text that is shipped.
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from screenshots import LANGUAGES, ROOT, THEMES, picture_size

LARGE, SMALL = (1920, 1080), (1280, 720)
KERNELS = ROOT / "kernels" / "gpu"
TURN = ("--n", "64", "--tile", "32", "--step")
"""Transposition of 64 x 64 in blocks of 32 x 32: each of its 512 steps is a quarter of a row."""


class Subject(NamedTuple):
    """What a picture is called and the options that it is taken with. `compact`: it is also drawn in a small window."""

    name: str
    options: tuple[str, ...]
    compact: bool = False


SUBJECTS = (
    Subject("naive", ("--variant", "gpu.naive", "--step", "8256"), compact=True),
    Subject("uncoalesced", ("--variant", "gpu.uncoalesced", "--step", "8256")),
    Subject("naive-beside-uncoalesced", ("--variant", "gpu.naive", "--beside", "gpu.uncoalesced", "--step", "8256"), compact=True),
    Subject("tiled-8", ("--variant", "gpu.tiled", "--tile", "8", "--step", "10309")),
    Subject("tiled-16-load", ("--variant", "gpu.tiled", "--tile", "16", "--step", "7262"), compact=True),
    Subject("tiled-16-compute", ("--variant", "gpu.tiled", "--tile", "16", "--step", "7425")),
    Subject("tiled-32", ("--variant", "gpu.tiled", "--tile", "32", "--step", "8897")),
    Subject("transpose-shared", ("--variant", "gpu.transpose-shared", *TURN, "66"), compact=True),
    Subject("transpose-padded", ("--variant", "gpu.transpose-padded", *TURN, "66")),
    Subject("transpose-swizzled", ("--variant", "gpu.transpose-swizzled", *TURN, "66")),
    Subject("banks-shared-beside-padded", (
        "--variant", "gpu.transpose-shared", "--beside", "gpu.transpose-padded", "--alone", "3", *TURN, "66",
    ), compact=True),
    Subject("float4-phases", ("--variant", "gpu.vectorized-k8", "--n", "256", "--alone", "3", "--step", "59")),
    Subject("float4", ("--variant", "gpu.vectorized-k8", "--n", "256", "--step", "59")),
    Subject("double-buffered", ("--variant", "gpu.double-buffered-k8", "--n", "256", "--step", "2431"), compact=True),
    Subject("hello", ("--variant", "gpu.hello", "--step", "8"), compact=True),
    Subject("values", ("--variant", "gpu.tiled", "--n", "8", "--tile", "4", "--step", "28")),
    Subject("large", ("--variant", "gpu.tiled", "--n", "16384", "--tile", "16")),
    *(Subject(f"alone-{view}", ("--variant", "gpu.tiled", "--step", "7262", "--alone", str(view)), view == 1) for view in range(1, 5)),
    Subject("race", ("--source", "without_barrier.cu", "--variant", "gpu.tiled", "--step", "300"), compact=True),
    Subject("unsupported", ("--source", "unsupported_call.cu", "--variant", "gpu.tiled")),
    Subject("mistake", ("--source", "with_mistake.cu", "--variant", "gpu.tiled"), compact=True),
)  # fmt: skip


def write_sources(folder: Path) -> None:
    """Write the kernels of which something is said: without its first barrier, with an unknown call, with a mistake."""
    tiled = (KERNELS / "matmul_tiled.cu").read_text(encoding="utf-8")
    changed = {
        "without_barrier.cu": _exchanged(tiled, r"__syncthreads\(\);", ""),
        "unsupported_call.cu": _exchanged(tiled, r"__syncthreads\(\);", 'asm volatile("bar.sync 0;");'),
        "with_mistake.cu": _exchanged(tiled, r"float sum = 0\.0f;", "float sum = 0.0f"),
    }
    for name, text in changed.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _exchanged(text: str, what: str, by: str) -> str:
    changed, times = re.subn(rf"^(\s+){what}$", rf"\g<1>{by}", text, count=1, flags=re.MULTILINE)
    if times != 1:
        sys.exit(f"the kernel has no line {what}")
    return changed


def pictures(word: str) -> Iterator[tuple[Subject, str, str, tuple[int, int]]]:
    """Subject, language, theme and size of every picture whose name has `word` in it."""
    for subject, language, theme in itertools.product(SUBJECTS, LANGUAGES, THEMES):
        for size in (LARGE, SMALL)[: 1 + subject.compact]:
            if word in name_of(subject, language, theme, size):
                yield subject, language, theme, size


def name_of(subject: Subject, language: str, theme: str, size: tuple[int, int]) -> str:
    """The file's name."""
    return f"{subject.name}-{language}-{theme}-{size[0]}.png"


def draw(picture: Path, sources: Path, options: tuple[str, ...], look: tuple[str, ...], size: tuple[int, int]) -> None:
    """Make one picture with the command `tilescope screenshot`; exits if that fails."""
    picture.unlink(missing_ok=True)
    program = Path(sys.executable).with_name("tilescope")
    command = [str(program), "screenshot", str(picture), "--size", f"{size[0]}x{size[1]}", *look, *options]
    status = subprocess.run(command, check=False, cwd=sources).returncode
    if status != 0 or picture_size(picture) != size:
        sys.exit(f"tilescope screenshot {picture.name} ended with status {status}")


def main(arguments: list[str]) -> int:
    """Draw the pictures into a folder."""
    parser = argparse.ArgumentParser(description="pictures of what the stage shows of CUDA kernels")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "stage-pictures")
    parser.add_argument("--only", default="", metavar="WORD", help="draw those whose name holds it, such as en-dark or tiled-16")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        write_sources(Path(temporary))
        for subject, language, theme, size in pictures(chosen.only):
            picture = chosen.folder.resolve() / name_of(subject, language, theme, size)
            draw(picture, Path(temporary), subject.options, ("--lang", language, "--theme", theme), size)
            print(picture, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
