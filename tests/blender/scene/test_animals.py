"""Actions of animals as styles of quadrupeds: analysis, and motions of other bodies."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_metarig, select
from footfall.addon.scene.action_recording import record_action
from footfall.addon.scene.task import read_task
from footfall.core.character.load import load_builtin
from footfall.core.clip import (
    QuadrupedGaitAnalysis,
    analyze_quadruped_gait,
    build_quadruped_clip_style,
    find_quadruped_style,
    save_style,
)
from footfall.core.clip.recording.quadruped.gait_analysis import FOOT_ORDER
from footfall.core.clip.recording.quadruped.gait_names import name_quadruped_gait
from footfall.core.engine import generate
from footfall.core.errors import ClipError
from footfall.core.geometry import so3
from footfall.core.motion import Motion, load_motion
from footfall.core.sketch.gait.gait_body import build_gait_body
from footfall.core.task import Path as Way
from footfall.core.task import SpeedProfile, Task
from judging import find_exceeded, has_flight_phase, judge_motion

FOX = "khronos_Fox.glb"
HORSE = "quaternius_animals_Horse.glb"
WALK = "AnimalArmature|Walk"
GALLOP = "AnimalArmature|Gallop"
BARS = {
    "drift_max_m": 0.001,
    "penetration_max_m": 0.003,
    "momentum_residual_bw": 0.025,
    "angular_residual": 0.015,
    "relaxed_share": 0.0,
}
MOVES = 6.0  # Smallest range of a curve that is compared [degrees]


def _import(shared: Path, file: str) -> bpy.types.Object:
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(shared / "data" / "rigs" / file))
    bpy.context.scene.render.fps = 24
    bpy.context.scene.render.fps_base = 1.0
    return next(
        thing for thing in bpy.data.objects if thing not in before and thing.type == "ARMATURE"
    )


def _set_up(
    scene: bpy.types.Scene, armature: bpy.types.Object, length: float = 60.0
) -> bpy.types.Object:
    scene.footfall.path = add_curve([(0, 0, 0), (0, -length, 0)])
    scene.frame_start = 1
    scene.frame_end = 73
    select(armature)
    bpy.ops.footfall.detect_character()
    return armature


def _seen(scene: bpy.types.Scene, armature: bpy.types.Object, action: str) -> QuadrupedGaitAnalysis:
    return analyze_quadruped_gait(record_action(bpy.data.actions[action], armature, scene))


@pytest.mark.parametrize(
    ("file", "action", "gait", "seconds", "duty", "note"),
    [
        (FOX, "Walk", "walk", 17 / 24, 0.56, "stays in place"),
        (FOX, "Run", "gallop", 27.8 / 24, 0.23, "as in slow motion"),
        (HORSE, WALK, "walk", 28 / 24, 0.56, "stays in place"),
        (HORSE, GALLOP, "gallop", 14 / 24, 0.33, "stays in place"),
    ],
)
def test_loops_of_animals_are_analyzed(  # noqa: PLR0913 (parameters of a parametrized test)
    scene: bpy.types.Scene,
    shared: Path,
    file: str,
    action: str,
    gait: str,
    seconds: float,
    duty: float,
    note: str,
) -> None:
    armature = _import(shared, file)
    before = Snapshot.from_armature(armature)
    result = _seen(scene, armature, action)
    assert Snapshot.from_armature(armature) == before
    assert (result.gait, build_quadruped_clip_style(result).gait) == (gait, gait)
    assert result.stride_time == pytest.approx(seconds, rel=0.01)
    assert result.duty == pytest.approx(duty, abs=0.05)
    assert any(note in line for line in result.notes)
    assert 0.4 < result.speed / result.unit_speed < 2.5


def test_hind_foot_of_a_walk_lands_before_the_fore_foot_of_its_side(
    scene: bpy.types.Scene, shared: Path
) -> None:
    for file, action in ((FOX, "Walk"), (HORSE, WALK)):
        result = _seen(scene, _import(shared, file), action)
        _, right_hind, left_fore, right_fore = result.phases
        assert right_hind == pytest.approx(0.5, abs=0.1)
        assert 0.15 < left_fore < 0.4
        assert 0.15 < right_fore - right_hind < 0.45


@pytest.mark.parametrize(
    ("file", "action", "says"),
    [
        (FOX, "Survey", "does not travel"),
        (HORSE, "AnimalArmature|Idle", "does not travel"),
        (HORSE, "AnimalArmature|Eating", "does not travel"),
        (HORSE, "AnimalArmature|Attack_Kick", "backward"),
        (HORSE, "AnimalArmature|Death", "no whole stride on four legs"),
        (HORSE, "AnimalArmature|Gallop_Jump", "no whole stride on four legs"),
    ],
)
def test_action_without_a_gait_is_refused(
    scene: bpy.types.Scene, shared: Path, file: str, action: str, says: str
) -> None:
    armature = _import(shared, file)
    with pytest.raises(ClipError, match=says):
        _seen(scene, armature, action)


def _cycle(motion: Motion) -> tuple[float, np.ndarray]:
    """Return the duration of a stride [s] and when each foot lands in it."""
    late = 0.4 * motion.frames / motion.fps
    strikes = [
        np.array(
            [
                f.strike
                for f in motion.footsteps
                if f.leg == leg and late < f.strike < motion.frames / motion.fps
            ]
        )
        for leg in range(4)
    ]
    stride = float(np.diff(strikes[0]).mean())
    return stride, np.array([(phases[0] - strikes[0][0]) / stride % 1.0 for phases in strikes])


def _measure_posture(motion: Motion, body: str) -> dict[str, np.ndarray]:
    """Return angles of links of a built-in body over a stride [degrees]."""
    character = load_builtin(body)
    strike = next(
        f.strike
        for f in motion.footsteps
        if f.leg == 0 and f.strike > 0.3 * motion.frames / motion.fps
    )
    frames = np.round((strike + _cycle(motion)[0] * np.arange(24) / 24) * motion.fps).astype(int)
    turned = so3.quat_to_matrix(motion.link_orientation[frames])
    at = motion.link_origin[frames]

    def rise(base: int, line: np.ndarray, ahead: float) -> np.ndarray:
        x, _, z = np.einsum("nji,nj->in", turned[:, base], line)
        return np.degrees(np.unwrap(np.arctan2(z, ahead * x)))

    pelvis, chest, head = (
        np.degrees(np.arcsin(turned[:, k, 2, 0])) for k in (0, character.trunk[-1], character.head)
    )
    return {
        "trunk": pelvis,
        "spine": pelvis - chest,
        "head": head,
        "neck": rise(character.trunk[-1], at[:, character.head] - at[:, character.neck[0]], 1.0),
        "tail": rise(
            0, motion.link_position[frames][:, character.tail[-1]] - at[:, character.tail[0]], -1.0
        ),
    }


@pytest.mark.parametrize("body", ["horse", "dog"])
@pytest.mark.parametrize(("file", "action"), [(FOX, "Walk"), (HORSE, WALK), (HORSE, GALLOP)])
def test_another_animal_moves_in_the_style(
    scene: bpy.types.Scene,
    shared: Path,
    tmp_path: Path,
    file: str,
    action: str,
    body: str,
) -> None:
    clip = _seen(scene, _import(shared, file), action)
    style = save_style(build_quadruped_clip_style(clip), tmp_path / "style.toml")
    height = build_gait_body(load_builtin(body)).hip_height
    speed = clip.speed / clip.unit_speed * float(np.sqrt(9.81 * height))
    motion = generate(
        Task(
            Way([[0, 0], [90, 0]]),
            SpeedProfile(speed),
            character=body,
            style=str(style),
            seconds=3.0 if body == "horse" else 2.4,
            fps=120.0 if body == "horse" else 170.0,
        )
    )
    stride, phases = _cycle(motion)
    assert stride / np.sqrt(height / 9.81) == pytest.approx(
        clip.stride_time / clip.unit_time, rel=0.05
    )
    assert np.abs((phases - clip.phases + 0.5) % 1 - 0.5).max() < 0.05
    assert name_quadruped_gait(dict(zip(FOOT_ORDER, phases, strict=True)), clip.duty) == clip.gait
    for name, curve in _measure_posture(motion, body).items():
        if np.ptp(clip.curves[name]) > MOVES:
            # trunks pitch as weight and legs have them too,
            # and heads ride on all that is before them
            assert np.corrcoef(curve, clip.curves[name])[0, 1] > {"head": 0.85, "trunk": 0.8}.get(
                name, 0.9
            ), name
    bars = BARS | ({"angular_residual": 0.02} if has_flight_phase(motion) else {})
    assert not find_exceeded(judge_motion(shared, tmp_path, motion), bars)


def test_a_foxs_walk_on_the_horses_rig(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path
) -> None:
    fox = _import(shared, FOX)
    clip = _seen(scene, fox, "Walk")
    horse = _set_up(scene, _import(shared, HORSE))
    scene.footfall.action = bpy.data.actions["Walk"]
    lines = scene.footfall.action_told.splitlines()
    assert lines[0].startswith("On four legs: a walk at 1.1")
    assert len(lines) == 5
    assert lines[1].startswith("▮▮▮▮▮▮▮▮▮▮▮")
    assert bpy.ops.footfall.generate(keep=str(tmp_path)) == {"FINISHED"}
    motion = load_motion(tmp_path / "motion.npz")
    again = analyze_quadruped_gait(record_action(horse.animation_data.action, horse, scene))
    assert again.gait == "walk"
    assert again.stride_time / again.unit_time == pytest.approx(
        clip.stride_time / clip.unit_time, rel=0.05
    )
    assert np.abs((again.phases - clip.phases + 0.5) % 1 - 0.5).max() < 0.1
    assert not motion.relaxed.any()
    for name in ("neck", "tail"):
        assert np.corrcoef(again.curves[name], clip.curves[name])[0, 1] > 0.85, name


def test_saved_style_is_accepted_by_any_quadruped(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path
) -> None:
    _set_up(scene, _import(shared, HORSE))
    scene.footfall.action = bpy.data.actions[WALK]
    usual = read_task(bpy.context)
    file = tmp_path / "Horse Walk.toml"
    assert bpy.ops.footfall.save_style(filepath=str(file)) == {"FINISHED"}
    saved = find_quadruped_style(file)
    assert usual.style is not None
    assert (saved.name, saved.gait, saved.phases) == ("Horse Walk", "walk", usual.style.phases)
    np.testing.assert_allclose(saved.neck, usual.style.neck, atol=1e-6)
    assert bpy.ops.footfall.use_clip(filepath=str(file)) == {"FINISHED"}
    request = read_task(bpy.context)
    assert (request.style, request.task.style) == (None, str(file))
    assert request.task.speed.max_speed == pytest.approx(usual.task.speed.max_speed)
    scene.footfall.quadruped_style = "trot"
    assert scene.footfall.style_from == "SHELF"


def test_clips_of_the_other_kind_are_refused(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path
) -> None:
    fox = _set_up(scene, _import(shared, FOX), 200.0)
    person = shared / "data" / "bvh" / "cmu_02_01_walk.bvh"
    scene.footfall.clip = str(person)
    before = Snapshot.from_armature(fox)
    with pytest.raises(RuntimeError, match="no body on four legs"):
        bpy.ops.footfall.generate()
    scene.footfall.clip = ""
    scene.footfall.style_from = "FILE"
    with pytest.raises(RuntimeError, match="none is picked"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(fox) == before
    file = save_style(build_quadruped_clip_style(_seen(scene, fox, "Walk")), tmp_path / "fox.toml")
    _set_up(scene, add_metarig("basic_human"))
    scene.footfall.action = bpy.data.actions["Walk"]
    with pytest.raises(RuntimeError, match="no body with two legs"):
        bpy.ops.footfall.generate()
    scene.footfall.clip = str(file)
    assert scene.footfall.clip_told == "As Walk shows"
    with pytest.raises(RuntimeError, match="one for four legs"):
        bpy.ops.footfall.generate()
