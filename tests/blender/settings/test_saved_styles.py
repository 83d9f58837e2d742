"""Styles that a user saves: with knobs, listed, loaded, dropped on the view and deleted."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender_scene import add_detected_metarig
from footfall.addon.scene.task import read_task
from footfall.addon.settings.style import NO_STYLE
from footfall.addon.user_files import styles
from footfall.core.clip import Knobs, Recipe, Style, StyleShare, load_recipe, load_style

MOST_DEGREES = 1e-4


@pytest.fixture(autouse=True)
def folder() -> Path:
    """Return the empty folder of user styles."""
    for name in styles.list_names():
        styles.remove_style(name)
    return styles.styles_folder()


def _set_up(scene: bpy.types.Scene, kind: str = "basic_human") -> bpy.types.Object:
    scene.frame_start = 1
    scene.frame_end = 30
    return add_detected_metarig(scene, kind)


def _alike(a: Style, b: Style) -> None:
    assert (a.preferred_speed, a.change_speed) == pytest.approx((b.preferred_speed, b.change_speed))
    for one, other in zip((a.standing, *a.cycles), (b.standing, *b.cycles), strict=True):
        assert np.degrees(np.abs(one.curves - other.curves)).max() < MOST_DEGREES


def test_style_is_saved_with_its_knobs_listed_and_used(
    scene: bpy.types.Scene, folder: Path
) -> None:
    _set_up(scene)
    settings = scene.footfall
    settings.style, settings.knobs.lean, settings.knobs.cadence = "march", radians(5), 1.1
    settings.mixed_style = "old"
    settings.mixed_share = 0.25
    settings.upper_style = "proud"
    assert bpy.ops.footfall.save_style(filepath=str(styles.find_free_path("My March"))) == {
        "FINISHED"
    }
    assert styles.list_names() == ["My March"]
    recipe = Recipe("march", (StyleShare("old", 0.25),), "proud", Knobs(lean=5.0, cadence=1.1))
    _alike(load_style(folder / "My March.toml"), load_recipe(recipe))
    usual = read_task(bpy.context).task.speed.max_speed
    assert bpy.ops.footfall.reset_knobs() == {"FINISHED"}
    settings.mixed_style = settings.upper_style = NO_STYLE
    assert bpy.ops.footfall.use_style(name="My March", mine=True) == {"FINISHED"}
    task = read_task(bpy.context).task
    assert (task.name, Path(task.style)) == ("My March", folder / "My March.toml")
    assert task.speed.max_speed == pytest.approx(usual)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert bpy.ops.footfall.use_style(name="walk") == {"FINISHED"}
    assert (settings.mine, read_task(bpy.context).task.style) == ("", "walk")


def test_style_is_overwritten_only_on_request(scene: bpy.types.Scene, folder: Path) -> None:
    path = styles.find_free_path("walk")
    assert bpy.ops.footfall.save_style(filepath=str(path)) == {"FINISHED"}
    first = path.read_bytes()
    scene.footfall.style = "old"
    with pytest.raises(RuntimeError, match="there already"):
        bpy.ops.footfall.save_style(filepath=str(path.with_suffix("")))
    assert path.read_bytes() == first
    assert styles.find_free_path("walk").name == "walk 2.toml"
    assert bpy.ops.footfall.save_style(filepath=str(path), over=True) == {"FINISHED"}
    assert load_style(path).name == "walk"
    assert path.read_bytes() != first


def test_only_user_styles_are_deleted(scene: bpy.types.Scene, folder: Path, tmp_path: Path) -> None:
    delete = bpy.ops.footfall.remove_style
    assert not delete.poll()
    bpy.ops.footfall.save_style(filepath=str(folder / "a.toml"))
    other = tmp_path / "b.toml"
    bpy.ops.footfall.save_style(filepath=str(other))
    assert styles.list_names() == ["a"]
    for name in ("../b", str(other.with_suffix("")), "", "walk"):
        scene.footfall.mine = name
        if delete.poll():
            with pytest.raises(RuntimeError, match="There is no saved style"):
                delete()
    assert other.is_file()
    scene.footfall.mine = "a"
    assert delete() == {"FINISHED"}
    assert (styles.list_names(), scene.footfall.mine) == ([], "")


def test_missing_style_is_reported(scene: bpy.types.Scene) -> None:
    _set_up(scene)
    scene.footfall.mine = "missing"
    with pytest.raises(RuntimeError, match=r"missing\.toml cannot be opened"):
        bpy.ops.footfall.generate()
    with pytest.raises(RuntimeError, match="cannot be opened"):
        bpy.ops.footfall.use_style(name="missing", mine=True)
    with pytest.raises(RuntimeError, match="cannot be opened"):
        bpy.ops.footfall.save_style(filepath=str(styles.find_free_path("x")))
    assert not styles.list_names()


def test_dropped_style_is_used(scene: bpy.types.Scene, tmp_path: Path) -> None:
    _set_up(scene)
    scene.footfall.style = "sneak"
    path = tmp_path / "shared by a friend.toml"
    bpy.ops.footfall.save_style(filepath=str(path))
    scene.footfall.style = "run"
    assert bpy.ops.footfall.use_clip(filepath=str(path)) == {"FINISHED"}
    settings = scene.footfall
    assert (settings.style_from, settings.clip_told) == ("FILE", load_style(path).about)
    assert read_task(bpy.context).task.speed.max_speed < 0.8
    path.write_text("name = 'nothing'")
    with pytest.raises(RuntimeError, match="at least one cycle"):
        bpy.ops.footfall.use_clip(filepath=str(path))


def test_clips_and_actions_are_saved_as_styles(
    scene: bpy.types.Scene, shared: Path, tmp_path: Path
) -> None:
    clip = shared / "data" / "bvh" / "cmu_02_03_run.bvh"
    bpy.ops.import_anim.bvh(filepath=str(clip), update_scene_fps=True)
    scene.footfall.action = bpy.context.object.animation_data.action
    assert bpy.ops.footfall.save_style(filepath=str(tmp_path / "action")) == {"FINISHED"}
    scene.footfall.clip = str(clip)
    assert bpy.ops.footfall.save_style(filepath=str(tmp_path / "clip.toml")) == {"FINISHED"}
    a, b = (load_style(tmp_path / f"{name}.toml") for name in ("action", "clip"))
    assert a.preferred_speed == pytest.approx(b.preferred_speed, rel=0.02)
    _alike(b, load_recipe(Recipe(str(clip))))
    assert a.about == "Style of cmu_02_03_run"


def test_buttons_are_grey_with_a_reason(scene: bpy.types.Scene) -> None:
    _set_up(scene)
    save = bpy.ops.footfall.save_style
    assert save.poll()
    for kind in ("FILE", "ACTION"):
        scene.footfall.style_from = kind
        assert not save.poll()
    assert not bpy.ops.footfall.read_action.poll()
    scene.footfall.style_from = "SHELF"
    _set_up(scene, "wolf")
    assert save.poll(), "four legs have styles of their own to save"


def test_the_list_says_what_each_is_like(scene: bpy.types.Scene, folder: Path) -> None:
    scene.footfall.style = "old"
    bpy.ops.footfall.save_style(filepath=str(folder / "grandma.toml"))
    describe = bpy.types.FOOTFALL_OT_use_style.description

    class _Entry:
        def __init__(self, name: str, mine: bool) -> None:
            self.name = name
            self.mine = mine

    assert describe(bpy.context, _Entry("old", False)).startswith("Of great age")
    assert describe(bpy.context, _Entry("grandma", True)).startswith("Of great age")
    (folder / "grandma.toml").write_text("broken", encoding="utf-8")
    assert "not a style file" in describe(bpy.context, _Entry("grandma", True))
