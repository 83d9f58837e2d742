"""The learned engine from end to end: random drives, training, and the network that is shipped."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.character.scaled import scale_character
from footfall.core.cli import main
from footfall.core.clip import load_builtin_style, save_style
from footfall.core.clip.style.knobs import Knobs
from footfall.core.engine import ENGINES, generate
from footfall.core.engine.learned import networks
from footfall.core.engine.learned.identity import NetworkIdentity
from footfall.core.engine.learned.random_driving import DrivingSpeedLimits, drive_at_random
from footfall.core.engine.learned.samples import (
    SampleJob,
    collect_samples,
    make_body_task,
    make_samples,
)
from footfall.core.engine.learned.train_body import TrainingPlan, train_body
from footfall.core.engine.learned.weights_file import load_network, save_network
from footfall.core.engine.learned.windows import WINDOWS
from footfall.core.errors import BatchError, Cancelled, TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.scenarios.scenarios import find_scenario
from footfall.core.task import Push, SpeedProfile, Task
from judging import find_exceeded, judge_motion

BODY = make_body_task("humanoid", "natural")
LIMITS = DrivingSpeedLimits(0.3, 4.0)
# Bars of walks; the momentum of runs may be off by more.
WALK_BARS = {
    "drift_max_m": 0.001,
    "penetration_max_m": 0.005,
    "momentum_residual_bw": 0.05,
    "pop_max_deg_per_frame2": 4.0,
}
RUN_BARS = WALK_BARS | {"momentum_residual_bw": 0.08}


def test_random_drives_follow_their_seed() -> None:
    one, again, other = (
        drive_at_random(BODY, LIMITS, np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    assert np.array_equal(one.path.points, again.path.points)
    assert np.array_equal(one.speed.values, again.speed.values)
    assert not np.array_equal(one.path.points, other.path.points)


def test_random_drives_turn_stop_and_stay_on_their_ground() -> None:
    tasks = [drive_at_random(BODY, LIMITS, np.random.default_rng(seed)) for seed in range(40)]
    speeds = np.concatenate([t.speed.values for t in tasks])
    assert speeds.max() <= LIMITS.fastest
    assert speeds[speeds > 0].min() >= LIMITS.slowest
    assert (speeds == 0).any()
    assert {t.start for t in tasks} == {"moving", "standing"}
    for task in tasks:
        end = task.path.position_at(np.linspace(0, task.path.length, 50))
        assert np.isfinite(task.ground.sample_heights(end)).all()


def test_samples_hold_what_the_planned_engine_did() -> None:
    samples = make_samples(SampleJob(BODY, LIMITS, 0))
    assert samples is not None
    size = 50  # 12 of the center of mass and the rotation, 2 feet, 32 of the pose
    assert samples.outputs.shape == (len(samples), WINDOWS.state_count * size)
    assert np.isfinite(samples.inputs).all()
    has_state = samples.inputs[:, -size - 1] == 1
    assert 0.5 < has_state.mean() < 1
    states = samples.inputs[has_state, -size:]
    assert states == pytest.approx(samples.outputs[has_state, :size])
    assert (samples.inputs[~has_state, -size:] == 0).all()
    heights = samples.outputs.reshape(len(samples), -1, size)[..., 2]
    assert 0.7 < heights.min() < heights.max() < 1.3


def test_samples_do_not_depend_on_the_executor(tmp_path: Path) -> None:
    job = SampleJob(replace(BODY, seconds=2.0), LIMITS, 5)
    shares: list[float] = []
    collections = []
    for workers in (1, 2):
        with ThreadPoolExecutor(workers) as executor:
            collections.append(
                collect_samples(job, 40, executor, batch=2, progress=shares.append, folder=tmp_path)
            )
    assert list(tmp_path.iterdir()) == []
    one, other = collections
    assert np.array_equal(one.samples.inputs, other.samples.inputs)
    assert np.array_equal(one.samples.outputs, other.samples.outputs)
    assert len(one.samples) >= 40
    assert max(shares) == 1.0


def test_a_network_is_trained_from_end_to_end_and_moves_a_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "networks" / "small.npz"
    arguments = [
        "train",
        "learned",
        "humanoid",
        "--out",
        str(path),
        "--segments",
        "40",
        "--epochs",
        "60",
    ]
    assert main([*arguments, "--seed", "2"]) == 0
    assert "segments of" in capsys.readouterr().out
    about = load_network(path).about
    assert (about.body, about.style, about.epochs, about.seed) == ("humanoid", "natural", 60, 2)
    assert about.samples >= 40
    assert about.held_out_error < 1.5
    monkeypatch.setattr(networks, "NETWORKS_FOLDER", path.parent)
    motion = generate(_walk(seconds=1.0))
    assert motion.report.engine == "learned"
    assert motion.frames == 31


def test_training_can_be_stopped(tmp_path: Path) -> None:
    def stop(stage: str, share: float) -> None:
        raise Cancelled(stage)

    with ThreadPoolExecutor(1) as executor, pytest.raises(Cancelled, match="samples"):
        train_body(BODY, TrainingPlan(20, 1), executor, stop, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_drives_that_end_in_an_error_are_no_failed_plans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: SampleJob) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("footfall.core.engine.learned.samples.make_samples", fail)
    with ThreadPoolExecutor(1) as executor, pytest.raises(BatchError, match="Error: a bug"):
        collect_samples(SampleJob(BODY, LIMITS, 0), 40, executor, batch=2, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cluster", "nowhere"], "nowhere|package distributed"),
        (["--workers", "0"], "at least 1"),
        (["--out", "{folder}/file/small.npz"], "file"),
    ],
)
def test_trainings_that_cannot_begin_end_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    options = ["--out", "{folder}/small.npz", *arguments]
    texts = [option.format(folder=tmp_path) for option in options]
    assert main(["train", "learned", "humanoid", *texts]) in (1, 2)
    error = capsys.readouterr().err
    assert re.search(message, error)
    assert error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("numbers", [(5, 1, 0), (20, 0, 0), (20, 1, -1)])
def test_impossible_plans_of_training_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(TaskError, match="must be"):
        TrainingPlan(*numbers)


def test_a_body_on_four_legs_is_trained_for_its_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dog = make_body_task("dog", "walk")
    with ThreadPoolExecutor(1) as executor:
        learned = train_body(dog, TrainingPlan(20, 30), executor).learned
    path = tmp_path / networks.name_network_file(dog)
    assert path.name.startswith("dog-walk-")
    save_network(learned, path)
    monkeypatch.setenv(networks.USER_FOLDER_VARIABLE, str(tmp_path))
    assert networks.find_network_file(dog) == path
    motion = generate(replace(dog, engine="learned", seconds=1.0))
    assert np.isfinite(motion.link_position).all()
    assert motion.contact_active.any()
    (tmp_path / "half.npz").write_bytes(path.read_bytes()[:900])
    with pytest.raises(
        TaskError, match=r"no network for dog in the style 'trot'.*half\.npz is not"
    ):
        generate(replace(dog, engine="learned", style="trot"))


def test_networks_belong_to_proportions_and_numbers_of_a_style(tmp_path: Path) -> None:
    humanoid = load_character("humanoid")
    identity = NetworkIdentity.from_task(BODY, humanoid)
    assert identity.matches(NetworkIdentity.from_task(BODY, scale_character(humanoid, 0.4, 0.1)))
    copy = save_style(load_builtin_style("natural"), tmp_path / "copy.toml")
    assert NetworkIdentity.from_task(replace(BODY, style=str(copy)), humanoid).matches(identity)
    for other in (
        NetworkIdentity.from_task(replace(BODY, knobs=Knobs(lean=5.0)), humanoid),
        NetworkIdentity.from_task(replace(BODY, style="proud"), humanoid),
        NetworkIdentity.from_task(make_body_task("dog", "natural"), load_character("dog")),
        replace(identity, proportions=tuple(1.01 * p for p in identity.proportions)),
    ):
        assert not identity.matches(other)


def _walk(seconds: float = 4.0, fps: float = 30.0, speed: float = 1.15) -> Task:
    task = find_scenario("humanoid-walk").build_task(fps=fps, seconds=seconds, speed=speed)
    return replace(task, style="natural", engine="learned")


def test_what_no_network_has_learned_is_refused() -> None:
    with pytest.raises(TaskError, match="no network for humanoid in the style 'proud'"):
        generate(replace(_walk(), style="proud"))
    with pytest.raises(TaskError, match="no network for spider"):
        generate(replace(_walk(), character="spider"))
    with pytest.raises(TaskError, match=r"has learned speeds up to 4\.0 m/s"):
        generate(replace(_walk(), speed=SpeedProfile(5.0)))


def test_a_prediction_is_repeated_exactly() -> None:
    one, again = generate(_walk(1.0)), generate(_walk(1.0))
    assert np.array_equal(one.link_position, again.link_position)
    assert np.array_equal(one.contact_force, again.contact_force)


TASKS = [
    ("humanoid-walk", 1.15),
    ("humanoid-walk", 3.0),
    ("humanoid-terrain-walk", 1.15),
    ("humanoid-terrain-run", 3.0),
]


def test_a_run_downhill_does_not_pop(tmp_path: Path, shared: Path) -> None:
    task = find_scenario("humanoid-terrain-run").build_task(fps=120, seconds=10.0, seed=105)
    motion = generate(replace(task, style="natural", engine="learned"))
    assert judge_motion(shared, tmp_path, motion)["pop_max_deg_per_frame2"] < 4


def _build(name: str, speed: float, seed: int, fps: float) -> Task:
    task = find_scenario(name).build_task(fps=fps, seconds=5.0, seed=seed, speed=speed)
    return replace(task, style="natural", engine="learned")


@pytest.mark.parametrize(("name", "speed"), TASKS)
def test_the_shipped_network_is_within_its_bars(
    name: str, speed: float, tmp_path: Path, shared: Path
) -> None:
    task = _build(name, speed, seed=104, fps=120.0)
    motion = generate(task)
    assert not any("otherwise" in note for note in motion.report.notes)
    figures = judge_motion(shared, tmp_path, motion)
    assert not find_exceeded(figures, WALK_BARS if speed < 2 else RUN_BARS)
    planned = ENGINES["centroidal"].load()(replace(task, engine="centroidal"), lambda s, d: None)
    com_error = np.linalg.norm(motion.com - planned.com, axis=1)
    assert np.sqrt((com_error**2).mean()) < 0.02
    assert _measure_joints(motion, planned) < np.radians(4)


@pytest.mark.parametrize("name", ["learned-turns", "learned-anymal-push", "learned-horse"])
def test_scenarios_of_the_engine_are_within_its_bars(
    name: str, tmp_path: Path, shared: Path
) -> None:
    motion = generate(find_scenario(name).build_task(fps=120, seconds=4.0, seed=1))
    assert motion.report.engine == "learned"
    bars = dict(RUN_BARS)
    if name == "learned-anymal-push":
        # A push moves legs at once.
        bars["pop_max_deg_per_frame2"] = 6.0
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), bars)


def _measure_joints(one: Motion, other: Motion) -> float:
    """Root mean square angle between the joints of two motions [rad]."""
    errors = []
    for link, parent in enumerate(item.parent for item in load_character("humanoid").links):
        turns = []
        for motion in (one, other):
            q = motion.link_orientation
            turn = q[:, link]
            if parent >= 0:
                turn = so3.quat_multiply(so3.quat_conjugate(q[:, parent]), turn)
            turns.append(turn)
        difference = so3.quat_multiply(so3.quat_conjugate(turns[0]), turns[1])
        errors.append(np.linalg.norm(so3.quat_log(difference), axis=-1))
    return float(np.sqrt(np.mean(np.square(errors))))


def test_a_pushed_body_steps_aside_and_its_forces_explain_it(tmp_path: Path, shared: Path) -> None:
    task = replace(_walk(seconds=3.0, fps=120.0), pushes=(Push(1.2, (0.0, 200.0, 0.0), 0.2),))
    assert not networks.is_predictable(replace(task, engine="centroidal"))
    motion = generate(task)
    free = generate(replace(task, pushes=()))
    moved = motion.com[:, 1] - free.com[:, 1]
    times = np.arange(motion.frames) / 120
    assert np.abs(moved[times < 0.8]).max() < 0.02
    assert 0.08 < moved[(times > 1.4) & (times < 2.0)].max() < 0.6
    figures = judge_motion(shared, tmp_path, motion)
    assert figures["momentum_residual_bw"] < 0.05
    assert np.abs(motion.push_force[:, 1]).max() == pytest.approx(200.0, rel=0.05)


def test_networks_are_small() -> None:
    for path in networks.list_networks():
        assert path.stat().st_size < 1_500_000
        assert load_network(path).about.samples > 1000
