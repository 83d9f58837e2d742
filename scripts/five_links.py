"""Walker of five links with point feet: tracking by phase against tracking by time.

Usage: five_links.py [PICTURE]

Prints tables 1 and 2 of Abe and Popović 2011 and the ranges of pushes again, and draws figure 5.
Our tracker follows the gait by its phase; the nonlinear quadratic regulator (NQR) follows six steps
of it by time. It takes two minutes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.tracker.biped import Dynamics, LegAngle, measure_line_angle
from footfall.core.engine.tracker.input_walk import solve_leg
from footfall.core.engine.tracker.phase_curve import Condition, CurveSample, PhaseCurveFit
from footfall.core.engine.tracker.side_view import SideView
from numpy.typing import NDArray
from scipy.interpolate import PPoly

Array = NDArray[np.float64]

TIME_STEP = 1 / 240
SUBSTEPS = 4
GRAVITY = 9.81
MASS = 51.0  # [kg] as in the paper
MAX_TORQUE = 300.0  # [N m] as in the paper
PUSH_TIME = 0.1  # [s]
STEPS = 6
# Stance-first order of the angles of a walker that stands on leg 2, and of its torques.
ANGLES_EXCHANGED = np.array([0, 3, 4, 1, 2])
TORQUES_EXCHANGED = np.array([2, 3, 0, 1])
# Joints by angles: knee and hip of leg 1, hip and knee of leg 2.
JOINTS = np.array([[0, 1, -1, 0, 0], [-1, 1, 0, 0, 0], [-1, 0, 0, 1, 0], [0, 0, 0, 1, -1]], float)
# Torques on the angles: hip and knee of leg 1, hip and knee of leg 2.
TORQUE_MAP = np.array(
    [[-1, 0, -1, 0], [1, -1, 0, 0], [0, 1, 0, 0], [0, 0, 1, -1], [0, 0, 0, 1]], float
)
CONVERGENCE = 0.05  # [s]
GAIN = 10.0
# Weights of position, velocity, final position, final velocity and torque.
WEIGHT_NAMES = ("Q", "Q of rates", "Qend", "Qend of rates", "R")
PAPER_WEIGHTS = (1e6, 1e2, 1e8, 1e8, 10.0)
# Weights that were tried by hand, which the search has to beat.
HAND_WEIGHTS = (1e6, 1e4, 1e6, 1e4, 1.0)
# Number of random weights that are tried, and their range as powers of ten.
TRIALS = 60
POWERS = ((2, 8), (0, 6), (2, 9), (0, 9), (-1, 4))
FORCES = (10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 700)


@dataclass(frozen=True)
class State:
    """States of b walkers.

    Args:
        angle, rate: pitches of trunk, thighs and shins, shape (b, 5) [rad], [rad/s].
        stance: index of the leg that stands, shape (b,).
    """

    angle: Array
    rate: Array
    stance: NDArray[np.int64]


class FiveLinks:
    """Dynamics of trunk, thighs and shins that stand on one point foot."""

    def __init__(self) -> None:
        view = SideView.from_model(KinematicModel(load_character("humanoid")))
        scale = MASS / view.total_mass
        mass = scale * np.array([*view.mass[:2], view.mass[2] + view.mass[3]])
        inertia = scale * np.array([*view.inertia[:2], view.inertia[2] + view.inertia[3]])
        self.mass = mass[[0, 1, 2, 1, 2]]
        self.inertia = inertia[[0, 1, 2, 1, 2]]
        self.view = view
        self.thigh = -1j * abs(view.thigh)
        self.shin = -1j * abs(view.shin)
        # Places from the hip as sums over links of these vectors.
        self.center = np.zeros((5, 5), complex)
        self.center[0, 0] = 1j * abs(view.center[0])
        self.foot = np.zeros((2, 5), complex)
        for leg in (0, 1):
            a = 1 + 2 * leg
            self.center[a, a] = self.center[a + 1, a] = 0.43 * self.thigh
            self.center[a + 1, a] = self.thigh
            self.center[a + 1, a + 1] = 0.5 * self.shin
            self.foot[leg, [a, a + 1]] = self.thigh, self.shin
        on_foot = self.center[None] - self.foot[:, None]  # (stance, link, 5)
        self.products = np.einsum("i,sij,sik->sjk", self.mass, on_foot.conj(), on_foot)
        self.moments = np.einsum("i,sij->sj", self.mass, on_foot)
        self.trunk = on_foot[:, 0]

    def accelerate(self, state: State, torque: Array, push: Array) -> Array:
        """Return angular accelerations (b, 5) with torques (b, 4) and pushes on the trunk (b,)."""
        dynamics = self.compute_dynamics(state)
        turn = np.exp(1j * state.angle)
        pushed = push[:, None] * (1j * self.trunk[state.stance] * turn).real
        force = torque @ TORQUE_MAP.T + pushed - dynamics.bias
        return np.linalg.solve(dynamics.mass, force[..., None])[..., 0]

    def compute_dynamics(self, state: State) -> Dynamics:
        """Return mass matrices (b, 5, 5) and biases (b, 5)."""
        turn = np.exp(1j * state.angle)
        products = self.products[state.stance] * (turn.conj()[:, :, None] * turn[:, None, :])
        bias = -(products.imag @ (state.rate**2)[..., None])[..., 0]
        bias += GRAVITY * (self.moments[state.stance] * turn).real
        return Dynamics(products.real + np.diag(self.inertia), bias)

    def advance(self, state: State, torque: Array, push: Array) -> State:
        """Return the states after a time step without impact."""
        h = TIME_STEP / SUBSTEPS
        for _ in range(SUBSTEPS):
            rate = state.rate + h * self.accelerate(state, torque, push)
            state = State(state.angle + h * rate, rate, state.stance)
        return state

    def locate_swing_foot(self, state: State) -> NDArray[np.complex128]:
        """Return the place of the other foot from that which stands [m], shape (b,)."""
        line = self.foot[1 - state.stance] - self.foot[state.stance]
        return (line * np.exp(1j * state.angle)).sum(-1)

    def locate_hip(self, state: State) -> NDArray[np.complex128]:
        """Return the place of the hip from the foot that stands [m], shape (b,)."""
        return -(self.foot[state.stance] * np.exp(1j * state.angle)).sum(-1)

    def land(self, angle: Array, rate: Array, stance: int) -> Array:
        """Return the rates (5,) after the other foot has landed and the first one has left."""
        turn = np.exp(1j * angle)
        products = np.einsum("i,ij,ik->jk", self.mass, self.center.conj(), self.center)
        mass = np.zeros((7, 7))
        mass[2:, 2:] = (products * np.outer(turn.conj(), turn)).real + np.diag(self.inertia)
        mass[0, 0] = mass[1, 1] = MASS
        moment = 1j * (self.mass @ self.center) * turn
        mass[0, 2:] = mass[2:, 0] = moment.real
        mass[1, 2:] = mass[2:, 1] = moment.imag

        def find_jacobian(leg: int) -> Array:
            line = 1j * self.foot[leg] * turn
            return np.concatenate([np.eye(2), np.stack([line.real, line.imag])], 1)

        old, new = find_jacobian(stance), find_jacobian(1 - stance)
        free = np.concatenate([-old[:, 2:] @ rate, rate])
        response = np.linalg.solve(mass, new.T)
        return (free - response @ np.linalg.solve(new @ response, new @ free))[2:]


def measure_leg(robot: FiveLinks, angle: Array, rate: Array) -> LegAngle:
    """Return the angle of leg 1, which stands, from the vertical; Jacobian of shape (b, 5)."""
    vectors = -robot.foot[0] * np.exp(1j * angle)
    return measure_line_angle(vectors.sum(-1), vectors, rate)


@dataclass(frozen=True)
class Gait:
    """Constraints of the joints over the phase.

    Args:
        curves: joints and their two derivatives.
        span: phases of landing of leg 1 and of leg 2 [rad].
        start: angles and their slopes after a landing, each (5,).
    """

    curves: tuple[PPoly, PPoly, PPoly]
    span: tuple[float, float]
    start: tuple[Array, Array]

    def sample(self, phase: Array) -> CurveSample:
        """Return joints and derivatives, (b, 4) each; straight beyond both ends."""
        inside = np.clip(phase, *self.span)
        value, slope, bend = (curve(inside) for curve in self.curves)
        beyond = np.clip(phase - inside, -0.1, 0.15)[:, None]
        return CurveSample(value + slope * beyond, slope, np.where(beyond == 0, bend, 0.0))


def author_gait(robot: FiveLinks, lean: float = -0.1, ahead: float = 0.0) -> Gait:
    """Return a gait of steps of 0.5 m."""
    length = 0.5
    share = np.linspace(0.0, 1.0, 201)
    leg = abs(robot.thigh) + abs(robot.shin)
    hip = ahead - length / 2 + length * share
    hip = hip + 1j * (0.955 * leg - 0.015 * np.cos(2 * np.pi * share))
    swing = -length + 2 * length * share**2 * (3 - 2 * share)
    swing = swing + 1j * 0.05 * (np.sin(np.pi * share) ** 2)
    view = robot.view
    shift = np.angle(view.thigh / robot.thigh), np.angle(view.shin / robot.shin)
    legs = [solve_leg(end - hip, view) + np.array(shift)[:, None] for end in (0 * hip, swing)]
    angle = np.stack([np.full(len(share), lean), *legs[0], *legs[1]], -1)
    phase = measure_leg(robot, angle, 0 * angle).value
    joints = angle @ JOINTS.T
    slope = (joints[-1] - joints[-4]) / (phase[-1] - phase[-4])
    slope[3] = -0.4  # The knee of the foot that lands bends.
    jacobian = measure_leg(robot, angle[-1], 0 * angle[-1]).jacobian
    rate = np.linalg.solve(np.vstack([JOINTS, jacobian]), np.append(slope, 1.0))
    landed = robot.land(angle[-1], rate, 0)[ANGLES_EXCHANGED]
    begin = angle[-1][ANGLES_EXCHANGED]
    first = measure_leg(robot, begin, landed)
    span = (float(first.value), float(phase[-1]))
    fit = PhaseCurveFit(
        phase,
        joints,
        span,
        8,
        [
            Condition(span[0], 0, JOINTS @ begin),
            Condition(span[0], 1, JOINTS @ landed / first.rate),
            Condition(span[1], 0, joints[-1]),
            Condition(span[1], 1, slope),
        ],
        1e-6,
    ).solve()
    breaks = fit.begin + fit.step * np.arange(len(fit.coefficients) + 1)
    curve = PPoly(fit.coefficients.transpose(1, 0, 2), breaks)
    return Gait(
        (curve, curve.derivative(), curve.derivative(2)), span, (begin, landed / first.rate)
    )


Policy = Callable[[int, State], Array]


@dataclass(frozen=True)
class PhaseTracker:
    """Our tracker (equations 1 to 3); convergence [s] and position gain of each walker, (b,)."""

    robot: FiveLinks
    gait: Gait
    convergence: Array
    gain: Array

    def __call__(self, tick: int, state: State) -> Array:
        """Return torques, shape (b, 4)."""
        second = (state.stance == 1)[:, None]
        angle = np.where(second, state.angle[:, ANGLES_EXCHANGED], state.angle)
        rate = np.where(second, state.rate[:, ANGLES_EXCHANGED], state.rate)
        leg = measure_leg(self.robot, angle, rate)
        curve = self.gait.sample(leg.value)
        slope = curve.slope
        error = angle @ JOINTS.T - curve.value
        error_rate = rate @ JOINTS.T - slope * leg.rate[:, None]
        e = self.convergence[:, None]
        k = self.gain[:, None]
        wanted = -k / e**2 * error - 2 * np.sqrt(k) / e * error_rate
        wanted += curve.curvature * leg.rate[:, None] ** 2 + slope * leg.bias[:, None]
        rows = JOINTS - slope[:, :, None] * leg.jacobian[:, None]
        dynamics = self.robot.compute_dynamics(State(angle, rate, 0 * state.stance))
        mass = dynamics.mass
        response = np.linalg.solve(mass, np.broadcast_to(TORQUE_MAP, (len(angle), 5, 4)))
        drift = np.linalg.solve(mass, dynamics.bias[..., None])
        torque = np.linalg.solve(rows @ response, wanted[..., None] + rows @ drift)[..., 0]
        torque = np.clip(torque, -MAX_TORQUE, MAX_TORQUE)
        return np.where(second, torque[:, TORQUES_EXCHANGED], torque)


@dataclass(frozen=True)
class Push:
    """A force on the trunk of each walker (b,) [N] from a tick on."""

    force: Array
    begin: int = 0


@dataclass(frozen=True)
class Run:
    """A simulation of b walkers.

    Args:
        states: of each tick.
        torques: of each tick, (b, 4).
        landings: ticks at which walker 0 landed.
        stands: whether each walker has not fallen, shape (b,).
    """

    states: list[State]
    torques: list[Array]
    landings: list[int]
    stands: NDArray[np.bool_]


def simulate(robot: FiveLinks, policy: Policy, start: State, ticks: int, push: Push) -> Run:
    """Return a simulation."""
    state = start
    states, torques, landings = [], [], []
    stands = np.ones(len(start.stance), bool)
    last = np.full(len(stands), -99)
    for tick in range(ticks):
        torque = np.nan_to_num(policy(tick, state))
        states.append(state)
        torques.append(torque)
        force = np.where(push.begin <= tick < push.begin + PUSH_TIME / TIME_STEP, push.force, 0.0)
        state = robot.advance(state, torque, force)
        state = State(state.angle, state.rate, state.stance.copy())
        swing = robot.locate_swing_foot(state)
        lands = stands & (swing.imag < 0) & (swing.real > 0.12) & (tick - last > 20)
        for k in np.flatnonzero(lands):
            state.rate[k] = robot.land(state.angle[k], state.rate[k], int(state.stance[k]))
            state.stance[k] = 1 - state.stance[k]
            last[k] = tick
            if k == 0:
                landings.append(tick)
        hip = robot.locate_hip(state).imag
        stands &= (hip > 0.55 * robot.view.leg_length) & (np.abs(state.angle[:, 0]) < 1.2)
        stands &= np.abs(robot.locate_swing_foot(state).imag) < 0.6
        if not stands.any():
            break
        # Those that have fallen stay where they are.
        angle = np.where(stands[:, None], state.angle, start.angle)
        rate = np.where(stands[:, None], state.rate, 0.0)
        state = State(angle, rate, state.stance)
    return Run(states, torques, landings, stands)


@dataclass(frozen=True)
class Reference:
    """Six steps of our tracker, which the regulator follows.

    Args:
        run: of one walker.
        start: its first state.
        maps: matrices of the state and of the torques from each tick to the next.
    """

    run: Run
    start: State
    maps: tuple[Array, Array]


def make_reference(robot: FiveLinks, gait: Gait) -> Reference:
    """Return six steps of a steady walk."""
    tracker = PhaseTracker(robot, gait, np.array([CONVERGENCE]), np.array([GAIN]))
    begin, slope = gait.start
    state = State(begin[None], 1.9 * slope[None], np.zeros(1, int))
    still = Push(np.zeros(1))
    run = simulate(robot, tracker, state, 2400, still)
    if not run.stands.all():
        raise RuntimeError("The walker of the reference falls.")
    first = next(k for k in run.landings if k > 1200 and run.states[k + 1].stance[0] == 0)
    start = run.states[first + 1]
    run = simulate(robot, tracker, start, 1200, still)
    ticks = run.landings[STEPS - 1] + 1
    run = Run(run.states[:ticks], run.torques[:ticks], run.landings[:STEPS], run.stands)
    return Reference(run, start, _linearize(robot, run))


def _linearize(robot: FiveLinks, run: Run) -> tuple[Array, Array]:
    """Return the derivatives of each tick's map, (n, 10, 10) and (n, 10, 4)."""
    states = np.array([np.concatenate([s.angle[0], s.rate[0]]) for s in run.states])
    torques = np.array([u[0] for u in run.torques])
    stance = np.array([s.stance[0] for s in run.states])

    def step(x: Array, u: Array) -> Array:
        after = robot.advance(State(x[:, :5], x[:, 5:], stance), u, np.zeros(len(x)))
        for k in run.landings:
            after.rate[k] = robot.land(after.angle[k], after.rate[k], int(stance[k]))
        return np.concatenate([after.angle, after.rate], 1)

    def differentiate(size: int, change: float, of_state: bool) -> Array:
        columns = []
        for k in range(size):
            d = np.zeros(size)
            d[k] = change
            plus, minus = (
                step(states + s * d * of_state, torques)
                if of_state
                else step(states, torques + s * d)
                for s in (1, -1)
            )
            columns.append((plus - minus) / (2 * change))
        return np.stack(columns, -1)

    return differentiate(10, 1e-6, True), differentiate(4, 0.1, False)


def solve_regulator(reference: Reference, weights: tuple[float, ...]) -> Array:
    """Return gains (n, 4, 10) of the quadratic regulator along the reference.

    Args:
        reference: trajectory.
        weights: of position, velocity, final position, final velocity and torque.
    """
    position, velocity, final_position, final_velocity, effort = weights
    cost = TIME_STEP * np.diag([position] * 5 + [velocity] * 5)
    value = np.diag([final_position] * 5 + [final_velocity] * 5)
    gains = []
    for a, b in zip(reference.maps[0][::-1], reference.maps[1][::-1], strict=True):
        right = b.T @ value @ a
        gain = np.linalg.solve(TIME_STEP * effort * np.eye(4) + b.T @ value @ b, right)
        value = cost + a.T @ value @ (a - b @ gain)
        value = 0.5 * (value + value.T)
        gains.append(gain)
    return np.array(gains[::-1])


@dataclass(frozen=True)
class TimeTracker:
    """The regulator; gains of each walker, shape (n, b, 4, 10)."""

    reference: Reference
    gains: Array

    def __call__(self, tick: int, state: State) -> Array:
        """Return torques, shape (b, 4)."""
        k = min(tick, len(self.gains) - 1)
        wanted = self.reference.run.states[k]
        error = np.concatenate([state.angle - wanted.angle, state.rate - wanted.rate], 1)
        torque = self.reference.run.torques[k] - (self.gains[k] @ error[..., None])[..., 0]
        return np.clip(torque, -MAX_TORQUE, MAX_TORQUE)


def withstand(robot: FiveLinks, reference: Reference, policy: Policy, forces: Array) -> Run:
    """Return six steps with a push of each walker midway through the second step."""
    landings = reference.run.landings
    count = len(forces)
    start = State(
        np.repeat(reference.start.angle, count, 0),
        np.repeat(reference.start.rate, count, 0),
        np.repeat(reference.start.stance, count),
    )
    push = Push(forces, (landings[0] + landings[1]) // 2)
    return simulate(robot, policy, start, len(reference.run.states), push)


@dataclass(frozen=True)
class Laboratory:
    """The robot, its gait, and the steps that the regulator follows."""

    robot: FiveLinks
    gait: Gait
    reference: Reference

    def track_phase(self, convergence: Array, gain: Array) -> PhaseTracker:
        """Return our tracker with parameters of each walker (b,)."""
        return PhaseTracker(self.robot, self.gait, convergence, gain)

    def track_time(self, weights: list[tuple[float, ...]]) -> TimeTracker:
        """Return the regulator with weights of each walker."""
        gains = {w: solve_regulator(self.reference, w) for w in dict.fromkeys(weights)}
        return TimeTracker(self.reference, np.stack([gains[w] for w in weights], 1))

    def push(self, policy: Policy, forces: Array) -> NDArray[np.bool_]:
        """Return which walkers stand after pushes (b,) [N]."""
        return withstand(self.robot, self.reference, policy, forces).stands

    def find_ranges(self, policies: Policy, count: int) -> Array:
        """Return the forces that each of `count` policies withstands [N], shape (count, 2).

        Args:
            policies: of `count` times all forces, the forces of a policy next to each other.
            count: number of policies.
        """
        forces = np.array([sign * f for sign in (-1, 1) for f in FORCES], float)
        stands = self.push(policies, np.tile(forces, count)).reshape(count, 2, -1)
        reached = np.cumprod(stands, -1)  # (count, 2, forces)
        largest = (reached * np.array(FORCES)).max(-1)
        return largest * np.array([-1.0, 1.0])


def find_limits(grid: Array, stands: NDArray[np.bool_], value: float) -> str:
    """Return the smallest and largest value around a working one for which a walker stands."""
    middle = int(np.argmin(np.abs(np.log(grid / value))))
    if not stands[middle]:
        return "falls"
    low = high = middle
    while low > 0 and stands[low - 1]:
        low -= 1
    while high < len(grid) - 1 and stands[high + 1]:
        high += 1
    return f"{grid[low]:.3g} to {grid[high]:.3g}"


def tune_weights(laboratory: Laboratory, rng: np.random.Generator) -> tuple[float, ...]:
    """Return weights with which the regulator withstands most, of random ones and given ones."""
    drawn = [
        tuple(float(10 ** rng.uniform(low, high)) for low, high in POWERS) for _ in range(TRIALS)
    ]
    trials = [HAND_WEIGHTS, *drawn]
    repeated = [w for w in trials for _ in range(2 * len(FORCES))]
    ranges = laboratory.find_ranges(laboratory.track_time(repeated), len(trials))
    # The smaller one of both directions counts, then the other.
    score = np.abs(ranges).min(1) + 0.1 * np.abs(ranges).max(1)
    return trials[int(np.argmax(score))]


def print_tables(laboratory: Laboratory, tuned: tuple[float, ...]) -> None:
    """Print the ranges of pushes, and those of the parameters."""
    count = 2 * len(FORCES)
    ours = laboratory.track_phase(np.full(count, CONVERGENCE), np.full(count, GAIN))
    print("| walker | forces during 0.1 s |\n| --- | --- |")
    rows = {"ours": ours}
    for name, weights in (("the weights of the paper", PAPER_WEIGHTS), ("tuned weights", tuned)):
        rows[f"NQR, {name}"] = laboratory.track_time([weights] * count)
    for name, policy in rows.items():
        low, high = laboratory.find_ranges(policy, 1)[0]
        print(f"| {name} | {low:.0f} to {high:.0f} N |")
    print("\n| parameter | value | stands after -50 N |\n| --- | --- | --- |")
    grid = np.logspace(-4, 1, 41)
    fixed = np.full(len(grid), -50.0)
    stands = laboratory.push(laboratory.track_phase(grid, np.full(len(grid), GAIN)), fixed)
    print(f"| epsilon | {CONVERGENCE} | {find_limits(grid, stands, CONVERGENCE)} |")
    grid = np.logspace(-3, 6, 41)
    stands = laboratory.push(laboratory.track_phase(np.full(41, CONVERGENCE), grid), fixed)
    print(f"| ks | {GAIN:.0f} | {find_limits(grid, stands, GAIN)} |")
    for title, weights, force in (("paper", PAPER_WEIGHTS, -20.0), ("tuned", tuned, -50.0)):
        for k, name in enumerate(WEIGHT_NAMES):
            grid = weights[k] * np.logspace(-5, 5, 21)
            varied = [(*weights[:k], float(w), *weights[k + 1 :]) for w in grid]
            stands = laboratory.push(laboratory.track_time(varied), np.full(21, force))
            limits = find_limits(grid, stands, weights[k])
            print(f"| {name} ({title}, {force:.0f} N) | {weights[k]:.3g} | {limits} |")


def draw_responses(laboratory: Laboratory, tuned: tuple[float, ...], picture: str) -> None:
    """Draw figure 5: responses of both to a push of -50 N."""
    import matplotlib.pyplot as plt

    robot = laboratory.robot
    figure, axes = plt.subplots(2, 3, figsize=(11, 5.5), layout="constrained")
    policies = (
        laboratory.track_phase(np.array([CONVERGENCE]), np.array([GAIN])),
        laboratory.track_time([tuned]),
    )
    for row, policy, name in zip(axes, policies, ("by phase", "NQR, by time"), strict=True):
        pushed = withstand(robot, laboratory.reference, policy, np.array([-50.0]))
        for run, color in ((laboratory.reference.run, "tab:red"), (pushed, "black")):
            angle = np.array([s.angle[0] for s in run.states])
            stance = np.array([s.stance[0] for s in run.states])
            line = -(robot.foot * np.exp(1j * angle)[:, None]).sum(-1)  # (ticks, leg)
            leg = -np.angle(line / 1j)
            ticks = np.arange(len(leg))
            stand, swing = leg[ticks, stance], leg[ticks, 1 - stance]
            torque = np.array([u[0] for u in run.torques])[ticks, 2 * stance]
            for start in (0, *(k + 1 for k in run.landings)):
                end = min((k + 1 for k in run.landings if k + 1 > start), default=len(leg))
                row[0].plot(stand[start:end], swing[start:end], color=color, linewidth=0.8)
            row[1].plot(ticks * TIME_STEP, stand, color=color, linewidth=0.8)
            row[2].plot(ticks * TIME_STEP, torque, color=color, linewidth=0.8)
        row[0].set(xlabel="leg that stands, rad", ylabel="leg that swings, rad", title=name)
        row[1].set(xlabel="time, s", ylabel="leg that stands, rad")
        row[2].set(xlabel="time, s", ylabel="torque of the hip that stands, N m")
    figure.savefig(picture, dpi=90)


def main(picture: str | None = None) -> None:
    """Print the tables, and draw the figure into a file."""
    robot = FiveLinks()
    gait = author_gait(robot)
    laboratory = Laboratory(robot, gait, make_reference(robot, gait))
    tuned = tune_weights(laboratory, np.random.default_rng(0))
    print_tables(laboratory, tuned)
    if picture is not None:
        draw_responses(laboratory, tuned, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
