"""Programs with something changed at random: none crashes its process, none runs past the deadline, none writes anything but its output.

`TILESCOPE_MUTATIONS` is how many. `program_mutations.py` runs a campaign of them on all cores.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz.program_mutations import ending, files_written, is_harm, mutation, texts
from tests.program_corpus import FOLDER

COUNT = int(os.environ.get("TILESCOPE_MUTATIONS", "40"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.timeout(0)
def test_no_mutation_does_any_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    originals, empty = texts(), tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    before = sorted(path.name for path in FOLDER.iterdir())
    seed = int(os.environ.get("TILESCOPE_SEED", "1"))
    ran = 0
    for number in range(COUNT):
        text = mutation(originals, seed, number)
        how = ending(text)
        (tmp_path / "last.cu").write_text(text, encoding="utf-8")
        assert not is_harm(how), f"mutation {number} of seed {seed} {how}:\n{text}"
        ran += how == "ran"
    assert files_written(before, empty) == []
    assert ran > COUNT // 4
