"""Launches by kernels: when they run, what is refused, what a GPU orders and what it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.device_launches import as_calls, has_launches, launching_macros, without
from kernels.simt.host.child_launches import DEEPEST, PENDING
from kernels.simt.host.errors import ERRORS, TEXTS
from kernels.simt.host.process import Programs
from kernels.simt.host.result import Limits, ProgramJob, ProgramRun, Wrong
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, Traced

PRELUDE = Path(__file__).parents[5] / "kernels/simt/frontend/prelude/device_runtime.cuh"


def run(text: str) -> ProgramRun:
    done = Programs().run(ProgramJob(text))
    assert isinstance(done, ProgramRun), done
    return done


def races(kernels: str, launch: str = "parent<<<2, 64>>>(p)") -> list[tuple[int, int]]:
    """The places of races in a text whose first line is 1, of kernels that work on 256 zeros."""
    main = "int main() { int* p; cudaMalloc(&p, 1024); cudaMemset(p, 0, 1024); " + launch + "; cudaDeviceSynchronize(); cudaFree(p); }\n"
    found = run(kernels + main).findings
    return [(each.location.line, each.other.line) for each in found if each.wrong is Wrong.CHILD_RACE and each.other is not None]


ADD = "__global__ void add(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] += 1; }\n"
READ = "__global__ void read(const int* p, int* q) { q[threadIdx.x] = p[threadIdx.x]; }\n"


def test_children_run_after_their_parent_and_before_what_the_host_does_next() -> None:
    done = run(
        """#include <cstdio>
__global__ void child(int n) { printf("child %d\\n", n); }
__global__ void parent() {
    child<<<1, 1, 0, cudaStreamTailLaunch>>>(2);
    child<<<1, 1>>>(0);
    child<<<1, 1, 0, cudaStreamFireAndForget>>>(1);
    printf("parent\\n");
}
__global__ void last() { printf("last\\n"); }
int main() { parent<<<1, 1>>>(); last<<<1, 1>>>(); cudaDeviceSynchronize(); }
"""
    )
    assert done.stdout.split("\n") == ["parent", "child 0", "child 1", "child 2", "last", ""]
    assert [(each.entry, each.parent) for each in done.launches] == [
        ("parent", None), ("child", 0), ("child", 0), ("child", 0), ("last", None),
    ]  # fmt: skip
    assert done.launches[1].by == ((0, 0, 0), (0, 0, 0))


def test_arguments_arrive_as_they_are_given() -> None:
    done = run(
        """#include <cstdio>
struct Pair { int a; double b; };
template <class T, int N> __global__ void child(T x, Pair pair, const int* p, unsigned char c = 'z') {
    printf("%d %g %d %g %d %c\\n", N, (double)x, pair.a, pair.b, p == nullptr, c);
}
template <int N> __global__ void bare() { printf("bare %d %d\\n", N, blockDim.x * gridDim.y); }
__device__ void launch(float x) {
    Pair pair{-3, 2.5};
    child<float, 7><<<1, 1>>>(x, pair, NULL);
    dim3 grid(1, 2);
    bare<5><<<grid, dim3(3)>>>();  // "<<<" in a comment
}
__global__ void parent() { if (threadIdx.x == 1) launch(1.25f + threadIdx.x); }
int main() { parent<<<1, 2>>>(); cudaDeviceSynchronize(); }
"""
    )
    assert done.stdout == "7 2.25 -3 2.5 1 z\n" + "bare 5 6\n" * 6
    assert done.findings == ()


def test_launches_within_each_other_have_an_end() -> None:
    done = run(
        """#include <cstdio>
__global__ void deeper(int depth) {
    deeper<<<1, 1>>>(depth + 1);
    cudaError_t error = cudaGetLastError();
    if (error) printf("%d: %s\\n", depth, cudaGetErrorString(error));
}
int main() { deeper<<<1, 1>>>(0); cudaDeviceSynchronize(); }
"""
    )
    assert done.stdout == f"{DEEPEST}: {TEXTS[ERRORS[65]]}\n"
    assert len([each for each in done.launches if each.refused is None]) == DEEPEST + 1


@pytest.mark.parametrize(("raised", "ran"), [(False, PENDING), (True, PENDING + 100)])
def test_launches_that_wait_have_a_limit_that_the_host_can_raise(raised: bool, ran: int) -> None:
    limit = f"cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, {PENDING + 100});" if raised else ""
    done = run(
        """#include <cstdio>
__global__ void child(int* p, int i) { p[i] = 1; }
__global__ void parent(int* p, int n, int* failed) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        child<<<1, 1>>>(p, i);
        if (cudaPeekAtLastError() == cudaErrorLaunchPendingCountExceeded && cudaGetLastError() != cudaSuccess) atomicAdd(failed, 1);
    }
}
int main() {
    int *p, *failed, total = 0, n = COUNT;
    cudaMallocManaged(&p, n * sizeof(int));
    cudaMallocManaged(&failed, sizeof(int));
    LIMIT
    parent<<<1, 32>>>(p, n, failed);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) total += p[i];
    printf("%d %d\\n", total, *failed);
    cudaFree(p); cudaFree(failed);
}
""".replace("COUNT", str(PENDING + 100)).replace("LIMIT", limit)
    )
    assert done.stdout == f"{ran} {PENDING + 100 - ran}\n"


def test_a_child_that_goes_wrong_is_an_error_of_the_host_and_ends_the_others() -> None:
    done = run(
        """#include <cstdio>
__global__ void child(int* p) { p[1 << 28] = 1; }
__global__ void other() { printf("never\\n"); }
__global__ void parent(int* p) { child<<<1, 1>>>(p); other<<<1, 1>>>(); }
int main() { int* p; cudaMalloc(&p, 4); parent<<<1, 1>>>(p); printf("%d\\n", cudaDeviceSynchronize()); return 0; }
"""
    )
    assert done.stdout == "700\n"


# ------------------------------------------------------------ races


def test_what_the_launching_thread_or_its_block_did_before_is_in_order() -> None:
    kernels = ADD + "__global__ void parent(int* p) {\n int* q = p + 64 * blockIdx.x; q[threadIdx.x] = 1;\n"
    assert races(kernels + " __syncthreads();\n if (threadIdx.x == 0) add<<<1, 64>>>(q, 64);\n}\n") == []
    assert races(kernels + " if (threadIdx.x == 0) add<<<1, 64>>>(q, 64);\n}\n") == [(3, 4)]
    assert races(kernels + " add<<<1, 1>>>(q + threadIdx.x, 1);\n}\n") == []


def test_a_parent_must_not_touch_what_its_child_writes() -> None:
    kernels = ADD + READ + "__global__ void parent(int* p) {\n if (blockIdx.x + threadIdx.x == 0) "
    assert races(kernels + "{\n add<<<1, 64>>>(p, 64);\n p[70] = p[3]; }\n}\n") == [(6, 5)]
    assert races(kernels + "{\n read<<<1, 64>>>(p, p + 64);\n p[3] = p[4]; }\n}\n") == [(6, 5)]
    assert races(kernels + "{\n read<<<1, 64>>>(p, p + 64);\n p[200] = p[4]; }\n}\n") == []
    assert races(kernels + "{\n add<<<1, 64, 0, cudaStreamTailLaunch>>>(p, 64);\n p[70] = p[3]; }\n}\n") == []


def test_children_in_one_stream_are_in_order_and_others_not() -> None:
    kernels = ADD + READ + "__global__ void parent(int* p) {\n if (blockIdx.x + threadIdx.x == 0) {\n"
    assert races(kernels + " add<<<1, 64>>>(p, 64);\n add<<<1, 64>>>(p, 64); }\n}\n") == []
    assert races(kernels + " add<<<1, 64>>>(p, 64);\n add<<<1, 64, 0, cudaStreamFireAndForget>>>(p, 64); }\n}\n") == [(5, 6)]
    streams = " cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);"
    assert races(kernels + streams + "\n read<<<1, 64, 0, s>>>(p, p + 64);\n read<<<1, 64>>>(p, p + 128); }\n}\n") == []
    assert races(kernels + streams + "\n read<<<1, 64, 0, s>>>(p, p + 64);\n add<<<1, 64>>>(p, 64); }\n}\n") == [(6, 7)]


def test_an_event_orders_streams() -> None:
    kernels = ADD + "__global__ void parent(int* p) {\n if (blockIdx.x + threadIdx.x == 0) { cudaStream_t s; cudaEvent_t e;\n"
    kernels += " cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEventCreateWithFlags(&e, cudaEventDisableTiming);\n"
    waits = " add<<<1, 64, 0, s>>>(p, 64);\n cudaEventRecord(e, s);%s\n cudaStreamWaitEvent(0, e, 0);\n add<<<1, 64>>>(p, 64); }\n}\n"
    assert races(kernels + waits % "") == []
    assert races(kernels + waits % " add<<<1, 8, 0, s>>>(p, 8);") == [(6, 8)]
    assert races(kernels + (waits % "").replace("cudaStreamWaitEvent(0, e, 0)", "cudaEventDestroy(e)")) == [(5, 8)]


def test_copies_and_fills_of_a_kernel_are_launches_in_a_stream() -> None:
    kernels = ADD + "__global__ void parent(int* p) {\n if (blockIdx.x + threadIdx.x == 0) {\n add<<<1, 64>>>(p, 64);\n"
    copy = " cudaMemcpyAsync((char*)p + 257, p, 5, cudaMemcpyDeviceToDevice%s);\n"
    assert races(kernels + copy % "" + " }\n}\n") == []
    assert races(kernels + copy % ", cudaStreamFireAndForget" + " }\n}\n") == [(4, 5)]
    text = (
        kernels
        + copy % ""
        + ' printf("%d", cudaMemsetAsync(p + 1, 0x105, 8)); printf("%d", cudaMemcpyAsync(p, p, 4, cudaMemcpyHostToHost));'
        "\n }\n}\nint main() { int* p; unsigned char h[262]; cudaMalloc(&p, 262); cudaMemset(p, 0, 262); parent<<<1, 64>>>(p);"
        " cudaMemcpy(h, p, 262, cudaMemcpyDeviceToHost); cudaFree(p); \n"
        'printf(" %d %d %d %d %d %d", h[0], h[4], h[11], h[12], h[257], h[261]); }'
    )
    done = run(text)
    assert done.stdout == "021 1 5 5 1 1 1"
    assert [(each.entry, each.location.line, each.request is None) for each in done.launches] == [
        ("parent", 9, False), ("add", 4, False), ("__device_memcpy", 5, True), ("__device_memset", 6, True),
    ]  # fmt: skip
    assert done.findings == ()


def test_a_copy_of_a_kernel_that_leaves_an_array_is_found_where_it_is_asked_for() -> None:
    kernels = "__global__ void parent(int* p) {\n cudaMemcpyAsync(p + 60, p, 64, cudaMemcpyDeviceToDevice, 0);\n}\n"
    main = "int main() { int* p; cudaMalloc(&p, 256); cudaMemset(p, 0, 256); parent<<<1, 1>>>(p); cudaDeviceSynchronize(); cudaFree(p); }"
    found = run(kernels + main).findings
    assert [(each.wrong, each.location.line) for each in found] == [(Wrong.KERNEL, 2), (Wrong.UNREAD, 2)]


def test_the_heap_of_the_device_is_where_a_kernel_allocates() -> None:
    done = run(
        """#include <cstdio>
__device__ int* kept;
__global__ void parent(int* host) {
    int* p = nullptr;
    cudaError_t made = cudaMalloc((void**)&p, 64), none = cudaMalloc(&p, 0), asked = cudaGetLastError();
    kept = p;
    cudaError_t much = cudaMalloc(&p, (size_t)1 << 40);
    printf("%d %d %d %d %d %d\\n", made, none, asked, much, p == kept, cudaFree(nullptr));
}
__global__ void last(int* host) { cudaFree(kept); cudaFree(host); }
int main() {
    int *p, *heap, value;
    cudaMalloc(&p, 64);
    parent<<<1, 1>>>(p);
    cudaMemcpyFromSymbol(&heap, kept, sizeof(heap));
    printf("%d ", cudaMemcpy(&value, heap, 4, cudaMemcpyDeviceToHost));
    printf("%d ", cudaFree(heap));
    last<<<1, 1>>>(p);
    printf("%d", cudaDeviceSynchronize());
}
"""
    )
    assert done.stdout == "0 1 1 2 1 0\n1 1 700"  # as an H100 has it
    assert {each.wrong for each in done.findings} == {Wrong.DIRECTION, Wrong.BAD_FREE, Wrong.KERNEL, Wrong.LEAK}


def test_children_of_different_blocks_are_not_in_order() -> None:
    kernels = ADD + "__global__ void parent(int* p) {\n if (threadIdx.x == 0)\n add<<<1, 64>>>(p, 64);\n}\n"
    assert races(kernels) == [(4, 4)]
    assert races(kernels, "parent<<<1, 64>>>(p)") == []


def test_grandchildren_are_their_grandparents_children_too() -> None:
    kernels = (
        ADD
        + "__global__ void child(int* p) { add<<<1, 64>>>(p, 64); }\n__global__ void parent(int* p) {\n child<<<1, 1>>>(p);\n"
        + " p[100] = p[5];\n}\n"
    )
    assert races(kernels, "parent<<<1, 1>>>(p)") == [(5, 4)]


def test_it_is_said_of_launches_whether_their_accesses_were_compared() -> None:
    kernels = ADD + "__global__ void parent(int* p) {\n for (int i = 0; i < 20; ++i) p[100] += 1;\n add<<<1, 8>>>(p, 8);\n}\n"
    main = "int main() { int* p; cudaMallocManaged(&p, 1024); parent<<<1, 1>>>(p); add<<<1, 1>>>(p, 1);"
    main += " cudaDeviceSynchronize(); cudaFree(p); }"
    for rows, expected in ((1000, [True, True, None]), (10, [False, True, None])):
        job = ProgramJob(kernels + main, limits=Limits(rows=rows))
        done = Programs().run(job)
        assert isinstance(done, ProgramRun)
        assert [each.compared for each in done.launches] == expected


# ------------------------------------------------------------ texts


def test_places_hold_where_launches_become_calls() -> None:
    text = b"__global__ void k(int n) { k<<<1, (n >> 1)>>>(n, 2); n::k<3, X<4>><<<a(1), 2>>>(); }\nint main() { k<<<1, 1>>>(3); }"
    calls, gone = as_calls(text), without(text, {})
    assert calls == b"__global__ void k(int n) { k($ 1, (n >> 1) $a(n, 2); n::k<3, X<4>>,$ a(1), 2 $n(); }\nint main() { k<<<1, 1>>>(3); }"
    assert len(calls) == len(gone) == len(text)
    assert re.sub(rb" +", b" ", gone) == b"__global__ void k(int n) { 0 ; 0 ; }\nint main() { k<<<1, 1>>>(3); }"
    assert has_launches(text, {})
    assert not has_launches(b'int main() { k<<<1, 1>>>(3); const char* s = "__device__"; }', {})


def test_places_hold_where_macros_launch() -> None:
    text = (
        b"#define GO(k, n, ...) do { \\\n  k<<<n, 32>>>(__VA_ARGS__); } while (0)\n#define ONE(k) GO(k, 1, 0)\n#define EACH <<<2, 3>>>\n"
        b"__global__ void p(int n) { if (n) GO(p, (n), 4); else ONE(p); p EACH (5); /* GO */ }\nint main() { GO(p, 1, 2); }"
    )
    macros = launching_macros([text, b"#define OTHER(x) x\n"])
    assert macros == {b"GO": False, b"ONE": False, b"EACH": True}
    assert has_launches(text, macros)
    assert not has_launches(text[: text.index(b"__global__")] + b"int main() { GO(p, 1, 2); }", macros)
    calls, gone = as_calls(text), without(text, macros)
    assert len(calls) == len(gone) == len(text)
    assert b"k($ n, 32 $a(__VA_ARGS__)" in calls
    assert b"EACH ($ 2, 3 $a\n" in calls
    assert re.sub(rb" +", b" ", gone).endswith(b"void p(int n) { if (n) 0 ; else 0 ; 0 ; /* GO */ }\nint main() { GO(p, 1, 2); }")


def test_functions_of_both_sides_launch_on_both() -> None:
    done = run(
        """#include <cstdio>
__global__ void child(int n) { printf("%d\\n", n); }
__host__ __device__ void start(int n) { child<<<1, 1>>>(n); }
__global__ void parent() { start(2); }
int main() { start(1); parent<<<1, 1>>>(); cudaDeviceSynchronize(); }
"""
    )
    assert done.stdout == "1\n2\n"


def test_a_kernel_by_itself_says_that_nothing_follows() -> None:
    kernels = ADD + "__global__ void parent(int* p) {\n add<<<1, 64>>>(p, 64);\n p[0] = 5;\n}\n"
    request = LaunchRequest((1, 1, 1), (1, 1, 1), {"p": __import__("numpy").zeros(64, "int32")})
    traced = trace_job(LaunchSpec(kernels, "parent", request))
    assert isinstance(traced, Traced)
    assert traced.trace.values["p"][:2].tolist() == [5, 0]
    (said,) = traced.diagnostics
    assert (said.line, dict(said.message.arguments)["kernel"]) == (3, "add")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("cudaDeviceSynchronize();", "cudaDeviceSynchronize"),
        ("add(p, 3);", "add is a kernel"),
        ("cudaMemcpy(p, p + 1, 4, cudaMemcpyDeviceToDevice);", "cudaMemcpyAsync"),
        ("cudaEvent_t e; cudaEventCreate(&e);", "cudaEventCreateWithFlags"),
        ("cudaMallocManaged(&p, 4);", "cudaMallocManaged"),
    ],
)
def test_what_device_code_cannot_do_is_refused_in_words(line: str, word: str) -> None:
    text = ADD + "__global__ void parent(int* p) {\n add<<<1, 64>>>(p, 64);\n " + line + "\n}\nint main() { parent<<<1, 1>>>(nullptr); }"
    refused = Programs().run(ProgramJob(text))
    assert not isinstance(refused, ProgramRun)
    assert [(each.line, word in str(each.message)) for each in refused.diagnostics] == [(4, True)]


def test_device_code_has_the_words_of_the_runtime() -> None:
    pairs = re.findall(r'case (\w+): return "([^"]+)"', PRELUDE.read_text(encoding="utf-8"))
    assert len(pairs) > 20
    assert all(words in (name, TEXTS[name]) for name, words in pairs)
