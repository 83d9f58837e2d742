"""Ledges on the path of a simulated body: recognition, approach, leap down and climb."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.preview.ledges import Ledge, find_first_ledge
from footfall.core.engine.preview.maneuvers.balance import (
    project_com_acceleration,
    project_into_soles,
)
from footfall.core.engine.preview.maneuvers.climb import Climb
from footfall.core.engine.preview.maneuvers.jump_down import JumpDown
from footfall.core.engine.preview.maneuvers.ledge_crossing import LedgeCrossing
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.geometry.curves import evaluate_quintic, evaluate_step_path
from footfall.core.motion import Footstep, Motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.simulate import MujocoPhysics, SimulatedBody
from footfall.core.task import Path
from footfall.core.terrain import Ground, Slab, make_slab_ground, make_stair_slabs
from observed import generate_observed

SOLE = np.array([[0.1, 0.04], [0.1, -0.04], [-0.1, 0.04], [-0.1, -0.04]])


def ledge(rise: float, gap: float = 0.0, at: float = 2.0) -> Ground:
    """Return level ground with a step up or down, or a step after a gap."""
    return make_slab_ground(
        [Slab((-20.0, at), (-5.0, 5.0), 0.0, 2.0), Slab((at + gap, 20.0), (-5.0, 5.0), rise, 3.0)]
    )


def seen(ground: Ground, path: Path | None = None) -> Ledge | None:
    """Return the ledge that a body recognizes from the start of its path."""
    return find_first_ledge(
        path if path is not None else make_straight_path(6.0), 0.0, ground.sample_heights
    )


@pytest.mark.parametrize("rise", [-1.0, -0.5, 0.5])
def test_step_of_the_ground_ahead_is_a_ledge(rise: float) -> None:
    """The result has its position, its height and the ground beyond it."""
    result = seen(ledge(rise))
    assert result is not None
    assert result.place == pytest.approx([2.0, 0.0], abs=0.02)
    assert result.rise == pytest.approx(rise)
    assert result.height_beyond == pytest.approx(rise)
    assert result.heading == pytest.approx(0.0)


@pytest.mark.parametrize("degrees", [-20.0, 20.0])
def test_oblique_ledge_is_approached_perpendicularly(degrees: float) -> None:
    """The heading is perpendicular to the edge for any direction of the path."""
    direction = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    result = seen(ledge(-1.0), Path([np.zeros(2), 6.0 * direction]))
    assert result is not None
    assert result.heading == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(
    "ground",
    [
        ledge(0.2),
        ledge(-2.5),
        ledge(0.9),
        ledge(-0.5, gap=0.5),
        make_slab_ground(
            [Slab((-20.0, 2.0), (-5.0, 5.0), 0.0, 2.0), *make_stair_slabs(2.0, 9, 0.3, 0.35, 8.0)]
        ),
    ],
    ids=["a step", "too deep", "too high", "a gap", "stairs"],
)
def test_ground_that_steps_can_follow_has_no_ledge(ground: Ground) -> None:
    """Low steps, high walls, gaps, and stairs without room for a landing are no ledges."""
    assert seen(ground) is None


def test_a_body_presses_within_its_soles_only() -> None:
    """The force of the acceleration passes through the center of mass from within the soles."""
    assert project_into_soles(np.array([0.05, 0.01]), (SOLE,)) == pytest.approx([0.05, 0.01])
    edge = project_into_soles(np.array([0.5, 0.0]), (SOLE,))
    assert 0.05 < edge[0] < 0.1
    assert edge[1] == pytest.approx(0.0)
    com = np.array([0.0, 0.0, 0.9])
    gravity = 9.81
    for wanted in ([0.3, 0.0, 1.0], [-9.0, 2.0, 0.0]):
        result = project_com_acceleration(com, np.array(wanted), 0.0, gravity, (SOLE,))
        pressed = com[:2] - result[:2] * com[2] / (result[2] + gravity)
        assert np.abs(pressed).max(initial=0.0, where=[True, False]) < 0.1
        assert abs(pressed[1]) < 0.04
        assert result[2] == wanted[2]
    assert project_com_acceleration(
        com, np.array([0.3, 0.0, 1.0]), 0.0, gravity, (SOLE,)
    ) == pytest.approx([0.3, 0.0, 1.0])


@pytest.mark.parametrize("apart", [0.18, 0.5])
def test_outer_halves_of_feet_are_loaded_at_any_distance(apart: float) -> None:
    """Otherwise a body that stands over one of two feet could not shift its weight back."""
    feet = tuple(SOLE + [0.0, side * 0.5 * apart] for side in (1.0, -1.0))
    aside = project_into_soles(np.array([0.0, 1.0]), feet)[1] - 0.5 * apart
    assert 0.03 < aside < 0.04


def test_body_that_falls_sideways_before_a_ledge_steps_to_that_side() -> None:
    """If the foot landed beside the stance foot, the body would fall over it."""
    body = SimulatedBody(load_character("humanoid"))
    pose = body.compute_standing_pose(np.array([0.0, 0.0]))
    places = []
    for speed in (-0.3, 0.0):
        velocity = np.zeros(body.nv)
        velocity[1] = speed
        state = MujocoPhysics(body.model).reset(pose, velocity)
        now = body.compute_state(state)
        climb = Climb(LedgeCrossing(body, 1, np.array([0.3, 0.0]), 0.0, 0.5, 9.81))
        reference = climb.compute_reference(state, now)
        assert reference is not None
        assert reference.swing is not None
        places.append(float(reference.swing.place[1] - now.foot_frames.place[1, 1]))
    assert places[0] == pytest.approx(0.18, abs=0.02)
    assert places[1] > places[0] + 0.1


@pytest.mark.parametrize(("speed", "gives_up"), [(0.0, False), (0.9, True), (-0.9, True)])
def test_body_that_falls_past_both_feet_before_a_ledge_aborts_and_steps(
    speed: float, gives_up: bool
) -> None:
    """The weight cannot shift to either foot."""
    body = SimulatedBody(load_character("humanoid"))
    velocity = np.zeros(body.nv)
    velocity[1] = speed
    state = MujocoPhysics(body.model).reset(
        body.compute_standing_pose(np.array([0.0, 0.0])), velocity
    )
    now = body.compute_state(state)
    climb = Climb(LedgeCrossing(body, 1, np.array([0.3, 0.0]), 0.0, 0.5, 9.81))
    climb.enter_stage("lean", state, now)
    assert (climb.compute_reference(state, now) is None) == gives_up


def test_smooth_trajectories_have_their_given_ends() -> None:
    """Position and speed match; a foot lifts before it moves, and descends over its target."""
    begin = np.array([0.2, -1.0])
    end = np.array([0.9, 0.4])
    assert astuple(evaluate_quintic(0.0, 0.5, begin, end)) == pytest.approx((0.2, -1.0, 0.0))
    assert astuple(evaluate_quintic(1.0, 0.5, begin, end)) == pytest.approx((0.9, 0.4, 0.0))
    assert astuple(evaluate_quintic(1.2, 0.5, begin, end)) == pytest.approx(
        (0.9 + 0.1 * 0.4, 0.4, 0.0)
    )
    low = np.zeros(3)
    high = np.array([0.5, 0.1, 0.5])
    at = np.array([evaluate_step_path(low, high, 0.6, s) for s in np.linspace(0.0, 1.0, 101)])
    assert at[0] == pytest.approx(low)
    assert at[-1] == pytest.approx(high)
    assert at[at[:, 2] < 0.3, 0].max() < 0.02
    assert at[:, 2].max() == pytest.approx(0.6)


class Landing(NamedTuple):
    """A control step of a body that jumps down."""

    com: float  # along the path [m]
    load: float  # of the foot with the larger one [N]
    min_bend: float  # of the knees [rad]
    min_toe_hang: float  # pitch of the feet, toes down [rad]
    depth: float  # of the lowest point of the soles below the ground beyond the ledge [m]


class Crossing(NamedTuple):
    """A body that reaches one ledge."""

    motion: Motion
    steps: list[Landing]


def cross_ledge(rise: float, seconds: float) -> Crossing:
    """Return the motion of a body that reaches one ledge, and its control steps."""
    task = SCENARIOS["preview-drops"].build_task(fps=60, seconds=seconds)
    steps = list[Landing]()

    def observe(simulation: Simulation) -> None:
        now = simulation.loop.body_state
        knees = [knee.coordinate for knee in simulation.body.knees if knee is not None]
        steps.append(
            Landing(
                now.com[0],
                max(foot.normal for foot in simulation.loop.state.foot_loads),
                np.abs(now.pose[knees]).min(),
                np.arcsin(-now.foot_frames.rotation[:, 2, 0]).min(),
                max(float((rise - points[:, 2]).max()) for points in now.sole_points),
            )
        )

    motion = generate_observed(
        replace(task, ground=ledge(rise), path=make_straight_path(20.0)), observe
    )
    return Crossing(motion, steps)


@pytest.fixture(scope="module")
def drop() -> Crossing:
    """Return a body that jumps down from a ledge."""
    return cross_ledge(-1.0, 5.5)


def check_walk_beyond(motion: Motion, rise: float) -> list[Footstep]:
    """Check that a body has not fallen and walks on the ground beyond a ledge, and return its
    footsteps there.
    """
    assert motion.report.notes == ()
    after = [f for f in motion.footsteps if abs(f.position[2] - rise) < 0.05]
    assert len({f.leg for f in after}) == 2
    assert motion.com[-1, 0] > 2.3
    assert motion.com[-1, 2] == pytest.approx(rise + 0.9, abs=0.1)
    return after


@pytest.mark.long
def test_a_simulated_body_climbs_a_ledge_and_walks_on() -> None:
    check_walk_beyond(cross_ledge(0.5, 7.5).motion, 0.5)


@pytest.mark.long
def test_a_simulated_body_jumps_down_a_ledge_and_walks_on(drop: Crossing) -> None:
    """It flies and lands on both feet together."""
    motion = drop.motion
    after = check_walk_beyond(motion, -1.0)
    assert (~motion.contact_active.any(1)).sum() / motion.fps == pytest.approx(0.48, abs=0.06)
    assert abs(after[0].strike - after[1].strike) < 0.05


@pytest.mark.exhaustive
def test_body_approaches_a_ledge_straight_from_standing() -> None:
    """The distance from its landing below the first ledge to the climb of the next is 2.3 m.

    A long first step turned the body by half a radian.
    """
    simulation = Simulation(SCENARIOS["preview-steps"].build_task(fps=60, seconds=20, seed=14))
    loop = simulation.loop
    leapt = False
    headings = []
    while not isinstance(loop.maneuver, Climb) or not leapt:
        simulation.step()
        assert not loop.state.trouble
        leapt = leapt or isinstance(loop.maneuver, JumpDown)
        if leapt and loop.maneuver is None:
            headings.append(loop.heading)
    assert len(headings) > 250
    assert np.abs(headings).max() < 0.3


@pytest.mark.long
def test_body_lands_on_bent_knees_and_toes(drop: Crossing) -> None:
    """After the first contact a meter below, points of soles enter the ground by 16 mm at most."""
    steps = drop.steps
    beyond = next(k for k, step in enumerate(steps) if step.com >= 2.2)
    landed = next(k for k in range(beyond, len(steps)) if steps[k].load > 0)
    assert beyond < landed < len(steps) - 121
    before = steps[landed - 1]
    assert before.min_bend > 0.4
    assert before.min_toe_hang > 0.1
    deepest = max(step.depth for step in steps[landed + 1 : landed + 121])
    assert 0.0 < deepest < 0.016
