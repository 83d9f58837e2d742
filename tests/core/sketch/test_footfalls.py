"""Footfalls along a path: every foot in its time, gaits that blend, starts and stops."""

from __future__ import annotations

from itertools import groupby, pairwise, permutations

import numpy as np
import pytest
from footfall.core.errors import TaskError
from footfall.core.sketch.footsteps.footfalls import FootfallPlan, plan_footfalls
from footfall.core.sketch.footsteps.stride_fit import find_tied_legs
from footfall.core.sketch.gait.gait_body import GaitBody, LegPlace, Trunk
from footfall.core.sketch.gait.gait_law import FroudeGaitLaw
from hypothesis import given
from hypothesis import strategies as st

Array = np.ndarray
HORSE = FroudeGaitLaw(GaitBody.from_pairs(2, 1.2, 1.3))


def _integrate_speeds(
    speeds: list[float], times: list[float], dt: float = 1 / 30
) -> tuple[Array, Array]:
    t = np.arange(0.0, times[-1] + 1e-9, dt)
    v = np.interp(t, times, speeds)
    return t, np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * dt)])


def _there_and_back() -> tuple[Array, Array]:
    return _integrate_speeds(
        [0, 0, 1.5, 1.5, 3.5, 3.5, 6.2, 6.2, 10, 10, 0, 0],
        [0, 0.6, 2, 6, 8, 12, 15, 19, 21, 25, 35, 38],
    )


def _runs(plan: FootfallPlan, at_least: int) -> list[str]:
    """Names of gaits that lasted for so many strides."""
    return [
        name
        for name, group in groupby(plan.sequences[0].gait_names)
        if len(list(group)) >= at_least
    ]


def test_steady_going_has_the_strides_of_the_law() -> None:
    for speed in (1.0, 3.5, 6.0, 10.0):
        t, s = _integrate_speeds([speed, speed], [0, 6])
        plan, law = plan_footfalls(HORSE, t, s), HORSE.rhythm_at(speed)
        stretch = plan.sequences[0]
        np.testing.assert_allclose(
            stretch.phases % 1.0, np.tile(law.phases, (len(stretch.phases), 1)), atol=0.01
        )
        np.testing.assert_allclose(
            np.diff(stretch.mid_contact_times, axis=0), law.stride_time, rtol=0.01
        )
        first = next(f for f in plan.leg_footfalls(0) if f.stride_index == 0)
        assert first.mid_contact_time == pytest.approx(0, abs=0.02)
        for f in plan.footfalls:
            assert f.duration == pytest.approx(law.duty * law.stride_time, rel=0.02)
            assert f.foot_distance - f.body_distance == pytest.approx(0.65 if f.leg >= 2 else -0.65)


def test_gaits_follow_each_other_as_the_speed_changes_and_blend() -> None:
    plan = plan_footfalls(HORSE, *_there_and_back(), starts_standing=True)
    assert _runs(plan, 3)[:4] == ["walk", "trot", "canter", "gallop"]
    change = np.abs(np.diff(plan.sequences[0].phases, axis=0))
    assert change.max() <= 0.11


@pytest.mark.parametrize("trunk", ["firm", "supple", "stiff"])
@pytest.mark.parametrize(("gravities", "most"), [(0.1, 0.11), (0.25, 0.18)])
def test_phases_change_little_between_any_two_speeds(
    trunk: Trunk, gravities: float, most: float
) -> None:
    law = FroudeGaitLaw(GaitBody.from_pairs(2, 1.2, 1.3, trunk))
    for a, b in permutations((0.1, 0.6, 1.5, 3.0, 7.0), 2):
        slow, fast = law.unit_speed * np.sqrt([a, b])
        change = abs(fast - slow) / (gravities * 9.81)
        (stretch,) = plan_footfalls(
            law, *_integrate_speeds([slow, slow, fast, fast], [0, 4, 4 + change, 12 + change])
        ).sequences
        assert np.abs(np.diff(stretch.phases, axis=0)).max() <= most


def test_the_plan_names_the_gait_at_a_time() -> None:
    t, s = _integrate_speeds([0, 0, 1.5, 1.5, 4, 4, 0, 0], [0, 1, 2, 6, 8, 12, 16, 20])
    plan = plan_footfalls(HORSE, t, s, starts_standing=True)
    assert [plan.gait_at(time) for time in (0.5, 4.0, 11.0, 19.0)] == [
        "stand",
        "walk",
        "trot",
        "stand",
    ]


def test_a_body_sets_off_foot_by_foot_and_stands_square() -> None:
    t, s = _integrate_speeds([0, 0, 1.5, 1.5, 0, 0], [0, 1, 2, 6, 7.5, 10])
    plan = plan_footfalls(HORSE, t, s, starts_standing=True)
    first = [plan.leg_footfalls(leg)[0] for leg in range(4)]
    last = [plan.leg_footfalls(leg)[-1] for leg in range(4)]
    assert all(f.touch_down == -np.inf for f in first)
    assert [f.foot_distance for f in first] == pytest.approx([-0.65, -0.65, 0.65, 0.65])
    lifts = np.array([f.lift_off for f in first])
    assert list(np.argsort(lifts)) == [0, 2, 1, 3]  # left hind, left fore, right hind, right fore
    assert lifts.min() == pytest.approx(1.0, abs=0.15)
    assert all(f.lift_off == np.inf for f in last)
    assert [f.foot_distance - s[-1] for f in last] == pytest.approx([-0.65, -0.65, 0.65, 0.65])
    assert max(f.touch_down for f in last) < 7.5 + 0.6  # soon after the body stands


def test_a_body_that_stops_midway_continues_from_where_it_stands() -> None:
    t, s = _integrate_speeds([0, 1.5, 1.5, 0, 0, 3, 3], [0, 1, 4, 5.5, 12, 14, 18])
    plan = plan_footfalls(HORSE, t, s, starts_standing=True)
    assert len(plan.sequences) == 2
    halt = float(np.interp(9.0, t, s))
    for leg in range(4):
        (foot,) = (f for f in plan.leg_footfalls(leg) if f.touch_down < 9.0 < f.lift_off)
        assert foot.body_distance == pytest.approx(halt)
        numbers = [f.stride_index for f in plan.leg_footfalls(leg)]
        assert numbers == sorted(set(numbers))
    assert plan.sequences[1].first_index > max(
        f.stride_index for f in plan.footfalls if f.touch_down < 9.0
    )


def test_a_body_that_never_moves_stands() -> None:
    plan = plan_footfalls(HORSE, np.array([0.0, 5.0]), np.zeros(2), starts_standing=True)
    assert [(f.touch_down, f.lift_off) for f in plan.footfalls] == [(-np.inf, np.inf)] * 4
    assert plan.sequences == ()


def test_one_leg_hops_with_a_flight_between_contacts() -> None:
    for height in (0.05, 0.9, 6.0):
        law = FroudeGaitLaw(GaitBody((LegPlace(0, 0),), height))
        unit = law.body.unit_time(9.81)
        t, s = _integrate_speeds([0.8 * law.unit_speed] * 2, [0, 30 * unit], 0.05 * unit)
        feet = plan_footfalls(law, t, s).leg_footfalls(0)
        flights = np.array([b.touch_down - a.lift_off for a, b in pairwise(feet)])
        assert len(feet) > 10
        assert flights.min() / unit > 0.6
        assert flights.max() / unit < 1.2


def test_a_gait_held_by_name_stays_while_the_strides_adapt() -> None:
    law = FroudeGaitLaw(GaitBody.from_pairs(2, 1.2, 1.3), gait="trot")
    plan = plan_footfalls(law, *_integrate_speeds([0.8, 0.8, 6, 6], [0, 5, 9, 14]))
    stretch = plan.sequences[0]
    assert set(stretch.gait_names) == {"trot"}
    strides = np.diff(stretch.mid_contact_times[:, 0])
    assert strides[-3] < 0.65 * strides[1]


def test_small_and_large_bodies_have_the_same_footfalls_in_scaled_time() -> None:
    plans = []
    for height in (0.04, 5.0):
        law = FroudeGaitLaw(GaitBody.from_pairs(2, height, 1.1 * height))
        unit = law.body.unit_time(9.81)
        u = law.unit_speed
        t, s = _integrate_speeds(
            [0, 0, 0.4 * u, 0.4 * u, u, u],
            [0, 2 * unit, 5 * unit, 15 * unit, 20 * unit, 40 * unit],
            0.05 * unit,
        )
        plan = plan_footfalls(law, t, s, starts_standing=True)
        plans.append(
            np.array(
                [
                    (f.leg, f.stride_index, f.mid_contact_time / unit, f.foot_distance / height)
                    for f in plan.footfalls
                ]
            )
        )
    np.testing.assert_allclose(plans[0], plans[1], atol=1e-6)


def test_the_same_motion_gives_the_same_footfalls() -> None:
    assert (
        plan_footfalls(HORSE, *_there_and_back(), starts_standing=True).footfalls
        == plan_footfalls(HORSE, *_there_and_back(), starts_standing=True).footfalls
    )


def test_legs_are_tied_along_and_across() -> None:
    ties = find_tied_legs(HORSE.body)
    assert [tuple(map(int, p)) for p in zip(ties.leading, ties.tied, strict=True)] == [
        (0, 1),
        (0, 2),
        (2, 3),
    ]


def test_motion_backward_is_refused() -> None:
    with pytest.raises(TaskError, match=r"decreases by 0\.5 m"):
        plan_footfalls(HORSE, [0.0, 1.0, 2.0], [0.0, 1.0, 0.5])
    with pytest.raises(TaskError, match="must rise"):
        plan_footfalls(HORSE, [0.0, 1.0, 1.0], [0.0, 1.0, 2.0])
    with pytest.raises(TaskError, match="1 distances at 1 times"):
        plan_footfalls(HORSE, [0.0], [0.0])


@given(
    st.integers(1, 4),
    st.floats(0.04, 5.0),
    st.booleans(),
    st.lists(st.sampled_from([0, 0.02, 0.1, 0.3, 0.5, 1, 2, 3, 5, 8]), min_size=2, max_size=6),
    st.integers(2, 25),
)
def test_any_motion_has_sound_footfalls(
    pairs: int, height: float, standing: bool, froude: list[float], span: int
) -> None:
    law = FroudeGaitLaw(GaitBody.from_pairs(pairs, height, 1.1 * height))
    unit = law.body.unit_time(9.81)
    dt = min(1 / 30, 0.25 * unit)
    t = np.arange(0, span * unit * len(froude), dt)
    speed = law.unit_speed * np.sqrt(
        np.interp(
            t, np.linspace(0, t[-1], len(froude)), [0 if standing else froude[0], *froude[1:]]
        )
    )
    rise = 0.25 * 9.81 * dt * np.arange(len(t))  # what a course allows
    speed = np.minimum.accumulate(speed - rise) + rise
    speed = np.minimum.accumulate((speed + rise)[::-1])[::-1] - rise
    s = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * dt)])
    plan = plan_footfalls(law, t, s, standing)
    for leg in range(2 * pairs):
        feet = plan.leg_footfalls(leg)
        assert feet[0].touch_down <= t[0] or feet[0].touch_down - t[0] < 4 * unit
        for a, b in pairwise(feet):
            assert b.touch_down - a.lift_off > 0.3 * unit
            assert b.foot_distance >= a.foot_distance
            assert b.stride_index > a.stride_index
        for f in feet:
            assert f.duration > 0.2 * unit
            for time in (f.touch_down, f.lift_off):
                if t[0] < time < t[-1]:
                    assert abs(float(np.interp(time, t, s)) - f.body_distance) < 0.85 * height
