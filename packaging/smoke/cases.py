"""What is tried by the command line alone: each case is one call of the program, with what must come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
SCALE = "1280x720"


@dataclass(frozen=True, slots=True)
class Case:
    """`words` are the arguments; `statuses` the exit statuses that are right; `says` what must be in the output; `makes` the file that
    must be there afterwards, below the folder of results; `variables` are set beside HOME."""

    name: str
    words: tuple[str, ...]
    statuses: tuple[int, ...] = (0,)
    says: str = ""
    makes: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


def picture(name: str, *words: str, **variables: str) -> Case:
    """A picture of the window without a display."""
    file = f"{name.replace(' ', '-')}.png"
    return Case(f"picture: {name}", ("screenshot", file, "--size", SCALE, *words), makes=file, variables=OFFSCREEN | variables)


PICTURES = (
    picture("first window"),
    picture("GPU launch", "--variant", "gpu.tiled", "--n", "64", "--tile", "16", "--step", "7263"),
    picture("Chinese, no font of the system", "--lang", "zh_CN", "--theme", "dark"),
    picture("zoom 200 %", "--zoom", "200"),
    *(picture(view, "--view", view) for view in ("timing", "tuning", "ladder", "help", "export")),
    picture("presenter", "--view", "presenter", "--lesson", "bank-conflicts"),
    picture("notes", "--view", "notes", "--lesson", "bank-conflicts"),
    picture("lesson", "--lesson", "cache-blocking"),
    picture("challenge", "--challenge", "bank-conflict"),
)
KERNEL = """\
__global__ void add(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += x[i];
}
"""
HOST = """\
#include <cstdio>
#include <vector>

int main() {
    std::vector<float> x(100, 2.0f), y(100, 1.0f);
    float *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    cudaMemcpy(a, x.data(), 400, cudaMemcpyHostToDevice);
    cudaMemcpy(b, y.data(), 400, cudaMemcpyHostToDevice);
    add<<<1, 128>>>(a, b, 100);
    cudaMemcpy(y.data(), b, 400, cudaMemcpyDeviceToHost);
    std::printf("sum of the last: %g\\n", y[99]);
    cudaFree(a);
    cudaFree(b);
}
"""
TEXTS = {"add.cu": KERNEL, "program.cu": KERNEL + HOST}
"""Files that lie in the folder of results when the trials begin."""
LAUNCH = ("--grid", "8", "--block", "128", "--arg", "x=1024:arange", "--arg", "y=1024:zeros", "--arg", "n=1000")
COMMANDS = (
    Case("version", ("--version",), says="tilescope"),
    Case("catalogue", ("list",), says="cpu.blocked"),
    Case("in Chinese", ("list", "--lang", "zh_CN"), says="分块"),
    Case("doctor", ("doctor",), (0, 1), says="numba"),
    Case("CPU sweep", ("sweep", "cpu.naive", "cpu.blocked", "cpu.parallel", "cpu.numpy", "--n", "64,128", "--out", "times.csv"),
         makes="times.csv"),
    Case("trace of a variant", ("trace", "gpu.tiled", "--n", "64", "--tile", "16")),
    Case("trace of one's own text", ("trace", "add.cu", "--kernel", "add", *LAUNCH)),
    Case("a whole program", ("program", "program.cu"), says="sum of the last: 3"),
    Case("edges", ("check-edges", "add.cu", *LAUNCH), (0, 1), says="n = 129"),
    Case("caches", ("cache", "cpu.blocked", "--n", "64", "--tile", "16")),
    Case("machine code of the processor", ("asm", "cpu.blocked"), says="mm"),
    Case("no GPU", ("run", "gpu.tiled", "--n", "64"), (1, 2), says="GPU"),
    Case("distributed", ("run", "mpi.rows", "--n", "64", "--ranks", "2"), (0, 1, 2)),
    *(Case(f"figure as {kind}", ("export", "figure", f"figure.{kind}", "--variant", "gpu.transpose-shared", "--n", "64", "--tile", "32",
                                 "--step", "67", "--alone", "3"), makes=f"figure.{kind}", variables=OFFSCREEN)
      for kind in ("png", "svg", "pdf")),
    Case("clip", ("export", "clip", "clip.webp", "--variant", "cpu.blocked", "--from", "1", "--to", "20"), makes="clip.webp",
         variables=OFFSCREEN),
    Case("player", ("export", "player", "player.html", "--variant", "gpu.tiled", "--n", "32", "--tile", "16", "--from", "1", "--to", "20"),
         makes="player.html", variables=OFFSCREEN),
    Case("lab report", ("export", "report", "report.html", "--variants", "gpu.naive", "gpu.tiled", "--source", "recorded"),
         makes="report.html", variables=OFFSCREEN),
    Case("lessons", ("lessons",), says="bank-conflicts"),
)  # fmt: skip
EVERYWHERE = (PICTURES[0], COMMANDS[4], COMMANDS[5])
"""What is tried again in unusual places: the window, a compiled kernel, a traced one."""
