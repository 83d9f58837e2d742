"""Registration, and the extension as it is shipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import bpy
import footfall
import numpy as np
import pytest
from blender_scene import ensure_registered, ensure_unregistered


def test_register_and_unregister_leave_no_trace() -> None:
    ensure_unregistered()
    bpy.ops.wm.read_homefile(use_empty=True)
    before = set(dir(bpy.types))
    for _ in range(3):
        footfall.register()
        assert hasattr(bpy.context.scene, "footfall")
        assert "generate" in dir(bpy.ops.footfall)
        footfall.unregister()
    assert set(dir(bpy.types)) == before
    assert not hasattr(bpy.types.Scene, "footfall")


def test_import_needs_no_blender(root: Path) -> None:
    process = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.modules['bpy'] = None; import footfall, footfall.core.engine",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


def test_settings_survive_saving(tmp_path: Path) -> None:
    ensure_registered()
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.footfall.speed = 1.7
    bpy.context.scene.footfall.style = "run"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    assert bpy.context.scene.footfall.speed == pytest.approx(1.7)
    assert bpy.context.scene.footfall.style == "run"
    assert not bpy.context.scene.footfall.natural_speed


INSTALL = """
import os, sys, tempfile
os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()
sys.path = [p for p in sys.path if p != {root!r}]
import bpy
bpy.ops.extensions.package_install_files(filepath={zip!r}, repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.footfall" in bpy.context.preferences.addons
assert "footfall" not in sys.modules
import scipy, mujoco, daqp
assert ".local" in mujoco.__file__ and ".local" in scipy.__file__, "not from the wheels in the zip"
bpy.ops.preferences.addon_enable(module="rigify")
bpy.ops.object.armature_basic_human_metarig_add()
rig = bpy.context.object
curve = bpy.data.curves.new("Path", "CURVE")
spline = curve.splines.new("POLY")
spline.points.add(1)
spline.points[1].co = (0, -6, 0, 1)
path = bpy.data.objects.new("Path", curve)
bpy.context.collection.objects.link(path)
scene = bpy.context.scene
scene.frame_end, scene.footfall.path = 40, path
bpy.context.view_layer.objects.active = rig
bpy.ops.footfall.detect_character()
from pathlib import Path
shipped = Path(sys.modules["bl_ext.user_default.footfall"].__file__).parent / "presets"
assert bpy.ops.footfall.use_settings(filepath=str(shipped / "motion" / "Bouncy.json")) == {{"FINISHED"}}
assert bpy.ops.footfall.keep_settings(kind="motion", name="Mine") == {{"FINISHED"}}
kept = Path(bpy.utils.user_resource("SCRIPTS")) / "presets" / "footfall" / "motion" / "Mine.json"
assert bpy.ops.footfall.use_settings(filepath=str(kept)) == {{"FINISHED"}} and scene.footfall.style == "walk"
bpy.ops.footfall.generate()
assert tuple(rig.animation_data.action.frame_range) == (1, 40)
print("installed and walked")
"""


@pytest.mark.long
def test_installed_from_its_zip_it_walks(root: Path, tmp_path: Path) -> None:
    """Build, validate, install into a fresh Blender whose Python has none of our dependencies
    in reach, and generate.
    """
    subprocess.run(
        [sys.executable, str(root / "scripts" / "extension.py")], check=True, capture_output=True
    )
    built = max((root / "dist").glob("footfall-*.zip"), key=os.path.getmtime)
    assert built.stat().st_size < 120e6
    site = Path(np.__file__).parents[1]
    bare = tmp_path / "bare"  # only Blender with its numpy, as in a Blender that was downloaded
    bare.mkdir()
    for name in ("bpy", "numpy", "numpy.libs"):
        if (site / name).exists():
            os.symlink(site / name, bare / name)
    for extra in (
        "cython",
        "requests",
        "zstandard",
        "urllib3",
        "idna",
        "certifi",
        "charset_normalizer",
        "autopep8",
        "pycodestyle",
    ):
        for there in site.glob(f"{extra}*"):
            os.symlink(there, bare / there.name)
    script = INSTALL.format(root=str(root), zip=str(built))
    (tmp_path / "go.py").write_text(f"import sys\nsys.path.insert(0, {str(bare)!r})\n{script}")
    # the Python under the environment: it has no packages
    plain = getattr(sys, "_base_executable", sys.executable)
    process = subprocess.run(
        [plain, "-S", "-P", str(tmp_path / "go.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "installed and walked" in process.stdout, process.stdout[-2000:] + process.stderr[-2000:]
