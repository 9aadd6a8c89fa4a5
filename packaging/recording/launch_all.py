"""Launch every CUDA rung at small and odd sizes, and verify it: what compute-sanitizer watches.

    PYTHONPATH=.:packaging compute-sanitizer --tool memcheck --error-exitcode 9 python packaging/recording/launch_all.py

and the same with racecheck, initcheck and synccheck. With `--all` each other value that is offered of a parameter is launched too,
with `--part 1/8` an eighth of the launches, for several processes at once, with ids of variants only these. Nothing is timed. The exit
status is 1 where an output is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from kernels.base.arrays import never
from kernels.base.limits import Limits, refuse
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device, Operation, Output, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.gpu.detect import look
from kernels.gpu.execution import Executor

SIZES = ((17, 19, 23), (64, 64, 64), (130, 133, 70), (257, 260, 48), (66, 70, 90))
"""m, n and k: rows of odd length, whole tiles, edges that no tile meets, rows of whole float4 with edges, rows of whole float2."""


def settings(variant: Variant, others: bool) -> Iterator[dict[str, int]]:
    """The defaults, and with `others` each other value that is offered of one parameter."""
    yield variant.defaults
    for parameter in variant.parameters if others else ():
        yield from (variant.defaults | {parameter.name: stop} for stop in parameter.stops if stop != parameter.default)


def points(limits: Limits, others: bool, only: Sequence[str] = ()) -> Iterator[Case]:
    """What is launched: all that is not refused."""
    for variant in VARIANTS:
        if only and variant.id not in only:
            continue
        if variant.device is not Device.GPU or variant.launch is None or variant.operation is Operation.HELLO:
            continue
        for m, n, k in SIZES:
            problem = Problem.of(variant.operation, m, n if variant.output is not Output.IN_PLACE else m, k)
            for setting in settings(variant, others):
                if refuse(variant, problem, setting, limits) is None:
                    yield Case(variant.id, problem, setting)


def right(point: Case, executor: Executor, references: ReferenceCache) -> bool:
    """Whether one launch gives the right output."""
    with executor.prepare(point) as execution:
        for name, matrix in references.inputs(point.problem).items():
            execution.fill(name, 0, np.ascontiguousarray(matrix))
        execution.poison()
        execution.sample()
        output = execution.output(0, point.problem.shapes["C"][0])
    variant = point.variant
    reference = references.reference(point.problem, never, variant.output).judging(variant, point.problem, point.parameters)
    return reference.verify(output, never).reason is None


def asked(arguments: list[str]) -> argparse.Namespace:
    """The command line: whether all values are launched, and which part of how many."""
    parser = argparse.ArgumentParser(description="launch every CUDA rung at small and odd sizes, and verify it")
    parser.add_argument("--all", action="store_true", help="each other value that is offered of a parameter, too")
    parser.add_argument("--part", default="1/1", help="which part of the launches, of how many")
    parser.add_argument("only", nargs="*", help="ids of variants; all where none is given")
    return parser.parse_args(arguments)


def main() -> int:
    arguments = asked(sys.argv[1:])
    part, parts = map(int, arguments.part.split("/"))
    status = look()
    if not status.ready:
        sys.exit(f"{status.reason} {status.remedy}")
    executor, references = Executor(status), ReferenceCache(1)
    chosen = list(points(status.limits, arguments.all, arguments.only))[part - 1 :: parts]
    done = [(point, right(point, executor, references)) for point in chosen]
    wrong = [f"{point.variant_id} {point.problem} {dict(point.parameters)}" for point, is_right in done if not is_right]
    sys.stdout.write("\n".join([f"{len(done)} launches, {len(wrong)} wrong", *wrong, ""]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
