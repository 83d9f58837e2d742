"""From the plan to the full body: the feet's ways, and the style's pose placed along them."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....character.kinematic_model import KinematicModel
from ....clip.pose.key_pose import Passage, key_pose, pass_through
from ....clip.pose.pose import style_poses
from ....clip.style.style import Style, turned_round
from ....fullbody.bar_clearance import Bar
from ....fullbody.foot_path import FootPath, foot_path
from ....fullbody.leg_avoidance import kept_apart
from ....fullbody.phase import leg_phases
from ....fullbody.retarget_swing import redirected
from ....fullbody.roll import LONG_FOOT, roll_share
from ....fullbody.swivel import swivelled
from ....fullbody.targets import Wish
from ....geometry import so3
from ....motion.footstep import Footstep
from ....plan.reference import Wished
from ....plan.result import Plan
from ....sketch.reference.reference import style_keys
from ....sketch.sketch import Sketch
from ....task import Hurdle, Look, Push
from ....terrain import Ground
from ...shared.checks import bars_of
from ..compliance import yielding
from ..gaze import looking
from ..hurdles import hurdled, passes_over

Array = NDArray[np.float64]

CLEAR = 0.018         # m over the ground in mid-swing; people clear it by 1.9 cm
NEAR_EDGES = 0.025    # m behind its heel, by which a foot among narrow treads clears their edges
SHINS = 2.1           # radii of a shin between ankles that pass each other
LEAP = (0.22, 0.45)   # s of flight from which on the pose of a leap is taken, and from which on wholly
ASIDE = (0.4, 0.4)    # shares of the flight that its pose begins before it and ends after it


def make_wish(model: KinematicModel, drawn: Sketch, plan: Plan, style: Style, ground: Ground, times: Array,
              wished: Wished | None = None,
              earlier: tuple[tuple[float, tuple[Footstep, ...]], ...] = (), pushes: tuple[Push, ...] = (),
              hurdles: tuple[Hurdle, ...] = (), narrow: bool = False, look: Look | None = None,
              poses: Sequence[Passage] = ()) -> Wish:
    """Targets at given times, from what was planned.

    Args:
        earlier: footsteps that were planned before the plan's own, and until when.
        pushes: that limbs give way to.
        wished: where given, the style's pose is turned as it would have it and not by the plan's rotation.
        hurdles: that swinging feet are to clear.
        narrow: feet may stand close to edges, so that heels swing past them close too.
        look: what the head turns to.
        poses: that are struck on the way.
    """
    sample = plan.at(times)
    rotation = sample.rotation if wished is None else wished.rotation
    footsteps, course = plan.footsteps, drawn.course
    pose = styled(model, drawn, footsteps, style, times, hurdles, poses)
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    pose = yielding(model, pose, times, pushes)
    placed = model.place(pose)
    pose[:, :3] = sample.com - placed.com
    if look is not None:
        pose = looking(model, pose, times, look)
    forward = placed.rotation[..., 0]                                                   # (n, l, 3)
    heading = so3.yaw_of(rotation)[:, None]
    pitch = so3.angle(forward[..., 2], forward[..., 0] * np.cos(heading) + forward[..., 1] * np.sin(heading))
    pitch *= course.rolling(times)[:, None]
    drawn_feet = _Drawn(model, times, placed.origin + pose[:, None, :3], pitch, heading[:, 0], ground,
                        bars_of(hurdles, ground), NEAR_EDGES if narrow else 0.0)
    plans = [*(own for _, own in earlier), footsteps]
    feet = drawn_feet.paths(plans[0])
    for (begin, _), later in zip(earlier, plans[1:], strict=True):
        feet = [redirected(old, new, times, begin) for old, new in zip(feet, drawn_feet.paths(later), strict=True)]
    return Wish(times, sample.com, sample.momentum, pose, tuple(feet))


def styled(model: KinematicModel, drawn: Sketch, footsteps: tuple[Footstep, ...], style: Style, times: Array,
           hurdles: tuple[Hurdle, ...] = (), poses: Sequence[Passage] = ()) -> Array:
    """The style's poses along footsteps, before the body as a whole is turned and placed; arguments as `make_wish`. (n, nq)."""
    steps, course = drawn.steps, drawn.course
    duties = np.array([s.gait.cycle.duty for s in steps])
    phases = leg_phases(footsteps, duties, len(model.character.legs), times)
    toe_out = np.full(len(times), steps[0].gait.toe_out)
    keys = style_keys(drawn, times)
    curves = style.curves(keys)
    if course.turned.any():
        moments = np.array([s.footstep.time for s in steps])
        order = np.argsort(moments, kind="stable")
        curves = turned_round(curves, np.interp(times, moments[order], duties[order]), np.cos(course.turned_at(times)))
    pose = style_poses(model, curves, toe_out, phases, style.later(keys))
    strides = [f for f, s in zip(footsteps, steps, strict=True) if not s.gait.cycle.together]      # nobody hops with legs spread
    return pass_through(model, pose, times, [*_leaps(model, strides, hurdles), *poses])


@dataclass(frozen=True)
class _Drawn:
    """What the style's pose draws: where joints are, and how feet are pitched."""

    model: KinematicModel
    times: Array              # (n,)
    origin: Array             # (n, l, 3)
    pitch: Array              # (n, l)
    heading: Array            # (n,) of the body
    ground: Ground
    bars: list[Bar]
    behind: float             # m behind a heel that swings carry over edges too

    def paths(self, footsteps: tuple[Footstep, ...]) -> list[FootPath]:
        """The way of each foot through footsteps."""
        character, out = self.model.character, []
        dt = float(self.times[1] - self.times[0])
        for leg, (limb, foot) in enumerate(zip(character.legs, character.feet, strict=True)):
            length = character.straight_leg_length(limb, foot)
            size = float(foot.tip[0] - foot.heel[0]) / LONG_FOOT
            clear, roll = CLEAR * max(1.0, size), roll_share(foot)
            out.append(foot_path(self.times, [f for f in footsteps if f.leg == leg], foot, self.origin[:, foot.link],
                                 roll * self.pitch[:, foot.link], self.ground, clear,
                                 self.origin[:, limb.links[0]], length, self.bars, self.behind))
        dt = float(self.times[1] - self.times[0])
        out = [swivelled(path, foot, limb.side, self.heading, dt)
               for path, foot, limb in zip(out, character.feet, character.legs, strict=True)]
        return kept_apart(out, [leg.side for leg in character.legs], self.heading, _passing(character), dt)


def _passing(character: Character) -> float:
    """How far apart ankles are to pass each other: by the thickness of the shins."""
    shins = [character.links[leg.links[1]] for leg in character.legs]
    return SHINS * float(np.mean([min(s.radii[0] for s in shin.shapes) for shin in shins]))


def _leaps(model: KinematicModel, footsteps: Sequence[Footstep], hurdles: tuple[Hurdle, ...]) -> list[Passage]:
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
