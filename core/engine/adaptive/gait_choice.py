"""Choice of a controller and a goal for each half-cycle of a body that is steered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...geometry import so3
from .movement_choice import can_change, find_gait_name, find_moving_gait
from .movements import GAIT_RANGES, find_movement
from .parameters import GaitParameters
from .planner import Goal
from .walker import TorqueWalker


@dataclass(frozen=True)
class GaitChoiceParameters:
    """When a body changes what it does, for one of the reference size.

    Args:
        standing_share: share of the lowest speed of a movement below which a body stands.
        min_standing: half-cycles for which it stands before it moves.
        max_standing_speed: of the whole body at which it may begin to move [m/s].
        overrun: distance that a body covers beyond the steps of a transition to standing [m].
        max_facing_error: largest angle between the requested facing and that of a movement [rad].
    """

    standing_share: float = 0.5
    min_standing: int = 2
    max_standing_speed: float = 0.2
    overrun: float = 0.4
    max_facing_error: float = float(np.radians(15.0))


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
        self._count = 0  # half-cycles of the transition or of the movement that are over

    def choose(self, walker: TorqueWalker, request: MotionRequest) -> Goal:
        """Set the parameters of a walker for the half-cycle that begins, and return its goal."""
        if self._transition is not None and self._count == len(self._list_steps()):
            self.movement = self._transition.split("-")[1]
            self._transition = None
            self._count = 0
        if self._transition is None:
            self._change(walker, find_requested_movement(request, self._half_cycle_time))
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

    def _change(self, walker: TorqueWalker, wanted: str) -> None:
        """Begin a transition or another movement, if the body is ready for it."""
        if wanted == self.movement or not self._is_ready(walker, wanted):
            return
        following = wanted if self.movement == "stand" or wanted == "stand" else "stand"
        if not can_change(self._gaits, self.movement, following):
            return
        self._transition = f"{self.movement}-{following}"
        self._count = 0

    def _is_ready(self, walker: TorqueWalker, wanted: str) -> bool:
        lead = find_movement(wanted if self.movement == "stand" else self.movement).lead
        if lead is not None and walker.swing != lead:
            return False
        if self.movement != "stand":
            return True
        speed = float(np.hypot(*walker.data.qvel[:2]))
        return self._count >= CHOICE.min_standing and speed < CHOICE.max_standing_speed

    def _list_steps(self) -> tuple[float, ...]:
        """Return the step lengths of the current transition [m]."""
        assert self._transition is not None
        return self._gaits[find_gait_name(self._transition)].steps or ()

    def _make_transition_goal(self, walker: TorqueWalker) -> Goal:
        assert self._transition is not None
        gait = self._gaits[find_gait_name(self._transition)]
        assert gait.second is not None
        walker.use_parameters(gait.first if self._count == 1 else gait.second)
        moving = [name for name in self._transition.split("-") if name != "stand"]
        direction = self.facing + find_movement(moving[0]).direction
        return Goal(self.facing, direction, self._list_steps()[self._count - 1])

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


def find_requested_movement(request: MotionRequest, half_cycle_time: float) -> str:
    """Return the movement that suits a request best."""
    name = find_moving_gait(request.facing - request.direction)
    least = GAIT_RANGES[name].min_step / half_cycle_time
    return "stand" if request.speed < CHOICE.standing_share * least else name
