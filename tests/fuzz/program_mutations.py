"""Whole programs with something changed at random, each executed in a process of its own; and a campaign of as many as fit into a time.

    python -m tests.fuzz.program_mutations SECONDS PROCESSES FOLDER [FIRST_SEED]

Writes `summary.json` (counts, versions, and of each mutation that did harm its number, seed and how it ended) and `harmful.jsonl` (the same
with the text) into FOLDER. A mutation is made anew by `mutation(texts, seed, number)`. The status is 1 where one did harm.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from kernels.simt.host import preloaded  # noqa: F401 - each mutation's process is copied from this one
from kernels.simt.host.execution import execute
from kernels.simt.host.result import Limits, NotRun, ProgramJob
from tests.program_corpus import FOLDER, samples

SECONDS = 2.0
LATE_S = 40.0
A_SEED = 100
"""Mutations of one seed, in a campaign."""
NUMBERS = ("0", "1", "-1", "7", "31", "1000", "1000000", "2147483647", "-2147483648", "4294967296", "0.5")
SWAPS = (("<", "<="), ("<=", "<"), ("<", ">"), ("+", "-"), ("*", "/"), ("/", "%"), ("++", "--"), ("&", ""), ("*", ""), ("[i]", "[i + 1]"),
         ("free", "(void)"), ("Host", "Device"), ("Device", "Host"), ("&&", "||"), ("= ", "+= "), ("sizeof", "100 * sizeof"))  # fmt: skip


def texts() -> list[str]:
    """The texts that are changed."""
    return [sample.path.read_text(encoding="utf-8") for sample in samples()]


def mutation(originals: Sequence[str], seed: int, number: int) -> str:
    """One mutation; equal numbers of equal seeds are equal."""
    draw = random.Random(f"{seed} {number}")
    return mutated(draw.choice(originals), draw)


def mutated(text: str, draw: random.Random) -> str:
    """The text with one to three changes."""
    for _ in range(draw.randint(1, 3)):
        kind = draw.randrange(4)
        if kind == 0:
            places = list(re.finditer(r"\b\d+\b", text))
            text = _replaced(text, draw.choice(places), draw.choice(NUMBERS)) if places else text
        elif kind == 1:
            old, new = draw.choice(SWAPS)
            places = list(re.finditer(re.escape(old), text))
            text = _replaced(text, draw.choice(places), new) if places else text
        elif kind == 2:
            lines = text.split("\n")
            del lines[draw.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            lines = text.split("\n")
            lines.insert(draw.randrange(len(lines)), draw.choice(lines))
            text = "\n".join(lines)
    return text


def _replaced(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]


def ending(text: str) -> str:
    """Run a program in a process that is made of this one, every second one with all launches compiled that can be; how that ended:
    "ran", "not run", else the harm."""
    pid = os.fork()
    if pid == 0:
        try:
            limits = Limits(seconds=SECONDS, bytes=1 << 30, output=1 << 20, recorded=len(text) % 2 * Limits().recorded)
            outcome = execute(ProgramJob(text, FOLDER / "mutation.cu", (), limits), lambda _stream, _data: None, lambda _progress: None)
            os._exit(0 if isinstance(outcome, NotRun) else 1)
        except BaseException as error:
            sys.__stderr__.write(f"{type(error).__name__}: {error}\n") if sys.__stderr__ else None
            os._exit(99)
    end = time.monotonic() + LATE_S
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return _told(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return f"still runs after {LATE_S:g} s"


def _told(status: int) -> str:
    if not os.WIFEXITED(status):
        return f"ends by signal {os.WTERMSIG(status)}"
    return {0: "not run", 1: "ran"}.get(os.WEXITSTATUS(status), f"ends with status {os.WEXITSTATUS(status)}")


def is_harm(how: str) -> bool:
    """Whether a program that ended so did what none may do."""
    return how not in ("ran", "not run")


def files_written(before: Sequence[str], empty: Path) -> list[str]:
    """What lies in a folder that was empty, where programs ran, and what has come beside the programs."""
    return sorted(path.name for path in empty.iterdir()) + sorted({path.name for path in FOLDER.iterdir()} - set(before))


def _shard(number: int, processes: int, first_seed: int, seconds: float, folder: Path) -> None:
    """One process of a campaign: seeds number, number + processes, ... until the time is over. Keeps its count up to date in a file."""
    originals, counts, seed, begin = texts(), Counter[str](), first_seed + number, time.monotonic()
    while time.monotonic() - begin < seconds:
        for each in range(A_SEED):
            if time.monotonic() - begin >= seconds:
                break
            text = mutation(originals, seed, each)
            how = ending(text)
            counts[how] += 1
            if is_harm(how):
                with (folder / f"harm-{number}").open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"seed": seed, "number": each, "how": how, "text": text}) + "\n")
            (folder / f"counts-{number}").write_text(json.dumps(counts), encoding="utf-8")
        seed += processes


def campaign(seconds: float, processes: int, folder: Path, first_seed: int) -> dict[str, object]:
    """Run one, and write down what came of it."""
    folder.mkdir(parents=True, exist_ok=True)
    before = sorted(path.name for path in FOLDER.iterdir())
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        shards = [
            multiprocessing.get_context("fork").Process(target=_shard, args=(each, processes, first_seed, seconds, Path(kept)))
            for each in range(processes)
        ]
        for shard in shards:
            shard.start()
        for shard in shards:
            shard.join(seconds + 2 * LATE_S)
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
        "versions": {name: version(name) for name in ("libclang", "llvmlite", "numpy")},
    }  # fmt: skip
    (folder / "harmful.jsonl").write_text(harmful, encoding="utf-8")
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return summary


def main() -> int:
    """Run the campaign that the command line names."""
    seconds, processes, folder = float(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]).absolute()
    summary = campaign(seconds, processes, folder, int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    sys.stdout.write(json.dumps(summary, indent=1) + "\n")
    return int(bool(summary["harmful"] or summary["files written"] or summary["processes that ended early"]))


if __name__ == "__main__":
    sys.exit(main())
