"""Transitions from one cyclical controller to another (Wu and Popović 2010, sections 7 and 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from .parameters import GaitParameters, LocomotionParameters
from .planner import Goal

TRAILING = "trailing"  # source of the foot that follows in sidesteps


@dataclass(frozen=True)
class MovementTransition:
    """Some half-cycles between two cyclical controllers, perhaps with a turn.

    Args:
        before, after: names of the movements.
        sources: names of the movements whose parameters its first half-cycle and the others
            begin with.
        start_steps: step lengths from which the search begins [m].
        first_changes, second_changes: parameters with which a search begins instead of those of
            the sources.
        turns: change of the facing in each half-cycle, toward the side of the foot that swings
            first [deg]; () without a turn.
        directions: heading of each step relative to the facing before, toward the same side [deg];
            () for that of the movement in the facing of the half-cycle.
        searched: parameters that a search changes beside the step lengths; () for all. Tuned: 24
            samples a generation say little about 80 unknowns.
    """

    before: str
    after: str
    sources: tuple[str, str]
    start_steps: tuple[float, ...]
    first_changes: Mapping[str, float] = field(default_factory=dict)
    second_changes: Mapping[str, float] = field(default_factory=dict)
    turns: tuple[float, ...] = ()
    directions: tuple[float, ...] = ()
    searched: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the file of its controller."""
        return f"{self.before}-{self.after}" if self.before != self.after else f"{self.before}-turn"

    @property
    def whole_turn(self) -> float:
        """Change of the facing, toward the foot that swings first if positive [rad]."""
        return float(np.radians(sum(self.turns)))

    def find_first_foot(self, turn: float) -> int:
        """Return the foot that swings first in a turn to the left [rad]: 0 left, 1 right."""
        return 0 if turn * self.whole_turn > 0 else 1

    def make_goal(self, half_cycle: int, turn: float, base: Goal) -> Goal:
        """Return the goal of a half-cycle.

        Args:
            half_cycle: of the transition, from 0.
            turn: change of the facing in the whole transition, to the left [rad].
            base: facing before the transition, heading of its movement, and length of this step.
        """
        if not self.turns:
            return base
        share = turn / self.whole_turn
        so_far = float(np.radians(sum(self.turns[: half_cycle + 1])))
        direction = base.direction + share * so_far
        if self.directions:
            direction = base.facing + share * float(np.radians(self.directions[half_cycle]))
        return Goal(base.facing + share * so_far, direction, base.step_length)

    def find_corner_distance(self, steps: tuple[float, ...], turn: float) -> float:
        """Return how far before the corner of its path a body begins a turn [m].

        Args:
            steps: step lengths [m].
            turn: to the left, at most 120 degrees [rad].
        """
        goals = [self.make_goal(k, turn, Goal(0.0, 0.0, step)) for k, step in enumerate(steps)]
        ahead = sum(goal.step_length * np.cos(goal.direction) for goal in goals)
        left = sum(goal.step_length * np.sin(goal.direction) for goal in goals)
        return float(ahead - left / np.tan(turn))

    def select(self, gait: GaitParameters, half_cycle: int) -> LocomotionParameters:
        """Return the parameters of a half-cycle.

        In turns and between sidesteps those of both feet alternate.

        Args:
            gait: parameters of the transition.
            half_cycle: of the transition, from 0.
        """
        alternates = bool(self.turns) or "left" in (self.before, self.after)
        is_second = half_cycle % 2 if alternates else half_cycle > 0
        return gait.second if is_second and gait.second is not None else gait.first

    def make_start(self, gaits: Mapping[str, GaitParameters]) -> GaitParameters:
        """Return parameters from which a search begins.

        Args:
            gaits: parameters of the movements by their names.
        """
        first, second = (_find_source(gaits, name) for name in self.sources)
        return GaitParameters(
            replace(first.first, **self.first_changes),
            replace(second.second or second.first, **self.second_changes),
            self.start_steps,
        )


def _find_source(gaits: Mapping[str, GaitParameters], name: str) -> GaitParameters:
    """Return the parameters of a movement, or those of the foot that follows in sidesteps."""
    if name != TRAILING:
        return gaits[name]
    sidestep = gaits["left"]
    return GaitParameters(sidestep.second or sidestep.first)


# Rounded mean of a search over these 11 numbers and the step lengths alone
STOPPING = {
    "step_outward": -0.049,
    "step_forward": -0.014,
    "step_gain_outward": 0.183,
    "step_gain_ahead": 0.523,
    "step_gain_inward": 1.395,
    "body_gain_outward": 0.398,
    "body_gain_forward": 0.359,
    "body_outward": -0.013,
    "body_forward": -0.038,
    "body_lowering": -0.06,
    "body_along_2": 0.549,
}
# Parameters of the targets of the feet and of the upper body, and of the latter's path, which
# decide where a body is at the end of a transition
PLACEMENT = (
    "swing_extension",
    "step_outward",
    "step_forward",
    "step_gain_outward",
    "step_gain_ahead",
    "step_gain_inward",
    "step_gain_behind",
    "body_gain_outward",
    "body_gain_forward",
    "body_along_1",
    "body_along_2",
    "body_outward",
    "body_forward",
    "body_lowering",
    "body_lean_back",
    "body_roll_outward",
    "body_twist",
)
TRANSITIONS = {
    transition.name: transition
    for transition in (
        MovementTransition(
            "forward",
            "stand",
            ("forward", "forward"),
            (0.49, 0.38, 0.21),
            first_changes=STOPPING,
            second_changes=STOPPING,
        ),
        # A body that stands falls when it steps aside by a whole step at once
        MovementTransition("stand", "left", ("left", "left"), (0.1, 0.15)),
        MovementTransition(
            "left",
            "stand",
            ("left", "left"),
            (0.17, 0.14, 0.08, 0.05),
            searched=PLACEMENT,
        ),
        # Both feet turn one after the other, by the parameters of the foot that follows in
        # sidesteps: with these a standing body takes turns of 10 to 75 degrees without a search
        MovementTransition(
            "stand",
            "stand",
            (TRAILING, TRAILING),
            (0.0, 0.0),
            turns=(60.0, 0.0),
            directions=(0.0, 60.0),
            searched=PLACEMENT,
        ),
        # The outer foot steps first. With the parameters of the walk three of four bodies hold it
        MovementTransition(
            "forward",
            "forward",
            ("forward", "forward"),
            (0.45, 0.45, 0.45, 0.45),
            turns=(-22.5, -22.5, -22.5, -22.5),
            searched=PLACEMENT,
        ),
        MovementTransition("backward", "stand", ("backward", "backward"), (0.35, 0.25, 0.1)),
        # The body shifts over one foot and tips forward, then the other foot steps. The values are
        # the rounded mean of a search over these 16 numbers alone
        MovementTransition(
            "stand",
            "forward",
            ("stand", "forward"),
            (0.0, 0.81),
            first_changes={
                "body_outward": 0.045,
                "body_forward": 0.126,
                "body_along_1": 0.0,
                "body_along_2": 0.53,
                "body_lean_back": 1.6,
                "body_lowering": 0.025,
            },
            second_changes={
                "step_forward": -0.29,
                "step_outward": -0.063,
                "step_gain_ahead": 0.058,
                "step_gain_behind": 0.161,
                "swing_height_2": 0.225,
                "body_forward": 0.007,
                "body_outward": -0.022,
                "body_lowering": -0.154,
                "body_along_2": 0.424,
                "body_height_2": -0.075,
            },
        ),
        MovementTransition(
            "stand",
            "backward",
            ("stand", "backward"),
            (0.0, 0.56),
            first_changes={
                "body_outward": -0.035,
                "body_forward": 0.095,
                "body_along_1": 0.0,
                "body_along_2": 0.495,
                "body_lean_back": -2.4,
                "body_lowering": -0.021,
            },
            second_changes={
                "step_forward": 0.053,
                "step_outward": 0.044,
                "step_gain_ahead": 1.234,
                "step_gain_behind": 0.452,
                "swing_height_2": 0.14,
                "body_forward": 0.149,
                "body_outward": 0.008,
                "body_lowering": -0.152,
                "body_along_2": 0.681,
                "body_height_2": 0.112,
            },
        ),
    )
}
