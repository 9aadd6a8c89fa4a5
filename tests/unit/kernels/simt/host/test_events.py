"""Events of a run: what the host did, in order, with the simulated clock and the place in standard output."""

from __future__ import annotations

import sys

import pytest

from kernels.simt.base.types import Location
from kernels.simt.host.arena import Arena, ArenaAllocation, Home
from kernels.simt.host.machine import Machine
from kernels.simt.host.process import Programs
from kernels.simt.host.result import Container, Event, EventKind, ProgramJob, ProgramRun

pytestmark = pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="whole programs need Linux or macOS")
TEXT = """#include <cstdio>
#include <cstdlib>
__constant__ float factor;
__global__ void scale(float* p) { p[threadIdx.x] *= factor; }
int main()
{
    float* host = (float*)malloc(256);
    float f = 2, *dev;
    printf("grün\\n");
    printf("more\\n");
    cudaMalloc(&dev, 256);
    cudaMemcpyToSymbol(factor, (void*)&f, 4);
    cudaMemset(dev, 0, 256);
    scale<<<1, 64>>>(dev);
    scale<<<1, 2000>>>(dev);
    cudaDeviceSynchronize();
    cudaMemcpy2D(host, 64, dev, 64, 64, 4, cudaMemcpyDeviceToHost);
    cudaFree(dev);
    free(host);
    printf("end\\n");
    return 0;
}
"""


def run(text: str) -> ProgramRun:
    found = Programs().run(ProgramJob(text))
    assert isinstance(found, ProgramRun)
    return found


@pytest.fixture(scope="module")
def done() -> ProgramRun:
    return run(TEXT)


def test_events_are_in_order_with_their_lines(done: ProgramRun) -> None:
    assert [(event.kind.value, event.location.line, event.number) for event in done.events] == [
        ("allocate", 7, 0), ("print", 9, 0), ("allocate", 11, 1), ("copy", 12, 0), ("copy", 13, 1), ("launch", 14, 0), ("launch", 15, 1),
        ("wait", 16, 0), ("copy", 17, 2), ("free", 18, 1), ("free", 19, 0), ("print", 20, 0), ("end", 20, 0),
    ]  # fmt: skip
    assert done.events_left_out == 0


def test_only_copies_and_launches_that_run_take_time(done: ProgramRun) -> None:
    ends = [0.0, *(event.ended for event in done.events)]
    assert all(event.began == before <= event.ended for event, before in zip(done.events, ends, strict=False))
    assert [number for number, event in enumerate(done.events) if event.ended > event.began] == [3, 5, 8]


def test_places_in_the_output_are_characters_and_prints_beside_each_other_one_event(done: ProgramRun) -> None:
    assert [done.stdout[: event.output] for event in done.events if event.kind is EventKind.PRINT] == ["grün\nmore\n", done.stdout]


def test_copies_and_launches_know_their_allocations(done: ProgramRun) -> None:
    assert [(copy.source, copy.target, copy.names, copy.bytes) for copy in done.copies] == [
        (None, None, ("f", "factor"), 4),
        (None, 1, ("", "dev"), 256),
        (1, 0, ("dev", "host"), 256),
    ]
    assert [launch.given for launch in done.launches] == [(1,), ()]


def test_events_count_what_containers_hold_and_copies_know_those_that_they_reach() -> None:
    done = run("""#include <vector>
int main()
{
    float one = 1, *d;
    cudaMalloc(&d, 4096);
    {
        std::vector<float> v(1024), unused(100);
        cudaMemcpy(d, v.data(), 4096, cudaMemcpyHostToDevice);
    }
    cudaMemcpy(d, &one, 4, cudaMemcpyHostToDevice);
    cudaFree(d);
    return 0;
}
""")
    assert [(each.kind, each.containers) for each in done.events] == [
        (EventKind.ALLOCATE, 0), (EventKind.COPY, 4496), (EventKind.COPY, 0), (EventKind.FREE, 0), (EventKind.END, 0),
    ]  # fmt: skip
    assert [copy.containers for copy in done.copies] == [(0, None), (None, None)]
    assert done.containers == (Container(4096, 1, 2),)
    assert [(each.home, each.bytes) for each in done.allocations] == [("device", 4096)]


def test_a_list_of_many_nodes_leaves_room_for_what_the_device_does() -> None:
    loop = "for (int i = 0; i < 20000; i++) free(malloc(8));"
    found = run(f"#include <cstdlib>\nint main() {{ {loop} int* p; cudaMalloc(&p, 4); cudaFree(p); }}\n")
    assert [event.kind for event in found.events[-3:]] == [EventKind.ALLOCATE, EventKind.FREE, EventKind.END]
    assert found.events_left_out == 36_000


def _machine() -> Machine:
    return Machine(ProgramJob(""), Arena(1 << 24, 1 << 28), lambda _stream, _data: None, lambda _progress: None)


def test_no_event_of_a_run_whose_time_is_over_stands_for_a_launch_or_a_copy_that_is_not_there() -> None:
    machine = _machine()
    for kind in (EventKind.LAUNCH, EventKind.COPY, EventKind.WAIT):
        machine.log.note(kind, Location(3, 1))
    assert [each.kind for each in machine.run(0).events] == [EventKind.WAIT, EventKind.END]


def test_what_is_allocated_while_a_run_is_told_whose_time_is_over_is_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = _machine()
    machine.arena.allocate(Home.HOST, 8, Location(2, 1))
    tell = machine.log.told

    def later(written: bytes) -> tuple[Event, ...]:
        machine.arena.allocate(Home.DEVICE, 8, Location(3, 1), function="malloc")
        return tell(written)

    monkeypatch.setattr(machine.log, "told", later)
    done = machine.run(0)
    assert [(each.kind, each.number) for each in done.events] == [(EventKind.ALLOCATE, 0), (EventKind.END, 0)]
    assert len(done.allocations) == 1


def test_what_copies_reach_while_a_run_is_told_whose_time_is_over_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    log = _machine().log
    kept = [ArenaAllocation(Home.KEPT, 64 * number, 8, Location(2, 1), function="kept") for number in (1, 2)]
    for each in kept:
        log.memory(each)
    assert log.container(kept[0]) == 0

    class Lives(dict[int, Container]):
        def __getitem__(self, key: int) -> Container:
            log.container(kept[1])
            return super().__getitem__(key)

    monkeypatch.setattr(log, "_lives", Lives(log._lives))
    assert log.containers == (Container(8, 0, None),)


def test_events_without_timing_give_no_time() -> None:
    text = """#include <cstdio>
int main()
{
    cudaEvent_t first, last;
    cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
    cudaEventCreate(&last);
    cudaEventRecord(first);
    cudaEventRecord(last);
    float ms = 0;
    printf("%s\\n", cudaGetErrorString(cudaEventElapsedTime(&ms, first, last)));
    cudaEventDestroy(first);
    cudaEventDestroy(last);
}
"""
    assert run(text).stdout == "invalid resource handle\n"
