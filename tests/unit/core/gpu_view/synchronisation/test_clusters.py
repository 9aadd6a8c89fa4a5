"""A cluster in a picture: which block receives what, what is on its way, what threads reach in other blocks, and who waits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.cluster_transfers import Way, places_of, transfers_of
from app.core.gpu_view.synchronisation.clusters import (
    ClustersPicture,
    clusters_fact,
    clusters_picture,
    clusters_sentence,
    clusters_table,
    clusters_verdict,
    element_of,
    in_clusters,
    transfer_words,
)
from kernels.base.messages import Message
from tests.launches.launch_records import launch_of, record_of, recorded
from tests.oracle.corpus import FOLDER, read
from tests.oracle.instructions import filled


@cache
def multicast() -> LaunchIndex:
    return of_corpus("cluster-multicast")


def of_corpus(name: str) -> LaunchIndex:
    case = read(FOLDER / "instructions" / f"{name}.cu")
    return recorded(case.text, filled(case.kernel, case.request))


def picture(index: LaunchIndex, step: int, element: tuple[int, int] | None = None) -> ClustersPicture:
    found = clusters_picture(index, frame_at(index, step), element)
    assert isinstance(found, ClustersPicture), found
    return found


def test_each_half_of_a_tile_goes_to_the_blocks_that_need_it() -> None:
    cluster = picture(multicast(), 0).cluster
    copies = [each for each in cluster.transfers if each.way is Way.COPY]
    assert cluster.blocks == ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))
    assert len(copies) == 3 * 4 * 2
    assert {each.bytes for each in copies} == {512}
    rows = {(each.sender, each.receivers) for each in copies if each.source.startswith("A")}
    columns = {(each.sender, each.receivers) for each in copies if each.source.startswith("B")}
    assert rows == {(0, (0, 1)), (1, (0, 1)), (2, (2, 3)), (3, (2, 3))}
    assert columns == {(0, (0, 2)), (2, (0, 2)), (1, (1, 3)), (3, (1, 3))}
    assert {each.source for each in copies if each.sender == 1} == {
        *(f"A[{step}][128..255]" for step in range(3)),
        *(f"B[{step}][256..383]" for step in range(3)),
    }


def test_a_copy_is_on_its_way_until_each_receiver_has_seen_it() -> None:
    index = multicast()
    first = picture(index, 0).cluster.transfers[0]
    assert first.start < min(first.stops)
    for step in (first.start - 1, first.start, min(first.stops), first.stop):
        shown = picture(index, step)
        held = {rank: shown.held.get((0, rank)) for rank in range(4)}
        assert (first in shown.now) == (first.start <= step < first.stop)
        for rank, stop in zip(first.receivers, first.stops, strict=True):
            number = next(at for at, each in enumerate(shown.cluster.places) if each[0] == first.address)
            each = shown.held.get((number, rank))
            assert (each is first and each.coming(rank, step)) == (first.start <= step < stop), held


def test_places_are_the_parts_that_copies_fill_by_their_names() -> None:
    cluster = picture(multicast(), 0).cluster
    assert cluster.names[:4] == ("As[0][0..7]", "As[0][8..15]", "As[1][0..7]", "As[1][8..15]")
    assert all(stop <= start for (_, stop), (start, _) in zip(cluster.places, cluster.places[1:], strict=False))
    for number in range(len(cluster.places)):
        element = element_of(multicast(), cluster, number)
        assert picture(multicast(), 0, element).chosen == number


def test_barriers_that_other_blocks_arrive_at_are_updates() -> None:
    cluster = picture(multicast(), 0).cluster
    updates = {(each.sender, each.receivers) for each in cluster.transfers if each.way is Way.UPDATE}
    assert updates == {(sender, (sender ^ other,)) for sender in range(4) for other in (1, 2)}


def test_blocks_wait_at_the_barrier_of_their_cluster() -> None:
    index = multicast()
    cluster = picture(index, 0).cluster
    first, second = ([wait for waits in cluster.waits for wait in waits if wait.phase == phase] for phase in (0, 1))
    assert len({wait.stop for wait in first}) == len({wait.stop for wait in second}) == 1
    assert len(first) >= 3
    assert max(wait.stop for wait in first) <= cluster.transfers[0].start
    early = min(first, key=lambda wait: wait.start)
    rank = next(rank for rank, waits in enumerate(cluster.waits) if early in waits)
    assert rank not in picture(index, early.start - 1).waiting
    assert rank in picture(index, early.stop - 1).waiting
    assert rank not in picture(index, early.stop).waiting


def test_a_block_does_nothing_while_it_waits() -> None:
    """Warps that have nothing to do arrive at the end of the launch at once: the block waits when its last one has."""
    index = launch_of("gpu.wgmma-clusters-bf16", 128)
    cluster = picture(index, 0).cluster
    done = index.trace.rows.block[index.record.order.row]
    waits = [(member, wait) for member, waits in zip(cluster.members, cluster.waits, strict=True) for wait in waits]
    assert {wait.phase for _, wait in waits} == {0, 1}
    for member, wait in waits:
        assert not (done[wait.start : wait.stop] == member).any(), (member, wait)


def test_what_threads_write_in_another_block() -> None:
    index = of_corpus("cluster-neighbours-memory")
    clusters = [picture(index, step).cluster for step in (0, index.steps - 1)]
    every = [each for cluster in clusters for each in cluster.transfers]
    assert {picture(index, step).cluster.blocks for step in range(index.steps)} == {
        ((0, 0, 0), (1, 0, 0)),
        ((2, 0, 0), (3, 0, 0)),
    }
    assert {(each.way, each.sender, each.receivers, each.bytes) for each in every} == {(Way.WRITE, 0, (1,), 128), (Way.WRITE, 1, (0,), 128)}
    step = every[0].start
    assert str(clusters_sentence(picture(index, step))) == "Block (1, 0) writes 128 bytes to kept in block (0, 0)."


def test_it_is_said_in_words_and_as_a_table() -> None:
    index = multicast()
    shown = picture(index, 309)
    assert str(clusters_fact(index, shown)) == "2 × 2 blocks in the cluster: 12288 bytes read, 24576 received"
    verdict = clusters_verdict(shown)
    assert verdict is not None
    assert str(verdict.text) == "1 read for 2 blocks"
    assert str(clusters_sentence(shown)).endswith("512 bytes go to Bs[0][0..7] in (1, 0), (1, 1). 4 copies are on their way.")
    table = clusters_table(shown)
    assert len(table.titles) == 5
    assert dict(zip(("place", "0", "1", "2", "3"), table.rows[0], strict=True))["1"] == "A[0][0..127] ← (0, 0)"
    assert str(clusters_sentence(picture(index, 309, element_of(index, shown.cluster, 0)))).startswith("As[0][0..7] holds in (0, 0) A[0]")


def test_parts_that_overlap_are_one_place_and_parts_that_touch_stay() -> None:
    index = multicast()
    one, *_ = transfers_of(index, tuple(index.trace.blocks.index(block) for block in picture(index, 0).cluster.blocks))
    spans = [replace(one, address=address, bytes=size) for address, size in ((0, 64), (64, 64), (96, 64), (256, 32))]
    assert places_of(spans) == ((0, 64), (64, 160), (256, 288))
    assert places_of([replace(each, way=Way.READ, line=1) for each in spans]) == ((0, 160), (256, 288))


@pytest.mark.parametrize("variant", ["gpu.tiled", "gpu.async"])
def test_a_launch_without_clusters_has_no_such_picture(variant: str) -> None:
    index = launch_of(variant, 16)
    assert not in_clusters(index)
    assert isinstance(clusters_picture(index, frame_at(index, 0)), Message)


SENT = r"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__device__ unsigned other(unsigned a) {
    unsigned r, d;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(r ^ 1));
    return d;
}
__global__ __cluster_dims__(2, 1, 1) void k(float* out) {
    __shared__ __align__(128) float mine[32], theirs[32];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    mine[t] = t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(AT(&full)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" :: "r"(AT(&full)) : "memory");
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    SEND
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra L; }" :: "r"(AT(&full)) : "memory");
    out[blockIdx.x * 32 + t] = theirs[t];
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}"""
TX = "shared::cluster.mbarrier::complete_tx::bytes"


@pytest.mark.parametrize(
    ("send", "words"),
    [
        (
            f'if (t == 0) asm volatile("cp.async.bulk.{TX.replace("cluster.", "cluster.shared::cta.")} [%0], [%1], 128, [%2];"'
            ' :: "r"(other(AT(theirs))), "r"(AT(mine)), "r"(other(AT(&full))) : "memory");',
            "Block (0, 0) has asked for mine[0..31]: 128 bytes go to theirs in (1, 0).",
        ),
        (
            f'asm volatile("st.async.{TX}.f32 [%0], %1, [%2];"'
            ' :: "r"(other(AT(theirs + t))), "f"(mine[t]), "r"(other(AT(&full))) : "memory");',
            "Block (0, 0) has sent 128 bytes, which go to theirs in (1, 0).",
        ),
    ],
)
def test_what_a_block_sends_to_its_neighbour(send: str, words: str) -> None:
    index = record_of(SENT.replace("SEND", send), 32, {"out": np.zeros(64, np.float32)}, 2)
    cluster = picture(index, 0).cluster
    found = {each.sender: each for each in cluster.transfers if each.way is Way.COPY}
    assert {sender: each.receivers for sender, each in found.items()} == {0: (1,), 1: (0,)}
    assert str(transfer_words(cluster, found[0])) == words
