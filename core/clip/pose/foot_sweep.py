"""How far and where feet sweep under a body in the cycle of a style.

A foot on the ground moves backward under the body as fast as the body moves forward. The joint
angles of a recorded person let it do so on the legs of that person. On other legs it moves faster
or slower, and a stride that is longer than the legs reach bends the knees and lowers the body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, Foot
from ...character.kinematic_model import KinematicModel, LinkPoses
from ..style.style import Cycle
from .pose import compute_style_poses

Array = NDArray[np.float64]

# Times at which feet and body are compared [shares of a contact]. At both ends, where feet roll
# most and bear little, clips are least certain. tuned: with the whole contact the hips of a brisk
# walk are 2.3 instead of 1.9 % of the leg too low, test_clip_legs.py
CONTACT_SHARES = np.linspace(0.1, 0.9, 25)


@dataclass(frozen=True)
class FootSweep:
    """Motion of the feet under the body over a contact, the mean of both.

    Args:
        stride: distance by which a foot would move backward during a whole cycle [leg lengths].
        behind: distance of a sole behind the center of mass in mid-contact [leg lengths].
    """

    stride: float
    behind: float


def measure_foot_sweep(model: KinematicModel, cycle: Cycle) -> FootSweep:
    """Return how the feet of a body sweep in a cycle, by a straight line through each contact."""
    character = model.character
    right_delay = cycle.right_later - 0.5 * cycle.right_longer
    lines = [
        _fit_contact(model, cycle, leg_index, right_delay)
        for leg_index in range(len(character.legs))
    ]
    speed, offset = np.mean(lines, 0) / character.leg_length
    return FootSweep(float(-speed), float(-offset))


def _fit_contact(model: KinematicModel, cycle: Cycle, leg_index: int, right_delay: float) -> Array:
    """Return speed and mid-contact place of a sole relative to the center of mass, forward.

    Returns:
        (2,) speed [m per cycle] and place [m].
    """
    character = model.character
    duty = cycle.for_side(character.legs[leg_index].side).duty
    elapsed = (CONTACT_SHARES - 0.5) * duty
    phase = elapsed + 0.5 * duty
    count = len(phase)
    placed = model.compute_link_poses(
        compute_style_poses(
            model,
            np.repeat(cycle.curves[None], count, axis=0),
            np.full(count, np.radians(cycle.toe_out)),
            phases=phase[:, None] + _compute_phase_leads(character, leg_index, right_delay),
            right_delay=np.full(count, right_delay),
        )
    )
    sole_center = locate_sole_center(placed, character.feet[leg_index])
    return np.polyfit(elapsed, (sole_center - placed.com)[:, 0], 1)


def _compute_phase_leads(character: Character, leg_index: int, right_delay: float) -> Array:
    """Return by how much the phase of each leg is ahead of that of one leg, (legs,)."""
    delays = np.array([0.0 if leg.side > 0 else 0.5 + right_delay for leg in character.legs])
    return np.asarray(delays[leg_index] - delays)


def locate_sole_center(placed: LinkPoses, foot: Foot) -> Array:
    """Return where the middle of a sole was or will be flat on the ground, (n, 3) [m].

    A foot with its toes down rolls over its ball, otherwise over its heel.
    """
    foot_rotation = placed.rotation[:, foot.link]
    support_point = np.where((foot_rotation[:, 2, 0] < 0)[:, None], foot.pivot, foot.heel)
    return np.asarray(
        placed.origin[:, foot.link]
        + (foot_rotation @ support_point[..., None])[..., 0]
        - support_point
        + foot.sole_center
    )
