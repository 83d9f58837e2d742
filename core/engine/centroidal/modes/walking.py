"""From the plan to the full body: the feet's ways, and the style's pose placed along them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....character.kinematic_model import KinematicModel
from ....clip.pose.key_pose import KeyPosePassage, blend_key_poses, find_key_pose
from ....clip.pose.pose import compute_style_poses
from ....clip.style.style import Style, reverse_curves
from ....fullbody.bar_clearance import HurdleBar
from ....fullbody.foot_path import FootPath, build_foot_path
from ....fullbody.leg_avoidance import separate_foot_paths
from ....fullbody.phase import compute_leg_phases
from ....fullbody.retarget_swing import retarget_swing
from ....fullbody.roll import LONG_FOOT_LENGTH, compute_roll_share
from ....fullbody.swivel import swivel_path
from ....fullbody.targets import BodyTargets
from ....geometry import so3
from ....motion.footstep import Footstep
from ....plan.reference import ReferenceSample
from ....plan.result import Plan
from ....sketch.reference.reference import compute_style_keys
from ....sketch.sketch import Sketch
from ....task import GazeTarget, Hurdle, Push
from ....terrain import Ground
from ...shared.checks import make_clearance_bars
from ..compliance import apply_push_compliance
from ..gaze import turn_head
from ..hurdles import has_hurdle_between, make_hurdle_passages

Array = NDArray[np.float64]

MID_SWING_CLEARANCE = 0.018  # m over the ground in mid-swing; people clear it by 1.9 cm
# m behind its heel, by which a foot among narrow treads clears their edges
HEEL_EDGE_MARGIN = 0.025
ANKLE_SPACING_RATIO = 2.1  # radii of a shin between ankles that pass each other
# s of flight from which on the pose of a leap is taken, and from which on wholly
LEAP_FLIGHT_TIMES = (0.22, 0.45)
# shares of the flight that its pose begins before it and ends after it
LEAP_POSE_MARGINS = (0.4, 0.4)


def compute_walk_targets(
    model: KinematicModel,
    sketch: Sketch,
    plan: Plan,
    style: Style,
    ground: Ground,
    times: Array,
    reference_sample: ReferenceSample | None = None,
    replaced_footsteps: tuple[tuple[float, tuple[Footstep, ...]], ...] = (),
    pushes: tuple[Push, ...] = (),
    hurdles: tuple[Hurdle, ...] = (),
    is_forefoot_tread: bool = False,
    gaze: GazeTarget | None = None,
    passages: Sequence[KeyPosePassage] = (),
) -> BodyTargets:
    """Targets at given times, from what was planned.

    Args:
        replaced_footsteps: footsteps that were planned before the plan's own, and until when.
        pushes: that limbs give way to.
        reference_sample: where given, the style's pose is turned as it would have it and not
            by the plan's rotation.
        hurdles: that swinging feet are to clear.
        is_forefoot_tread: feet may stand close to edges, so that heels swing past them close too.
        gaze: what the head turns to.
        passages: that are struck on the way.
    """
    sample = plan.sample(times)
    rotation = sample.rotation if reference_sample is None else reference_sample.rotation
    footsteps = plan.footsteps
    course = sketch.course
    pose = make_style_poses(
        model, sketch, footsteps, style=style, times=times, hurdles=hurdles, passages=passages
    )
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    pose = apply_push_compliance(model, pose, times, pushes)
    placed = model.compute_link_poses(pose)
    pose[:, :3] = sample.com - placed.com
    if gaze is not None:
        pose = turn_head(model, pose, times, gaze)
    forward = placed.rotation[..., 0]  # (n, l, 3)
    heading = so3.yaw_from_matrix(rotation)[:, None]
    pitch = so3.atan2(
        forward[..., 2], forward[..., 0] * np.cos(heading) + forward[..., 1] * np.sin(heading)
    )
    pitch *= course.roll_share_at(times)[:, None]
    builder = _FootPathBuilder(
        model,
        times,
        placed.origin + pose[:, None, :3],
        pitch=pitch,
        heading=heading[:, 0],
        ground=ground,
        bars=make_clearance_bars(hurdles, ground),
        heel_margin=HEEL_EDGE_MARGIN if is_forefoot_tread else 0.0,
    )
    footstep_plans = [*(earlier_steps for _, earlier_steps in replaced_footsteps), footsteps]
    feet = builder.build_paths(footstep_plans[0])
    for (begin, _), later in zip(replaced_footsteps, footstep_plans[1:], strict=True):
        feet = [
            retarget_swing(old, new, times, begin)
            for old, new in zip(feet, builder.build_paths(later), strict=True)
        ]
    return BodyTargets(times, sample.com, sample.momentum, reference=pose, feet=tuple(feet))


def make_style_poses(
    model: KinematicModel,
    sketch: Sketch,
    footsteps: tuple[Footstep, ...],
    style: Style,
    times: Array,
    hurdles: tuple[Hurdle, ...] = (),
    passages: Sequence[KeyPosePassage] = (),
) -> Array:
    """The style's poses along footsteps, before the body as a whole is turned and placed; arguments
    as `compute_walk_targets`. (n, nq).
    """
    steps = sketch.steps
    course = sketch.course
    duties = np.array([s.gait.cycle.duty for s in steps])
    phases = compute_leg_phases(footsteps, duties, len(model.character.legs), times)
    toe_out = np.full(len(times), steps[0].gait.toe_out)
    keys = compute_style_keys(sketch, times)
    curves = style.curves_at(keys)
    if course.facing_offset.any():
        step_times = np.array([s.footstep.time for s in steps])
        order = np.argsort(step_times, kind="stable")
        curves = reverse_curves(
            curves,
            np.interp(times, step_times[order], duties[order]),
            np.cos(course.facing_offset_at(times)),
        )
    pose = compute_style_poses(
        model, curves, toe_out, phases=phases, right_delay=style.right_delay_at(keys)
    )
    # nobody hops with legs spread
    stepping_footsteps = [
        f for f, s in zip(footsteps, steps, strict=True) if not s.gait.cycle.is_hop
    ]
    return blend_key_poses(
        model, pose, times, [*_make_leap_passages(model, stepping_footsteps, hurdles), *passages]
    )


@dataclass(frozen=True)
class _FootPathBuilder:
    """What the style's pose draws: where joints are, and how feet are pitched."""

    model: KinematicModel
    times: Array  # (n,)
    origin: Array  # (n, l, 3)
    pitch: Array  # (n, l)
    heading: Array  # (n,) of the body
    ground: Ground
    bars: list[HurdleBar]
    heel_margin: float  # m behind a heel that swings carry over edges too

    def build_paths(self, footsteps: tuple[Footstep, ...]) -> list[FootPath]:
        """The way of each foot through footsteps."""
        character = self.model.character
        out = []
        dt = float(self.times[1] - self.times[0])
        for leg, (limb, foot) in enumerate(zip(character.legs, character.feet, strict=True)):
            length = character.straight_leg_length(limb, foot)
            size_ratio = float(foot.tip[0] - foot.heel[0]) / LONG_FOOT_LENGTH
            clearance = MID_SWING_CLEARANCE * max(1.0, size_ratio)
            roll_ratio = compute_roll_share(foot)
            out.append(
                build_foot_path(
                    self.times,
                    [f for f in footsteps if f.leg == leg],
                    foot,
                    pose_origins=self.origin[:, foot.link],
                    pose_pitch=roll_ratio * self.pitch[:, foot.link],
                    ground=self.ground,
                    clearance=clearance,
                    hip=self.origin[:, limb.links[0]],
                    leg_length=length,
                    bars=self.bars,
                    rear_length=self.heel_margin,
                )
            )
        dt = float(self.times[1] - self.times[0])
        out = [
            swivel_path(path, foot, limb.side, heading=self.heading, dt=dt)
            for path, foot, limb in zip(out, character.feet, character.legs, strict=True)
        ]
        return separate_foot_paths(
            out,
            [leg.side for leg in character.legs],
            self.heading,
            min_separation=_compute_ankle_spacing(character),
            dt=dt,
        )


def _compute_ankle_spacing(character: Character) -> float:
    """How far apart ankles are to pass each other: by the thickness of the shins."""
    shins = [character.links[leg.links[1]] for leg in character.legs]
    return ANKLE_SPACING_RATIO * float(
        np.mean([min(s.radii[0] for s in shin.shapes) for shin in shins])
    )


def _make_leap_passages(
    model: KinematicModel, footsteps: Sequence[Footstep], hurdles: tuple[Hurdle, ...]
) -> list[KeyPosePassage]:
    """A leap's pose in the middle of each long flight, a hurdler's where it passes over a bar."""
    out = []
    for first, second in pairwise(footsteps):
        flight = second.strike - first.lift
        share = float(
            np.clip(
                (flight - LEAP_FLIGHT_TIMES[0]) / (LEAP_FLIGHT_TIMES[1] - LEAP_FLIGHT_TIMES[0]),
                0,
                1,
            )
        )
        if share > 0:
            if has_hurdle_between(first, second, hurdles):
                out += make_hurdle_passages(model, first, second, share)
                continue
            out.append(
                KeyPosePassage(
                    first.lift - LEAP_POSE_MARGINS[0] * flight,
                    second.strike + LEAP_POSE_MARGINS[1] * flight,
                    find_key_pose("leap").build_pose(model, second.leg),
                    share,
                )
            )
    return out
