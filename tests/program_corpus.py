"""The corpus of whole programs: each file says in its first lines what it is given, how it ends and what is found in it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus" / "programs"
SHIM = Path(__file__).parent / "corpus" / "gxx_cuda.h"
GXX = ("g++", "-std=c++17", "-O1", "-w", "-pthread")


@dataclass(frozen=True, slots=True)
class Sample:
    """A program: the words that it is given, its status, the findings as kind and line, what it prints; what is on its standard input."""

    path: Path
    arguments: tuple[str, ...]
    status: int
    finds: frozenset[tuple[str, int]]
    input: bytes = b""

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def output(self) -> str:
        return self.path.with_suffix(".out").read_text(encoding="utf-8")


def samples() -> list[Sample]:
    """All programs of the corpus."""
    return [_sample(path) for path in sorted(FOLDER.glob("*.cu"))]


def _sample(path: Path) -> Sample:
    said = dict(re.findall(r"^// (\w+): (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    finds = frozenset((kind, int(line)) for kind, line in re.findall(r"([\w-]+) (\d+)", said.get("finds", "")))
    return Sample(path, tuple(said.get("arguments", "").split()), int(said.get("status", "0")), finds, given_input(said))


def given_input(said: dict[str, str]) -> bytes:
    """Give what stands behind `input`, where `\\n` is the end of a line."""
    return said.get("input", "").replace("\\n", "\n").encode()


def launches_called(text: str) -> str:
    """The text with every `kernel<<<shape>>>(arguments)` as a call that a host compiler knows."""
    while (found := re.search(r"((?:\w+::)*\w+(?:<[^<>;]*>)?)<<<(.*?)>>>\(", text, re.DOTALL)) is not None:
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        call = f"launch(Shape({found[2]}), [&] {{ {found[1]}({text[found.end() : end - 1]}); }})"
        text = text[: found.start()] + call + text[end:]
    text = re.sub(r"extern __shared__ (\w+) (\w+)\[\]", r"static \1 \2[12288]", text)
    return text.replace("__shared__", "static")


def compiled_shim(folder: Path) -> Path:
    """The shim, copied into a folder and compiled there once for all programs."""
    copy = Path(shutil.copy(SHIM, folder))
    subprocess.run([*GXX, "-x", "c++-header", str(copy), "-o", f"{copy}.gch"], check=True, capture_output=True)
    return copy


def run_by_gxx(sample: Sample, shim: Path, folder: Path) -> tuple[str, int]:
    """What the program prints, and its status, when g++ compiles it with threads of its own for those of a block."""
    for header in FOLDER.glob("*.h"):
        (folder / header.name).write_text(header.read_text(encoding="utf-8"), encoding="utf-8")
    for name in ("cuda_runtime.h", "cooperative_groups.h"):
        (folder / name).write_text(f'#include "{shim}"\n', encoding="utf-8")
    source = folder / f"{sample.name}.cpp"
    source.write_text(launches_called(sample.path.read_text(encoding="utf-8")), encoding="utf-8")
    made = folder / sample.name
    subprocess.run([*GXX, "-include", str(shim), f"-I{folder}", str(source), "-o", str(made)], check=True, capture_output=True)
    done = subprocess.run([str(made), *sample.arguments], input=sample.input, capture_output=True, timeout=60, check=False, cwd=FOLDER)
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode
