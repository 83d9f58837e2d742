"""User styles, clips and actions that are mixed in or provide the upper body, as under Style."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import Snapshot, add_detected_metarig, add_metarig
from footfall.addon.scene.action_recording import record_action
from footfall.addon.scene.style import read_style
from footfall.addon.scene.task import read_task
from footfall.addon.settings.style import NO_STYLE
from footfall.addon.user_files import styles
from footfall.core.clip import (
    Recipe,
    StyleShare,
    analyze_gait,
    extract_posture,
    find_upper_body,
    load_recipe,
)
from footfall.panels.style import FOOTFALL_MT_mixed, FOOTFALL_MT_upper, FOOTFALL_PT_style
from mathutils import Euler, Vector

WALK = "cmu_02_01_walk"
STANDS = "cmu_02_04_jump_balance"


@pytest.fixture(autouse=True)
def mine() -> Path:
    """Save a user style, the only one."""
    for name in styles.list_names():
        styles.remove_style(name)
    return styles.styles_folder()


def _set_up(scene: bpy.types.Scene) -> bpy.types.Object:
    scene.frame_start = 1
    scene.frame_end = 30
    return add_detected_metarig(scene)


def _clip(shared: Path, name: str) -> str:
    return str(shared / "data" / "bvh" / f"{name}.bvh")


def _carrying(armature: bpy.types.Object) -> bpy.types.Action:
    """Return an action of a single pose with forearms held forward, the right one higher."""
    armature.animation_data_create().action = bpy.data.actions.new("Carrying")
    bpy.context.view_layer.update()
    for side, sign, bent in (("L", 1, 80), ("R", -1, 110)):
        for bone, turn in (
            (f"upper_arm.{side}", (0, radians(sign * 35), 0)),
            (f"forearm.{side}", (radians(-bent), 0, 0)),
        ):
            posed = armature.pose.bones[bone]
            posed.rotation_mode = "QUATERNION"
            rest = armature.data.bones[bone].matrix_local.to_quaternion()
            world = Euler(turn).to_quaternion()
            # bent about the axis across the body, after the upper arm hangs
            if bone.startswith("forearm"):
                hung = Euler((0, radians(sign * 35), 0)).to_quaternion()
                world = hung.inverted() @ world @ hung
            posed.rotation_quaternion = rest.inverted() @ world @ rest
            posed.keyframe_insert("rotation_quaternion", frame=1)
    return armature.animation_data.action


def test_user_styles_are_mixed_in_and_provide_the_upper_body(
    scene: bpy.types.Scene, mine: Path
) -> None:
    _set_up(scene)
    settings = scene.footfall
    settings.style = "old"
    bpy.ops.footfall.save_style(filepath=str(mine / "grandma.toml"))
    settings.style = "walk"
    for part in ("MIXED", "UPPER"):
        assert bpy.ops.footfall.use_style(name="grandma", mine=True, part=part) == {"FINISHED"}
    file = str(mine / "grandma.toml")
    task = read_task(bpy.context).task
    assert task.recipe == Recipe("walk", (StyleShare(file, 0.3),), file)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert bpy.ops.footfall.use_style(name="proud", part="MIXED") == {"FINISHED"}
    assert bpy.ops.footfall.use_style(name=NO_STYLE, part="UPPER") == {"FINISHED"}
    assert read_task(bpy.context).task.recipe == Recipe("walk", (StyleShare("proud", 0.3),))
    assert (settings.style, settings.mine) == ("walk", "")
    styles.remove_style("grandma")
    with pytest.raises(RuntimeError, match="cannot be opened"):
        bpy.ops.footfall.use_style(name="grandma", mine=True, part="UPPER")


def test_clips_are_mixed_in_and_provide_the_upper_body_without_a_gait(
    scene: bpy.types.Scene, shared: Path
) -> None:
    armature = _set_up(scene)
    settings = scene.footfall
    assert bpy.ops.footfall.use_clip(filepath=_clip(shared, WALK), part="MIXED") == {"FINISHED"}
    assert bpy.ops.footfall.use_clip(filepath=_clip(shared, STANDS), part="UPPER") == {"FINISHED"}
    assert (settings.style_from, settings.clip) == ("SHELF", "")
    assert settings.mixed_other.told.startswith("A walk at")
    assert settings.upper_other.told.startswith("It shows no walk: its upper body is held as from")
    assert read_task(bpy.context).task.recipe == Recipe(
        "natural", (StyleShare(_clip(shared, WALK), 0.3),), _clip(shared, STANDS)
    )
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    before = Snapshot.from_armature(armature)
    # a stand has no gait
    with pytest.raises(RuntimeError, match="no whole stride"):
        bpy.ops.footfall.use_clip(filepath=_clip(shared, STANDS), part="MIXED")
    settings.mixed_other.clip = _clip(shared, STANDS)
    assert "no whole stride" in settings.mixed_other.told
    with pytest.raises(RuntimeError, match="no whole stride"):
        bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before


def test_adaptive_uses_the_upper_body_alone(scene: bpy.types.Scene, shared: Path) -> None:
    armature = _set_up(scene)
    settings = scene.footfall
    settings.style = "proud"
    settings.mixed_style = "tired"
    settings.upper_style = "arms-wide"
    settings.engine = "adaptive"
    assert read_task(bpy.context).task.recipe == Recipe("natural", upper_style="arms-wide")
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    shoulder = armature.pose.bones["upper_arm.L"]
    scene.frame_set(20)
    direction = (armature.matrix_world @ shoulder.matrix).to_3x3() @ Vector((0, 1, 0))
    assert abs(direction.z) < 0.5, "the arm hangs"
    bpy.ops.footfall.use_clip(filepath=_clip(shared, STANDS), part="UPPER")
    assert read_task(bpy.context).task.recipe == Recipe(
        "natural", upper_style=_clip(shared, STANDS)
    )
    settings.engine = "preview"  # which uses nothing of a style
    assert read_task(bpy.context).task.recipe == Recipe("natural")


def test_adaptive_refuses_an_action_as_the_upper_body(scene: bpy.types.Scene) -> None:
    actor = add_metarig("basic_human")
    action = _carrying(actor)
    _set_up(scene)
    scene.footfall.engine = "adaptive"
    scene.footfall.upper_other.actor = actor
    scene.footfall.upper_other.action = action
    with pytest.raises(RuntimeError, match=r"upper body is an action.*Save the style first"):
        bpy.ops.footfall.generate()


def _seen(armature: bpy.types.Object, scene: bpy.types.Scene) -> dict[str, np.ndarray]:
    """Return the mean posture of chest and arms of what an armature plays [degrees]."""
    posture = extract_posture(record_action(armature.animation_data.action, armature, scene))
    return {k: np.degrees(v) for k, v in posture.angles.items()}


def test_a_pose_of_an_action_is_held_while_another_rig_walks(scene: bpy.types.Scene) -> None:
    actor = add_metarig("basic_human")
    action = _carrying(actor)
    held = {
        k: np.degrees(v)
        for k, v in extract_posture(record_action(action, actor, scene)).angles.items()
    }
    assert held["elbow"] == pytest.approx([80, 110], abs=25)
    armature = _set_up(scene)
    scene.frame_end = 90
    scene.footfall.upper_other.actor = actor
    scene.footfall.upper_other.action = action
    assert scene.footfall.upper_other.told == "It shows no walk: its upper body is held as it is"
    request = read_task(bpy.context)
    assert request.style is not None, "neither a name nor a file contains it"
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    walks = analyze_gait(record_action(armature.animation_data.action, armature, scene))
    assert walks.gait == "walk"
    got = _seen(armature, scene)
    for name in ("arm", "arm_out", "elbow"):
        assert got[name] == pytest.approx(held[name], abs=12), name
    assert actor.animation_data.action == action


def test_actions_are_mixed_in_read_anew_and_saved_with(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path
) -> None:
    bpy.ops.import_anim.bvh(filepath=_clip(shared, "cmu_02_03_run"), update_scene_fps=True)
    action = bpy.context.object.animation_data.action
    fps = scene.render.fps
    _set_up(scene)
    scene.render.fps = fps
    settings = scene.footfall
    settings.style = "run"
    settings.mixed_share = 0.5
    settings.mixed_other.action = action
    assert settings.mixed_other.told.startswith("A run at")
    assert bpy.ops.footfall.read_action(part="MIXED") == {"FINISHED"}
    mixed = read_style(scene.footfall).resolved
    alone = load_recipe(Recipe("run"))
    clip = load_recipe(Recipe(_clip(shared, "cmu_02_03_run")))
    elbow = [np.degrees(s.cycle_at(1.0).get_curve("elbow")[0].real) for s in (alone, mixed, clip)]
    assert elbow[1] == pytest.approx(0.5 * (elbow[0] + elbow[2]), abs=2)
    assert bpy.ops.footfall.save_style(filepath=str(tmp_path / "half.toml")) == {"FINISHED"}
    saved = load_recipe(Recipe(str(tmp_path / "half.toml")))
    assert np.degrees(saved.cycle_at(1.0).get_curve("elbow")[0].real) == pytest.approx(
        elbow[1], abs=0.1
    )
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    bpy.data.actions.remove(action)
    with pytest.raises(RuntimeError, match="The action 'cmu_02_03_run' is no longer in this file"):
        bpy.ops.footfall.generate()


@pytest.mark.parametrize("which", ["mixed_other", "upper_other"])
def test_nothing_picked_says_so(scene: bpy.types.Scene, which: str) -> None:
    armature = _set_up(scene)
    before = Snapshot.from_armature(armature)
    for source in ("FILE", "ACTION"):
        getattr(scene.footfall, which).source = source
        with pytest.raises(
            RuntimeError, match=f"to come from an? {source.lower()}, and none is picked"
        ):
            bpy.ops.footfall.generate()
    assert Snapshot.from_armature(armature) == before
    setattr(scene.footfall, which.replace("other", "style"), "proud")
    assert getattr(scene.footfall, which).source == "SHELF"
    read_task(bpy.context)


def test_style_sources_are_kept_in_the_file(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path
) -> None:
    scene.footfall.upper_other.clip = _clip(shared, STANDS)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    settings = bpy.context.scene.footfall
    assert (settings.upper_other.source, settings.upper_other.clip) == (
        "FILE",
        _clip(shared, STANDS),
    )
    made = read_style(bpy.context.scene.footfall).resolved
    upper_body = find_upper_body(_clip(shared, STANDS))
    assert made.cycle_at(0.4).get_curve("elbow")[0] == pytest.approx(
        upper_body.cycle_at(0.4).get_curve("elbow")[0]
    )


class _Layout:
    """A stand-in for a layout that records the texts that a panel draws."""

    def __init__(self, said: list[str]) -> None:
        self.said = said

    def __getattr__(self, name: str) -> object:
        def drawn(*args: object, **values: object) -> _Layout:
            self.said.append(" ".join(str(v) for v in (name, *args[-1:], *values.values())))
            return self

        return drawn


@pytest.mark.parametrize("source", ["SHELF", "FILE", "ACTION"])
def test_panel_and_lists_draw_what_is_set(
    scene: bpy.types.Scene, shared: Path, mine: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # without a window there is no line to fill
    monkeypatch.setattr("footfall.panels.style.compute_text_width", lambda _: 360.0)
    _set_up(scene)
    bpy.ops.footfall.save_style(filepath=str(mine / "grandma.toml"))
    for which in ("mixed_other", "upper_other"):
        getattr(scene.footfall, which).source = source
    if source == "FILE":
        scene.footfall.upper_other.clip = _clip(shared, STANDS)
    for drawn in (FOOTFALL_PT_style, FOOTFALL_MT_mixed, FOOTFALL_MT_upper):
        said: list[str] = []
        stand_in = type("Drawn", (), {"layout": _Layout(said)})()
        drawn.draw(stand_in, bpy.context)
        text = "\n".join(said)
        if drawn is FOOTFALL_PT_style:
            assert ("It shows no walk" in text) == (source == "FILE")
            assert ("mixed_share" in text) == (source != "SHELF")
        else:
            assert "grandma" in text
            assert "ACTION" in text
