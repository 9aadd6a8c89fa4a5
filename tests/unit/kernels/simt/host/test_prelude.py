"""The prelude of host programs: the front end reads it without a remark, which a compiled prelude would keep to itself, and what is in it
does what g++ has it do."""

from __future__ import annotations

import pytest

from kernels.simt.frontend import clang
from kernels.simt.frontend.declared_functions import PRELUDE
from kernels.simt.frontend.declared_functions import prelude as of_device
from kernels.simt.host.reading import prelude
from tests.unit.kernels.simt.host.test_ends import ran

LIBRARYS_RIGHT = "user-defined literal suffixes not starting with '_' are reserved"
"""That is said of what only a library may define: the literals of std::complex."""


def remarks_on(added: str, *, extended: bool) -> list[str]:
    text = of_device(extended=extended) + prelude() + added
    unit = clang.parse(PRELUDE, {PRELUDE: text}, (clang.HOST_SIDE,))
    return [f"{each.location.line}: {each.spelling}" for each in unit.diagnostics if each.spelling != LIBRARYS_RIGHT]


@pytest.mark.parametrize("extended", [False, True])
def test_the_prelude_is_read_without_a_remark(*, extended: bool) -> None:
    assert remarks_on("", extended=extended) == []


def test_what_is_wrong_in_a_prelude_would_be_seen() -> None:
    (remark,) = remarks_on("inline int broken() { return missing; }\n", extended=True)
    assert "missing" in remark


@pytest.mark.usefixtures("workers_new")
@pytest.mark.parametrize(
    ("statements", "printed"),
    [
        ('istringstream in(string("ab\\0cd", 5)); ostringstream out; out << in.rdbuf(); cout << out.str().size();', "5"),
        (
            "string s(3000, 'q'); s[1030] = 0; istringstream in(s); ostringstream out; out << in.rdbuf(); cout << (out.str() == s);",
            "1",
        ),
        ('cout << string("a\\0b", 3) << string() << setw(3) << string("c");', "a\0b  c"),
        (
            "optional<int> none, two(2), three(3), more(2); cout << (none != two) << (two != three) << (two != more) << (none != none);",
            "1100",
        ),
        ("optional<int> two(2); cout << (two != 2) << (two != 5) << (two != nullopt);", "011"),
        (
            'istringstream in("1 2 3"); istream_iterator<int> at(in), end; for (int n = *at++; at != end; n = *at++) cout << n << *at;',
            "1223",
        ),
        ('istringstream in("one two"); istream_iterator<string> at(in); cout << at->size() << *at++ << *at;', "3onetwo"),
        ('istringstream in("xy"); istreambuf_iterator<char> at(in); cout << *at++; cout << *at;', "xy"),
    ],
)
def test_streams_and_optionals_do_what_those_of_the_compilers_do(statements: str, printed: str) -> None:
    headers = "".join(f"#include <{name}>\n" for name in ("iomanip", "iostream", "iterator", "optional", "sstream", "string"))
    assert ran(f"{headers}using namespace std;\nint main() {{ {statements} }}\n").stdout == printed
