"""The roles of a matrix in fewer cells."""

from __future__ import annotations

import numpy as np

from app.core.frames.matrix import Role, aggregate


def test_aggregating_keeps_the_most_important_role() -> None:
    idle, roles = Role.IDLE, np.full((5, 5), Role.IDLE, np.uint8)
    roles[4, 4], roles[0, 1], roles[1, 0] = Role.WRITE, Role.BAND, Role.TILE
    assert aggregate(roles, 2).tolist() == [[Role.TILE, idle, idle], [idle] * 3, [idle, idle, Role.WRITE]]
