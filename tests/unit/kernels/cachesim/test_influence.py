"""Which kernels may be counted without storing: those whose accesses no value can decide."""

from __future__ import annotations

import ast

import pytest

from kernels.base.spec import Device, Variant
from kernels.cachesim.influence import PACKAGE, Influence, values_decide
from kernels.catalogue.catalogue import VARIANTS

HELPERS = """
def fill(X, i):
    X[i, 0] = 1

def element(X):
    return X[0, 0]

def side(X):
    return X.shape[0] // 2

"""


@pytest.mark.parametrize(("body", "decides"), [
    ("C[0, 1] = A[0, 0] * 2", False),
    ("for i in range(A.shape[0]):\n        C[i, 0] = A[0, i]", False),
    ("c = C[0, 1:3]\n    for j in range(len(c)):\n        c[j] += A[0, j]", False),
    ("h = side(A)\n    fill(C[:h, :], h)", False),
    ("if n > 2:\n        x = A[0, 0]\n        C[0, 0] = x if n > 1 else 0", False),
    ("C[0, int(A[0, 0])] = 1", True),
    ("x = A[0, 0]\n    y = x + 1\n    C[0, int(y)] = 1", True),
    ("if A[0, 0] > 1:\n        C[0, 0] = 1", True),
    ("while A[0, 0] > 1:\n        C[0, 0] = 1", True),
    ("C[0, 0] = 1 if A[0, 0] > 1 else 2", True),
    ("for i in range(int(A[0, 0])):\n        C[i, 0] = 1", True),
    ("fill(C, A[0, 0])", True),
    ("fill(C, element(A))", True),
    ("x = n\n    x += A[0, 0]\n    C[0, x] = 1", True),
    ("x, y = A[0, 0], 1\n    C[0, x] = 1", True),
    ("x = np.argmax(A)\n    C[0, x] = 1", True),
    ("t = np.empty(int(A[0, 0]))", True),
    ("v = load(A, int(A[0, 0]), 0, 4)", True),
    ("r = register_load(0, A, int(A[0, 0]), 0)", True),
    ("r = register_load(0, A, 0, int(A[0, 0]))", True),
    ("unknown(A[0, 0])", True),
])  # fmt: skip
def test_a_value_decides_where_it_reaches_an_index_or_a_branch(body: str, decides: bool) -> None:
    influence = Influence()
    influence.look_at(ast.parse(f"{HELPERS}def kernel(A, C, n):\n    {body}\n"), ())
    assert influence.decides == decides


@pytest.mark.parametrize("one", [one for one in VARIANTS if one.device is Device.CPU and not one.library], ids=lambda one: one.id)
def test_no_value_decides_in_a_kernel_of_the_catalogue(one: Variant) -> None:
    source = one.source
    assert not values_decide(PACKAGE + source.removesuffix(".py").replace("/", "."))
