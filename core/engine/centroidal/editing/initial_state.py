"""A motion as it was around a stretch that is solved again:
what a plan and a full body go on from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.kinematic_model import KinematicModel
from ....character.pose_from_links import poses_from_links
from ....clip.pose.key_pose import KeyPosePassage
from ....geometry import so3
from ....motion import Footstep, Motion
from ....plan.body import ForceCurve, PlanState
from ....plan.horizon import CentroidalState
from ....plan.warm_start import FORCE_CURVE_SAMPLES
from ....sketch.sketch import Sketch
from ....task import Task
from ...shared.scaling import Scale
from ..body import PlannedBody
from ..modes.walking import make_style_poses
from ..run_up import RunUp

Array = NDArray[np.float64]

SETTLING_TIME = 1.0  # s before the stretch from which on it is planned
HISTORY_TIME = 0.2  # s before that, in which it is seen how the body moves
SOLVED_TAIL_TIME = 0.4  # s after the stretch to which the body is solved
SWING_LOOKAHEAD_TIME = 0.7  # s after that to which it is planned, for swings that have begun
CONTACT_TOLERANCE = 1e-3  # s, m and rad by which contacts that are one may differ


@dataclass(frozen=True)
class SolveWindow:
    """What is planned and solved, s and frames of the task with its run-up."""

    plan_start: float  # from where the plan goes
    first_frame: int  # the first frame that is solved
    end_frame: int  # one more than the last one
    plan_end: float  # to where the plan goes

    @staticmethod
    def from_stretch(task: Task, run_up: RunUp, begin: float, end: float) -> SolveWindow:
        """For a stretch of the clip, s at human scale."""
        first_frame = int(begin * task.fps) + 1 + run_up.frames
        end_frame = min(int((end + SOLVED_TAIL_TIME) * task.fps) + run_up.frames, task.frames)
        return SolveWindow(
            (first_frame - int(SETTLING_TIME * task.fps)) / task.fps,
            first_frame,
            end_frame,
            end_frame / task.fps + SWING_LOOKAHEAD_TIME,
        )


@dataclass(frozen=True)
class MotionHistory:
    """Frames of a motion as it was, at human scale and with the times of a task with its run-up."""

    planned_body: PlannedBody
    times: Array  # (n,)
    poses: Array  # (n, nq)
    com: Array  # (n, 3) planned
    reference_rotation: Array  # (n, 3, 3) of the pelvis
    force: Array  # (n, limbs, 2, 3) body weights, at heel and ball
    footsteps: tuple[Footstep, ...]

    @staticmethod
    def from_motion(
        planned_body: PlannedBody,
        motion: Motion,
        scale: Scale,
        run_up: RunUp,
        fps: float,
        window: SolveWindow,
    ) -> MotionHistory:
        """Read the frames of a motion of this body that a span goes by."""
        length_scale = scale.length
        time_scale = scale.time
        model = planned_body.model
        legs = len(planned_body.character.legs)
        times = (np.arange(motion.frames) + run_up.frames) / fps
        selected = (times >= window.plan_start - HISTORY_TIME) & (times <= window.plan_end)
        poses = poses_from_links(
            model,
            motion.link_origin[selected, 0] / length_scale,
            so3.quat_to_matrix(motion.link_orientation[selected]),
        )
        force = motion.contact_force[selected].reshape(int(selected.sum()), -1, 3, 3)[:, :legs, :2]
        weight = planned_body.character.mass * float(np.linalg.norm(motion.gravity))
        footsteps = tuple(
            replace(
                f,
                strike=f.strike / time_scale + run_up.seconds,
                flat=f.flat / time_scale + run_up.seconds,
                heel_off=f.heel_off / time_scale + run_up.seconds,
                lift=f.lift / time_scale + run_up.seconds,
                position=f.position / length_scale,
            )
            for f in motion.footsteps
        )
        return MotionHistory(
            planned_body,
            times[selected],
            poses,
            com=motion.planned_com[selected] / length_scale,
            reference_rotation=so3.quat_to_matrix(motion.reference_orientation[selected, 0]),
            force=force / weight,
            footsteps=footsteps,
        )

    def with_exact_contacts(self, sketch: Sketch) -> Sketch:
        """A sketch whose kept footsteps are those of the motion, where they are the same."""
        out = []
        for s in sketch.steps:
            match = next(
                (
                    f
                    for f in self.footsteps
                    if s.footstep.pinned
                    and s.has_fixed_times
                    and f.leg == s.footstep.leg
                    and abs(f.time - s.footstep.time) < CONTACT_TOLERANCE
                    and abs(f.yaw - s.footstep.yaw) < CONTACT_TOLERANCE
                    and np.abs(f.position[:2] - s.footstep.position[:2]).max() < CONTACT_TOLERANCE
                ),
                None,
            )
            out.append(s if match is None else replace(s, footstep=replace(match, pinned=True)))
        return replace(sketch, steps=tuple(out))

    def compute_plan_rotation(
        self, task: Task, sketch: Sketch, passages: Sequence[KeyPosePassage]
    ) -> Array:
        """How the plan had the body turned: what its reference was turned by,
        against the style's pose. (n, 3, 3).
        """
        pose = make_style_poses(
            self.planned_body.model,
            sketch,
            tuple(s.footstep for s in sketch.steps),
            style=self.planned_body.style,
            times=self.times,
            hurdles=task.hurdles,
            passages=passages,
        )
        return self.reference_rotation @ np.swapaxes(so3.quat_to_matrix(pose[:, 3:7]), 1, 2)

    def make_initial_state(
        self, start: float, sketch: Sketch, rotation: Array, weight: float
    ) -> PlanState:
        """The body at one of the frames, as a plan takes it over."""
        k = int(np.argmin(np.abs(self.times - start)))
        com_curve = CubicSpline(self.times, self.com)
        nearby = slice(max(k - 2, 0), k + 3)
        momentum = _make_momentum_curve(
            self.planned_body.model, self.poses[nearby], self.times[nearby]
        )
        state = CentroidalState(
            self.com[k], com_curve(self.times[k], 1), rotation[k], momentum(self.times[k]) / weight
        )
        forces = {}
        for step_index, f in enumerate(s.footstep for s in sketch.steps):
            if not f.strike < start < f.lift:
                continue
            for point, end in ((0, f.heel_off), (1, f.lift)):
                if start < end:
                    moments = np.linspace(start, end, FORCE_CURVE_SAMPLES)
                    values = [
                        np.interp(moments, self.times, self.force[:, f.leg, point, axis])
                        for axis in range(3)
                    ]
                    forces[step_index, point] = ForceCurve(moments, np.stack(values, -1))
        return PlanState(start, state, forces)


def _make_momentum_curve(model: KinematicModel, poses: Array, times: Array) -> CubicSpline:
    """Angular momentum over time, kg m^2/s."""
    maps = model.compute_centroidal_dynamics(poses).angular_map
    velocity = model.difference(poses[:-1], poses[1:]) / np.diff(times)[:, None]
    return CubicSpline(
        0.5 * (times[1:] + times[:-1]), (0.5 * (maps[1:] + maps[:-1]) @ velocity[..., None])[..., 0]
    )
