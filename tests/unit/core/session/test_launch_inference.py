"""The launch of a file: what its text says in constants, and a guess, marked as one, of what it does not say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.inspector.finding_rows import finding_rows
from app.core.session.draft import Draft, LaunchSettings, draft_of, with_kernels
from app.core.session.draft_editor import DraftEditor
from app.core.session.launch_fields import fields_of, guess_text
from app.core.session.session import Session
from kernels.simt.frontend.parse import parse
from tests.launches.launch_records import launched

ADD = """__global__ void add(const float* A, const float* B, float* C, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) C[i] = A[i] + B[i];
}
"""
PRODUCT = """#define TILE 16  // not 8
__global__ void product(const float* A, const float* B, float* C, int n, float by)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += A[y * n + k] * B[k * n + x];
    C[y * n + x] = by * sum;
}
"""
MAIN = """int main()
{
    const int n = 64;
    size_t bytes = n * n * sizeof(float);
    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc((void**)&b, n * n * sizeof(float));
    cudaMalloc(&c, bytes);
    // product<<<1, 1>>>(a, b, c, 1, 1.0f);
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (n + block.x - 1) / TILE);
    product<<<grid, block>>>(a, b, c, n, 0.5f);
}
"""
WRITTEN = MAIN.replace("block.x", "TILE")


def opened(text: str) -> Draft:
    return with_kernels(draft_of(Path("mine.cu"), text), tuple(parse(text).kernels))


def test_a_launch_in_constants_is_read_and_nothing_is_a_guess() -> None:
    settings = opened(PRODUCT + WRITTEN).settings
    assert (settings.grid, settings.block) == ((4, 4, 1), (16, 16, 1))
    assert settings.arguments == {"A": "4096:random", "B": "4096:random", "C": "4096:random", "n": "64", "by": "0.5"}
    assert settings.guessed == frozenset()
    assert guess_text(opened(PRODUCT + WRITTEN)) is None


def test_what_cannot_be_read_is_guessed_and_the_rest_is_read() -> None:
    settings = opened(PRODUCT + MAIN).settings
    assert settings.guessed == {"grid", "block"}
    assert settings.arguments["n"] == "64"


@pytest.mark.parametrize(
    ("row", "column", "block"),
    [
        ("blockIdx.y * TILE + threadIdx.y", "blockIdx.x * TILE + threadIdx.x", (32, 32, 1)),
        ("threadIdx.y + 8 * blockIdx.y", "threadIdx.x + TILE * blockIdx.x", (32, 8, 1)),
        ("blockIdx.y * blockDim.y + threadIdx.y", "blockIdx.x * blockDim.x + threadIdx.x", (16, 16, 1)),
        ("blockIdx.y * TILE * 2 + threadIdx.y", "2 * TILE * blockIdx.x + threadIdx.x", (16, 16, 1)),
        ("blockIdx.y * TILE + threadIdx.y", "blockIdx.x * 64 + threadIdx.x", (16, 16, 1)),  # 2048 threads
        ("blockIdx.y * OTHER + threadIdx.y", "blockIdx.x * TILE + threadIdx.x", (32, 16, 1)),
        ("blockIdx.y + 0 * threadIdx.y", "blockIdx.x * 0 + threadIdx.x", (16, 16, 1)),
    ],
)
def test_a_guessed_block_is_as_wide_as_blocks_are_apart(row: str, column: str, block: tuple[int, int, int]) -> None:
    text = f"#define TILE 32\n__global__ void k(float* A, int n)\n{{\n    int y = {row}, x = {column};\n    A[y * n + x] = 1;\n}}\n"
    settings = opened("#define OTHER n\n" + text).settings
    assert settings.block == block
    assert "block" in settings.guessed
    assert settings.grid == (32 // block[0], 32 // block[1], 1)


@pytest.mark.parametrize(
    ("launch", "grid", "block", "shared"),
    [
        ("add<<<4, 256>>>(a, b, c, n);", (4, 1, 1), (256, 1, 1), 0),
        ("add<<<dim3(2, 2), dim3(8, 8, 2), 1 << 10>>>(a, b, c, n);", (2, 2, 1), (8, 8, 2), 1024),
        ("int w = 5; add<<<w * 2 - 1, 7 % 4, w * sizeof(double)>>>(a, b, c, n);", (9, 1, 1), (3, 1, 1), 40),
        ("int w = 5; w++; add<<<w, 32>>>(a, b, c, n);", None, None, 0),
        ("int w = atoi(argv[1]); add<<<w, 32>>>(a, b, c, n);", None, None, 0),
        ("add<<<1, 4096>>>(a, b, c, n);", None, None, 0),
        ("add<<<0, 32>>>(a, b, c, n);", None, None, 0),
        ("add<<<1 / 0, 32>>>(a, b, c, n);", None, None, 0),
        ("other<<<4, 32>>>(a);", None, None, 0),
    ],
)
def test_grids_and_blocks_are_constants_or_guessed(launch: str, grid: object, block: object, shared: int) -> None:
    settings = with_kernels(draft_of(Path("x.cu"), f"{ADD}void run() {{ {launch} }}"), tuple(parse(ADD).kernels)).settings
    if grid is None:
        assert {"grid", "block"} <= settings.guessed
        assert (settings.grid, settings.block) == ((4, 1, 1), (256, 1, 1))
    else:
        assert (settings.grid, settings.block, settings.shared_bytes) == (grid, block, shared)
        assert not {"grid", "block"} & settings.guessed


def test_a_guess_fits_what_a_kernel_asks_for_and_no_name() -> None:
    for text in (PRODUCT, PRODUCT.replace(" n", " flag").replace("(n", "(flag")):
        settings = opened(text).settings
        assert (settings.grid, settings.block) == ((2, 2, 1), (16, 16, 1))
        assert list(settings.arguments.values()) == ["1024:random"] * 3 + ["32", "2"]
        assert launched(opened(text)).record.findings == ()
    assert launched(opened(ADD)).record.findings == ()


def test_a_guessed_grid_is_one_cluster_where_the_kernel_asks_for_clusters() -> None:
    text = "__global__ __cluster_dims__(2, 2, 1) void f(float* a) { a[blockIdx.x] = 1.0f; }\n"
    assert opened(text).settings.grid == (2, 2, 1)
    assert opened(text.replace("(2, 2, 1)", "(4)")).settings.grid == (4, 1, 1)


def test_the_guess_is_said_until_each_field_was_entered() -> None:
    editor: DraftEditor = Session().draft_editor
    editor.take(opened(ADD))
    assert editor.shown is not None
    assert [row.key for row in fields_of(editor.shown)] == [
        "argument n",
        "grid",
        "block",
        "shared",
        "argument A",
        "argument B",
        "argument C",
    ]
    words = guess_text(editor.shown)
    assert words is not None
    assert str(words) == "Guessed, because the text does not say it: n, Grid, Block, A, B, C. Enter what you want."
    for name, text in (("n", "512"), ("A", "512"), ("B", "512")):
        assert editor.set_argument(name, text) is None
    assert editor.set_grid("2") is None
    assert str(guess_text(editor.shown)) == "Guessed, because the text does not say it: Block, C. Enter what you want."
    assert editor.set_block("x") is not None
    assert editor.shown.settings.guessed == {"block", "argument C"}
    assert editor.set_block("256") is None
    assert editor.set_argument("C", "512") is None
    assert guess_text(editor.shown) is None


def test_a_finding_of_a_guessed_launch_says_that_it_was_guessed() -> None:
    draft = opened(ADD.replace("if (i < n) ", "").replace("C[i]", "C[i + n]"))
    said = [str(row.sentence) for row in finding_rows(launched(draft))]
    assert any("The launch was guessed" in sentence for sentence in said)
    editor = Session().draft_editor
    editor.take(draft)
    for key in sorted(draft.settings.guessed):
        name = key.removeprefix("argument ")
        taken = {"grid": editor.set_grid, "block": editor.set_block}.get(name, lambda text, name=name: editor.set_argument(name, text))
        assert taken(next(row.value for row in fields_of(draft) if row.key == key)) is None
    assert editor.shown is not None
    assert not any("guessed" in str(row.sentence) for row in finding_rows(launched(editor.shown)))


def test_a_parameter_that_is_added_later_is_guessed_and_what_was_entered_stays() -> None:
    editor = Session().draft_editor
    editor.take(opened(ADD))
    assert editor.set_argument("n", "100") is None
    text = ADD.replace("int n", "int n, int more")
    editor.change_text(text)
    editor.found(tuple(parse(text).kernels))
    assert editor.shown is not None
    assert editor.shown.settings.arguments["n"] == "100"
    assert editor.shown.settings.guessed >= {"argument more"}
    assert "argument n" not in editor.shown.settings.guessed


@given(st.text(alphabet="add<>(){}[],;=dim3 0129+-*/%\n\"'#sizeof&ab", max_size=80))
def test_no_text_is_too_strange_to_be_looked_at(text: str) -> None:
    with_kernels(draft_of(Path("x.cu"), f"{ADD}void run() {{ add<<<{text}"), tuple(parse(ADD).kernels))


def test_what_is_guessed_follows_the_sizes_and_the_block_that_are_said() -> None:
    editor: DraftEditor = Session().draft_editor
    editor.take(opened(PRODUCT.replace("C[y * n + x]", "if (x < n && y < n) C[y * n + x]")))

    def settings() -> LaunchSettings:
        assert editor.draft.value is not None
        return editor.draft.value.settings

    assert editor.set_argument("n", "40") is None
    assert settings().grid == (3, 3, 1)
    assert [settings().arguments[name] for name in "ABC"] == ["1600:random"] * 3
    assert editor.set_block("8, 8") is None
    assert settings().grid == (5, 5, 1)
    assert editor.set_argument("C", "2000:zeros") is None
    assert editor.set_argument("n", "24") is None
    assert [settings().arguments[name] for name in "ABC"] == ["576:random", "576:random", "2000:zeros"]
    assert settings().guessed == {"grid", "argument A", "argument B", "argument by"}
    assert editor.set_argument("n", "0") is None
    assert settings().grid == (1, 1, 1)
    assert editor.set_argument("n", "9000000") is None
    assert settings().arguments["A"] == f"{1 << 24}:random"
    wider = PRODUCT.replace("int n,", "float* D, int n,").replace("sum;\n}", "sum;\n    D[y * n + x] = sum;\n}")
    assert editor.set_argument("n", "64") is None
    editor.change_text(wider)
    editor.found(tuple(parse(wider).kernels))
    assert settings().arguments["D"] == "4096:random"
    editor.take(opened(ADD))
    assert editor.set_argument("n", "300") is None
    assert (settings().grid, settings().arguments["A"]) == ((2, 1, 1), "300:random")


STRIDED = """#define TILE 32
#define ROWS 8
__global__ void turned(const float* in, float* out, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
"""


def test_threads_that_take_several_rows_are_guessed_to_be_as_few() -> None:
    for text in (STRIDED, STRIDED.replace("threadIdx.y + j", "j + threadIdx.y"), STRIDED.replace("ROWS)", "8)")):
        settings = opened(text).settings
        assert (settings.grid, settings.block) == ((2, 2, 1), (32, 8, 1))
        assert settings.arguments == {"in": "4096:random", "out": "4096:random", "n": "64"}
    assert launched(opened(STRIDED)).record.findings == ()
    assert opened(STRIDED.replace("#define ROWS 8", "#define ROWS 5")).settings.block == (32, 32, 1)
    editor: DraftEditor = Session().draft_editor
    editor.take(opened(STRIDED))
    assert editor.set_argument("n", "96") is None
    assert editor.set_block("32, 4") is None
    assert editor.draft.value is not None
    assert editor.draft.value.settings.grid == (3, 3, 1)  # blocks stay 32 apart
