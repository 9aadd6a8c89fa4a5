"""A run on several ranks as it is drawn: what each did, the messages between them, and what is said of each."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from app.core.base.picture_parts import Table
from app.core.timelines.axis import Figure, Part, parts_of
from app.core.timelines.sentences import bytes_text, milliseconds, provenance
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.measure.real_run import Activity, Intervals, MpiTimeline, RunTimeline
from kernels.mpi.communication_volume import CommunicationVolume, layout, per_worker, volume
from kernels.mpi.conditions import remark

NS_PER_MS = 1e6
COLUMNS = (
    message("Computing"), message("Waiting"), message("Transfer"), message("Sent"), message("Received"), message("Formula"),
)  # fmt: skip
ACTIVITIES = {
    Activity.COMPUTING: message("computes"),
    Activity.WAITING: message("waits"),
    Activity.COMMUNICATING: message("communicates"),
}


@dataclass(frozen=True, eq=False)
class RankChart:
    """Chart of the ranks of one recording, analysed once. Times are in milliseconds."""

    recording: RunTimeline
    timeline: MpiTimeline

    @property
    def row_title(self) -> Message:
        return message("Rank")

    @property
    def rows(self) -> int:
        return self.timeline.ranks

    @property
    def elapsed_ms(self) -> float:
        return self.timeline.duration_ns / NS_PER_MS

    @property
    def two_streams(self) -> bool:
        """Whether the ranks send while they compute, each on its GPU."""
        return bool(self.timeline.beside.rank.size)

    @property
    def warning(self) -> Message | None:
        """Warning of more ranks than cores; None where there are enough."""
        return remark(self.recording.conditions)

    @cached_property
    def expected(self) -> CommunicationVolume:
        """What each rank must send and receive by the rung's definition."""
        return volume(self.recording.point.variant_id, self.recording.point.problem, self.rows)

    @cached_property
    def spent_ms(self) -> dict[Activity, list[float]]:
        """Milliseconds of each activity, by rank."""
        return {activity: (self.timeline.spent_ns(activity) / NS_PER_MS).tolist() for activity in Activity}

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The numbers of the run, the most important first."""
        sent = self.timeline.messages
        told = [
            Figure(message("{percent} %", percent=self._computing_percent), message("of the ranks' time computing")),
            Figure(bytes_text(int(sent.bytes.sum())), message("sent, in {count} messages", count=len(sent.bytes))),
        ]
        if self.two_streams:
            told.append(Figure(message("{percent} %", percent=self._hidden_percent), message("of the time of transfers behind products")))
        elif self.rows > 1:
            caption = message("received by each worker: {formula} floats", formula=self._formula)
            told.append(Figure(bytes_text(self._per_worker), caption))
        return tuple(told)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Parts of the run, in the order of `Activity`."""
        return tuple(Part(ACTIVITIES[activity], parts_of(self.spent_ms[activity], self.elapsed_ms)) for activity in Activity)

    @cached_property
    def facts(self) -> tuple[Message, ...]:
        """The figures as words and what else there is to say, the most important first."""
        sent = self.timeline.messages
        told = [
            message("computing {percent} % of the time", percent=self._computing_percent),
            message("{bytes} in {count} messages", bytes=bytes_text(int(sent.bytes.sum())), count=len(sent.bytes)),
        ]
        if self.rows > 1:
            received = bytes_text(self._per_worker)
            told.append(message("each worker receives {formula} floats = {bytes}", formula=self._formula, bytes=received))
        if self.two_streams:
            told.append(message("{percent} % of the time of transfers behind products", percent=self._hidden_percent))
        return (*told, *self.remarks)

    @property
    def remarks(self) -> tuple[Message, ...]:
        """What there is to say besides the figures."""
        return (provenance(self.recording),)

    @property
    def _computing_percent(self) -> float:
        whole = self.elapsed_ms * self.rows
        return 100 * sum(self.spent_ms[Activity.COMPUTING]) / whole if whole else 0.0

    @property
    def _hidden_percent(self) -> float:
        """Of the time in which GPUs send to each other, the part in which they compute as well."""
        hidden = self.timeline.hidden_ns
        return float(100 * hidden.sum() / self.timeline.sending_ns.sum())

    @property
    def _formula(self) -> str:
        return layout(self.recording.point.variant_id, self.rows).formula

    @property
    def _per_worker(self) -> float:
        point = self.recording.point
        return per_worker(point.variant_id, point.problem, self.rows)

    def cells(self, rank: int) -> tuple[Message, ...]:
        """The numbers beside a rank, under COLUMNS."""
        times = (milliseconds(self.spent_ms[activity][rank]) for activity in Activity)
        received = int(self.timeline.received_bytes[rank])
        agrees = message("equal") if received == self.expected.received[rank] else bytes_text(self.expected.received[rank])
        return (*times, bytes_text(int(self.timeline.sent_bytes[rank])), bytes_text(received), agrees)

    def message_tip(self, number: int) -> Message:
        """Return the tooltip of a message."""
        sent = self.timeline.messages
        start, end = sent.start_ns[number] / NS_PER_MS, sent.end_ns[number] / NS_PER_MS
        return message(
            "Rank {sender} to rank {receiver}: {bytes}, under way for {time} ({rate} GB/s), from {start} on",
            sender=int(sent.sender[number]), receiver=int(sent.receiver[number]), bytes=bytes_text(int(sent.bytes[number])),
            time=milliseconds(end - start), start=milliseconds(start), rate=int(sent.bytes[number]) / max(end - start, 1e-6) / 1e6,
        )  # fmt: skip

    def tip(self, rank: int, moment_ms: float, spent: Intervals) -> Message | None:
        """What the rank does at a moment, in the lane of these intervals; None beyond them."""
        moment = moment_ms * NS_PER_MS
        found = np.flatnonzero((spent.rank == rank) & (spent.start_ns <= moment) & (moment < spent.end_ns))
        if not found.size:
            return None
        at = int(found[0])
        activity, length = ACTIVITIES[Activity(int(spent.activity[at]))], milliseconds((spent.end_ns[at] - spent.start_ns[at]) / NS_PER_MS)
        line = int(spent.line[at])
        if not line:
            return message("Rank {rank} {activity} for {time}", rank=rank, activity=activity, time=length)
        return message(
            "Rank {rank} {activity} for {time}, in the call of line {line}", rank=rank, activity=activity, time=length, line=line
        )

    def table(self) -> Table:
        """Table of every message, in the order in which they were sent."""
        titles = (message("From"), message("To"), message("Bytes"), message("Start, ms"), message("End, ms"))
        sent = self.timeline.messages
        rows = tuple(
            (str(sender), str(receiver), str(size), f"{start / NS_PER_MS:.4f}", f"{end / NS_PER_MS:.4f}")
            for sender, receiver, size, start, end in zip(*(column.tolist() for column in sent), strict=True)
        )
        return Table(titles, rows)
