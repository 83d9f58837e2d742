"""Whether a body can stay where it stands."""

from __future__ import annotations

import numpy as np

from ....geometry.planar import wrap_angle
from ....simulate import BodyState
from ....slip.body import SlipBody
from ....slip.state import FootPose

# m that the capture point may be ahead of the middle between the feet, and past the feet aside
MAX_CAPTURE_POINT_LEAD = 0.13
LATERAL_MARGIN = 0.03

MAX_FOOT_TURN = 0.3  # rad that feet may be turned from where they are to head
STANCE_WIDTH_TOLERANCE = 0.12  # m that they may be too near or too far


def is_balanced(
    body: SlipBody,
    now: BodyState,
    heading: float,
    feet: tuple[FootPose, FootPose],
    target_heading: float,
    any_width: bool,
) -> bool:
    """Whether both feet are where a body can stand, as fast as it is.

    Args:
        heading, target_heading: rad, what it has, and what it is to have.
        any_width: however far its feet are apart.
    """
    cos = np.cos(heading)
    sin = np.sin(heading)
    capture_point = now.com[:2] + now.com_velocity[:2] * np.sqrt(body.com_height / body.gravity)
    offset = capture_point - 0.5 * (feet[0].place[:2] + feet[1].place[:2])
    foot_distance = float(np.linalg.norm(feet[0].place[:2] - feet[1].place[:2]))
    turn = abs(wrap_angle(target_heading - 0.5 * (feet[0].heading + feet[1].heading)))
    return bool(
        abs(cos * offset[0] + sin * offset[1]) < MAX_CAPTURE_POINT_LEAD
        and abs(cos * offset[1] - sin * offset[0]) < 0.5 * foot_distance + LATERAL_MARGIN
        and turn < MAX_FOOT_TURN
        and (any_width or abs(foot_distance - 2 * body.hip_offset[1]) < STANCE_WIDTH_TOLERANCE)
    )
