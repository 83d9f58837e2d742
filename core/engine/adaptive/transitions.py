"""Transitions from one cyclical controller to another (Wu and Popović 2010, sections 7 and 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .parameters import GaitParameters


@dataclass(frozen=True)
class MovementTransition:
    """Some half-cycles between two cyclical controllers, without a turn.

    Args:
        before, after: names of the movements.
        sources: names of the movements whose parameters its first half-cycle and the others
            begin with.
        start_steps: step lengths from which the search begins [m].
        first_changes, second_changes: parameters with which a search begins instead of those of
            the sources.
    """

    before: str
    after: str
    sources: tuple[str, str]
    start_steps: tuple[float, ...]
    first_changes: Mapping[str, float] = field(default_factory=dict)
    second_changes: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the file of its controller."""
        return f"{self.before}-{self.after}"

    def make_start(self, gaits: Mapping[str, GaitParameters]) -> GaitParameters:
        """Return parameters from which a search begins.

        Args:
            gaits: parameters of the movements by their names.
        """
        first, second = (gaits[name] for name in self.sources)
        return GaitParameters(
            replace(first.first, **self.first_changes),
            replace(second.second or second.first, **self.second_changes),
            self.start_steps,
        )


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
        MovementTransition("left", "stand", ("left", "left"), (0.1, 0.05)),
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
