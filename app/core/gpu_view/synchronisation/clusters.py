"""A cluster of blocks as a picture: what each block's shared memory holds at a moment, who has sent it, and who waits for whom."""

from __future__ import annotations

from bisect import bisect_right
from math import prod

from app.core.base.picture_parts import Table, Verdict
from app.core.gpu_view.blocks import place, times
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.cluster_transfers import (
    Span,
    Transfer,
    Wait,
    Way,
    between,
    place_number,
    places_of,
    transfers_of,
    waits_of,
)
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Space

SHOWN = 24
NO_CLUSTER = message("The launch has no clusters: its blocks share global memory alone.")


@dataclass(frozen=True, slots=True, eq=False)
class Cluster:
    """Cluster: its blocks by rank, all transfers in order, and the places of shared memory that these touch."""

    blocks: tuple[Dim3, ...]
    members: tuple[int, ...]
    """The blocks' places in the trace."""
    transfers: tuple[Transfer, ...]
    places: tuple[Span, ...]
    names: tuple[str, ...]
    """Of the places."""
    waits: tuple[tuple[Wait, ...], ...]
    """Of each block."""
    changes: dict[tuple[int, int], list[Transfer]]
    """What comes to a place of a block, in order."""

    def name(self, rank: int) -> str:
        """A block as it is written."""
        return place(self.blocks[rank])

    def blocks_text(self, ranks: tuple[int, ...]) -> str:
        """Some blocks as they are written."""
        return ", ".join(map(self.name, ranks))


@dataclass(frozen=True, slots=True, eq=False)
class ClustersPicture:
    """A moment of a cluster: `now` are the transfers under way; `running` is the rank of the block whose step it is."""

    cluster: Cluster
    step: int
    now: tuple[Transfer, ...]
    held: dict[tuple[int, int], Transfer]
    """What came last to each place of each block, or is coming."""
    running: int
    waiting: frozenset[int]
    """The blocks that wait at the cluster's barrier."""
    chosen: int | None
    """The place that is pointed at."""
    window: Span
    """The steps that are shown around this one."""

    @property
    def last(self) -> Transfer | None:
        """Of the transfers under way the one that began last."""
        return self.now[-1] if self.now else None


def in_clusters(index: LaunchIndex) -> bool:
    """Whether the launch has clusters of more than one block."""
    return prod(index.trace.cluster) > 1


def clusters_picture(index: LaunchIndex, frame: Frame, element: tuple[int, int] | None = None) -> ClustersPicture | Message:
    """The picture of a frame, with the place of a selected element of shared memory; or why there is none."""
    if not in_clusters(index):
        return NO_CLUSTER
    cluster, step = index.once(_Clusters).of(index, frame.block), frame.step
    now = tuple(each for each in cluster.transfers if each.start <= step < each.stop)
    held = {}
    for key, changes in cluster.changes.items():
        at = bisect_right(changes, step, key=lambda each: each.start)
        if at:
            held[key] = changes[at - 1]
    waiting = {rank for rank, waits in enumerate(cluster.waits) if any(each.start <= step < each.stop for each in waits)}
    running = cluster.members.index(frame.block_number)
    chosen, waits = _chosen(index, cluster, element), frozenset(waiting - {running})
    return ClustersPicture(cluster, step, now, held, running, waits, chosen, _window(index, cluster, step))


def _window(index: LaunchIndex, cluster: Cluster, step: int) -> Span:
    """Steps with about `SHOWN` transfers; the window moves on by halves."""
    length = max(index.steps * SHOWN // max(len(cluster.transfers), SHOWN), 16)
    start = max(step // (length // 2) * (length // 2) - length // 4, 0)
    return start, start + length


class _Clusters:
    """What is found of each cluster when it is asked for."""

    def __init__(self, _index: LaunchIndex) -> None:
        self._known: dict[Dim3, Cluster] = {}

    def of(self, index: LaunchIndex, block: Dim3) -> Cluster:
        """The cluster of a block."""
        size = index.trace.cluster
        x, y, z = (each // extent for each, extent in zip(block, size, strict=True))
        if (x, y, z) not in self._known:
            self._known[x, y, z] = _cluster(index, (x, y, z))
        return self._known[x, y, z]


def _cluster(index: LaunchIndex, number: Dim3) -> Cluster:
    x, y, z = index.trace.cluster
    places = [(number[0] * x + i, number[1] * y + j, number[2] * z + k) for k in range(z) for j in range(y) for i in range(x)]
    numbers = {block: at for at, block in enumerate(index.trace.blocks)}
    members = tuple(numbers.get(block, -1) for block in places)
    transfers = transfers_of(index, members)
    spans = places_of(transfers)
    changes: dict[tuple[int, int], list[Transfer]] = {}
    for each in transfers:
        for rank in each.receivers if each.way is not Way.READ else ():
            changes.setdefault((place_number(spans, each.address), rank), []).append(each)
    names = tuple(_name(index, *each) for each in spans)
    return Cluster(tuple(places), members, transfers, spans, names, waits_of(index, members), changes)


def _name(index: LaunchIndex, first: int, end: int) -> str:
    """A part of shared memory by its array: the outermost indices that it begins at, else its first byte there."""
    arrays = (each for each in index.trace.allocations if each.space is Space.SHARED and each.address <= first < each.address + each.bytes)
    array = next(arrays, None)
    if array is None:
        return f"{first}..{end - 1}"
    offset, size, indices = first - array.address, array.bytes, ""
    if end - first >= array.bytes:
        return array.name
    for extent in array.shape[: max(len(array.shape) - 1, 0)]:
        size //= max(extent, 1)
        if not size or end - first > size:
            rows = between(offset // size, (offset + end - first - 1) // size) if size and offset % size == 0 else ""
            return f"{array.name}{indices}{rows}" if rows else f"{array.name}{indices} + {offset}"
        indices += f"[{offset // size}]"
        offset %= size
        if end - first == size and not offset:
            return f"{array.name}{indices}"
    return f"{array.name}{indices} + {offset}"


def _chosen(index: LaunchIndex, cluster: Cluster, element: tuple[int, int] | None) -> int | None:
    if element is None or not cluster.places:
        return None
    array = index.trace.allocations[element[0]]
    address = array.address + element[1] * array.element_bytes
    number = place_number(cluster.places, address)
    first, end = cluster.places[number]
    return number if array.space is Space.SHARED and first <= address < end else None


def element_of(index: LaunchIndex, cluster: Cluster, number: int) -> tuple[int, int] | None:
    """The element of an array in shared memory at which a place begins."""
    first, _ = cluster.places[number]
    for at, each in enumerate(index.trace.allocations):
        if each.space is Space.SHARED and each.address <= first < each.address + each.bytes:
            return at, (first - each.address) // each.element_bytes
    return None


# ------------------------------------------------------------ words


def clusters_fact(index: LaunchIndex, picture: ClustersPicture) -> Message:
    """The size of the cluster, and what its copies read and bring in all."""
    copies = [each for each in picture.cluster.transfers if each.way is Way.COPY]
    size, read = times(index.trace.cluster), sum(each.bytes for each in copies)
    if not read:
        return message("{size} blocks in the cluster", size=size)
    received = sum(each.bytes * len(each.receivers) for each in copies)
    return message("{size} blocks in the cluster: {read} bytes read, {received} received", size=size, read=read, received=received)


def clusters_verdict(picture: ClustersPicture) -> Verdict | None:
    """How many blocks get what is read once."""
    last = picture.last
    if last is None or last.way is not Way.COPY:
        return None
    count = len(last.receivers)
    return Verdict(message("1 read for 1 block") if count == 1 else message("1 read for {count} blocks", count=count), 1.0)


def clusters_sentence(picture: ClustersPicture) -> Message:
    """What the place pointed at holds, else what is on its way, else who waits."""
    cluster, last = picture.cluster, picture.last
    if picture.chosen is not None:
        return _place_sentence(picture, picture.chosen)
    if last is not None and len(picture.now) > 1 and last.way is Way.COPY:
        return message("{transfer} {count} copies are on their way.", transfer=transfer_words(cluster, last), count=len(picture.now))
    if last is not None:
        return transfer_words(cluster, last)
    if picture.waiting:
        waiting = cluster.blocks_text(tuple(sorted(picture.waiting)))
        return message("Nothing goes from block to block; at the cluster's barrier wait: {blocks}.", blocks=waiting)
    return message("Nothing goes from block to block in this step.")


def clusters_brief(picture: ClustersPicture) -> Message:
    """The same where there is little room: of what is on its way where it goes."""
    last = picture.last
    if picture.chosen is not None or last is None or last.way is not Way.COPY:
        return clusters_sentence(picture)
    place_name = picture.cluster.names[place_number(picture.cluster.places, last.address)]
    receivers = picture.cluster.blocks_text(last.receivers)
    return message("{bytes} bytes go to {place} in {receivers}.", bytes=last.bytes, place=place_name, receivers=receivers)


def transfer_words(cluster: Cluster, each: Transfer) -> Message:
    """A transfer as a sentence."""
    place_name = cluster.names[place_number(cluster.places, each.address)]
    told: dict[str, str | int] = {
        "sender": cluster.name(each.sender), "receivers": cluster.blocks_text(each.receivers), "bytes": each.bytes, "place": place_name,
    }  # fmt: skip
    if each.way is Way.READ:
        return message("Block {sender} reads {bytes} bytes of {place} in block {receivers}.", **told)
    if each.way is Way.WRITE:
        return message("Block {sender} writes {bytes} bytes to {place} in block {receivers}.", **told)
    if each.way is Way.UPDATE:
        return message("Block {sender} updates {bytes} bytes of {place} in block {receivers}.", **told)
    if not each.source:
        return message("Block {sender} has sent {bytes} bytes, which go to {place} in {receivers}.", **told)
    return message("Block {sender} has asked for {source}: {bytes} bytes go to {place} in {receivers}.", source=each.source, **told)


def _place_sentence(picture: ClustersPicture, number: int) -> Message:
    cluster, said = picture.cluster, list[str]()
    for rank in range(len(cluster.blocks)):
        each = picture.held.get((number, rank))
        if each is not None:
            said.append(f"{cluster.name(rank)} {each.source} ← {cluster.name(each.sender)}")
    if not said:
        return message("{place}: nothing has come there yet.", place=cluster.names[number])
    return message("{place} holds in {held}", place=cluster.names[number], held="; ".join(said))


def clusters_table(picture: ClustersPicture) -> Table:
    """A row for each place, a column for each block: what is there, and which block sent it."""
    cluster = picture.cluster
    blocks = (message("Block {block}", block=cluster.name(rank)) for rank in range(len(cluster.blocks)))
    titles = message("Place in shared memory"), *blocks
    rows = []
    for number, name in enumerate(cluster.names):
        cells = [name]
        for rank in range(len(cluster.blocks)):
            each = picture.held.get((number, rank))
            coming = " …" if each is not None and each.coming(rank, picture.step) else ""
            cells.append("" if each is None else f"{each.source} ← {cluster.name(each.sender)}{coming}")
        rows.append(tuple(cells))
    return Table(titles, tuple(rows))
