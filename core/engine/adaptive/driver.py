"""Driver of a body that controllers move, one part of the motion after another."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionError, TaskError
from ...motion import Footstep, Motion, Report
from ...task import Task
from ..base import FALLEN_DISPLAY_TIME, LIVE_ENGINE_NAME, DriveCommand, SpeedRange
from ..safety.fall import GROUND_LIMB, FallStart, make_fall
from ..shared.disturbances import begin_pushes
from .biped_model import build_biped_model
from .conversion import convert_push, convert_task, find_upper_body_style
from .external_forces import ExternalForces
from .gait_choice import GaitChooser, MotionRequest, find_requested_movement
from .ground_sampling import sample_square
from .movement_choice import can_change, find_drive_problem
from .planner import Goal
from .recording import ClipFrames, WalkRecorder
from .speeds import REFERENCE_LENGTH, compute_drive_speeds
from .start import STANDING_TIME, Start
from .user_controllers import find_controllers
from .walker import TorqueWalker

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DriveParameters:
    """Parts and memory of a drive.

    Args:
        part_time: duration of a part [s], a fifth of a step, so that a command acts at the next
            step and not at the one after.
        history: time for which instants are kept, in the units of the controllers [s]; a footstep
            of the present frames began within it.
        push_memory: time for which pushes are kept, in the units of the controllers [s]: those of
            the frames of a part, and of the instants around them.
    """

    part_time: float = 0.12
    history: float = 2.5
    push_memory: float = 1.0


DRIVE = DriveParameters()
# Frames that show how the body moves when it begins to fall: a tenth of a second at 60 a second.
FRAMES_BEFORE_FALL = 6
FALLEN = "The body has fallen. Steer it in wider turns and push it less."


@dataclass
class _State:
    """State of a drive, of which copies can be made.

    Args:
        first: recorded instant of the first frame of the drive, negative once it is forgotten.
        frames: number of frames that were emitted.
        fall: frames of the fall that are left to emit; None while the body has not fallen.
    """

    walker: TorqueWalker
    chooser: GaitChooser
    recorder: WalkRecorder
    first: int
    frames: int = 0
    fall: Motion | None = None

    def branch(self) -> _State:
        """Return an independent copy."""
        walker = self.walker.branch()
        return replace(
            self,
            walker=walker,
            chooser=copy.copy(self.chooser),
            recorder=self.recorder.branch(walker),
        )


class AdaptiveDriver:
    """A body that starts standing and is driven in parts shorter than a step.

    A command takes effect when the next half of a cycle begins. The body walks forward, backward
    or sideways, whatever is nearest to the direction that it faces and there is a controller for.

    Args:
        task: its body, ground, gravity and frame rate. Where its ground ends, the body falls.

    Raises:
        TaskError: there are no controllers to stand and to walk.
        CharacterError: the body does not walk on two legs.
    """

    def __init__(self, task: Task) -> None:
        self._task = replace(task, pushes=())
        self._converted = convert_task(self._task)
        controllers = find_controllers(self._converted.scaled)
        problem = find_drive_problem(controllers.gaits)
        if problem:
            raise TaskError(f"{problem}.")
        self._gaits = controllers.gaits
        self._notes = controllers.notes
        size = self._converted.scaled.length * REFERENCE_LENGTH
        speeds = compute_drive_speeds(size, self._task.gravity)
        self.speed_range = SpeedRange(speeds.slow, speeds.fast)
        self._state = self._begin()
        self._previous = self._state

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next part of the motion.

        Raises:
            MotionError: the body has fallen, and has been shown for some time.
        """
        begin_time = time.perf_counter()
        self._previous = self._state
        state = self._state.branch()
        count = max(round(DRIVE.part_time * self._task.fps), 1)
        if state.fall is None:
            self._steer(state, command)
            part = self._simulate(state, count)
        else:
            part = _take_part(state, count)
        state.frames += part.frames
        self._state = state
        seconds = {"total": time.perf_counter() - begin_time}
        return replace(part, report=replace(part.report, engine=LIVE_ENGINE_NAME, seconds=seconds))

    def undo_last(self) -> None:
        """Return to the state before the last part; only one part can be undone."""
        self._state = self._previous

    def _begin(self) -> _State:
        """Return the state of a body that stands."""
        converted = self._converted
        task = converted.task
        ground = sample_square(task, task.path.points[0])
        model = build_biped_model(converted.scaled.biped, ground, converted.timing.substep)
        heading = float(task.path.heading_at(0.0))
        place = task.path.points[0]
        standing = MotionRequest(0.0, heading, heading)
        chooser = GaitChooser(self._gaits, converted.timing.half_cycle_time, "stand", heading)
        walker = TorqueWalker(
            model,
            self._gaits["stand"].first,
            ground,
            lambda walker: chooser.choose(walker, standing),
            timing=converted.timing,
            forces=ExternalForces(),
        )
        walker.upper_style = find_upper_body_style(task, converted.scaled.biped)
        walker.begin(Start(0.0, position=(float(place[0]), float(place[1])), heading=heading))
        recorder = WalkRecorder(converted.scaled, walker, ground)
        per_frame = converted.substeps_per_frame
        first = per_frame * int(STANDING_TIME * task.fps)
        while recorder.count < first:
            walker.advance(recorder.observe)
        if walker.has_fallen:
            raise TaskError(
                "The body falls where it should stand at first. Begin on more even ground, or "
                "choose another engine."
            )
        return _State(walker, chooser, recorder, first)

    def _steer(self, state: _State, command: DriveCommand) -> None:
        """Let the walker follow a command from its next half-cycle on."""
        converted = self._converted
        speed = command.speed * converted.scale.time / converted.scale.length
        chooser = state.chooser
        timing = converted.timing

        def find_goal(walker: TorqueWalker) -> Goal:
            request = MotionRequest(speed, command.direction, chooser.facing)
            wanted = find_requested_movement(request, timing.half_cycle_time)
            if wanted != "stand" and not can_change(self._gaits, "stand", wanted):
                request = replace(request, facing=command.direction)  # turn instead
            return chooser.choose(walker, request)

        state.walker.goal_source = find_goal
        now = state.walker.time
        kept = [push for push in state.walker.forces.pushes if push.end > now - DRIVE.push_memory]
        added = [
            convert_push(push, converted.scaled)
            for push in begin_pushes(command.pushes, converted.scale, now)
        ]
        state.walker.forces = replace(state.walker.forces, pushes=(*kept, *added))

    def _simulate(self, state: _State, count: int) -> Motion:
        """Simulate and return the next frames; fewer where the body falls."""
        converted = self._converted
        per_frame = converted.substeps_per_frame
        recorder = state.recorder
        begin = state.first + state.frames * per_frame
        needed = begin + per_frame * count + converted.timing.substeps
        while recorder.count < needed and not state.walker.has_fallen:
            state.walker.advance(recorder.observe)
        available = min((recorder.count - 1 - begin) // per_frame, count)
        if available < 1:
            raise MotionError(FALLEN)
        clip = ClipFrames(begin, per_frame, available)
        motion = (
            self._let_fall(state, clip)
            if state.walker.has_fallen and available < count
            else _with_ground_points(self._record(state, clip))
        )
        state.first -= recorder.forget(begin - round(DRIVE.history / converted.timing.substep))
        return motion

    def _record(self, state: _State, clip: ClipFrames) -> Motion:
        """Return frames in the units of the task; footsteps have the times of the drive."""
        converted = self._converted
        task = converted.task
        report = Report(
            task.name,
            LIVE_ENGINE_NAME,
            converted.scaled.character.name,
            seed=task.seed,
            clip_seconds=clip.count / task.fps,
            seconds={},
            notes=(*converted.scaled.character.notes, *self._notes),
        )
        motion = state.recorder.make_motion(task, clip, report)
        begin = state.frames / task.fps
        motion = replace(
            motion, footsteps=tuple(_move_footstep(step, begin) for step in motion.footsteps)
        )
        return converted.scale.to_task_scale(motion)

    def _let_fall(self, state: _State, clip: ClipFrames) -> Motion:
        """Return the frames of a clip, and keep those of the fall after it."""
        before = min(FRAMES_BEFORE_FALL, clip.first // clip.per_frame)
        motion = self._record(
            state,
            ClipFrames(clip.first - before * clip.per_frame, clip.per_frame, before + clip.count),
        )
        missing = round(FALLEN_DISPLAY_TIME * motion.fps)
        last = motion.frames - 1
        padded = motion.take_frames(
            np.concatenate([np.arange(motion.frames), np.full(missing, last)])
        )
        start = FallStart(padded, last / motion.fps, last / motion.fps)
        fallen = make_fall(self._task, start)
        note = "the body has fallen"
        fallen = replace(fallen, report=replace(fallen.report, notes=(*fallen.report.notes, note)))
        state.fall = fallen.take_frames(slice(motion.frames, None))
        return fallen.take_frames(slice(before, motion.frames))


def _take_part(state: _State, count: int) -> Motion:
    """Return the next frames of a fall.

    Raises:
        MotionError: all of them were shown.
    """
    assert state.fall is not None
    if not state.fall.frames:
        raise MotionError(FALLEN)
    part = state.fall.take_frames(slice(None, count))
    state.fall = state.fall.take_frames(slice(count, None))
    return part


def _move_footstep(step: Footstep, seconds: float) -> Footstep:
    """Return a footstep that is later."""
    return replace(
        step,
        strike=step.strike + seconds,
        flat=step.flat + seconds,
        heel_off=step.heel_off + seconds,
        lift=step.lift + seconds,
    )


def _with_ground_points(motion: Motion) -> Motion:
    """Return a motion with the contact points of a body that lies, at which nothing acts."""
    names = tuple(f"{GROUND_LIMB}/{name}" for name in motion.link_names)
    nothing = np.zeros_like(motion.link_position)
    return replace(
        motion,
        contact_names=(*motion.contact_names, *names),
        contact_limb=(*motion.contact_limb, *(GROUND_LIMB for _ in names)),
        contact_position=np.concatenate([motion.contact_position, motion.link_position], 1),
        contact_active=np.concatenate(
            [motion.contact_active, np.zeros(nothing.shape[:2], bool)], 1
        ),
        contact_force=np.concatenate([motion.contact_force, nothing], 1),
    )
