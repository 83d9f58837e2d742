"""State machine of the contact phases of a simulated biped: double support, single support, flight.

The transitions are the table in `transitions.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....slip.command import StepGoal
from ....slip.state import Support
from .transitions import (
    PHASES,
    Phase,
    PhaseObservation,
    PhaseView,
    Transition,
    find_transition,
)

Array = NDArray[np.float64]


@dataclass
class PhaseMachine:
    """Contact phase of a body and the times of its last contacts.

    Attributes:
        dt: control period [s].
        support: support of the current phase.
        stance_foot: foot that carries the current step, 0 left, 1 right. In double support the foot
            that landed last, in flight the foot that left the ground last.
        is_standing: whether double support continues until a step is begun by `begin_first_step`.
        is_first_step: whether the current step is the first one out of standing.
        phase_start: time at which the phase began [s].
        step_start: time at which the step began [s].
        step_start_com: (2,) horizontal center of mass when the step began [m].
        lift_place: (3,) position at which the swing foot left the ground [m].
        lift_time: time at which it did [s].
        last_contact_time: last time at which any foot touched the ground [s].
        has_landed: whether a step ended in the last update.
        has_missed: whether a landing detected earlier turned out not to have taken place.
        last_load_time: last time at which the stance foot of double support was loaded [s].
        ground_heights: (2,) heights of the feet when they last were loaded [m].
    """

    dt: float
    support: Support = "double"
    stance_foot: int = 0
    is_standing: bool = True
    is_first_step: bool = False
    phase_start: float = 0.0
    step_start: float = 0.0
    step_start_com: Array = field(default_factory=lambda: np.zeros(2))
    lift_place: Array = field(default_factory=lambda: np.zeros(3))
    lift_time: float = 0.0
    last_contact_time: float = 0.0
    has_landed: bool = False
    has_missed: bool = False
    last_load_time: float = 0.0
    ground_heights: Array = field(default_factory=lambda: np.zeros(2))

    @property
    def phase(self) -> Phase:
        """Current phase; double support is divided by what it precedes."""
        if self.support != "double":
            return self.support
        if self.is_standing:
            return "standing"
        return "first_shift" if self.is_first_step else "double"

    @property
    def is_setting_off(self) -> bool:
        """Whether the next step to end is the first one out of standing."""
        return self.is_standing or self.is_first_step

    def find_next_foot(self, step_goal: StepGoal) -> int:
        """Return the foot that lands next, 0 left, 1 right."""
        return self.stance_foot if step_goal.gait == "hop" else 1 - self.stance_foot

    def compute_step_age(self, time: float) -> float:
        """Return the time since the step began [s]; that of a first step begins after its shift."""
        shift_time = PHASES.first_step_extra_time if self.is_first_step else 0.0
        return time - self.step_start - shift_time

    def update(self, observation: PhaseObservation) -> bool:
        """Enter the next phase where the current one is over, and return whether it is."""
        self.has_landed = self.has_missed = False
        self._note_contacts(observation)
        transition = find_transition(self.phase, self._make_view(observation))
        if transition is None:
            return False
        self._apply_transition(transition, observation)
        return True

    def begin_first_step(self, time: float, com: Array, stance_foot: int) -> None:
        """Leave standing with a step that `stance_foot` carries.

        Args:
            time: current time [s].
            com: (3,) center of mass [m].
            stance_foot: 0 left, 1 right.
        """
        self.is_standing = False
        self.is_first_step = True
        self.stance_foot = stance_foot
        self.phase_start = self.step_start = time
        self.step_start_com = com[:2].copy()

    def stand(self) -> None:
        """Stay in double support until a step is begun."""
        self.is_standing = True

    def _note_contacts(self, observation: PhaseObservation) -> None:
        """Update when and where the feet last had contact."""
        loads = observation.loads
        if loads.sum() > PHASES.contact_load:
            self.last_contact_time = observation.time
        for k in range(2):
            if loads[k] > PHASES.touch_load:
                self.ground_heights[k] = observation.feet[k].place[2]
        if loads[self.stance_foot] > PHASES.touch_load or self.support != "double":
            self.last_load_time = observation.time

    def _make_view(self, observation: PhaseObservation) -> PhaseView:
        return PhaseView(
            observation,
            self.dt,
            phase_age=observation.time - self.phase_start,
            stance_foot=self.stance_foot,
            time_without_contact=observation.time - self.last_contact_time,
            time_without_stance_load=observation.time - self.last_load_time,
        )

    def _apply_transition(self, transition: Transition, observation: PhaseObservation) -> None:
        self.support = transition.target
        self.phase_start = observation.time
        self.has_missed = transition.is_correction
        if transition.exchanges_feet:
            self.stance_foot = 1 - self.stance_foot
        if transition.ends_step:
            self.is_first_step = False
            self.has_landed = True
            self.step_start = observation.time
            self.step_start_com = observation.com[:2].copy()
        if transition.lifted_foot is not None:
            foot = self.stance_foot if transition.lifted_foot == "stance" else 1 - self.stance_foot
            self.lift_place = observation.feet[foot].place.copy()
            self.lift_time = observation.time
