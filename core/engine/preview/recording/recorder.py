"""A simulated body written down as a motion."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....geometry import so3
from ....motion import Footstep, Motion, Report
from ....simulate import PhysicsState, SimulatedBody
from ....task import Task
from ...shared.motion_builder import (
    SOLE_POINT_NAMES,
    FrameSeries,
    LimbContacts,
    MotionBuilder,
    PushSeries,
)
from ..instant import Instant
from .contact_forces import average_over_frames, compute_frame_forces
from .contacts import ContactDetector
from .sole_points import SoleLocator

Array = NDArray[np.float64]


@dataclass
class Recorder:
    """What happened at each instant, `instants_per_frame` of which make a frame.

    Args:
        instants_per_frame: instants a frame.
        dt: s between instants.
    """

    body: SimulatedBody
    instants_per_frame: int
    dt: float
    poses: list[Array] = field(default_factory=list)
    # (points, 3) of all soles, means from this instant to the next
    forces: list[Array] = field(default_factory=list)
    pushes: list[Array] = field(default_factory=list)  # (3,) N
    push_points: list[Array] = field(default_factory=list)  # (3,)
    planned_com: list[Array] = field(default_factory=list)  # (3,) centre of mass
    goals: list[Array] = field(default_factory=list)  # (3,) m/s
    uncontrolled: list[bool] = field(default_factory=list)
    planned_stance: list[NDArray[np.bool_]] = field(default_factory=list)  # (legs,)
    dropped_count: int = 0

    def __post_init__(self) -> None:
        self.model, self.sole_locator = (
            KinematicModel(self.body.character),
            SoleLocator(self.body.model),
        )
        self._contact_detector = ContactDetector(self.body.model.soles, self.dt, self.body.weight)

    @property
    def instant_count(self) -> int:
        """How many were noted."""
        return self.dropped_count + len(self.poses)

    def record(
        self, instant: Instant, next_state: PhysicsState, push: tuple[Array, Array], goal: Array
    ) -> None:
        """One instant, and what the ground did until the next."""
        self.poses.append(instant.state.pose)
        self.forces.append(np.concatenate([foot.forces for foot in next_state.foot_loads]))
        self.pushes.append(push[0])
        self.push_points.append(push[1])
        self.planned_com.append(instant.planned_com)
        self.goals.append(goal)
        self.uncontrolled.append(not instant.is_controlled)
        self.planned_stance.append(
            np.isin(np.arange(len(next_state.foot_loads)), instant.stance_legs)
        )

    def forget(self, keep_count: int) -> None:
        """Leave only so many of the last instants."""
        drop_count = len(self.poses) - keep_count
        if drop_count <= 0:
            return
        self._contact_detector.forget(np.array(self.forces)[..., 2], self.dropped_count, drop_count)
        for series in (
            self.poses,
            self.forces,
            self.pushes,
            self.push_points,
            self.planned_com,
            self.goals,
            self.uncontrolled,
            self.planned_stance,
        ):
            del series[:drop_count]
        self.dropped_count += drop_count

    def make_motion(
        self, task: Task, frames: int, begin: int, clip_start: int, report: Report
    ) -> Motion:
        """From instant `begin` on; forces are means about each frame.

        Args:
            clip_start: instant from which the times of footsteps count.
        """
        character = self.body.character
        simulated = self.body.model
        model = self.model
        sole_locator = self.sole_locator
        # with two frames before those asked for
        frame_instants = (
            begin - self.dropped_count + self.instants_per_frame * np.arange(-2, frames)
        )
        clip_instants = frame_instants[2:]
        sampled_poses = np.array(self.poses)[np.maximum(frame_instants, 0)]
        corners, middles, toes = sole_locator.locate(sampled_poses)
        heights = corners[..., 2] - task.ground.sample_heights(corners[..., :2])
        speed = self._compute_sliding_speed(frame_instants, corners)
        contact_forces = compute_frame_forces(
            np.array(self.forces),
            np.array(self.planned_stance),
            frame_instants,
            instants_per_frame=self.instants_per_frame,
            height=heights,
            speed=speed,
            soles=simulated.soles,
            weight=self.body.weight,
        )
        poses = sampled_poses[2:]
        corners = corners[2:]
        middles = middles[2:]
        toes = toes[2:]
        placed = model.compute_link_poses(poses[:, simulated.coordinates])
        pushes = average_over_frames(np.array(self.pushes), clip_instants, self.instants_per_frame)
        push_size = np.linalg.norm(self.pushes, axis=1, keepdims=True)
        push_point = average_over_frames(
            push_size * np.array(self.push_points), clip_instants, self.instants_per_frame
        ) / np.maximum(average_over_frames(push_size, clip_instants, self.instants_per_frame), 1e-9)
        contacts = []
        first_column = 0
        for leg, (limb, foot, sole) in enumerate(
            zip(character.legs, character.feet, simulated.soles, strict=True)
        ):
            columns = slice(first_column, first_column + len(sole))
            first_column += len(sole)
            link = character.links[foot.link].name
            points = (*SOLE_POINT_NAMES, *(point.name for point in sole))
            contacts.append(
                LimbContacts(
                    limb.name,
                    tuple(f"{link}/{point}" for point in points),
                    position=np.concatenate([middles[:, leg], corners[:, columns]], 1),
                    active=np.concatenate(
                        [np.zeros((frames, 3), bool), contact_forces.resting[:, columns]], 1
                    ),
                    force=np.concatenate(
                        [np.zeros((frames, 3, 3)), contact_forces.forces[:, columns]], 1
                    ),
                )
            )
        series = FrameSeries(
            placed,
            contacts,
            PushSeries(pushes, push_point, np.zeros((frames, 3))),
            planned_com=np.array(self.planned_com)[clip_instants],
            goal_velocity=np.array(self.goals)[clip_instants],
            reference_rotation=placed.rotation,  # There is no style to compare the body with.
            toe_orientation=so3.quat_unwrap(so3.quat_from_matrix(toes)),
            relaxed=np.array(self.uncontrolled)[clip_instants],
        )
        return MotionBuilder(task, model).build(series, self._find_footsteps(clip_start), report)

    def _compute_sliding_speed(self, instants: NDArray[np.int64], corners: Array) -> Array:
        """Of the soles' corners along the ground, from the instant before each on, (n, points) m/s;
        corners (n, points, 3).
        """
        before, _, _ = self.sole_locator.locate(np.array(self.poses)[np.maximum(instants - 1, 0)])
        return np.asarray(np.linalg.norm((corners - before)[..., :2], axis=-1) / self.dt)

    def _find_footsteps(self, clip_start: int) -> tuple[Footstep, ...]:
        """Every contact of a foot that lasts."""
        out = []
        for contact in self._contact_detector.find_contacts(
            np.array(self.forces)[..., 2], self.dropped_count
        ):
            place, rotation = self.sole_locator.locate_foot(
                self.poses[contact.middle - self.dropped_count], contact.leg
            )
            strike, flat, heel_off, lift = ((t - clip_start) * self.dt for t in contact.instants)
            if lift > 0:
                out.append(
                    Footstep(
                        contact.leg,
                        strike,
                        flat,
                        heel_off=heel_off,
                        lift=lift,
                        position=place,
                        rotation=rotation,
                    )
                )
        return tuple(sorted(out, key=lambda f: f.strike))
