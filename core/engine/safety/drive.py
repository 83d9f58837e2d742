"""Judge a driven body part by part, and make its commands gentler where a part is broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...errors import FootfallError, MotionError
from ...motion import Motion
from ...motion.splice import join_parts
from ...task import Push, Task
from ..base import DriveCommand, EngineDriver, EngineInfo, SpeedRange
from ..shared.character import load_task_character
from ..shared.scaling import count_solved_frames, to_human_scale
from .deliver import find_bounds, with_blemishes
from .judge import Verdict, judge_motion

STEERING_ADVICE = "Steer it in wider turns, let it move slower and push it less."
# Frames before a part that are judged with it, so that a jump between two parts is noticed.
SEAM_FRAMES = 2


def note_drive_flaws(task: Task, motion: Motion, engine: EngineInfo) -> Motion:
    """Return the motion of a whole drive with its flaws in the notes of its report."""
    return with_blemishes(motion, _PartJudge(task, engine).judge(None, motion))


@dataclass(frozen=True)
class GentlerCommand:
    """A command with lower demands.

    Attributes:
        note: what was changed, a clause for the animator.
    """

    command: DriveCommand
    note: str


class JudgedDriver:
    """A driver whose parts are within the bounds of the judge.

    A broken part is planned again with gentler commands. If none helps, the drive ends.

    Args:
        driver: of an engine.
        task: that the driver was made from.
        engine: its engine.
    """

    def __init__(self, driver: EngineDriver, task: Task, engine: EngineInfo) -> None:
        self._driver = driver
        self._judge = _PartJudge(task, engine)
        self._current = _JudgedState()
        self._previous = self._current

    @property
    def speed_range(self) -> SpeedRange:
        """Speeds at which the body can be driven."""
        return self._driver.speed_range

    def advance(self, command: DriveCommand) -> Motion:
        """Return the next part of the motion, which follows a command or a gentler one.

        Raises:
            MotionError: the body cannot follow any of them.
        """
        self._previous = self._current
        reason = ""
        for gentler in _list_commands(command, self._current.last_command):
            try:
                part = self._driver.advance(gentler.command)
            except FootfallError as error:
                if self._judge.is_simulated:  # the body has fallen, which no command undoes
                    raise
                reason = reason or str(error).rstrip(".")
                self._driver.undo_last()
                continue
            verdict = self._judge.judge(self._current.tail, part)
            if verdict.is_deliverable:
                return self._take(part, gentler, reason)
            flaw = verdict.breaking[0]
            described = replace(flaw, time=flaw.time + self._current.time).describe()
            reason = reason or described
            self._driver.undo_last()
        raise MotionError(f"The body cannot go on: {reason}. {STEERING_ADVICE}")

    def undo_last(self) -> None:
        """Restore the state before the last part."""
        self._driver.undo_last()
        self._current = self._previous

    def _take(self, part: Motion, gentler: GentlerCommand, reason: str) -> Motion:
        """Return a part that is delivered, with a note if its command was made gentler."""
        begin = self._current.time
        self._current = _JudgedState(
            begin + part.frames / part.fps,
            replace(gentler.command, pushes=(), pinned=()),
            part.take_frames(slice(-SEAM_FRAMES, None)),
        )
        if not gentler.note:
            return part
        note = f"at {begin:.2f} s {gentler.note}: otherwise, {reason}"
        return replace(part, report=replace(part.report, notes=(*part.report.notes, note)))


@dataclass(frozen=True)
class _JudgedState:
    """What is left of the parts before the next one.

    Attributes:
        time: duration of the parts [s].
        last_command: that the last part follows, without events; None before the first part.
        tail: last frames of the last part.
    """

    time: float = 0.0
    last_command: DriveCommand | None = None
    tail: Motion | None = None


class _PartJudge:
    """Judge of the parts of a drive."""

    def __init__(self, task: Task, engine: EngineInfo) -> None:
        scale = to_human_scale(task, load_task_character(task)).scale
        self._bounds = find_bounds(task, engine)
        self._ground = task.ground
        self.is_simulated = engine.is_simulated
        # Simulated bodies obey physics by themselves, and few frames say little about speeds.
        self._is_lenient = engine.is_simulated or count_solved_frames(task.fps, scale.time) > 1

    def judge(self, tail: Motion | None, part: Motion) -> Verdict:
        """Return the flaws of a part, with times since its first frame."""
        motion = part if tail is None else join_parts([tail, part])
        before = motion.frames - part.frames
        verdict = judge_motion(motion, self._ground, self._bounds)
        if self._is_lenient:
            verdict = verdict.select("finite")
        begin = before / part.fps
        return Verdict(tuple(replace(f, time=max(f.time - begin, 0.0)) for f in verdict.flaws))


def _list_commands(command: DriveCommand, last: DriveCommand | None) -> Iterator[GentlerCommand]:
    """Yield a command and gentler ones, the gentlest last.

    Args:
        last: that the part before follows; None if there is none.
    """
    yield GentlerCommand(command, "")
    straight = command if last is None else replace(command, direction=last.direction)
    if straight.direction != command.direction:
        yield GentlerCommand(straight, "the body did not turn")
    if last is not None and last.speed != command.speed:
        steady = replace(straight, speed=last.speed)
        yield GentlerCommand(steady, "the body kept speed and direction")
    for share in (0.5, 0.0) if command.pushes else ():
        pushes = tuple(_weaken_push(push, share) for push in command.pushes)
        yield GentlerCommand(
            replace(straight, pushes=pushes if share else ()),
            f"the push was weakened to {share:.0%}" if share else "the push was left out",
        )
    slower = replace(straight, speed=0.5 * straight.speed, pushes=(), pinned=())
    yield GentlerCommand(slower, "the body slowed down")


def _weaken_push(push: Push, share: float) -> Push:
    """Return a push with a share of its force and moment."""
    x, y, z = push.force
    roll, pitch, yaw = push.moment
    return replace(
        push,
        force=(share * x, share * y, share * z),
        moment=(share * roll, share * pitch, share * yaw),
    )
