"""Long texts: what is wide is read, what is deep is refused before the compiler's front end would end in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.frontend import parse
from kernels.simt.frontend.parse import LONGEST_STATEMENT, refuse
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, Traced


def kernel(statement: str) -> str:
    return f"__global__ void k(const float* in, float* out) {{\n{statement}\n}}"


def test_a_statement_of_thousands_of_tokens_is_executed() -> None:
    terms = [f"in[({i} * 3 + 1) % 64] * fmaxf(in[{i % 64}], {i}.0f)" for i in range(120)]
    assert len(terms) * 24 > 2 * LONGEST_STATEMENT
    launch = LaunchRequest((1, 1, 1), (1, 1, 1), {"in": Filled(64, Fill.ARANGE), "out": Filled(1)})
    outcome = trace_job(LaunchSpec(kernel(f"out[0] = {' + '.join(terms)};"), None, launch))
    assert isinstance(outcome, Traced)
    assert outcome.trace.values["out"][0] == sum((i * 3 + 1) % 64 * max(i % 64, i) for i in range(120))


@pytest.mark.parametrize(
    "statement",
    ["out[0] = " + "- " * 1100 + "1;", "out[0] = f(0, " + "(int)" * 600 + "1);", "out[0] = " + "((1" + "+1" * 300 + ")" + "+1" * 300 + ");",
     "out[0] = [] { return 0; }(" + "!" * 1100 + "1);", "out" + "[out[0]" * 100 + "- " * 800 + "]" * 100 + ";"],
    ids=["prefixes", "casts", "chains within each other", "behind a lambda", "indices"],
)  # fmt: skip
def test_a_statement_that_is_deep_is_refused(statement: str) -> None:
    found = refuse(kernel(statement))
    assert found is not None
    assert found.line == 2
    assert f"more than {LONGEST_STATEMENT} tokens deep" in str(found.message)


def test_what_stands_beside_each_other_is_not_deep() -> None:
    assert refuse(kernel("out[0] = f(" + "g(1 + 2 + 3 + 4) + " * 200 + "0);")) is None
    assert refuse(kernel("if (f(1)) { g(2); } " * 3000)) is None


def test_operands_that_macros_stand_for_are_not_deep() -> None:
    eight = ", ".join(f'"+f"(d[i + {i}])' for i in range(8))
    operands = ", ".join(f"EIGHT({8 * i})" for i in range(16))
    text = kernel(f'float d[128]; asm volatile("wgmma.fence.sync.aligned;" : {operands});')
    assert refuse(f"#define EIGHT(i) {eight}\n{text}") is None


def test_a_chain_that_macros_stand_for_is_deep() -> None:
    found = refuse("#define FIFTY " + "1 + " * 49 + "1\n" + kernel("out[0] = (" + " + ".join(["FIFTY"] * 25) + ");"))
    assert found is not None
    assert f"more than {LONGEST_STATEMENT} tokens deep" in str(found.message)


def test_lines_that_look_like_broken_includes_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted:
        tokens = 0

        def finditer(self, text: str, *part: int) -> Iterator[re.Match[str]]:
            for found in pattern.finditer(text, *part):
                self.tokens += 1
                yield found

    pattern, counted, lines = parse._TOKEN, Counted(), 400
    monkeypatch.setattr(parse, "_TOKEN", counted)
    comments = "// like this:\n/*\n#include <a\n*/\n" * lines
    assert parse.parse(f"{comments}int main() {{}}\n").translation_unit is not None
    assert counted.tokens < 100 * lines
