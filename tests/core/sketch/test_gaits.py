"""Gaits of any number of legs: which comes at which speed, what it is called,
and how it compares with animals.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from footfall.core.errors import CharacterError, TaskError
from footfall.core.sketch.gait.fixed_gaits import find_fixed_gait, get_fixed_gaits
from footfall.core.sketch.gait.gait_body import GaitBody, LegPlace, Trunk
from footfall.core.sketch.gait.gait_law import FroudeGaitLaw
from footfall.core.sketch.gait.gait_names import name_gait
from footfall.core.sketch.gait.rhythm import Rhythm, compute_flight_share, compute_longest_flight

FROUDE = np.geomspace(0.005, 25, 800)
HORSE = GaitBody.from_pairs(2, 1.2, 1.3)
# The hip heights are assumptions: the sources do not give them
DOG = GaitBody.from_pairs(2, 0.5, 0.55, "supple")


def _sweep(law: FroudeGaitLaw, froude: Sequence[float] | np.ndarray) -> list[Rhythm]:
    out: list[Rhythm] = []
    for f in froude:
        out.append(
            law.rhythm_at(
                law.unit_speed * float(np.sqrt(f)),
                passed_transitions=out[-1].passed_transitions if out else (),
            )
        )
    return out


def _names(law: FroudeGaitLaw, froude: np.ndarray) -> list[str]:
    return [name for name, _ in groupby(r.gait_name for r in _sweep(law, froude))]


def _first(law: FroudeGaitLaw, froude: np.ndarray, name: str) -> float:
    return next(f for f, r in zip(froude, _sweep(law, froude), strict=True) if r.gait_name == name)


def test_speed_alone_brings_about_walk_trot_canter_and_gallop() -> None:
    for body in (GaitBody.from_pairs(2, 1.2, 1.5), GaitBody.from_pairs(2, 0.5, 0.35)):
        law = FroudeGaitLaw(body)
        assert _names(law, FROUDE) == ["walk", "trot", "canter", "gallop"]
        assert _names(law, FROUDE[::-1]) == ["gallop", "canter", "trot", "walk"]


def test_one_setting_of_the_body_makes_it_pace_instead_of_galloping() -> None:
    law = FroudeGaitLaw(GaitBody.from_pairs(2, 0.5, 0.35, "stiff"))
    assert _names(law, FROUDE) == ["walk", "trot", "canter", "pace"]
    assert _names(law, FROUDE[::-1]) == ["pace", "canter", "trot", "walk"]


def test_gaits_change_where_animals_change_them_and_later_up_than_down() -> None:
    law = FroudeGaitLaw(HORSE)
    trot = _first(law, FROUDE, "trot")
    walk = _first(law, FROUDE[::-1], "walk")
    assert walk < 0.35 < trot  # Griffin et al. 2004
    assert trot - walk < 0.1
    assert 2 < _first(law, FROUDE, "canter") < 3
    assert _first(law, FROUDE[::-1], "trot") < _first(law, FROUDE, "canter")
    assert _first(law, FROUDE[::-1], "canter") < _first(law, FROUDE, "gallop")


def test_many_legs_go_in_a_wave_that_becomes_two_sets() -> None:
    assert _names(FroudeGaitLaw(GaitBody.from_pairs(3, 0.1, 0.2)), FROUDE) == [
        "wave",
        "ripple",
        "tripod",
    ]
    assert _names(FroudeGaitLaw(GaitBody.from_pairs(4, 0.1, 0.2)), FROUDE) == [
        "wave",
        "ripple",
        "tetrapod",
    ]
    six = FroudeGaitLaw(GaitBody.from_pairs(3, 0.1, 0.2))
    fast = six.rhythm_at(six.unit_speed)
    np.testing.assert_allclose(fast.phases, [0, 0.5, 0.5, 0, 0, 0.5], atol=1e-9)
    for r in _sweep(six, FROUDE):  # Wilson: a leg lifts when the one behind it has come down
        assert r.lags[2] <= 1 - r.duty + 1e-9
        assert r.duty < 0.5 or r.flight_share == 0


def test_two_legs_walk_and_run_and_one_hops() -> None:
    assert _names(FroudeGaitLaw(GaitBody.from_pairs(1, 0.9)), FROUDE) == ["walk", "run"]
    hopper = FroudeGaitLaw(GaitBody((LegPlace(0, 0),), 0.9))
    for r in _sweep(hopper, FROUDE):
        assert r.gait_name == "hop"
        assert r.flight_share == pytest.approx(1 - r.duty)
        assert r.flight_share > 0.4


def test_unpaired_legs_have_a_gait_too() -> None:
    three = FroudeGaitLaw(GaitBody((LegPlace(0, 1), LegPlace(0, -1), LegPlace(1, 0)), 0.5, 0.5))
    assert len(set(np.round(three.rhythm_at(0.5).phases, 3))) == 3


@pytest.mark.parametrize("trunk", ["firm", "supple", "stiff"])
def test_a_mouse_and_a_dinosaur_move_alike_at_the_same_froude_number(trunk: Trunk) -> None:
    mouse, dinosaur = (
        FroudeGaitLaw(GaitBody.from_pairs(2, h, 1.1 * h, trunk)) for h in (0.04, 5.0)
    )
    for small, large in zip(_sweep(mouse, FROUDE), _sweep(dinosaur, FROUDE), strict=True):
        np.testing.assert_allclose(small.phases, large.phases, atol=1e-9)
        assert small.duty == pytest.approx(large.duty)
        assert large.stride_time / small.stride_time == pytest.approx(np.sqrt(5 / 0.04))
        assert large.stride_length / small.stride_length == pytest.approx(5 / 0.04)
    assert 0.2 < mouse.default_speed < 0.4
    assert (
        mouse.rhythm_at(mouse.default_speed).gait_name
        == dinosaur.rhythm_at(dinosaur.default_speed).gait_name
        == "walk"
    )
    moon = FroudeGaitLaw(GaitBody.from_pairs(2, 5.0, 5.5, trunk), gravity=1.62)
    assert moon.default_speed == pytest.approx(dinosaur.default_speed * np.sqrt(1.62 / 9.81))


def test_strides_and_contacts_change_smoothly_within_a_gait() -> None:
    for body in (HORSE, DOG, GaitBody.from_pairs(1, 0.9), GaitBody.from_pairs(3, 0.2, 0.3)):
        rhythms = _sweep(FroudeGaitLaw(body), FROUDE)
        for a, b in pairwise(rhythms):
            assert b.stride_time <= a.stride_time + 1e-12
            assert abs(b.stride_time / a.stride_time - 1) < 0.01
            if a.passed_transitions == b.passed_transitions:
                assert abs(b.duty - a.duty) < 0.01
                assert np.abs(b.lags - a.lags).max() < 0.02


def test_names_follow_the_order_of_footfalls() -> None:
    four = GaitBody.from_pairs(2, 1.0, 1.0)  # left hind, right hind, left fore, right fore
    for name, phases, duty in (
        ("walk", (0, 0.5, 0.25, 0.75), 0.65),
        ("walk", (0.5, 0, 0.75, 0.25), 0.65),
        ("diagonal walk", (0, 0.5, 0.75, 0.25), 0.65),
        ("amble", (0, 0.5, 0.25, 0.75), 0.4),
        ("trot", (0, 0.5, 0.5, 0), 0.4),
        ("trot", (0, 0.5, 0.52, 0.98), 0.4),
        ("pace", (0, 0.5, 0, 0.5), 0.4),
        ("pace", (0, 0.5, 0.97, 0.47), 0.4),
        ("canter", (0, 0.35, 0.35, 0.7), 0.35),
        ("canter", (0.35, 0, 0.7, 0.35), 0.35),
        ("gallop", (0, 0.17, 0.36, 0.55), 0.26),
        ("gallop", (0, 0.17, 0.55, 0.36), 0.26),  # transverse and rotary
        ("bound", (0, 0, 0.5, 0.5), 0.3),
        ("half bound", (0, 0.03, 0.4, 0.6), 0.3),
        ("pronk", (0, 0, 0, 0), 0.4),
    ):
        assert name_gait(four, np.array(phases, float), duty) == name, (name, phases)
    six = GaitBody.from_pairs(3, 1.0, 1.0)
    assert name_gait(six, np.zeros(6), 0.5) == "irregular"


def test_flight_is_where_no_foot_is_down() -> None:
    assert compute_flight_share(np.array([0.0, 0.5]), 0.6) == 0
    assert compute_flight_share(np.array([0.0, 0.5]), 0.4) == pytest.approx(0.2)
    assert compute_flight_share(np.array([0.9, 0.1]), 0.3) == pytest.approx(0.5)
    assert compute_longest_flight(np.array([0.0, 0.6]), 0.3) == pytest.approx(0.3)
    assert compute_longest_flight(np.array([0.0, 0.5]), 0.6) == 0


def test_the_leading_side_can_be_chosen() -> None:
    left, right = (
        FroudeGaitLaw(GaitBody(HORSE.legs, 1.2, 1.3, leading_side=lead)).rhythm_at(10.0)
        for lead in (1, -1)
    )
    np.testing.assert_allclose(left.phases[[1, 0, 3, 2]], right.phases)
    assert np.argmax(left.phases) == 2  # the left fore foot comes down last


@pytest.mark.parametrize("pairs", [1, 2, 3, 4, 5])
def test_a_gait_held_by_name_keeps_its_phases_at_every_speed(pairs: int) -> None:
    body = GaitBody.from_pairs(pairs, 0.8, 1.0)
    for name in get_fixed_gaits(body):
        law = FroudeGaitLaw(body, gait=name)
        rhythms = _sweep(law, FROUDE)
        assert {r.gait_name for r in rhythms} == {name}
        assert {r.duty for r in rhythms} == {find_fixed_gait(name, body).duty}
        assert rhythms[-1].stride_time < 0.7 * rhythms[0].stride_time
        # what legs can reach
        assert max(r.duty * r.stride_length for r in rhythms) <= 1.3 * body.hip_height + 1e-9
        longest = max(compute_longest_flight(r.phases, r.duty) * r.stride_time for r in rhythms)
        assert 9.81 * longest**2 / 8 < 0.13 * body.hip_height  # and how high they jump


def test_a_gait_held_by_name_has_a_top_speed() -> None:
    for name, least, most in (("walk", 3, 8), ("trot", 10, 20), ("gallop", 20, 30)):
        law = FroudeGaitLaw(HORSE, gait=name)
        assert least < law.top_speed < most
        fastest = law.rhythm_at(law.top_speed)
        assert (1 - fastest.duty) * fastest.stride_time == pytest.approx(
            0.5 * HORSE.unit_time(9.81)
        )
    assert FroudeGaitLaw(HORSE).top_speed == np.inf


def test_invalid_gaits_and_bodies_are_refused() -> None:
    with pytest.raises(
        TaskError, match=r"4 legs has no gait 'tripod'; it must be one of: walk, trot"
    ):
        FroudeGaitLaw(HORSE, gait="tripod")
    with pytest.raises(CharacterError, match="without legs"):
        GaitBody((), 1.0)
    with pytest.raises(CharacterError, match="2 legs are in row 0 on side 1"):
        GaitBody((LegPlace(0, 1), LegPlace(0, 1)), 1.0)
    with pytest.raises(CharacterError, match=r"rows \[0, 2\]"):
        GaitBody((LegPlace(0, 1), LegPlace(2, 1)), 1.0)
    with pytest.raises(CharacterError, match="higher than 0"):
        GaitBody.from_pairs(2, 0.0)
    with pytest.raises(CharacterError, match="stiff, firm, supple"):
        GaitBody.from_pairs(2, 1.0, 1.0, "rubber")  # type: ignore[arg-type]


def test_strides_are_those_of_dogs(shared: Path) -> None:
    with open(shared / "data/gait/quadruped_dog_mann_footfalls.csv", newline="") as file:
        rows = {
            row["gait"].split()[0]: {k: float(v) for k, v in row.items() if k != "gait"}
            for row in csv.DictReader(file)
        }
    law = FroudeGaitLaw(DOG)
    for gait in ("walk", "trot"):
        row = rows[gait]
        ours = law.rhythm_at(rows[gait]["speed_mps_mean"])
        assert ours.gait_name == gait
        assert ours.stride_time == pytest.approx(row["stride_s_mean"], rel=0.06)
        assert ours.phases[2] == pytest.approx(row["fore_lag_after_same_side_hind_mean"], abs=0.03)
        assert ours.duty == pytest.approx(
            0.5 * (row["duty_hind_mean"] + row["duty_fore_mean"]), abs=0.03
        )
        assert ours.flight_share == pytest.approx(row["aerial_mean"], abs=0.02)


def test_gallops_are_those_of_dogs(shared: Path) -> None:
    with open(shared / "data/gait/quadruped_dog_mann_gallop.csv", newline="") as file:
        measured = {row["quantity"]: float(row["mean"]) for row in csv.DictReader(file)}
    ours = FroudeGaitLaw(DOG).rhythm_at(measured["speed_mps"])
    assert ours.gait_name == "gallop"
    assert ours.stride_time == pytest.approx(measured["stride_s"], rel=0.08)
    np.testing.assert_allclose(
        np.sort(ours.phases)[1:],
        [measured["lead_hind_lag"], measured["first_fore_lag"], measured["second_fore_lag"]],
        atol=0.02,
    )
    duty = np.mean(
        [
            measured[k]
            for k in ("duty_trail_hind", "duty_lead_hind", "duty_first_fore", "duty_second_fore")
        ]
    )
    # Within the accuracy of the threshold of the measurement
    assert ours.duty == pytest.approx(duty, abs=0.05)


def test_gallops_are_those_of_horses(shared: Path) -> None:
    with open(shared / "data/gait/quadruped_timing_literature.csv", newline="") as file:
        rows = [
            row for row in csv.DictReader(file) if row["animal"].startswith("horse (Thoroughbred")
        ]
    law = FroudeGaitLaw(HORSE)
    for speed in ("9", "17"):
        measured = {
            row["quantity"]: float(row["value"]) for row in rows if row["speed_m_s"] == speed
        }
        ours = law.rhythm_at(float(speed))
        assert ours.gait_name == "gallop"
        assert ours.stride_time == pytest.approx(measured["stride_duration"] / 1000, rel=0.04)
        assert ours.duty == pytest.approx(
            0.5 * (measured["duty_factor_fore"] + measured["duty_factor_hind"]), abs=0.03
        )


def test_walks_of_two_legs_are_those_of_young_people(shared: Path) -> None:
    with open(shared / "data/gait/stp_wbds2018_by_speed.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] == "Young"]
    assert len(rows) >= 5
    for row in rows:
        leg = float(row["step_length_m_mean"]) / float(row["step_length_over_leg_mean"])
        ours = FroudeGaitLaw(GaitBody.from_pairs(1, leg)).rhythm_at(float(row["speed_mean"]))
        assert ours.gait_name == "walk"
        assert ours.stride_time == pytest.approx(
            120 / float(row["cadence_steps_min_mean"]), rel=0.06
        )
