"""Poses that a clip begins and ends in: the body stands there, its feet where the pose has them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...geometry import so3
from ...plan.reference import PlanReference
from ...sketch.sketch import Sketch
from ...task import PinnedStep, StandingPose, Task

Array = NDArray[np.float64]

BLEND_TIME = 0.9  # s over which the body goes from a pose to the course of its walk, and back
JOIN_TIME = 0.3  # s over which what is left of a difference from the pose goes away
MIN_STANDING_TIME = 0.5  # s that the body must stand at the end to take up its pose
MAX_FOOT_GAP = 0.04  # leg lengths that a foot may be off the ground and still stand on it


@dataclass(frozen=True)
class EndPose:
    """A standing pose of a character."""

    pose: Array  # (nq,)
    com: Array  # (3,)
    feet: tuple[PinnedStep, ...]  # where the feet stand; their time is 0

    @staticmethod
    def from_standing_pose(
        standing_pose: StandingPose, end_name: str, task: Task, model: KinematicModel
    ) -> EndPose:
        """A pose as the joints allow it.

        Raises:
            TaskError: a link that the character does not have, or a foot that is not on the ground.
        """
        names = model.character.link_names()
        if unknown := [name for name in standing_pose.orientations if name not in names]:
            raise TaskError(
                f"The {end_name} pose turns the link {unknown[0]!r}; {model.character.name} has: "
                f"{', '.join(names)}."
            )
        rotations = {
            names.index(name): so3.quat_to_matrix(np.asarray(turn, float) / np.linalg.norm(turn))
            for name, turn in standing_pose.orientations.items()
        }
        pose = model.solve_pose(np.asarray(standing_pose.position, float), rotations)
        placed = model.compute_link_poses(pose[None])
        feet = []
        for leg, foot in zip(model.character.legs, model.character.feet, strict=True):
            origin = placed.origin[0, foot.link]
            rotation = placed.rotation[0, foot.link]
            center = origin + rotation @ foot.sole_center
            ground_height = float(task.ground.sample_heights(center[:2]))
            if not abs(center[2] - ground_height) < MAX_FOOT_GAP:
                raise TaskError(
                    f"In the {end_name} pose the {'left' if leg.side > 0 else 'right'} foot is "
                    f"{center[2] - ground_height:.2f} m off the ground; both feet must stand on "
                    "it."
                )
            forward = rotation[:, 0]
            feet.append(
                PinnedStep(
                    "L" if leg.side > 0 else "R",
                    0.0,
                    (float(center[0]), float(center[1])),
                    float(np.arctan2(forward[1], forward[0])),
                )
            )
        return EndPose(pose, placed.com[0], tuple(feet))


@dataclass(frozen=True)
class EndPoses:
    """The poses at both ends of a clip, where there are any."""

    first: EndPose | None
    last: EndPose | None

    @staticmethod
    def from_task(task: Task, model: KinematicModel) -> EndPoses:
        """The ends that a task asks for, at human scale."""
        first, last = (
            None
            if standing_pose is None
            else EndPose.from_standing_pose(standing_pose, end_name, task, model)
            for end_name, standing_pose in (("first", task.first_pose), ("last", task.last_pose))
        )
        return EndPoses(first, last)

    def with_start_feet(self, task: Task) -> Task:
        """The task with its feet at the start where the first pose has them."""
        return (
            task
            if self.first is None
            else replace(task, pinned_steps=(*task.pinned_steps, *self.first.feet))
        )

    def with_end_feet(self, task: Task, sketch: Sketch) -> Task:
        """The task with its last two footsteps where the last pose has them.

        Args:
            sketch: without them; their times are its.

        Raises:
            TaskError: the body does not come to rest in time.
        """
        if self.last is None:
            return task
        final_steps = {s.footstep.leg: s for s in sketch.steps[-2:]}
        landing_time = max(s.footstep.strike for s in final_steps.values())
        if (
            not all(s.is_standing for s in final_steps.values())
            or landing_time > task.seconds - MIN_STANDING_TIME
        ):
            raise TaskError(
                f"At the clip's end, after {task.seconds:g} s, the body is still on its way and "
                "cannot be in its last pose; make the clip longer, the path shorter, or let it "
                "stop where the path ends."
            )
        pinned = [
            replace(self.last.feet[leg], time=s.footstep.strike + 0.5 * s.gait.contact_time)
            for leg, s in final_steps.items()
        ]
        return replace(task, pinned_steps=(*task.pinned_steps, *pinned))

    def blend_reference(self, reference: PlanReference, seconds: float) -> PlanReference:
        """A course that begins over the first pose's centre of mass and
        ends over the last one's.
        """
        com = reference.com.copy()
        for end, share, end_time in self._compute_blend_shares(reference.time, seconds, BLEND_TIME):
            reference_com = reference.sample(np.array([end_time])).com[0]
            com += share[:, None] * (end.com - reference_com)
        return replace(reference, com=com)

    def blend_poses(
        self,
        model: KinematicModel,
        poses: Array,
        times: Array,
        seconds: float,
        blend_time: float = BLEND_TIME,
    ) -> Array:
        """Poses that go over into the ends'. (n, nq)."""
        for end, share, _ in self._compute_blend_shares(times, seconds, blend_time):
            offset = model.difference(poses, np.broadcast_to(end.pose, poses.shape))
            poses = model.integrate(poses, share[:, None] * offset)
        return poses

    def join_poses(
        self, model: KinematicModel, poses: Array, times: Array, seconds: float
    ) -> Array:
        """Poses with what is left of a difference from the ends' taken away. (n, nq)."""
        return self.blend_poses(model, poses, times, seconds=seconds, blend_time=JOIN_TIME)

    def _compute_blend_shares(
        self, times: Array, seconds: float, blend_time: float
    ) -> list[tuple[EndPose, Array, float]]:
        """Each end with how much it counts over time, (n,), and its moment."""
        out: list[tuple[EndPose, Array, float]] = []
        for end, end_time, elapsed in (
            (self.first, 0.0, times),
            (self.last, seconds, seconds - times),
        ):
            if end is not None:
                u = np.clip(1 - elapsed / blend_time, 0, 1)
                out.append((end, np.asarray(u**3 * (10 - 15 * u + 6 * u * u)), end_time))
        return out
