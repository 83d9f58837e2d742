"""Bodies, grounds and paths of the adaptive engine."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine.adaptive.biped import (
    REFERENCE_MASS,
    Biped,
    Sole,
    create_reference_biped,
    scale_to_reference,
)
from footfall.core.engine.adaptive.biped_model import build_biped_model, set_ground
from footfall.core.engine.adaptive.body_identity import BodyIdentity
from footfall.core.engine.adaptive.curves import find_upper_hull
from footfall.core.engine.adaptive.edge_avoidance import find_edge_offset
from footfall.core.engine.adaptive.evaluation import find_body
from footfall.core.engine.adaptive.height_field import (
    FIRST_EDGE,
    EndlessField,
    create_random_field,
    create_slope,
    create_stairs,
)
from footfall.core.engine.adaptive.leg_limits import LegLimits
from footfall.core.engine.adaptive.parameters import (
    LocomotionParameters,
    denormalize,
    list_bounds,
    normalize,
)
from footfall.core.engine.adaptive.paths import HalfCyclePlan, WalkerBodyState
from footfall.core.engine.adaptive.planner import Goal, HalfCyclePlanner, HalfCycleTiming
from footfall.core.engine.adaptive.speeds import REFERENCE_LENGTH
from footfall.core.engine.adaptive.start import Start, set_start_pose
from footfall.core.errors import CharacterError
from footfall.core.geometry import so3
from numpy.typing import NDArray

Array = NDArray[np.float64]
MIRROR = np.array([1.0, -1.0, 1.0])


def test_bodies_have_the_size_of_the_controllers() -> None:
    for name in ("reference", "humanoid"):
        body = find_body(name)
        assert body.mass == pytest.approx(REFERENCE_MASS)
        assert body.legs[0].thigh.joint[2] == pytest.approx(REFERENCE_LENGTH, abs=0.01)
        model = build_biped_model(body, None, 1 / 490)
        assert model.mujoco.body_mass.sum() == pytest.approx(REFERENCE_MASS)
    scaled = scale_to_reference(load_character("humanoid"))
    links = sorted(link for links in scaled.part_links for link in links)
    assert links == list(range(len(scaled.character.links)))
    with pytest.raises(CharacterError, match="dog"):
        scale_to_reference(load_character("dog"))


def test_knees_can_be_frozen_and_inverted() -> None:
    body = create_reference_biped()
    frozen = body.with_frozen_knee(1)
    assert frozen.legs[1].shin.hinges[0].high < 0.01
    assert frozen.legs[0] == body.legs[0]
    model = build_biped_model(body.with_inverted_knees(), None, 1 / 490)
    assert model.knee_signs.tolist() == [-1.0, -1.0]
    assert model.mujoco.joint("shin.L.0").range[0] < -2


def test_characters_with_changed_knees_are_the_changed_bodies() -> None:
    body = find_body("humanoid")
    for name, changed in (
        ("humanoid-frozen-knee", body.with_frozen_knee(0)),
        ("humanoid-inverted-knees", body.with_inverted_knees()),
    ):
        biped = scale_to_reference(load_character(name)).biped.with_rigid_upper_body()
        assert BodyIdentity.from_biped(biped) == BodyIdentity.from_biped(changed)
        assert BodyIdentity.from_biped(biped) != BodyIdentity.from_biped(body)
        for one, other in zip(biped.legs, changed.legs, strict=True):
            assert one.shin.hinges == other.shin.hinges
        models = [build_biped_model(one, None, 1 / 490) for one in (biped, changed)]
        assert np.array_equal(models[0].mujoco.jnt_range, models[1].mujoco.jnt_range)
        assert np.array_equal(models[0].knee_signs, models[1].knee_signs)


def test_the_ground_is_sampled_as_the_physics_has_it() -> None:
    field = create_random_field(3, 0.4)
    model = build_biped_model(create_reference_biped(), field, 1 / 490)
    data = mujoco.MjData(model.mujoco)
    for ground in (field, create_random_field(4, 0.2), create_slope(-0.4)):
        set_ground(model, ground)
        mujoco.mj_forward(model.mujoco, data)
        points = np.random.default_rng(0).uniform([2, -4], [12, 4], (40, 2))
        heights = ground.sample(*points.T)
        geom = np.array([-1], np.int32)
        for (x, y), height in zip(points, heights, strict=True):
            distance = mujoco.mj_ray(
                model.mujoco, data, [x, y, 5.0], [0, 0, -1.0], None, 1, 1, geom, None
            )
            assert 5.0 - distance == pytest.approx(height, abs=1e-5)


@pytest.mark.parametrize("height", [-8.0, -1.5, 3.0])
def test_feet_stand_on_ground_of_any_height(height: float) -> None:
    field = EndlessField(np.full((25, 17), height), (-3.0, -8.0), 1.0)
    for first in (field, create_random_field(3, 0.4)):
        model = build_biped_model(create_reference_biped(), first, 1 / 490)
        set_ground(model, field)
        data = mujoco.MjData(model.mujoco)
        data.qpos[2] += height - 0.002
        mujoco.mj_forward(model.mujoco, data)
        assert data.ncon >= 8


def test_the_ground_continues_beyond_its_border() -> None:
    field = EndlessField(np.array([[0.0, 2.0], [1.0, 3.0]]), (1.0, 1.0), 0.5)
    assert field.sample([0.0, 9.0], [0.0, 9.0]) == pytest.approx([0.0, 3.0])
    assert float(field.sample(9.0, 0.0)) == pytest.approx(1.0)


def test_the_hull_is_convex_and_above_all_points() -> None:
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.uniform(0, 1, 50)), rng.uniform(0, 1, 50)
    corners = find_upper_hull(x, y)
    assert np.all(np.interp(x, x[corners], y[corners]) >= y - 1e-12)
    assert np.all(np.diff(np.diff(y[corners]) / np.diff(x[corners])) < 0)


def test_parameters_are_searched_between_their_bounds() -> None:
    start = LocomotionParameters()
    assert normalize(denormalize(normalize(start))) == pytest.approx(normalize(start))
    low, high = denormalize(np.zeros(44)), denormalize(np.ones(44))
    for name, bounds in zip(vars(start), list_bounds(), strict=True):
        assert getattr(low, name) == bounds.low
        assert getattr(high, name) == pytest.approx(bounds.high)
        assert bounds.low <= getattr(start, name) <= bounds.high


def _plan(
    state: WalkerBodyState, goal: Goal, swing: int, ground: EndlessField | None = None
) -> HalfCyclePlan:
    body = find_body("humanoid")
    frames = build_biped_model(body, None, 1 / 490).frames
    parameters = replace(
        LocomotionParameters(),
        body_twist=5.0,
        body_roll_outward=3.0,
        step_outward=0.05,
        step_gain_inward=0.2,
        body_outward=0.02,
    )
    return HalfCyclePlanner(body, frames, parameters, ground, HalfCycleTiming()).plan(
        state, goal, swing
    )


def _state(side: float) -> WalkerBodyState:
    """Return a state in which the foot on a side swings."""
    yaw = so3.rotation_about("z", 0.1 * side)
    return WalkerBodyState(
        np.array([0.0, 0.02 * side, 1.45]),
        yaw @ so3.rotation_about("x", -0.05 * side),
        np.array([-0.3, 0.1 * side, 0.12]),
        yaw @ so3.rotation_about("y", 0.4),
        np.array([0.1, -0.11 * side, 0.1]),
        deviation=np.array([0.03, -0.04 * side]),
        facing=0.02 * side,
    )


def test_the_plan_of_the_other_foot_is_the_mirror_image() -> None:
    left = _plan(_state(1.0), Goal(0.1, 0.05, 0.6), 0)
    right = _plan(_state(-1.0), Goal(-0.1, -0.05, 0.6), 1)
    assert right.swing.ankle == pytest.approx(left.swing.ankle * MIRROR, abs=1e-12)
    assert right.body.position == pytest.approx(left.body.position * MIRROR, abs=1e-12)
    mirrored = left.body.rotation * np.outer(MIRROR, MIRROR)
    assert right.body.rotation == pytest.approx(mirrored, abs=1e-9)


def test_plans_turn_with_the_body() -> None:
    angle = 1.3
    turn = so3.rotation_about("z", angle)
    state, goal = _state(1.0), Goal(0.1, 0.05, 0.6)
    turned_state = WalkerBodyState(
        turn @ state.body_position,
        turn @ state.body_rotation,
        turn @ state.foot_position,
        turn @ state.foot_rotation,
        turn @ state.stance_ankle,
        deviation=turn[:2, :2] @ state.deviation,
        facing=state.facing + angle,
    )
    plan = _plan(state, goal, 0)
    turned = _plan(turned_state, Goal(0.1 + angle, 0.05 + angle, 0.6), 0)
    assert turned.swing.ankle == pytest.approx(plan.swing.ankle @ turn.T)
    assert turned.swing.rotation == pytest.approx(turn @ plan.swing.rotation)
    assert turned.body.position == pytest.approx(plan.body.position @ turn.T)


def test_paths_begin_at_the_foot_and_clear_the_ground() -> None:
    state = _state(1.0)
    body = find_body("humanoid")
    for seed in range(4):
        ground = create_random_field(seed, 0.2)
        lift = float(ground.sample(0.0, 0.0))
        state = replace(
            _state(1.0),
            foot_position=np.array([-0.3, 0.1, 0.14 + lift]),
            stance_ankle=np.array([0.1, -0.11, 0.1 + lift]),
        )
        path = _plan(state, Goal(0.0, 0.0, 0.65), 0, ground).swing
        assert path.ankle[0] == pytest.approx(state.foot_position)
        assert path.stationary[-1].all()
        assert not path.stationary[8].any()
        sole = body.sole
        points = np.array(
            [(x, y, -sole.ankle_height) for x in (sole.heel, sole.tip) for y in (-0.04, 0.04)]
        )
        world = path.ankle[4:, None] + points @ np.swapaxes(path.rotation[4:], 1, 2)
        assert np.min(world[..., 2] - ground.sample(world[..., 0], world[..., 1])) > -0.01


def test_a_foot_stands_flat_on_a_slope() -> None:
    body = find_body("humanoid")
    frames = build_biped_model(body, None, 1 / 490).frames
    planner = HalfCyclePlanner(
        body, frames, LocomotionParameters(), create_slope(0.2), HalfCycleTiming()
    )
    path = planner.stand_at(np.array([4.0, 0.5]), 0.0)
    assert path.stationary.all()
    assert np.degrees(np.arcsin(path.rotation[0, 2, 0])) == pytest.approx(11.31, abs=0.01)
    heel = path.ankle[0] + path.rotation[0] @ [body.sole.heel, 0.0, -body.sole.ankle_height]
    assert heel[2] == pytest.approx(0.2 * (heel[0] - 2.0), abs=1e-6)


def _place_feet(body: Biped, start: Start) -> tuple[Array, Array]:
    """Return the ankles and the rotations of both feet at the beginning of a walk."""
    model = build_biped_model(body, None, 1 / 490)
    data = mujoco.MjData(model.mujoco)
    set_start_pose(model, data, start)
    mujoco.mj_kinematics(model.mujoco, data)
    feet = list(model.feet)
    return data.xpos[feet], data.xmat[feet].reshape(2, 3, 3)


@pytest.mark.parametrize("name", ["humanoid", "reference"])
def test_walks_begin_with_flat_feet_a_stride_apart(name: str) -> None:
    body = find_body(name)
    for one in (body, body.with_inverted_knees()):
        ankles, rotations = _place_feet(one, Start(swing=0, stride=0.6))
        assert ankles[1, 0] - ankles[0, 0] == pytest.approx(0.6, abs=1e-6)
        assert ankles[1, 2] == pytest.approx(ankles[0, 2], abs=1e-6)
        assert np.abs(rotations - np.eye(3)).max() < 1e-6
    ankles, _ = _place_feet(body.with_frozen_knee(0), Start(swing=1, stride=0.6))
    assert ankles[0, 0] - ankles[1, 0] == pytest.approx(0.6, abs=1e-6)
    side_by_side, _ = _place_feet(body, Start())
    assert np.ptp(side_by_side[:, 0]) < 1e-6


def test_bodies_begin_toward_the_foot_that_stands() -> None:
    left = Start(1.2, swing=0, heading=0.5, sway=0.18).velocity
    right = Start(1.2, swing=1, heading=0.5, sway=0.18).velocity
    across = np.array([-np.sin(0.5), np.cos(0.5)])
    assert left @ across == pytest.approx(-0.18)
    assert right @ across == pytest.approx(0.18)
    assert left @ [np.cos(0.5), np.sin(0.5)] == pytest.approx(1.2)


def test_feet_avoid_edges() -> None:
    sole = find_body("humanoid").sole
    stairs = create_stairs(0.1)
    edge = FIRST_EDGE
    for heading in (0.0, 0.5):
        for ahead in (-0.05, 0.0, 0.04):
            target = np.array([edge - 0.5 * (sole.heel + sole.tip) + ahead, 0.1])
            offset = find_edge_offset(stairs, sole, target, heading, heading)
            assert 0.1 < np.hypot(*offset) <= 0.75 * sole.length
            assert _measure_unevenness(stairs, sole, target, heading) > 0.05
            assert _measure_unevenness(stairs, sole, target + offset, heading) < 1e-9
    assert not find_edge_offset(stairs, sole, np.array([edge + 0.25, 0.1]), 0.0, 0.0).any()
    field = create_random_field(2, 0.2)
    places = np.random.default_rng(0).uniform([0, -4], [18, 4], (200, 2))
    assert not any(find_edge_offset(field, sole, place, 0.3, 0.2).any() for place in places)


def test_feet_step_aside_of_edges_along_their_soles() -> None:
    sole = find_body("humanoid").sole
    edge = 0.1
    rows = -1.0 + 0.05 * np.arange(41)
    heights = np.tile(np.where(rows > edge + 0.01, 0.15, 0.0), (41, 1))
    ledge = EndlessField(heights, (-1.0, -1.0), 0.05)
    for place in (0.02, 0.0, -0.02):
        target = np.array([0.0, edge + place])
        offset = find_edge_offset(ledge, sole, target, 0.0, 0.0)
        assert offset[0] == 0.0
        assert 0.0 < abs(offset[1]) < 0.1
        before = _measure_unevenness(ledge, sole, target, 0.0)
        assert _measure_unevenness(ledge, sole, target + offset, 0.0) < 0.3 * before


def _measure_unevenness(ground: EndlessField, sole: Sole, ankle: Array, heading: float) -> float:
    """Return by how much the heights of the ground below a sole differ [m]."""
    x, y = np.meshgrid(
        np.linspace(sole.heel, sole.tip, 20),
        np.linspace(-sole.half_width, sole.half_width, 7),
    )
    c = np.cos(heading)
    s = np.sin(heading)
    return float(np.ptp(ground.sample(ankle[0] + c * x - s * y, ankle[1] + s * x + c * y)))


def test_the_body_is_raised_over_a_leg_that_cannot_bend() -> None:
    body = find_body("humanoid")
    assert not LegLimits(body).are_needed()
    frozen = body.with_frozen_knee(0)
    limits = LegLimits(frozen)
    assert limits.are_needed()
    length = float(np.linalg.norm(frozen.legs[0].foot.joint - frozen.legs[0].thigh.joint))
    state = _state(0.6)
    goal = Goal(0.0, 0.0, 0.4)
    planners = [
        HalfCyclePlanner(
            one,
            build_biped_model(one, None, 1 / 490).frames,
            LocomotionParameters(),
            None,
            HalfCycleTiming(),
        )
        for one in (body, frozen)
    ]
    plain, raised = (planner.plan(state, goal, 1).body for planner in planners)
    lift = raised.position - plain.position
    assert lift[:, :2] == pytest.approx(0.0)
    assert lift[:, 2].min() >= 0.0
    hips = raised.position + raised.rotation @ (
        frozen.legs[0].thigh.joint - frozen.upper_body.center
    )
    distance = np.linalg.norm(hips - state.stance_ankle, axis=1)
    assert distance.min() > length - 1e-6


def test_changed_bodies_keep_their_feet_on_the_ground() -> None:
    body = find_body("humanoid")
    short = find_body("humanoid", "shanks 20 % shorter")
    assert short.legs[0].foot.joint == pytest.approx(body.legs[0].foot.joint)
    shank = body.legs[0].shin.joint[2] - body.legs[0].foot.joint[2]
    assert short.legs[1].shin.joint[2] - short.legs[1].foot.joint[2] == pytest.approx(0.8 * shank)
    assert body.mass - short.mass == pytest.approx(0.4 * body.legs[0].shin.mass)
    loaded = find_body("humanoid", "10 kg on the chest")
    assert loaded.mass - body.mass == pytest.approx(10 * body.mass_scale)
    assert loaded.upper_body.center[0] > body.upper_body.center[0]
    assert np.linalg.eigvalsh(loaded.upper_body.inertia - body.upper_body.inertia).min() > -1e-9


def test_swinging_feet_keep_off_the_sides_of_boxes() -> None:
    stairs = create_stairs(0.1)
    state = replace(_state(1.0), foot_position=np.array([1.0, 0.1, 0.12]))
    state = replace(state, stance_ankle=np.array([1.25, -0.1, 0.1]))
    path = _plan(state, Goal(0.0, 0.0, 0.65), 0, stairs).swing
    sole = find_body("humanoid").sole
    tip = path.ankle + path.rotation @ [sole.tip, 0.0, -sole.ankle_height]
    ahead = tip[(tip[:, 0] > FIRST_EDGE - 0.04) & (tip[:, 0] < FIRST_EDGE)]
    assert ahead[:, 2].min() > 0.09


def test_a_blind_body_takes_the_ground_for_level() -> None:
    body = find_body("humanoid")
    stairs = create_stairs(0.1)
    planner = HalfCyclePlanner(
        body,
        build_biped_model(body, None, 1 / 490).frames,
        LocomotionParameters(),
        stairs,
        HalfCycleTiming(),
    )
    state = replace(
        _state(1.0),
        foot_position=np.array([1.0, 0.1, 0.12]),
        stance_ankle=np.array([1.25, -0.1, body.sole.ankle_height]),
    )
    goal = Goal(0.0, 0.0, 0.65)
    rise = {}
    for is_blind in (False, True):
        planner.is_blind = is_blind
        rise[is_blind] = planner.plan(state, goal, 0).swing.ankle[-1, 2] - body.sole.ankle_height
    assert rise[False] == pytest.approx(0.1, abs=1e-6)
    assert rise[True] == pytest.approx(0.0, abs=1e-6)
    place = np.array([2.0, 0.1, 0.3])
    assert planner.stand_at(place, 0.2).ankle[-1] == pytest.approx(place)
