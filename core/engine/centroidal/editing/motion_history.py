"""State of an existing motion around a window that is solved again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.kinematic_model import KinematicModel
from ....character.pose_from_links import poses_from_links
from ....geometry import so3
from ....motion import Footstep, Motion
from ....plan.body import ForceCurve, PlanState
from ....plan.forces import PointKey
from ....plan.horizon import CentroidalState
from ....plan.warm_start import FORCE_CURVE_SAMPLES
from ....sketch.footsteps.timing import PlannedStep
from ....sketch.sketch import Sketch
from ....task import Task
from ...shared.scaling import Scale
from ..body import PlannedBody
from ..modes.walk_targets import WalkPoser
from ..passes import PASSES
from ..pipeline import FrameWindow
from ..run_up import RunUp
from .stretch import Stretch

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MotionWindowParameters:
    """Times of a window of an existing motion that is solved again.

    Half or twice of `settling_time` moves an edited stretch by 1 to 2 cm, of `solved_tail_time` by
    4 mm, and of `history_time` by 0.02 mm.
    """

    # Time before the first solved frame from which on the window is planned [s], two steps, in
    # which the plan meets the motion
    settling_time: float = 1.0
    # Time before the plan in which the motion of the body is measured [s]; frames of several
    # hundredths of a second give its velocity
    history_time: float = 0.2
    # Time after the stretch to which the body is solved [s], so that its end does not depend on
    # where the solution ends
    solved_tail_time: float = 0.4


WINDOW = MotionWindowParameters()
# Largest difference of contacts that are the same [s], [m] and [rad]: above the rounding of files
# and of solvers, below any edit
CONTACT_TOLERANCE = 1e-3


@dataclass(frozen=True)
class EditWindow:
    """What is planned and solved, in the times and frames of the task with its run-up.

    Args:
        plan_start: begin of the plan [s].
        first_frame: first solved frame.
        end_frame: one more than the last solved frame.
        fps: frame rate [Hz].
    """

    plan_start: float
    first_frame: int
    end_frame: int
    fps: float

    @staticmethod
    def from_stretch(task: Task, run_up: RunUp, stretch: Stretch) -> EditWindow:
        """Return the window of a stretch of the clip, at human scale."""
        first_frame = int(stretch.begin * task.fps) + 1 + run_up.frames
        tail_frame = int((stretch.end + WINDOW.solved_tail_time) * task.fps) + run_up.frames
        return EditWindow(
            (first_frame - int(WINDOW.settling_time * task.fps)) / task.fps,
            first_frame,
            min(tail_frame, task.frames),
            task.fps,
        )

    @property
    def plan_end(self) -> float:
        """End of the plan [s]."""
        return self.end_frame / self.fps + PASSES.swing_lookahead

    @property
    def frames(self) -> FrameWindow:
        """Frames to solve; targets begin with the plan."""
        begin = int(round(self.plan_start * self.fps))
        end = self.end_frame + int(PASSES.swing_lookahead * self.fps)
        return FrameWindow(
            np.arange(begin, end) / self.fps, self.first_frame - begin, self.end_frame - begin
        )


@dataclass(frozen=True)
class MotionHistory:
    """Frames of an existing motion, at human scale and in the times of a task with its run-up.

    Args:
        planned_body: the body.
        times: n times [s].
        poses: poses, shape (n, nq).
        com: planned center of mass [m], shape (n, 3).
        reference_rotation: rotation of the pelvis in the reference pose, shape (n, 3, 3).
        force: forces at heels and balls in body weights, shape (n, limbs, 2, 3).
        footsteps: all footsteps of the motion.
    """

    planned_body: PlannedBody
    times: Array
    poses: Array
    com: Array
    reference_rotation: Array
    force: Array
    footsteps: tuple[Footstep, ...]

    @staticmethod
    def from_motion(
        planned_body: PlannedBody, motion: Motion, scale: Scale, run_up: RunUp, window: EditWindow
    ) -> MotionHistory:
        """Return the frames of a motion of the body that matter to a window."""
        length_scale = scale.length
        time_scale = scale.time
        model = planned_body.model
        legs = len(planned_body.character.legs)
        times = (np.arange(motion.frames) + run_up.frames) / window.fps
        first = window.plan_start - WINDOW.history_time
        selected = (times >= first) & (times <= window.plan_end)
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
        """Return a sketch whose pinned footsteps are exactly those of the motion, where they
        agree within tolerance.
        """
        out = []
        for step in sketch.steps:
            match = self._find_same_footstep(step)
            out.append(step if match is None else replace(step, footstep=match))
        return replace(sketch, steps=tuple(out))

    def _find_same_footstep(self, step: PlannedStep) -> Footstep | None:
        """Return the footstep of the motion that a pinned step repeats, None if there is none."""
        planned = step.footstep
        if not (planned.pinned and step.has_fixed_times):
            return None
        for f in self.footsteps:
            if (
                f.leg == planned.leg
                and abs(f.time - planned.time) < CONTACT_TOLERANCE
                and abs(f.yaw - planned.yaw) < CONTACT_TOLERANCE
                and np.abs(f.position[:2] - planned.position[:2]).max() < CONTACT_TOLERANCE
            ):
                return replace(f, pinned=True)
        return None

    def compute_plan_rotation(self, poser: WalkPoser) -> Array:
        """Return the rotation of the body in the plan of the motion, shape (n, 3, 3): that of the
        reference pose relative to the style pose.

        Args:
            poser: computation of the style poses.
        """
        footsteps = tuple(s.footstep for s in poser.sketch.steps)
        pose = poser.make_style_poses(footsteps, self.times)
        return self.reference_rotation @ np.swapaxes(so3.quat_to_matrix(pose[:, 3:7]), 1, 2)

    def make_plan_state(
        self, start: float, sketch: Sketch, rotation: Array, weight: float
    ) -> PlanState:
        """Return the state of the body at one of the frames, from which a plan continues.

        Args:
            start: time of the frame [s].
            sketch: sketch of the new plan.
            rotation: rotation of the body at all frames, shape (n, 3, 3).
            weight: weight of the body [N].
        """
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
                    forces[PointKey(step_index, point)] = ForceCurve(moments, np.stack(values, -1))
        return PlanState(start, state, forces)


def _make_momentum_curve(model: KinematicModel, poses: Array, times: Array) -> CubicSpline:
    """Return the angular momentum over time [kg m^2/s]."""
    maps = model.compute_centroidal_dynamics(poses).angular_map
    velocity = model.difference(poses[:-1], poses[1:]) / np.diff(times)[:, None]
    return CubicSpline(
        0.5 * (times[1:] + times[:-1]), (0.5 * (maps[1:] + maps[:-1]) @ velocity[..., None])[..., 0]
    )
