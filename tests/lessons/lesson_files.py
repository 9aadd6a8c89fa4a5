"""A small lesson as files, for tests that read one, spoil one or play one."""

from __future__ import annotations

from pathlib import Path

STRUCTURE = """topic = "own"
minutes = 5

[[step]]
name = "first"
show = { variant = "gpu.transpose-shared", n = 64, tile = 32, view = 3, line = "tile[tx][ty]" }
claims = ["waves == 32"]

[step.values]
waves = { launch = "gpu.transpose-shared", n = 64, tile = 32, count = "most_wavefronts", line = "tile[tx][ty]", space = "shared" }
half = "waves / 2"

[step.question]
kind = "choice"
choices = [16, 32]
answer = "waves"

[[step]]
name = "second"

[step.action]
parameter = "tile"
value = 16
"""
ENGLISH = """# A lesson
What it is about.

## first
The idea

It reads `tile[tx][ty]`: **{half}** and {half%}.

### question
How many?

### answer
{waves}.

## second
Another idea

- one
- two
"""
CHINESE = "# 一课\n关于什么。\n\n## first\n想法\n\n{half}\n\n### question\n几个？\n\n### answer\n{waves}。\n\n## second\n另一个想法\n"


def write_lesson(folder: Path, structure: str = STRUCTURE, english: str = ENGLISH, **more: str) -> Path:
    """A folder with these files; `more` are others by name, with an underscore for the dot."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"lesson.toml": structure, "en.md": english, **{name.replace("_cu", ".cu"): text for name, text in more.items()}}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
