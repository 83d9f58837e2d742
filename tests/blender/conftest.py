"""A Blender to test in: the `bpy` module with settings of its own."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Iterator

import pytest

if importlib.util.find_spec("bpy") is None:
    # no Blender for this Python; the core's tests still run
    collect_ignore_glob = ["test_*.py", "*/test_*.py"]
else:
    # of its own for each process that tests
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="footfall-blender-")
    import bpy
    import footfall


@pytest.fixture
def scene() -> Iterator[bpy.types.Scene]:
    """An empty file with Footfall registered, 24 frames a second, three seconds."""
    bpy.ops.wm.read_homefile(use_empty=True)
    footfall.register()
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start = 1
    scene.frame_end = 73
    yield scene
    footfall.unregister()
