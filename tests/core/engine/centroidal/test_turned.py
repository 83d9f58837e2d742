"""Bodies with a facing offset: sideways, backward, and turning continuously."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.errors import TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import FacingOffset, Jump, SpeedProfile, Task, load_task, save_task
from footfall.core.task import Path as Way
from judging import WALK_LIMITS, find_exceeded, judge_motion

# A foot that turns under a turning body leaves its heel abruptly:
# this bound only shows that it does not get worse.
SHORT = {"humanoid-spin": {"pop_max_deg_per_frame2": 4}}


def _task(turned: FacingOffset, speed: float = 0.8, **values: object) -> Task:
    return Task(
        Way([[0, 0], [40, 0]]), SpeedProfile(speed), style="walk", facing_offset=turned, **values
    )  # type: ignore[arg-type]


def _facing(motion: Motion) -> np.ndarray:
    """Return the unwrapped heading of the pelvis [degrees]. (n,)."""
    return np.degrees(
        np.unwrap(so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[:, 0])))
    )


def test_task_file_keeps_the_facing_offset(tmp_path: Path) -> None:
    task = _task(FacingOffset([0.0, -90.0, 360.0], [0.0, 1.0, 5.0]))
    save_task(task, tmp_path / "task.toml")
    kept = load_task(tmp_path / "task.toml").facing_offset
    assert kept.values.tolist() == [0.0, -90.0, 360.0]
    assert kept.times.tolist() == [0.0, 1.0, 5.0]
    save_task(_task(FacingOffset(0.0)), tmp_path / "task.toml")
    assert "turned" not in (tmp_path / "task.toml").read_text()


def test_invalid_facing_offsets_are_refused() -> None:
    with pytest.raises(TaskError, match=r"360 degrees per second .* at most 180"):
        FacingOffset([0.0, 180.0], [0.0, 0.5])
    with pytest.raises(TaskError, match="not a finite number"):
        FacingOffset(float("nan"))
    with pytest.raises(TaskError, match="take out the turns against the path"):
        generate(_task(FacingOffset(90.0), 0.0, jumps=(Jump(1.2, 0.3),), start="standing"))
    with pytest.raises(TaskError, match="turns against the path are not supported"):
        generate(_task(FacingOffset(90.0), character="dog"))


@pytest.mark.parametrize("name", ["humanoid-backward", "humanoid-sidestep", "humanoid-spin"])
def test_scenarios_with_facing_offsets_are_within_the_limits(
    name: str, shared: Path, tmp_path: Path
) -> None:
    figures = judge_motion(
        shared, tmp_path, generate(SCENARIOS[name].build_task(fps=120, seconds=6))
    )
    bars = (
        WALK_LIMITS
        | {"friction_p99": 0.6, "speed_error": 0.03, "relaxed_share": 0}
        | SHORT.get(name, {})
    )
    assert not find_exceeded(figures, bars)


def test_backward_feet_land_on_toes_and_leave_on_heels() -> None:
    motion = generate(_task(FacingOffset(180.0), 0.9, seconds=3.0, fps=120.0))
    names = list(motion.contact_names)
    heel, ball = (
        motion.contact_active[:, names.index(f"foot.L/{point}")] for point in ("heel", "ball")
    )
    lands, leaves = (
        np.flatnonzero(np.diff((heel | ball).astype(int)) == change) for change in (1, -1)
    )
    assert len(lands) > 1
    assert (ball & ~heel)[lands + 1].all()
    assert (heel & ~ball)[leaves].all()
    raised = motion.contact_position[lands + 1, names.index("foot.L/heel"), 2]
    assert ((raised > 0.05) & (raised < 0.15)).all()


@pytest.mark.parametrize("degrees", [180.0, 90.0, -90.0, -45.0])
def test_body_has_its_facing_offset_and_follows_its_path(degrees: float) -> None:
    motion = generate(_task(FacingOffset(degrees), 0.5, seconds=4.0))
    assert np.abs((_facing(motion) - degrees + 180) % 360 - 180).max() < 15
    assert motion.com[-1, 0] - motion.com[0, 0] == pytest.approx(2.0, rel=0.05)
    assert np.abs(motion.com[:, 1]).max() < 0.1


def test_sideways_feet_spread_and_close_and_never_cross() -> None:
    motion = generate(_task(FacingOffset(-90.0), 0.5, seconds=5.0))
    steps = [f for f in motion.footsteps if f.strike > 0]
    gaps = [(b.position - a.position)[0] * (1 if b.leg == 0 else -1) for a, b in pairwise(steps)]
    assert min(gaps) > 0.08  # the left foot stays ahead of the right one
    assert max(gaps) > min(gaps) + 0.15  # wide and close alternately


def test_body_turns_continuously() -> None:
    motion = generate(_task(FacingOffset([0.0, 360.0], [1.0, 9.0]), seconds=10.0))
    turned = _facing(motion)
    assert turned[-1] - turned[0] == pytest.approx(360, abs=15)
    assert (np.diff(turned[::6]) > -6).all()


def test_sideways_speed_is_limited_by_the_feet() -> None:
    motion = generate(_task(FacingOffset(90.0), 2.0, seconds=4.0))
    assert (motion.com[-1, 0] - motion.com[0, 0]) / 4 < 0.9
    assert any("faces away" in note for note in motion.report.notes)
