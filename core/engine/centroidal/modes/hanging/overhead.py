"""The sketch of a task with bars, drawn: holds, the course below them, and how the body hangs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .....character.kinematic_model import KinematicModel
from .....clip.pose.hanging import HangingAngles, measure_arm_length, reach_with_arms
from .....clip.style.style import Style
from .....errors import TaskError
from .....geometry import so3
from .....plan.reference import SAMPLE_INTERVAL, PlanReference
from .....task import MonkeyBars, Task
from ..as_sketch import sketch_from_reference
from .arms import HangingPendulum, HoldSupport, simulate_driven_pendulum
from .handholds import Handholds, plan_handholds
from .hanging import MAX_ARM_EXTENSION, Hanging, compute_shoulder_offsets, plan_hand_paths

Array = NDArray[np.float64]

RELEASE_CUTOFF_MARGIN = 1.3  # s past the clip's end after which no hand leaves its rung
LOADED_ARM_EXTENSION = 0.982  # of an arm's length at which it bears: an elbow bent by 22 degrees

# s
HEADING_SMOOTHING = 0.12
SHOULDER_SMOOTHING = 0.1
HEIGHT_SMOOTHING = 0.06

# s before and after a hold in which its arm must reach it already, and still
REACH_MARGIN_TIME = 0.03
# by which the shoulder that bears is raised, and the one that reaches before it bears
SHOULDER_RAISE_ANGLE = np.radians(7)
SHOULDER_LEAD_TIME = 0.12  # s
# half shoulder widths that hands are apart along the way where the chest turns by 45 degrees
TWIST_SPAN = 2.6

# of a body that hangs at rest
REST_THIGH_ANGLE = np.radians(20)
REST_KNEE_ANGLE = np.radians(42)

# of the thighs against each other, as the chest turns by its usual most
THIGH_SCISSOR_ANGLE = np.radians(14)
REFERENCE_TWIST = np.radians(40)
KNEE_SWING_RATIO = 0.8  # times as far as the thigh swings

# rad/s and share of the critical, of legs of 0.93 m
LEG_SWING_FREQUENCY = 4.6
LEG_DAMPING_RATIO = 0.25

FOOT_CLEARANCE = 0.05  # m that feet keep from the ground


def sketch_bars(task: Task, bars: MonkeyBars, model: KinematicModel, style: Style) -> Hanging:
    """Sketch, course and poses of a task with bars.

    Raises:
        CharacterError: the body has no hands.
        TaskError: a rung that no hand reaches, or one so low that feet would touch the ground.
    """
    arm_reach = measure_arm_length(model) if model.character.hands else 0.0
    com_drop, foot_drop, gyration = _measure_at_rest(model)
    pendulum = HangingPendulum(LOADED_ARM_EXTENSION * arm_reach + com_drop, gyration, task.gravity)
    holds = plan_handholds(
        task,
        bars,
        model.character,
        arm_length=arm_reach,
        half_period=pendulum.half_period,
        last_release=task.seconds + RELEASE_CUTOFF_MARGIN,
    )
    _check_ground_clearance(task, bars, arm_reach + foot_drop)
    time = np.arange(
        0.0,
        max(
            task.seconds + 2 * RELEASE_CUTOFF_MARGIN,
            float(holds.overlaps[-1, 0]) + RELEASE_CUTOFF_MARGIN,
        ),
        SAMPLE_INTERVAL,
    )
    support = HoldSupport.from_holds(holds, time)
    com_xy, lean = pendulum.solve_swing(time, holds, support)
    com = np.column_stack([com_xy, np.zeros(len(time))])
    yaw = gaussian_filter1d(
        support.hold_shares @ holds.headings, HEADING_SMOOTHING / SAMPLE_INTERVAL, mode="nearest"
    )
    frame_reference = PlanReference(time, com, yaw, lean=lean, gravity=task.gravity)
    hanging_poses = _pose_hanging_body(
        model, frame_reference, support, holds=holds, gravity=task.gravity
    ).compute_poses(model)
    com[:, 2] = _compute_height(
        model, frame_reference, hanging_poses, holds=holds, support=support, arm_reach=arm_reach
    )
    reference = PlanReference(time, com, yaw, lean=lean, gravity=task.gravity)
    grips = np.stack([h.place for h in plan_hand_paths(model, holds, time)], 1)
    poses = place_hanging_poses(
        model, hanging_poses, reference.sample(time).rotation, com=com, grips=grips
    )
    sketch = sketch_from_reference(
        task,
        model.character,
        style,
        reference=reference,
        footsteps=list(holds.grips),
        com_height=pendulum.length,
    )
    notes = (*sketch.course.notes, *holds.notes)
    return Hanging(
        model,
        replace(sketch, course=replace(sketch.course, notes=notes)),
        reference,
        holds=holds,
        hanging_poses=hanging_poses,
        inertia=_compute_inertia(model, poses, reference.sample(time).rotation),
        shoulder_offsets=compute_shoulder_offsets(model, model.compute_link_poses(poses)),
        arm_reach=arm_reach,
    )


def place_hanging_poses(
    model: KinematicModel, hanging_poses: Array, rotation: Array, com: Array, grips: Array
) -> Array:
    """Poses turned and placed in the world, arms to where the hands are. (n, nq).

    Args:
        hanging_poses: (n, nq) in the plan's frame.
        rotation: (n, 3, 3) of that frame.
        com: (n, 3) where the centre of mass is to be.
        grips: (n, h, 3) of the hands that can hold.
    """
    poses = hanging_poses.copy()
    poses[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), poses[:, 3:7])
    poses[:, :3] += com - model.compute_link_poses(poses).com
    for _ in range(2):  # where arms are moves the centre of mass, and the shoulders with it
        poses = reach_with_arms(model, poses, grips)
        poses[:, :3] += com - model.compute_link_poses(poses).com
    return reach_with_arms(model, poses, grips)


def _measure_at_rest(model: KinematicModel) -> tuple[float, float, float]:
    """Of a body that hangs: its centre of mass and its lowest point below the shoulders,
    m, and its gyration, m.
    """
    ones = np.zeros(1)
    legs = len(model.character.legs)
    hang = HangingAngles(
        np.eye(3)[None],
        ones,
        ones,
        thigh=np.full((1, legs), REST_THIGH_ANGLE),
        knee=np.full((1, legs), REST_KNEE_ANGLE),
    ).compute_poses(model)
    placed = model.compute_link_poses(hang)
    character = model.character
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
    return (
        shoulder_height - float(placed.com[0, 2]),
        shoulder_height - lowest_point,
        float(np.sqrt(inertia[1, 1] / character.mass)),
    )


def _check_ground_clearance(task: Task, bars: MonkeyBars, needed_height: float) -> None:
    """Refuse rungs from which feet would touch the ground."""
    height = bars.rungs[:, 2] - task.ground.sample_heights(bars.rungs[:, :2])
    too_low = np.flatnonzero(height < needed_height + FOOT_CLEARANCE)
    if too_low.size:
        raise TaskError(
            f"Rung {too_low[0] + 1} is {height[too_low[0]]:.2f} m above the ground; a body that "
            f"hangs from it needs {needed_height + FOOT_CLEARANCE:.2f} m for its feet to be free. "
            "Raise the bars."
        )


def _pose_hanging_body(
    model: KinematicModel,
    frame_reference: PlanReference,
    support: HoldSupport,
    holds: Handholds,
    gravity: float,
) -> HangingAngles:
    """How trunk and legs hang along a course."""
    time = frame_reference.time
    character = model.character
    desired = frame_reference.sample(time)
    upright = so3.rotation_about("z", frame_reference.yaw)
    forward = upright[:, :, 0]
    legs = len(character.legs)
    shoulder_half_width = float(
        np.mean(
            [
                abs(character.neutral_joint_position(limb.links[0])[1])
                for limb in character.grasping_arms
            ]
        )
    )
    grip_sides = np.array([character.grasping_arms[g.leg - legs].side for g in holds.grips])
    hand_separation = -sum(
        limb.side * (path.place * forward).sum(1)
        for limb, path in zip(
            character.grasping_arms, plan_hand_paths(model, holds, time), strict=True
        )
    )
    twist = np.arctan(hand_separation / (TWIST_SPAN * shoulder_half_width))
    loaded_side = gaussian_filter1d(
        support.hold_shares @ grip_sides, SHOULDER_SMOOTHING / SAMPLE_INTERVAL, mode="nearest"
    )
    shoulder_raise = SHOULDER_RAISE_ANGLE * np.interp(time + SHOULDER_LEAD_TIME, time, loaded_side)
    pivot_acceleration = (np.gradient(desired.velocity, SAMPLE_INTERVAL, axis=0) * forward).sum(
        1
    ) / gravity
    leg_swing = simulate_driven_pendulum(
        pivot_acceleration,
        LEG_SWING_FREQUENCY * np.sqrt(gravity / 9.81 * 0.93 / character.leg_length),
        LEG_DAMPING_RATIO,
    )
    thigh = np.empty((len(time), legs))
    for k, leg in enumerate(character.legs):
        thigh[:, k] = (
            REST_THIGH_ANGLE + leg_swing + leg.side * THIGH_SCISSOR_ANGLE * twist / REFERENCE_TWIST
        )
    knee = np.maximum(
        REST_KNEE_ANGLE + KNEE_SWING_RATIO * (thigh - REST_THIGH_ANGLE), np.radians(8)
    )
    upright_rotation = np.swapaxes(desired.rotation, 1, 2) @ upright
    return HangingAngles(upright_rotation, twist, shoulder_raise, thigh=thigh, knee=knee)


def _compute_height(
    model: KinematicModel,
    frame_reference: PlanReference,
    hanging_poses: Array,
    holds: Handholds,
    support: HoldSupport,
    arm_reach: float,
) -> Array:
    """Height at which arms that bear are nearly straight,
    and every hand reaches what it holds. (n,) m.
    """
    placed = model.compute_link_poses(hanging_poses)
    time = frame_reference.time
    rotation = frame_reference.sample(time).rotation
    height = np.zeros(len(time))
    min_height = np.full(len(time), -np.inf)
    for k, grip in enumerate(holds.grips):
        limb = model.character.grasping_arms[grip.leg - len(model.character.legs)]
        shoulder = (rotation @ (placed.origin[:, limb.links[0]] - placed.com)[..., None])[..., 0]
        horizontal_squared = (
            (grip.position[:2] - frame_reference.com[:, :2] - shoulder[:, :2]) ** 2
        ).sum(1)
        loaded_height, limit_height = (
            grip.position[2]
            - shoulder[:, 2]
            - np.sqrt(
                np.maximum((share * arm_reach) ** 2 - horizontal_squared, (0.5 * arm_reach) ** 2)
            )
            for share in (LOADED_ARM_EXTENSION, MAX_ARM_EXTENSION)
        )
        height += support.hold_shares[:, k] * loaded_height
        is_holding = (time > grip.strike - REACH_MARGIN_TIME) & (
            time < grip.lift + REACH_MARGIN_TIME
        )
        min_height[is_holding] = np.maximum(min_height[is_holding], limit_height[is_holding])
    height = gaussian_filter1d(height, HEIGHT_SMOOTHING / SAMPLE_INTERVAL, mode="nearest")
    missing_height = maximum_filter1d(
        np.maximum(min_height - height, 0.0), 2 * int(HEIGHT_SMOOTHING / SAMPLE_INTERVAL) + 1
    )
    return height + gaussian_filter1d(
        missing_height, HEIGHT_SMOOTHING / SAMPLE_INTERVAL, mode="nearest"
    )


def _compute_inertia(model: KinematicModel, poses: Array, rotation: Array) -> Array:
    return np.swapaxes(rotation, 1, 2) @ model.compute_centroidal_dynamics(poses).inertia @ rotation
