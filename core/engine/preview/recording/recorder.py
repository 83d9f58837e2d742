"""Recorder of a simulated body, which writes it as a motion."""

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
from ..disturbances.pushes import AppliedForce
from ..instant import Instant
from .contact_forces import (
    ContactPointMotion,
    FrameForces,
    FrameInstants,
    SoleHistory,
    average_over_frames,
    compute_frame_forces,
)
from .contacts import ContactDetector, SoleContact
from .sole_points import SoleLocator, SolePoints

Array = NDArray[np.float64]


@dataclass
class Recorder:
    """Record of each instant of a simulation.

    Attributes:
        body: recorded body.
        instants_per_frame: instants from one frame to the next.
        dt: time between instants [s].
        poses: (nq,) pose at each instant.
        forces: (points, 3) mean forces on the contact points until the next instant [N].
        pushes: (3,) total external force [N].
        push_points: (3,) point at which it acts [m].
        planned_com: (3,) planned center of mass [m].
        goals: (3,) velocity of the goal [m/s].
        uncontrolled: whether the controller's program was infeasible.
        planned_stance: (legs,) whether the feet were planned to stand.
        dropped_count: number of first instants that were dropped.
    """

    body: SimulatedBody
    instants_per_frame: int
    dt: float
    poses: list[Array] = field(default_factory=list)
    forces: list[Array] = field(default_factory=list)
    pushes: list[Array] = field(default_factory=list)
    push_points: list[Array] = field(default_factory=list)
    planned_com: list[Array] = field(default_factory=list)
    goals: list[Array] = field(default_factory=list)
    uncontrolled: list[bool] = field(default_factory=list)
    planned_stance: list[NDArray[np.bool_]] = field(default_factory=list)
    dropped_count: int = 0

    def __post_init__(self) -> None:
        self.model = KinematicModel(self.body.character)
        self.sole_locator = SoleLocator(self.body.model)
        self._contact_detector = ContactDetector(self.body.model.soles, self.dt, self.body.weight)

    @property
    def instant_count(self) -> int:
        """Number of recorded instants, with those that were dropped."""
        return self.dropped_count + len(self.poses)

    def record(
        self, instant: Instant, next_state: PhysicsState, push: AppliedForce, goal: Array
    ) -> None:
        """Append one instant.

        Args:
            next_state: state of the physics after it, with the ground's forces until then.
            push: total external force.
            goal: (3,) velocity of the goal [m/s].
        """
        self.poses.append(instant.state.pose)
        self.forces.append(np.concatenate([foot.forces for foot in next_state.foot_loads]))
        self.pushes.append(push.force)
        self.push_points.append(push.point)
        self.planned_com.append(instant.planned_com)
        self.goals.append(goal)
        self.uncontrolled.append(not instant.is_controlled)
        legs = range(len(next_state.foot_loads))
        self.planned_stance.append(np.array([leg in instant.stance_legs for leg in legs]))

    def forget(self, keep_count: int) -> None:
        """Drop all but the last `keep_count` instants."""
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
        """Return a motion of recorded instants.

        Args:
            frames: number of frames.
            begin: instant of the first frame.
            clip_start: instant at which the time of footsteps is zero.
        """
        frame_instants = FrameInstants(
            begin - self.dropped_count + self.instants_per_frame * np.arange(-2, frames),
            self.instants_per_frame,
        )
        clip_instants = frame_instants.instants[2:]
        poses = np.array(self.poses)[np.maximum(frame_instants.instants, 0)]
        soles = self.sole_locator.locate(poses)
        forces = self._compute_forces(task, frame_instants, soles)
        placed = self.model.compute_link_poses(poses[2:][:, self.body.model.coordinates])
        series = FrameSeries(
            placed,
            self._arrange_contacts(soles.select(slice(2, None)), forces),
            self._average_pushes(clip_instants),
            planned_com=np.array(self.planned_com)[clip_instants],
            goal_velocity=np.array(self.goals)[clip_instants],
            reference_rotation=placed.rotation,  # There is no style to compare the body with.
            toe_orientation=so3.quat_unwrap(so3.quat_from_matrix(soles.toe_rotations[2:])),
            relaxed=np.array(self.uncontrolled)[clip_instants],
        )
        footsteps = self._find_footsteps(clip_start)
        return MotionBuilder(task, self.model).build(series, footsteps, report)

    def _compute_forces(
        self, task: Task, frame_instants: FrameInstants, soles: SolePoints
    ) -> FrameForces:
        """Return the forces on the contact points in n frames.

        Args:
            soles: soles at these frames and at two frames before them.
        """
        corners = soles.corners
        return compute_frame_forces(
            SoleHistory(np.array(self.forces), np.array(self.planned_stance)),
            frame_instants,
            ContactPointMotion(
                corners[..., 2] - task.ground.sample_heights(corners[..., :2]),
                self._compute_sliding_speed(frame_instants.instants, corners),
            ),
            soles=self.body.model.soles,
            weight=self.body.weight,
        )

    def _arrange_contacts(self, soles: SolePoints, forces: FrameForces) -> list[LimbContacts]:
        """Return the middle points and the contact points of each foot.

        The middle points of heel, ball and tip never rest: they have no contact in the simulation.
        """
        character = self.body.character
        frames = len(soles.corners)
        contacts = []
        first_column = 0
        for leg, (limb, foot, sole) in enumerate(
            zip(character.legs, character.feet, self.body.model.soles, strict=True)
        ):
            columns = slice(first_column, first_column + len(sole))
            first_column += len(sole)
            link = character.links[foot.link].name
            points = (*SOLE_POINT_NAMES, *(point.name for point in sole))
            contacts.append(
                LimbContacts(
                    limb.name,
                    tuple(f"{link}/{point}" for point in points),
                    position=np.concatenate([soles.middles[:, leg], soles.corners[:, columns]], 1),
                    active=np.concatenate(
                        [np.zeros((frames, 3), bool), forces.resting[:, columns]], 1
                    ),
                    force=np.concatenate([np.zeros((frames, 3, 3)), forces.forces[:, columns]], 1),
                )
            )
        return contacts

    def _average_pushes(self, clip_instants: NDArray[np.int64]) -> PushSeries:
        """Return the mean external force about each frame and the mean of its points.

        Points are weighted by the size of the force.
        """

        def average(values: Array) -> Array:
            return average_over_frames(values, clip_instants, self.instants_per_frame)

        size = np.linalg.norm(self.pushes, axis=1, keepdims=True)
        point = average(size * np.array(self.push_points)) / np.maximum(average(size), 1e-9)
        force = average(np.array(self.pushes))
        return PushSeries(force, point, np.zeros_like(force))

    def _compute_sliding_speed(self, instants: NDArray[np.int64], corners: Array) -> Array:
        """Return the horizontal speed of contact points since the instant before, (n, points).

        Args:
            instants: (n,) instants.
            corners: (n, points, 3) contact points at these instants [m].
        """
        before = self.sole_locator.locate(np.array(self.poses)[np.maximum(instants - 1, 0)]).corners
        return np.asarray(np.linalg.norm((corners - before)[..., :2], axis=-1) / self.dt)

    def _find_footsteps(self, clip_start: int) -> tuple[Footstep, ...]:
        """Return the footsteps that end after the beginning of the clip, in order of their strikes.

        Args:
            clip_start: instant at which the time of footsteps is zero.
        """
        contacts = self._contact_detector.find_contacts(
            np.array(self.forces)[..., 2], self.dropped_count
        )
        footsteps = [
            self._make_footstep(contact, clip_start)
            for contact in contacts
            if contact.lift > clip_start
        ]
        return tuple(sorted(footsteps, key=lambda footstep: footstep.strike))

    def _make_footstep(self, contact: SoleContact, clip_start: int) -> Footstep:
        placement = self.sole_locator.locate_foot(
            self.poses[contact.middle - self.dropped_count], contact.leg
        )
        return Footstep(
            contact.leg,
            (contact.strike - clip_start) * self.dt,
            (contact.flat - clip_start) * self.dt,
            heel_off=(contact.heel_off - clip_start) * self.dt,
            lift=(contact.lift - clip_start) * self.dt,
            position=placement.center,
            rotation=placement.rotation,
        )
