"""Walks that go back some half-cycles and take other goals where the body would fall or stumble."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .path_follower import PathFollower
from .planner import Goal
from .recording import WalkRecorder
from .stumbles import StumbleFinder
from .walker import TorqueWalker


@dataclass(frozen=True)
class GoalChange:
    """Another choice for one half-cycle.

    Args:
        step_share: factor of its step length.
        turn: of the direction of its step, to the left [rad].
        waits: whether no transition begins in it.
    """

    step_share: float = 1.0
    turn: float = 0.0
    waits: bool = False

    def apply(self, goal: Goal) -> Goal:
        """Return the goal with another step."""
        return replace(
            goal,
            direction=goal.direction + self.turn,
            step_length=goal.step_length * self.step_share,
        )


@dataclass(frozen=True)
class BacktrackingParameters:
    """How many half-cycles before a fall a body begins anew, and what it tries there.

    Args:
        first_depth, last_depth: half-cycles before a fall that are chosen anew. Measured: falls
            show in the planner's deviations two half-cycles before, and begin with a stop or a
            start up to twelve before.
        margin: half-cycles without a fall beyond the earlier one, after which a choice counts as
            good.
        changes: in the order in which they are tried. Tuned: without them none of ten walks of
            60 s of the scenario `adaptive-navigate` ended without a fall, with them all ten.
    """

    first_depth: int = 2
    last_depth: int = 12
    margin: int = 6
    changes: tuple[GoalChange, ...] = (
        GoalChange(waits=True),
        GoalChange(step_share=0.8),
        GoalChange(step_share=1.2),
        GoalChange(turn=float(np.radians(10.0))),
        GoalChange(turn=float(np.radians(-10.0))),
    )


BACKTRACKING = BacktrackingParameters()


@dataclass(frozen=True)
class StumbleParameters:
    """What a body tries that has stumbled, in fewer half-cycles than before a fall.

    Args:
        last_depth: half-cycles before the end of the stumble that are chosen anew. Tuned: without
            them feet slide by 10 cm on stairs down,
            test_generate.test_a_body_that_would_stumble_takes_other_steps.
        margin: half-cycles beyond it without a fall or another stumble, after which a choice
            counts as good.
        lead: half-cycles before the last one that are judged with it, since a contact or a
            crossing of the legs may begin there.
        changes: in the order in which they are tried, without a transition that waits: most
            stumbles are in the middle of a movement.
    """

    last_depth: int = 3
    margin: int = 2
    lead: float = 0.5
    changes: tuple[GoalChange, ...] = (
        GoalChange(step_share=0.8),
        GoalChange(step_share=1.2),
        GoalChange(turn=float(np.radians(10.0))),
        GoalChange(turn=float(np.radians(-10.0))),
    )


STUMBLING = StumbleParameters()


@dataclass(frozen=True)
class _Instant:
    """State at the beginning of a half-cycle.

    Args:
        count: recorded instants.
    """

    walker: TorqueWalker
    follower: PathFollower
    count: int


class BacktrackingWalk:
    """Simulation of a walker along the path of a task, with a record.

    Each part of the motion is simulated with the controllers alone; where the body would fall or
    stumble, an earlier half-cycle gets another goal. Bodies know nothing of pushes that are still
    to come, so they do not go back to a time before one.

    Args:
        walker: begun.
        follower: source of its goals.
        recorder: its record.
        can_go_back: whether it may; a body of a controller in training falls as it falls.
        stumbles: what counts as one; None to go back before falls alone.

    Attributes:
        walker: in the current state.
        recorder: of all that came before it.
        change_times: times of the half-cycles that got other goals [s].
    """

    def __init__(
        self,
        walker: TorqueWalker,
        follower: PathFollower,
        recorder: WalkRecorder,
        *,
        can_go_back: bool,
        stumbles: StumbleFinder | None = None,
    ) -> None:
        self.walker = walker
        self.recorder = recorder
        self.change_times: list[float] = []
        self._follower = follower
        self._can_go_back = can_go_back
        self._stumbles = stumbles
        self._judged = 0  # instants up to which stumbles are accepted or avoided
        self._past: deque[_Instant] = deque(maxlen=BACKTRACKING.last_depth + 1)
        walker.goal_source = follower.find_goal

    @property
    def has_fallen(self) -> bool:
        """Whether the body has fallen, and no other goal would have kept it up."""
        return self.walker.has_fallen

    def advance(self) -> None:
        """Simulate one control step, or go back where the body falls."""
        if self._can_go_back and self.walker.is_at_half_cycle:
            if self._past and self._stumbles is not None:
                self._avoid_stumble(self._stumbles)
            self._past.append(self._branch(self.walker, self._follower, self.recorder.count))
        walker = self.walker
        walker.advance(self.recorder.observe)
        if walker.has_fallen and self._can_go_back:
            self._go_back()

    def _go_back(self) -> None:
        """Continue with the first other choice after which the body does not fall soon."""
        end = self.walker.step_count + BACKTRACKING.margin * self.walker.timing.half_cycle
        depths = range(BACKTRACKING.first_depth, BACKTRACKING.last_depth + 2)
        for instant, change in self._list_choices(depths, BACKTRACKING.changes):
            tried = self._begin_with(instant, change)
            while tried.walker.step_count < end and not tried.walker.has_fallen:
                tried.walker.advance()
            if not tried.walker.has_fallen:
                self._take(instant, change)
                return

    def _avoid_stumble(self, stumbles: StumbleFinder) -> None:
        """Go back where the body has stumbled in the last half-cycle and other steps are better."""
        half_cycle = self.walker.timing.half_cycle
        lead = round(STUMBLING.lead * half_cycle * self.walker.timing.substeps)
        now = self.recorder.count
        begin = max(self._past[-1].count - lead, self._judged)
        if not stumbles.has_stumble(self.recorder, begin, now):
            return
        end = self.walker.step_count + STUMBLING.margin * half_cycle
        accepted = self._judged
        self._judged = now
        depths = range(1, STUMBLING.last_depth + 1)
        for instant, change in self._list_choices(depths, STUMBLING.changes):
            begin = max(instant.count - lead, accepted)
            if self._is_sound(self._begin_with(instant, change), end, stumbles, begin=begin):
                self._take(instant, change)
                return

    def _is_sound(self, tried: _Instant, end: int, stumbles: StumbleFinder, *, begin: int) -> bool:
        """Return whether a body neither falls nor stumbles up to a control step.

        Args:
            tried: its state, which moves on.
            end: control step.
            stumbles: judge.
            begin: instant from which it judges.
        """
        walker = tried.walker
        recorder = self.recorder.branch(walker, tried.count)
        while walker.step_count < end:
            walker.advance(recorder.observe)
            if walker.has_fallen:
                return False
            if walker.is_at_half_cycle and stumbles.has_stumble(recorder, begin, recorder.count):
                return False
        return True

    def _take(self, instant: _Instant, change: GoalChange) -> None:
        """Continue from an earlier half-cycle with another choice for it."""
        chosen = self._begin_with(instant, change)
        self.recorder = self.recorder.branch(chosen.walker, instant.count)
        self.walker = chosen.walker
        self._follower = chosen.follower
        while self._past and self._past[-1].count >= instant.count:
            self._past.pop()
        self.change_times.append(chosen.walker.time)

    def _list_choices(
        self, depths: range, changes: tuple[GoalChange, ...]
    ) -> Iterator[tuple[_Instant, GoalChange]]:
        """Return earlier half-cycles with other choices for them, the latest ones first.

        Args:
            depths: numbers of half-cycles to go back.
            changes: to try in each.
        """
        past = list(self._past)
        now = self.walker.time
        begins = [push.begin for push in self.walker.forces.pushes if push.begin < now]
        earliest = max(begins, default=0.0)
        for depth in depths:
            if depth > len(past):
                return
            instant = past[-depth]
            if instant.walker.time < earliest:
                return
            for change in changes:
                yield instant, change

    def _begin_with(self, instant: _Instant, change: GoalChange) -> _Instant:
        """Return an independent copy of a state, whose first half-cycle has another goal."""
        copied = self._branch(instant.walker, instant.follower, instant.count)
        follower = copied.follower

        def find_goal(walker: TorqueWalker) -> Goal:
            walker.goal_source = follower.find_goal
            return change.apply(follower.find_goal(walker, waits=change.waits))

        copied.walker.goal_source = find_goal
        return copied

    @staticmethod
    def _branch(walker: TorqueWalker, follower: PathFollower, count: int) -> _Instant:
        other = follower.branch()
        copied = walker.branch()
        copied.goal_source = other.find_goal
        return _Instant(copied, other, count)
