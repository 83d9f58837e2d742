"""Fixtures of tests in Blender, which run in the `bpy` module with temporary settings."""

from __future__ import annotations

import importlib.util
import os
import tempfile

import pytest

if importlib.util.find_spec("bpy") is None:
    # Without Blender for this Python only the tests of the core run.
    collect_ignore_glob = ["test_*.py", "*/test_*.py"]
else:
    # A new folder for each test process
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="footfall-blender-")
    import bpy
    from blender_scene import RIG_FOLDER_VARIABLE, ensure_registered


@pytest.fixture(scope="session", autouse=True)
def _share_generated_rigs(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let all processes of a test run add generated rigs from the same files."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "generated-rigs"
    folder.mkdir(exist_ok=True)
    os.environ[RIG_FOLDER_VARIABLE] = str(folder)


@pytest.fixture
def scene() -> bpy.types.Scene:
    """Return the scene of an empty file with Footfall registered: three seconds at 24 fps."""
    ensure_registered()
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start = 1
    scene.frame_end = 73
    return scene
