"""Plans that are kept with their actions."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_curve, add_mesh, add_metarig, select
from drawn import draw_panels
from footfall import registration
from footfall.addon.bake import stored_plan
from footfall.addon.bake.stored_plan import (
    PLAN_KEY,
    SIZE_KEY,
    get_plan_stamp,
    has_plan,
    read_action_plan,
    read_played_plan,
)
from footfall.addon.overlay import manager
from footfall.core.errors import FootfallError
from footfall.core.motion import load_motion
from footfall.panels.tab import Tab


def _walked(scene: bpy.types.Scene, folder: Path) -> bpy.types.Object:
    ground = np.array([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], float)
    armature = add_metarig()
    scene.footfall.path, scene.footfall.terrain = (
        add_curve([(0, 0, 0), (0, -6, 0)]),
        add_mesh(ground, np.array([(0, 1, 2, 3)])),
    )
    select(armature)
    assert not has_plan(armature)
    assert read_played_plan(armature) is None
    assert bpy.ops.footfall.generate(keep=str(folder)) == {"FINISHED"}
    return armature


def test_an_action_carries_its_plan_through_saving_and_loading(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walked(scene, tmp_path)
    made = load_motion(tmp_path / "motion.npz")
    name = armature.name
    matrix = np.array(armature.matrix_world)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    stored_plan._plan_cache.clear()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    kept = read_played_plan(bpy.data.objects[name])
    assert kept is not None
    np.testing.assert_array_equal(kept.motion.link_position, made.link_position)
    assert [f.time for f in kept.motion.footsteps] == [f.time for f in made.footsteps]
    assert kept.motion.report == made.report
    assert (kept.first_frame, kept.task.fps, kept.task.seconds) == (1, 24, 3)
    np.testing.assert_allclose(kept.placement, matrix, atol=1e-6)
    assert kept.task.ground.sample_heights(np.zeros((1, 2))) == pytest.approx(0)
    assert kept.time_at(kept.frame_at(1.25)) == pytest.approx(1.25)


def test_a_copy_carries_it_too_and_a_broken_one_says_so(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walked(scene, tmp_path)
    action = armature.animation_data.action
    copy = action.copy()
    assert get_plan_stamp(copy) == get_plan_stamp(action) != ""
    assert read_action_plan(copy) is read_action_plan(action)
    copy[SIZE_KEY] = 100
    stored_plan._plan_cache.clear()
    with pytest.raises(FootfallError, match="generate the motion again"):
        read_action_plan(copy)


def test_a_plan_takes_the_place_of_one_of_another_size(
    scene: bpy.types.Scene, tmp_path: Path
) -> None:
    armature = _walked(scene, tmp_path)
    action = armature.animation_data.action
    kept = read_action_plan(action)
    assert kept is not None
    longer = replace(kept, task=replace(kept.task, name=" ".join(str(k) for k in range(3000))))
    for given in (longer, kept, longer):
        stored_plan.attach_plan(action, stored_plan.pack_plan(given))
        stored_plan._plan_cache.clear()
        read = read_action_plan(action)
        assert read is not None
        assert read.task.name == given.task.name


def _repack(action: bpy.types.Action, change: Callable[[dict[str, bytes]], None]) -> None:
    """Change the files of a stored plan, as another version of Footfall could write them."""
    size = int(action[SIZE_KEY])
    raw = np.array(action[PLAN_KEY], np.int32).tobytes()[:size]
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    stored_plan.attach_plan(action, stream.getvalue())


def _set_version(files: dict[str, bytes]) -> None:
    files["place.json"] = json.dumps({**json.loads(files["place.json"]), "version": 99}).encode()


def _add_option(files: dict[str, bytes]) -> None:
    place = json.loads(files["place.json"])
    place["options"]["mirror"] = True
    files["place.json"] = json.dumps(place).encode()


def _drop_motion(files: dict[str, bytes]) -> None:
    del files["motion.npz"]


def _drop_place(files: dict[str, bytes]) -> None:
    del files["place.json"]


def _rename_violation(files: dict[str, bytes]) -> None:
    report = json.loads(files["report.json"])
    report["violations"] = [{"reason": "unheard-of", "begin": 0.0, "end": 1.0, "values": {}}]
    files["report.json"] = json.dumps(report).encode()


def _flip_bit(action: bpy.types.Action) -> None:
    words = np.array(action[PLAN_KEY], np.int32)
    words[len(words) // 2] ^= 1
    del action[PLAN_KEY]
    action[PLAN_KEY] = words


def _replace_by_text(action: bpy.types.Action) -> None:
    action[PLAN_KEY] = "text"


def _remove_size(action: bpy.types.Action) -> None:
    del action[SIZE_KEY]


DAMAGES: list[tuple[Callable[[bpy.types.Action], None], str]] = [
    (_flip_bit, "is damaged"),
    (_replace_by_text, "is damaged"),
    (_remove_size, "is damaged"),
    *(
        (partial(_repack, change=change), text)
        for change, text in (
            (_set_version, "version 99"),
            (_add_option, "another version"),
            (_drop_motion, "another version"),
            (_drop_place, "another version"),
            (_rename_violation, "cannot be"),
        )
    ),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_plan_that_cannot_be_read_is_a_message_in_the_panels(
    scene: bpy.types.Scene,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: Callable[[bpy.types.Action], None],
    message: str,
) -> None:
    for module in ("physics", "footsteps", "mapping"):
        # without a window there is no line to fill
        monkeypatch.setattr(f"footfall.panels.{module}.compute_text_width", lambda _: 9999.0)
    armature = _walked(scene, tmp_path)
    assert bpy.ops.footfall.show_steps() == {"FINISHED"}
    damage(armature.animation_data.action)
    armature.footfall_steps.stamp = get_plan_stamp(armature.animation_data.action)
    stored_plan._plan_cache.clear()
    assert manager.get_entry(armature, scene) is None
    assert message in manager.get_problem(armature)
    scene.footfall_overlay.show = True
    text = draw_panels(panel for panel in registration.PANELS if _is_drawable(panel))
    assert message in text
    with suppress(RuntimeError):  # an error of one operator at most, as a message
        bpy.ops.footfall.pin_steps()
    # everything else works
    scene.footfall_bake.replace = True
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert read_played_plan(armature) is not None
    assert manager.get_entry(armature, scene) is not None


def _is_drawable(panel: type) -> bool:
    """Return whether a registered class is a panel of the sidebar that is shown now."""
    return issubclass(panel, Tab) and (not hasattr(panel, "poll") or panel.poll(bpy.context))
