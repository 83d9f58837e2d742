"""A simulated body that jumps on and on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..biped import PlanarBiped
from ..blend import Blend
from ..simulation import SIMULATION, FallBounds, PlanarSimulation
from .controller import NO_OFFSET, JumpController
from .flight import JumpFlight
from .mirrored import MIRROR, TORQUES, MirroredState, average_legs, find_poses
from .parameters import JUMP_CONTROL, JumpGoal
from .policy import PHASE_DIFFERENCE

Array = NDArray[np.float64]

# Place of the indicator from the toes [m] by phase [m] and rate [m/s].
ChoosePlace = Callable[[float, float], float]

FALL_BOUNDS = FallBounds(height=0.41, pitch=1.9)
# Rows of the error of a landing.
BOTH_ROWS = np.arange(2)


class JumpStage(IntEnum):
    """Contacts of both feet."""

    FLAT = 0
    TOES = 1
    AIR = 2


@dataclass(frozen=True)
class JumpState:
    """State of a body between two time steps.

    Args:
        q, v: coordinates and rates of the biped, shape (9,).
        time: [s].
        stage: contacts of the feet.
        jumps: number of landings.
        place: of the indicator from the toes [m]; None before the first step.
        landed: time of the last landing [s].
        blend: of the errors of the last landing; None while they are not measured.
        flight: motion of the legs in the last flight.
    """

    q: Array
    v: Array
    time: float
    stage: JumpStage = JumpStage.FLAT
    jumps: int = 0
    place: float | None = None
    landed: float = -np.inf
    blend: Blend | None = None
    flight: JumpFlight | None = None


@dataclass(frozen=True)
class Jumper:
    """A body that jumps over a ground.

    Args:
        simulation: biped and ground.
        goal: speed and curves of the jumps.
        choose: place of the indicator, such as that of a `JumpPolicy`.
    """

    simulation: PlanarSimulation
    goal: JumpGoal
    choose: ChoosePlace

    @property
    def biped(self) -> PlanarBiped:
        """The body."""
        return self.simulation.biped

    @property
    def _controller(self) -> JumpController:
        return JumpController(self.biped, self.goal)

    def start(self, rate: float, place: float = 0.0, time: float = 0.0) -> JumpState:
        """Return a body at the phase at which a jump begins.

        Args:
            rate: of the phase [m/s].
            place: of the toes along the path [m].
            time: [s].
        """
        curves = self.goal.curves
        step = PHASE_DIFFERENCE
        before, now, after = find_poses(
            self.biped, curves, curves.start + np.array([-step, 0, step])
        )
        q = MIRROR @ now
        q[0] += place
        q[1] += self.simulation.ground.rest.locate(place).height
        return JumpState(q, MIRROR @ (after - before) * rate / (2 * step), time)

    def is_fallen(self, state: JumpState) -> bool:
        """Return whether hip or trunk are where no jump has them."""
        return FALL_BOUNDS.is_fallen(self.simulation, state.q)

    def observe(self, state: JumpState) -> MirroredState:
        """Return the dynamics of a state, with the mean of both legs."""
        return MirroredState.compute(self.biped, average_legs(state.q), average_legs(state.v))

    def advance(self, state: JumpState) -> JumpState:
        """Return the state after a time step."""
        seen = self.observe(state)
        state = self._change_stage(state, seen)
        state = self._measure_landing(state, seen)
        if state.stage == JumpStage.AIR and state.flight is not None:
            control = self._controller.fly(seen, state.flight, state.time)
        elif state.stage == JumpStage.TOES:
            control = self._controller.push_off(seen)
        else:
            state = self._shift_indicator(state, seen)
            blend = state.blend
            left = None if blend is None else blend.sample(BOTH_ROWS, state.time)
            control = self._controller.stand(seen, state.place or 0.0, left or NO_OFFSET)
        return self._simulate(state, self._controller.compute_torques(control, seen))

    def _change_stage(self, state: JumpState, seen: MirroredState) -> JumpState:
        curves = self.goal.curves
        if state.stage == JumpStage.FLAT and seen.phase > curves.toe_off:
            state = replace(state, stage=JumpStage.TOES)
        is_straight = seen.q[3] - seen.q[4] < JUMP_CONTROL.straight_knee
        if state.stage == JumpStage.TOES and (is_straight or seen.phase > curves.takeoff):
            flight = JumpFlight.from_takeoff(
                self.biped, self.goal, seen, state.time, self.simulation.ground.rest
            )
            state = replace(state, stage=JumpStage.AIR, flight=flight)
        return state

    def _measure_landing(self, state: JumpState, seen: MirroredState) -> JumpState:
        """Return the state with the errors of a landing whose impact may go on."""
        after = state.time - state.landed
        if state.stage != JumpStage.FLAT or after >= JUMP_CONTROL.settling:
            return state
        error = self._controller.measure_error(seen)
        return replace(state, blend=Blend(error.value, error.rate, state.time, JUMP_CONTROL.blend))

    def _shift_indicator(self, state: JumpState, seen: MirroredState) -> JumpState:
        """Return the state with the indicator nearer to the place that is chosen."""
        place = self.choose(seen.phase, seen.rate)
        before = place if state.place is None else state.place
        change = float(np.clip(place - before, -JUMP_CONTROL.max_shift, JUMP_CONTROL.max_shift))
        return replace(state, place=before + change)

    def _simulate(self, state: JumpState, torque: Array) -> JumpState:
        biped = self.biped
        apart = TORQUES.T @ np.append(np.zeros(3), state.q[3:6] - state.q[6:9])
        parting = TORQUES.T @ np.append(np.zeros(3), state.v[3:6] - state.v[6:9])
        closing = -np.asarray(JUMP_CONTROL.leg_stiffness) * apart
        closing = closing - np.asarray(JUMP_CONTROL.leg_damping) * parting
        closing = biped.side_view.total_mass * closing
        force = biped.torque_map @ np.concatenate([torque / 2 + closing, torque / 2 - closing])
        result = self.simulation.advance(
            (state.q, state.v),
            biped.compute_dynamics(state.q, state.v),
            biped.move_points(state.q, state.v),
            force,
        )
        after = replace(
            state,
            q=result.q,
            v=result.v,
            time=state.time + SIMULATION.time_step,
        )
        return self._land(after) if result.impulses else after

    def _land(self, state: JumpState) -> JumpState:
        flight = state.flight
        if (
            state.stage != JumpStage.AIR
            or flight is None
            or state.time <= flight.begin + JUMP_CONTROL.least_air_time
        ):
            return state
        return replace(
            state, stage=JumpStage.FLAT, jumps=state.jumps + 1, landed=state.time, blend=None
        )
