"""Phrases about points and results that several commands share."""

from __future__ import annotations

from app.core.tuning.sentences import settings_text
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem
from kernels.measure.results import Result


def size_text(problem: Problem) -> Message:
    """The sizes of a problem."""
    if problem.operation is Operation.MATMUL:
        return message("m = {m}, n = {n}, k = {k}", m=problem.m, n=problem.n, k=problem.k)
    return message("m = {m}, n = {n}", m=problem.m, n=problem.n)


def rate_text(result: Result) -> Message:
    """Say how fast a verified result is."""
    assert result.rate is not None
    if result.point.problem.operation is Operation.MATMUL:
        return message("{rate} GFLOP/s", rate=result.rate)
    return message("{rate} GB/s", rate=result.rate)


def error_text(result: Result) -> Message:
    """Say how far a verified result is from the float64 reference."""
    assert result.relative_error is not None
    assert result.allowed_error is not None
    if result.allowed_error == 0:
        return message("exact")
    return message("relative error {error}, allowed {allowed}", error=result.relative_error, allowed=result.allowed_error)


def outcome_text(result: Result) -> Message:
    """Say what came out of a point: its time, or why it has none."""
    if result.median_ms is None:
        return result.reason or message("no time")
    return message("{time} ms, {rate}", time=result.median_ms, rate=rate_text(result))


def progress_text(result: Result, done: int, total: int, seconds_left: float | None) -> Message:
    """Tell one finished point of a sweep."""
    point = result.point
    parameters = settings_text(point)
    named = message("{variant} ({parameters})", variant=point.variant_id, parameters=parameters) if parameters else point.variant_id
    line = message("{done} of {total}: {variant}, n = {n}: {outcome}",
                   done=done, total=total, variant=named, n=point.problem.n, outcome=outcome_text(result))  # fmt: skip
    return line if not seconds_left else message("{line} (about {seconds} s left)", line=line, seconds=max(1, round(seconds_left)))
