"""Forces of contacts: they push, within friction, and come close to what a motion needs."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine.shared.contact_forces import (
    ContactPoints,
    compute_load,
    distribute_forces,
)

ARMS = np.array([[0.1, 0.1, -1.0], [-0.1, 0.1, -1.0], [0.1, -0.1, -1.0], [-0.1, -0.1, -1.0]])


def test_points_share_a_force_and_its_moment() -> None:
    points = ContactPoints(np.tile(ARMS, (3, 1, 1)), np.ones((3, 4)))
    place = np.array([[0.0, 0.0, -1.0], [0.05, 0.02, -1.0], [-0.03, 0.08, -1.0]])
    force = np.array([[0.0, 0.0, 1.0], [0.1, 0.0, 0.9], [0.0, 0.2, 1.3]])
    moment = np.cross(place, force)
    forces = distribute_forces(points, force, moment, 0.9)
    assert forces.sum(1) == pytest.approx(force, abs=2e-3)
    assert np.cross(ARMS, forces).sum(1) == pytest.approx(moment, abs=5e-3)
    assert np.linalg.norm(forces[..., :2], axis=-1) == pytest.approx(
        np.minimum(np.linalg.norm(forces[..., :2], axis=-1), 0.9 * forces[..., 2]), abs=1e-9
    )


def test_impossible_forces_are_approached_within_friction() -> None:
    points = ContactPoints(ARMS[None], np.ones((1, 4)))
    forces = distribute_forces(points, np.array([[2.0, 0.0, 1.0]]), np.zeros((1, 3)), 0.5)
    total = forces[0].sum(0)
    assert (np.linalg.norm(forces[..., :2], axis=-1) <= 0.5 * forces[..., 2] + 1e-9).all()
    assert (forces[..., 2] >= 0).all()
    assert total[0] > 0.3
    pulled = distribute_forces(points, np.array([[0.0, 0.0, -1.0]]), np.zeros((1, 3)), 0.5)
    assert pulled == pytest.approx(0.0, abs=1e-6)


def test_points_without_contact_have_no_force() -> None:
    load = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    points = ContactPoints(np.tile(ARMS, (2, 1, 1)), load)
    forces = distribute_forces(points, np.tile([0.0, 0.0, 1.0], (2, 1)), np.zeros((2, 3)), 0.9)
    assert (forces[load == 0] == 0).all()
    assert forces[0, :2, 2].sum() > 0.5


def test_load_rises_and_falls_with_a_contact() -> None:
    times = np.linspace(0, 1, 201)
    load = compute_load(times, 0.2, 0.8)
    assert (load[(times < 0.2) | (times > 0.8)] == 0).all()
    assert load[np.abs(times - 0.5) < 0.1] == pytest.approx(1.0)
    assert np.abs(np.diff(load)).max() < 0.1
