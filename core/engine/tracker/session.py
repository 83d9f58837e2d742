"""Sessions: a walker that changes its speed and is pushed while it walks, one step at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionError
from ...motion import Motion
from ...task import Path, Push, Task
from ..base import DriveCommand
from ..shared.disturbances import begin_pushes
from .body_motion import WholeBodyMover
from .controller import Stance
from .driven_cycle import DrivenCycle
from .followed_walk import TrackedBody, WalkSeries
from .input_cycle import InputCycle
from .motion_recorder import MotionRecorder, list_trunk_pushes
from .record import WalkRecord, collect_states
from .start import SETTLING, start_steady
from .task_checks import sample_path_ground
from .walker import PlanarWalker
from .walker_state import WalkerState

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TrackerSessionParameters:
    """Numbers of a session.

    Args:
        speed_factors: speeds of the walks, as multiples of the first speed, which is one of them;
            0.13 m/s apart at 1.3 m/s, about as `SPEED_CHANGES.interval`.
        rest_steps: time steps for which a foot is flat before a part ends, since its contact is
            placed up to `FOOT_MOTION.settling` steps after it is flat.
        max_landing: longest time from a landing for which the foot is waited for [s]; pitched by
            0.4 rad, as human feet land, it is flat after 0.1 s at `CONTROL.landing_speed`.
        max_step: longest time of a step [s]; human ones take 0.4 to 1 s, and a body that takes
            longer counts as fallen.
        min_part: shortest part of the motion [s]; the step after an earlier landing, which is that
            of a stumble, belongs to the same part.
        history: time of the past that is kept [s]; contacts of present frames begin within it.
        window: time of the past whose frames are computed again [s], so that the first new frame
            is a swing and the longest smoothing of `BODY_MOTION` after the begin of them.
        push_memory: time for which pushes are kept [s], longer than `history`, whose forces they
            explain.
    """

    speed_factors: tuple[float, ...] = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3)
    rest_steps: int = 8
    max_landing: float = 0.35
    max_step: float = 2.0
    min_part: float = 0.2
    history: float = 2.2
    window: float = 0.9
    push_memory: float = 2.5


SESSION = TrackerSessionParameters()


@dataclass(frozen=True)
class _Past:
    """What is simulated, and what of it is emitted.

    Args:
        records: consecutive parts of the simulation.
        changes: number of the step from which on each cycle is followed, all since the begin.
        state: last state.
        walk: number of the walk that it follows.
        pushes: recent pushes.
        frames: number of emitted frames.
        landing: time of the last landing [s].
    """

    records: tuple[WalkRecord, ...]
    changes: tuple[tuple[int, InputCycle], ...]
    state: WalkerState
    walk: int
    pushes: tuple[Push, ...]
    frames: int
    landing: float


class TrackerSession:
    """A walk that continues according to one command after another.

    Each part of it ends where a foot lands. The simulation is ahead until this foot is flat.

    Args:
        task: body, ground, style, frame rate, gravity and friction. The walk begins at the first
            point of the path, in its direction, with the first speed.
        forward: this direction, shape (2,).
        reach: distance of the ground that is seen [m]; beyond, it is level.

    Raises:
        FootfallError: the style has no walk at this speed, or the ground is too steep.
    """

    def __init__(self, task: Task, forward: Array, reach: float) -> None:
        self._body = TrackedBody.from_task(task)
        scaled = self._body.scaled
        self._scale = scaled.scale
        self._task = scaled.task
        length = reach / self._scale.length
        start = self._task.path.points[0]
        straight = replace(self._task, path=Path([start, start + length * forward]))
        self._ground = sample_path_ground(straight, length)
        speed = float(scaled.task.speed.values[0])
        speeds = tuple(speed * factor for factor in SESSION.speed_factors)
        self._walks = WalkSeries(task, self._body, speeds)
        first = SESSION.speed_factors.index(1.0)
        walk = self._walks.find(first)
        walker = walk.make_walker(self._body, self._ground)
        state = start_steady(walker, speed, SETTLING.run_up, -SETTLING.run_up)
        self._past = _Past(
            (), ((0, walk.cycle),), state, walk=first, pushes=(), frames=0, landing=0.0
        )

    @property
    def state(self) -> object:
        """Snapshot for `restore`."""
        return self._past

    def restore(self, state: object) -> None:
        """Return to a snapshot."""
        assert isinstance(state, _Past)
        self._past = state

    @property
    def speeds(self) -> tuple[float, ...]:
        """Speeds of the walks at the scale of the task [m/s]."""
        factor = self._scale.length / self._scale.time
        return tuple(factor * speed for speed in self._walks.speeds)

    def advance(self, command: DriveCommand) -> Motion:
        """Return the frames up to the next landing.

        Args:
            command: its speed is that along the path.

        Raises:
            MotionError: the walker falls.
        """
        past = self._past
        pushes = begin_pushes(command.pushes, self._scale, max(past.state.time, 0.0))
        recent = tuple(p for p in past.pushes if p.end > past.state.time - SESSION.push_memory)
        past = replace(past, pushes=recent + pushes)
        past = self._walk_step(past, command.speed * self._scale.time / self._scale.length)
        motion = self._build(past)
        frames = past.frames + motion.frames
        begin = past.state.time - SESSION.history
        kept = tuple(r for r in past.records if r.time[-1] > begin)
        self._past = replace(past, records=kept, frames=frames)
        return self._scale.to_task_scale(motion)

    def _walk_step(self, past: _Past, speed: float) -> _Past:
        """Return the past after the next landing that ends within the frames."""
        walker = self._walks.find(past.walk).make_walker(self._body, self._ground)
        states = [past.state]
        earliest = past.landing + SESSION.min_part
        limit = earliest + SESSION.max_step
        while states[-1].steps == states[-2:][0].steps or states[-1].time < earliest:
            self._advance(walker, states, past.pushes, limit)
        landed = states.pop()
        number = self._walks.find_next(past.walk, speed)
        walk = self._walks.find(number)
        records = [collect_states([walker] * len(states), states)] if states else []
        walker = walk.make_walker(self._body, self._ground)
        states = [walker.begin_step(landed)]
        rest = 0
        while rest < SESSION.rest_steps and states[-1].time < landed.time + SESSION.max_landing:
            self._advance(walker, states, past.pushes, limit)
            rest += states[-1].stance == Stance.FLAT
        records.append(collect_states([walker] * (len(states) - 1), states[:-1]))
        return replace(
            past,
            records=(*past.records, *records),
            changes=(*past.changes, (landed.steps, walk.cycle)),
            state=states[-1],
            walk=number,
            landing=landed.time,
        )

    def _advance(
        self,
        walker: PlanarWalker,
        states: list[WalkerState],
        pushes: tuple[Push, ...],
        limit: float,
    ) -> None:
        """Append the next state.

        Raises:
            MotionError: the walker falls, or takes no step up to the time `limit` [s].
        """
        state = states[-1]
        acting = list_trunk_pushes(pushes, self._body, self._heading, state.time)
        states.append(walker.advance(state, acting))
        if walker.is_fallen(states[-1]) or states[-1].time > limit:
            raise MotionError("The walker falls. Push it less, or let it walk at another speed.")

    @property
    def _heading(self) -> float:
        return float(self._task.path.heading_at(0.0))

    def _build(self, past: _Past) -> Motion:
        """Return the frames up to the last landing that are not emitted."""
        fps = self._task.fps
        record = WalkRecord.join(past.records)
        last = int(record.time[-1] * fps)
        end = min(int(past.landing * fps), last)
        first = max(past.frames - int(SESSION.window * fps), 0)
        cycle = DrivenCycle(past.changes)
        mover = WholeBodyMover(self._body.model, self._body.biped.side_view, cycle, record)
        walk = mover.place(np.arange(first, last + 1) / fps)
        footsteps = tuple(f for f in walk.footsteps if f.lift > first / fps)
        recorder = MotionRecorder(
            replace(self._task, pushes=past.pushes), self._body.model, self._heading
        )
        motion = recorder.record(replace(walk, footsteps=footsteps))
        return motion.take_frames(slice(past.frames - first, end + 1 - first))
