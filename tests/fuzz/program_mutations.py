"""Whole programs with something changed at random, each executed in a process of its own; and a campaign of as many as fit into a time.

    python -m tests.fuzz.program_mutations [--draw] SECONDS PROCESSES FOLDER [FIRST_SEED]

With `--draw` each run is drawn, too, as the window would. Writes `summary.json` (counts, versions, and of each mutation that did harm its
number, seed and how it ended) and `harmful.jsonl` (the same with the text) into FOLDER. A mutation is made anew by
`mutation(texts, seed, number)`. The status is 1 where one did harm.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import random
import re
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from kernels.analysis.program_races import look
from kernels.base.worker_process import processor_seconds
from kernels.simt.host import preloaded  # noqa: F401 - each mutation's process is copied from this one
from kernels.simt.host.data_files import opened
from kernels.simt.host.execution import execute
from kernels.simt.host.records import Records
from kernels.simt.host.result import Limits, NotRun, ProgramJob, ProgramOutcome
from tests.program_corpus import FOLDER, samples

SECONDS = 2.0
LATE_S = 40.0
BUSY = 10
"""So many times that long a program may take by the clock, where other work keeps the processor from it."""
A_SEED = 100
"""Mutations of one seed, in a campaign."""
NUMBERS = ("0", "1", "-1", "7", "31", "1000", "1000000", "2147483647", "-2147483648", "4294967296", "0.5")
SWAPS = (("<", "<="), ("<=", "<"), ("<", ">"), ("+", "-"), ("*", "/"), ("/", "%"), ("++", "--"), ("&", ""), ("*", ""), ("[i]", "[i + 1]"),
         ("free", "(void)"), ("Host", "Device"), ("Device", "Host"), ("&&", "||"), ("= ", "+= "), ("sizeof", "100 * sizeof"),
         ("[&]", "[=]"), ("[=]", "[&]"), ("[&]", "[]"), ("mutable", ""), ("throw", "return"), ("catch", "if"), ("try", ""), ("virtual", ""),
         ("override", ""), ("static", ""), ("const ", ""), ("unsigned ", ""), ("return", ""), ("delete[]", "delete"),
         ("delete", "delete[]"), ("new ", ""), ("->", "."), (".", "->"),
         ("::", "."), ("auto", "int"), ("int", "auto"), ("float", "double"), ("int", "char"),
         ("__global__", "__device__"), ("__device__", "__host__"), ("__shared__", ""), ("__constant__", "__device__"), ("std::move", ""),
         ("std::function", "std::vector"), ("unordered_map", "map"), ("vector", "set"), ("struct", "union"), ("private", "public"),
         (": public", ": private"), ("<float>", "<std::string>"), ("<int>", "<double>"), ("union", "struct"), ("operator", "apply"),
         ("begin()", "end()"), ("size()", "empty()"), ("break", "continue"), ("__syncthreads()", ""), ("nullptr", "this"))  # fmt: skip
_TOKEN = re.compile(r"\w+|[^\w\s]")


def texts() -> list[str]:
    """The texts that are changed."""
    return [sample.path.read_text(encoding="utf-8") for sample in samples()]


def mutation(originals: Sequence[str], seed: int, number: int) -> str:
    """One mutation; equal numbers of equal seeds are equal."""
    draw = random.Random(f"{seed} {number}")
    return mutated(draw.choice(originals), draw, originals)


def mutated(text: str, draw: random.Random, originals: Sequence[str] = ()) -> str:
    """The text with one to three changes; some put in lines of another original."""
    for _ in range(draw.randint(1, 3)):
        text = draw.choice(_CHANGES)(text, draw, originals or (text,))
    return text


def _number(text: str, draw: random.Random, _: Sequence[str]) -> str:
    places = list(re.finditer(r"\b\d+\b", text))
    return _replaced(text, draw.choice(places), draw.choice(NUMBERS)) if places else text


def _swapped(text: str, draw: random.Random, _: Sequence[str]) -> str:
    found = [(old, new) for old, new in SWAPS if old in text]
    if not found:
        return text
    old, new = draw.choice(found)
    return _replaced(text, draw.choice(list(re.finditer(re.escape(old), text))), new)


def _without_line(text: str, draw: random.Random, _: Sequence[str]) -> str:
    lines = text.split("\n")
    del lines[draw.randrange(len(lines))]
    return "\n".join(lines)


def _line_again(text: str, draw: random.Random, _: Sequence[str]) -> str:
    lines = text.split("\n")
    lines.insert(draw.randrange(len(lines)), draw.choice(lines))
    return "\n".join(lines)


def _lines_of_another(text: str, draw: random.Random, originals: Sequence[str]) -> str:
    lines, others = text.split("\n"), draw.choice(originals).split("\n")
    first = draw.randrange(len(others))
    at = draw.randrange(len(lines))
    lines[at:at] = others[first : first + draw.choice((1, 1, 3, 10))]
    return "\n".join(lines)


def _word(text: str, draw: random.Random, _: Sequence[str]) -> str:
    """Another word of the text in place of one, or none."""
    places = list(_TOKEN.finditer(text))
    if not places:
        return text
    new = draw.choice(places)[0] if draw.random() < 0.7 else ""
    return _replaced(text, draw.choice(places), new)


_CHANGES: Sequence[Callable[[str, random.Random, Sequence[str]], str]] = (
    _number, _number, _swapped, _swapped, _without_line, _line_again, _lines_of_another, _word,
)  # fmt: skip


def _replaced(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]


def nothing(_path: Path, _text: str, _outcome: ProgramOutcome) -> None:
    """Do no more with an outcome."""


def ending(text: str, then: Callable[[Path, str, ProgramOutcome], object] = nothing) -> str:
    """Run a program in a process that is made of this one, every second one with all launches compiled that can be, and do `then` with its
    file, text and outcome; how that ended: "ran", "not run", else the harm."""
    hear, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        _run(text, then, say)
    os.close(say)
    begin, ready = time.monotonic(), False
    while not ready and processor_seconds(pid) < LATE_S and time.monotonic() - begin < BUSY * LATE_S:
        ready = bool(select.select([hear], [], [], 1.0)[0])
    if not ready:
        os.kill(pid, signal.SIGKILL)
    said = b"".join(iter(lambda: os.read(hear, 1 << 16), b"")).decode(errors="replace")
    os.close(hear)
    status = os.waitpid(pid, 0)[1]
    if not ready:
        return "comes to no end"
    if os.WIFSIGNALED(status):
        return f"ends by signal {os.WTERMSIG(status)}"
    return said if os.WEXITSTATUS(status) == 0 else f"ends with status {os.WEXITSTATUS(status)}: {said}"


def _run(text: str, then: Callable[[Path, str, ProgramOutcome], object], say: int) -> None:
    """Say how it went and end the process: the thread of a program that was stopped never does."""
    path = FOLDER / "mutation.cu"
    limits = Limits(seconds=SECONDS, bytes=1 << 30, output=1 << 20, recorded=len(text) % 2 * Limits().recorded)
    try:
        records = Records()
        job = ProgramJob(text, path, (), limits, readable=None)
        outcome = execute(
            job, lambda _stream, _data: None, lambda _progress: None, records=records, open_file=lambda name: opened(job, name)
        )  # fmt: skip
        if not isinstance(outcome, NotRun):
            outcome = look(records).added_to(outcome)
        then(path, text, outcome)
        os.write(say, b"not run" if isinstance(outcome, NotRun) else b"ran")
        os._exit(0)
    except BaseException:
        os.write(say, traceback.format_exc()[-4000:].encode())
        os._exit(99)


def is_harm(how: str) -> bool:
    """Whether a program that ended so did what none may do."""
    return how not in ("ran", "not run")


def files_written(before: Sequence[str], empty: Path) -> list[str]:
    """What lies in a folder that was empty, where programs ran, and what has come beside the programs."""
    return sorted(path.name for path in empty.iterdir()) + sorted({path.name for path in FOLDER.iterdir()} - set(before))


def _shard(
    number: int, processes: int, first_seed: int, seconds: float, folder: Path, then: Callable[[Path, str, ProgramOutcome], object]
) -> None:
    """One process of a campaign: seeds number, number + processes, ... until the time is over. Keeps its count up to date in a file."""
    originals, counts, seed, begin = texts(), Counter[str](), first_seed + number, time.monotonic()
    while time.monotonic() - begin < seconds:
        for each in range(A_SEED):
            if time.monotonic() - begin >= seconds:
                break
            text = mutation(originals, seed, each)
            how = ending(text, then)
            counts[how.strip().rpartition("\n")[2][:200]] += 1
            if is_harm(how):
                with (folder / f"harm-{number}").open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"seed": seed, "number": each, "how": how, "text": text}) + "\n")
            (folder / f"counts-{number}").write_text(json.dumps(counts), encoding="utf-8")
        seed += processes


def campaign(
    seconds: float, processes: int, folder: Path, first_seed: int, then: Callable[[Path, str, ProgramOutcome], object] = nothing
) -> dict[str, object]:
    """Run one, and write down what came of it."""
    folder.mkdir(parents=True, exist_ok=True)
    versions = {name: version(name) for name in ("libclang", "llvmlite", "numpy")}  # before hours of work, where one is not known
    before = sorted(path.name for path in FOLDER.iterdir())
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        shards = [
            multiprocessing.get_context("fork").Process(target=_shard, args=(each, processes, first_seed, seconds, Path(kept), then))
            for each in range(processes)
        ]
        for shard in shards:
            shard.start()
        for shard in shards:
            shard.join(seconds + 2 * BUSY * LATE_S)
        counts: Counter[str] = Counter()
        for path in Path(kept).glob("counts-*"):
            counts.update(json.loads(path.read_text(encoding="utf-8")))
        harmful = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(kept).glob("harm-*")))
        written = files_written(before, Path(empty))
        os.chdir("/")
    found = [{name: value for name, value in json.loads(line).items() if name != "text"} for line in harmful.splitlines()]
    summary: dict[str, object] = {
        "mutations": counts.total(), "endings": dict(counts), "harmful": found, "files written": written, "seconds": seconds,
        "processes": processes, "processes that ended early": sum(shard.exitcode != 0 for shard in shards), "first seed": first_seed,
        "programs": len(samples()), "python": platform.python_version(), "cores": os.cpu_count(),
        "versions": versions,
    }  # fmt: skip
    (folder / "harmful.jsonl").write_text(harmful, encoding="utf-8")
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return summary


def main() -> int:
    """Run the campaign that the command line names."""
    given = [each for each in sys.argv[1:] if each != "--draw"]
    seconds, processes, folder = float(given[0]), int(given[1]), Path(given[2]).absolute()
    then: Callable[[Path, str, ProgramOutcome], object] = nothing
    if "--draw" in sys.argv:
        from tests.fuzz.drawn_programs import draw_apart

        then = draw_apart
    summary = campaign(seconds, processes, folder, int(given[3]) if len(given) > 3 else 1, then)
    sys.stdout.write(json.dumps(summary, indent=1) + "\n")
    return int(bool(summary["harmful"] or summary["files written"] or summary["processes that ended early"]))


if __name__ == "__main__":
    sys.exit(main())
