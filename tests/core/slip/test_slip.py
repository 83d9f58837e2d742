"""The preview of the next two steps: closed forms, derivatives, solvers,
and a body that is nothing but its model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.errors import CharacterError
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import IncomingProjectile, StepGoal
from footfall.core.slip.evolution import CmaSolver
from footfall.core.slip.gauss_newton import GaussNewton, linearize_residuals
from footfall.core.slip.modelling import FOOT_PLACEMENT
from footfall.core.slip.phases import (
    FlightPhase,
    HeadingState,
    SplitVector,
    StanceControls,
    StanceModel,
    integrate_heading,
    solve_stance,
)
from footfall.core.slip.planner import PreviewPlanner
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.schedule import PARAMETER_SCALE, advance_parameters, exchange_parameters
from footfall.core.slip.state import FootPose, SlipState
from scipy.integrate import solve_ivp

G = 9.81


@pytest.fixture(scope="module")
def body() -> SlipBody:
    """The built-in human's."""
    return SlipBody.from_character(load_character("humanoid"), G)


def walking(body: SlipBody, seed: int = 0) -> SlipState:
    """Somewhere in a single stance on the left foot."""
    rng = np.random.default_rng(seed)
    com = np.array([0.0, 0.04, body.com_height - 0.06]) + rng.uniform(-0.03, 0.03, 3) * (1, 1, 0.5)
    velocity = np.array([1.2, 0.0, 0.0]) + rng.uniform(-0.15, 0.15, 3)
    feet = (
        FootPose(np.array([0.05, 0.085, 0.0]), 0.0),
        FootPose(np.array([-0.3, -0.085, 0.04]), 0.0),
    )
    return SlipState(com, velocity, 0.05, 0.1, feet, "single", 0, 0.15, com[:2] - [0.15, 0.0])


def problem(body: SlipBody, seed: int = 0, gait: str = "walk") -> PreviewProblem:
    """Of table 1."""
    length, seconds = (0.75, 0.6) if gait == "walk" else (1.05, 0.4)
    return PreviewProblem(walking(body, seed), StepGoal(gait, length, seconds), body)  # type: ignore[arg-type]


def test_stance_solves_its_equations_of_motion() -> None:
    """Equations 7, 9 and 10 against 6, 8 and a constant angular acceleration,
    integrated step by step.
    """
    seconds = 0.5
    cop = (0.1 - 0.05j, 0.25 + 0.02j)
    rest = (10.5, 11.3)
    spring = 1.0
    begin = SplitVector(np.asarray(0.02 + 0.01j), np.asarray(0.9))
    speed = SplitVector(np.asarray(1.1 - 0.1j), np.asarray(-0.2))
    controls = StanceControls(
        np.asarray(seconds), *(np.asarray(p) for p in cop), *(np.asarray(r) for r in rest)
    )
    got = solve_stance(begin, speed, controls, 0.1, StanceModel(spring, G))

    def motion(t: float, s: np.ndarray) -> np.ndarray:
        pressure = cop[0] + t / seconds * (cop[1] - cop[0])
        length = rest[0] + t / seconds * (rest[1] - rest[0])
        away = complex(s[0], s[1]) - pressure
        push = G * away / (begin.vertical - 0.1)  # eq. 6
        # eq. 8
        return np.array([*s[3:6], push.real, push.imag, spring * (0.1 + length - s[2]) - G])

    start = [
        begin.horizontal.real,
        begin.horizontal.imag,
        begin.vertical,
        speed.horizontal.real,
        speed.horizontal.imag,
        speed.vertical,
    ]
    for t in (0.13, seconds):
        end = solve_ivp(motion, (0, t), start, rtol=1e-10, atol=1e-12).y[:, -1]
        place = got.evaluate(np.asarray(t)).place
        velocity = got.evaluate(np.asarray(t)).velocity
        assert np.allclose(
            [place.horizontal.real, place.horizontal.imag, place.vertical], end[:3], atol=2e-5
        )
        assert np.allclose(
            [velocity.horizontal.real, velocity.horizontal.imag, velocity.vertical],
            end[3:],
            atol=1e-4,
        )
        h = 1e-5
        change = (
            got.evaluate(np.asarray(t + h)).velocity.horizontal
            - got.evaluate(np.asarray(t - h)).velocity.horizontal
        ) / (2 * h)
        assert np.isclose(change, got.evaluate(np.asarray(t)).acceleration.horizontal, atol=1e-6)
    # eq. 10
    start_heading = HeadingState(np.asarray(0.3), np.asarray(0.5))
    end_heading = integrate_heading(start_heading, 2.0, np.asarray(seconds))
    assert np.isclose(end_heading.heading, 0.3 + 0.25 + 0.25)
    assert np.isclose(end_heading.heading_rate, 1.5)


def test_flight_is_a_parabola() -> None:
    """Equation 13."""
    flight = FlightPhase(
        np.asarray(0.3),
        SplitVector(np.asarray(1 + 2j), np.asarray(1.0)),
        SplitVector(np.asarray(3 - 1j), np.asarray(1.5)),
        G,
    )
    place = flight.evaluate(np.asarray(0.3)).place
    velocity = flight.evaluate(np.asarray(0.3)).velocity
    assert np.isclose(place.horizontal, 1.9 + 1.7j)
    assert np.isclose(place.vertical, 1 + 0.45 - 0.5 * G * 0.09)
    assert np.isclose(velocity.vertical, 1.5 - 0.3 * G)


def test_a_coupled_spring_pushes_along_its_line() -> None:
    """The horizontal impulse of a run's stance is what the vertical force has along the leg,
    which the paper's is not.
    """
    begin = SplitVector(np.asarray(-0.25 + 0j), np.asarray(0.9))
    speed = SplitVector(np.asarray(2.6 + 0j), np.asarray(-0.9))
    rest = tuple(np.asarray(x) for x in (G + 0.9 + 9.0, G + 0.9 + 9.0))
    controls = StanceControls(np.asarray(0.2), np.asarray(0j), np.asarray(0j), *rest)
    forms = [
        solve_stance(begin, speed, controls, 0.0, StanceModel(1.0, G, coupled))
        for coupled in (True, False)
    ]

    def motion(t: float, s: np.ndarray) -> np.ndarray:
        push = rest[0] - s[1]
        return np.array([s[2], s[3], push * s[0] / s[1], push - G])

    end = solve_ivp(motion, (0, 0.2), [-0.25, 0.9, 2.6, -0.9], rtol=1e-9).y[:, -1]
    coupled, plain = (
        abs(float(form.evaluate(np.asarray(0.2)).velocity.horizontal.real) - end[2])
        for form in forms
    )
    assert coupled < 0.005
    assert plain > 0.03


@pytest.mark.parametrize("gait", ["walk", "run"])
def test_slopes_are_those_of_the_residuals(body: SlipBody, gait: str) -> None:
    """Forward differences that steps follow against central ones of another width."""
    p = problem(body, 1, gait)
    u = GaussNewton(5).solve(p, p.initial_guess).controls
    low, high = p.bounds.lower, p.bounds.upper
    free = p.bounds.free_indices
    inner = np.clip(u, low + 1e-3 * PARAMETER_SCALE, high - 1e-3 * PARAMETER_SCALE)
    u = np.where(high - low > 1e-2 * PARAMETER_SCALE, inner, u)
    (linearization,) = linearize_residuals(p, u[None], free)
    jacobian = linearization.jacobian
    for column, k in enumerate(free):
        step = np.zeros(24)
        step[k] = 1e-5 * PARAMETER_SCALE[k]
        central = (p.compute_residuals((u + step)[None]) - p.compute_residuals((u - step)[None]))[
            0
        ] / 2e-5
        assert np.abs(jacobian[:, column] - central).max() < 2e-3 * max(
            np.abs(central).max(), 1.0
        ), k


def test_both_solvers_find_the_same_steps(body: SlipBody) -> None:
    """Gauss-Newton with several starts costs no more than 3 % above the paper's CMA,
    with a tenth of its evaluations.
    """
    for seed in range(2):
        p = problem(body, seed)
        planner = PreviewPlanner()
        planner.plan(p)
        cma = CmaSolver(2000).solve(p, p.initial_guess)
        newton = GaussNewton(25).solve(p, planner.controls)
        assert newton.cost < 1.03 * cma.cost
        assert newton.evaluations < 0.3 * cma.evaluations
        low, high = p.bounds.lower, p.bounds.upper
        for result in (newton, cma):
            assert np.array_equal(result.controls, np.clip(result.controls, low, high))


def test_a_body_that_is_its_model_walks(body: SlipBody) -> None:
    """Previews one after the other keep the target length and time of steps within a tenth."""
    steps = follow(body, StepGoal("walk", 0.75, 0.6), 1.2, 2.6)
    assert len(steps) >= 4
    lengths, times = np.array([[s[1], s[0]] for s in steps[2:]]).T
    assert np.allclose(lengths, 0.75, rtol=0.1)
    assert np.allclose(times, 0.6, rtol=0.1)


def test_a_foot_is_set_down_where_it_can_get_to_in_time(body: SlipBody) -> None:
    """A body that falls aside would like a step that no leg can make:
    it is as long as the foot's acceleration allows.
    """
    p = problem(body)
    fast, still = (
        replace(
            p,
            state=replace(
                p.state,
                velocity=np.array([1.2, -0.8, 0.0]),
                feet=(
                    p.state.feet[0],
                    FootPose(np.array([-0.3, -0.085, 0.04]), 0.0, np.array([speed, 0.0])),
                ),
            ),
        )
        for speed in (4.0, 0.0)
    )
    landings = [PreviewPlanner().plan(q).landing for q in (fast, still)]
    for q, landing in zip((fast, still), landings, strict=True):
        assert landing is not None
        off = (
            landing.place[:2]
            - q.state.stepping_foot.place[:2]
            - 2 / 3 * landing.time * q.state.stepping_foot.velocity
        )
        assert (
            np.linalg.norm(off) < FOOT_PLACEMENT.max_swing_acceleration / 6 * landing.time**2 + 0.06
        )
    assert landings[0] is not None
    assert landings[1] is not None
    assert landings[0].time < landings[1].time


def test_a_preview_after_a_long_time_is_sought_anew(body: SlipBody) -> None:
    """Also where its first phase is another one than the last one's:
    one iteration would leave it where it was.
    """
    before = problem(body)
    after = replace(problem(body), state=replace(walking(body), velocity=np.array([0.6, 0.3, 0.0])))
    costs = []
    for since in (0.004, 0.3):
        planner = PreviewPlanner()
        planner.plan(before)
        planner.plan(after, since, is_same_phase=False)
        costs.append(planner.cost)
    assert costs[1] < 0.9 * costs[0]


def test_costly_previews_are_improved_on_any_ground(body: SlipBody) -> None:
    """After a disturbance, level ground with heights costs as little as ground without heights."""
    costs = []
    for height in (None, lambda xy: np.zeros(xy.shape[:-1])):
        before = problem(body)
        before = replace(before, goal=replace(before.goal, ground_height=height))
        planner = PreviewPlanner()
        planner.plan(before)
        planner.plan(
            replace(before, state=replace(before.state, velocity=np.array([1.2, -0.8, 0.0])))
        )
        costs.append(planner.cost)
    assert costs[1] < 1.05 * costs[0]


class _Step(NamedTuple):
    """Duration [s] and length [m] of a step."""

    duration: float
    length: float


def follow(
    body: SlipBody, goal: StepGoal, speed: float, seconds: float, dt: float = 0.008
) -> list[_Step]:
    """Return the steps of a point mass that always follows the beginning of its preview."""
    planner = PreviewPlanner()
    steps = []
    t = 0.0
    state = replace(
        walking(body),
        velocity=np.array([speed, 0.0, 0.0]),
        com=np.array([0.0, 0.03, body.com_height - 0.05]),
    )
    while t < seconds:
        p = PreviewProblem(state, goal, body)
        preview = planner.plan(p)
        now = preview.sample(0.0)
        com = state.com + state.velocity * dt + 0.5 * now.acceleration * dt**2
        state = replace(
            state,
            com=com,
            velocity=state.velocity + now.acceleration * dt,
            elapsed=state.elapsed + dt,
        )
        t += dt
        assert preview.landing is not None
        feet = list(state.feet)
        if state.support == "single":  # during the swing of the foot
            swinging = state.stepping_foot
            left = max(preview.landing.time, dt)
            speed = (preview.landing.place - swinging.place) / left
            feet[1 - state.stance_foot] = FootPose(
                swinging.place + dt * speed, preview.landing.heading, speed[:2]
            )
            state = replace(state, feet=(feet[0], feet[1]))
        if preview.get_phase_duration(0) > 1.5 * dt:
            continue
        if state.support == "double":
            state = replace(state, support="single")
            continue
        feet[1 - state.stance_foot] = FootPose(preview.landing.place, preview.landing.heading)
        steps.append(_Step(state.elapsed, float(com[0] - state.step_origin[0])))
        planner.exchange_feet(p, True)
        state = replace(
            state,
            support="double",
            stance_foot=1 - state.stance_foot,
            feet=(feet[0], feet[1]),
            elapsed=0.0,
            step_start_com=com[:2].copy(),
        )
    return steps


def test_standing_is_one_long_phase_without_a_step(body: SlipBody) -> None:
    """Section 7: the preview of a body that stands keeps it where it is."""
    feet = (FootPose(np.array([0.0, 0.085, 0.0]), 0.0), FootPose(np.array([0.0, -0.085, 0.0]), 0.0))
    state = SlipState(
        np.array([0.02, 0.01, body.com_height]), np.array([0.1, 0.05, 0.0]), 0.0, 0.0, feet
    )
    preview = PreviewPlanner().plan(PreviewProblem(state, StepGoal(), body))
    assert len(preview.phases) == 1
    assert preview.landing is None
    end = preview.sample(preview.seconds)
    assert np.linalg.norm(end.com[:2]) < 0.1
    # the center of pressure moves ahead of the body to stop it
    assert preview.sample(0.0).acceleration[0] < 0


def test_a_projectile_is_dodged(body: SlipBody) -> None:
    """Equation 31: the plan keeps away from its path, where without this cost it would be hit."""
    ball = IncomingProjectile(np.array([3.0, 0.0, 0.9]), np.array([-6.0, 0.0, 0.0]), 0.3)
    p = problem(body)
    warned = replace(p, goal=replace(p.goal, projectile=ball))

    def nearest(q: PreviewProblem) -> float:
        preview = PreviewPlanner().plan(q)
        times = np.linspace(0, preview.seconds, 60)
        return float(
            min(
                np.linalg.norm(ball.place + t * ball.velocity - preview.sample(float(t)).com)
                for t in times
            )
        )

    assert nearest(p) < 0.15
    assert nearest(warned) > 0.2


def test_feet_keep_to_good_ground(body: SlipBody) -> None:
    """A signed distance of favoured ground moves the next footstep out of a gap."""
    p = problem(body)
    free = PreviewPlanner().plan(p).landing
    assert free is not None
    edge = float(free.place[0]) - 0.1

    def off(xy: np.ndarray, heading: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum(0.3 - np.abs(xy[:, 0] - edge - 0.1), 0.0))

    held = PreviewPlanner().plan(replace(p, goal=replace(p.goal, foothold_distance=off))).landing
    assert held is not None
    assert off(held.place[None, :2], np.zeros(1))[0] < 0.05


def test_parameters_pass_from_step_to_step(body: SlipBody) -> None:
    """What was planned of foot B is the start of what is planned of foot A."""
    p = problem(body)
    u = GaussNewton(10).solve(p, p.initial_guess).controls
    later = exchange_parameters(u, p.goal, True)
    assert later[0] == u[2]
    assert later[1] == u[3]
    assert np.allclose(later[11:13], u[15:17])
    assert later[20] == u[22]


def test_bodies_without_two_soles_are_refused() -> None:
    """A dog gets no preview."""
    with pytest.raises(CharacterError, match="centroidal"):
        SlipBody.from_character(load_character("dog"), G)


def test_plan_continues_from_a_later_state_of_the_body(body: SlipBody) -> None:
    """The rest of a plan's parameters leads from a state during its first phase to the same end."""
    p = problem(body, 2)
    u = GaussNewton(10).solve(p, p.initial_guess).controls
    plan = p.build_preview(u)
    later = 0.6 * plan.get_phase_duration(0)
    here = plan.sample_phase(0, later)
    # the sample's acceleration is along the spring; places and velocities are the closed form's
    state = replace(
        p.state,
        com=here.com,
        velocity=here.velocity,
        heading=here.heading,
        heading_rate=here.heading_rate,
    )
    rest = replace(p, state=state).build_preview(advance_parameters(u, p.slots[0], later))
    assert rest.get_phase_duration(0) == pytest.approx(plan.get_phase_duration(0) - later)
    end = plan.sample_phase(0, plan.get_phase_duration(0))
    same = rest.sample_phase(0, rest.get_phase_duration(0))
    # a pendulum's rate is that of its height where it begins:
    # centimeters of height change the distance by millimeters
    np.testing.assert_allclose(same.com, end.com, atol=0.005)
    np.testing.assert_allclose(same.velocity, end.velocity, atol=0.03)
    assert np.linalg.norm(here.com - end.com) > 0.05
