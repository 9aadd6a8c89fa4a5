"""Inputs that mean harm: small files that unpack to huge ones, endless nesting, names of other files, texts that are code."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from app.core.challenges.result import FORMAT as ATTEMPT
from app.core.state.written import FORMAT as STATE
from app.core.state.written import MARK
from kernels.measure.recording_file import FORMAT as RECORDING

DEEP = 20_000
MIB = 1 << 20
CODE = '__import__("os").system("touch harm")'
NESTED = (
    b"[" * DEEP,
    b'{"a":' * DEEP,
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * 3000 + b"1" + b"}" * 3000,
    b"9" * MIB,
    b'"' + b"\\ud800" * 9 + b'"',
)
POINT = {"id": "gpu.tiled", "operation": "matmul", "m": 8, "n": 8, "k": 8, "status": "skipped", "created": "", "reason": {}}


def word(content: bytes) -> bytes:
    """The content packed as a word to paste."""
    return MARK.encode() + base64.urlsafe_b64encode(content)


def laughs(depth: int, times: int) -> dict[str, Any]:
    """A message that asks for another one several times, that one for another, and so on."""
    reason: dict[str, Any] = {"template": "ha", "arguments": {}}
    for _ in range(depth):
        reason = {"template": "{a}" * times, "arguments": {"a": reason}}
    return reason


def _recordings() -> Iterator[bytes]:
    reasons = (laughs(40, 2), laughs(7, 600), laughs(300, 1), {"template": "{0}", "arguments": {"0": 1}}, {"template": "{a!r:>9999999}"})
    for reason in (*reasons, {"template": "{a.__init__}", "arguments": {"a": "x"}}, {"template": "{a[0]}", "arguments": {"a": "x"}}):
        yield json.dumps({"format": RECORDING, "points": [{**POINT, "reason": reason}]}).encode()
    values: tuple[Any, ...] = (10**400, -(10**400), float("inf"), "../../harm", "x" * 5000, "\ud800", [], {})
    for value in values:
        for field in (*POINT, "times_ms", "relative_error", "parameters", "conditions"):
            yield json.dumps({"format": RECORDING, "points": [{**POINT, "reason": laughs(0, 0), field: value}]}).encode()
    named = {"processor": "../../../harm", "gpu": "/harm", "points": "["}
    yield json.dumps(
        {"format": RECORDING, "conditions": named, "points": [{**POINT, "reason": laughs(0, 0), "created": "../harm"}]}
    ).encode()
    yield b'{"format": "' + RECORDING.encode() + b'", "p\\u006fints": [{"id": 7}]}'
    yield b'{"format": "' + RECORDING.encode() + b'", "points": [' + b"{}," * (MIB // 4) + b"{}]}"


def _lessons() -> Iterator[bytes]:
    head = b'=== lesson.toml\ntopic = "t"\nminutes = 1\n'
    endless = (b"a" + b".a" * DEEP + b" = 1", b"[" + b"a." * DEEP + b"a]", b'"a"' + b' . "a"' * DEEP + b" = 1", b"[[a]]\n" * DEEP)
    other = (b"a = " + b"[" * DEEP, b"a = " + b"{a=" * 3000, b"a = " + b"9" * MIB, b'a = """' + b"x" * MIB, b"a = 1" * DEEP, b"a = 1e999")
    yield from (head + each for each in (*endless, *other))
    for name in (b"../../etc/passwd", b"/etc/passwd", b"a/../../b.cu", b"..", b"CON.cu", b"x\\u0000.cu"):
        yield head + b'[[kernel]]\nname = "k"\nfile = "' + name + b'"\nlaunch = { grid = [1, 1, 1], block = [32, 1, 1] }\n'
    for text in (
        "9**9**9",
        "(" * 90 + "1" + ")" * 90,
        CODE,
        "().__class__",
        "[1 for _ in a]",
        "1 if 1 else 2",
        "-" * 190 + "1",
        "1e308*1e308",
    ):
        yield head + f"[[step]]\nname = \"s\"\nvalues = {{ a = '{text}' }}\n=== en.md\n# T\n## s\nx {{a.__class__}} {{0}}\n".encode()
    yield head + b"[[step]]\nname = 's'\n=== en.md\n# T\n" + b"## s\n" * 5001
    yield head + b"[[step]]\nname = 's'\n=== en.md\n# T\n## s\n" + b"`" * MIB
    yield head + b"[[step]]\nname = 's'\n=== en.md\n# T\n## s\n" + b"# " + b" " * 500_000 + b"\t"


def _states() -> Iterator[bytes]:
    launch = {"grid": [1, 1, 1], "block": [32, 1, 1]}
    base: dict[str, Any] = {"format": STATE, "variant": "gpu.tiled", "sizes": [64, 64, 64]}
    for arguments in ({"a": "@/etc/passwd"}, {"a": " @../x.npy"}, {"a": "９" * 1999}, {CODE: CODE}, {f"a{i}": "1" for i in range(5000)}):
        yield json.dumps({**base, "draft": {"name": "../../harm.cu", "text": CODE, "launch": {**launch, "arguments": arguments}}}).encode()
    for sizes in ([10**400] * 3, [-1] * 3, [1e308] * 3, [2**31] * 3, ["64"] * 3, [True] * 3):
        yield json.dumps({**base, "sizes": sizes}).encode()
    for grid in ([2**31 - 1, 65535, 65535], [2**64, 1, 1], [0, 0, 0], [1]):
        yield json.dumps({**base, "draft": {"name": "k.cu", "text": "x", "launch": {"grid": grid, "block": [1024, 1024, 64]}}}).encode()
    yield json.dumps({**base, "draft": {"name": "k.cu", "text": "\ud800", "launch": launch}}).encode()


def _words() -> Iterator[bytes]:
    yield word(zlib.compress(b" " * (100 * MIB), 9))
    yield word(zlib.compress(zlib.compress(b" " * (100 * MIB), 9), 9))
    yield word(zlib.compress(b'{"a":' * DEEP, 9))
    yield word(b"")
    yield word(b"\x1f\x8b\x08" + b"\0" * 100)
    yield MARK.encode() + b"=" * MIB
    yield MARK.encode() + "é中\ud800".encode("utf-8", "surrogatepass")
    yield MARK.encode() * DEEP
    yield from (word(zlib.compress(each)) for each in _states())


def _attempts() -> Iterator[bytes]:
    base = {"format": ATTEMPT, "challenge": "race", "text": CODE, "grid": [1, 1, 1], "block": [32, 1, 1]}
    for field, value in (
        ("challenge", "../../race"),
        ("name", "\ud800"),
        ("text", "\udfff"),
        ("grid", [2**31 - 1] * 3),
        ("hints", 10**400),
    ):
        yield json.dumps({**base, field: value}).encode()


def _profiles() -> Iterator[bytes]:
    yield b"," * (4 * MIB)
    yield b'"' + b"x" * (2 * MIB) + b'"'
    yield b'"Kernel Name","a__b"\n' + b'"",""\n' + b'"matmul_tiled","' + b"9" * 5000 + b'"\n'
    yield b'"Kernel Name",' + b'"a__b",' * 100_000 + b'"x"\n'
    yield b'"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n' + b'"0","' + b"<" * 100_000 + b'","a__b","","1"\n'
    yield b"\0" * 1000 + b"\n\r\x1a"


def _kernels() -> Iterator[bytes]:
    for body in (
        'printf("\'); import os; os.system(\\"touch harm\\") #{a!r} %n %s %s", 1);', "int __import__ = 1; int exec = 2; a[0] = exec;",
        "int $a = 1; a[0] = $a;", "int ª = 1; int a\u0338 = 2; a[0] = ª;", 'asm volatile("syscall");', "a[0] = (int)(size_t)&system;",
        "a[0] = __builtin_ia32_rdtsc();", "while (1);", "for (;;) a[0]++;", "k<<<1, 1>>>(a);", "int x[1 << 28]; a[0] = x[0];",
        "\n#pragma unroll ²\nfor (int i = 0; i < 3; i++) a[i] = i;",
        f"\n#pragma unroll {'9' * 5000}\nfor (int i = 0; i < 3; i++) a[i] = i;",
    ):  # fmt: skip
        yield f"__global__ void k(int *a) {{ {body} }}\n".encode()
    for line in (
        '#include "/etc/passwd"', "#include </dev/zero>", '#include "/dev/stdin"', "#include __FILE__", '#embed "/etc/passwd"',
        'static const char x[] = { \n#include "/etc/hostname"\n };', "#define int CODE", "%:include </etc/passwd>",
        '__attribute__((constructor)) void f() { system("touch harm"); }', '#line 1 "/etc/passwd"',
        '#pragma comment(lib, "x")', '#pragma GCC plugin "x"',
    ):  # fmt: skip
        yield line.encode() + b"\n__global__ void k(int *a) { a[0] = 1; }\n"


def hostile() -> Mapping[str, list[bytes]]:
    """All of them by reader."""
    nested = {name: list(NESTED) for name in ("state", "attempt", "recording", "draft", "recent", "progress", "records")}
    own = {
        "state": _states, "word": _words, "lesson": _lessons, "attempt": _attempts, "recording": _recordings, "profile": _profiles,
        "kernel": _kernels,
    }  # fmt: skip
    challenges = {"challenge": [each.replace(b"lesson.toml", b"challenge.toml") for each in _lessons()]}
    lines = [b"9" * MIB, b"0" * MIB + b"x", b"-" * DEEP, b"@/etc/passwd", b"run\n" + b"x" * MIB, b"\n" * 5000]
    lines += [option + b"\n" + lines[0] for option in (b"--n", b"--lang", b"--size", b"--theme")]
    return {
        **challenges,
        "arguments": lines,
        **{name: [*nested.get(name, []), *(own[name]() if name in own else ())] for name in (*own, *nested)},
    }
