"""Broad jumps of the planar biped with the optimal policy of its foot rotation indicator.

Usage: broad_jumps.py [PICTURE [JUMPS]]

Abe and Popović 2011, figures 6 and 7. Both legs move alike. The phase is the place of the center of
mass from the toes. While the feet are flat, height of the center of mass and pitch of the trunk
follow the phase; at toe-off the ground force does; in the air the legs go to their landing pose.
Prints how many jumps succeed with the policy and without it, and draws return maps and policy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.tracker.biped import ANKLE_1, CENTER, TOE_1, PlanarBiped
from footfall.core.engine.tracker.blend import Blend
from footfall.core.engine.tracker.controller import JointOffset
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.policies.force_terms import (
    ACCELERATION,
    CONSTANT,
    MOMENT,
    RATE,
    UP,
    sample_force,
)
from footfall.core.engine.tracker.side_view import SideView
from footfall.core.engine.tracker.simulation import SIMULATION, PlanarSimulation
from numpy.typing import NDArray
from scipy.interpolate import BPoly

Array = NDArray[np.float64]

# Phases [m] at which curves are given, with heights and slopes of the center of mass [m] and
# pitches and slopes of the trunk [rad].
KNOTS = [-0.40, -0.26, -0.14, -0.06, 0.16]
HEIGHT = BPoly.from_derivatives(
    KNOTS, [[0.97, -0.8], [0.86, -0.9], [0.785, 0.0], [0.80, 0.5], [0.97, 0.6]]
)
PITCH = BPoly.from_derivatives(
    KNOTS, [[-0.6, 0.3], [-0.55, 0.4], [-0.40, 1.2], [-0.28, 1.5], [-0.02, 0.8]]
)
LANDING = -0.26  # phase of the pose in which the feet land [m]
TOE_OFF = -0.06  # phase at which the heels lift [m]
FLIGHT = 0.04  # phase at which the toes lift [m]
START = -0.20  # phase at which return maps begin [m]
# Gains of the constraints; of the legs in the air; of differences between the legs.
STIFFNESS, DAMPING = 4000.0, 126.0
AIR_STIFFNESS, AIR_DAMPING = 800.0, 57.0
LEG_STIFFNESS = np.array([600.0, 400.0, 60.0])
LEG_DAMPING = np.array([24.0, 12.0, 1.5])
BLEND = 0.12  # time within which errors of a landing vanish [s]
SETTLING = 2.5 / 240  # time after a landing in which they are measured [s]
FRICTION = 0.7
LEAST_LOAD = 0.15  # [body weights]
MAX_TORQUE = 600.0  # of both legs [N m]
MAX_SHIFT = 0.01  # of the indicator in a time step [m]
LIFT_FORCE, DRIVE_FORCE = 1.7, 0.1  # at toe-off, up and forward [body weights]
TUCK = np.array([0.25, -0.35, 0.0])  # of thigh, shin and foot in the middle of the flight [rad]
SHORTEST_FLIGHT = 0.1  # of a body that falls [s]
DIFFERENCE = 1e-3  # change of the phase for derivatives [m]
# Grid of the policy: phases, rates, places of the indicator.
PHASES = np.linspace(-0.27, TOE_OFF, 100)
RATES = np.linspace(0.02, 3.0, 100)
GOAL_RATE = 0.95  # at toe-off [m/s]
CONSTANT_PLACE = -0.15  # of the indicator without a policy, from the toes [m]

# Coordinates of a body whose legs are alike: hip, pitches of trunk, thigh, shin and foot.
ALIKE = np.zeros((9, 6))
ALIKE[[0, 1, 2], [0, 1, 2]] = 1.0
ALIKE[[3, 4, 5, 6, 7, 8], [3, 4, 5, 3, 4, 5]] = 1.0
# Torques of hip, knee and ankle on these.
TORQUES = np.zeros((6, 3))
TORQUES[[2, 3, 3, 4, 4, 5], [0, 0, 1, 1, 2, 2]] = [-1, 1, -1, 1, -1, 1]


class Stage(IntEnum):
    """Contacts of the feet."""

    FLAT = 0
    TOES = 1
    AIR = 2


@dataclass(frozen=True)
class BodyState:
    """Dynamics and points of a body whose legs are alike, or of a batch.

    Args:
        q, v: coordinates and rates, shape (..., 6).
        mass, bias: of the equations of motion.
        place: of the points, shape (..., p) [m].
        jacobian, turning: of the points.
    """

    q: Array
    v: Array
    mass: Array
    bias: Array
    place: NDArray[np.complex128]
    jacobian: Array
    turning: Array

    @staticmethod
    def compute(biped: PlanarBiped, q: Array, v: Array) -> BodyState:
        """Return the state at coordinates and rates."""
        dynamics = biped.compute_dynamics(q @ ALIKE.T, v @ ALIKE.T)
        points = biped.move_points(q @ ALIKE.T, v @ ALIKE.T)
        return BodyState(
            q,
            v,
            ALIKE.T @ dynamics.mass @ ALIKE,
            dynamics.bias @ ALIKE,
            points.position,
            points.jacobian @ ALIKE,
            points.bias,
        )

    def make_moment_row(self, place: complex) -> Array:
        """Return the velocity of a rigid turn about a place, shape (6,)."""
        arm = 1j * (self.q[0] + 1j * self.q[1] - place)
        return np.array([arm.real, arm.imag, 1.0, 1.0, 1.0, 1.0])


def find_poses(biped: PlanarBiped, phase: Array) -> Array:
    """Return the coordinates with flat feet at phases [m], shape (n, 6); toes are at x = 0."""
    view = biped.side_view
    q = np.zeros((len(phase), 6))
    q[:, 2] = PITCH(phase)
    q[:, 3], q[:, 4] = 0.9, -0.6
    ankle = -view.toe.real + 1j * view.ankle_height
    for _ in range(60):
        turn = np.exp(1j * q[:, 3:5])
        hip = ankle - turn @ np.array([view.thigh, view.shin])
        q[:, 0], q[:, 1] = hip.real, hip.imag
        state = BodyState.compute(biped, q, 0 * q)
        center = state.place[:, CENTER]
        error = np.stack([center.real - phase, center.imag - HEIGHT(phase)], -1)
        moved = -1j * turn * np.array([view.thigh, view.shin])
        slope = state.jacobian[:, CENTER, :, 3:5] + np.stack([moved.real, moved.imag], 1)
        change = np.linalg.solve(slope, error[..., None])[..., 0]
        q[:, 3:5] -= np.clip(change, -0.2, 0.2)
    return q


@dataclass(frozen=True)
class JumpPolicy:
    """Place of the indicator by phase and rate, and its value (figure 7).

    Args:
        place: from the toes [m], shape (phases, rates).
        value: difference of the rate at toe-off from the goal [m/s], likewise.
    """

    place: Array
    value: Array

    @staticmethod
    def optimize(biped: PlanarBiped, places: Array) -> JumpPolicy:
        """Return the policy of least difference from the goal, by value iteration."""
        force = sample_force(biped, lambda x: find_poses(biped, x) @ ALIKE.T, PHASES, DIFFERENCE)
        place = np.zeros((len(PHASES), len(RATES)))
        value = np.tile(np.abs(RATES - GOAL_RATE), (len(PHASES), 1))
        step = PHASES[1] - PHASES[0]
        zeta = 0.5 * RATES[:, None] ** 2
        for k in range(len(PHASES) - 2, -1, -1):
            moment = force[k, MOMENT] - places[:, None] * force[k, UP]  # (places, terms)
            slope = -(2 * zeta * moment[:, RATE] + moment[:, CONSTANT]) / moment[:, ACCELERATION]
            after = zeta + step * slope
            later = np.interp(np.sqrt(2 * np.maximum(after, 0.0)), RATES, value[k + 1])
            later = np.where(after < 0.5 * 0.15**2, 3.0, later)  # The body would stop.
            cost = later + 1e-4 * np.abs(places + 0.12)
            best = cost.argmin(1)
            place[k], value[k] = places[best], later[np.arange(len(RATES)), best]
        return JumpPolicy(place, value)

    def choose(self, phase: float, rate: float) -> float:
        """Return the place of the indicator from the toes [m]."""
        k = int(np.clip(np.rint((phase - PHASES[0]) / (PHASES[1] - PHASES[0])), 0, len(PHASES) - 1))
        return float(np.interp(rate, RATES, self.place[k]))


@dataclass(frozen=True)
class Control:
    """What the controller is to reach.

    Args:
        acceleration: shape (6,).
        force: of the ground [N], shape (2,).
        point: row of the points at which it acts; None in the air.
    """

    acceleration: Array
    force: Array
    point: int | None


@dataclass(frozen=True)
class Flight:
    """Motion of the legs in the air, from their pose at toe-off to that of the landing.

    Args:
        begun: time of toe-off [s].
        seconds: until the legs are in their landing pose [s].
        pitch, rate: of thigh, shin and foot at toe-off, shape (3,).
        landing: their pitches in the landing pose [rad].
    """

    begun: float
    seconds: float
    pitch: Array
    rate: Array
    landing: Array

    @staticmethod
    def begin(walker: JumpWalker, state: BodyState) -> Flight:
        """Return the flight that begins in a state."""
        biped = walker.simulation.biped
        rise = float(state.jacobian[CENTER, 1] @ state.v)
        ground = state.place[TOE_1].imag - biped.side_view.toe_height
        fall = state.place[CENTER].imag - ground - float(HEIGHT(LANDING))
        seconds = (rise + np.sqrt(max(rise**2 + 2 * biped.gravity * fall, 0.01))) / biped.gravity
        seconds = max(seconds, SHORTEST_FLIGHT)
        landing = find_poses(biped, np.array([LANDING]))[0, 3:]
        return Flight(walker.time, 0.95 * seconds, state.q[3:].copy(), state.v[3:].copy(), landing)

    def accelerate(self, state: BodyState, time: float) -> Array:
        """Return the angular accelerations of thigh, shin and foot, shape (3,)."""
        u = min((time - self.begun) / self.seconds, 1.0)
        curve = BPoly.from_derivatives(
            [0.0, self.seconds],
            np.stack(
                [
                    [self.pitch, self.rate, 0 * self.pitch],
                    [self.landing, 0 * self.pitch, 0 * self.pitch],
                ]
            ),
        )
        tuck = BPoly.from_derivatives(
            [0.0, 0.5 * self.seconds, self.seconds], [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
        )
        at = u * self.seconds
        wanted = [curve(at, nu) + TUCK * tuck(at, nu) for nu in (0, 1, 2)]
        if u >= 1:
            wanted[1:] = [np.zeros(3), np.zeros(3)]
        error = state.q[3:] - wanted[0]
        return wanted[2] - AIR_STIFFNESS * error - AIR_DAMPING * (state.v[3:] - wanted[1])


def _mean_legs(values: Array) -> Array:
    return np.concatenate([values[:3], 0.5 * (values[3:6] + values[6:9])])


def _measure_phase(state: BodyState) -> Array:
    """Return the phase [m] and its rate [m/s]."""
    relative = state.jacobian[CENTER, 0] - state.jacobian[TOE_1, 0]
    place = state.place[CENTER].real - state.place[TOE_1].real
    return np.array([place, relative @ state.v])


@dataclass
class JumpWalker:
    """A simulated body that jumps.

    Args:
        simulation: biped and ground.
        choose: place of the indicator from the toes [m] by phase and rate.
        q, v: coordinates and rates of the biped, shape (9,).
        time: [s].
        stage: contacts of the feet.
        jumps: number of landings.
        rates: rate of the phase whenever it passes `START` [m/s].
    """

    simulation: PlanarSimulation
    choose: Callable[[float, float], float]
    q: Array
    v: Array
    time: float = 0.0
    stage: Stage = Stage.FLAT
    jumps: int = 0
    rates: list[float] = field(default_factory=list)
    _place: float | None = None
    _landed: float = -9.0
    _blend: Blend | None = None
    _flight: Flight | None = None
    _phase: float = START

    @staticmethod
    def start(
        simulation: PlanarSimulation, choose: Callable[[float, float], float], rate: float
    ) -> JumpWalker:
        """Return a body at the phase `START` with a rate [m/s]."""
        e = DIFFERENCE
        before, now, after = find_poses(simulation.biped, START + np.array([-e, 0.0, e]))
        slope = (after - before) / (2 * e)
        return JumpWalker(simulation, choose, ALIKE @ now, ALIKE @ slope * rate)

    @property
    def is_fallen(self) -> bool:
        """Whether hip or trunk are where no jump has them."""
        height = self.q[1] - self.simulation.ground.locate(float(self.q[0])).height
        return bool(not np.isfinite(self.q).all() or height < 0.35 or abs(self.q[2]) > 1.9)

    def observe(self) -> BodyState:
        """Return the state of the body, with the mean of both legs."""
        return BodyState.compute(self.simulation.biped, _mean_legs(self.q), _mean_legs(self.v))

    def advance(self) -> None:
        """Simulate a time step."""
        state = self.observe()
        phase, rate = _measure_phase(state)
        if self.stage == Stage.FLAT and self._phase < START <= phase:
            self.rates.append(rate)
        self._phase = phase
        if self.stage == Stage.FLAT and phase > TOE_OFF:
            self.stage = Stage.TOES
        if self.stage == Stage.TOES and phase > FLIGHT:
            self.stage = Stage.AIR
            self._flight = Flight.begin(self, state)
        control = self._control(state, phase, rate)
        needed = state.mass @ control.acceleration + state.bias
        if control.point is not None:
            needed = needed - state.jacobian[control.point].T @ control.force
        rows = [2, 3, 4] if control.point == ANKLE_1 else [2, 3, 4, 5]
        torque = np.linalg.lstsq(TORQUES[rows], needed[rows], rcond=None)[0]
        self._simulate(np.clip(torque, -MAX_TORQUE, MAX_TORQUE))

    def _simulate(self, torque: Array) -> None:
        biped = self.simulation.biped
        apart = TORQUES.T @ np.append(np.zeros(3), self.q[3:6] - self.q[6:9])
        parting = TORQUES.T @ np.append(np.zeros(3), self.v[3:6] - self.v[6:9])
        closing = -LEG_STIFFNESS * apart - LEG_DAMPING * parting
        force = biped.torque_map @ np.concatenate([torque / 2 + closing, torque / 2 - closing])
        result = self.simulation.advance(
            (self.q, self.v),
            biped.compute_dynamics(self.q, self.v),
            biped.move_points(self.q, self.v),
            force,
        )
        self.q, self.v = result.q, result.v
        self.time += SIMULATION.time_step
        flight = self._flight
        is_late = flight is not None and self.time > flight.begun + 0.1
        if self.stage == Stage.AIR and is_late and result.impulses:
            self.stage = Stage.FLAT
            self.jumps += 1
            self._landed = self.time
            self._phase = -1.0

    def _control(self, state: BodyState, phase: float, rate: float) -> Control:
        if self.stage == Stage.AIR and self._flight is not None:
            turn = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
            rows = np.vstack([np.eye(6)[3:], state.mass[:2], turn @ state.mass])
            free = -np.append(state.bias[:2], state.bias[2:].sum())
            legs = self._flight.accelerate(state, self.time)
            return Control(np.linalg.solve(rows, np.append(legs, free)), np.zeros(2), None)
        if self.stage == Stage.TOES:
            return self._push_off(state, phase, rate)
        return self._stand(state, phase, rate)

    def _stand(self, state: BodyState, phase: float, rate: float) -> Control:
        """Return the acceleration with which constraints and indicator are kept."""
        toe, center = state.place[TOE_1], state.place[CENTER]
        ground = toe.imag - self.simulation.biped.side_view.toe_height
        along = state.jacobian[CENTER, 0] - state.jacobian[TOE_1, 0]
        joints = np.stack([state.jacobian[CENTER, 1], np.eye(6)[2]])
        slope = np.array([HEIGHT(phase, 1), PITCH(phase, 1)])
        bend = np.array([HEIGHT(phase, 2), PITCH(phase, 2)])
        error = np.array([center.imag - ground - HEIGHT(phase), state.q[2] - PITCH(phase)])
        error_rate = joints @ state.v - slope * rate
        left = self._find_error_left(error, error_rate)
        turning = np.array([state.turning[CENTER, 1], 0.0]) - slope * state.turning[CENTER, 0]
        wanted = bend * rate**2 - turning + left.acceleration
        wanted = wanted - STIFFNESS * (error - left.value) - DAMPING * (error_rate - left.rate)
        place = self.choose(phase, rate)
        before = place if self._place is None else self._place
        self._place = before + float(np.clip(place - before, -MAX_SHIFT, MAX_SHIFT))
        moment = state.make_moment_row(complex(toe.real + self._place, ground))
        foot = np.eye(6)[5]
        rest = np.vstack([state.jacobian[ANKLE_1], foot])
        still = -np.append(state.turning[ANKLE_1], 0.0) - 20 * (rest @ state.v)
        rows = np.vstack([rest, moment @ state.mass, joints - slope[:, None] * along])
        values = np.concatenate([still, [-moment @ state.bias], wanted])
        acceleration = np.linalg.solve(rows, values)
        force = (state.mass @ acceleration + state.bias)[:2]
        lift = max(force[1], LEAST_LOAD * self._weight)
        bounded = np.array([np.clip(force[0], -FRICTION * lift, FRICTION * lift), lift])
        if (bounded != force).any():  # Equation 13; what is left is determined by the force.
            rows = np.vstack([rows[:4], state.mass[:2]])
            values = np.concatenate([values[:4], bounded - state.bias[:2]])
            acceleration = np.linalg.lstsq(rows, values, rcond=None)[0]
        return Control(acceleration, bounded, ANKLE_1)

    def _find_error_left(self, error: Array, error_rate: Array) -> JointOffset:
        """Return what is intended to be left of the error of the constraints after a landing."""
        passed = self.time - self._landed - SETTLING
        if self.time - self._landed < SETTLING:
            self._blend = Blend(error, error_rate, begin=0.0, length=BLEND)
            return JointOffset(error, error_rate, 0 * error)
        left = None if self._blend is None else self._blend.sample(np.arange(2), passed)
        return left or JointOffset(*np.zeros((3, 2)))

    def _push_off(self, state: BodyState, phase: float, rate: float) -> Control:
        """Return the acceleration with which the ground force follows the phase."""
        toe, center = state.place[TOE_1], state.place[CENTER]
        share = (phase - TOE_OFF) / (FLIGHT - TOE_OFF)
        lift = LIFT_FORCE * (1 - 0.4 * share**4)
        drive = lift * phase / (center.imag - toe.imag) + DRIVE_FORCE
        force = self._weight * np.array([drive, lift])
        slope = float(PITCH(phase, 1))
        error = state.q[2] - float(PITCH(phase))
        error_rate = state.v[2] - slope * rate
        pitch = float(PITCH(phase, 2)) * rate**2 + slope * state.turning[CENTER, 0]
        moment = state.make_moment_row(complex(toe))
        rows = np.vstack(
            [
                state.jacobian[TOE_1],
                np.eye(6)[2] - slope * state.jacobian[CENTER, 0],
                state.mass[:2],
                moment @ state.mass,
            ]
        )
        values = np.concatenate(
            [
                -state.turning[TOE_1] - 20 * (state.jacobian[TOE_1] @ state.v),
                [pitch - 100 * error - 20 * error_rate],
                force - state.bias[:2],
                [-moment @ state.bias],
            ]
        )
        return Control(np.linalg.lstsq(rows, values, rcond=None)[0], force, TOE_1)

    @property
    def _weight(self) -> float:
        return self.simulation.biped.side_view.total_mass * self.simulation.biped.gravity


def jump(walker: JumpWalker, count: int) -> JumpWalker:
    """Simulate a body until it has landed a number of times or fallen, and return it."""
    while walker.jumps < count and not walker.is_fallen and walker.time < 1.5 * count + 1:
        walker.advance()
    return walker


def find_return_map(
    simulation: PlanarSimulation, choose: Callable[[float, float], float], rates: Array
) -> Array:
    """Return the rates with which the body passes `START` after a jump; NaN where it falls."""
    out = np.full(len(rates), np.nan)
    for k, rate in enumerate(rates):
        walker = JumpWalker.start(simulation, choose, float(rate))
        while len(walker.rates) < 1 and not walker.is_fallen and walker.time < 1.5:
            walker.advance()
        if walker.rates and not walker.is_fallen:
            out[k] = walker.rates[0]
    return out


def draw(maps: dict[str, Array], rates: Array, policy: JumpPolicy, picture: str) -> None:
    """Draw figure 7: return maps, policy and value function."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(13, 3.4), layout="constrained")
    for axis, (name, after) in zip(axes, maps.items(), strict=False):
        axis.plot(rates, rates, color="tab:green")
        axis.plot(rates, after, ".-", color="tab:red")
        axis.set(xlabel="rate before, m/s", ylabel="rate after, m/s", title=name)
    failing = policy.value > 1.5
    extent = (PHASES[0], PHASES[-1], RATES[0], RATES[-1])
    for axis, values, name in (
        (axes[2], policy.place, "indicator, m from the toes"),
        (axes[3], policy.value, "value, m/s"),
    ):
        shown = np.where(failing, np.nan, values).T
        image = axis.imshow(shown, origin="lower", extent=extent, aspect="auto")
        figure.colorbar(image, ax=axis)
        axis.set(xlabel="phase, m", ylabel="rate, m/s", title=name)
    figure.savefig(picture, dpi=90)


def main(picture: str | None = None, count: str = "100") -> None:
    """Print the numbers of jumps, and draw the figure into a file."""
    biped = PlanarBiped(SideView.from_model(KinematicModel(load_character("humanoid"))), 9.81)
    view = biped.side_view
    heel = view.heel.real - view.toe.real
    policy = JumpPolicy.optimize(biped, np.linspace(heel + 0.02, -0.06, 20))
    flat = PlanarSimulation(biped, PathGround.level())

    def stay(phase: float, rate: float) -> float:
        return CONSTANT_PLACE

    print("| indicator | ground | jumps | last rates of the phase |\n| --- | --- | --- | --- |")
    # With the constant place the body falls before it reaches the slope.
    trials = (
        ("policy", policy.choose, 0.0),
        ("policy", policy.choose, 3.0),
        ("constant", stay, 0.0),
    )
    for name, choose, angle in trials:
        ground = PathGround.slope(np.radians(angle), 3.0) if angle else PathGround.level()
        walker = JumpWalker.start(replace(flat, ground=ground), choose, 1.0)
        jump(walker, int(count) if not angle else 25)
        last = ", ".join(f"{r:.2f}" for r in walker.rates[-3:])
        print(f"| {name} | {angle:.0f} degrees | {walker.jumps} | {last} |", flush=True)
    if picture is not None:
        rates = np.linspace(0.7, 1.4, 15)
        maps = {
            "without policy": find_return_map(flat, stay, rates),
            "with policy": find_return_map(flat, policy.choose, rates),
        }
        draw(maps, rates, policy, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
