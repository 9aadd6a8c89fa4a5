"""Predicted beside measured counters of every recorded launch: `python tests/perf/predicted_counters.py [--device h200] [ID ...]`.

A line for each counter: predicted from the trace and the machine code, measured, and which rule explains the difference; at the end
how many agree, are explained, and are not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from app.core.predictions.predicted_and_measured import compare
from app.core.predictions.prediction import predict
from app.core.predictions.question import Compared, tidy
from app.core.predictions.recorded_counters import recorded_counters
from kernels.analysis.device_profiles import profiles
from kernels.base.messages import Message
from kernels.base.spec import Problem
from kernels.catalogue.catalogue import find
from tests.perf.figures import Figure

DEVICE = "h200"


def verdict(row: Compared) -> str:
    """Whether a counter agrees, is explained or is not."""
    if row.measured is None or row.written is None:
        return "one of them only"
    return "equal" if row.reason is None else "explained" if row.explained else "unexplained"


def line(row: Compared) -> str:
    written, compiled, measured = ("" if value is None else str(tidy(value)) for value in (row.written, row.predicted, row.measured))
    return f"  {row.id:26} {written:>14} {compiled:>14} {measured:>14}  {row.reason or verdict(row)}"


def launches(device: str, wanted: Sequence[str] = ()) -> Iterator[tuple[str, list[Compared] | Message]]:
    """Each recorded launch, of the variants that are wanted or of all, with its counters or why there are none."""
    recording = recorded_counters(device)
    if recording is None:
        sys.exit(f"nothing is recorded for {device}")
    profile = next(each for each in profiles() if each.id == device)
    for (name, m, n, k, parameters), values in recording.launches.items():
        variant = find(name)
        if variant is None or (wanted and name not in wanted):
            continue
        prediction = predict(variant, Problem.of(variant.operation, m, n, k), dict(parameters), profile)
        rows = prediction if isinstance(prediction, Message) else list(compare(prediction, values))
        yield f"{name} {m} x {n} x {k} {dict(parameters)}", rows


def figures(*, quick: bool) -> list[Figure]:
    """How many counters are as predicted, differ for a reason that is known, and for none."""
    found = [verdict(row) for _, rows in launches(DEVICE) if not isinstance(rows, Message) for row in rows]
    return [Figure(kind, found.count(kind), "counters", f"recorded on {DEVICE}") for kind in ("equal", "explained", "unexplained")]


def main() -> None:
    parser = argparse.ArgumentParser(description="Predicted beside measured counters of every recorded launch.")
    parser.add_argument("--device", default=DEVICE)
    parser.add_argument("variants", nargs="*")
    arguments = parser.parse_args()
    verdicts = Counter[str]()
    for launch, rows in launches(arguments.device, arguments.variants):
        sys.stdout.write(f"{launch}\n")
        if isinstance(rows, Message):
            sys.stdout.write(f"  {rows}\n")
            continue
        for row in rows:
            verdicts[verdict(row)] += 1
            sys.stdout.write(line(row) + "\n")
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{kind}: {count}" for kind, count in verdicts.most_common()) + "\n")


if __name__ == "__main__":
    main()
