"""Standing poses in which a clip begins and ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot, Limb
from ...character.kinematic_model import KinematicModel, LinkPoses
from ...errors import TaskError
from ...fullbody.initial_pose import compute_initial_poses
from ...fullbody.targets import BodyTargets
from ...geometry import so3
from ...geometry.curves import smootherstep
from ...plan.reference import PlanReference
from ...sketch.placement.sole import GroundedFootPose, place_foot
from ...sketch.sketch import Sketch
from ...task import PinnedStep, StandingPose, Task
from ...terrain import Ground
from .standing_feet import StandingBody, stand_on_feet

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EndPoseParameters:
    """Tuned numbers of poses at the ends of a clip."""

    # Time over which the body blends from a pose to the reference of its walk, and back [s]: two
    # human steps
    blend_time: float = 0.9
    # Time over which the remaining difference from the pose vanishes [s]. tuned: doubled, feet
    # leave their places by 8 mm; test_ends.test_feet_between_poses_stay_where_they_stand
    join_time: float = 0.3
    # Share of the difference from a pose that has vanished when feet are on their paths again
    foot_correction_share: float = 0.3
    # Shortest time for which the body stands at the end to take up its pose [s], above `join_time`
    min_standing_time: float = 0.5
    # Largest distance from the ground of a foot that stands on it [m]; others are in a swing
    max_foot_gap: float = 0.04
    # Distance from the ground up to which a foot is set on it without a note [m], less than users
    # see
    max_silent_correction: float = 0.01


END_POSES = EndPoseParameters()


@dataclass(frozen=True)
class EndPose:
    """A standing pose of a character.

    Args:
        pose: the pose, shape (nq,).
        com: center of mass [m], shape (3,).
        feet: where the feet stand, at time 0.
        notes: what was changed in the pose of the task.
    """

    pose: Array
    com: Array
    feet: tuple[PinnedStep, ...]
    notes: tuple[str, ...] = ()

    @staticmethod
    def from_standing_pose(
        standing_pose: StandingPose, end_name: str, task: Task, model: KinematicModel
    ) -> EndPose:
        """Return a pose as far as the joints allow it.

        Args:
            standing_pose: pose of the task.
            end_name: "first" or "last", for messages.
            task: task with the ground.
            model: the body.

        Raises:
            TaskError: The pose rotates a link that the character does not have, or a foot is not
                on the ground.
        """
        names = model.character.link_names()
        if unknown := [name for name in standing_pose.orientations if name not in names]:
            raise TaskError(
                f"The {end_name} pose rotates the link {unknown[0]!r}; {model.character.name} has: "
                f"{', '.join(names)}."
            )
        rotations = {
            names.index(name): so3.quat_to_matrix(np.asarray(turn, float) / np.linalg.norm(turn))
            for name, turn in standing_pose.orientations.items()
        }
        upright = {0: np.eye(3)}  # a pose that turns other links only does not lean the whole body
        pose = model.solve_pose(np.asarray(standing_pose.position, float), upright | rotations)
        placed = model.compute_link_poses(pose[None])
        feet = tuple(
            _pin_foot(placed, leg, foot, task.ground, end_name)
            for leg, foot in zip(model.character.legs, model.character.feet, strict=True)
        )
        standing = stand_on_feet(
            model,
            pose,
            tuple(
                _place_pinned_foot(pinned, foot, task.ground)
                for pinned, foot in zip(feet, model.character.feet, strict=True)
            ),
        )
        com = model.compute_link_poses(standing.pose[None]).com[0]
        notes = _make_notes(end_name, standing, task)
        return EndPose(standing.pose, com, feet, notes)


def _pin_foot(
    placed: LinkPoses, leg: Limb, foot: Foot, ground: Ground, end_name: str
) -> PinnedStep:
    """Return the footstep of a standing foot, at time 0.

    Raises:
        TaskError: The foot is not on the ground.
    """
    origin = placed.origin[0, foot.link]
    rotation = placed.rotation[0, foot.link]
    center = origin + rotation @ foot.sole_center
    gap = center[2] - float(ground.sample_heights(center[:2]))
    if not abs(gap) < END_POSES.max_foot_gap:
        raise TaskError(
            f"In the {end_name} pose the {'left' if leg.side > 0 else 'right'} foot is "
            f"{gap:.2f} m off the ground; both feet must stand on it."
        )
    forward = rotation[:, 0]
    return PinnedStep(
        "L" if leg.side > 0 else "R",
        0.0,
        (float(center[0]), float(center[1])),
        float(np.arctan2(forward[1], forward[0])),
    )


def _place_pinned_foot(pinned: PinnedStep, foot: Foot, ground: Ground) -> GroundedFootPose:
    """Return the pose of a foot on the ground at its pinned footstep."""
    xy = np.array(pinned.position)
    yaw = 0.0 if pinned.heading is None else pinned.heading
    return place_foot(ground, foot, xy, yaw, level=float(ground.sample_heights(xy)))


def _make_notes(end_name: str, standing: StandingBody, task: Task) -> tuple[str, ...]:
    """Return a note of an end pose whose feet were moved visibly."""
    if standing.correction <= END_POSES.max_silent_correction:
        return ()
    distance = 100 * task.units.to_user_length(standing.correction)
    return (
        f"in the {end_name} pose the feet were up to {distance:.1f} cm above or in the ground: "
        "its legs were bent so that the feet stand on it",
    )


def _keep_feet(model: KinematicModel, poses: Array, targets: BodyTargets, share: Array) -> Array:
    """Return poses (n, nq) whose legs bend so that their feet are on their paths.

    Args:
        model: the body.
        poses: (n, nq), near to an end pose.
        targets: n frames with the paths of the feet.
        share: (n,) weight of the end pose, at which the pose is kept.
    """
    bent = compute_initial_poses(
        model,
        replace(targets, com=model.compute_link_poses(poses).com, reference=poses),
    )
    weight = smootherstep(np.clip((1 - share) / END_POSES.foot_correction_share, 0, 1))
    return model.integrate(poses, weight[:, None] * model.difference(poses, bent))


@dataclass(frozen=True)
class _EndBlend:
    """Blend into one end pose.

    Args:
        end: the end pose.
        share: weight of the pose over time, 0 to 1, shape (n,).
        time: time of the pose [s].
    """

    end: EndPose
    share: Array
    time: float


@dataclass(frozen=True)
class EndPoses:
    """Poses at both ends of a clip; None where there is no pose."""

    first: EndPose | None
    last: EndPose | None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was changed in the poses of the task."""
        return tuple(
            note for end in (self.first, self.last) if end is not None for note in end.notes
        )

    @staticmethod
    def from_task(task: Task, model: KinematicModel) -> EndPoses:
        """Return the end poses of a task at human scale.

        Raises:
            TaskError: A pose is not possible for the body, or the body walks on stepping stones.
        """
        if task.stepping_stones is not None and (task.first_pose or task.last_pose):
            raise TaskError(
                "A walk on stepping stones neither begins nor ends in a given pose, since its feet "
                "stand on stones only; take out the pose or the stones."
            )
        first, last = (
            None
            if standing_pose is None
            else EndPose.from_standing_pose(standing_pose, end_name, task, model)
            for end_name, standing_pose in (("first", task.first_pose), ("last", task.last_pose))
        )
        return EndPoses(first, last)

    def with_start_feet(self, task: Task) -> Task:
        """Return the task with pinned footsteps of the first pose."""
        return (
            task
            if self.first is None
            else replace(task, pinned_steps=(*task.pinned_steps, *self.first.feet))
        )

    def with_end_feet(self, task: Task, sketch: Sketch) -> Task:
        """Return the task with its last two footsteps pinned at those of the last pose.

        Args:
            task: the task.
            sketch: sketch without them, which states their times.

        Raises:
            TaskError: The body does not come to rest in time.
        """
        if self.last is None:
            return task
        final_steps = {s.footstep.leg: s for s in sketch.steps[-2:]}
        landing_time = max(s.footstep.strike for s in final_steps.values())
        if (
            not all(s.is_standing for s in final_steps.values())
            or landing_time > task.seconds - END_POSES.min_standing_time
        ):
            raise TaskError(
                f"At the clip's end, after {task.units.to_user_time(task.seconds):g} s, the body "
                "still moves and cannot be in its last pose; make the clip longer, the path "
                "shorter, or let it stop where the path ends."
            )
        pinned = [
            replace(self.last.feet[leg], time=s.footstep.strike + 0.5 * s.gait.contact_time)
            for leg, s in final_steps.items()
        ]
        return replace(task, pinned_steps=(*task.pinned_steps, *pinned))

    def blend_reference(self, reference: PlanReference, seconds: float) -> PlanReference:
        """Return the reference that begins and ends at the centers of mass of the poses.

        Args:
            reference: the reference.
            seconds: duration of the clip [s].
        """
        com = reference.com.copy()
        for blend in self._compute_blends(reference.time, seconds, END_POSES.blend_time):
            reference_com = reference.sample(np.array([blend.time])).com[0]
            com += blend.share[:, None] * (blend.end.com - reference_com)
        return replace(reference, com=com)

    def blend_poses(
        self,
        model: KinematicModel,
        poses: Array,
        times: Array,
        seconds: float,
        blend_time: float = END_POSES.blend_time,
    ) -> Array:
        """Return poses that blend into the end poses, shape (n, nq).

        Args:
            model: the body.
            poses: poses, shape (n, nq).
            times: times of the poses [s], shape (n,).
            seconds: duration of the clip [s].
            blend_time: duration of the blend [s].
        """
        for blend in self._compute_blends(times, seconds, blend_time):
            offset = model.difference(poses, np.broadcast_to(blend.end.pose, poses.shape))
            poses = model.integrate(poses, blend.share[:, None] * offset)
        return poses

    def join_poses(
        self, model: KinematicModel, poses: Array, targets: BodyTargets, seconds: float
    ) -> Array:
        """Return solved poses without their remaining difference from the end poses, (n, nq).

        Between a pose and the motion the legs bend so that the feet stay on their paths.

        Args:
            model: the body.
            poses: solved poses, shape (n, nq).
            targets: that the poses follow.
            seconds: duration of the clip [s].
        """
        times = targets.time
        poses = self.blend_poses(
            model, poses, times, seconds=seconds, blend_time=END_POSES.join_time
        )
        for blend in self._compute_blends(times, seconds, END_POSES.join_time):
            frames = np.flatnonzero((blend.share > 0) & (blend.share < 1))
            if frames.size:
                first, stop = int(frames[0]), int(frames[-1]) + 1
                poses[first:stop] = _keep_feet(
                    model,
                    poses[first:stop],
                    targets.slice_frames(first, stop),
                    share=blend.share[first:stop],
                )
        return poses

    def _compute_blends(self, times: Array, seconds: float, blend_time: float) -> list[_EndBlend]:
        """Return the blends into the end poses that there are."""
        out = []
        for end, end_time, elapsed in (
            (self.first, 0.0, times),
            (self.last, seconds, seconds - times),
        ):
            if end is not None:
                share = smootherstep(np.clip(1 - elapsed / blend_time, 0, 1))
                out.append(_EndBlend(end, share, end_time))
        return out
