"""A sketch of bodies with any number of legs: the course, the footfalls of a gait that its speed
brings about, and their places.

Source: Kwon et al. 2020, section 4 and appendix G; legs come down where their hips pass over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....character.kinematic_model import KinematicModel
from ....character.reach import compute_leg_reaches
from ....clip.lookup import resolve_quadruped_style
from ....clip.pose.carriage import compute_mean_pose
from ....clip.style.quadruped_style import QuadrupedStyle
from ....clip.style.style import Style
from ....errors import TaskError
from ....fullbody.weights import BodyWeights
from ....motion.footstep import Footstep
from ....plan.pacing import NODE_SPACING, Pacing, StridePacing
from ....plan.reference import SAMPLE_INTERVAL, PlanReference
from ....plan.result import Plan
from ....plan.weights import PlanLimits, PlanWeights
from ....sketch.course.course import Course, plan_course
from ....sketch.course.pendulum import CartPendulum
from ....sketch.course.style_phase import StylePhase
from ....sketch.footsteps.footfalls import Footfall, FootfallPlan, plan_footfalls
from ....sketch.footsteps.timing import PlannedStep
from ....sketch.gait.gait import StyleGaitLaw
from ....sketch.gait.gait_body import build_gait_body, locate_foot_hold
from ....sketch.gait.gait_law import FroudeGaitLaw
from ....sketch.placement.round_foot import place_foot_near
from ....sketch.reference.shoulders import LimbRoots
from ....sketch.reference.stride_reference import (
    StandingGeometry,
    compute_typical_stride_time,
    lower_reference,
    plan_stride_reference,
)
from ....sketch.sketch import Sketch
from ....task import Task
from .base import LocomotionMode

Array = NDArray[np.float64]

COURSE_TAIL = 2.6  # s of the course past the clip's end
FOOTFALL_TAIL = 1.8  # s of footfalls past it
MAX_SPEED = 6.0  # v / sqrt(g h); horses and dogs at full gallop come to 4 or 5

# s that a body stands before the clip and after it
STAND_BEFORE_CLIP = 2.0
STAND_AFTER_CLIP = 10.0

# s, half a plan's node: fast legs come to their ends between two of them
EARLY_CONTACT_TIME = 0.012
MIN_REACH_SHARE = 0.92  # of its reach that a leg uses in any case
NODES_PER_STRIDE = 30  # of a plan, each stride
MAX_NODE_SPACING = 0.05  # s between them at most

# s of a plan of a long body: what it costs to begin one counts more than its length
MIN_PLAN_TIME = 0.45
MAX_PLAN_TIME = 0.9

FORCE_COEFFICIENTS = 4  # of the force of each contact: many share the load
PLAN_LOOKAHEAD = 0.5  # s that it looks past its end
EXTRA_REACH_SHARE = 0.4  # of what a leg reaches beyond how it stands, that it uses


@dataclass(frozen=True)
class Striding(LocomotionMode):
    """Everything that takes the place of steps and style for a body of any number of legs."""

    needs_limb_avoidance: ClassVar[bool] = False

    sketch: Sketch
    reference: PlanReference
    footfall_plan: FootfallPlan
    limb_roots: LimbRoots  # where legs begin against the centre of mass, in the body's frame
    leg_reach: Array  # (legs,) from hip to foot, stretched, m
    used_reach: Array  # (legs,) of it, from hip to the ground under the foot, m
    geometry: StandingGeometry
    stride_time: float  # s
    style_phase: StylePhase
    # (n, 3, 3) over the reference's moments, once it is known how the body pitches and rolls
    planned_rotation: Array | None = None

    def limits(self, default: PlanLimits) -> PlanLimits:
        """Legs are as long as they are, from the hip on; those of long bodies, which may gallop,
        as they come down, too.
        """
        return replace(
            default,
            limb_reach=tuple(self.used_reach),
            landing_give=(0.0, 0.0, 0.0),
            max_shift=0.1,
            reach_margin=EARLY_CONTACT_TIME if self.is_long else 0.0,
        )

    def plan_weights(self, default: PlanWeights) -> PlanWeights:
        """A long body pitches as its gait has it: to hold it level would take feet elsewhere."""
        if not self.is_long:
            return default
        return replace(default, rotation=2.0, spin=0.2, end=(*default.end[:2], 10.0, 1.0))

    def body_weights(self, default: BodyWeights) -> BodyWeights:
        """Legs that are a good part of the body's mass carry momentum,
        which its trunk must be free to answer.
        """
        # necks would give way to the momentum, and not do as a style has it
        head = 6.0 if self.is_long else default.head
        return replace(
            default,
            momentum=3.0 if self.is_long else 1.0,
            pelvis=4.0,
            head=head,
            swing_turn=200.0,
            swing_along_middle=3.0,
            swing_height_middle=100.0,
        )

    @property
    def is_long(self) -> bool:
        """Whether there are legs before other legs."""
        return bool(np.ptp(self.limb_roots.standing_offsets[:, 0]) > 0)

    def limb_roots_at(self, limbs: NDArray[np.int64], times: Array) -> Array:
        """Hips of legs (s,) against the centre of mass, world axes. (n,) -> (s, n, 3) m."""
        if self.planned_rotation is None:
            rotation = self.reference.sample(times).rotation
        else:
            k = np.clip(
                np.round((times - self.reference.time[0]) / SAMPLE_INTERVAL).astype(int),
                0,
                len(self.planned_rotation) - 1,
            )
            rotation = self.planned_rotation[k]
        root_offsets = self.limb_roots.sample(times)[:, limbs]  # (n, s, 3)
        return np.swapaxes(
            root_offsets @ np.swapaxes(np.broadcast_to(rotation, (len(times), 3, 3)), 1, 2), 0, 1
        )

    def nose_pitch_at(self, times: Array, rotation: Array) -> Array:
        """How far the nose is raised against the ground, of a trunk turned by (n, 3, 3)
        at times (n,), rad. (n,).
        """
        actual_pitch, requested_pitch = (
            np.arcsin(np.clip(r[:, 2, 0], -1, 1))
            for r in (rotation, self.reference.sample(times).rotation)
        )
        return np.asarray(actual_pitch - requested_pitch + self.style_phase.trunk_pitch_at(times))

    @property
    def pacing(self) -> Pacing:
        """As coarse as the strides of a long body are slow."""
        if not self.is_long:
            return Pacing()
        node = min(max(self.stride_time / NODES_PER_STRIDE, NODE_SPACING), MAX_NODE_SPACING)
        return StridePacing(
            node,
            coefficient_count=FORCE_COEFFICIENTS,
            min_piece=MIN_PLAN_TIME,
            max_piece=MAX_PLAN_TIME,
            lookahead=PLAN_LOOKAHEAD,
        )

    @property
    def roots(self) -> Callable[[NDArray[np.int64], Array], Array]:
        """Legs begin at their hips."""
        return self.limb_roots_at

    def updated(self, plan: Plan, times: Array, poses: Array, rotation: Array) -> Striding:
        """The same with a body that pitches and rolls as a plan has it,
        and as low as its legs need it then.
        """
        plan_sample = plan.sample(self.reference.time[self.reference.time < plan.pieces[-1].end])
        return replace(
            self,
            reference=lower_reference(
                self.reference,
                list(plan.footsteps),
                plan_sample,
                geometry=self.geometry,
                stride_time=self.stride_time,
            ),
            planned_rotation=plan_sample.rotation,
        )


def sketch_strides(
    task: Task, model: KinematicModel, style: Style, com_height: float, gyration: float
) -> Striding:
    """Course, footfalls and footsteps of a body of any number of legs.

    Raises:
        TaskError: the speed is beyond the legs, the body has no gait of the name asked for, or
            something is asked for that only bodies built like people's can do.
    """
    character = model.character
    _check_supported(task, character)
    quadruped_style = resolve_quadruped_style(task.recipe, character)
    law = FroudeGaitLaw(
        build_gait_body(character),
        task.gravity,
        _choose_gait_name(task, quadruped_style),
        duty=quadruped_style.duty,
        stride_rate_factor=quadruped_style.quick,
        allows_early_lift=quadruped_style.gait is not None,
        phases=quadruped_style.phases,
    )
    if task.speed.max_speed > MAX_SPEED * law.unit_speed:
        raise TaskError(
            f"The speed is {task.speed.max_speed:g} m/s; with hips {law.body.hip_height:.2f} m "
            f"high {character.name} can be asked for at most {MAX_SPEED * law.unit_speed:.1f} m/s."
        )
    pendulum = CartPendulum(com_height, gyration, task.gravity, 1 / 30)
    course = plan_course(task, pendulum, character.leg_length, task.seconds + COURSE_TAIL)
    is_planned = course.time <= task.seconds + FOOTFALL_TAIL
    footfall_plan = plan_footfalls(
        law, course.time[is_planned], course.distance[is_planned], task.start == "standing"
    )
    neutral_com, settled_com = (
        model.compute_link_poses(pose[None]).com[0]
        for pose in (model.neutral, compute_mean_pose(model, quadruped_style))
    )
    com = settled_com
    com_height = com_height + float(settled_com[2] - neutral_com[2])
    standing_gait = StyleGaitLaw.from_style(style, character, task.gravity).gait_at(0.0)
    foot_offsets = character.neutral_foot_positions - com
    steps = tuple(
        PlannedStep(
            _build_footstep(
                task, character, footfall, course=course, foot_offset=foot_offsets[footfall.leg]
            ),
            footfall.mid_contact_time,
            standing_gait,
            is_standing=True,
        )
        for footfall in sorted(
            footfall_plan.footfalls,
            key=lambda footfall: (
                _limit_contact_span(footfall, task)[0] + _limit_contact_span(footfall, task)[1],
                footfall.leg,
            ),
        )
    )
    leg_reach = np.array(compute_leg_reaches(character))
    standing_reach = np.array(
        [
            np.linalg.norm(locate_foot_hold(character, leg) - hip)
            for leg, hip in enumerate(character.hip_positions)
        ]
    )
    foot_holds = np.array([locate_foot_hold(character, leg) for leg in range(len(character.legs))])
    used_reach = (
        np.maximum(
            standing_reach + EXTRA_REACH_SHARE * (leg_reach - standing_reach),
            MIN_REACH_SHARE * leg_reach,
        )
        + foot_holds[:, 2]
        - character.neutral_foot_positions[:, 2]
    )
    stride_time = compute_typical_stride_time(course, law)
    reference_leg = min(
        range(len(law.body.legs)), key=lambda k: (law.body.leg_rows[k], law.body.on_leading_side[k])
    )
    style_phase = StylePhase.from_course(
        quadruped_style,
        course,
        [s.footstep for s in steps],
        reference_leg=reference_leg,
        law=law,
        stride_time=stride_time,
    )
    limb_roots = LimbRoots.from_style(model, style_phase, com)
    geometry = StandingGeometry(limb_roots, foot_offsets, used_reach, com_height)
    reference = plan_stride_reference(
        course,
        [s.footstep for s in steps],
        geometry,
        gravity=task.gravity,
        law=law,
        style_phase=style_phase,
    )
    sketch = Sketch(
        course,
        steps,
        task.seconds,
        gait_law=StyleGaitLaw.from_style(style, character, task.gravity),
        pendulum=pendulum,
        path=task.path,
    )
    return Striding(
        sketch,
        reference,
        footfall_plan,
        limb_roots=limb_roots,
        leg_reach=leg_reach,
        used_reach=used_reach,
        geometry=geometry,
        stride_time=stride_time,
        style_phase=style_phase,
    )


def _choose_gait_name(task: Task, style: QuadrupedStyle) -> str | None:
    """The gait that is kept, if any: the style's or the one asked for."""
    if style.gait is not None and task.gait not in (None, style.gait):
        raise TaskError(
            f"The style {style.name!r} goes at a {style.gait}, and the gait that is asked for is "
            f"a {task.gait}; leave out the gait, or take another style."
        )
    return style.gait if task.gait is None else task.gait


def _check_supported(task: Task, character: Character) -> None:
    """Say what bodies of other builds than people's cannot do as yet."""
    requests = {
        "pushes": task.pushes,
        "hurdles": task.hurdles,
        "stepping stones": task.stepping_stones is not None,
        "footsteps that are kept": task.pinned_steps,
        "first and last poses": task.first_pose or task.last_pose,
        "jumps": task.jumps,
        "bars": task.monkey_bars is not None,
        "strides of a given length": task.stride_length is not None,
        "something to look at": task.gaze is not None,
        "poses to strike": task.key_poses,
        "turns against the path": task.facing_offset.values.any() or task.has_path_facing,
    }
    for name, is_requested in requests.items():
        if is_requested:
            raise TaskError(
                f"{character.name} has {len(character.legs)} legs of another build than people's, "
                f"and cannot do with {name} as yet; take them out."
            )


def _limit_contact_span(footfall: Footfall, task: Task) -> tuple[float, float]:
    """When a footfall begins and ends; feet that stand did so for a while, and will."""
    return max(footfall.touch_down, -STAND_BEFORE_CLIP), min(
        footfall.lift_off, task.seconds + STAND_AFTER_CLIP
    )


def _build_footstep(
    task: Task, character: Character, footfall: Footfall, course: Course, foot_offset: Array
) -> Footstep:
    """A footfall on the ground: under its hip as the body passes over it,
    where the foot can stand.
    """
    time = np.array(footfall.mid_contact_time)
    middle_line = _locate_middle_line(course, footfall)
    facing = float(np.interp(time, course.time, course.facing))
    rotation = np.array([[np.cos(facing), -np.sin(facing)], [np.sin(facing), np.cos(facing)]])
    foot = character.feet[footfall.leg]
    pose = place_foot_near(
        task.allowed_ground,
        foot,
        middle_line + rotation @ foot_offset[:2],
        yaw=facing,
        level=float(task.ground.sample_heights(middle_line)),
        leg_length=character.leg_length,
    )
    begin, end = _limit_contact_span(footfall, task)
    return Footstep(
        footfall.leg,
        begin,
        begin,
        heel_off=end,
        lift=end,
        position=pose.position,
        rotation=pose.rotation,
        heel_raise=0.0 if foot.is_point else None,
    )


def _locate_middle_line(course: Course, footfall: Footfall) -> Array:
    """Where the middle of the feet is as a hip is over its foot. (2,)."""
    pendulum_path = course.pendulum
    clipped_time = np.clip(footfall.mid_contact_time, pendulum_path.time[0], pendulum_path.time[-1])
    middle_line: Array = (
        pendulum_path.sample(np.array(clipped_time), "cart")
        + (footfall.mid_contact_time - clipped_time)
        * course.target_velocity[0 if footfall.mid_contact_time < 0 else -1]
    )
    return middle_line
