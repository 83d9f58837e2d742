"""Every engine honours a field of a task or refuses it by name."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import cache
from pathlib import Path as FilePath

import footfall.core.engine as engines
import numpy as np
import pytest
from footfall.core.clip import Knobs, StyleShare
from footfall.core.engine import ENGINES, EngineInfo, create_driver, generate
from footfall.core.engine.features import ALL_FEATURES, COMMON_FIELDS, FEATURES
from footfall.core.errors import FootfallError, TaskError
from footfall.core.motion import Motion
from footfall.core.scripting import measure
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
from footfall.core.terrain import BridgeTerrain, Ground, SpongyTerrain, make_rolling_hills

STRAIGHT = Path([[0, 0], [6, 0]])
TURN = (0.924, 0.0, 0.383, 0.0)
# Another value of each field, with the other fields that it requires
CHANGES: dict[str, dict[str, object]] = {
    "path": {"path": Path([[0, 0], [0.6, 0], [3, 1.5]])},
    "speed": {"speed": SpeedProfile(0.8)},
    "character": {"character": "dog"},
    "ground": {"ground": make_rolling_hills(np.random.default_rng(2), 12.0, 6.0)},
    "seconds": {"seconds": 1.2},
    "fps": {"fps": 24.0},
    "style": {"style": "proud"},
    "gait": {"gait": "trot"},
    "start": {"start": "standing"},
    "stop_at_end": {"path": Path([[0, 0], [0.9, 0]]), "stop_at_end": False},
    "friction": {"friction": 0.2},
    "gravity": {"gravity": 5.0},
    "mass": {"mass": 110.0},
    "seed": {"seed": 5},
    "name": {"name": "other"},
    "stride_length": {"stride_length": Profile("stride", 1.7)},
    "step_width_factor": {"step_width_factor": Profile("width", 2.0)},
    "facing_offset": {"facing_offset": FacingOffset(20.0)},
    "facing": {"facing": PathFacing([20.0])},
    "pushes": {"pushes": (Push(0.3, (0, 150, 0)),)},
    "projectiles": {"projectiles": (Projectile(0.5),)},
    "pinned_steps": {"pinned_steps": (PinnedStep("L", 0.8, (1.0, 0.15)),)},
    "hurdles": {"hurdles": (Hurdle((0.9, -0.6), (0.9, 0.6), 0.15),)},
    "forbidden_areas": {"forbidden_areas": (ForbiddenArea(((0.7, 0.1),), 0.2),)},
    "stepping_stones": {
        "stepping_stones": SteppingStones([[0.3 * k, 0.1 * (-1) ** k] for k in range(-9, 30)])
    },
    "jumps": {"jumps": (Jump(0.6, 0.2),), "start": "standing"},
    "tread": {"tread": "forefoot"},
    "first_pose": {
        "first_pose": StandingPose((0.0, 0.0, 0.93), {"head": TURN}),
        "start": "standing",
    },
    "last_pose": {
        "last_pose": StandingPose((0.9, 0.0, 0.93), {"head": TURN}),
        "path": Path([[0, 0], [0.9, 0]]),
        "seconds": 4.0,
    },
    "monkey_bars": {
        "monkey_bars": MonkeyBars([[0.4 * k, 0.0, 2.2] for k in range(6)]),
        "start": "standing",
    },
    "knobs": {"knobs": Knobs(step_width=0.4)},
    "mixed_styles": {"mixed_styles": (StyleShare("proud", 0.5),)},
    "upper_style": {"upper_style": "proud"},
    "gaze": {"gaze": GazeTarget([2.0, 3.0, 1.5])},
    "key_poses": {"key_poses": (KeyPose(0.5, {"head": TURN}),)},
}
# What a walker in the plane of its path refuses by itself, and its message
SIDE_VIEW_REFUSALS = {
    "path": "The path has bends",
    "pushes": "acts across the path",
}
# Values for this walker, which falls at long strides and at high speeds for the gravity
SIDE_VIEW_CHANGES: dict[str, dict[str, object]] = {
    "gravity": {"gravity": 8.0},
    "stride_length": {"stride_length": Profile("stride", 1.3)},
    "stop_at_end": {"path": Path([[0, 0], [2.5, 0]]), "stop_at_end": False},
}
# A simulated body walks for 8 s before a clip that begins in motion, so its tasks begin standing.
SIMULATED_CHANGES: dict[str, dict[str, object]] = {"start": {"start": "moving"}}
ENGINE_CHANGES = {"tracker": SIDE_VIEW_CHANGES, "preview": SIMULATED_CHANGES}
# On level ground the whole sole has room, so the field `tread` changes nothing.
NEEDS_NARROW_GROUND = {"tread"}
# engines that refuse some values of fields that all engines honor, with messages that name them
NARROW_ENGINES = {"adaptive"}
# Fields that are copied into the report
LABELS = {"name", "seed"}
MODULE = """
from footfall.core.engine import ENGINES


def generate(task, progress):
    progress("borrow", 1.0)
    return ENGINES["centroidal"].load()(task, progress)
"""


def _task(engine: str) -> Task:
    task = Task(STRAIGHT, SpeedProfile(1.1), seconds=1.0, engine=engine)
    return replace(task, start="standing", seconds=1.5) if engine == "preview" else task


def _differs(a: Motion, b: Motion) -> bool:
    return any(
        isinstance(one := getattr(a, f.name), np.ndarray)
        and not np.array_equal(one, getattr(b, f.name))
        for f in fields(Motion)
    )


@cache
def generate_plain(engine: str, body: str = "humanoid") -> Motion:
    """Return a walk without optional fields."""
    return generate(replace(_task(engine), character=body))


@pytest.fixture(scope="module")
def plain() -> dict[str, Motion]:
    """Return a walk of each engine without optional fields."""
    return {name: generate_plain(name) for name in ENGINES}


def test_every_field_of_a_task_is_considered() -> None:
    names = {f.name for f in fields(Task) if f.init} - {"units"}  # set by engines
    assert names == set(CHANGES) | {"engine"}
    features = ALL_FEATURES - {"hop", "push_moments", "acrobatics", "yielding_ground"}
    assert names == (COMMON_FIELDS - {"units"}) | features


def _is_honored(engine: str, name: str) -> bool:
    return name in COMMON_FIELDS | ENGINES[engine].features


# Recipes of a style for which no network is shipped; the engine "learned" refuses them for that.
NEEDS_NETWORK = {"style", "knobs", "mixed_styles", "upper_style"}
HONORED = [
    (engine, name)
    for engine in ENGINES
    for name in CHANGES
    if _is_honored(engine, name)
    and name not in NEEDS_NARROW_GROUND | {"character", "gait"} | LABELS
    and not (engine == "learned" and name in NEEDS_NETWORK)
    and not (engine == "tracker" and name in SIDE_VIEW_REFUSALS)
]
REFUSED = [
    (engine, name) for engine in ENGINES for name in CHANGES if not _is_honored(engine, name)
]


def _try_to_generate(task: Task) -> Motion | str:
    """Return the motion of a task, or the message with which it is refused."""
    try:
        return generate(task)
    except TaskError as error:
        return str(error)


@pytest.mark.parametrize(("engine", "name"), HONORED)
def test_a_changed_field_changes_the_motion(
    plain: dict[str, Motion], engine: str, name: str
) -> None:
    changes = ENGINE_CHANGES.get(engine, {}).get(name, CHANGES[name])
    others = {key: value for key, value in changes.items() if key != name}
    before = _try_to_generate(replace(_task(engine), **others)) if others else plain[engine]
    after = _try_to_generate(replace(_task(engine), **changes))
    if engine in NARROW_ENGINES and (isinstance(before, str) or isinstance(after, str)):
        for message in (before, after):
            assert not isinstance(message, str) or f"the engine {engine!r}" in message.lower()
        return
    assert isinstance(before, Motion)
    assert isinstance(after, Motion)
    assert _differs(after, before)


@pytest.mark.parametrize("engine", ENGINES)
def test_name_and_seed_are_in_the_report(engine: str) -> None:
    report = generate(replace(_task(engine), name="other", seed=5)).report
    assert (report.scenario, report.seed) == ("other", 5)


@pytest.mark.parametrize("name", sorted(NEEDS_NETWORK))
def test_a_style_without_a_network_is_refused(name: str) -> None:
    with pytest.raises(TaskError, match="There is no network for humanoid in the style"):
        generate(replace(_task("learned"), **CHANGES[name]))


def test_another_body_and_its_gait_change_the_motion(plain: dict[str, Motion]) -> None:
    dog = replace(_task("centroidal"), character="dog")
    assert _differs(generate_plain("centroidal", "dog"), plain["centroidal"])
    assert _differs(generate(replace(dog, gait="pace")), generate(replace(dog, gait="trot")))
    with pytest.raises(FootfallError, match="'preview' moves such bodies only"):
        generate(replace(dog, engine="preview"))


@pytest.mark.parametrize("name", SIDE_VIEW_REFUSALS)
def test_side_view_says_what_it_cannot_do(name: str) -> None:
    task = replace(_task("tracker"), **CHANGES[name])
    with pytest.raises(TaskError, match=SIDE_VIEW_REFUSALS[name]):
        generate(task)


@pytest.mark.parametrize("body", ["dog", "cassie"])
@pytest.mark.parametrize(
    "name", sorted(set(CHANGES) - {"character", "path", "speed", "start"} - LABELS)
)
def test_another_body_honors_or_refuses_each_field(body: str, name: str) -> None:
    task = replace(_task("centroidal"), character=body)
    others = {key: value for key, value in CHANGES[name].items() if key != name}
    changed = _try_to_generate(replace(task, **CHANGES[name]))
    if isinstance(changed, str):
        assert re.search(rf"\b{body}\b|engine|legs", changed)
    else:
        before = generate(replace(task, **others)) if others else generate_plain("centroidal", body)
        assert _differs(changed, before)


@pytest.mark.parametrize(("engine", "name"), REFUSED)
def test_what_an_engine_does_not_honor_is_refused_by_name(engine: str, name: str) -> None:
    task = replace(_task(engine), **CHANGES[name])
    refusal = f"The engine {engine!r} cannot do {FEATURES[name].describe(task)}."
    others = [other for other in ENGINES if _is_honored(other, name)]
    with pytest.raises(TaskError, match=re.escape(refusal) + f".*choose the engine '{others[0]}'"):
        generate(task)


@pytest.mark.parametrize("terrain", [SpongyTerrain(), BridgeTerrain()])
@pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"tracker"}))
def test_ground_that_yields_is_refused_by_name(engine: str, terrain: Ground) -> None:
    refusal = f"The engine '{engine}' cannot do ground that yields .*choose the engine 'tracker'"
    with pytest.raises(TaskError, match=refusal):
        generate(replace(_task(engine), ground=terrain))


@pytest.mark.parametrize("friction", [0.2, 0.4])
def test_a_simulated_body_slides_at_the_friction_of_its_ground(friction: float) -> None:
    motion = generate(replace(_task("preview"), friction=friction, seconds=2.0))
    assert measure(motion).friction == pytest.approx(friction, abs=0.02)


def test_an_unknown_engine_is_refused_for_drives_too() -> None:
    for make in (generate, create_driver):
        with pytest.raises(TaskError, match="no engine 'nothing'; there are: centroidal, preview"):
            make(replace(_task("centroidal"), engine="nothing"))


@pytest.fixture
def borrowed(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> EngineInfo:
    """Provide an engine of one package and one entry, which is removed afterwards."""
    (tmp_path / "borrowed").mkdir()
    (tmp_path / "borrowed" / "__init__.py").write_text('"""An engine."""\n')
    (tmp_path / "borrowed" / "generate.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    info = EngineInfo(
        "borrowed",
        "Borrowed",
        "An example",
        features=ALL_FEATURES - {"gaze"},
        package="borrowed",
    )
    monkeypatch.setitem(engines.ENGINES, "borrowed", info)
    return info


def test_an_engine_is_one_package_and_one_entry(
    borrowed: EngineInfo, plain: dict[str, Motion]
) -> None:
    stages: list[str] = []
    motion = generate(_task("borrowed"), lambda stage, share: stages.append(stage))
    assert "borrow" in stages
    assert np.array_equal(motion.link_position, plain["centroidal"].link_position)
    with pytest.raises(TaskError, match="'borrowed' cannot do a gaze target"):
        generate(replace(_task("borrowed"), gaze=GazeTarget([2.0, 3.0, 1.5])))
    with pytest.raises(TaskError, match="'borrowed' cannot be driven"):
        create_driver(_task("borrowed"))
