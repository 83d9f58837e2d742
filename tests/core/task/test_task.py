"""Paths, speeds, tasks and task files: round trips, and invalid values."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pytest
import tomli_w
from footfall.core.character.recognition.skeleton import Skeleton
from footfall.core.errors import FootfallError, TaskError
from footfall.core.scenarios.scenarios import SCENARIOS, find_scenario
from footfall.core.task import Path, Profile, Push, SpeedProfile, Task, load_task, save_task
from footfall.core.task.file import task_from_data
from footfall.core.task.packed import read_array, write_array
from footfall.core.terrain import HeightField, MeshGround, make_rolling_hills
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

TASK = """footfall_task = 1
speed = 1.2
[path]
points = [[0, 0], [5, 0]]
"""


def test_path_by_distance() -> None:
    path = Path([[0, 0, 9], [3, 0, 1], [3, 0, 5], [3, 4, 0]])
    assert path.length == 7
    np.testing.assert_allclose(
        path.position_at([-1.0, 3.0, 5.0, 8.0]), [[-1, 0], [3, 0], [3, 2], [3, 5]]
    )
    np.testing.assert_allclose(path.heading_at([1.0, 5.0]), [0, np.pi / 2])


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([], "empty"),
        ([[0, 0]], "empty"),
        ([[0, 0, 0], [0, 0, 5]], "straight up"),
        ([[0, 0], [np.nan, 1]], "finite"),
        ([[1, 1], [1, 1]], "no length"),
    ],
)
def test_bad_paths_say_what_is_wrong(points: list[list[float]], says: str) -> None:
    with pytest.raises(TaskError, match=says):
        Path(points)


@pytest.mark.parametrize(
    ("speeds", "times", "says"),
    [
        (-1.0, 0.0, "negative"),
        (np.inf, 0.0, "finite"),
        ([1, 2], [0, 0], "increase"),
        ([1, 2], [0], "for each"),
    ],
)
def test_bad_speeds_say_what_is_wrong(speeds: object, times: object, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        SpeedProfile(speeds, times)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"speed": 1.2}, r"field speed is 1.2; it must be of the class SpeedProfile"),
        ({"path": [[0, 0], [1, 0]]}, "field path .* of the class Path"),
        ({"seconds": "4"}, "field seconds is '4'; it must be a number"),
        ({"seconds": None}, "field seconds is None"),
        ({"style": 3}, "field style is 3; it must be text"),
        ({"pushes": Push(1.0, (9.0, 0.0, 0.0))}, "a tuple of .* Push"),
        ({"ground": "hills"}, "field ground is 'hills'; it must be a ground"),
        ({"character": None}, "field character is None"),
    ],
)
def test_values_of_another_type_say_which_type_is_right(values: dict[str, Any], says: str) -> None:
    task = {"path": Path([[0, 0], [3, 0]]), "speed": SpeedProfile(1.0)}
    with pytest.raises(TaskError, match=says):
        Task(**task | values)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"seconds": 0.0}, "length of the clip"),
        ({"seconds": 1e9}, "at most 3600"),
        ({"fps": np.nan}, "frame rate"),
        ({"fps": 1e6}, "frame rate"),
        ({"friction": 0.0}, "friction"),
        ({"gravity": -9.81}, "gravity"),
        ({"start": "flying"}, "standing"),
        ({"tread": "heel"}, "'heel'.*'whole'.*'forefoot'"),
    ],
)
def test_bad_tasks_say_what_is_wrong(values: dict[str, float], says: str) -> None:
    with pytest.raises(TaskError, match=says):
        Task(Path([[0, 0], [1, 0]]), SpeedProfile(1.0), **values)  # type: ignore[arg-type]


def _skeleton() -> Skeleton:
    rng = np.random.default_rng(0)
    return Skeleton(
        ("hip", 'odd "name".L'),
        (-1, 0),
        rng.normal(size=(2, 3)),
        rng.normal(size=(2, 3)),
        rng.normal(size=(2, 3, 3)),
        {"hip": rng.normal(size=(500, 3)).astype(np.float32).astype(float)},
        parts={"pelvis": "hip"},
    )


@pytest.mark.parametrize(
    "ground",
    [
        make_rolling_hills(np.random.default_rng(2), 8.0, 4.0),
        MeshGround([[0, 0, 0], [9, 0, 1], [0, 9, 2]], [[0, 1, 2]]),
    ],
)
def test_task_file_round_trip(tmp_path: FilePath, ground: HeightField | MeshGround) -> None:
    task = Task(
        Path(np.random.default_rng(1).normal(size=(40, 2))),
        SpeedProfile([1.0, 2.0], [0.0, 3.0]),
        character=_skeleton(),
        ground=ground,
        seconds=3.5,
        fps=24,
        style="run",
        start="standing",
        stop_at_end=False,
        friction=0.7,
        gravity=1.62,
        seed=7,
        name="über Stock",
        stride_length=Profile("stride", [1.0, 2.0], [0.0, 2.0]),
        step_width_factor=Profile("width", 0.5),
    )
    save_task(task, tmp_path / "task.toml")
    back = load_task(tmp_path / "task.toml")
    for name in (
        "seconds",
        "fps",
        "style",
        "start",
        "stop_at_end",
        "friction",
        "gravity",
        "seed",
        "name",
        "engine",
    ):
        assert getattr(back, name) == getattr(task, name)
    np.testing.assert_array_equal(back.path.points, task.path.points)
    for expected, read in (
        (task.stride_length, back.stride_length),
        (task.step_width_factor, back.step_width_factor),
    ):
        assert expected is not None
        assert read is not None
        np.testing.assert_array_equal(
            read.value_at(np.linspace(0, 3, 7)), expected.value_at(np.linspace(0, 3, 7))
        )
    np.testing.assert_array_equal(back.speed.values, task.speed.values)
    xy = np.random.default_rng(3).uniform(0, 4, (50, 2))
    np.testing.assert_array_equal(back.ground.sample_heights(xy), ground.sample_heights(xy))
    assert isinstance(back.character, Skeleton)
    assert isinstance(task.character, Skeleton)
    assert back.character.names == task.character.names
    assert back.character.parts == task.character.parts
    np.testing.assert_array_equal(back.character.axes, task.character.axes)
    np.testing.assert_array_equal(back.character.skin["hip"], task.character.skin["hip"])


@given(
    arrays(np.float64, array_shapes(max_dims=3, max_side=12), elements=st.floats(allow_nan=False))
)
def test_arrays_survive_text(array: np.ndarray) -> None:
    np.testing.assert_array_equal(read_array(write_array(array), "array"), array)


def test_handwritten_file_is_enough(tmp_path: FilePath) -> None:
    (tmp_path / "walk.toml").write_text(TASK + '[terrain]\nkind = "hills"\nseed = 4\n')
    task = load_task(tmp_path / "walk.toml")
    assert (task.character, task.style, task.speed.max_speed) == ("humanoid", "natural", 1.2)
    assert isinstance(task.ground, HeightField)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a task file"),
        ("x = 1", "not a task file"),
        ("footfall_task = ", "not a task file"),
        ("footfall_task = 99\n", "version 99"),
        (TASK.replace("speed = 1.2", "speed = -3"), "negative"),
        (TASK.replace("speed = 1.2", ""), "speed is missing"),
        (TASK.replace("speed = 1.2", "speed = 'fast'"), "number"),
        (TASK.replace("speed", "sped"), "sped"),
        (TASK + "[terrain]\nkind = 'lava'\n", "lava"),
        (TASK + "[terrain]\nkind='mesh'\nvertices='npy-zlib-base64:AAAA'\n", "vertices"),
        (TASK.replace("[[0, 0], [5, 0]]", "[[0, 0], [5]]"), "path's points"),
        (TASK.replace("speed = 1.2", "speed = 1.2\nseed = 1.5"), "whole"),
        (TASK.replace("speed = 1.2", "speed = 1.2\ncharacter = 3"), "character"),
        (TASK.replace("speed = 1.2", "speed = 1.2\nstop_at_end = 'no'"), "true or false"),
        (TASK.replace("speed = 1.2", "speed = 1.2\nstride = 0.0"), "longer than 0"),
        (TASK.replace("speed = 1.2", "speed = 1.2\nwidth = -1.0"), "at least 0"),
        (TASK.replace("speed = 1.2", "speed = 1.2\ntread = 'toes'"), "'toes'.*forefoot"),
        (TASK.replace("speed = 1.2", "speed = 1.2\ntread = 3"), "'tread' must be text"),
    ],
)
def test_bad_files_say_what_is_wrong(tmp_path: FilePath, text: str, says: str) -> None:
    file = tmp_path / "task.toml"
    file.write_text(text)
    with pytest.raises(TaskError, match=says) as raised:
        load_task(file)
    assert str(file) in str(raised.value)


def test_no_file_and_no_text(tmp_path: FilePath) -> None:
    with pytest.raises(TaskError, match="cannot be opened"):
        load_task(tmp_path / "nothing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TaskError, match="not a task file"):
        load_task(tmp_path / "bytes.toml")


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)
keys = st.sampled_from(
    [
        "speed",
        "path",
        "character",
        "terrain",
        "fps",
        "seed",
        "style",
        "stop_at_end",
        "seconds",
        "gravity",
    ]
)


@given(st.dictionaries(keys, values, max_size=5))
def test_anything_in_a_task_is_taken_or_refused(data: dict[str, object]) -> None:
    with suppress(FootfallError):  # any other exception fails the test
        task_from_data(
            {"footfall_task": 1, "speed": 1.0, "path": {"points": [[0, 0], [3, 0]]}, **data}
        )


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_are_taken_or_refused(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    file = tmp_path_factory.mktemp("task") / "x.toml"
    file.write_bytes(raw)
    with pytest.raises(TaskError):
        load_task(file)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_are_tasks_that_a_file_can_hold(tmp_path: FilePath, name: str) -> None:
    task = find_scenario(name).build_task(fps=24, seconds=4, seed=3)
    save_task(task, tmp_path / "s.toml")
    assert load_task(tmp_path / "s.toml").frames == 97
    assert tomli_w.dumps({"name": task.name}) in (tmp_path / "s.toml").read_text()


def test_unknown_scenario_names_those_that_are() -> None:
    with pytest.raises(TaskError, match="humanoid-walk"):
        find_scenario("moonwalk")
    with pytest.raises(TaskError, match="seed"):
        find_scenario("humanoid-walk").build_task(seed=-1)
