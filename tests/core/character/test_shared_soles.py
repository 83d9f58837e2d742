"""Soles whose skin follows several links are brought to where they are planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from footfall.core.character.from_rig.shared_sole import (
    LinkFrames,
    SharedSole,
    raise_soles,
    settle_soles,
)
from footfall.core.geometry import so3

FRAMES = 9
HIP, KNEE, ANKLE = (0.0, 0.0, 0.9), (0.0, 0.0, 0.5), (0.0, 0.0, 0.1)
SOLE = np.array([(-0.06, -0.03, -0.1), (-0.06, 0.03, -0.1), (0.16, 0.0, -0.1)])  # from the ankle


def _bend_leg() -> LinkFrames:
    """A pelvis, thigh, shin and foot: a knee that bends above a level foot."""
    bend = np.radians(np.linspace(10, 60, FRAMES))
    thigh = so3.rotation_about("y", -0.5 * bend)
    shin = so3.rotation_about("y", 0.5 * bend)
    identity = np.tile(np.eye(3), (FRAMES, 1, 1))
    hip = np.tile(HIP, (FRAMES, 1))
    knee = hip + thigh @ (np.array(KNEE) - HIP)
    ankle = knee + shin @ (np.array(ANKLE) - KNEE)
    return LinkFrames(
        np.stack([hip, hip, knee, ankle], 1), np.stack([identity, thigh, shin, identity], 1)
    )


def _share_sole(other_link: int, share: float, is_single_bone: bool) -> SharedSole:
    joints = np.array([HIP, HIP, KNEE, ANKLE])
    offsets = np.stack([SOLE, SOLE + ANKLE - joints[other_link]])
    weights = np.stack([np.full(len(SOLE), 1 - share), np.full(len(SOLE), share)])
    return SharedSole((1, 2, 3), np.array([3, other_link]), offsets, weights, is_single_bone)


def _place_skin(sole: SharedSole, poses: LinkFrames) -> np.ndarray:
    """Return the skin of a sole (n, m, 3) [m]."""
    return np.sum(
        [
            weight[:, None]
            * (poses.origin[:, None, link] + points @ np.swapaxes(poses.rotation[:, link], 1, 2))
            for link, points, weight in zip(sole.links, sole.offsets, sole.weights, strict=True)
        ],
        axis=0,
    )


def _measure_error(sole: SharedSole, planned: LinkFrames, poses: LinkFrames) -> float:
    """Return the greatest distance of the skin of a sole from where it is planned [m]."""
    skin = _place_skin(sole, poses)
    target = planned.origin[:, None, 3] + SOLE @ np.swapaxes(planned.rotation[:, 3], 1, 2)
    return float(np.linalg.norm(skin - target, axis=-1).max())


@pytest.mark.parametrize(
    ("link", "is_single_bone", "max_error"),
    [
        (2, False, 0.008),  # no rigid foot undoes the turn of the shin's share
        (0, True, 1e-9),
    ],
)
def test_skin_of_a_shared_sole_is_where_it_is_planned(
    link: int, is_single_bone: bool, max_error: float
) -> None:
    planned = _bend_leg()
    sole = _share_sole(link, 0.3, is_single_bone)
    settled = settle_soles((sole,), planned)
    assert _measure_error(sole, planned, planned) > 0.02
    assert _measure_error(sole, planned, settled) < max_error


@pytest.mark.parametrize("share", [0.3, 0.7, 1.0])
def test_a_raised_sole_stands_on_its_lowest_point(share: float) -> None:
    planned = _bend_leg()
    sole = _share_sole(2, share, is_single_bone=False)
    floor = planned.origin[:, 3, 2] + SOLE[0, 2]
    before, after = (
        _place_skin(sole, poses)[..., 2].min(1) - floor
        for poses in (planned, raise_soles((sole,), planned))
    )
    assert before.min() < -0.015
    assert np.abs(after).max() < 1e-3


@pytest.mark.parametrize("move", [settle_soles, raise_soles])
def test_legs_stay_connected(
    move: Callable[[Sequence[SharedSole], LinkFrames], LinkFrames],
) -> None:
    planned = _bend_leg()
    settled = move((_share_sole(2, 0.3, is_single_bone=False),), planned)
    for upper, lower, joint in ((1, 2, np.subtract(KNEE, HIP)), (2, 3, np.subtract(ANKLE, KNEE))):
        ends = settled.origin[:, upper] + settled.rotation[:, upper] @ joint
        assert np.abs(ends - settled.origin[:, lower]).max() < 1e-9
    assert np.array_equal(settled.origin[:, :2], planned.origin[:, :2])
    knee = np.einsum(
        "nij,nj->ni", np.swapaxes(settled.rotation[:, 1], 1, 2), settled.rotation[:, 2, :, 2]
    )
    assert (knee[:, 0] > 0).all()  # bent forward, as planned


@pytest.mark.parametrize("move", [settle_soles, raise_soles])
def test_a_sole_of_its_foot_alone_leaves_the_plan(
    move: Callable[[Sequence[SharedSole], LinkFrames], LinkFrames],
) -> None:
    planned = _bend_leg()
    settled = move((_share_sole(2, 0.0, is_single_bone=False),), planned)
    assert np.abs(settled.origin - planned.origin).max() < 1e-12
    assert np.abs(settled.rotation - planned.rotation).max() < 1e-12
