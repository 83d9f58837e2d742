"""Sessions of the learned engine: a body that is steered, one half cycle at a time.

Source: Kwon et al. 2020, section 7.4. Each half cycle begins where a foot strikes, which is where a
window of the prediction begins, in the state that the previous prediction has then.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion, Report
from ...sketch.sketch import Sketch, resketch_with_task
from ...task import Push, Task
from ..base import DriveCommand
from ..centroidal.body import PlannedBody, choose_style
from ..centroidal.modes.live_walking import FootHistory
from ..centroidal.modes.walking import sketch_style_walk
from ..centroidal.pipeline import FrameWindow
from ..centroidal.recording import CentroidalRecorder
from ..centroidal.steering import STEERING, Steering
from ..shared.character import load_task_character
from ..shared.disturbances import begin_pushes
from ..shared.motion_builder import MotionBuilder
from ..shared.scaling import to_human_scale
from .body_motion import PredictedMotion
from .frame_solver import FrameSolver
from .gaits import PREDICTED_WALK_WEIGHTS, PredictedWalk
from .live_body import LiveBodyMover, PastMotion
from .networks import find_network
from .predict import MotionPredictor, Prediction, PredictionStart
from .pushes import push_sketch
from .sketch_curves import SketchCurves

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LearnedSessionParameters:
    """Times of a session.

    Args:
        min_half_cycle_time: shortest time of a half cycle [s], below the 0.3 s of a human run, so
            that feet that strike together end one half cycle.
        max_half_cycle_time: longest time of a half cycle [s]; tuned: where it ended before the
            strike of a slow step, the foot moved on fast and sank 2 cm into the ground,
            tests/core/engine/learned/test_session.py
        history: time of the past for which foot paths are computed again [s].
        max_path_time: longest time after the last frame for which foot paths are computed [s], that
            of a swing of a slow human walk.
        path_margin: time after a strike or lift up to which they are computed [s], two frames at 60
            frames/s.
        solved_lookahead: time after the last frame to which the body is solved [s], three times
            the deviations by which `FRAME_SOLVER` and `BALLISTICS` smooth, so that the last frames
            do not depend on what comes later.
        kept_footsteps: number of footsteps before the current time that are kept: the two on which
            a body stands, and the one before them, from which the foot in the air has come.
        kept_poses: number of poses of the past that others continue; their velocity takes two.
        push_memory: time for which pushes are kept [s], longer than a half cycle and the history.
    """

    min_half_cycle_time: float = 0.25
    max_half_cycle_time: float = 1.1
    history: float = 0.15
    max_path_time: float = 0.6
    path_margin: float = 0.03
    solved_lookahead: float = 0.1
    kept_footsteps: int = 3
    kept_poses: int = 4
    push_memory: float = 2.0


SESSION = LearnedSessionParameters()


@dataclass
class LearnedSession:
    """A motion that continues according to one command after another.

    Args:
        task: body, ground, style, frame rate, gravity and friction. The motion begins at the first
            point of the path, in its direction.

    Raises:
        TaskError: there is no network for the body and the style.
    """

    task: Task
    _begin: float = field(default=0.0, init=False)
    _emitted_frames: int = field(default=0, init=False)
    _sketch: Sketch | None = field(default=None, init=False)
    _prediction: Prediction | None = field(default=None, init=False)
    _past: PastMotion | None = field(default=None, init=False)
    _pushes: tuple[Push, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        character = load_task_character(self.task)
        network = find_network(self.task, character).trained
        scaled = to_human_scale(self.task, character)
        # Pushes of a drive come with its commands.
        self._task = replace(scaled.task, pushes=())
        self._scale = scaled.scale
        self._body = PlannedBody.from_character(
            scaled.character, choose_style(scaled.task, scaled.character)
        )
        self._predictor = MotionPredictor.from_body(network, self._body)
        self._solver = FrameSolver.from_model(self._body.model, PREDICTED_WALK_WEIGHTS)
        self._direction = float(self._task.path.heading_at(0.0))

    @property
    def time(self) -> float:
        """Time up to which frames were emitted [s]."""
        return self._emitted_frames / self.task.fps

    def branch(self) -> LearnedSession:
        """Return an independent session in the same state."""
        # All state is replaced as a session continues, and never changed in place.
        return copy.copy(self)

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next half cycle: the frames up to the next strike of a foot."""
        sketch = self._continue_sketch(command)
        end = self._find_end(sketch)
        curves = SketchCurves(sketch, self._task.ground, len(self._body.character.legs))
        start = (
            None
            if self._prediction is None
            else PredictionStart.from_prediction(self._prediction, curves, self._begin)
        )
        window = self._make_window(sketch, end)
        horizon = float(window.times[-1]) + 1 / self._task.fps
        prediction = self._predictor.predict(curves, horizon, start)
        task = replace(self._task, pushes=self._pushes) if self._pushes else self._task
        mover = LiveBodyMover(
            task,
            self._body,
            PredictedWalk(task, self._body, sketch),
            prediction=prediction,
            solver=self._solver,
            begin=self._begin,
            past=self._past,
        )
        solved = mover.solve(window)
        frames = max(int(end * task.fps) + 1, self._emitted_frames + 1)
        motion = self._record(task, sketch, solved, count=frames - self._emitted_frames)
        self._begin = end
        self._prediction = prediction
        self._emitted_frames = frames
        self._keep(window, solved, sketch)
        return self._scale.to_task_scale(motion)

    def _continue_sketch(self, command: DriveCommand) -> Sketch:
        """Return the sketch from now on. Footsteps of the distant past are dropped."""
        speed = command.speed * self._scale.time / self._scale.length
        now = self._begin
        direction = self._direction
        self._direction = command.direction
        if self._sketch is None:
            steering = Steering(speed, speed, direction, direction=command.direction)
            task = steering.make_task(self._task, self._task.path.points[0])
            return sketch_style_walk(task, self._body)
        course = self._sketch.course
        current_speed = float(np.interp(now, course.time, course.speed))
        steering = Steering(current_speed, speed, direction, direction=command.direction)
        pendulum = course.pendulum
        task = steering.make_task(self._task, pendulum.sample(np.array(now), "cart"))
        past_count = sum(s.footstep.strike < now for s in self._sketch.steps)
        dropped = max(past_count - SESSION.kept_footsteps, 0)
        sketch = resketch_with_task(
            replace(self._sketch, steps=self._sketch.steps[dropped:]),
            task,
            self._body.character,
            now=now,
            com=pendulum.sample(np.array(now), "com"),
            velocity=pendulum.sample(np.array(now), "velocity"),
        )
        return self._push(sketch, task, command)

    def _push(self, sketch: Sketch, task: Task, command: DriveCommand) -> Sketch:
        """Return the sketch of a body that is pushed now."""
        now = self._begin
        pushes = begin_pushes(command.pushes, self._scale, now)
        kept = tuple(push for push in self._pushes if push.end > now - SESSION.push_memory)
        self._pushes = kept + pushes
        if not pushes:
            return sketch
        pushed_task = replace(task, pushes=pushes, seconds=now + STEERING.lookahead_time)
        return push_sketch(sketch, pushed_task, self._body)

    def _find_end(self, sketch: Sketch) -> float:
        """Return the end of the half cycle: the next strike of a foot [s]."""
        earliest = self._begin + SESSION.min_half_cycle_time
        strikes = [s.footstep.strike for s in sketch.steps if s.footstep.strike > earliest]
        return min([*strikes, self._begin + SESSION.max_half_cycle_time])

    def _make_window(self, sketch: Sketch, end: float) -> FrameWindow:
        """Return the frames whose targets are computed, and those that are solved."""
        fps = self._task.fps
        last = max(int(end * fps), self._emitted_frames)
        first = max(self._emitted_frames - int(SESSION.history * fps), 0)
        if self._past is not None:
            first = max(first, self._past.first_frame)
        solved_end = last + 1 + int(SESSION.solved_lookahead * fps)
        path_end = last + 1 + int(np.ceil(self._measure_path_time(sketch, end) * fps))
        return FrameWindow(
            np.arange(first, path_end) / fps,
            self._emitted_frames - first,
            solved_end - first,
        )

    def _measure_path_time(self, sketch: Sketch, end: float) -> float:
        """Return the time after `end` up to which paths of feet are needed [s].

        Feet in the air then have landed, and feet that roll over their balls have lifted, as swings
        and rolls follow from the prediction at these times.
        """
        solved_end = end + SESSION.solved_lookahead
        longest = SESSION.solved_lookahead
        for leg in range(len(self._body.character.legs)):
            footsteps = [s.footstep for s in sketch.steps if s.footstep.leg == leg]
            standing = [f for f in footsteps if f.strike <= end <= f.lift]
            moments = [f.lift for f in standing if f.heel_off < solved_end]
            if not standing:
                moments = [min((f.strike for f in footsteps if f.strike > end), default=end)]
            longest = max(longest, *(t - end + SESSION.path_margin for t in moments), 0.0)
        return min(longest, SESSION.max_path_time)

    def _record(self, task: Task, sketch: Sketch, solved: PredictedMotion, count: int) -> Motion:
        """Return the first `count` frames."""
        recorder = CentroidalRecorder(MotionBuilder(task, self._body.model), sketch, solved.pushes)
        report = Report(
            task.name,
            "learned",
            self._body.character.name,
            seed=task.seed,
            clip_seconds=count / task.fps,
            seconds={},
        )
        return recorder.record(solved.get_first_frames(count), report)

    def _keep(self, window: FrameWindow, solved: PredictedMotion, sketch: Sketch) -> None:
        """Keep what the next half cycle needs."""
        first_frame = int(round(window.times[0] * self._task.fps))
        emitted = solved.frames.poses[: self._emitted_frames - (first_frame + window.first)]
        if self._past is not None:
            emitted = np.concatenate([self._past.poses, emitted])
        self._past = PastMotion(
            first_frame,
            solved.states,
            solved.com_curve,
            FootHistory(solved.frames.all_targets.feet, first_frame),
            emitted[-SESSION.kept_poses :],
        )
        self._sketch = sketch.with_footsteps(solved.plan.footsteps)
