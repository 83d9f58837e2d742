"""Bodies over hurdles: which flights pass over one, and what swinging feet must clear."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..character.model import KinematicModel
from ..clip.key_pose import Passage, key_pose
from ..fullbody.bars import Bar
from ..motion.footstep import Footstep
from ..task import Hurdle
from ..task.hurdle import THICK
from ..terrain import Ground

Array = NDArray[np.float64]

SPARE = 0.06          # m between a bar and the sole that passes over it
WIDE = 0.20           # m before and behind a bar, from where on soles are to be above it
BESIDE = 0.1          # m past its ends, the same
LEADS = (0.4, 0.4)    # shares of the flight that the hurdler's pose begins before it and ends after it
TRAILS = (0.0, 0.6)   # the same of the leg that trails: it is still on the ground when the flight begins


def bars_of(hurdles: Sequence[Hurdle], ground: Ground) -> list[Bar]:
    """What swinging feet are to clear."""
    return [_bar(h, bar_height(h, ground)) for h in hurdles]


def bar_height(hurdle: Hurdle, ground: Ground) -> float:
    """Height of a bar's middle line, m; the ground under its middle counts, where there is any."""
    level = float(ground.height(0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))))
    return hurdle.height + (level if np.isfinite(level) else 0.0)


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


def _bar(hurdle: Hurdle, height: float) -> Bar:
    def near(xy: Array) -> NDArray[np.bool_]:
        across, past = hurdle.beside(xy)
        return (np.abs(across) < WIDE) & (past < BESIDE)

    return Bar(near, height + THICK + SPARE)
