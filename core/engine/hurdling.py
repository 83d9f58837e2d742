"""Bodies over hurdles: which flights pass over one, and what swinging feet must clear."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import so3
from ..character.model import KinematicModel
from ..clip.key_pose import Passage, key_pose
from ..clip.style import Style
from ..fullbody.bars import Bar
from ..motion import Motion
from ..motion.footstep import Footstep
from ..task import Hurdle
from ..task.hurdle import THICK
from ..terrain import Ground

Array = NDArray[np.float64]

SPARE = 0.06          # m between a bar and the sole that passes over it
WIDE = 0.20           # m before and behind a bar, from where on soles are to be above it
BESIDE = 0.1          # m past its ends, the same
LEADS = (0.4, 0.4)    # shares of the flight that the hurdler's pose begins before it and ends after it
STEPPED_OVER = 0.27   # leg lengths: the highest bar that a walk steps over
LEAPT_OVER = 0.9      # leg lengths: the highest that a run leaps over
TRAILS = (0.0, 0.6)   # the same of the leg that trails: it is still on the ground when the flight begins


def bars_of(hurdles: Sequence[Hurdle], ground: Ground) -> list[Bar]:
    """What swinging feet are to clear."""
    return [_bar(h, bar_height(h, ground)) for h in hurdles]


def bar_height(hurdle: Hurdle, ground: Ground) -> float:
    """Height of a bar's middle line, m; the ground under its middle counts, where there is any."""
    level = float(ground.height(0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))))
    return hurdle.height + (level if np.isfinite(level) else 0.0)


def highest_bar(style: Style, speed: float, leg_length: float, gravity: float) -> float:
    """How high a hurdle a body can pass over at a speed in m/s, m: a walk steps over it, a run leaps."""
    walks = style.at(speed / float(np.sqrt(gravity * leg_length))).walks
    return leg_length * (STEPPED_OVER if walks else LEAPT_OVER)


def told_touches(motion: Motion, hurdles: Sequence[Hurdle], ground: Ground) -> tuple[str, ...]:
    """A note for each hurdle that some part of the body touches; lengths and times as the motion's."""
    centre, turn = motion.link_position, so3.quat_to_matrix(motion.link_orientation)
    out = []
    for hurdle in hurdles:
        top, touched = bar_height(hurdle, ground), np.zeros(motion.frames, bool)
        for s in motion.solids:
            p, q = (centre[:, s.link] + turn[:, s.link] @ end for end in (s.start, s.end))
            points = p[:, None] + np.linspace(0, 1, 12)[:, None] * (q - p)[:, None]                  # (n, 12, 3)
            across, past = hurdle.beside(points[..., :2])
            away = np.maximum(np.abs(across) - 0.5 * hurdle.depth, 0.0)
            touched |= (np.sqrt(away**2 + past**2 + (points[..., 2] - top) ** 2) < s.radius).any(1)
        if touched.any():
            x, y = 0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))
            out.append(f"the body touches the hurdle at ({x:.2f}, {y:.2f}) at {np.argmax(touched) / motion.fps:.2f} s. Let it run "
                       "faster, make the hurdle lower, or give it more room before and behind it")
    return tuple(out)


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
        return (np.abs(across) < WIDE + 0.5 * hurdle.depth) & (past < BESIDE)

    return Bar(near, height + THICK + SPARE)
