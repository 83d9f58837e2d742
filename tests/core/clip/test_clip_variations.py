"""One walk, stored in the forms that programs and people give a clip: its style stays the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import GaitAnalysis, Recording, analyze_clip, analyze_gait, read_bvh
from footfall.core.geometry import so3


@pytest.fixture(scope="module")
def recording(root: Path) -> Recording:
    """A walk in cm, y up, 30 frames a second."""
    return read_bvh(root / "tests" / "data" / "small" / "walk.bvh")


@pytest.fixture(scope="module")
def expected(recording: Recording) -> GaitAnalysis:
    return analyze_gait(recording)


def _assert_same_gait(analysis: object, expected: GaitAnalysis, curve_error: float = 1.0) -> None:
    """Compare two analyses; angles may differ by `curve_error` [degrees, root mean square]."""
    assert isinstance(analysis, GaitAnalysis)
    assert analysis.gait == expected.gait
    assert analysis.asymmetry is None
    assert analysis.speed == pytest.approx(expected.speed, rel=0.03)
    assert analysis.stride_time == pytest.approx(expected.stride_time, rel=0.03)
    assert analysis.duty == pytest.approx(expected.duty, abs=0.03)
    difference = analysis.curves - expected.curves
    assert np.sqrt(np.nanmean(np.square(difference))) < curve_error


def _add_root(recording: Recording, position: np.ndarray) -> Recording:
    """The recording below a root that stays in place."""
    n = recording.frames
    return replace(
        recording,
        joints=("Reference", *recording.joints),
        parents=(-1, *(parent + 1 for parent in recording.parents)),
        offsets=np.concatenate([position[None], recording.offsets]),
        positions=np.concatenate([np.tile(position, (n, 1, 1)), recording.positions], 1),
        rotations=np.concatenate([np.tile(np.eye(3), (n, 1, 1, 1)), recording.rotations], 1),
        tips={joint + 1: tip for joint, tip in recording.tips.items()},
    )


@pytest.mark.parametrize(
    "position",
    [[0.0, 0.0, 0.0], [0.0, 0.0, 400.0], [-900.0, 0.0, 0.0], [0.0, 200.0, 0.0]],
    ids=["at_origin", "far_in_front", "far_aside", "over_the_head"],
)
def test_a_root_of_the_scene_is_no_part_of_the_body(
    recording: Recording, expected: GaitAnalysis, position: list[float]
) -> None:
    _assert_same_gait(analyze_clip(_add_root(recording, np.array(position))), expected)


def test_a_root_far_from_a_body_that_does_not_travel(
    recording: Recording, expected: GaitAnalysis
) -> None:
    hips = recording.positions[:, :1] * [1.0, 0.0, 1.0]
    in_place = replace(recording, positions=recording.positions - hips)
    moved = replace(in_place, positions=in_place.positions + [0.0, 0.0, 1000.0])
    analysis = analyze_gait(_add_root(moved, np.zeros(3)))
    _assert_same_gait(analysis, expected, curve_error=2.0)


def _put_together(first: Recording, second: Recording) -> Recording:
    """Two bodies in one file, each with a separate root."""
    n = len(first.joints)
    return replace(
        first,
        joints=(*first.joints, *(f"B:{name}" for name in second.joints)),
        parents=(*first.parents, *(p + n if p >= 0 else -1 for p in second.parents)),
        offsets=np.concatenate([first.offsets, second.offsets]),
        positions=np.concatenate([first.positions, second.positions], 1),
        rotations=np.concatenate([first.rotations, second.rotations], 1),
        tips=first.tips | {joint + n: tip for joint, tip in second.tips.items()},
    )


@pytest.mark.parametrize("has_scene_root", [False, True])
def test_the_first_of_several_people_is_read(
    recording: Recording, expected: GaitAnalysis, has_scene_root: bool
) -> None:
    turn = so3.rotation_about("y", np.radians(120.0))
    second = replace(
        recording,
        positions=recording.positions @ turn.T + [300.0, 0.0, 0.0],
        rotations=turn @ recording.rotations,
    )
    together = _put_together(recording, second)
    if has_scene_root:
        together = _add_root(together, np.zeros(3))
        together = replace(together, parents=(-1, *(max(p, 0) for p in together.parents[1:])))
    analysis = analyze_clip(together)
    _assert_same_gait(analysis, expected)
    assert any("2 bodies" in note for note in analysis.notes)
