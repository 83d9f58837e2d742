"""Convert poses, plan and targets of the centroidal engine to a motion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import LinkPoses
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.targets import BodyTargets
from ...fullbody.toes import place_sole
from ...geometry import so3
from ...motion import Footstep, Motion, Report
from ...motion.violations import ConstraintViolation, find_violations, merge_violations
from ...plan.external import ExternalForce
from ...plan.result import PlanSample
from ...sketch.course.course import Course
from ...sketch.sketch import Sketch
from ..shared.motion_builder import (
    SOLE_POINT_NAMES,
    FrameSeries,
    LimbContacts,
    MotionBuilder,
    PushSeries,
)

Array = NDArray[np.float64]

# Smallest difference between planned and actual center of mass that is a violation [m]: contacts
# and center of mass are exact to micrometers where legs reach
MAX_COM_ERROR = 0.01


class SampledPlan(Protocol):
    """What a recorder needs of a plan, or of a prediction that takes its place."""

    @property
    def footsteps(self) -> tuple[Footstep, ...]:
        """Footsteps where the body makes them."""
        ...

    @property
    def weight(self) -> float:
        """Weight of the body [N]."""
        ...

    @property
    def violations(self) -> tuple[ConstraintViolation, ...]:
        """Spans in which a constraint was relaxed."""
        ...

    def sample(self, times: Array) -> PlanSample:
        """Return the plan at increasing times (n,) [s]."""
        ...

    def average_forces(self, sample: PlanSample, frame_time: float) -> Array:
        """Return the mean force of each point about each frame of a sample [N]."""
        ...


@dataclass(frozen=True)
class SolvedFrames:
    """Result of the third level for n frames.

    Args:
        plan: plan that the body follows.
        targets: targets of the full body.
        poses: solved poses, shape (n, nq).
        reference_rotation: rotations of the links in the reference of the targets, shape
            (n, l, 3, 3); None to compute them.
    """

    plan: SampledPlan
    targets: BodyTargets
    poses: Array
    reference_rotation: Array | None = None


@dataclass(frozen=True)
class CentroidalRecorder:
    """Recorder of motions of one body that follow one sketch.

    Args:
        builder: builder of motions of the body.
        sketch: sketch whose course states the requested velocity.
        external_forces: pushes on the body.
    """

    builder: MotionBuilder
    sketch: Sketch
    external_forces: tuple[ExternalForce, ...] = ()

    def record(self, frames: SolvedFrames, report: Report) -> Motion:
        """Return the motion of the given frames."""
        model = self.builder.model
        legs = len(model.character.legs)
        plan = frames.plan
        times = frames.targets.time
        placed = model.compute_link_poses(frames.poses)
        reference = frames.reference_rotation
        if reference is None:
            reference = model.compute_link_poses(frames.targets.reference).rotation
        sample = plan.sample(times)
        force = plan.average_forces(sample, 1 / self.builder.task.fps)
        feet = [
            self._find_foot_contacts(leg, frames.targets.feet[leg], placed, force[:, leg])
            for leg in range(legs)
        ]
        hands = self._find_hand_contacts(frames.targets, placed, force[:, legs:, 0])
        violations = _find_all_violations(plan, times, placed.com - sample.com)
        series = FrameSeries(
            placed,
            (*(foot.contacts for foot in feet), *hands),
            _sum_pushes(times, self.external_forces, placed.com, plan.weight),
            planned_com=sample.com,
            goal_velocity=_sample_goal_velocity(self.sketch.course, times),
            reference_rotation=reference,
            toe_orientation=np.stack([foot.toe_orientation for foot in feet], 1),
            relaxed=_mark_violations(violations, times),
        )
        return self.builder.build(series, plan.footsteps, replace(report, violations=violations))

    def _find_foot_contacts(
        self, leg: int, path: FootPath, placed: LinkPoses, planned_force: Array
    ) -> _FootContacts:
        """Return where one foot touches the ground: heel, ball and tip of a sole, or one point.

        Args:
            planned_force: force at heel and ball [N], shape (n, 2, 3).
        """
        foot = self.builder.model.character.feet[leg]
        origin = placed.origin[:, foot.link]
        rotation = placed.rotation[:, foot.link]
        ball_down = (path.support == FootSupport.FLAT) | (path.support == FootSupport.BALL)
        if foot.is_point:
            place = (
                origin + rotation @ foot.sphere_center - foot.radius * path.rest_rotation[..., 2]
            )
            force = planned_force[:, 1:]
            return self._make_foot_contacts(
                leg, ("point",), place[:, None], ball_down[:, None], force, rotation
            )
        sole = place_sole(foot, path, origin, rotation=rotation, ground=self.builder.task.ground)
        heel_down = (path.support == FootSupport.HEEL) | (path.support == FootSupport.FLAT)
        active = np.stack([heel_down, ball_down, np.zeros(len(origin), bool)], 1)
        force = np.concatenate([planned_force, np.zeros((len(origin), 1, 3))], 1)
        return self._make_foot_contacts(
            leg, SOLE_POINT_NAMES, sole.points, active, force, sole.toes
        )

    def _make_foot_contacts(
        self,
        leg: int,
        points: tuple[str, ...],
        position: Array,
        active: NDArray[np.bool_],
        force: Array,
        toe_rotation: Array,
    ) -> _FootContacts:
        character = self.builder.model.character
        link = character.links[character.feet[leg].link].name
        return _FootContacts(
            LimbContacts(
                character.legs[leg].name,
                tuple(f"{link}/{point}" for point in points),
                position=position,
                active=active,
                force=_give_to_resting_points(force, active),
            ),
            so3.quat_unwrap(so3.quat_from_matrix(toe_rotation)),
        )

    def _find_hand_contacts(
        self, targets: BodyTargets, placed: LinkPoses, force: Array
    ) -> tuple[LimbContacts, ...]:
        """Return the grips of a body that holds bars; empty for other bodies.

        Args:
            force: force at each grip [N], shape (n, h, 3).
        """
        if not targets.hands:
            return ()
        character = self.builder.model.character
        out = []
        for k, (limb, hand) in enumerate(
            zip(character.grasping_arms, character.hands, strict=True)
        ):
            place = placed.origin[:, hand.link] + placed.rotation[:, hand.link] @ hand.grip
            active = targets.hands[k].is_holding
            out.append(
                LimbContacts(
                    limb.name,
                    (limb.name.replace("arm", "hand", 1) + "/grip",),
                    position=place[:, None],
                    active=active[:, None],
                    force=(force[:, k] * active[:, None])[:, None],
                )
            )
        return tuple(out)


@dataclass(frozen=True)
class _FootContacts:
    """Contact points of a foot and the orientation of its toes, shape (n, 4)."""

    contacts: LimbContacts
    toe_orientation: Array


def _sample_goal_velocity(course: Course, times: Array) -> Array:
    """Return the horizontal velocity that the course requests [m/s], shape (n, 3)."""
    goal = np.zeros((len(times), 3))
    goal[:, :2] = np.stack(
        [np.interp(times, course.time, course.target_velocity[:, k]) for k in range(2)], -1
    )
    return goal


def _find_all_violations(
    plan: SampledPlan, times: Array, com_error: Array
) -> tuple[ConstraintViolation, ...]:
    """Return the violations of the plan, and spans in which the body does not follow the plan.

    Args:
        com_error: actual minus planned center of mass [m], shape (n, 3).
    """
    is_off_plan = np.linalg.norm(com_error, axis=1) > MAX_COM_ERROR
    return merge_violations(
        [
            *(violation for violation in plan.violations if violation.begin < times[-1]),
            *find_violations(times, is_off_plan, "miss"),
        ]
    )


def _mark_violations(
    violations: tuple[ConstraintViolation, ...], times: Array
) -> NDArray[np.bool_]:
    """Return whether each frame lies within a violation, shape (n,)."""
    marks = np.zeros(len(times), bool)
    for violation in violations:
        marks |= (times >= violation.begin) & (times <= violation.end)
    return marks


def _give_to_resting_points(force: Array, active: NDArray[np.bool_]) -> Array:
    """Return mean forces of a foot on those of its points that rest on the ground, (n, p, 3) [N].

    The mean about a frame includes the force of a point that has just risen, or is about to land.
    The points of the same foot that rest carry it.

    Args:
        force: mean forces [N], shape (n, p, 3).
        active: whether a point rests, shape (n, p).
    """
    others = np.where(active[..., None], 0.0, force).sum(1, keepdims=True)
    share = active / np.maximum(active.sum(1, keepdims=True), 1)
    return np.where(active[..., None], force, 0.0) + share[..., None] * others


def _sum_pushes(
    times: Array, external_forces: tuple[ExternalForce, ...], com: Array, weight: float
) -> PushSeries:
    """Return the resultant of the external forces.

    The point of action is the one closest to the center of mass where the force alone has the
    same moment; the rest of the moment, parallel to the force, is stated separately. Where only
    moments act, the point is that at which they act on the body.
    """
    force, torque, moment, place = (np.zeros((len(times), 3)) for _ in range(4))
    for external_force in external_forces:
        acting = external_force.force_at(times)
        turning = external_force.moment_at(times)
        force += weight * acting
        torque += weight * np.cross(external_force.arm(times), acting)
        moment += weight * turning
        place = np.where(turning.any(1, keepdims=True), com + external_force.arm(times), place)
    size = (force**2).sum(1, keepdims=True)
    has_force = size > 1e-6
    point = np.where(has_force, com + np.cross(force, torque) / np.maximum(size, 1e-6), place)
    # Forces on skew lines have no single line of action: part of their moment remains.
    moment += torque - np.where(has_force, np.cross(point - com, force), 0.0)
    return PushSeries.without_rounding(force, point, moment)
