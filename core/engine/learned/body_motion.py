"""Turn a prediction into a motion: contacts made exact, and forces that explain it.

Source: Kwon et al. 2020, section 7.4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel, LinkPoses
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.targets import BodyTargets
from ...motion import Footstep
from ...motion.violations import ConstraintViolation
from ...plan.external import ExternalForce
from ...plan.result import PlanSample
from ...sketch.placement.shift_bounds import shift_footstep
from ...task import Task
from ..centroidal.body import PlannedBody
from ..centroidal.pipeline import FrameWindow, TrackedFrames
from ..centroidal.recording import SolvedFrames
from ..shared.contact_forces import (
    FRICTION_SHARE,
    MOMENTUM_SMOOTHING,
    ContactPoints,
    compute_load,
    distribute_forces,
)
from ..shared.disturbances import compute_external_forces
from .ballistics import BALLISTICS, Surroundings, obey_gravity
from .frame_solver import FrameSolver
from .gaits import PredictedGait
from .predict import Prediction
from .pushes import sum_forces, sum_torques
from .states import BodyStates

Array = NDArray[np.float64]
Pushes = tuple[ExternalForce, ...]


@dataclass(frozen=True)
class BodyMotionParameters:
    """How contacts are made exact.

    Args:
        swing_history: time before the first frame from which foot paths are computed [s], so that
            a swing that has begun before it is computed as a whole.
        com_margin: time around the frames for which the center of mass is computed [s], in which a
            change at its ends falls to an eighth (`BALLISTICS.place_rate`).
    """

    swing_history: float = 0.6
    com_margin: float = 0.25


BODY_MOTION = BodyMotionParameters()


@dataclass(frozen=True)
class PredictedPlan:
    """A prediction in place of a plan, at the times of its frames.

    Args:
        footsteps: footsteps where the body makes them.
        weight: weight of the body [N].
        frames: the plan in the frames.
        violations: spans in which a constraint was relaxed.
    """

    footsteps: tuple[Footstep, ...]
    weight: float
    frames: PlanSample
    violations: tuple[ConstraintViolation, ...] = ()

    def sample(self, times: Array) -> PlanSample:
        """Return the plan in the frames, whose times are given."""
        assert len(times) == len(self.frames.time)
        return self.frames

    def average_forces(self, sample: PlanSample, frame_time: float) -> Array:
        """Return the forces of a sample, which explain the accelerations at its frames."""
        return sample.force


@dataclass(frozen=True)
class PredictedMotion:
    """Motion with exact contacts, and forces.

    Args:
        plan: plan in the solved frames.
        frames: targets and poses.
        pushes: pushes on the body.
        states: predicted states at all times of the window.
        com_curve: center of mass over time.
        reference_rotation: rotations of the links in the predicted poses of the solved frames,
            shape (n, l, 3, 3).
    """

    plan: PredictedPlan
    frames: TrackedFrames
    pushes: Pushes
    states: BodyStates
    com_curve: CubicSpline
    reference_rotation: Array

    def get_first_frames(self, count: int) -> SolvedFrames:
        """Return the first `count` solved frames."""
        part = slice(count)
        plan = replace(self.plan, frames=self.plan.frames.select(part))
        return SolvedFrames(
            plan,
            self.frames.targets.slice_frames(0, count),
            self.frames.poses[part],
            self.reference_rotation[part],
        )


@dataclass(frozen=True)
class BodyMover:
    """Computation of exact contacts and forces of predictions.

    Args:
        task: task at human scale.
        planned_body: the body.
        gait: gait of the task, with its sketch.
        prediction: prediction of that sketch.
        solver: solver of the body with the weights of the gait.
    """

    task: Task
    planned_body: PlannedBody
    gait: PredictedGait
    prediction: Prediction
    solver: FrameSolver

    @property
    def _model(self) -> KinematicModel:
        return self.planned_body.model

    def solve(self, window: FrameWindow) -> PredictedMotion:
        """Return the motion in the frames of a window."""
        times = window.times
        states = self._sample_states(times)
        com_curve = self._make_com_curve(times)
        placed = self._place_poses(states, com_curve(times))
        targets = self._make_targets(states, times, placed)
        span = slice(window.first, window.end)
        solved_targets = targets.slice_frames(window.first, window.end)
        poses = self._solve_poses(targets, window)
        pushes = self._pushes(targets.time[span], poses)
        sample = PlanSample(
            times[span],
            solved_targets.com,
            com_curve(times[span], 1),
            rotation=states.rotation[span],
            momentum=np.zeros_like(solved_targets.com),
            force=self._compute_forces(
                solved_targets, poses, com_curve(times[span], 2), pushes=pushes
            ),
        )
        plan = PredictedPlan(self._footsteps, self._weight, sample)
        return PredictedMotion(
            plan,
            TrackedFrames(targets, solved_targets, poses),
            pushes,
            states=states,
            com_curve=com_curve,
            reference_rotation=placed.rotation[span],
        )

    def _sample_states(self, times: Array) -> BodyStates:
        """Return the predicted states at n times."""
        return self.prediction.sample_states(times)

    def _solve_poses(self, targets: BodyTargets, window: FrameWindow) -> Array:
        """Return poses near the predicted ones whose contacts are exact, shape (n, nq)."""
        past = self._past_poses
        begin = window.first - (0 if past is None else len(past))
        return self.solver.solve(targets.slice_frames(begin, window.end), past)

    @property
    def _past_poses(self) -> Array | None:
        """Poses of the frames before the first one that is solved; None at the begin of a clip."""
        return None

    @property
    def _weight(self) -> float:
        return self.planned_body.character.mass * self.task.gravity

    @cached_property
    def _footsteps(self) -> tuple[Footstep, ...]:
        """Footsteps of the sketch, where the prediction has the feet, and the ground bears them."""
        windows = self.prediction.windows
        begin = float(windows.begin[0])
        end = float(windows.begin[-1] + windows.duration[-1])
        footsteps = [s.footstep for s in self.prediction.curves.sketch.steps]
        rest_times = np.array(
            [
                0.5 * (max(f.flat, begin) + min(f.heel_off, end)) if f.lift > begin else begin
                for f in footsteps
            ]
        )
        order = np.argsort(rest_times, kind="stable")
        feet = np.empty((len(footsteps), len(self.planned_body.character.legs), 3))
        feet[order] = self.prediction.sample_states(rest_times[order]).feet
        ground = self.task.allowed_ground
        return tuple(
            f
            if f.pinned or self._is_placed(f) or f.strike >= end or f.lift <= begin
            else shift_footstep(
                ground, self.planned_body.character.feet[f.leg], f, feet[k, f.leg, :2]
            )
            for k, f in enumerate(footsteps)
        )

    def _is_placed(self, footstep: Footstep) -> bool:
        """Return whether a footstep was placed before."""
        return False

    def _make_com_curve(self, times: Array) -> CubicSpline:
        """Return the center of mass over time, which obeys gravity in flights."""
        begin = max(times[0] - BODY_MOTION.com_margin, 0.0)
        count = int(np.ceil((times[-1] + BODY_MOTION.com_margin - begin) / BALLISTICS.time_step))
        grid = begin + BALLISTICS.time_step * np.arange(count + 1)
        com = obey_gravity(
            self.prediction.sample_com(grid),
            grid,
            self._footsteps,
            Surroundings(self._friction, self.task.gravity, sum_forces(self._pushes(), grid)),
        )
        return CubicSpline(grid, com)

    def _build_foot_paths(
        self, placed: LinkPoses, times: Array, rotation: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet at n times."""
        return self.gait.build_foot_paths(self._footsteps, placed, times, rotation)

    def _pushes(self, times: Array | None = None, poses: Array | None = None) -> Pushes:
        """Return the pushes, with their lever arms in poses; by default in the neutral one."""
        return compute_external_forces(
            self.task,
            self._model,
            lambda moments: np.tile(np.eye(3), (len(moments), 1, 1)),
            times=times,
            poses=poses,
        )

    @property
    def _friction(self) -> float:
        return FRICTION_SHARE * self.task.friction

    def _place_poses(self, states: BodyStates, com: Array) -> LinkPoses:
        """Return the links in predicted poses with other centers of mass (n, 3) [m]."""
        placed = self._model.compute_link_poses(states.poses)
        shift = com - placed.com
        return replace(placed, origin=placed.origin + shift[:, None], com=com)

    def _make_targets(self, states: BodyStates, times: Array, placed: LinkPoses) -> BodyTargets:
        """Return targets of the full body: the predicted poses, and feet on their footsteps.

        Args:
            states: predicted states.
            times: times of the states [s], shape (n,).
            placed: links in the predicted poses, where the body is to be.
        """
        poses = states.poses.copy()
        poses[:, :3] = placed.origin[:, 0]
        feet = self._build_foot_paths(placed, times, states.rotation)
        return BodyTargets(times, placed.com, np.zeros_like(placed.com), poses, feet)

    def _compute_forces(
        self, targets: BodyTargets, poses: Array, acceleration: Array, pushes: Pushes
    ) -> Array:
        """Return the forces at heel and ball of each foot [N], shape (n, limbs, 2, 3)."""
        gravity = self.task.gravity
        legs = len(targets.feet)
        n = len(poses)
        points = ContactPoints(
            np.concatenate(
                [
                    np.stack([path.heel, _locate_ball(foot, path)], 1) - targets.com[:, None]
                    for foot, path in zip(
                        self.planned_body.character.feet, targets.feet, strict=True
                    )
                ],
                1,
            ),
            self._compute_loads(targets),
        )
        forces = distribute_forces(
            points,
            acceleration / gravity + [0.0, 0.0, 1.0] - sum_forces(pushes, targets.time),
            self._compute_moment(targets, poses) / self._weight - sum_torques(pushes, targets.time),
            self._friction,
        )
        out = np.zeros((n, self.planned_body.limb_count, 2, 3))
        out[:, :legs] = self._weight * forces.reshape(n, legs, 2, 3)
        return out

    def _compute_loads(self, targets: BodyTargets) -> Array:
        """Return how much heel and ball of each foot can bear, shape (n, 2 legs)."""
        times = targets.time
        load = np.zeros((len(times), len(targets.feet), 2))
        for f in self._footsteps:
            if f.lift < times[0] or f.strike > times[-1]:
                continue
            for point, span in enumerate((f.heel_span, f.ball_span)):
                load[:, f.leg, point] = np.maximum(
                    load[:, f.leg, point], compute_load(times, span.begin, span.end)
                )
        for leg, path in enumerate(targets.feet):
            load[:, leg, 0] *= _is_heel_down(path)
            load[:, leg, 1] *= _is_ball_down(path)
        return load.reshape(len(times), -1)

    def _compute_moment(self, targets: BodyTargets, poses: Array) -> Array:
        """Return the rate of the angular momentum of poses [N m], shape (n, 3)."""
        dt = targets.time[1] - targets.time[0]
        maps = self._model.compute_centroidal_dynamics(poses).angular_map
        velocity = self._model.difference(poses[:-1], poses[1:]) / dt
        momentum = (0.5 * (maps[1:] + maps[:-1]) @ velocity[..., None])[..., 0]
        momentum = gaussian_filter1d(momentum, MOMENTUM_SMOOTHING / dt, axis=0, mode="nearest")
        rate = np.diff(momentum, axis=0) / dt
        return np.concatenate([rate[:1], rate, rate[-1:]])


def _locate_ball(foot: Foot, path: FootPath) -> Array:
    """Return the places at which the ball, or a point foot, bears its load [m], shape (n, 3)."""
    return path.pivot - foot.radius * path.rest_rotation[..., 2]


def _is_heel_down(path: FootPath) -> NDArray[np.bool_]:
    return np.asarray((path.support == FootSupport.FLAT) | (path.support == FootSupport.HEEL))


def _is_ball_down(path: FootPath) -> NDArray[np.bool_]:
    return np.asarray((path.support == FootSupport.FLAT) | (path.support == FootSupport.BALL))
