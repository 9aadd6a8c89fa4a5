"""Random kernels: the generated code, the tree-walking oracle and g++ agree on every bit that they write.

TILESCOPE_FUZZ_PROGRAMS says how many of each kind are compared (before a release: 5000), TILESCOPE_FUZZ_SEED from which seed on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kernels.simt.base.launch import Mode
from kernels.simt.ir import Binary, Type
from tests.oracle import arithmetic, comparison, fuzz, host, programs
from tests.oracle.memory import Value

SEED = 20_000
FIRST = int(os.environ.get("TILESCOPE_FUZZ_SEED", SEED))
PROGRAMS = int(os.environ.get("TILESCOPE_FUZZ_PROGRAMS", "60"))
PROCESSES = min(os.cpu_count() or 1, 4)

SANITIZED = ("-O1", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all")


def seeded(first: int, count: int) -> Sequence[str]:
    return [programs.write(Random(seed)) for seed in range(first, first + count)]


@pytest.mark.timeout(1800)
def test_generated_code_the_oracle_and_gpp_agree() -> None:
    found = [each for batch in fuzz.differences(PROGRAMS, FIRST, PROCESSES) for each in batch]
    assert found == [], f"{len(found)} differ; python -m tests.oracle.fuzz {PROGRAMS} {FIRST} repeats it\n" + "\n\n".join(found[:3])


@pytest.mark.skipif(not host.available(), reason=host.MISSING)
def test_the_programs_do_something(tmp_path: Path) -> None:
    """They differ from thread to thread and from program to program: else agreeing means little."""
    results = host.run(seeded(SEED, 20), programs.arguments(SEED), tmp_path)
    distinct = [len(np.unique(result["out"])) for result in results]
    assert np.median(distinct) > programs.GRID * programs.BLOCK
    assert len({result["out"].tobytes() for result in results}) > 0.8 * len(results), "some return before they write"


@pytest.mark.skipif(not host.available() or not sys.platform.startswith("linux"), reason="needs g++ and its sanitizer on Linux")
def test_the_programs_do_nothing_undefined(tmp_path: Path) -> None:
    try:
        host.run(seeded(SEED, 1), programs.arguments(SEED), tmp_path, SANITIZED)
    except (AssertionError, OSError) as error:
        pytest.skip(f"the sanitizer does not work here: {error}")
    host.run(seeded(SEED, 20), programs.arguments(SEED), tmp_path, SANITIZED)


def compare_ten() -> None:
    for text in seeded(SEED, 10):
        comparison.agree(text, programs.arguments(SEED), modes=(Mode.BLOCK,))


def test_a_mistake_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotients rounded down instead of towards zero, in one of the two that are compared."""
    right = arithmetic.binary

    def wrong(operator: Binary, left: Value, right_hand: Value, kind: Type) -> Value:
        if operator is Binary.DIVIDE and isinstance(left, int) and isinstance(right_hand, int):
            return left // right_hand
        return right(operator, left, right_hand, kind)

    monkeypatch.setattr(arithmetic, "binary", wrong)
    with pytest.raises(AssertionError, match=r"by oracle in"):
        compare_ten()
