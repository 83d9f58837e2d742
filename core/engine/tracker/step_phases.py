"""Phases of a step at which its contacts change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepPhases:
    """Phases of a step at which its contacts change [rad].

    Args:
        begin: leg 1 lands on its heel.
        flat: foot 1 is flat.
        lift: foot 2 lifts.
        heel_off: foot 1 rises over its toes.
        landing: leg 2 lands.
        late: to which the curves go on if it does not.
    """

    begin: float
    flat: float
    lift: float
    heel_off: float
    landing: float
    late: float


@dataclass(frozen=True)
class StandPhases:
    """Phases at which contacts of foot 2 beside foot 1 change [rad].

    In the plane such a foot has the pose of the one that stands, and bears no weight.

    Args:
        heel_off: its heel lifts; -inf if it does not rest flat at the begin.
        lift: its toes lift.
        landing: it is flat again, where the walk ends; inf if it lands ahead, as in other steps.
    """

    heel_off: float
    lift: float
    landing: float
