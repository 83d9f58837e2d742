"""Swing feet avoid the stance leg, and a foot that only brushes the ground takes no step."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import mujoco
import numpy as np
import pytest
from footfall.core.engine.preview.feet.swing import SWING, compute_swing_offset
from footfall.core.engine.preview.recording.contacts import ContactDetector
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.simulate.model import TouchPoint
from footfall.core.simulate.reference import SwingTarget
from footfall.core.simulate.swinging import compute_swing_acceleration
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

Array = NDArray[np.float64]

APART = 0.17  # [m]
UP = np.array([0.0, 0.0, 1.0])


def at(x: float, y: float) -> Array:
    """Return a point on the ground."""
    return np.array([x, y, 0.0])


class Passing(NamedTuple):
    """Distance to the left of a point at which a foot passes it, and the end of the foot [m]."""

    distance: float
    end: Array


def passed(target: SwingTarget, stands: Array, step: float = 0.002) -> Passing:
    """Return how a foot passes a point when it follows its swing target."""
    place = target.lift_place.copy()
    velocity = np.zeros(3)
    nearest = (np.inf, 0.0)
    whole = target.remaining_time
    direction = (target.place - target.lift_place)[:2] / np.linalg.norm(
        (target.place - target.lift_place)[:2]
    )
    for k in range(round(whole / step)):
        now = SwingTarget(
            target.leg,
            target.place,
            0.0,
            UP,
            whole - k * step,
            k * step,
            target.lift_place,
            lateral_offset=target.lateral_offset,
        )
        velocity = velocity + step * compute_swing_acceleration(now, place, velocity)
        place = place + step * velocity
        off = (place - stands)[:2]
        nearest = min(
            nearest,
            (abs(float(off @ direction)), float(direction[0] * off[1] - direction[1] * off[0])),
        )
    return Passing(nearest[1], place)


def test_foot_that_passes_at_a_distance_moves_straight() -> None:
    assert compute_swing_offset(1, at(-0.6, 0.1), at(0.6, 0.1), at(0, -0.1), APART) == 0.0
    assert compute_swing_offset(-1, at(-0.6, -0.1), at(0.6, -0.1), at(0, 0.1), APART) == 0.0


def test_foot_that_does_not_pass_moves_straight() -> None:
    """Both ends are beside, behind or ahead of the other foot, or it stands at the target."""
    assert compute_swing_offset(1, at(0, 0), at(0.6, 0), at(-0.1, 0), APART) == 0.0
    assert compute_swing_offset(1, at(0, 0), at(0.6, 0), at(0.7, 0), APART) == 0.0
    assert compute_swing_offset(1, at(0.2, 0.1), at(0.2, 0.1), at(0.2, -0.1), APART) == 0.0


@given(
    st.floats(-np.pi, np.pi), st.floats(0.25, 0.75), st.floats(0.06, 0.3), st.sampled_from([-1, 1])
)
def test_foot_passes_on_its_side_at_the_required_distance(
    heading: float, share: float, aside: float, side: int
) -> None:
    """This holds for any direction and any stance foot; the foot reaches its target."""
    left = at(0.3, -0.2)
    place = at(0.3 + 1.3 * np.cos(heading), -0.2 + 1.3 * np.sin(heading))
    # to the side of the other foot
    across = side * np.array([np.sin(heading), -np.cos(heading), 0.0])
    stands = left + share * (place - left) + (APART - aside) * across
    bow = compute_swing_offset(side, left, place, stands, APART)
    assert bow * side > 0
    assume(abs(bow) < SWING.max_lateral_offset)
    off, end = passed(
        SwingTarget(0 if side > 0 else 1, place, 0.0, UP, 0.6, 0.0, left, lateral_offset=bow),
        stands,
    )
    assert off * side == pytest.approx(APART, abs=0.03)
    assert np.linalg.norm((end - place)[:2]) < 0.015


def test_lateral_offset_is_limited_by_the_swing_of_a_leg() -> None:
    assert (
        compute_swing_offset(1, at(-0.6, 0), at(0.6, 0), at(0.0, 0.5), APART)
        == SWING.max_lateral_offset
    )
    assert (
        compute_swing_offset(-1, at(-0.6, 0), at(0.6, 0), at(0.0, -0.5), APART)
        == -SWING.max_lateral_offset
    )


@pytest.mark.long
def test_shins_do_not_pass_through_each_other_as_a_walk_turns() -> None:
    """Around square corners their axes once crossed by 10 cm."""
    simulation = Simulation(SCENARIOS["preview-corners"].build_task(fps=60, seconds=5, seed=0), 1)
    model = simulation.body.model
    turned = 0.0
    data = mujoco.MjData(model.mujoco)
    shins = [model.links[leg.links[1]] for leg in model.character.legs]
    pairs = list(product(*(np.flatnonzero(model.mujoco.geom_bodyid == shin) for shin in shins)))
    gaps = list[float]()
    while simulation.time < 5:
        simulation.step()
        turned = max(turned, abs(simulation.loop.heading))
        data.qpos[:] = simulation.loop.state.pose
        mujoco.mj_kinematics(model.mujoco, data)
        gaps.append(
            min(
                mujoco.mj_geomDistance(model.mujoco, data, int(a), int(b), 0.5, None)
                for a, b in pairs
            )
        )
    assert turned > 1.0
    assert min(gaps) > -0.03


def test_foot_that_brushes_the_ground_takes_no_step() -> None:
    """Of two contacts of a tenth of a second, one has nearly no load."""
    sole = (
        TouchPoint("heel", 1, np.zeros(3), 0, is_corner=True),
        TouchPoint("ball", 1, np.zeros(3), 1, is_corner=True),
    )
    upward = np.zeros((250, 2))
    # short spikes; a step
    upward[50:75:8, 1] = 0.2
    upward[150:175] = 0.4
    contacts = ContactDetector((sole,), 0.004, 1.0).find_contacts(upward, 0)
    assert [contact.strike for contact in contacts] == [150]
