"""Each challenge of the program is unsolved as given, for the reason that it is about; it can be solved, and not by pretending."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import pytest

from app.core.base.i18n import LANGUAGES
from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion, Verdict
from app.core.challenges.check import check
from app.core.challenges.check_program import check_program
from app.core.challenges.library import challenges
from app.core.challenges.sentences import lines_of
from app.core.session.draft import Draft
from kernels.base.messages import Message
from tests.lessons.challenge_edits import MEMORY_ORDER, SWIZZLED_ROWS, Edits, Expected

WIDEST = 68
"""Columns of a text that is still read on a projector."""


FLAT = "int at = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;"
EXPECTED = {
    "uncoalesced": Expected(
        frozenset({"sectors"}),
        (
            ("int row = blockIdx.x * blockDim.x + threadIdx.x;", "int row = blockIdx.y * blockDim.y + threadIdx.y;"),
            ("int col = blockIdx.y * blockDim.y + threadIdx.y;", "int col = blockIdx.x * blockDim.x + threadIdx.x;"),
        ),
        "if (at < rows * columns) C[at] = 1.0f;",
        wrong=(("if (row < rows && col < columns)", "if (threadIdx.x < 4 && row < rows && col < columns)"),),
    ),
    "bank-conflict": Expected(
        frozenset({"banks"}),
        (("tile[TILE][TILE];", "tile[TILE][TILE + 1];"),),
        "for (int i = at; i < rows * columns; i += 1536) C[i] = A[i];",
        wrong=(("= tile[threadIdx.x][threadIdx.y + y];", "= A[col * columns + row + y];"),),
    ),
    "swizzled-rows": SWIZZLED_ROWS,
    "race": Expected(
        frozenset({"races"}),
        (
            ("A[i] : 0.0f;\n", "A[i] : 0.0f;\n    __syncthreads();\n"),
            ("half /= 2)\n", "half /= 2) {\n"),
            ("+ half];\n", "+ half];\n        __syncthreads();\n    }\n"),
        ),
        "sums[blockIdx.x] = 1.0f;",
        wrong=(("A[i] : 0.0f;\n", "A[i] : 0.0f;\n    __syncthreads();\n"),),
    ),
    "out-of-bounds": Expected(
        frozenset({"inside", "once"}),
        (("row <= rows && col <= columns", "row < rows && col < columns"),),
        "if (at < rows * columns) C[at] = 1.0f;",
        wrong=(("row <= rows && col <= columns", "i < rows * columns"),),
    ),
    "low-occupancy": Expected(
        frozenset({"occupancy"}),
        (
            ("kept[VALUES]", "kept[128]"),
            ("kept[i - 1]", "kept[threadIdx.x - 1]"),
            ("kept[i + 1]", "kept[threadIdx.x + 1]"),
            ("kept[i]", "kept[threadIdx.x]"),
        ),
        "if (at < n) C[at] = A[at];",
        wrong=(("kept[VALUES]", "kept[128]"),),
    ),
    "rounded-down": Expected(
        frozenset({"covered"}), (), "if (at < n) y[at] = 1.0f;", grid=(8, 1, 1), wrong=(("if (i < n)", "if (i <= n)"),)
    ),
    "divergent-barrier": Expected(
        frozenset({"together"}),
        (("= A[i];\n", "= A[i];\n    }\n"), ("    C[i] =", "    if (i < n) {\n        C[i] =")),
        "if (at < n) C[at] = A[at];",
        wrong=(("        __syncthreads();\n", ""),),
    ),
    "too-many-reads": Expected(
        frozenset({"reads", "sectors"}),
        (
            ("__shared__ float Bs[TILE][TILE];", "__shared__ float As[TILE][TILE], Bs[TILE][TILE];"),
            ("        Bs[ty][tx] =", "        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;\n        Bs[ty][tx] ="),
            ("            if (row < M && k0 + k < K)\n    ", ""),
            ("A[row * K + k0 + k]", "As[ty][k]"),
        ),
        "if (at < M * N) C[at] = A[at % (M * K)];",
        wrong=(("k < TILE; ++k", "k < 1; ++k"),),
    ),
    **MEMORY_ORDER,
}  # fmt: skip


@dataclass(frozen=True)
class Mended:
    """The same of a challenge on a whole program. `pretended` looks like solutions and is none."""

    missed: frozenset[str]
    solution: Edits
    pretended: Mapping[str, Edits]


COPY_BACK = (("    cudaDeviceSynchronize();\n", "    cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);\n"),)
TELLS = 'printf("launch: %s\\n", cudaGetErrorString(error));\n'
ASKED = (
    ("block>>>(d_x, n);\n", "block>>>(d_x, n);\n    cudaError_t error = cudaGetLastError();\n"),
    ("    cudaMemcpy(x, d_x", "    if (error == cudaSuccess) {\n    cudaMemcpy(x, d_x"),
    ("x[0], sum);\n", f"x[0], sum);\n    }} else\n        {TELLS}"),
    ("return 0;", "return error == cudaSuccess ? 0 : 1;"),
)
PROGRAMS = {
    "missing-copy": Mended(
        frozenset({"read"}),
        COPY_BACK,
        {
            "without the launch": (("    saxpy<<<(n + 127) / 128, 128>>>(d_x, d_y, n);\n", ""), *COPY_BACK),
            "computed on the host": (("sum += y[i];", "sum += y[i] = 2 * x[i] + 1;"),),
            "known output": (('"y[%d] = %g, sum %.0f\\n", n - 1, y[n - 1], sum', '"y[999] = 1999, sum 1000000\\n"'),),
            "known output and a copy": (*COPY_BACK, ('"y[%d] = %g, sum %.0f\\n", n - 1, y[n - 1], sum', '"y[999] = 1999, sum 1000000\\n"')),
            "the other direction": ((COPY_BACK[0][0], COPY_BACK[0][1].replace("DeviceToHost", "HostToDevice")),),
            "a part of it": ((COPY_BACK[0][0], COPY_BACK[0][1].replace("bytes", "4000 < bytes ? bytes : bytes / 2")),),
            "before the launch": (
                (COPY_BACK[0][0], ""), ("    saxpy<<<", COPY_BACK[0][1] + "    saxpy<<<"),
            ),
        },
    ),
    "unchecked-launch": Mended(
        frozenset({"asked"}),
        ASKED,
        {
            "without the launch": (*ASKED, ("    plus_one<<<(n + threads - 1) / threads, block>>>(d_x, n);\n", "")),
            "a smaller block": (("dim3 block(side, side);", "dim3 block(16, 16);"), ("int threads = side * side;", "int threads = 256;")),
            "asked and not told": ASKED[:1],
            "told by arithmetic": (
                ("    dim3 block", '    if (side * side > 1024) {\n    printf("launch: invalid configuration argument\\n");\n'
                 "    cudaFree(d_x);\n    free(x);\n    return 1;\n    }\n    dim3 block"),
            ),
            "left without freeing": (
                *ASKED[:1],
                ("    cudaMemcpy(x, d_x", f"    if (error) {{\n    {TELLS}    return 1;\n    }}\n    cudaMemcpy(x, d_x"),
            ),
            "told always": (*ASKED[:1], ('    printf("x[0] = %d, sum %d\\n", x[0], sum);\n', f"    {TELLS}"), ("return 0;", "return 1;")),
        },
    ),
    "leak": Mended(
        frozenset({"freed"}),
        (("        d_now = d_next;", "        cudaFree(d_now);\n        d_now = d_next;"),),
        {
            "freed too early": (("        smooth<<<", "        cudaFree(d_now);\n        smooth<<<"),),
            "freed twice": (("        d_now = d_next;", "        cudaFree(d_now);\n        cudaFree(d_next);\n        d_now = d_next;"),),
            "without the rounds": (("round < rounds", "round < 0"),),
            "the first one only": (("        d_now = d_next;", "        if (round == 0) cudaFree(d_now);\n        d_now = d_next;"),),
            "in one array": (
                ("        float* d_next;\n        cudaMalloc(&d_next, bytes);\n", "        float* d_next = d_now;\n"),
            ),
        },
    ),
}  # fmt: skip
OF_KERNELS = [each for each in challenges() if each.program is None]
OF_PROGRAMS = [each for each in challenges() if each.program is not None]
ALL = [pytest.param(each, EXPECTED[each.id], id=each.id) for each in OF_KERNELS]
MENDED = [pytest.param(each, PROGRAMS[each.id], id=each.id) for each in OF_PROGRAMS]
KERNELS_PRETENDED, SOLVED_OTHERWISE = (
    [
        pytest.param(each, edits, id=f"{each.id}: {name}")
        for each in OF_KERNELS
        for name, edits in (EXPECTED[each.id].others if solves else EXPECTED[each.id].pretended).items()
    ]
    for solves in (False, True)
)
PRETENDED = [
    pytest.param(each, edits, id=f"{each.id}: {name}") for each in OF_PROGRAMS for name, edits in PROGRAMS[each.id].pretended.items()
]


def edited(text: str, edits: Edits) -> str:
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def with_body(challenge: Challenge, body: str) -> Draft:
    """The given text with another body of the kernel."""
    head = challenge.given.text[: challenge.given.text.rindex(")\n{\n")]
    return replace(challenge.given, text=f"{head})\n{{\n    {body}\n}}\n")


def solution_of(challenge: Challenge, expected: Expected) -> Draft:
    settings = challenge.given.settings if expected.grid is None else replace(challenge.given.settings, grid=expected.grid)
    return replace(challenge.given, text=edited(challenge.given.text, expected.solution), settings=settings)


def verdict_on(challenge: Challenge, draft: Draft) -> Verdict:
    question = CheckQuestion(challenge, Attempt.of(challenge, draft))
    return check(question) if challenge.program is None else check_program(question)


@cache
def verdict_on_given(challenge_id: str) -> Verdict:
    challenge = next(each for each in challenges() if each.id == challenge_id)
    return verdict_on(challenge, challenge.given)


def test_all_of_them_are_held_to_this() -> None:
    assert [each.id for each in challenges()] == [*EXPECTED, *PROGRAMS]
    folder = files("resources").joinpath("challenges")
    assert {each.name for each in folder.iterdir() if each.is_dir()} == EXPECTED.keys() | PROGRAMS.keys()


@pytest.mark.parametrize(("challenge", "mended"), MENDED)
def test_the_given_program_misses_what_the_challenge_is_about(challenge: Challenge, mended: Mended) -> None:
    verdict = verdict_on_given(challenge.id)
    assert verdict.trouble is None
    assert verdict.faults
    assert {met.target for met in verdict.targets if not met.holds} == mended.missed


@pytest.mark.parametrize(("challenge", "mended"), MENDED)
def test_a_program_can_be_mended(challenge: Challenge, mended: Mended) -> None:
    verdict = verdict_on(challenge, replace(challenge.given, text=edited(challenge.given.text, mended.solution)))
    assert verdict.solved, [str(fault) for _, fault in verdict.faults] or verdict


@pytest.mark.parametrize(("challenge", "edits"), PRETENDED)
def test_a_program_is_not_mended_by_pretending(challenge: Challenge, edits: Edits) -> None:
    verdict = verdict_on(challenge, replace(challenge.given, text=edited(challenge.given.text, edits)))
    assert verdict.trouble is None, verdict.trouble
    assert not verdict.solved


@pytest.mark.parametrize(("challenge", "expected"), ALL)
def test_the_given_text_misses_what_the_challenge_is_about(challenge: Challenge, expected: Expected) -> None:
    verdict = verdict_on_given(challenge.id)
    assert verdict.trouble is None
    assert not verdict.solved
    assert {met.target for met in verdict.targets if not met.holds} == expected.missed


@pytest.mark.parametrize(("challenge", "expected"), ALL)
def test_it_can_be_solved(challenge: Challenge, expected: Expected) -> None:
    verdict = verdict_on(challenge, solution_of(challenge, expected))
    assert verdict.solved, verdict


@pytest.mark.parametrize(("challenge", "expected"), ALL)
def test_doing_nothing_does_not_solve_it(challenge: Challenge, expected: Expected) -> None:
    assert not verdict_on(challenge, replace(with_body(challenge, ""), settings=solution_of(challenge, expected).settings)).solved


@pytest.mark.parametrize(("challenge", "expected"), ALL)
def test_writing_without_working_does_not_solve_it(challenge: Challenge, expected: Expected) -> None:
    hacked = replace(with_body(challenge, FLAT + "\n    " + expected.constant), settings=solution_of(challenge, expected).settings)
    verdict = verdict_on(challenge, hacked)
    assert verdict.trouble is None
    assert any("expected" in fault.template for _, fault in verdict.faults), verdict


@pytest.mark.parametrize(("challenge", "expected"), ALL)
def test_leaving_a_block_out_does_not_solve_it(challenge: Challenge, expected: Expected) -> None:
    solution = solution_of(challenge, expected)
    body = solution.text.rindex(")\n{\n") + len(")\n{\n")
    skipping = solution.text[:body] + "    if (blockIdx.x == 1) return;\n" + solution.text[body:]
    verdict = verdict_on(challenge, replace(solution, text=skipping))
    assert verdict.trouble is None
    assert not verdict.solved


@pytest.mark.parametrize(("challenge", "expected"), ALL)
def test_what_only_looks_like_a_solution_is_none(challenge: Challenge, expected: Expected) -> None:
    solution = solution_of(challenge, expected)
    base = challenge.given.text if expected.solution else solution.text
    assert not verdict_on(challenge, replace(solution, text=edited(base, expected.wrong))).solved


@pytest.mark.parametrize(("challenge", "edits"), KERNELS_PRETENDED)
def test_a_kernel_is_not_mended_by_pretending(challenge: Challenge, edits: Edits) -> None:
    verdict = verdict_on(challenge, replace(challenge.given, text=edited(challenge.given.text, edits)))
    assert verdict.trouble is None, verdict.trouble
    assert not verdict.solved


@pytest.mark.parametrize(("challenge", "edits"), SOLVED_OTHERWISE)
def test_it_can_be_solved_in_other_ways(challenge: Challenge, edits: Edits) -> None:
    verdict = verdict_on(challenge, replace(challenge.given, text=edited(challenge.given.text, edits)))
    assert verdict.solved, verdict


@pytest.mark.parametrize("challenge", [pytest.param(each, id=each.id) for each in challenges()])
def test_it_speaks_both_languages_and_helps_in_steps(challenge: Challenge) -> None:
    assert list(challenge.texts) == list(LANGUAGES)
    english, chinese = challenge.texts.values()
    assert english.steps.keys() == chinese.steps.keys()
    assert len(challenge.hints) >= 2
    for name, said in english.steps.items():
        other = chinese.steps[name]
        assert bool(said.narration) == bool(other.narration), name
        used = [{field for paragraph in each.paragraphs for field in paragraph.fields} for each in (said, other)]
        assert used[0] == used[1], name
        assert any("\u4e00" <= sign <= "\u9fff" for sign in other.headline) or "(" in other.headline, name


@pytest.mark.parametrize("challenge", [pytest.param(each, id=each.id) for each in challenges()])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_target_has_its_numbers(challenge: Challenge, language: str) -> None:
    found = [str(each) for line in lines_of(challenge, verdict_on_given(challenge.id), language) for each in line.found]
    assert found
    assert not [text for text in found if "…" in text or "{" in text]
    assert not [met for met in verdict_on_given(challenge.id).targets for value in met.numbers.values() if isinstance(value, Message)]


@pytest.mark.parametrize("challenge", [pytest.param(each, id=each.id) for each in challenges()])
def test_the_text_fits_on_a_projector(challenge: Challenge) -> None:
    assert max(len(line) for line in challenge.given.text.splitlines()) <= WIDEST
    assert challenge.cases or challenge.program, "sizes that the blocks do not fit"
