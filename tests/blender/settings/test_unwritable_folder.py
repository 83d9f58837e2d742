"""A folder of user files that cannot be written: messages, and no file is written instead."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from blender_scene import add_detected_metarig
from footfall.addon.settings import presets
from footfall.addon.user_files import part_presets, styles


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace Blender's folder of user files by a file, and return the current folder."""
    blocked = tmp_path / "blender"
    blocked.write_text("not a folder")
    monkeypatch.setattr(
        bpy.utils, "_user_resource", lambda kind, path="": str(blocked / kind / path)
    )
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_presets_are_not_saved_in_the_current_folder(
    scene: bpy.types.Scene, current_folder: Path
) -> None:
    with pytest.raises(RuntimeError, match="motion cannot be created"):
        bpy.ops.footfall.keep_settings(kind="motion", name="Mine")
    add_detected_metarig(scene)
    with pytest.raises(RuntimeError, match="rigs cannot be created"):
        bpy.ops.footfall.save_preset(name="Mine")
    assert not list(current_folder.iterdir())


def test_files_of_the_current_folder_are_not_taken_for_saved_ones(
    scene: bpy.types.Scene, current_folder: Path
) -> None:
    mine = current_folder / "Mine.toml"
    mine.write_text("important")
    preset = current_folder / "Mine.json"
    preset.write_text("{}")
    assert styles.list_names() == []
    assert part_presets.list_presets() == []
    assert presets.find_preset_folders("motion") == [presets.BUILTIN_FOLDER / "motion"]
    scene.footfall.mine = "Mine"
    with pytest.raises(RuntimeError, match="There is no saved style 'Mine'"):
        bpy.ops.footfall.remove_style()
    with pytest.raises(RuntimeError, match="There is no preset 'Mine'"):
        bpy.ops.footfall.keep_settings(kind="motion", name="Mine", remove_name=True)
    assert mine.read_text() == "important"
    assert preset.exists()


def test_styles_can_be_saved_in_another_folder(
    scene: bpy.types.Scene, current_folder: Path
) -> None:
    with pytest.raises(RuntimeError, match="styles cannot be created"):
        bpy.ops.footfall.save_style(filepath=str(styles.find_free_path("walk")))
    path = current_folder / "walk.toml"
    assert bpy.ops.footfall.save_style(filepath=str(path)) == {"FINISHED"}
    assert path.is_file()
