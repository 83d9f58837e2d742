"""Sketch of a task with bars: holds, the reference below them, and how the body hangs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .....character.kinematic_model import KinematicModel
from .....clip.pose.hanging import HangingAngles, measure_arm_length
from .....errors import TaskError
from .....geometry import so3
from .....plan.reference import SAMPLE_INTERVAL, PlanReference
from .....sketch.sketch import Sketch
from .....task import MonkeyBars, Task
from ....shared.scaling import REFERENCE_GRAVITY, REFERENCE_LEG_LENGTH
from ...body import PlannedBody
from ..as_sketch import sketch_from_reference
from .handholds import Handholds, measure_shoulder_half_width, plan_handholds
from .pendulum import HangingPendulum, HoldSupport, simulate_driven_pendulum
from .poses import compute_shoulder_offsets, place_hanging_poses, plan_hand_paths

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HangParameters:
    """Tuned numbers of a hanging body.

    Effects of half and twice of each: docs/dev/parameters.csv. Numbers without a note move links by
    up to 0.5 m and worsen no measure.
    """

    # Time after the end of the clip after which no hand leaves its rung [s]
    release_cutoff_margin: float = 1.3
    # Extension of an arm that carries load, as a share of its length. The elbow is then bent by
    # 22 degrees.
    loaded_arm_extension: float = 0.982
    # Largest extension of an arm, as a share of its length. tuned: halved, pops of a body on bars
    # are 93 degrees instead of 0.7. test_bars.test_supporting_arm_is_nearly_straight
    max_arm_extension: float = 0.99
    # Standard deviations of the filters of heading, shoulders and height [s]
    heading_smoothing: float = 0.12
    shoulder_smoothing: float = 0.1
    height_smoothing: float = 0.06
    # Time before and after a hold in which the arm can reach it, too [s]
    reach_margin_time: float = 0.03
    # Angle by which the shoulder that carries load is raised [rad]
    shoulder_raise_angle: float = float(np.radians(7))
    # Time by which the shoulder is raised before its arm carries load [s]
    shoulder_lead_time: float = 0.12
    # Distance between the hands along the path at which the chest is twisted by 45 degrees, in half
    # shoulder widths. tuned: halved, pops of a body on bars are 1.5 degrees instead of 0.7
    twist_span: float = 2.6
    # Angles of thighs and knees of a body that hangs at rest [rad]
    rest_thigh_angle: float = float(np.radians(20))
    rest_knee_angle: float = float(np.radians(42))
    # Angle of each thigh against the middle at the twist `reference_twist` of the chest [rad]
    thigh_scissor_angle: float = float(np.radians(14))
    reference_twist: float = float(np.radians(40))
    # Swing of the knee relative to that of the thigh
    knee_swing_ratio: float = 0.8
    # Smallest bend of the knee [rad]
    min_knee_angle: float = float(np.radians(8))
    # Natural frequency of swinging legs [rad/s] and their damping as a share of the critical one
    leg_swing_frequency: float = 4.6
    leg_damping_ratio: float = 0.25
    # Distance of the feet from the ground [m]
    foot_clearance: float = 0.05


HANG = HangParameters()


@dataclass(frozen=True)
class HangSketch:
    """Sketch of a task with bars, with what follows from it at the n moments of the reference.

    Args:
        sketch: the sketch.
        reference: reference of the plan.
        holds: which hand holds which rung when.
        hanging_poses: poses in the frame of the plan, arms stretched upward, shape (n, nq).
        inertia: inertia with arms at their grips [kg m^2], shape (n, 3, 3).
        shoulder_offsets: shoulders of the h arms that hold, relative to the center of mass,
            world axes [m], shape (n, h, 3).
        arm_reach: distance from a shoulder to the grip of a straight arm [m].
    """

    sketch: Sketch
    reference: PlanReference
    holds: Handholds
    hanging_poses: Array
    inertia: Array
    shoulder_offsets: Array
    arm_reach: float


def sketch_bars(task: Task, bars: MonkeyBars, planned_body: PlannedBody) -> HangSketch:
    """Return sketch, reference and poses of a task with bars.

    Raises:
        CharacterError: The body has no hands.
        TaskError: A rung is out of reach, or so low that feet would touch the ground.
    """
    model = planned_body.model
    arm_reach = measure_arm_length(model) if model.character.hands else 0.0
    rest = _measure_at_rest(model)
    pendulum = HangingPendulum(
        HANG.loaded_arm_extension * arm_reach + rest.com_drop, rest.gyration, task.gravity
    )
    holds = plan_handholds(
        task,
        bars,
        model.character,
        arm_length=arm_reach,
        half_period=pendulum.half_period,
        last_release=task.seconds + HANG.release_cutoff_margin,
    )
    _check_ground_clearance(task, bars, arm_reach + rest.foot_drop)
    body = _HangingBody(model, holds, arm_reach, task.gravity)
    end = max(task.seconds + 2 * HANG.release_cutoff_margin, body.last_hold_time)
    time = np.arange(0.0, end, SAMPLE_INTERVAL)
    support = HoldSupport.from_holds(holds, time)
    swing = pendulum.solve_swing(time, holds, support)
    com = np.column_stack([swing.position, np.zeros(len(time))])
    yaw = _filter(support.hold_shares @ holds.headings, HANG.heading_smoothing)
    level_reference = PlanReference(time, com, yaw, lean=swing.lean, gravity=task.gravity)
    hanging_poses = body.compute_angles(level_reference, support).compute_poses(model)
    com[:, 2] = body.compute_height(level_reference, hanging_poses, support)
    reference = PlanReference(time, com, yaw, lean=swing.lean, gravity=task.gravity)
    poses = body.place(hanging_poses, reference)
    sketch = sketch_from_reference(task, planned_body, reference, holds.grips, pendulum.length)
    notes = (*sketch.course.notes, *holds.notes)
    return HangSketch(
        replace(sketch, course=replace(sketch.course, notes=notes)),
        reference,
        holds,
        hanging_poses,
        _compute_inertia(model, poses, reference.sample(time).rotation),
        compute_shoulder_offsets(model, model.compute_link_poses(poses)),
        arm_reach,
    )


@dataclass(frozen=True)
class _RestMeasures:
    """Measures of a body that hangs at rest [m].

    Args:
        com_drop: distance of the center of mass below the shoulders.
        foot_drop: distance of the lowest point below the shoulders.
        gyration: radius of gyration about a lateral axis.
    """

    com_drop: float
    foot_drop: float
    gyration: float


def _measure_at_rest(model: KinematicModel) -> _RestMeasures:
    """Measure a body that hangs at rest."""
    character = model.character
    zeros = np.zeros(1)
    legs = len(character.legs)
    hang = HangingAngles(
        np.eye(3)[None],
        zeros,
        zeros,
        thigh=np.full((1, legs), HANG.rest_thigh_angle),
        knee=np.full((1, legs), HANG.rest_knee_angle),
    ).compute_poses(model)
    placed = model.compute_link_poses(hang)
    shoulder_height = (
        float(np.mean([placed.origin[0, arm.links[0], 2] for arm in character.arms]))
        if character.arms
        else 0.0
    )
    lowest_point = min(
        float((placed.origin[0, f.link] + placed.rotation[0, f.link] @ p)[2])
        for f in character.feet
        for p in (f.heel, f.ball, f.tip)
    )
    inertia = model.compute_centroidal_dynamics(hang).inertia[0]
    return _RestMeasures(
        shoulder_height - float(placed.com[0, 2]),
        shoulder_height - lowest_point,
        float(np.sqrt(inertia[1, 1] / character.mass)),
    )


def _check_ground_clearance(task: Task, bars: MonkeyBars, needed_height: float) -> None:
    """Refuse rungs from which feet would touch the ground.

    Args:
        needed_height: distance from a grip to the lowest point of the hanging body [m].

    Raises:
        TaskError: A rung is too low.
    """
    height = bars.rungs[:, 2] - task.ground.sample_heights(bars.rungs[:, :2])
    too_low = np.flatnonzero(height < needed_height + HANG.foot_clearance)
    if too_low.size:
        raise TaskError(
            f"Rung {too_low[0] + 1} is {height[too_low[0]]:.2f} m above the ground; a body that "
            f"hangs from it needs {needed_height + HANG.foot_clearance:.2f} m for its feet to be "
            "free. Raise the bars."
        )


@dataclass(frozen=True)
class _HangingBody:
    """A body on its holds.

    Args:
        model: the body.
        holds: which hand holds which rung when.
        arm_reach: distance from a shoulder to the grip of a straight arm [m].
        gravity: gravity [m/s^2].
    """

    model: KinematicModel
    holds: Handholds
    arm_reach: float
    gravity: float

    @property
    def last_hold_time(self) -> float:
        """Time until which the reference must extend at least for the last hold [s]."""
        return float(self.holds.overlaps[-1, 0]) + HANG.release_cutoff_margin

    def compute_angles(self, reference: PlanReference, support: HoldSupport) -> HangingAngles:
        """Return how trunk and legs hang along a reference."""
        character = self.model.character
        time = reference.time
        desired = reference.sample(time)
        upright = so3.rotation_about("z", reference.yaw)
        forward = upright[:, :, 0]
        twist = self._compute_twist(time, forward)
        legs = len(character.legs)
        grip_sides = np.array(
            [character.grasping_arms[g.leg - legs].side for g in self.holds.grips]
        )
        loaded_side = _filter(support.hold_shares @ grip_sides, HANG.shoulder_smoothing)
        shoulder_raise = HANG.shoulder_raise_angle * np.interp(
            time + HANG.shoulder_lead_time, time, loaded_side
        )
        acceleration = np.gradient(desired.velocity, SAMPLE_INTERVAL, axis=0)
        leg_swing = self._compute_leg_swing((acceleration * forward).sum(1) / self.gravity)
        thigh = np.empty((len(time), legs))
        for k, leg in enumerate(character.legs):
            thigh[:, k] = (
                HANG.rest_thigh_angle
                + leg_swing
                + leg.side * HANG.thigh_scissor_angle * twist / HANG.reference_twist
            )
        knee = np.maximum(
            HANG.rest_knee_angle + HANG.knee_swing_ratio * (thigh - HANG.rest_thigh_angle),
            HANG.min_knee_angle,
        )
        upright_rotation = np.swapaxes(desired.rotation, 1, 2) @ upright
        return HangingAngles(upright_rotation, twist, shoulder_raise, thigh=thigh, knee=knee)

    def place(self, hanging_poses: Array, reference: PlanReference) -> Array:
        """Return hanging poses on the reference, with the arms at the grips, shape (n, nq)."""
        time = reference.time
        grips = np.stack([h.place for h in plan_hand_paths(self.model, self.holds, time)], 1)
        rotation = reference.sample(time).rotation
        return place_hanging_poses(
            self.model, hanging_poses, rotation, com=reference.com, grips=grips
        )

    def _compute_twist(self, time: Array, forward: Array) -> Array:
        """Return the twist of the chest toward the hand in front [rad], shape (n,).

        Args:
            time: n times [s].
            forward: direction of the path, shape (n, 3).
        """
        character = self.model.character
        hand_separation = -sum(
            limb.side * (path.place * forward).sum(1)
            for limb, path in zip(
                character.grasping_arms,
                plan_hand_paths(self.model, self.holds, time),
                strict=True,
            )
        )
        return np.arctan(
            hand_separation / (HANG.twist_span * measure_shoulder_half_width(character))
        )

    def _compute_leg_swing(self, pivot_acceleration: Array) -> Array:
        """Return the swing of the legs [rad], from the acceleration of the pelvis in units of
        gravity, each of shape (n,).
        """
        frequency = HANG.leg_swing_frequency * np.sqrt(
            self.gravity
            / REFERENCE_GRAVITY
            * REFERENCE_LEG_LENGTH
            / self.model.character.leg_length
        )
        return simulate_driven_pendulum(pivot_acceleration, frequency, HANG.leg_damping_ratio)

    def compute_height(
        self, reference: PlanReference, hanging_poses: Array, support: HoldSupport
    ) -> Array:
        """Return the height of the center of mass [m], shape (n,).

        Arms that carry load are nearly straight, and each hand reaches its hold.
        """
        model = self.model
        placed = model.compute_link_poses(hanging_poses)
        time = reference.time
        rotation = reference.sample(time).rotation
        height = np.zeros(len(time))
        min_height = np.full(len(time), -np.inf)
        for k, grip in enumerate(self.holds.grips):
            limb = model.character.grasping_arms[grip.leg - len(model.character.legs)]
            shoulder = (rotation @ (placed.origin[:, limb.links[0]] - placed.com)[..., None])[
                ..., 0
            ]
            horizontal_squared = (
                (grip.position[:2] - reference.com[:, :2] - shoulder[:, :2]) ** 2
            ).sum(1)
            loaded_height, limit_height = (
                grip.position[2]
                - shoulder[:, 2]
                - np.sqrt(
                    np.maximum(
                        (share * self.arm_reach) ** 2 - horizontal_squared,
                        (0.5 * self.arm_reach) ** 2,
                    )
                )
                for share in (HANG.loaded_arm_extension, HANG.max_arm_extension)
            )
            height += support.hold_shares[:, k] * loaded_height
            is_holding = (time > grip.strike - HANG.reach_margin_time) & (
                time < grip.lift + HANG.reach_margin_time
            )
            min_height[is_holding] = np.maximum(min_height[is_holding], limit_height[is_holding])
        return _smooth_above(height, min_height)


def _filter(values: Array, smoothing: float) -> Array:
    """Return values (n,) filtered over time with a standard deviation [s]."""
    return gaussian_filter1d(values, smoothing / SAMPLE_INTERVAL, mode="nearest")


def _smooth_above(height: Array, min_height: Array) -> Array:
    """Return a height filtered over time, and raised smoothly where it is below `min_height`."""
    width = HANG.height_smoothing / SAMPLE_INTERVAL
    height = gaussian_filter1d(height, width, mode="nearest")
    missing_height = maximum_filter1d(np.maximum(min_height - height, 0.0), 2 * int(width) + 1)
    return height + gaussian_filter1d(missing_height, width, mode="nearest")


def _compute_inertia(model: KinematicModel, poses: Array, rotation: Array) -> Array:
    """Return the inertia of poses (n, nq) in rotated frames [kg m^2], shape (n, 3, 3)."""
    return np.swapaxes(rotation, 1, 2) @ model.compute_centroidal_dynamics(poses).inertia @ rotation
