"""Footsteps that are moved, removed and added, forbidden ground, and single intervals."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path as FilePath

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.centroidal.editing import resolve as retouching
from footfall.core.engine.centroidal.editing.insert_step import insert_step, remove_step
from footfall.core.engine.centroidal.editing.pinned_steps import make_pinned_step
from footfall.core.engine.centroidal.editing.resolve import resolve_stretch
from footfall.core.engine.centroidal.editing.stretch import Stretch, find_affected_stretch
from footfall.core.engine.centroidal.editing.window_solver import solve_window
from footfall.core.errors import TaskError
from footfall.core.motion import Footstep, Motion
from footfall.core.task import (
    ForbiddenArea,
    Path,
    PinnedStep,
    Push,
    SpeedProfile,
    Task,
    load_task,
    save_task,
)

WALK = Task(Path([[0, 0], [30, 0]]), SpeedProfile(1.15), style="walk", seconds=9, fps=30)
STOP = replace(WALK, path=Path([[0, 0], [6, 0]]), seconds=8)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(WALK)


def _at(motion: Motion, time: float, leg: int = 0) -> Footstep:
    return next(f for f in motion.footsteps if f.leg == leg and f.time > time)


def _moved(step: Footstep, x: float, y: float) -> PinnedStep:
    kept = make_pinned_step(step)
    return replace(kept, position=(kept.position[0] + x, kept.position[1] + y))


def _drift(motion: Motion) -> float:
    rests = motion.contact_active[1:] & motion.contact_active[:-1]
    return float((np.linalg.norm(np.diff(motion.contact_position, axis=0), axis=-1) * rests).max())


def _stretched(old: Motion, new: Motion) -> float:
    """Return the largest change of length of a thigh, shin or forearm in the new motion [m]."""
    pairs = [
        (new.link_names.index(f"{a}.{s}"), new.link_names.index(f"{b}.{s}"))
        for a, b in (("thigh", "shin"), ("shin", "foot"))
        for s in "LR"
    ]
    return max(
        float(
            np.abs(
                np.linalg.norm(m.link_origin[:, a] - m.link_origin[:, b], axis=1)
                - np.linalg.norm(old.link_origin[0, a] - old.link_origin[0, b])
            ).max()
        )
        for m in (new,)
        for a, b in pairs
    )


def _again(task: Task, motion: Motion, after: Task) -> tuple[Motion, float, float]:
    stretch = find_affected_stretch(motion, task, after)
    return resolve_stretch(after, motion, stretch), stretch.begin, stretch.end


def test_interval_solved_alone_equals_that_of_the_whole_clip(
    walk: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = _moved(_at(walk, 4), 0.05, 0.12)
    after = replace(WALK, pinned_steps=(kept,))
    alone, begin, end = _again(WALK, walk, after)
    assert end - begin < 2.6
    monkeypatch.setattr(retouching, "solve_window", lambda *_, **__: None)
    whole = resolve_stretch(after, walk, Stretch(begin, end))
    assert np.abs(alone.com - whole.com).max() < 0.02
    assert np.abs(alone.link_position - whole.link_position).max() < 0.06
    for motion in (alone, whole):
        assert _drift(motion) < 1e-4
        assert _stretched(walk, motion) < 1e-3
        assert motion.relaxed.mean() < 0.01
    outside = (np.arange(walk.frames) / 30 <= begin) | (np.arange(walk.frames) / 30 >= end)
    for name in (
        "link_position",
        "link_orientation",
        "contact_position",
        "contact_force",
        "toe_orientation",
    ):
        np.testing.assert_array_equal(
            getattr(alone, name)[outside], getattr(walk, name)[outside], err_msg=name
        )
    (step,) = [f for f in alone.footsteps if f.pinned]
    np.testing.assert_allclose(step.position[:2], kept.position, atol=1e-9)
    assert (step.strike, step.lift) == (kept.contact_times or (0, 0, 0, 0))[::3]


@pytest.mark.parametrize("time", [1.2, 7.2])
def test_footsteps_near_the_ends_of_a_clip_are_moved(walk: Motion, time: float) -> None:
    kept = _moved(_at(walk, time), 0.05, 0.1)
    new, *_ = _again(WALK, walk, replace(WALK, pinned_steps=(kept,)))
    assert _drift(new) < 1e-3
    assert _stretched(walk, new) < 1e-3
    assert min(np.linalg.norm(f.position[:2] - kept.position) for f in new.footsteps) < 1e-9


def test_edits_that_cannot_be_solved_alone_need_the_whole_clip(walk: Motion) -> None:
    def none(stage: str, share: float) -> None:
        return

    assert solve_window(WALK, walk, Stretch(0.2, 3.0), none) is None
    assert (
        solve_window(replace(WALK, pushes=(Push(4.0, (0, 100, 0)),)), walk, Stretch(3.0, 6.0), none)
        is None
    )
    assert solve_window(replace(WALK, character="dog"), walk, Stretch(3.0, 6.0), none) is None


def test_last_stance_foot_is_moved() -> None:
    motion = generate(STOP)
    kept = _moved(motion.footsteps[-2], 0.03, 0.03)
    new, *_ = _again(STOP, motion, replace(STOP, pinned_steps=(kept,)))
    assert [f.leg for f in new.footsteps] == [f.leg for f in motion.footsteps]
    np.testing.assert_allclose(new.footsteps[-2].position[:2], kept.position, atol=1e-9)
    np.testing.assert_allclose(new.footsteps[-1].position, motion.footsteps[-1].position, atol=1e-9)
    assert _drift(new) < 1e-3
    rest = np.linalg.norm(np.gradient(new.com[-15:], 1 / 30, axis=0), axis=1).max()
    assert rest < 0.08, "it stands in the end"


def test_footstep_is_removed_and_another_added(walk: Motion) -> None:
    step = _at(walk, 4)
    fewer, *_ = _again(WALK, walk, remove_step(WALK, walk, step))
    assert len(fewer.footsteps) == len(walk.footsteps) - 2
    more, *_ = _again(
        WALK,
        walk,
        insert_step(WALK, walk, "R", step.time, (step.position[0], step.position[1] - 0.16)),
    )
    assert len(more.footsteps) == len(walk.footsteps) + 2
    added = min((f for f in more.footsteps if f.leg == 1), key=lambda f: abs(f.time - step.time))
    assert added.time == pytest.approx(step.time, abs=0.06)
    np.testing.assert_allclose(
        added.position[:2], (step.position[0], step.position[1] - 0.16), atol=1e-9
    )
    for motion in (fewer, more):
        assert all(a.leg != b.leg for a, b in pairwise(motion.footsteps)), "feet still take turns"
        assert _drift(motion) < 2e-3
        assert _stretched(walk, motion) < 2e-3
        assert motion.relaxed.mean() < 0.01
        np.testing.assert_array_equal(motion.link_position[-20:], walk.link_position[-20:])


def test_messages_of_edits(walk: Motion) -> None:
    with pytest.raises(TaskError, match="too near to an end"):
        remove_step(WALK, walk, walk.footsteps[0])
    with pytest.raises(TaskError, match="no footstep of that foot"):
        remove_step(WALK, walk, replace(walk.footsteps[5], leg=1 - walk.footsteps[5].leg))
    with pytest.raises(TaskError, match="nothing to solve again"):
        find_affected_stretch(walk, WALK, WALK)


def _under(motion: Motion, area: ForbiddenArea) -> list[float]:
    """Return the times of footsteps of which a part is on forbidden ground."""
    soles = np.linspace(-0.1, 0.13, 9)
    return [
        f.time
        for f in motion.footsteps
        if area.contains(f.position[:2] + soles[:, None] * f.rotation[:2, 0]).any()
    ]


@pytest.mark.parametrize(
    "area",
    [
        ForbiddenArea(((4, 0.1),), 0.25),
        ForbiddenArea(((4, -1), (4, 1)), 0.15),
        ForbiddenArea(((3.6, -0.4), (4.1, -0.4), (4.1, 0.4), (3.6, 0.4))),
    ],
)
def test_no_foot_stands_on_forbidden_ground(area: ForbiddenArea, tmp_path: FilePath) -> None:
    task = replace(WALK, seconds=6, forbidden_areas=(area,))
    motion = generate(task)
    assert not _under(motion, area)
    assert _drift(motion) < 1e-3
    assert not motion.report.notes
    save_task(task, tmp_path / "task.toml")
    assert load_task(tmp_path / "task.toml").forbidden_areas == (area,)


def test_ground_forbidden_under_a_footstep_moves_the_footstep(walk: Motion) -> None:
    step = _at(walk, 4)
    area = ForbiddenArea(((float(step.position[0]), float(step.position[1])),), 0.12)
    new, begin, end = _again(WALK, walk, replace(WALK, forbidden_areas=(area,)))
    assert _under(walk, area)
    assert not _under(new, area)
    assert begin < step.strike < step.lift < end
    assert _drift(new) < 1e-3


def test_forbidden_ground_that_is_too_wide_is_reported() -> None:
    motion = generate(
        replace(
            WALK, seconds=5, forbidden_areas=(ForbiddenArea(((3, -2), (7, -2), (7, 2), (3, 2))),)
        )
    )
    assert any("on forbidden ground" in note for note in motion.report.notes)


def test_messages_of_forbidden_ground(tmp_path: FilePath) -> None:
    with pytest.raises(TaskError, match="radius"):
        ForbiddenArea(((1, 2),))
    with pytest.raises(TaskError, match="at least one"):
        ForbiddenArea(())
    with pytest.raises(TaskError, match="forbidden ground"):
        replace(
            WALK,
            start="standing",
            jumps=(),
            character="monkey",
            forbidden_areas=(ForbiddenArea(((1, 2),), float("nan")),),
        )
    save_task(
        replace(WALK, forbidden_areas=(ForbiddenArea(((1, 2),), 0.2),)), tmp_path / "task.toml"
    )
    text = (tmp_path / "task.toml").read_text().replace("radius", "size")
    (tmp_path / "task.toml").write_text(text)
    with pytest.raises(TaskError, match="unknown entry 'size'"):
        load_task(tmp_path / "task.toml")
