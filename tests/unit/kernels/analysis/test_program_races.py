"""Data races in the launches of whole programs: planted ones are found with both lines, right ones are quiet, and what was not recorded is
not looked at.
"""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis import program_races
from kernels.analysis.program_races import look
from kernels.base.messages import message
from kernels.simt.base.types import Location
from kernels.simt.host.process import Programs
from kernels.simt.host.records import Record, Records
from kernels.simt.host.result import HostFinding, Limits, Looked, ProgramJob, ProgramRun, Progress, Wrong
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch

REVERSE = """__global__ void reverse(int* data) {
    __shared__ int part[64];
    part[threadIdx.x] = data[threadIdx.x];
    %s
    data[threadIdx.x] = part[63 - threadIdx.x];
}
__global__ void count(int* sum) { %s }
int main() {
    int host[64] = {}, *data;
    cudaMalloc(&data, sizeof(host));
    cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; ++i)
        reverse<<<1, 64>>>(data);
    count<<<4, 32>>>(data);
    cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(data);
    return host[0] != 0;
}
"""
RIGHT = REVERSE % ("__syncthreads();", "atomicAdd(sum, 0);")
WRONG = REVERSE % ("", "*sum = *sum + 0 * threadIdx.x;")
LARGE = """__global__ void work(float* p, int n) {
    __shared__ float part[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    part[threadIdx.x] = p[i];
    %s
    float sum = 0;
    for (int k = 0; k < 64; ++k) sum += part[(threadIdx.x + k) %% 128] * p[i];
    p[i] = sum;
}
int main() {
    const int n = 64 * 128;
    float* p;
    cudaMalloc(&p, (n + 1) * sizeof(float));
    cudaMemset(p, 0, (n + 1) * sizeof(float));
    work<<<64, 128>>>(p, n);
    work<<<64, 128>>>(p, n);
    float first;
    cudaMemcpy(&first, p, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(p);
    return first != 0;
}
"""

STORES = "__global__ void k(int* p) { p[threadIdx.x] = 1; }"


def run(text: str, limits: Limits | None = None, told: list[ProgramRun] | None = None) -> ProgramRun:
    def tell(said: Progress | ProgramRun) -> None:
        if told is not None and isinstance(said, ProgramRun):
            told.append(said)

    done = Programs().run(ProgramJob(text, limits=limits or Limits(), look=look), lambda _stream, _data: None, tell)
    assert isinstance(done, ProgramRun), done
    return done


def lines(done: ProgramRun) -> set[tuple[str, int, int, int | None, int]]:
    return {(each.wrong.value, each.location.line, each.other.line if each.other else 0, each.launch, each.count) for each in done.findings}


def test_planted_races_are_found_with_both_lines_and_their_launches() -> None:
    done = run(WRONG)
    assert lines(done) == {("data-race", 5, 3, 0, 3), ("data-race", 7, 7, 3, 1)}
    assert [(each.searched, [finding.kind for finding in each.findings]) for each in done.launches] == [
        *[(1, ["data-race"])] * 3,
        (4, ["data-race"]),
    ]


def test_a_right_program_is_quiet_and_was_looked_through() -> None:
    done = run(RIGHT)
    assert done.findings == ()
    assert [each.searched for each in done.launches] == [1, 1, 1, 4]


def test_the_run_is_told_before_races_are_looked_for() -> None:
    told: list[ProgramRun] = []
    done = run(WRONG, told=told)
    assert [(each.searching, each.findings) for each in told] == [(True, ())]
    assert not done.searching
    assert done.events is told[0].events


def test_without_looking_nothing_is_said_of_races() -> None:
    done = Programs().run(ProgramJob(WRONG))
    assert isinstance(done, ProgramRun)
    assert (done.findings, [each.searched for each in done.launches]) == ((), [0, 0, 0, 0])


def test_of_a_large_launch_the_recorded_blocks_are_looked_at() -> None:
    """The first stands for its kind: two blocks of it are recorded, of the second none."""
    done = run(LARGE % "__syncthreads();", Limits(recorded=2000))
    assert [(each.compiled, each.searched) for each in done.launches] == [(True, 2), (True, 0)]
    assert done.findings == ()


def test_a_large_launch_with_a_race_is_not_left_to_compiled_code() -> None:
    """Its order would be seen: the interpreter executes it, and all of it is looked at."""
    done = run(LARGE % "", Limits(recorded=2000))
    assert [(each.compiled, each.searched) for each in done.launches] == [(False, 64), (False, 64)]
    assert lines(done) == {("data-race", 7, 4, 0, 2)}


def test_what_takes_too_long_is_left_and_not_said_to_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    records, trace = Records(), launch(STORES, 1, 32, {"p": np.zeros(32, np.int32)})
    records.keep(0, "k", [trace])
    assert look(records).launches == {0: (1, ())}
    monkeypatch.setattr(program_races, "SECONDS", -1.0)
    assert look(records).launches == {}


def test_the_first_of_a_kind_goes_before_others_where_there_is_no_room() -> None:
    trace = launch(STORES, 1, 32, {"p": np.zeros(32, np.int32)})
    size = trace.masks.nbytes + trace.bases.nbytes + sum(getattr(trace.rows, each).nbytes for each in ("site", "mask", "base", "offset"))
    assert kept(trace, 1 << 20) == [0, 2, 1]
    assert kept(trace, 3 * size) == [0, 2]
    assert kept(trace, 1) == []


def test_a_launch_that_ends_after_its_program_was_stopped_is_left_out() -> None:
    race = HostFinding(Wrong.DATA_RACE, Location(1, 1), message("x"), launch=2)
    done = Looked((race,), {2: (1, ())}).added_to(ProgramRun("", 124))
    assert (done.launches, done.findings) == ((), ())


def test_what_was_never_freed_is_told_after_what_goes_wrong() -> None:
    wrong = (Wrong.LEAK, Wrong.OUT_OF_BOUNDS, Wrong.LEAK)
    before = ProgramRun("", 0, findings=tuple(HostFinding(each, Location(1, 1), message("x")) for each in wrong))
    race = HostFinding(Wrong.DATA_RACE, Location(2, 1), message("y"))
    found = Looked((race,)).added_to(before).findings
    assert [each.wrong for each in found] == [Wrong.OUT_OF_BOUNDS, Wrong.DATA_RACE, Wrong.LEAK, Wrong.LEAK]


def kept(trace: Trace, room: int) -> list[int]:
    """The launches of which a record is kept, of two alike and one of another kind."""
    records = Records(room)
    for number, kind in enumerate(("a", "a", "b")):
        records.keep(number, kind, [trace])
    found: list[Record] = list(records)
    return [each.launch for each in found]


def test_bounds_and_barriers_are_found_while_running() -> None:
    done = run("""__global__ void k(int* p) {
    if (threadIdx.x < 32) __syncthreads();
    p[threadIdx.x + 1] = 1;
}
int main() {
    int* p;
    cudaMalloc(&p, 256);
    k<<<1, 64>>>(p);
    cudaFree(p);
}
""")
    found = [(each.wrong, each.location, each.launch) for each in done.findings if each.wrong is Wrong.KERNEL]
    assert [(location.line, launch) for _, location, launch in found] == [(2, 0), (3, 0)]
    assert all(isinstance(location, Location) for _, location, _ in found)
