"""What each rank did and sent, for people and as JSON."""

from __future__ import annotations

from typing import Any

from app.cli.console import Console
from kernels.base.messages import message
from kernels.measure.real_run import Activity, MpiTimeline
from kernels.measure.results import Point
from kernels.mpi.communication_volume import layout, per_worker, volume

NS_PER_MS = 1e6


def timeline_object(point: Point, timeline: MpiTimeline) -> dict[str, Any]:
    """Times in milliseconds from the beginning of the run, bytes as recorded and as the rung's formula has them."""
    place = layout(point.variant_id, timeline.ranks)
    intervals, messages = timeline.intervals, timeline.messages
    return {
        "duration_ms": timeline.duration_ns / NS_PER_MS,
        "grid": [place.p, place.q],
        "formula": place.formula,
        "formula_bytes_per_worker": per_worker(point.variant_id, point.problem, timeline.ranks),
        "ranks": _ranks(point, timeline),
        "intervals": [
            {
                "rank": rank, "activity": Activity(activity).name.lower(), "line": line,
                "start_ms": start / NS_PER_MS, "end_ms": end / NS_PER_MS,
            }
            for rank, activity, start, end, line in zip(*(column.tolist() for column in intervals), strict=True)
        ],
        "messages": [
            {"from": sender, "to": receiver, "bytes": size, "start_ms": start / NS_PER_MS, "end_ms": end / NS_PER_MS}
            for sender, receiver, size, start, end in zip(*(column.tolist() for column in messages), strict=True)
        ],
    }  # fmt: skip


def rank_rows(point: Point, timeline: MpiTimeline, console: Console) -> list[list[str]]:
    """One line for each rank, under its titles; the last two tell what the formula says."""
    titles = (
        message("Rank"), message("Host"), message("Computing, ms"), message("Communicating, ms"), message("Waiting, ms"),
        message("Bytes sent"), message("Bytes received"), message("By the formula"),
    )  # fmt: skip
    rows = [[console.text(title) for title in titles]]
    number = console.translator.number
    for rank in _ranks(point, timeline):
        times = [number(rank[f"{activity}_ms"]) for activity in ("computing", "communicating", "waiting")]
        sizes = [number(rank[name]) for name in ("sent_bytes", "received_bytes", "expected_received_bytes")]
        rows.append([str(rank["rank"]), rank["host"], *times, *sizes])
    return rows


def _ranks(point: Point, timeline: MpiTimeline) -> list[dict[str, Any]]:
    spent = {activity: timeline.spent_ns(activity) for activity in Activity}
    expected = volume(point.variant_id, point.problem, timeline.ranks)
    return [
        {
            "rank": rank,
            "host": timeline.hosts[rank],
            "clock_error_ms": timeline.clock_error_ns[rank] / NS_PER_MS,
            **{f"{activity.name.lower()}_ms": float(spent[activity][rank]) / NS_PER_MS for activity in Activity},
            "sent_bytes": int(timeline.sent_bytes[rank]),
            "received_bytes": int(timeline.received_bytes[rank]),
            "expected_sent_bytes": expected.sent[rank],
            "expected_received_bytes": expected.received[rank],
        }
        for rank in range(timeline.ranks)
    ]
