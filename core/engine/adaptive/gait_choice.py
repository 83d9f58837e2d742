"""Choice of a controller and a goal for each half-cycle of a body that is steered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...geometry import so3
from .movement_choice import (
    TURN_NAME,
    can_change,
    can_turn,
    find_gait_name,
    find_movement_after,
    find_moving_gait,
)
from .movements import GAIT_RANGES, find_movement
from .parameters import GaitParameters
from .planner import Goal
from .transitions import TRANSITIONS, MovementTransition
from .walker import TorqueWalker


@dataclass(frozen=True)
class GaitChoiceParameters:
    """When a body changes what it does, for one of the reference size.

    Args:
        standing_share: share of the lowest speed of a movement below which a body stands: nearer to
            0 than to this speed.
        min_standing: half-cycles for which it stands before it moves, so that each foot has had its
            turn to step to its place.
        max_standing_speed: of the whole body at which it may begin to move [m/s], half of the
            largest one with which walks of the search of `stand` begin (`MOVEMENTS`).
        overrun: distance that a body covers beyond the steps of a transition to standing [m].
        max_facing_error: largest angle between the requested facing and that of a movement [rad];
            that of the paper, section 9.
        min_turn: smallest turn of a body that stands; it walks through smaller ones [rad], in two
            or three steps (`GAIT_RANGES`).
        max_moving_turn: largest turn through which it walks by the turns of its movement, in four
            steps or six; for larger ones it needs a transition [rad].
        turn_overrun: distance that a body moves on along its old heading in the whole turn of a
            transition, beyond its steps. Tuned: without it the body passes the corner by 0.5 to
            1.4 m [m].
        turn_tolerance: factor by which a turn may be larger than that of its transition, so that a
            corner of 95 degrees takes one turn of the search's 90 and not two.
    """

    standing_share: float = 0.5
    min_standing: int = 2
    max_standing_speed: float = 0.2
    overrun: float = 0.4
    max_facing_error: float = float(np.radians(15.0))
    min_turn: float = float(np.radians(12.0))
    max_moving_turn: float = float(np.radians(25.0))
    turn_overrun: float = 0.8
    turn_tolerance: float = 1.1


CHOICE = GaitChoiceParameters()


@dataclass(frozen=True)
class MotionRequest:
    """What a body shall do now.

    Args:
        speed: [m/s].
        direction: heading of the movement [rad].
        facing: heading of the body [rad].
    """

    speed: float
    direction: float
    facing: float


class GaitChooser:
    """Source of goals that lead a walker where it is requested, with the controllers there are.

    Args:
        gaits: parameters of movements and transitions by their names.
        half_cycle_time: [s].
        movement: that the body begins with.
        facing: heading that it begins with [rad].
    """

    def __init__(
        self,
        gaits: Mapping[str, GaitParameters],
        half_cycle_time: float,
        movement: str,
        facing: float,
    ) -> None:
        self.movement = movement
        self.facing = facing
        self._gaits = gaits
        self._half_cycle_time = half_cycle_time
        self._transition: str | None = None
        self._turn = 0.0  # to the left in the transition [rad]
        self._count = 0  # half-cycles of the transition or of the movement that are over

    def choose(self, walker: TorqueWalker, request: MotionRequest, *, waits: bool = False) -> Goal:
        """Set the parameters of a walker for the half-cycle that begins, and return its goal.

        Args:
            walker: to steer.
            request: what it shall do.
            waits: whether no transition begins now.
        """
        if self._transition is not None and self._count == len(self._list_steps()):
            self.movement = find_movement_after(self._transition)
            self.facing += self._turn
            self._transition = None
            self._count = 0
        if self._transition is None and not waits:
            self._change(walker, request)
        self._count += 1
        if self._transition is not None:
            return self._make_transition_goal(walker)
        return self._make_goal(walker, request)

    def find_stop_distance(self) -> float:
        """Return the distance that the body covers until it stands [m]."""
        if self.movement == "stand":
            return 0.0
        gait = self._gaits.get(find_gait_name(f"{self.movement}-stand"))
        return 0.0 if gait is None or gait.steps is None else sum(gait.steps) + CHOICE.overrun

    def can_turn_moving(self, turn: float) -> bool:
        """Return whether a moving body can turn [rad] by one transition, without standing."""
        name = self._turn_name
        if self.movement == "stand" or name not in self._gaits:
            return False
        return abs(turn) <= CHOICE.turn_tolerance * abs(TRANSITIONS[name].whole_turn)

    def is_first_foot(self, walker: TorqueWalker, turn: float) -> bool:
        """Return whether a moving body can begin a turn to the left [rad] in this half-cycle."""
        transition = TRANSITIONS[self._turn_name]
        return walker.swing == transition.find_first_foot(turn)

    def find_corner_distance(self, turn: float) -> float:
        """Return how far before a corner of its path the moving body begins a turn [m].

        Args:
            turn: to the left [rad].
        """
        transition = TRANSITIONS[self._turn_name]
        steps = self._gaits[self._turn_name].steps or ()
        overrun = CHOICE.turn_overrun * abs(turn / transition.whole_turn)
        return transition.find_corner_distance(steps, turn) + overrun

    @staticmethod
    def is_still(walker: TorqueWalker) -> bool:
        """Return whether a body that stands is slow enough to begin to move."""
        return float(np.hypot(*walker.data.qvel[:2])) <= CHOICE.max_standing_speed

    @property
    def _turn_name(self) -> str:
        """Name of the transition by which the body turns in its movement."""
        return f"{self.movement}-turn"

    def _change(self, walker: TorqueWalker, request: MotionRequest) -> None:
        """Begin a transition to another movement or a turn, if the body is ready for it."""
        wanted = find_requested_movement(request, self._half_cycle_time)
        if self.movement == "stand":
            self._leave_standing(walker, request, wanted)
            return
        turn = self._find_turn(request, wanted)
        if wanted == self.movement:
            if abs(turn) <= CHOICE.max_moving_turn:
                return
            if self._turn_name in self._gaits:
                self._begin_turn(walker, self._turn_name, turn)
                return
            if not can_turn(self._gaits, wanted):
                return
        lead = find_movement(self.movement).lead
        if lead in (None, walker.swing) and can_change(self._gaits, self.movement, "stand"):
            self._begin(f"{self.movement}-stand")

    def _leave_standing(self, walker: TorqueWalker, request: MotionRequest, wanted: str) -> None:
        """Turn, or begin to move, once the body stands still."""
        if self._count < CHOICE.min_standing or not self.is_still(walker):
            return
        turn = self._find_turn(request, wanted)
        if abs(turn) > CHOICE.min_turn and TURN_NAME in self._gaits:
            self._begin_turn(walker, TURN_NAME, turn)
        elif (
            wanted != "stand"
            and find_movement(wanted).lead in (None, walker.swing)
            and can_change(self._gaits, "stand", wanted)
        ):
            self._begin(f"stand-{wanted}")

    def _begin(self, transition: str, turn: float = 0.0) -> None:
        self._transition = transition
        self._turn = float(turn)
        self._count = 0

    def _begin_turn(self, walker: TorqueWalker, name: str, turn: float) -> None:
        """Begin a turn to the left [rad], or the first of several, with the foot that it needs."""
        transition = TRANSITIONS[name]
        if walker.swing == transition.find_first_foot(turn):
            self._begin(name, _split_turn(turn, transition))

    def _find_turn(self, request: MotionRequest, wanted: str) -> float:
        """Return the turn to the left after which a movement leads in its direction [rad]."""
        facing = request.facing
        if wanted != "stand":
            facing = request.direction - find_movement(wanted).direction
        return float(so3.wrap_angle(facing - self.facing))

    def _list_steps(self) -> tuple[float, ...]:
        """Return the step lengths of the current transition [m]."""
        assert self._transition is not None
        return self._gaits[find_gait_name(self._transition)].steps or ()

    def _make_transition_goal(self, walker: TorqueWalker) -> Goal:
        assert self._transition is not None
        gait = self._gaits[find_gait_name(self._transition)]
        transition = TRANSITIONS[find_gait_name(self._transition)]
        half_cycle = self._count - 1
        walker.use_parameters(transition.select(gait, half_cycle))
        before = self._transition.split("-")[0]
        moving = find_movement_after(self._transition) if before == "stand" else before
        direction = self.facing + find_movement(moving).direction
        base = Goal(self.facing, direction, self._list_steps()[half_cycle])
        return transition.make_goal(half_cycle, self._turn, base) if self._turn else base

    def _make_goal(self, walker: TorqueWalker, request: MotionRequest) -> Goal:
        movement = find_movement(self.movement)
        gait = self._gaits[find_gait_name(self.movement)]
        walker.use_parameters(gait.select(walker.swing, movement.lead))
        limits = GAIT_RANGES[self.movement]
        is_standing = self.movement == "stand"
        wanted = request.facing if is_standing else request.direction - movement.direction
        turn = float(so3.wrap_angle(wanted - self.facing))
        self.facing += float(np.clip(turn, -limits.max_turn, limits.max_turn))
        step = np.clip(request.speed * self._half_cycle_time, limits.min_step, limits.max_step)
        return Goal(self.facing, self.facing + movement.direction, float(step))


def _split_turn(turn: float, transition: MovementTransition) -> float:
    """Return the turn of the first of as few equal transitions as a turn [rad] needs."""
    return float(turn / np.ceil(abs(turn / transition.whole_turn) / CHOICE.turn_tolerance))


def find_requested_movement(request: MotionRequest, half_cycle_time: float) -> str:
    """Return the movement that suits a request best."""
    name = find_moving_gait(request.facing - request.direction)
    least = GAIT_RANGES[name].min_step / half_cycle_time
    return "stand" if request.speed < CHOICE.standing_share * least else name
