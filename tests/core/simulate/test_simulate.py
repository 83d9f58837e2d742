"""A body driven by torques in a physics engine: its dynamics, its controller and its falls."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import daqp
import mujoco
import numpy as np
import pytest
from footfall.core.character.character import Character
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.errors import TerrainError
from footfall.core.geometry import so3
from footfall.core.simulate import (
    Controller,
    ControlReference,
    MujocoPhysics,
    PhysicsState,
    SimulatedBody,
    SwingTarget,
)
from footfall.core.simulate.controller import CONTROL, select_lowest
from footfall.core.simulate.physics import create_unloaded_foot
from footfall.core.simulate.reference import Gains
from footfall.core.simulate.soles import CONTACT
from footfall.core.simulate.swinging import (
    SWING,
    compute_swing_acceleration,
    is_scraping,
)
from footfall.core.simulate.terrain_geoms import add_terrain
from footfall.core.terrain import (
    FlatGround,
    Ground,
    HeightField,
    MeshGround,
    Slab,
    make_slab_ground,
    make_stair_slabs,
    make_stepping_stones,
)
from numpy.typing import NDArray
from standing import StandingBody

Array = NDArray[np.float64]

LEVEL = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("humanoid")


@pytest.fixture(scope="module")
def body(human: Character) -> SimulatedBody:
    return SimulatedBody(human)


def _state(body: SimulatedBody, pose: Array, velocity: Array) -> PhysicsState:
    return PhysicsState(
        0.0, pose, velocity, tuple(create_unloaded_foot(len(sole)) for sole in body.model.soles)
    )


def _make_random_state(body: SimulatedBody, seed: int) -> PhysicsState:
    """Return a random pose and velocity."""
    rng = np.random.default_rng(seed)
    pose = body.rest_pose.copy()
    mujoco.mj_integratePos(body.model.mujoco, pose, rng.normal(scale=0.3, size=body.nv), 1.0)
    return _state(body, pose, rng.normal(size=body.nv))


def _moved(
    body: SimulatedBody, state: PhysicsState, seconds: float, acceleration: Array
) -> PhysicsState:
    pose = state.pose.copy()
    mujoco.mj_integratePos(
        body.model.mujoco, pose, state.velocity + 0.5 * seconds * acceleration, seconds
    )
    return _state(body, pose, state.velocity + seconds * acceleration)


@pytest.mark.parametrize("name", ["humanoid", "cassie"])
def test_velocities_and_accelerations_by_finite_differences(name: str) -> None:
    simulated = SimulatedBody(load_character(name))
    rng = np.random.default_rng(3)
    h = 1e-5
    for seed in range(3):
        state = _make_random_state(simulated, seed)
        qdd = rng.normal(size=simulated.nv)
        before, now, after = (
            simulated.compute_state(_moved(simulated, state, t, qdd)) for t in (-h, 0.0, h)
        )
        assert np.allclose(
            (after.frames.place - before.frames.place) / (2 * h),
            now.frames.velocity[:, :3],
            atol=1e-6,
        )
        assert np.allclose(now.frames.jacobian @ state.velocity, now.frames.velocity, atol=1e-9)
        change = (after.frames.velocity - before.frames.velocity) / (2 * h)
        assert np.allclose(change, now.frames.jacobian @ qdd + now.frames.drift, atol=1e-5)
        assert np.allclose((after.com - before.com) / (2 * h), now.com_velocity, atol=1e-6)
        assert np.allclose(
            (after.com_velocity - before.com_velocity) / (2 * h),
            now.com_jacobian @ qdd + now.com_drift,
            atol=1e-5,
        )
        assert np.allclose(
            (after.angular_momentum - before.angular_momentum) / (2 * h),
            now.angular_map @ qdd + now.angular_drift,
            atol=1e-3,
        )
        free = simulated.compute_state(_state(simulated, state.pose, 0 * state.velocity))
        assert np.allclose(free.com_drift, 0.0, atol=1e-9)  # Bias and gravity cancel.
        for jacobians, earlier, later in zip(
            now.sole_point_jacobians, before.sole_points, after.sole_points, strict=True
        ):
            assert np.allclose((later - earlier) / (2 * h), jacobians @ state.velocity, atol=1e-6)


def test_the_pose_is_that_of_the_character_with_toes(human: Character, body: SimulatedBody) -> None:
    kinematic = KinematicModel(human)
    pose = body.rest_pose[body.model.coordinates]
    placed = kinematic.compute_link_poses(pose[None])
    now = body.compute_state(_state(body, body.rest_pose, np.zeros(body.nv)))
    assert len(pose) == kinematic.nq
    assert len(body.rest_pose) == kinematic.nq + 2
    assert np.allclose(placed.com[0], now.com, atol=1e-4)  # Toes have a hinge and little mass.
    feet = [
        placed.origin[0, foot.link] + placed.rotation[0, foot.link] @ foot.sole_center
        for foot in human.feet
    ]
    assert np.allclose(feet, now.foot_frames.place, atol=1e-9)
    assert np.allclose(np.array(feet)[:, 2], 0.0, atol=1e-3)
    assert abs(body.model.mujoco.body_mass.sum() - human.mass) < 1e-6


def test_motors_are_in_the_order_of_the_degrees_of_freedom(body: SimulatedBody) -> None:
    m = body.model.mujoco
    data = mujoco.MjData(m)
    torques = np.random.default_rng(0).uniform(-1, 1, m.nu)
    data.qpos[:] = body.rest_pose
    data.ctrl[:] = torques
    mujoco.mj_forward(m, data)
    assert m.nu == body.nv - 6
    assert np.allclose(data.qfrc_actuator[6:], torques)
    assert np.allclose(data.qfrc_actuator[:6], 0.0)


def test_torques_obey_the_equation_of_motion(
    body: SimulatedBody, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[Array] = []
    solve = daqp.solve

    def record(*given: Array) -> object:
        out = solve(*given)
        solved.append(out[0])
        return out

    monkeypatch.setattr(daqp, "solve", record)
    standing = StandingBody(body)
    standing.run(0.1)
    now = body.compute_state(standing.state)
    reference = ControlReference(np.array([0.3, -0.5, 0.4]), 0.7, 0.0, (0, 1))
    result = standing.controller.compute_torques(standing.state, reference, now)
    edges = solved[-1][: -body.nv]  # Forces along the edges of the friction cones, scaled
    assert result.is_feasible
    assert edges.min() > -1e-6
    assert (np.abs(result.torques) <= body.model.torque_limit + 1e-9).all()
    # Only external forces move the root and change the momentum.
    total = result.forces.sum(0)
    com = now.com_jacobian @ result.accelerations + now.com_drift
    assert np.allclose(body.mass * com, total - [0, 0, body.weight], atol=1e-3)
    root = now.mass_matrix @ result.accelerations + now.bias
    assert np.allclose(root[:3], total, atol=1e-3)
    for force in result.forces:
        assert np.hypot(*force[:2]) <= Gains().friction * force[2] + 1e-6
    # The requested acceleration is feasible and achieved.
    assert np.allclose(com, reference.com_acceleration, atol=0.05)


def test_momentum_follows_from_reported_forces(body: SimulatedBody) -> None:
    standing = StandingBody(body)
    standing.run(0.2)
    sum_of_forces = np.zeros(3)
    begin = body.compute_state(standing.state)
    com_target = standing.com_target + np.array([0.02, 0.03, -0.02])
    for _ in range(50):
        standing.run(0.004, lambda t: com_target)
        sum_of_forces += 0.004 * sum(foot.force for foot in standing.state.foot_loads)
        assert np.allclose(
            sum(foot.forces.sum(0) for foot in standing.state.foot_loads),
            sum(f.force for f in standing.state.foot_loads),
        )
    end = body.compute_state(standing.state)
    gained = body.mass * (end.com_velocity - begin.com_velocity)
    assert np.allclose(
        gained, sum_of_forces - [0, 0, 0.2 * body.weight], atol=0.005 * body.weight * 0.2
    )
    assert np.linalg.norm(gained[:2]) > 1.0


def test_it_stands_still(body: SimulatedBody) -> None:
    standing = StandingBody(body)
    standing.run(3.0)
    assert standing.state.trouble == ""
    assert max(standing.com_errors[500:]) < 0.002
    assert np.abs(standing.state.velocity).max() < 0.01
    assert sum(foot.normal for foot in standing.state.foot_loads) == pytest.approx(
        body.weight, rel=0.01
    )


def test_it_sways_and_squats(body: SimulatedBody) -> None:
    standing = StandingBody(body)

    def path(t: float) -> Array:
        grown = min(t, 1.0)
        return standing.com_target + grown * np.array(
            [0.03 * np.sin(3 * t), 0.04 * np.sin(4 * t), -0.06 * (1 - np.cos(2.5 * t))]
        )

    standing.run(4.0, path)
    assert standing.state.trouble == ""
    assert max(standing.com_errors[125:]) < 0.015


def test_it_stands_on_one_leg_and_puts_the_other_down_ahead(body: SimulatedBody) -> None:
    standing = StandingBody(body)
    feet = body.compute_state(standing.state).foot_frames.place
    target = feet[1] + np.array([0.12, -0.02, 0.0])

    def path(t: float) -> Array:
        s = np.clip(t, 0, 1)
        return standing.com_target + s**3 * (10 - 15 * s + 6 * s * s) * np.array(
            [*(feet[0] - feet.mean(0))[:2], 0.0]
        )

    def down(t: float, state: PhysicsState) -> bool:
        return t < 1.2 or (t > 2.2 and state.foot_loads[1].normal > 1)

    def swing(t: float, state: PhysicsState) -> SwingTarget | None:
        return (
            None
            if down(t, state)
            else SwingTarget(1, target, 0.0, LEVEL, max(2.4 - t, 0.0), t - 1.2, feet[1], 0.1)
        )

    standing.run(1.8, path, stance=lambda t, s: (0, 1) if down(t, s) else (0,), swing=swing)
    assert body.compute_state(standing.state).foot_frames.place[1, 2] > 0.08
    standing.run(1.4, path, stance=lambda t, s: (0, 1) if down(t, s) else (0,), swing=swing)
    assert standing.state.trouble == ""
    assert np.linalg.norm(body.compute_state(standing.state).foot_frames.place[1] - target) < 0.02
    assert standing.state.foot_loads[1].normal > 1


def test_a_committed_foot_descends_although_the_body_falls(body: SimulatedBody) -> None:
    """A leg that is held up would slow the fall of the body: its foot stayed 1 cm above ground."""
    pose = body.rest_pose.copy()
    pose[2] += 0.02
    state = _state(body, pose, np.zeros(body.nv))
    now = body.compute_state(state)
    place = now.foot_frames.place[1] - [0.0, 0.0, 0.02]
    swing = SwingTarget(1, place, 0.0, LEVEL, 0.0, 0.5, place, is_committed=True)
    result = Controller(body).compute_torques(
        state, ControlReference(np.array([0.0, 0.0, 60.0]), 0.0, 0.0, (0,), swing), now
    )
    assert result.is_feasible
    moved = now.foot_frames.jacobian[1, :3] @ result.accelerations + now.foot_frames.drift[1, :3]
    assert moved[2] < -0.8 * 50 * 0.25


def test_a_foot_that_is_late_and_low_rises_first(body: SimulatedBody) -> None:
    """The forward acceleration would prevent the rise, and the foot would scrape the ground."""
    state = _state(body, body.rest_pose, np.zeros(body.nv))
    now = body.compute_state(state)
    place = now.foot_frames.place[1]
    swing = SwingTarget(1, place + [0.8, 0.0, 0.0], 0.0, LEVEL, 0.2, 0.2, place - [0.3, 0.0, 0.0])
    rises = []
    for clears in (False, True):
        reference = ControlReference(
            np.zeros(3), 0.0, 0.0, (0,), replace(swing, needs_clearance=clears)
        )
        result = Controller(body).compute_torques(state, reference, now)
        rises.append(
            float(
                (
                    now.foot_frames.jacobian[1, :3] @ result.accelerations
                    + now.foot_frames.drift[1, :3]
                )[2]
            )
        )
    assert rises[1] > rises[0] + 5.0
    late = np.array([SWING.late_acceleration + 1.0, 0.0])
    early = np.array([SWING.late_acceleration - 1.0, 0.0])
    assert is_scraping(swing, float(place[2]), late)
    assert not is_scraping(swing, float(place[2]), early)
    assert not is_scraping(swing, float(place[2]) + swing.apex, late)
    assert not is_scraping(replace(swing, remaining_time=0.0), float(place[2]), late)


def test_a_landing_foot_of_a_run_carries_load_only_where_it_is_down(body: SimulatedBody) -> None:
    """Only toes carry load while the heel is up. Forces at the heel would turn the foot about its
    toes.
    """
    pose = body.rest_pose.copy()
    pose[3:7] = so3.quat_from_matrix(so3.rotation_about("y", np.array(0.1)))
    now = body.compute_state(_state(body, pose, np.zeros(body.nv)))
    at = now.sole_points[0][:, 2]
    down = select_lowest(np.arange(len(at)), at)
    assert 0 < len(down) < len(at)
    assert at[down].max() < at.min() + CONTROL.level_tolerance
    assert at[0] not in at[down]
    pushed = []
    for runs in (False, True):
        controller = Controller(body)
        reference = ControlReference(np.array([0.0, 0.0, 3.0]), 0.0, 0.0, (0,), is_running=runs)
        cones = controller._build_cones(_state(body, pose, np.zeros(body.nv)), now, reference)
        pushed.append(len(cones.edges))
    assert pushed[1] == 4 * len(np.intersect1d(body.select_support_points(0), down)) < pushed[0]


def test_it_rises_on_its_toes(body: SimulatedBody) -> None:
    """Balls do not move, toes stay flat, and heels carry no load."""
    standing = StandingBody(body)

    def smooth(t: float) -> float:
        s = float(np.clip(t, 0, 1))
        return s**3 * (10 - 15 * s + 6 * s * s)

    def path(t: float) -> Array:
        return standing.com_target + np.array([0.12 * smooth(t / 1.2), 0.0, 0.05 * smooth(t - 1.4)])

    standing.run(1.3, path)
    before = body.compute_state(standing.state).sole_points[0][2:4]
    standing.run(1.5, path, rolling_legs=(0, 1))
    now = body.compute_state(standing.state)
    assert standing.state.trouble == ""
    assert standing.com_errors[-1] < 0.006
    assert np.degrees(np.arcsin(-now.foot_frames.rotation[0, 2, 0])) > 5
    assert np.linalg.norm(now.sole_points[0][2:4] - before, axis=1).max() < 0.005
    assert np.abs(now.sole_points[0][4:, 2]).max() < 0.005
    assert standing.state.foot_loads[0].forces[:2, 2].max() == 0


def test_a_swing_ends_over_its_place_in_time() -> None:
    target = SwingTarget(0, np.array([0.6, 0.1, 0.15]), 0.0, LEVEL, 0.5, 0.0, np.zeros(3), 0.08)
    h = 0.002
    place = np.zeros(3)
    velocity = np.zeros(3)
    highest = 0.0
    for k in range(250):
        at = replace(target, remaining_time=0.5 - k * h, elapsed_time=k * h)
        pull = compute_swing_acceleration(at, place, velocity)
        assert (
            np.hypot(
                *compute_swing_acceleration(replace(at, max_acceleration=7.0), place, velocity)[:2]
            )
            < 7.0 + 1e-9
        )
        velocity = velocity + h * pull
        place, highest = place + h * velocity, max(highest, float(place[2]))
        if k == 220:
            assert np.linalg.norm(place[:2] - target.place[:2]) < 0.01, (
                "the foot is above its target before it descends"
            )
    assert highest > 0.15 + 0.02
    assert abs(place[2] - 0.15) < 0.02
    assert -0.7 < velocity[2] < -0.1


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_it_takes_pushes_without_a_step(body: SimulatedBody, angle: int) -> None:
    standing = StandingBody(body)
    standing.run(0.4)
    where = standing.body.character.trunk[-1]
    standing.physics.push(
        where, 200.0 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0]), 0.1
    )
    standing.run(2.0)
    assert standing.state.trouble == ""
    assert max(standing.com_errors) > 0.005
    assert standing.com_errors[-1] < 0.005


def test_a_push_gives_its_impulse_and_ends(body: SimulatedBody) -> None:
    physics = MujocoPhysics(body.model)
    high = body.rest_pose.copy()
    high[2] += 2.0
    state = physics.reset(high)
    physics.push(0, np.array([300.0, 0.0, 0.0]), 0.1)
    for _ in range(50):
        state = physics.step(np.zeros(body.nv - 6), 0.004)
    assert body.compute_state(state).com_velocity[0] == pytest.approx(
        300 * 0.1 / body.mass, rel=0.01
    )


def test_without_torques_the_body_falls(body: SimulatedBody) -> None:
    physics = MujocoPhysics(body.model)
    state = physics.reset(body.rest_pose)
    while not state.trouble and state.time < 3:
        state = physics.step(np.zeros(body.nv - 6), 0.004)
    assert state.trouble.startswith("fallen: ")
    assert state.time < 2


def test_trousers_that_reach_the_ground_are_not_a_fall(human: Character) -> None:
    """Shins in narrow trousers still count as a fall when they touch."""
    shins = [leg.links[-2] for leg in human.legs]

    def as_wide_as(metres: float) -> Character:
        links = [
            replace(link, shapes=tuple(replace(s, radii=(metres, metres)) for s in link.shapes))
            if k in shins
            else link
            for k, link in enumerate(human.links)
        ]
        return replace(human, links=tuple(links))

    for metres, touches in ((0.15, False), (0.05, True)):
        body = SimulatedBody(as_wide_as(metres))
        model = body.model.mujoco
        geoms = [
            g for shin in shins for g in np.flatnonzero(model.geom_bodyid == body.model.links[shin])
        ]
        assert all(bool(model.geom_contype[g]) == touches for g in geoms)
        assert MujocoPhysics(body.model).reset(body.rest_pose).trouble == ""


def test_numbers_that_are_not_finite_are_reported(body: SimulatedBody) -> None:
    physics = MujocoPhysics(body.model)
    physics.reset(body.rest_pose)
    state = physics.step(np.full(body.nv - 6, np.nan), 0.004)
    assert state.trouble.startswith("not finite: ")
    assert np.isfinite(state.pose).all()
    assert physics.step(np.zeros(body.nv - 6), 0.004).trouble.startswith("not finite: ")
    assert physics.reset(body.rest_pose).trouble == ""
    physics.reset(body.rest_pose, 1e6 * np.eye(body.nv)[0])  # Along x, faster than any body
    assert physics.step(np.zeros(body.nv - 6), 0.004).trouble.startswith("not finite: ")


@pytest.mark.parametrize("degrees", [-15, 15])
def test_it_stands_on_slopes(human: Character, degrees: int) -> None:
    x = np.arange(-2, 2.01, 0.1)
    slope = SimulatedBody(
        human,
        HeightField(np.repeat(np.tan(np.radians(degrees)) * x[:, None], len(x), 1), (-2, -2), 0.1),
    )
    standing = StandingBody(slope, slope.compute_standing_pose(np.zeros(2), 0.3))
    standing.run(1.5, heading=0.3)
    now = slope.compute_state(standing.state)
    assert standing.state.trouble == ""
    assert standing.com_errors[-1] < 0.003
    assert np.allclose(now.foot_frames.rotation[:, :, 2], now.normals, atol=0.01)


@pytest.mark.parametrize(
    "ground",
    [
        make_slab_ground([Slab((-1, 1), (-1, 1)), *make_stair_slabs(1, 3, 0.3, 0.15, 2)]),
        make_stepping_stones([[0, 0, 0], [0.6, 0.1, 0.2], [1.2, 0, -0.1]], 0.25),
        HeightField(np.random.default_rng(0).uniform(0, 0.1, (14, 11)), (-0.5, -0.5), 0.1),
    ],
)
def test_solids_of_the_ground_are_where_it_is(human: Character, ground: Ground) -> None:
    model = SimulatedBody(human, ground).model.mujoco
    data = mujoco.MjData(model)
    data.qpos[2] = 50.0
    mujoco.mj_forward(model, data)
    mesh = ground.to_mesh()
    assert mesh is not None
    hit = np.zeros(1, np.int32)
    places = np.random.default_rng(1).uniform(
        mesh.vertices[:, :2].min(0), mesh.vertices[:, :2].max(0), (200, 2)
    )
    distances = [
        mujoco.mj_ray(model, data, np.array([*xy, 20.0]), -LEVEL, None, 1, -1, hit) for xy in places
    ]
    height = ground.sample_heights(places)
    assert np.allclose(
        20.0 - np.array(distances)[np.isfinite(height)], height[np.isfinite(height)], atol=1e-5
    )
    assert (np.array(distances)[np.isnan(height)] < 0).all()


def test_a_ground_of_any_shape_is_sampled(human: Character) -> None:
    # An L of two slabs that share corners is not convex.
    ell = make_slab_ground([Slab((-1, 1), (-1, 1)), Slab((1, 2), (-1, 0))])
    model = SimulatedBody(human, ell).model.mujoco
    data = mujoco.MjData(model)
    data.qpos[2] = 50.0
    mujoco.mj_forward(model, data)
    hit = np.zeros(1, np.int32)
    for xy, there in (((0.0, 0.5), True), ((1.5, -0.5), True), ((1.5, 0.5), False)):
        away = mujoco.mj_ray(model, data, np.array([*xy, 20.0]), -LEVEL, None, 1, -1, hit)
        assert (abs(away - 20.0) < 1e-3) == there


@pytest.mark.parametrize("bump", [0.0, 0.1])
def test_fine_meshes_become_solids_in_little_memory(bump: float) -> None:
    """Of 80,000 triangles no pairs are compared: these took 100 GB."""
    x = np.linspace(-5, 5, 201)
    heights = bump * np.sin(2 * x)[:, None] * np.cos(x)
    mesh = HeightField(heights, (-5, -5), 0.05).to_mesh()
    upward = MeshGround(mesh.vertices, mesh.triangles)
    for ground in (upward, MeshGround(mesh.vertices, mesh.triangles[:, ::-1])):
        tracemalloc.start()
        spec = mujoco.MjSpec()
        is_height_field = add_terrain(spec, ground, CONTACT)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert is_height_field == (bump > 0)
        assert peak < 500e6
        assert len(spec.worldbody.geoms) == 1


def test_smooth_ground_only_pushes(human: Character) -> None:
    """Forces point upward for a foot that comes down fast on a height field at any pitch."""
    body = SimulatedBody(human, HeightField(np.zeros((60, 60)), (-1.5, -1.5), 0.05))
    physics = MujocoPhysics(body.model)
    m = body.model.mujoco
    ankle = m.jnt_qposadr[m.joint("ankle.L.0").id]
    for pitch in (-0.2, 0.2, 0.5):
        pose = body.rest_pose.copy()
        pose[ankle] += pitch
        now = body.compute_state(_state(body, pose, np.zeros(body.nv)))
        pose[2] += 0.01 - min(float(points[:, 2].min()) for points in now.sole_points)
        physics.reset(pose, np.array([1.0, 0.3, -2.0] + [0.0] * (body.nv - 3)))
        most = 0.0
        for _ in range(80):
            state = physics.step(np.zeros(m.nu), 0.001)
            least = min(float(foot.forces[:, 2].min()) for foot in state.foot_loads)
            most = max(most, max(foot.normal for foot in state.foot_loads))
            assert least >= 0, "the ground pulls"
        assert most > body.weight


def test_a_standing_pose_needs_ground(human: Character) -> None:
    body = SimulatedBody(human, make_stepping_stones([[0, 0, 0]], 0.5))
    with pytest.raises(TerrainError, match="no ground for the feet"):
        body.compute_standing_pose(np.array([3.0, 0.0]))


@pytest.mark.parametrize("name", ["cassie", "luxo"])
def test_other_bodies_stand(name: str) -> None:
    standing = StandingBody(SimulatedBody(load_character(name), FlatGround()))
    standing.run(1.0)
    assert standing.state.trouble == ""
    assert standing.com_errors[-1] < 0.002


def test_an_infeasible_reference_is_reported(body: SimulatedBody) -> None:
    # No foot stands, and motors without torque cannot accelerate the limbs as required.
    controller = Controller(body)
    controller._torque_limit = np.zeros(body.nv - 6)
    result = controller.compute_torques(
        _state(body, body.rest_pose, 40 * np.ones(body.nv)), ControlReference(None, 0.0, 0.0, ())
    )
    assert not result.is_feasible
    assert (result.torques == 0).all()
