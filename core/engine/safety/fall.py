"""Let a body fall that was thrown beyond what steps can catch.

The motion is kept up to the moment at which the body is lost. From there the physics engine moves
it, with loose joints, until it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel, LinkPoses
from ...character.pose_from_links import poses_from_links
from ...geometry import so3
from ...motion import Motion
from ...simulate.ragdoll import ExternalPush, Fall, FallingBody, Ragdoll
from ...task import Push, Task
from ...terrain import Ground, HeightField, crop_ground
from ..shared.character import load_task_character
from ..shared.disturbances import find_pushed_link
from ..shared.scaling import REFERENCE_LEG_LENGTH, Scale, to_human_scale
from .attempt import BrokenMotion, SoundMotion

Array = NDArray[np.float64]

GROUND_LIMB = "ground"  # limb of the points at which the ground acts on a body that fell


@dataclass(frozen=True)
class FallParameters:
    """When a body that was pushed is handed over to the physics engine."""

    # Time before the first broken frame [s]: the plan diverges before its figures show it.
    lead_time: float = 0.12
    # Time after a push in which a broken motion counts as thrown by it [s]: three steps of a walk.
    consequence_time: float = 1.8
    # Time before a push at which a motion may break by it [s]: poses are solved for seconds at
    # once, so a push that nothing can resist disturbs the frames before it.
    anticipation_time: float = 0.5
    # Half the side of the square of ground in which a body falls [m]: it rests within 4 s, and a
    # simulation needs the heights of any mesh every 2 cm.
    region_half_width: float = 15.0
    # Excess of a joint over its range, beyond that at the push, from which on a motion counts as
    # broken before its figures show it [rad]. Motions without pushes stay within 0.01, steps that
    # catch a body reach 0.18, and soft limits of simulated joints let falls reach 0.07.
    # tuned: bodies began to fall with a waist that was turned by 150 degrees, random_falls.py
    max_range_excess: float = 0.07
    # The same for the depth of the body in the ground [leg lengths]. tuned: bodies began to fall
    # with feet 5 cm in the ground, random_falls.py
    max_depth: float = 0.015


FALL = FallParameters()


def find_throwing_push(task: Task, time: float) -> Push | None:
    """Return the push that may have thrown a body whose motion breaks at a time [s].

    It is the last one before or soon after that time, else the next one: poses are solved for a
    whole clip, and only a motion that is sound without the push falls by it.
    """
    candidates = [
        push
        for push in task.pushes
        if push.time - FALL.anticipation_time <= time <= push.end + FALL.consequence_time
    ]
    if candidates:
        return max(candidates, key=lambda push: push.time)
    later = [push for push in task.pushes if push.time > time]
    return min(later, key=lambda push: push.time, default=None)


def list_fall_starts(
    broken: BrokenMotion,
    push: Push,
    attempt: Callable[[Task], SoundMotion | BrokenMotion],
) -> Iterator[FallStart]:
    """Yield motions and moments from which the body may fall.

    First the moment at which the motion was lost, if that is after the push began: the body has
    staggered until then. Then the beginning of the push, in a motion without it.

    Args:
        push: that threw the body.
        attempt: returns the motion of a task.
    """
    lost_time = broken.time - FALL.lead_time
    if broken.motion is not None and lost_time > push.time:
        yield FallStart(broken.motion, lost_time, push.time)
    earlier = tuple(other for other in broken.task.pushes if other.time < push.time)
    before = attempt(replace(broken.task, pushes=earlier))
    if isinstance(before, SoundMotion):
        yield FallStart(before.motion, push.time, push.time)


@dataclass(frozen=True)
class FallStart:
    """A motion, and when its body begins to fall.

    Attributes:
        time: at the latest [s].
        earliest_time: at the earliest [s], if poses are impossible before `time`.
    """

    motion: Motion
    time: float
    earliest_time: float


def make_fall(task: Task, start: FallStart) -> Motion:
    """Return a motion whose body falls from a moment on, under the pushes of the task.

    Raises:
        TerrainError: the ground cannot be made of solids.
    """
    motion = start.motion
    human = to_human_scale(task, load_task_character(task))
    scale = human.scale
    model = KinematicModel(human.character)
    first, last = (
        int(np.clip(round(time * motion.fps), 1, motion.frames - 2))
        for time in (start.earliest_time, start.time)
    )
    candidates = slice(first - 1, last + 1)
    poses = poses_from_links(
        model,
        motion.link_origin[candidates, 0] / scale.length,
        so3.quat_to_matrix(motion.link_orientation[candidates]),
    )
    toe_rotation = so3.quat_to_matrix(motion.toe_orientation[candidates])
    ground = _take_region(human.task.ground, poses[-1, :2])
    ragdoll = Ragdoll(human.character, ground, human.task.friction)
    k = _find_last_possible(
        ragdoll.simulated.measure_range_excess(poses).max(1),
        ragdoll.measure_depth(poses, toe_rotation),
    )
    frame = first - 1 + k
    fps = motion.fps * scale.time
    fall = ragdoll.fall(
        FallingBody(
            poses[k],
            model.difference(poses[k - 1 : k], poses[k : k + 1])[0] * fps,
            toe_rotation[k],
        ),
        motion.frames - frame,
        fps=fps,
        pushes=_find_acting_pushes(human.task, model, frame / fps),
    )
    return _join(motion, model, fall, scale)


def _find_last_possible(excess: Array, depth: Array) -> int:
    """Return the last frame before poses become impossible, 1 at least.

    Args:
        excess: (n,) of the joint farthest beyond its range [rad].
        depth: (n,) of the deepest solid in the ground [m] at human scale.
    """
    max_depth = FALL.max_depth * REFERENCE_LEG_LENGTH
    # Joints and feet that exceed the bounds from the first frame on are so in the task's motion.
    is_beyond = (excess > excess[0] + FALL.max_range_excess) | (depth > depth[0] + max_depth)
    return max(int(np.argmax(is_beyond)) - 1 if is_beyond.any() else len(excess) - 1, 1)


def _take_region(ground: Ground, place: Array) -> Ground:
    """Return the part of a ground in which a body at a place (2,) [m] may fall."""
    if isinstance(ground, HeightField):
        return ground
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    return crop_ground(ground, place + FALL.region_half_width * square) or ground


def _find_acting_pushes(task: Task, model: KinematicModel, time: float) -> tuple[ExternalPush, ...]:
    """Return the pushes that act at a time [s] or later."""
    return tuple(
        ExternalPush(
            find_pushed_link(model.character, push.body_part) or 0,
            np.asarray(push.force),
            np.asarray(push.moment),
            begin=push.time - time,
            end=push.end - time,
        )
        for push in task.pushes
        if time < push.end
    )


def _join(motion: Motion, model: KinematicModel, fall: Fall, scale: Scale) -> Motion:
    """Return a motion whose last frames are those of a fall, at the scale of the motion."""
    placed = model.compute_link_poses(fall.poses)
    tails = {
        **_make_body_frames(placed, fall, motion.link_mass, scale),
        **_make_push_frames(fall, scale),
        **_make_foot_frames(motion, placed, scale),
    }
    kept = motion.take_frames(slice(None, motion.frames - len(fall.poses)))
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(kept, name), tail]) for name, tail in tails.items()
    }
    for name in ("link_orientation", "reference_orientation", "toe_orientation"):
        joined[name] = so3.quat_unwrap(joined[name])
    return _add_ground_points(_end_footsteps(replace(motion, **joined), kept), fall, scale)


def _make_body_frames(
    placed: LinkPoses, fall: Fall, link_mass: Array, scale: Scale
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a motion that say how the body lies, by name."""
    orientation = so3.quat_from_matrix(placed.rotation)
    position = placed.link_com * scale.length
    return {
        "link_position": position,
        "link_origin": placed.origin * scale.length,
        "link_orientation": orientation,
        "reference_orientation": orientation,
        "toe_orientation": so3.quat_from_matrix(fall.toe_rotation),
        "planned_com": (link_mass[:, None] * position).sum(1) / link_mass.sum(),
        "goal_velocity": np.zeros((len(position), 3)),
        "relaxed": np.zeros(len(position), bool),
    }


def _make_push_frames(fall: Fall, scale: Scale) -> dict[str, NDArray[Any]]:
    """Return the arrays of a motion that say what pushed the body, by name."""
    force_unit = scale.length / scale.time**2
    return {
        "push_force": fall.push_force * force_unit,
        "push_moment": fall.push_moment * force_unit * scale.length,
        "push_point": fall.push_point * scale.length,
    }


def _make_foot_frames(motion: Motion, placed: LinkPoses, scale: Scale) -> dict[str, NDArray[Any]]:
    """Return the arrays of the points of feet, at which nothing rests, by name.

    Each point moves with its link, as it lies to it in the frame before the fall.
    """
    frames = len(placed.origin)
    frame = motion.frames - frames
    shape = (frames, len(motion.contact_names))
    position = np.zeros((*shape, 3))
    numbers = {name: k for k, name in enumerate(motion.link_names)}
    rotation = so3.quat_to_matrix(motion.link_orientation[frame - 1])
    for column, name in enumerate(motion.contact_names):
        link = numbers.get(name.rsplit("/", 1)[0], 0)
        place = motion.contact_position[frame - 1, column]
        local = rotation[link].T @ (place - motion.link_origin[frame - 1, link])
        position[:, column] = placed.origin[:, link] * scale.length + (
            placed.rotation[:, link] @ local
        )
    return {
        "contact_position": position,
        "contact_active": np.zeros(shape, bool),
        "contact_force": np.zeros((*shape, 3)),
    }


def _add_ground_points(motion: Motion, fall: Fall, scale: Scale) -> Motion:
    """Return a motion with one more contact point for each link: what the ground does to it."""
    frame = motion.frames - len(fall.poses)
    force = np.zeros_like(motion.link_position)
    force[frame:] = fall.ground_force * scale.length / scale.time**2
    position = motion.link_position.copy()
    position[frame:] = fall.ground_point * scale.length
    is_active = np.zeros(force.shape[:2], bool)
    names = tuple(f"{GROUND_LIMB}/{name}" for name in motion.link_names)
    return replace(
        motion,
        contact_names=(*motion.contact_names, *names),
        contact_limb=(*motion.contact_limb, *(GROUND_LIMB for _ in names)),
        contact_position=np.concatenate([motion.contact_position, position], 1),
        contact_active=np.concatenate([motion.contact_active, is_active], 1),
        contact_force=np.concatenate([motion.contact_force, force], 1),
    )


def _end_footsteps(motion: Motion, kept: Motion) -> Motion:
    """Return a motion with the footsteps and violations of its frames before the fall."""
    begin = kept.frames / motion.fps
    footsteps = tuple(
        replace(step, lift=min(step.lift, begin), heel_off=min(step.heel_off, begin))
        for step in motion.footsteps
        if step.flat < begin
    )
    violations = tuple(
        replace(violation, end=min(violation.end, begin))
        for violation in motion.report.violations
        if violation.begin < begin
    )
    return replace(
        motion, footsteps=footsteps, report=replace(motion.report, violations=violations)
    )
