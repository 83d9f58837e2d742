"""From the plan to the full body: the feet's ways, and the style's pose placed along them."""
from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from .. import so3
from ..character.model import KinematicModel
from ..clip.key_pose import Passage, key_pose, pass_through
from ..clip.pose import style_poses
from ..clip.style import Style
from ..fullbody.foot_path import foot_path
from ..fullbody.phase import leg_phases
from ..fullbody.wish import Wish
from ..motion.footstep import Footstep
from ..plan.reference import Wished
from ..plan.result import Plan
from ..sketch.reference import cycle_speeds, second_gait
from ..sketch.sketch import Sketch
from ..task import Hurdle
from ..terrain import Ground
from .hurdling import bars_of, hurdled, passes_over

Array = NDArray[np.float64]

CALM = 0.12           # s over which the speed that poses are drawn for is smoothed
CLEAR = 0.018         # m over the ground in mid-swing; people clear it by 1.9 cm
LEAP = (0.22, 0.45)   # s of flight from which on the pose of a leap is taken, and from which on wholly
ASIDE = (0.4, 0.4)    # shares of the flight that its pose begins before it and ends after it


def make_wish(model: KinematicModel, drawn: Sketch, plan: Plan, style: Style, ground: Ground, times: Array,
              wished: Wished | None = None, natural: bool = True, hurdles: tuple[Hurdle, ...] = ()) -> Wish:
    """Targets at given times, from what was planned.

    Args:
        wished: where given, the style's pose is turned as it would have it and not by the plan's rotation.
        hurdles: that swinging feet are to clear.
        natural: strides are as long as the speed makes them; else the poses follow the strides.
    """
    sample = plan.at(times)
    rotation = sample.rotation if wished is None else wished.rotation
    footsteps, steps = plan.footsteps, drawn.steps
    legs = len(model.character.legs)
    duties = np.array([s.gait.cycle.duty for s in steps])
    phases = leg_phases(footsteps, duties, legs, times)
    course = drawn.course
    calm = gaussian_filter1d(course.speed, CALM / (course.time[1] - course.time[0]), mode="nearest")
    speed = np.interp(times, course.time, calm) / drawn.law.unit_speed if natural else cycle_speeds(drawn, times)
    toe_out = np.full(len(times), steps[0].gait.toe_out)
    pose = style_poses(model, style.curves(style.key(speed, second_gait(drawn, times))), toe_out, phases)
    pose = pass_through(model, pose, times, _leaps(model, footsteps, hurdles))
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    placed = model.place(pose)
    pose[:, :3] = sample.com - placed.com
    heading = so3.yaw_of(rotation)
    feet, bars = [], bars_of(hurdles, ground)
    for leg, (limb, foot) in enumerate(zip(model.character.legs, model.character.feet, strict=True)):
        length = float(model.character.origin(limb.links[0])[2] - model.character.origin(foot.link)[2])
        own = [k for k, f in enumerate(footsteps) if f.leg == leg]
        origin = placed.origin[:, foot.link] + pose[:, :3]
        forward = placed.rotation[:, foot.link, :, 0]
        pitch = np.arctan2(forward[:, 2], forward[:, 0] * np.cos(heading) + forward[:, 1] * np.sin(heading))
        feet.append(foot_path(times, [footsteps[k] for k in own], foot, origin,
                              pitch, ground, CLEAR, placed.origin[:, limb.links[0]] + pose[:, :3], length, bars))
    return Wish(times, sample.com, sample.momentum, pose, tuple(feet))


def _leaps(model: KinematicModel, footsteps: tuple[Footstep, ...], hurdles: tuple[Hurdle, ...]) -> list[Passage]:
    """A leap's pose in the middle of each long flight, a hurdler's where it passes over a bar."""
    out = []
    for a, b in pairwise(footsteps):
        flight = b.strike - a.lift
        share = float(np.clip((flight - LEAP[0]) / (LEAP[1] - LEAP[0]), 0, 1))
        if share > 0:
            if passes_over(a, b, hurdles):
                out += hurdled(model, a, b, share)
                continue
            out.append(Passage(a.lift - ASIDE[0] * flight, b.strike + ASIDE[1] * flight, key_pose("leap").of(model, b.leg), share))
    return out
