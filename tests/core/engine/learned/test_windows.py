"""Windows of time, states in the frames of a pendulum, and their mirror images."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from footfall.core.clip import load_builtin_style
from footfall.core.engine.centroidal.body import PlannedBody, choose_style
from footfall.core.engine.centroidal.modes.walking import sketch_style_walk
from footfall.core.engine.learned.mirror import Mirror, find_mirrored, is_symmetric_style
from footfall.core.engine.learned.samples import make_body_task
from footfall.core.engine.learned.sketch_curves import SketchCurves
from footfall.core.engine.learned.states import BodyStates, PendulumFrames, StateVectors
from footfall.core.engine.learned.windows import WINDOWS, choose_windows, evaluate_window
from footfall.core.engine.shared.character import load_task_character
from footfall.core.geometry import so3
from footfall.core.motion import Footstep
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import FlatGround, HeightField
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import CubicSpline

Array = NDArray[np.float64]


@cache
def _load_body(name: str) -> PlannedBody:
    task = make_body_task(name, "natural")
    character = load_task_character(task)
    return PlannedBody.from_character(character, choose_style(task, character))


def _make_footsteps(strikes: list[float]) -> tuple[Footstep, ...]:
    return tuple(
        Footstep(k % 2, t, t, t + 0.3, t + 0.6, np.zeros(3), np.eye(3))
        for k, t in enumerate(strikes)
    )


def test_windows_begin_where_feet_strike_and_overlap() -> None:
    windows = choose_windows(_make_footsteps([-0.3, 0.2, 0.7, 1.2, 1.7, 2.2]), 1.6)
    assert windows.begin == pytest.approx([0.0, 0.2, 0.7, 1.2])
    assert windows.begin + windows.duration == pytest.approx(
        np.array([0.2, 0.7, 1.2, 1.7]) + WINDOWS.overlap_share * 0.5
    )


def test_a_body_that_stands_has_windows_too() -> None:
    windows = choose_windows(_make_footsteps([-0.3, 0.0, 3.0]), 5.0)
    assert np.diff(windows.begin).max() <= WINDOWS.max_period + 1e-9
    assert windows.begin[-1] + windows.duration[-1] >= 5.0
    assert 3.0 in windows.begin


def test_feet_that_land_together_begin_one_window() -> None:
    windows = choose_windows(_make_footsteps([0.5, 0.52, 1.0, 1.02]), 1.2)
    assert windows.begin == pytest.approx([0.0, 0.5, 1.0])


def test_samples_of_a_window_are_joined_by_a_cubic_spline() -> None:
    samples = np.random.default_rng(0).standard_normal((WINDOWS.state_count, 3))
    share = np.array([0.0, 0.013, 0.5, 0.97, 1.0])
    spline = CubicSpline(np.linspace(0, 1, WINDOWS.state_count), samples)
    assert evaluate_window(samples, share) == pytest.approx(spline(share), abs=1e-12)


@pytest.mark.parametrize("name", ["humanoid", "anymal"])
def test_states_come_back_from_their_vectors(name: str) -> None:
    body = _load_body(name)
    vectors = StateVectors(body.model)
    rng = np.random.default_rng(1)
    n = 6
    change = 0.3 * rng.standard_normal((n, body.model.nv))
    states = BodyStates(
        rng.standard_normal((n, 3)),
        rng.standard_normal((n, 3)),
        so3.exp(0.5 * rng.standard_normal((n, 3))),
        spin=rng.standard_normal((n, 3)),
        feet=rng.standard_normal((n, vectors.leg_count, 3)),
        poses=body.model.integrate(np.tile(body.model.neutral, (n, 1)), change),
    )
    frames = PendulumFrames(
        rng.standard_normal((n, 3)),
        rng.uniform(-0.5, 0.5, n),
        rng.standard_normal((n, vectors.leg_count, 3)),
    )
    encoded = vectors.encode(states, frames)
    assert encoded.shape == (n, vectors.size)
    decoded = vectors.decode(encoded, frames)
    for field in ("com", "velocity", "rotation", "spin", "feet"):
        assert getattr(decoded, field) == pytest.approx(getattr(states, field), abs=1e-9)
    assert body.model.difference(states.poses, decoded.poses) == pytest.approx(0.0, abs=1e-9)


def _sketch(task: Task) -> SketchCurves:
    return SketchCurves(sketch_style_walk(task, _load_body("humanoid")), task.ground, 2)


def _make_walk(angle: float = 0.0, side: float = 1.0) -> Task:
    """A walk that turns to one side, on a slope, all of it rotated by an angle."""
    points = np.array([[0.0, 0.0], [2.0, 0.0], [6.0, 2.0 * side]])
    rotation = so3.rotation_about("z", angle)[:2, :2]
    x, y = np.meshgrid(np.arange(-12.0, 12.1, 0.5), np.arange(-12.0, 12.1, 0.5), indexing="ij")
    along = x * np.cos(angle) + y * np.sin(angle)
    return Task(
        Path(points @ rotation.T),
        SpeedProfile(1.2),
        seconds=3.0,
        ground=HeightField(0.1 * along, (-12.0, -12.0), 0.5),
    )


def test_inputs_do_not_depend_on_place_and_direction() -> None:
    inputs = []
    for angle in (0.0, 2.0):
        curves = _sketch(_make_walk(angle))
        windows = choose_windows(tuple(s.footstep for s in curves.sketch.steps), 2.5)
        inputs.append(curves.make_inputs(windows).vectors)
    assert inputs[0].shape == (len(windows), SketchCurves.count_inputs(2))
    assert inputs[1] == pytest.approx(inputs[0], abs=0.01)


def test_planes_lie_on_a_slope() -> None:
    curves = _sketch(_make_walk())
    windows = choose_windows(tuple(s.footstep for s in curves.sketch.steps), 2.5)
    planes = curves.make_inputs(windows).planes
    for k in range(len(windows)):
        place = planes.middle[k, :2] + [0.1, 0.3]
        assert planes.height_at(k, place) == pytest.approx(0.1 * place[0], abs=0.01)


class _Gap(FlatGround):
    """Level ground with a gap across the path."""

    def sample_heights(self, xy: ArrayLike) -> Array:
        x = np.asarray(xy, float)[..., 0]
        return np.where((x > 1.0) & (x < 1.4), np.nan, 0.0)


def test_inputs_over_a_gap_are_finite() -> None:
    curves = SketchCurves(_sketch(_make_walk()).sketch, _Gap(), 2)
    windows = choose_windows(tuple(s.footstep for s in curves.sketch.steps), 2.5)
    assert np.isfinite(curves.make_inputs(windows).vectors).all()


def test_mirrored_inputs_are_those_of_a_turn_to_the_other_side() -> None:
    body = _load_body("humanoid")
    mirror = Mirror.from_body(StateVectors(body.model), body.style)
    assert mirror is not None
    windows = choose_windows(_make_footsteps([0.5, 1.0]), 0.9)
    samples = []
    for side in (1.0, -1.0):
        task = _make_walk(side=side)
        sketch = sketch_style_walk(task, body)
        samples.append(SketchCurves(sketch, FlatGround(), 2).make_inputs(windows).vectors)
    # Pendulum and speed; which foot steps first does not depend on the side.
    pendulum = [0, 1, 2, 9, 10]
    mirrored = mirror.sketch.apply(samples[0])
    assert mirrored[:, pendulum] == pytest.approx(samples[1][:, pendulum], abs=1e-6)
    assert mirror.sketch.apply(mirrored) == pytest.approx(samples[0])


def test_only_symmetric_bodies_and_styles_are_mirrored() -> None:
    body = _load_body("humanoid")
    vectors = StateVectors(body.model)
    assert is_symmetric_style(load_builtin_style("natural"))
    assert not is_symmetric_style(load_builtin_style("limp"))
    assert Mirror.from_body(vectors, load_builtin_style("limp")) is None
    robot = _load_body("anymal")
    assert Mirror.from_body(StateVectors(robot.model), robot.style) is None


def test_windows_that_begin_on_the_right_foot_are_mirrored() -> None:
    footsteps = _make_footsteps([-0.3, 0.2, 0.7, 1.2])
    windows = choose_windows(footsteps, 1.1)
    mirrored = find_mirrored(windows, footsteps, _load_body("humanoid").character)
    right = [_load_body("humanoid").character.legs[leg].side < 0 for leg in (0, 1, 0)]
    assert mirrored.tolist() == right
