"""Fields of a task: other units, later moments and the file, all by looping over the fields."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
import pytest
import tomli_w
from footfall.core.clip import Knobs, StyleShare
from footfall.core.errors import FootfallError, TaskError
from footfall.core.task import (
    FacingOffset,
    ForbiddenArea,
    GazeTarget,
    Hurdle,
    Jump,
    KeyPose,
    MonkeyBars,
    Path,
    PathFacing,
    PinnedStep,
    Profile,
    Projectile,
    Push,
    SpeedProfile,
    StandingPose,
    SteppingStones,
    Task,
)
from footfall.core.task.entries import read_float, read_table
from footfall.core.task.field_kinds import Number, Parts
from footfall.core.task.part import TaskPart
from footfall.core.task.record import require_kinds
from footfall.core.task.units import FORCE, MOMENT, SPEED, TIME
from footfall.core.terrain import MeshGround
from hypothesis import given
from hypothesis import strategies as st

POINTS = np.random.default_rng(4).uniform(-5, 5, (60, 2))
TURN = (0.9, 0.0, 0.4, 0.1)
PROBES = np.random.default_rng(5).uniform(0, 3, (40, 2))
# Factors for which all durations and heights below stay in their ranges.
factors = st.floats(0.7, 1.5)
times = st.floats(1.0, 5.0)
lengths = st.floats(0.1, 2.0)

# For each field a strategy of values that combine with those of the other fields.
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": st.text(max_size=5),
    "seconds": st.floats(2.0, 100.0),
    "fps": st.floats(10.0, 100.0),
    "friction": st.floats(0.1, 2.0),
    "gravity": st.floats(1.0, 30.0),
    "mass": st.none() | st.floats(1.0, 100.0),
    "seed": st.integers(0, 9),
    "style": st.sampled_from(["natural", "run"]),
    "upper_style": st.sampled_from([None, "proud"]),
    "gait": st.sampled_from([None, "trot"]),
    "engine": st.sampled_from(["centroidal", "preview"]),
    "start": st.just("standing"),
    "stop_at_end": st.booleans(),
    "tread": st.sampled_from(["whole", "forefoot"]),
    "path": st.sampled_from([Path(POINTS[:3]), Path(POINTS)]),
    "speed": st.builds(SpeedProfile, st.floats(0.0, 3.0)),
    "ground": st.just(MeshGround([[-9, -9, 0], [9, -9, 1], [0, 9, 2]], [[0, 1, 2]])),
    "stride_length": st.none() | st.builds(lambda v: Profile("stride", [v, 1.0], [0, 2]), lengths),
    "step_width_factor": st.builds(lambda v: Profile("width", v), lengths),
    "facing_offset": st.builds(lambda v: FacingOffset([0, v], [0, 1]), st.floats(10.0, 40.0)),
    "pushes": st.lists(
        st.builds(
            Push,
            times,
            st.tuples(lengths, lengths, lengths),
            st.floats(0.1, 0.8),
            body_part=st.just("chest"),
            moment=st.tuples(lengths, lengths, lengths),
        ),
        max_size=2,
    ).map(tuple),
    "projectiles": st.lists(
        st.builds(
            Projectile,
            times,
            distance=st.floats(2, 9),
            launch_position=st.none() | st.tuples(lengths, lengths, lengths),
        ),
        max_size=2,
    ).map(tuple),
    "pinned_steps": st.lists(
        st.builds(
            PinnedStep,
            st.just("L"),
            times,
            st.tuples(lengths, lengths),
            heading=st.none() | lengths,
            contact_times=st.none() | st.just((1.0, 1.1, 1.2, 1.5)),
            follows_previous=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    "stepping_stones": st.sampled_from([None, SteppingStones(POINTS)]),
    "forbidden_areas": st.lists(
        st.builds(ForbiddenArea, st.just(((1.0, 2.0), (3.0, 4.5))), lengths), max_size=2
    ).map(tuple),
    "first_pose": st.none() | st.just(StandingPose((0.1, 0.2, 0.9), {"head": TURN})),
    "last_pose": st.none() | st.just(StandingPose((0.1, 0.2, 0.8), {"chest": TURN})),
    "gaze": st.none() | st.builds(lambda z: GazeTarget([[1, 2, z], [0, 1, 2]], [0, 2]), lengths),
    "key_poses": st.lists(
        st.builds(KeyPose, times, st.just({"head": TURN}), lengths), max_size=2
    ).map(tuple),
    "mixed_styles": st.sampled_from([(), (StyleShare("proud", 0.5), StyleShare("run", 0.2))]),
    "knobs": st.builds(lambda v: Knobs(lean=v), st.floats(-5, 5)),
    "jumps": st.lists(
        st.builds(Jump, times, lengths, lengths, turn=lengths, flips=st.integers(-2, 2)),
        max_size=2,
    ).map(tuple),
}
# Fields that exclude others, each alone.
EXCLUSIVE: dict[str, Any] = {
    "facing": PathFacing([20.0, np.nan, 50.0], [0.0, 1.0, 2.5]),
    "hurdles": (Hurdle((1.0, 2.0), (3.0, 4.0), 0.5, 0.2),),
    "monkey_bars": MonkeyBars([[0.4 * k, 0.1, 2.2] for k in range(30)]),
}
tasks = st.fixed_dictionaries(FIELDS).map(lambda values: Task(**values))
straight = st.builds(
    lambda name: Task(Path(POINTS), SpeedProfile(1.0), start="standing", **{name: EXCLUSIVE[name]}),
    st.sampled_from(sorted(EXCLUSIVE)),
)


def _flatten(value: object) -> object:
    """Return a value as nested lists and dictionaries of numbers and text."""
    if hasattr(value, "sample_heights"):
        return np.nan_to_num(value.sample_heights(PROBES), nan=-9.0).tolist()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [_flatten(v) for v in value]
    if isinstance(value, dict):
        return {key: _flatten(v) for key, v in value.items()}
    if is_dataclass(value):
        return {f.name: _flatten(getattr(value, f.name)) for f in fields(value) if f.init}
    if hasattr(value, "__dict__"):
        return {key: _flatten(v) for key, v in vars(value).items() if not key.startswith("_")}
    return value


def _assert_equal(one: object, other: object, tolerance: float) -> None:
    if isinstance(one, dict):
        assert isinstance(other, dict)
        assert list(one) == list(other)
        for key, value in one.items():
            _assert_equal(value, other[key], tolerance)
    elif isinstance(one, list):
        assert isinstance(other, list)
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            _assert_equal(a, b, tolerance)
    elif isinstance(one, float):
        assert other == pytest.approx(one, rel=tolerance, abs=tolerance, nan_ok=True)
    else:
        assert one == other


def test_every_field_is_drawn() -> None:
    drawn = set(FIELDS) | set(EXCLUSIVE)
    assert drawn | {"character", "units"} == {f.name for f in fields(Task) if f.init}


@given(tasks | straight, factors, factors)
def test_units_there_and_back_are_the_task(task: Task, length: float, time: float) -> None:
    back = task.in_units(length, time).in_units(1 / length, 1 / time)
    _assert_equal(_flatten(task), _flatten(back), 1e-7)


@given(tasks | straight, st.floats(0.0, 5.0))
def test_a_shift_there_and_back_is_the_task(task: Task, seconds: float) -> None:
    _assert_equal(_flatten(task), _flatten(task.shifted(seconds).shifted(-seconds)), 1e-9)


@given(tasks | straight)
def test_the_table_there_and_back_is_the_task(task: Task) -> None:
    back = Task.from_table(task.to_table())
    _assert_equal(_flatten(task), _flatten(back), 0.0)
    assert tomli_w.dumps(back.to_table()) == tomli_w.dumps(task.to_table())


def test_dimensions_convert_as_their_units() -> None:
    """In units of 2 m and 4 s, a speed of 1 m/s is 2, and the newton is 8 of the new unit."""
    assert SPEED.convert(1.0, 2.0, 4.0) == 2.0
    assert FORCE.convert(1.0, 2.0, 4.0) == 8.0
    assert MOMENT.convert(1.0, 2.0, 4.0) == 4.0
    small = Task(Path([[0, 0], [5, 0]]), SpeedProfile([1, 2], [0, 4])).in_units(2.0, 4.0)
    assert small.path.length == 2.5
    assert small.speed.values.tolist() == [2, 4]
    assert small.speed.times.tolist() == [0, 1]
    assert (small.seconds, small.fps) == (2.5, 120.0)


@dataclass(frozen=True)
class Gust(TaskPart):
    """An example of a new part: wind for a time."""

    time: float
    speed: float

    def in_units(self, length: float, time: float) -> Gust:
        return Gust(self.time / time, SPEED.convert(self.speed, length, time))

    def shifted(self, seconds: float) -> Gust:
        return Gust(self.time + seconds, self.speed)

    def to_table(self) -> dict[str, Any]:
        return {"time": self.time, "speed": self.speed}

    @classmethod
    def from_table(cls, table: object, key: str) -> Gust:
        entries = read_table(table, key)
        return cls(read_float(entries, "time", 0.0), read_float(entries, "speed", 1.0))


@require_kinds
@dataclass(frozen=True, kw_only=True)
class WindyTask(Task):
    """A task with another field; nothing else is written for it."""

    gusts: tuple[Gust, ...] = field(
        default=(),
        metadata=Parts(key="gust", part=Gust, feature="gusts", needs_steps=True).metadata,
    )


def test_a_new_field_is_one_part_and_one_line() -> None:
    task = WindyTask(Path([[0, 0], [5, 0]]), SpeedProfile(1.0), gusts=(Gust(1.0, 6.0),))
    assert task.in_units(2.0, 4.0).gusts == (Gust(0.25, 12.0),)
    assert task.shifted(3.0).gusts == (Gust(4.0, 6.0),)
    assert task.to_table()["gust"] == [{"time": 1.0, "speed": 6.0}]
    assert WindyTask.from_table(task.to_table()).gusts == task.gusts
    assert task.list_step_features() == ["gusts"]
    with pytest.raises(TaskError, match="no entry 'gust'; the entries are: bars, "):
        Task.from_table(task.to_table())
    with pytest.raises(FootfallError, match="a list of tables, each written as \\[\\[gust\\]\\]"):
        WindyTask.from_table({**task.to_table(), "gust": 3})


def test_a_field_without_a_kind_or_with_a_taken_key_is_an_error() -> None:
    with pytest.raises(TypeError, match="'duration' of Nameless has no kind"):

        @require_kinds
        @dataclass(frozen=True, kw_only=True)
        class Nameless(Task):
            duration: float = 1.0

    with pytest.raises(TypeError, match=r"'seconds' and 'duration' of Doubled .* key 'seconds'"):

        @require_kinds
        @dataclass(frozen=True, kw_only=True)
        class Doubled(Task):
            duration: float = field(
                default=1.0, metadata=Number(key="seconds", dimension=TIME).metadata
            )
