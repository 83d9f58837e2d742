"""Bodies over hurdles: which flights pass over one, and what swinging feet must clear."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...clip.pose.key_pose import Passage, key_pose
from ...clip.style.style import Style
from ...motion.footstep import Footstep
from ...task import Hurdle
from ..shared.checks import BESIDE

Array = NDArray[np.float64]
LEADS = (0.4, 0.4)    # shares of the flight that the hurdler's pose begins before it and ends after it
STEPPED_OVER = 0.27   # leg lengths: the highest bar that a walk steps over
LEAPT_OVER = 0.9      # leg lengths: the highest that a run leaps over
TRAILS = (0.0, 0.6)   # the same of the leg that trails: it is still on the ground when the flight begins


def highest_bar(style: Style, speed: float, leg_length: float, gravity: float) -> float:
    """How high a hurdle a body can pass over at a speed in m/s, m: a walk steps over it, a run leaps."""
    walks = style.at(speed / float(np.sqrt(gravity * leg_length))).walks
    return leg_length * (STEPPED_OVER if walks else LEAPT_OVER)


def passes_over(a: Footstep, b: Footstep, hurdles: Sequence[Hurdle]) -> bool:
    """Whether a bar lies between two footsteps."""
    places = np.stack([a.position[:2], b.position[:2]])
    for h in hurdles:
        across, _ = h.beside(places)
        if across[0] * across[1] < 0:
            share = across[0] / (across[0] - across[1])
            if h.beside(places[0] + share * (places[1] - places[0]))[1] < BESIDE:
                return True
    return False


def hurdled(model: KinematicModel, a: Footstep, b: Footstep, share: float) -> list[Passage]:
    """A hurdler's pose for the flight between two footsteps; the leg that trails is there when it passes over the bar itself."""
    pose, flight = key_pose("hurdle").of(model, b.leg), b.strike - a.lift
    trails = np.zeros(model.nv, bool)
    for link in model.character.legs[a.leg].links:
        trails[model.joint_dofs(model.character.links[link].joint.name)] = True

    def passage(aside: tuple[float, float], joints: NDArray[np.bool_]) -> Passage:
        return Passage(a.lift - aside[0] * flight, b.strike + aside[1] * flight, pose, share, joints)

    return [passage(LEADS, ~trails), passage(TRAILS, trails)]
