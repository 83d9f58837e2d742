"""Ground that no legs can follow, or on which feet slip, is named before anything is planned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import ENGINES
from footfall.core.engine.shared.passable_ground import check_passable_ground
from footfall.core.errors import PlanningError
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import MeshGround, Slab, make_slab_ground, make_stair_slabs

LEG_LENGTH = 0.9  # [m]


def _make_ground(places: list[float], heights: list[float], scale: float = 1.0) -> MeshGround:
    """Return a ground of a profile along the x axis; a height that is not a number is a gap."""
    vertices = scale * np.array(
        [(x, y, z) for x, z in zip(places, heights, strict=True) for y in (-3.0, 3.0)]
    )
    faces = [
        triangle
        for k in range(len(places) - 1)
        if np.isfinite(vertices[2 * k : 2 * k + 4]).all()
        for triangle in ((2 * k, 2 * k + 2, 2 * k + 1), (2 * k + 1, 2 * k + 2, 2 * k + 3))
    ]
    return MeshGround(np.nan_to_num(vertices), np.array(faces))


def _make_task(ground: MeshGround, scale: float = 1.0, seconds: float = 8.0) -> Task:
    path = Path(scale * np.array([(0.0, 0.0), (9.0, 0.0)]))
    return Task(path, SpeedProfile(scale), seconds=seconds, ground=ground)


@pytest.mark.parametrize("scale", [0.02, 1.0, 50.0])
@pytest.mark.parametrize("height", [5.0, -5.0, 1.0, -1.0])
def test_cliff_has_time_and_place(height: float, scale: float) -> None:
    ground = _make_ground([-1, 4, 4.001, 20], [0, 0, height, height], scale)
    with pytest.raises(PlanningError, match="in one step") as caught:
        check_passable_ground(_make_task(ground, scale), scale * LEG_LENGTH)
    assert caught.value.place is not None
    assert caught.value.place[0] == pytest.approx(4.0 * scale, abs=0.1 * scale)
    assert caught.value.time == pytest.approx(4.0, abs=0.1)


def test_steep_slope_is_given_in_degrees() -> None:
    ground = _make_ground([-1, 4, 8, 20], [0, 0, 4.767, 4.767])
    with pytest.raises(PlanningError, match=r"\(50 degrees\)"):
        check_passable_ground(_make_task(ground), LEG_LENGTH)


@pytest.mark.parametrize(
    ("places", "heights"),
    [
        ([-1, 4, 8, 20], [0, 0, 3.35, 3.35]),  # 40 degrees
        ([-1, 4, 4.001, 20], [0, 0, 0.8, 0.8]),  # a high step
        ([-1, 4, 4.001, 6, 6.001, 20], [0, 0, np.nan, np.nan, 3, 3]),  # a gap
    ],
)
def test_other_ground_is_left_to_the_plan(places: list[float], heights: list[float]) -> None:
    check_passable_ground(_make_task(_make_ground(places, heights)), LEG_LENGTH)


def _make_slope(angle: float) -> MeshGround:
    """Return ground that is level up to x = 4 m and then rises at an angle [degrees]."""
    return _make_ground([-1, 4, 20], [0, 0, 16 * float(np.tan(np.radians(angle)))])


def test_slope_on_which_feet_slip_has_time_and_place() -> None:
    task = replace(_make_task(_make_slope(20.0)), friction=0.3)
    message = r"slopes by 20 degrees at .*feet slip on slopes of more than 15 degrees.*of 0\.3\."
    with pytest.raises(PlanningError, match=message) as caught:
        check_passable_ground(task, LEG_LENGTH, 0.9)
    assert caught.value.place is not None
    assert caught.value.place[0] == pytest.approx(4.0, abs=0.2)
    assert caught.value.time == pytest.approx(4.0, abs=0.2)
    stand = replace(task, path=Path([(6.0, 0.0), (9.0, 0.0)]), speed=SpeedProfile(0.0))
    with pytest.raises(PlanningError, match="feet slip"):
        check_passable_ground(stand, LEG_LENGTH, 0.9)


def test_slope_within_friction_passes() -> None:
    task = _make_task(_make_slope(20.0))
    check_passable_ground(replace(task, friction=0.45), LEG_LENGTH, 0.9)
    before = replace(task, friction=0.2, seconds=3.5)  # which the body does not reach
    check_passable_ground(before, LEG_LENGTH, 0.9)


def test_treads_of_steep_stairs_are_level() -> None:
    steps = make_stair_slabs(1.0, 40, tread=0.3, rise=0.18, width=6.0)
    stairs = make_slab_ground([Slab((-3.0, 1.0), (-3.0, 3.0)), *steps])
    for station in np.linspace(0.0, 3.0, 31):
        path = Path([(station, 0.0), (station + 0.01, 0.0)])
        stand = Task(path, SpeedProfile(0.0), ground=stairs, seconds=2.0, friction=0.2)
        check_passable_ground(stand, LEG_LENGTH)


def test_cliff_beyond_the_clip_is_no_problem() -> None:
    ground = _make_ground([-1, 4, 4.001, 20], [0, 0, 5, 5])
    check_passable_ground(_make_task(ground, seconds=3.0), LEG_LENGTH)
    standing = replace(_make_task(ground), speed=SpeedProfile(0.0))
    check_passable_ground(standing, LEG_LENGTH)


def test_scenarios_of_planned_bodies_pass() -> None:
    tasks = [scenario.build_task() for scenario in SCENARIOS.values()]
    for task in tasks:
        if task.engine == "centroidal":
            check_passable_ground(task, LEG_LENGTH, ENGINES["centroidal"].friction_share)
