"""Arrays on the stack whose length is known only when the program runs: what leaves them is found, they end, what is too large is named."""

from __future__ import annotations

import pytest

from kernels.simt.host.process import Programs
from kernels.simt.host.result import NotRun, ProgramJob, ProgramRun, Wrong

HEAD = "#include <alloca.h>\n#include <cstdio>\n#include <cstring>\n#include <string>\n"


def run(body: str, before: str = "") -> ProgramRun | NotRun:
    text = f"{HEAD}{before}\nint main(int argc, char** argv) {{ int n = argc + 3;\n{body}\nreturn 0; }}\n"
    return Programs().run(ProgramJob(text))


def ran(body: str, before: str = "") -> ProgramRun:
    done = run(body, before)
    assert isinstance(done, ProgramRun), done
    return done


BODY = HEAD.count("\n") + 3
"""The line of the first statement."""


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("int a[n];\na[n] = 1;", "a[n]"),
        ("int a[n];\nprintf(\"%d\", a[-1]);", "a[-1]"),
        ("float a[n][n];\na[n][0] = 1;", "a[n][0]"),
        ("int* a = (int*)alloca(n * sizeof(int));\na[4] = 1;", "a[4]"),
        ("int* kept; { int a[n]; kept = a; }\nkept[0] = 1;", "kept[0]"),
        ("int* kept; for (int i = 0; i < 2; ++i) { int a[n]; kept = a; if (i) break; }\nkept[0] = 1;", "kept[0]"),
        ("int* p = local(n);\np[0] = 1;", "p[0]"),
        ("char a[n];\nmemset(a, 0, n + 1);", "memset"),
    ],
)  # fmt: skip
def test_what_leaves_the_array_is_found(body: str, place: str) -> None:
    done = ran(body, "int* local(int n) { int* a = (int*)alloca(n * sizeof(int)); a[0] = 1; return a; }")
    (finding,) = done.findings
    assert (finding.wrong, finding.location.line) == (Wrong.OUT_OF_BOUNDS, BODY + 1)
    assert place in str(finding.message)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("int much = n << 20;\ndouble a[much];", "a takes 33554432 bytes on the stack, which has 8 MiB"),
        ("int much = -n;\ndouble a[much];", "a has a negative length"),
        ("int much = n << 22;\nchar* a = (char*)alloca(much);", "alloca takes 16777216 bytes on the stack"),
    ],
)
def test_what_is_too_large_is_named(body: str, words: str) -> None:
    done = ran(body)
    (finding,) = done.findings
    assert (finding.wrong, finding.location.line, done.status) == (Wrong.STACK, BODY + 1, 139)
    assert words in str(finding.message)


def test_memory_comes_back_at_the_end_of_the_block_and_of_the_function() -> None:
    """Each of these takes more than the stack has, were it not given back."""
    done = ran(
        """for (int i = 0; i < 40; ++i) { char a[n << 18]; a[i] = 1; if (i % 2) continue; }
for (int i = 0; i < 40; ++i) try { thrown(n << 18); } catch (int) { }
for (int i = 0; i < 40; ++i) taken(n << 18);
for (int i = 0; i < 40; ++i) early(n << 18);
puts("done");""",
        """void thrown(int n) { char a[n]; a[0] = 1; throw a[0] + 1; }
void taken(int n) { char* a = (char*)alloca(n); a[n - 1] = 1; }
int early(int n) { char a[n]; a[n - 1] = 1; if (n) return a[n - 1]; return 0; }""",
    )
    assert (done.stdout, done.findings) == ("done\n", ())


def test_objects_begin_and_end() -> None:
    before = 'struct Told { int n = 7; ~Told() { printf("-%d", n); } };'
    done = ran('{ Told a[n]; a[1].n = 1; std::string s[n]; s[2] = "ab"; printf("%zu%zu", s[2].size(), s[3].size()); }\nputs(".");', before)
    assert (done.stdout, done.findings) == ("20-7-7-1-7.\n", ())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("float a[n];\nfloat (*row)[n] = (float (*)[n])a; row[1][0] = 1;", "A pointer to rows"),
        ("float a[n][n];\nfloat* p = a[0]; p = *(a + 1);", "A pointer to rows"),
        ("int m = n;\nint a[m] = {1, 2};", "takes no values where it is declared"),
        ("typedef int Row[n];\nRow a; a[0] = 1;", "The length of this array stands elsewhere"),
        ("again: int a[n];\nif (a[0]) goto again;", "goto is not supported"),
    ],
)
def test_what_would_need_the_size_of_rows_is_refused_in_words(body: str, words: str) -> None:
    done = run(body)
    assert isinstance(done, NotRun)
    assert any(words in str(each.message) for each in done.diagnostics), done
