"""A motion as it was around a stretch that is solved again: what a plan and a full body go on from."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.kinematic_model import KinematicModel
from ....character.pose_from_links import poses_from
from ....clip.pose.key_pose import Passage
from ....geometry import so3
from ....motion import Footstep, Motion
from ....plan.body import Carried, ForceCurve
from ....plan.horizon import State
from ....plan.warm_start import SAMPLES
from ....sketch.sketch import Sketch
from ....task import Task
from ...shared.scaling import Scale
from ..body import Figure
from ..modes.walking import styled
from ..run_up import RunUp

Array = NDArray[np.float64]

SETTLING = 1.0        # s before the stretch from which on it is planned
EARLIER = 0.2         # s before that, in which it is seen how the body moves
ONWARD = 0.4          # s after the stretch to which the body is solved
SWING_AHEAD = 0.7     # s after that to which it is planned, for swings that have begun
SAME = 1e-3           # s, m and rad by which contacts that are one may differ


@dataclass(frozen=True)
class Span:
    """What is planned and solved, s and frames of the task with its run-up."""

    start: float              # from where the plan goes
    first: int                # the first frame that is solved
    last: int                 # one more than the last one
    until: float              # to where the plan goes

    @staticmethod
    def of(task: Task, run_up: RunUp, begin: float, end: float) -> Span:
        """For a stretch of the clip, s at human scale."""
        first = int(begin * task.fps) + 1 + run_up.frames
        last = min(int((end + ONWARD) * task.fps) + run_up.frames, task.frames)
        return Span((first - int(SETTLING * task.fps)) / task.fps, first, last, last / task.fps + SWING_AHEAD)


@dataclass(frozen=True)
class Past:
    """Frames of a motion as it was, at human scale and with the times of a task with its run-up."""

    figure: Figure
    times: Array              # (n,)
    poses: Array              # (n, nq)
    com: Array                # (n, 3) planned
    reference: Array          # (n, 3, 3) of the pelvis
    force: Array              # (n, limbs, 2, 3) body weights, at heel and ball
    footsteps: tuple[Footstep, ...]

    @staticmethod
    def of(figure: Figure, motion: Motion, scale: Scale, run_up: RunUp, fps: float, span: Span) -> Past:
        """Read the frames of a motion of this body that a span goes by."""
        a, b, model, legs = scale.length, scale.time, figure.model, len(figure.character.legs)
        times = (np.arange(motion.frames) + run_up.frames) / fps
        own = (times >= span.start - EARLIER) & (times <= span.until)
        poses = poses_from(model, motion.link_origin[own, 0] / a, so3.quat_to_matrix(motion.link_orientation[own]))
        force = motion.contact_force[own].reshape(int(own.sum()), -1, 3, 3)[:, :legs, :2]
        weight = figure.character.mass * float(np.linalg.norm(motion.gravity))
        steps = tuple(replace(f, strike=f.strike / b + run_up.seconds, flat=f.flat / b + run_up.seconds,
                              heel_off=f.heel_off / b + run_up.seconds, lift=f.lift / b + run_up.seconds, position=f.position / a)
                      for f in motion.footsteps)
        return Past(figure, times[own], poses, motion.planned_com[own] / a,
                       so3.quat_to_matrix(motion.reference_orientation[own, 0]), force / weight, steps)

    def exactly(self, drawn: Sketch) -> Sketch:
        """A sketch whose kept footsteps are those of the motion, where they are the same."""
        out = []
        for s in drawn.steps:
            same = next((f for f in self.footsteps if s.footstep.kept and s.fixed and f.leg == s.footstep.leg
                         and abs(f.time - s.footstep.time) < SAME and abs(f.yaw - s.footstep.yaw) < SAME
                         and np.abs(f.position[:2] - s.footstep.position[:2]).max() < SAME), None)
            out.append(s if same is None else replace(s, footstep=replace(same, kept=True)))
        return replace(drawn, steps=tuple(out))

    def turns(self, task: Task, drawn: Sketch, passages: Sequence[Passage]) -> Array:
        """How the plan had the body turned: what its reference was turned by, against the style's pose. (n, 3, 3)."""
        pose = styled(self.figure.model, drawn, tuple(s.footstep for s in drawn.steps), self.figure.style, self.times,
                      task.hurdles, passages)
        return self.reference @ np.swapaxes(so3.quat_to_matrix(pose[:, 3:7]), 1, 2)

    def carried(self, start: float, drawn: Sketch, turns: Array, weight: float) -> Carried:
        """The body at one of the frames, as a plan takes it over."""
        k = int(np.argmin(np.abs(self.times - start)))
        place = CubicSpline(self.times, self.com)
        near = slice(max(k - 2, 0), k + 3)
        momentum = _momentum(self.figure.model, self.poses[near], self.times[near])
        state = State(self.com[k], place(self.times[k], 1), turns[k], momentum(self.times[k]) / weight)
        forces = {}
        for number, f in enumerate(s.footstep for s in drawn.steps):
            if not f.strike < start < f.lift:
                continue
            for point, finish in ((0, f.heel_off), (1, f.lift)):
                if start < finish:
                    moments = np.linspace(start, finish, SAMPLES)
                    values = [np.interp(moments, self.times, self.force[:, f.leg, point, axis]) for axis in range(3)]
                    forces[number, point] = ForceCurve(moments, np.stack(values, -1))
        return Carried(start, state, forces)


def _momentum(model: KinematicModel, poses: Array, times: Array) -> CubicSpline:
    """Angular momentum over time, kg m^2/s."""
    maps = model.centroidal(poses).angular_map
    step = model.difference(poses[:-1], poses[1:]) / np.diff(times)[:, None]
    return CubicSpline(0.5 * (times[1:] + times[:-1]), (0.5 * (maps[1:] + maps[:-1]) @ step[..., None])[..., 0])
