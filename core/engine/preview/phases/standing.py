"""Whether a body can stay where it stands."""
from __future__ import annotations

import numpy as np

from ....geometry.planar import near
from ....simulate import Reading
from ....slip.body import SlipBody
from ....slip.state import PlacedFoot

AHEAD, PAST = 0.13, 0.03      # m that the capture point may be ahead of the middle between the feet, and past the feet aside
TURNED, APART = 0.3, 0.12     # rad that feet may be turned from where they are to head, m that they may be too near or too far


def is_balanced(body: SlipBody, now: Reading, heading: float, feet: tuple[PlacedFoot, PlacedFoot], wished: float,
                anyhow: bool) -> bool:
    """Whether both feet are where a body can stand, as fast as it is.

    Args:
        heading, wished: rad, what it has, and what it is to have.
        anyhow: however far its feet are apart.
    """
    cos, sin = np.cos(heading), np.sin(heading)
    caught = now.com[:2] + now.com_velocity[:2] * np.sqrt(body.height / body.gravity)
    off = caught - 0.5 * (feet[0].place[:2] + feet[1].place[:2])
    apart = float(np.linalg.norm(feet[0].place[:2] - feet[1].place[:2]))
    turned = abs(near(wished - 0.5 * (feet[0].heading + feet[1].heading)))
    return bool(abs(cos * off[0] + sin * off[1]) < AHEAD and abs(cos * off[1] - sin * off[0]) < 0.5 * apart + PAST
                and turned < TURNED and (anyhow or abs(apart - 2 * body.hip[1]) < APART))
