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
from ...simulate.ragdoll import ExternalPush, Fall, Ragdoll
from ...task import Push, Task
from ..shared.character import load_task_character
from ..shared.disturbances import find_pushed_link
from ..shared.scaling import Scale, to_human_scale
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


FALL = FallParameters()


def find_throwing_push(task: Task, time: float) -> Push | None:
    """Return the last push that may have thrown a body whose motion breaks at a time [s]."""
    candidates = [
        push
        for push in task.pushes
        if push.time - FALL.anticipation_time <= time <= push.end + FALL.consequence_time
    ]
    return max(candidates, key=lambda push: push.time, default=None)


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
        yield FallStart(broken.motion, lost_time)
    earlier = tuple(other for other in broken.task.pushes if other.time < push.time)
    before = attempt(replace(broken.task, pushes=earlier))
    if isinstance(before, SoundMotion):
        yield FallStart(before.motion, push.time)


@dataclass(frozen=True)
class FallStart:
    """A motion and the time [s] from which its body falls."""

    motion: Motion
    time: float


def make_fall(task: Task, start: FallStart) -> Motion:
    """Return a motion whose body falls from a moment on, under the pushes of the task.

    Raises:
        TerrainError: the ground cannot be made of solids.
    """
    motion = start.motion
    frame = int(np.clip(round(start.time * motion.fps), 1, motion.frames - 2))
    human = to_human_scale(task, load_task_character(task))
    scale = human.scale
    model = KinematicModel(human.character)
    poses = poses_from_links(
        model,
        motion.link_origin[frame - 1 : frame + 1, 0] / scale.length,
        so3.quat_to_matrix(motion.link_orientation[frame - 1 : frame + 1]),
    )
    fps = motion.fps * scale.time
    fall = Ragdoll(human.character, human.task.ground, human.task.friction).fall(
        poses[1],
        model.difference(poses[:1], poses[1:])[0] * fps,
        motion.frames - frame,
        fps=fps,
        pushes=_find_acting_pushes(human.task, model, frame / fps),
    )
    return _join(motion, model, fall, scale)


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
    """Return a motion whose last frames are those of a fall, at the motion's own scale."""
    frame = motion.frames - len(fall.poses)
    placed = model.compute_link_poses(fall.poses)
    orientation = so3.quat_from_matrix(placed.rotation)
    position = placed.link_com * scale.length
    force_unit = scale.length / scale.time**2
    falling = _ContactArrays.from_fall(motion, model, placed, scale=scale)
    ground_position = np.concatenate(
        [motion.link_position[:frame], fall.ground_point * scale.length]
    )
    ground_force = np.concatenate(
        [np.zeros_like(motion.link_position[:frame]), fall.ground_force * force_unit]
    )
    mass = motion.link_mass
    com = (mass[:, None] * position).sum(1) / mass.sum()

    def replace_tail(before: NDArray[Any], after: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([before[:frame], after])

    def unwrap_tail(before: Array, after: Array) -> Array:
        return so3.quat_unwrap(replace_tail(before, after))

    begin = frame / motion.fps
    return replace(
        motion,
        link_position=replace_tail(motion.link_position, position),
        link_origin=replace_tail(motion.link_origin, placed.origin * scale.length),
        link_orientation=unwrap_tail(motion.link_orientation, orientation),
        reference_orientation=unwrap_tail(motion.reference_orientation, orientation),
        toe_orientation=unwrap_tail(
            motion.toe_orientation, so3.quat_from_matrix(fall.toe_rotation)
        ),
        contact_names=(
            *motion.contact_names,
            *(f"{GROUND_LIMB}/{name}" for name in motion.link_names),
        ),
        contact_limb=(*motion.contact_limb, *(GROUND_LIMB for _ in motion.link_names)),
        contact_position=np.concatenate(
            [replace_tail(motion.contact_position, falling.position), ground_position], 1
        ),
        contact_active=np.concatenate(
            [
                replace_tail(motion.contact_active, falling.active),
                np.zeros(ground_force.shape[:2], bool),
            ],
            1,
        ),
        contact_force=np.concatenate(
            [replace_tail(motion.contact_force, falling.force), ground_force], 1
        ),
        push_force=replace_tail(motion.push_force, fall.push_force * force_unit),
        push_moment=replace_tail(motion.push_moment, fall.push_moment * force_unit * scale.length),
        push_point=replace_tail(motion.push_point, fall.push_point * scale.length),
        planned_com=replace_tail(motion.planned_com, com),
        goal_velocity=replace_tail(motion.goal_velocity, np.zeros((len(fall.poses), 3))),
        relaxed=replace_tail(motion.relaxed, np.zeros(len(fall.poses), bool)),
        footsteps=tuple(
            replace(step, lift=min(step.lift, begin), heel_off=min(step.heel_off, begin))
            for step in motion.footsteps
            if step.flat < begin
        ),
        report=replace(
            motion.report,
            violations=tuple(
                replace(violation, end=min(violation.end, begin))
                for violation in motion.report.violations
                if violation.begin < begin
            ),
        ),
    )


@dataclass(frozen=True)
class _ContactArrays:
    """The points of feet in the frames of a fall, at which nothing rests."""

    position: Array  # (n, c, 3) [m]
    active: NDArray[np.bool_]  # (n, c)
    force: Array  # (n, c, 3) [N]

    @staticmethod
    def from_fall(
        motion: Motion, model: KinematicModel, placed: LinkPoses, scale: Scale
    ) -> _ContactArrays:
        """Move each point with its link, as it lies to it in the frame before the fall."""
        frames = len(placed.origin)
        frame = motion.frames - frames
        shape = (frames, len(motion.contact_names))
        position = np.zeros((*shape, 3))
        numbers = {name: k for k, name in enumerate(motion.link_names)}
        rotation = so3.quat_to_matrix(motion.link_orientation[frame - 1])
        for column, name in enumerate(motion.contact_names):
            link = numbers.get(name.rsplit("/", 1)[0], 0)
            offset = (
                motion.contact_position[frame - 1, column] - motion.link_origin[frame - 1, link]
            )
            local = rotation[link].T @ offset
            position[:, column] = placed.origin[:, link] * scale.length + (
                placed.rotation[:, link] @ local
            )
        return _ContactArrays(position, np.zeros(shape, bool), np.zeros((*shape, 3)))
