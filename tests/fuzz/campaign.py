"""Breaks the inputs of a reader for a while, led by what of the program each of them reaches. See README.md beside this file.

    python -m tests.fuzz.campaign READER SECONDS [FOLDER]

Inputs that a reader cannot stand are left in FOLDER/found, those that reached something new in FOLDER/corpus/READER.
"""

from __future__ import annotations

import importlib
import resource
import sys
import tempfile
from pathlib import Path

LARGEST_INPUT = 64 << 10
DEADLINE_S = 20
"""The longest that one input may take."""
MEMORY = 3 << 30
"""Bytes of addresses that may be taken while reading."""
SHORT = {"kernel": 6000}


def main() -> None:
    """Run one campaign; libFuzzer ends the process, with a status other than 0 where something was found."""
    reader, seconds = sys.argv[1], int(sys.argv[2])
    folder = Path(sys.argv[3] if len(sys.argv) > 3 else "build/fuzz").absolute()
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["app", "kernels", "tomllib", "json", "csv", "zipfile"]):
        from tests.fuzz.mutations import Mutator
        from tests.fuzz.originals import ORIGINALS
        from tests.fuzz.readers import READERS, Scratch

    originals = ORIGINALS[reader]()
    corpus, found = folder / "corpus" / reader, folder / "found"
    for each in (corpus, found):
        each.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(originals):
        (corpus / f"original-{number}").write_bytes(content[:LARGEST_INPUT])
    mutator = Mutator(originals)
    scratch = Scratch(Path(tempfile.mkdtemp(prefix="tilescope-fuzz-")))

    def once(content: bytes) -> None:
        READERS[reader](content, scratch)

    def custom(content: bytes, largest: int, seed: int) -> bytes:
        if seed % 2:
            return bytes(atheris.Mutate(content, largest))
        return mutator.broken(content, seed)[:largest]

    once(originals[0])  # all that is imported late
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    options = [
        f"-max_len={SHORT.get(reader, LARGEST_INPUT)}", f"-max_total_time={seconds}", f"-timeout={DEADLINE_S}", "-rss_limit_mb=2048",
        f"-artifact_prefix={found}/{reader}-", "-print_final_stats=1", "-verbosity=1", str(corpus),
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options], once, custom_mutator=custom)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
