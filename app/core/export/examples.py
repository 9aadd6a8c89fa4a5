"""Examples: scenes that the help names, as players, and the page of a course site that has them all."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from app.core.base.i18n import Translator
from app.core.export.player_page import hashed
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

PAGE = "examples.html"
_LESSONS = files("resources").joinpath("lessons")


@dataclass(frozen=True, slots=True)
class Example:
    """Example: the name of its file, what it shows, and what `tilescope export player` is told besides the file."""

    name: str
    title: Message
    options: tuple[str, ...]


def _alone(view: int, variant: str, n: int, first: int, last: int, *more: str) -> tuple[str, ...]:
    return ("--variant", variant, "--n", str(n), *more, "--alone", str(view), "--from", str(first + 1), "--to", str(last + 1))


EXAMPLES: Sequence[Example] = (
    Example("matrices", message("A tile of A and one of B, from global memory into shared"), _alone(1, "gpu.tiled", 32, 0, 40)),
    Example("threads", message("Blocks, warps and lanes of a launch"), _alone(2, "gpu.tiled", 32, 0, 40)),
    Example("banks", message("A column of a tile: 32 lanes wait for one bank"), _alone(3, "gpu.transpose-shared", 64, 90, 130)),
    Example("sectors", message("A transposition that writes columns: one sector a lane"), _alone(4, "gpu.transpose-global", 64, 0, 40)),
    Example("order", message("Barriers, and what they order"), _alone(5, "gpu.tiled", 32, 40, 80)),
    Example("fragments", message("Which lane holds which element of a fragment"), _alone(6, "gpu.mma-bf16", 64, 48, 72)),
    Example("swizzle", message("A swizzled tile in shared memory"), _alone(7, "gpu.mma-swizzled-bf16", 64, 32, 56)),
    Example("pipeline", message("Copies ahead of the products that need them"), _alone(8, "gpu.async", 64, 20, 44)),
    Example("clusters", message("Blocks of a cluster read what the others have summed"), _alone(9, "gpu.split-k", 64, 1685, 1725)),
    Example("caches", message("Blocked loops in a cache"), ("--variant", "cpu.blocked", "--n", "24", "--from", "1", "--to", "49")),
    Example("padding", message("The same tile without and with padding"),
            ("--variant", "gpu.transpose-shared", "--n", "64", "--tile", "32", "--beside", "gpu.transpose-padded,tile=32",
             "--from", "97", "--to", "141")),
    Example("race", message("A barrier is missing: a schedule that works, and one that does not"),
            ("--source", str(_LESSONS.joinpath("races-and-barriers", "no_second_barrier.cu")), "--race")),
    Example("program", message("A whole program: memory, copies, a launch"),
            ("--source", str(_LESSONS.joinpath("whole-program", "vectors.cu")))),
    Example("lesson", message("A lesson: bank conflicts, padding and swizzling"), ("--lesson", "bank-conflicts")),
)  # fmt: skip

_TITLE = message("Kernels made visible")
_ABOUT = message("Each of these plays here, without anything installed: press Play, use the arrows, or point at what is drawn.")
_ALONE = message("On a page of its own")
_STYLE = """
body { font: 16px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; color: #17202c; background: #f1f3f6; margin: 0 auto; padding: 12px; }
body { max-width: 1500px; } h1 { margin: 0; } h2 { font-size: 1.1rem; margin: 1.6rem 0 0.3rem; } a { color: #5a2bc4; }
iframe { width: 100%; height: 820px; border: 1px solid #7f8b9c; border-radius: 8px; background: #fff; }
@media (max-width: 700px) { iframe { height: 1000px; } }
@media (min-width: 1100px) { iframe { height: min(43vw + 175px, 820px); } }
@media (prefers-color-scheme: dark) { body { background: #0e1218; color: #e9eef5; } a { color: #c5b8fb; } }
"""


def examples_page(shown: Sequence[Example], translator: Translator) -> str:
    """The page: each example in a frame, which is loaded when it comes into sight, and as a link."""

    def text(said: Message) -> str:
        return escape(translator.text(said))

    parts = []
    for each in shown:
        title, file = text(each.title), f"{each.name}.html"
        parts.append(f'<h2 id="{each.name}">{title}</h2>\n<iframe src="{file}" title="{title}" loading="lazy"></iframe>')
        parts.append(f'<p><a href="{file}">{text(_ALONE)}</a></p>')
    policy = f"default-src 'none'; style-src {hashed(_STYLE)}; frame-src 'self' file:; base-uri 'none'; form-action 'none'"
    head = (
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{text(_TITLE)}</title>\n<style>{_STYLE}</style>'
    )
    body = "\n".join((f"<h1>{text(_TITLE)}</h1>", f"<p>{text(_ABOUT)}</p>", *parts))
    language = translator.language.replace("_", "-")
    return f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'
