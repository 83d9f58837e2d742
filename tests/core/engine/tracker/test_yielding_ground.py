"""Spongy ground and bridges of links: their physics against other integrations and balances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.tracker.biped import HEEL_1, PlanarBiped
from footfall.core.engine.tracker.bridge_ground import BridgeGround
from footfall.core.engine.tracker.contact_ground import ContactGround
from footfall.core.engine.tracker.contacts import solve_impulses
from footfall.core.engine.tracker.ground_step import Contact
from footfall.core.engine.tracker.link_chain import LinkChain
from footfall.core.engine.tracker.simulation import SIMULATION, PlanarSimulation
from footfall.core.engine.tracker.spongy_ground import SpongyGround
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]

GRAVITY = 9.81
MASS = 40.0
STEP = SIMULATION.time_step
SPONGE = SpongyGround(0.0, 4.0, 20_000.0, 400.0)
UP = np.array([0.0, 1.0])
# A short bridge, and one without damping.
CHAIN = LinkChain(count=5, span=2.0, sag=0.15, mass=8.0, damping=0.0, gravity=GRAVITY)


def _drop_mass(ground: SpongyGround, height: float, steps: int) -> Array:
    """Return the heights of a point mass that falls on the ground, shape (steps,)."""
    state = ground.make_state()
    out = []
    speed = 0.0
    for _ in range(steps):
        gap = height - ground.locate_surface(state, 1.0).height
        step = ground.begin_step(state, [Contact(HEEL_1, gap, UP, 1.0)], STEP)
        free = np.array([speed - STEP * GRAVITY, 0.0])
        free[0] += step.approach[0]
        response = np.eye(2) / MASS + step.response
        impulse = solve_impulses(response, free, 1.0)
        speed += float(impulse[0]) / MASS - STEP * GRAVITY
        height += STEP * speed
        state = step.finish(impulse, np.array([height]))
        out.append(height)
    return np.array(out)


def test_mass_on_spongy_ground_moves_as_an_integration_of_its_equation() -> None:
    def move(_: float, y: Array) -> list[float]:
        height, speed, depth = y
        stiffness, damping = SPONGE.stiffness, SPONGE.damping
        is_pressing = -height >= depth - 1e-9
        force = max(stiffness * -height - damping * speed, 0.0) if is_pressing else 0.0
        sinking = -speed if force > 0 else -stiffness / damping * depth
        return [speed, force / MASS - GRAVITY, sinking]

    steps = 120
    times = STEP * (1 + np.arange(steps))
    exact = solve_ivp(move, (0, times[-1]), [0.03, 0.0, 0.0], t_eval=times, max_step=2e-4)
    simulated = _drop_mass(SPONGE, 0.03, steps)
    assert np.ptp(exact.y[0]) > 0.07
    assert np.abs(simulated - exact.y[0]).max() < 0.06 * np.ptp(exact.y[0])
    # At last it rests at the depth at which the spring bears it.
    assert _drop_mass(SPONGE, 0.0, 600)[-1] == pytest.approx(
        -MASS * GRAVITY / SPONGE.stiffness, rel=1e-3
    )


def test_columns_come_back_by_their_damping() -> None:
    slow = replace(SPONGE, damping=2000.0)
    state = slow.make_state() + 0.02
    for _ in range(24):
        state = slow.begin_step(state, [], STEP).finish(np.zeros(0), np.zeros(0))
    assert state == pytest.approx(
        0.02 * np.exp(-slow.stiffness / slow.damping * 24 * STEP), rel=0.03
    )
    assert slow.locate_surface(state, 5.0).height == 0.0


def _fall_limp(biped: PlanarBiped, ground: ContactGround, distance: float) -> list[Array]:
    """Return states of body (9 coordinates, 9 rates) and ground of a body without torques."""
    simulation = PlanarSimulation(biped, ground)
    q = np.array([distance, 0.0, 0.05, 0.1, 0.0, 0.0, -0.1, -0.2, 0.0])
    q[1] = 0.02 - biped.locate(q).imag.min()
    v = np.zeros(9)
    surface = ground.make_state()
    out = []
    for _ in range(60):
        result = simulation.advance(
            (q, v),
            biped.compute_dynamics(q, v),
            biped.move_points(q, v),
            force=np.zeros(9),
            surface=surface,
        )
        q, v, surface = result.q, result.v, result.surface
        out.append(np.concatenate([q, v, surface]))
    return out


def test_body_on_spongy_ground_gains_no_energy(biped: PlanarBiped) -> None:
    states = _fall_limp(biped, SPONGE, 2.0)
    energy = np.array([biped.compute_energy(s[:9], s[9:18]) for s in states])
    depth = np.array([s[18:].max() for s in states])
    assert depth.max() > 0.01
    # The springs under both feet hold at most this energy.
    stored = 2 * SPONGE.stiffness * depth**2
    assert (energy[1:] < energy[:-1] + stored[:-1] + 0.5).all()
    assert energy[-1] < energy[0] - 5.0


def test_body_on_a_bridge_gains_no_energy(biped: PlanarBiped) -> None:
    ground = BridgeGround(1.0, CHAIN)
    states = _fall_limp(biped, ground, 2.0)
    hinges = [ground.read_state(s[18:]) for s in states]
    assert np.abs([h.place - CHAIN.rest for h in hinges]).max() > 0.01
    bridge = np.array([CHAIN.compute_energy(h.place, h.velocity) for h in hinges])
    total = bridge + [biped.compute_energy(s[:9], s[9:18]) for s in states]
    assert np.diff(total).max() < 1.0
    assert total[-1] < total[0]


def test_chain_hangs_at_rest_with_its_sag() -> None:
    ground = BridgeGround(1.0, CHAIN)
    state = ground.make_state()
    for _ in range(50):
        state = ground.begin_step(state, [], STEP).finish(np.zeros(0), np.zeros(0))
    assert state == pytest.approx(ground.make_state(), abs=1e-9)
    nodes = CHAIN.list_nodes(CHAIN.rest)
    assert -nodes[:, 1].min() == pytest.approx(CHAIN.sag, abs=1e-6)
    assert nodes[-1] == pytest.approx([CHAIN.span, 0.0])
    assert np.ptp(np.linalg.norm(np.diff(nodes, axis=0), axis=1)) < 1e-9
    assert ground.locate_surface(state, 2.0).height == pytest.approx(-CHAIN.sag, abs=1e-6)
    assert ground.rest.locate(2.0).height == pytest.approx(-CHAIN.sag, abs=1e-3)


class RodAngles:
    """The chain by the angles of its rods, which shares nothing with the time steps."""

    count = CHAIN.count
    # Each rod's center moves with all rods before it, and half with itself.
    share = np.tril(np.ones((CHAIN.count, CHAIN.count)), -1) + 0.5 * np.eye(CHAIN.count)

    def find_rods(self, angles: Array) -> Array:
        return CHAIN.length * np.stack([np.cos(angles), np.sin(angles)], -1)

    def find_levers(self, angles: Array) -> Array:
        return CHAIN.length * np.stack([-np.sin(angles), np.cos(angles)], -1)

    def accelerate(self, _: float, y: Array) -> Array:
        """Return the rates of angles and of their rates."""
        angles, rate = y[: self.count], y[self.count :]
        turning = -self.find_rods(angles) * rate[:, None] ** 2
        levers = self.find_levers(angles)
        jacobian = self.share[:, :, None] * levers[None]
        mass = CHAIN.mass * np.einsum("kid,kjd->ij", jacobian, jacobian)
        mass += CHAIN.mass * CHAIN.length**2 / 12 * np.eye(self.count)
        pull = self.share @ turning + [0.0, GRAVITY]
        force = -CHAIN.mass * np.einsum("kid,kd->i", jacobian, pull)
        system = np.block([[mass, levers], [levers.T, np.zeros((2, 2))]])  # Its last end stays.
        solved = np.linalg.solve(system, np.concatenate([force, -turning.sum(0)]))
        return np.concatenate([rate, solved[: self.count]])

    def swing(self, velocity: Array, times: Array) -> Array:
        """Return places of the hinges at times, from rest with velocities, (times, n - 1, 2)."""
        rods = np.diff(CHAIN.list_nodes(CHAIN.rest), axis=0)
        angles = np.arctan2(rods[:, 1], rods[:, 0])
        ends = np.zeros((1, 2))
        change = np.diff(np.concatenate([ends, velocity, ends]), axis=0)
        rates = (change * self.find_levers(angles)).sum(1) / CHAIN.length**2
        start = np.concatenate([angles, rates])
        solved = solve_ivp(
            self.accelerate, (0, times[-1]), start, t_eval=times, rtol=1e-8, atol=1e-9
        )
        return np.cumsum(self.find_rods(solved.y[: self.count].T), axis=1)[:, :-1]


def test_chain_swings_as_an_integration_of_its_accelerations() -> None:
    ground = BridgeGround(0.0, CHAIN)
    kick = np.zeros_like(CHAIN.rest)
    kick[1] = 0.0, -2.0
    response = CHAIN.compute_response(CHAIN.compute_stretch_rows(CHAIN.compute_links(CHAIN.rest)))
    velocity = (response @ CHAIN.mass_matrix @ kick.ravel()).reshape(-1, 2)
    state = np.stack([CHAIN.rest, velocity]).ravel()
    energy = CHAIN.compute_energy(CHAIN.rest, velocity)
    kinetic = energy - CHAIN.compute_energy(CHAIN.rest, 0 * velocity)
    times = STEP * (1 + np.arange(120))
    exact = RodAngles().swing(velocity, times)
    simulated = []
    for _ in times:
        state = ground.begin_step(state, [], STEP).finish(np.zeros(0), np.zeros(0))
        simulated.append(ground.read_state(state).place)
    heave = np.ptp(exact[:, :, 1], axis=0).max()
    assert heave > 0.05
    assert np.abs(np.array(simulated) - exact).max() < 0.1 * heave
    last = ground.read_state(state)
    assert CHAIN.compute_energy(last.place, last.velocity) == pytest.approx(
        energy, abs=0.15 * kinetic
    )
