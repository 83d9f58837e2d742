"""The command line as a user types it, and the worker process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.cli import main
from footfall.core.motion import load_motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import save_task
from footfall.core.worker.messages import (
    Answer,
    ErrorAnswer,
    GenerateRequest,
    MotionAnswer,
    ProgressAnswer,
    read_answer,
)


def test_scenarios_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenarios"]) == 0
    assert set(SCENARIOS) == {line.split()[0] for line in capsys.readouterr().out.splitlines()}


def test_run_generate_and_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how = ["--fps", "24", "--seconds", "2", "--seed", "3", "--speed", "1"]
    assert main(["run", "humanoid-walk", "--out", str(tmp_path / "a"), *how]) == 0
    motion = load_motion(tmp_path / "a" / "motion.npz")
    assert (motion.frames, motion.report.seed, motion.report.scenario) == (49, 3, "humanoid-walk")
    report = json.loads((tmp_path / "a" / "report.json").read_text())
    assert set(report["seconds"]) >= {"sketch", "plan", "fullbody", "simulate", "total"}
    assert report["clip_seconds"] == pytest.approx(2)
    assert "momentum_residual" in capsys.readouterr().out
    save_task(
        SCENARIOS["humanoid-walk"].build_task(fps=24, seconds=2, seed=3, speed=1),
        tmp_path / "t.toml",
    )
    assert main(["generate", str(tmp_path / "t.toml"), "--out", str(tmp_path / "b")]) == 0
    assert load_motion(tmp_path / "b" / "motion.npz").link_position == pytest.approx(
        motion.link_position, abs=1e-9
    )
    assert main(["plot", str(tmp_path / "a" / "motion.npz"), "-o", str(tmp_path / "p.png")]) == 0
    assert (tmp_path / "p.png").stat().st_size > 10_000


def test_rush_varies_place_and_speed_by_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["run", "anymal-rush", "--seconds", "2", "--seeds", "3", "--out", str(tmp_path)]) == 0
    )
    assert len(capsys.readouterr().out.splitlines()) == 3
    motions = [load_motion(tmp_path / f"{k:02}" / "motion.npz") for k in range(3)]
    assert (np.diff([m.com[:, 1].mean() for m in motions]) > 3).all()
    speeds = [(m.com[-1, 0] - m.com[0, 0]) / 2 for m in motions]
    assert [float(np.linalg.norm(m.goal_velocity, axis=1).max()) for m in motions] == pytest.approx(
        speeds, rel=0.05
    )
    assert min(abs(np.diff(sorted(speeds)))) > 0.2


def test_batch_writes_what_it_can(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = SCENARIOS["humanoid-walk"].build_task(fps=24, seconds=0.5, speed=1)
    save_task(walk, tmp_path / "walk.toml")
    save_task(replace(walk, character="unicorn"), tmp_path / "unicorn.toml")
    files = [str(tmp_path / "unicorn.toml"), str(tmp_path / "walk.toml")]
    how = ["--seeds", "2", "--workers", "2", "--out", str(tmp_path / "out")]
    assert main(["batch", *files, *how]) == 2
    printed = capsys.readouterr()
    assert [Path(line.split(": ")[0]).name for line in printed.out.splitlines()] == [
        "walk-0",
        "walk-1",
    ]
    errors = printed.err.splitlines()
    assert [error.split(": ")[1] for error in errors[:2]] == ["unicorn-0", "unicorn-1"]
    assert errors[2].startswith("footfall: 2 of 4 motions could not be generated")
    for seed in range(2):
        assert load_motion(tmp_path / "out" / f"walk-{seed}" / "motion.npz").report.seed == seed
    assert len(list((tmp_path / "out").iterdir())) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["batch", "nothing.toml", "--out", "{}"],
        ["batch", "{task}", "{task}", "--out", "{}"],
        ["batch", "{task}", "{half}", "--out", "{}"],
        ["batch", "{task}", "{folder}", "--out", "{}"],
        ["batch", "{task}", "--out", "{task}"],
        ["batch", "{task}", "--cluster", "nowhere", "--out", "{}"],
        ["generate", "{task}", "--seed", "-2", "--out", "{}"],
        ["run", "humanoid-walk", "--seeds", "2", "--workers", "0", "--out", "{}"],
        ["run", "humanoid-walk", "--workers", "2", "--out", "{}"],
        ["run", "humanoid-walk", "--seeds", "2", "--cluster", "nowhere", "--out", "{}"],
        ["run", "humanoid-walk", "--seeds", "2", "--cluster", "tcp://127.0.0.1:1", "--out", "{}"],
        ["run", "humanoid-walk", "--seeds", "0", "--out", "{}"],
        ["run", "humanoid-walk", "--seeds", "2", "--speed", "-1", "--out", "{}"],
        ["run", "humanoid-moonwalk", "--out", "{}"],
        ["run", "humanoid-walk", "--speed", "-1", "--out", "{}"],
        ["run", "humanoid-walk", "--speed", "nan", "--out", "{}"],
        ["run", "humanoid-walk", "--speed", "99", "--out", "{}"],
        ["run", "humanoid-walk", "--seconds", "0", "--out", "{}"],
        ["run", "humanoid-walk", "--seconds", "inf", "--out", "{}"],
        ["run", "humanoid-walk", "--fps", "0", "--out", "{}"],
        ["run", "humanoid-walk", "--seed", "-2", "--out", "{}"],
        ["generate", "nothing.toml", "--out", "{}"],
        ["plot", "nothing.npz", "-o", "{}/p.png"],
        ["run", "humanoid-walk", "--seconds", "1", "--out", "/proc/no/folder"],
        ["run", "humanoid-walk", "--physics", "bullet", "--out", "{}"],
        ["run", "preview-walk", "--physics", "bullet", "--seeds", "2", "--out", "{}"],
    ],
)
def test_bad_arguments_get_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    out = tmp_path / "out"
    refused_by_system = "/proc/no/folder" in arguments
    files = {"{}": out, "{task}": tmp_path / "walk.toml", "{half}": tmp_path / "half.toml"}
    files["{folder}"] = tmp_path
    save_task(SCENARIOS["humanoid-walk"].build_task(seconds=0.5), files["{task}"])
    files["{half}"].write_bytes(files["{task}"].read_bytes()[:100])
    for mark, path in files.items():
        arguments = [argument.replace(mark, str(path)) for argument in arguments]
    assert main(arguments) == (1 if refused_by_system else 2)
    message = capsys.readouterr().err.strip()
    assert message.startswith("footfall: ")
    assert "\n" not in message
    assert not out.exists()


HANG_LIMIT = 600.0  # time after which an end that never comes fails the test [s]


def _worker(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", str(root / "core" / "worker" / "start.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=os.sep,
    )


def _read_next_answer(worker: subprocess.Popen[str]) -> Answer:
    """Return the next answer; empty lines are signs of life."""
    assert worker.stdout is not None
    while not (line := worker.stdout.readline()).strip():
        assert line, "the output ended"
    return read_answer(line)


def test_worker_reports_progress_and_runs_tasks_in_order(root: Path, tmp_path: Path) -> None:
    save_task(SCENARIOS["humanoid-walk"].build_task(seconds=1), tmp_path / "t.toml")
    (tmp_path / "bad.toml").write_text("footfall_task = 99")
    worker = _worker(root)
    assert worker.stdin is not None
    assert worker.stdout is not None
    for name in ("bad.toml", "t.toml"):
        request = GenerateRequest(tmp_path / name, tmp_path / "out")
        worker.stdin.write(request.to_json() + "\n")
    worker.stdin.flush()
    answers: list[Answer] = []
    while not answers or not isinstance(answers[-1], MotionAnswer):
        answers.append(_read_next_answer(worker))
    worker.stdin.close()
    assert worker.wait(HANG_LIMIT) == 0
    error, *progress, result = answers
    assert isinstance(error, ErrorAnswer)
    assert "version 99" in error.message
    shares = [answer.share for answer in progress if isinstance(answer, ProgressAnswer)]
    assert len(shares) == len(progress)
    assert shares == sorted(shares)
    assert isinstance(result, MotionAnswer)
    assert load_motion(result.motion_file).frames == 31


def test_worker_ends_with_its_input_in_the_middle_of_work(root: Path, tmp_path: Path) -> None:
    save_task(SCENARIOS["humanoid-walk"].build_task(seconds=60), tmp_path / "t.toml")
    worker = _worker(root)
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(GenerateRequest(tmp_path / "t.toml", tmp_path / "out").to_json() + "\n")
    worker.stdin.flush()
    assert isinstance(_read_next_answer(worker), ProgressAnswer)
    worker.stdin.close()
    assert worker.wait(HANG_LIMIT) == 0
    assert '"motion"' not in worker.stdout.read(), "it does not finish its work before"
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_plain_install_has_a_working_command(root: Path, tmp_path: Path) -> None:
    """`pip install .` into a bare environment, without Blender and without
    the repository beside it.
    """
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(root)],
        check=True,
    )
    command = tmp_path / "env" / "bin" / "footfall"
    wanted = ["run", "humanoid-terrain-walk", "--seconds", "1", "--out", str(tmp_path / "out")]
    subprocess.run([str(command), *wanted], check=True, cwd=tmp_path)
    assert load_motion(tmp_path / "out" / "motion.npz").frames == 31
    bare = subprocess.run(
        [str(command), "plot", str(tmp_path / "out" / "motion.npz"), "-o", str(tmp_path / "p.png")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert bare.returncode == 2
    assert "footfall[plot]" in bare.stderr
