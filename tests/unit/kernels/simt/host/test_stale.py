"""Values of the host that are older than a launch: told where they are read and never copied back, and only then."""

from __future__ import annotations

import pytest

from kernels.simt.host.process import Programs
from kernels.simt.host.result import ProgramJob, ProgramRun, Wrong

TEXT = """#include <cstdlib>
#define D2H cudaMemcpyDeviceToHost
__global__ void twice(int* p) {{ p[threadIdx.x] += 1; }}
__global__ void same(int* p) {{ p[threadIdx.x] = 1; }}
__global__ void sum(const int* p, int* s) {{ if (threadIdx.x == 0) for (int i = 0; i < 64; ++i) *s += p[i]; }}
int main() {{
    int *h = (int*)calloc(64, 4), *d, *s, total = 0, out[64];
    cudaMalloc(&d, 256);
    cudaMalloc(&s, 4);
    cudaMemset(s, 0, 4);
    cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(d);
    {after}
    free(h);
    cudaFree(d);
    cudaFree(s);
    return out[0] + total;
}}
"""
COPY_OUT = "cudaMemcpy(out, d, 256, cudaMemcpyDeviceToHost);"
QUIET = {
    "copied back to another place, then compared": COPY_OUT + " total = h[3] - out[3];",
    "compared, then copied back": "total = h[3]; " + COPY_OUT,
    "written by the host first": "for (int i = 0; i < 64; ++i) h[i] = i; total = h[3]; " + COPY_OUT,
    "another launch writes the same": COPY_OUT + " cudaMemcpy(h, d, 256, D2H); same<<<1, 64>>>(d); total = h[3] + out[0];",
    "wanted by another launch": "sum<<<1, 32>>>(d, s); cudaMemcpy(&total, s, 4, cudaMemcpyDeviceToHost); total += h[3]; out[0] = 0;",
}
TOLD = {
    "never copied back": "total = h[3]; out[0] = 0;",
    "another part copied back": "cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); total = h[63]; out[0] = 0;",
}


def stale(after: str) -> list[tuple[int, int]]:
    """The lines of what was read and of the launch that is newer."""
    done = Programs().run(ProgramJob(TEXT.format(after=after)))
    assert isinstance(done, ProgramRun), done
    return [(each.location.line, each.other.line) for each in done.findings if each.wrong is Wrong.STALE and each.other is not None]


@pytest.mark.parametrize("name", QUIET)
def test_is_quiet_where_the_newer_value_was_had(name: str) -> None:
    assert stale(QUIET[name]) == []


@pytest.mark.parametrize("name", TOLD)
def test_tells_both_lines_where_it_was_not(name: str) -> None:
    assert stale(TOLD[name]) == [(13, 12)]


def test_what_was_copied_back_is_not_old() -> None:
    assert stale("cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); total = h[3]; out[0] = 0;") == []


@pytest.mark.parametrize(("read", "found"), [("0", []), ("x[800]", [Wrong.TOO_EARLY])])
def test_chunks_whose_edges_lie_close_together_are_copied_and_each_is_waited_for(read: str, found: list[Wrong]) -> None:
    text = f"""__global__ void twice(float* p, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }}
int main() {{
    const int n = 3001, part = 750;
    float *x, *d;
    cudaHostAlloc(&x, n * sizeof(float), cudaHostAllocDefault);
    cudaMalloc(&d, n * sizeof(float));
    for (int i = 0; i < n; ++i) x[i] = i;
    for (int first = 0; first < n; first += part) {{
        int m = first + part < n ? part : n - first;
        cudaMemcpyAsync(d + first, x + first, m * sizeof(float), cudaMemcpyHostToDevice, 0);
        twice<<<6, 128>>>(d + first, m);
        cudaMemcpyAsync(x + first, d + first, m * sizeof(float), cudaMemcpyDeviceToHost, 0);
    }}
    float early = {read};
    cudaDeviceSynchronize();
    int bad = early < 0;
    for (int i = 0; i < n; ++i) bad += x[i] != 2 * i;
    cudaFree(d);
    cudaFreeHost(x);
    return bad;
}}
"""
    done = Programs().run(ProgramJob(text))
    assert isinstance(done, ProgramRun), done
    assert ([each.wrong for each in done.findings], done.status) == (found, 0)


ROUNDS = """#include <cstdlib>
__global__ void halve(const int* in, int* out) {{ out[threadIdx.x] = in[threadIdx.x] / 2; }}
int* made() {{ int* p; cudaMalloc(&p, 256); return p; }}
void rounds(const int* in, int n) {{
    int *half = made();
    halve<<<1, 64>>>(in, half);
    if (n > 0) rounds(half, n - 1);
    cudaFree(half);
}}
int main() {{
    int *a = made(), *b = made(), h[64];
    cudaMemset(a, 1, 256);
    {lines}
    cudaMemcpy(h, a, 256, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    return h[0] & 1;
}}
"""


@pytest.mark.parametrize(
    ("lines", "told"),
    [("rounds(a, 3);", []), ("rounds(a, 0);", [6]), ("rounds(a, 3); halve<<<1, 64>>>(a, b);", [13])],
    ids=["what a launch leaves is used in all rounds but the last", "in none", "another launch's is used never"],
)
def test_a_result_is_missing_where_no_round_uses_it(lines: str, told: list[int]) -> None:
    done = Programs().run(ProgramJob(ROUNDS.format(lines=lines)))
    assert isinstance(done, ProgramRun), done
    assert [each.location.line for each in done.findings if each.wrong is Wrong.UNREAD] == told


@pytest.mark.parametrize(
    ("access", "early"),
    [
        ("h[0]", True), ("h[3]", False), ("h[8]", True), ("h[9]", False), ("h[10]", True), ("h[11]", True), ("h[31]", False),
        ("*(long long*)&h[8]", True), ("*(long long*)&h[2]", False), ("(h[1] = h[3] = 7)", False), ("(h[11] = 7)", True),
        ("memcmp(h + 1, h + 2, 20)", False), ("memcmp(h + 1, h + 2, 32)", True), ("cudaMemcpy(d, h + 1, 4, cudaMemcpyHostToDevice)", False),
        ("(cudaDeviceSynchronize(), h[0])", False),
    ],
)  # fmt: skip
def test_the_host_is_kept_from_just_the_bytes_that_an_asynchronous_copy_writes(access: str, early: bool) -> None:
    text = f"""#include <cstring>
int main() {{
    int *h, *d;
    cudaMallocHost(&h, 128);
    memset(h, 0, 128);
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(h + 8, d, 4, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(h + 10, d, 8, cudaMemcpyDeviceToHost);
    int seen = {access} == 7;
    seen += h[3] == h[31];
    cudaDeviceSynchronize();
    seen += h[0] + h[8] + h[11];
    cudaFree(d);
    cudaFreeHost(h);
    return 0;
}}
"""
    done = Programs().run(ProgramJob(text))
    assert isinstance(done, ProgramRun), done
    told = [(each.wrong, each.location.line) for each in done.findings if each.wrong is not Wrong.UNREAD]
    assert (told, done.status) == ([(Wrong.TOO_EARLY, 11)] if early else [], 0)


def test_a_step_out_of_what_an_asynchronous_copy_writes_is_still_one() -> None:
    text = """int main() {
    char *h, *d;
    cudaMallocHost(&h, 20);
    cudaMalloc(&d, 32);
    cudaMemcpyAsync(h + 17, d, 2, cudaMemcpyDeviceToHost);
    h[19] = 1;
    h[20] = 1;
}
"""
    done = Programs().run(ProgramJob(text))
    assert isinstance(done, ProgramRun), done
    assert (Wrong.OUT_OF_BOUNDS, 7) in [(each.wrong, each.location.line) for each in done.findings]
    assert (Wrong.TOO_EARLY, 6) not in [(each.wrong, each.location.line) for each in done.findings]
