"""Driving a character by hand: what keys and mouse do, what is kept,
and that nothing stays behind.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import bpy
import footfall
import numpy as np
import pytest
from blender_scene import Snapshot, add_curve, add_generated_rig, add_metarig, select
from footfall.addon.bake.stored_plan import read_played_plan
from footfall.addon.drive.hud import compute_stick_center, get_ui_scale
from footfall.addon.drive.input import StickDeflection
from footfall.addon.drive.modal import DriveMode, is_driving
from footfall.addon.worker import drive_process
from footfall.core.engine.centroidal.editing.resolve import resolve_stretch
from footfall.core.engine.centroidal.editing.stretch import Stretch
from footfall.core.errors import FootfallError, TaskError
from footfall.core.motion import Motion

FPS = 24


@pytest.fixture
def walker(scene: bpy.types.Scene) -> bpy.types.Object:
    """Rigify's metarig, detected, posed a little, at frame 10."""
    armature = add_metarig()
    select(armature)
    bpy.ops.footfall.detect_character()
    scene.frame_set(10)
    armature.pose.bones["spine"].location = (0.0, 0.1, 0.0)
    armature.pose.bones["upper_arm.L"].rotation_mode = "XYZ"
    armature.pose.bones["upper_arm.L"].rotation_euler = (0.1, 7.0, 0.2)
    bpy.context.view_layer.update()
    return armature


class Drive:
    """A mode with the events that a window would send; what it reports."""

    def __init__(self) -> None:
        self.reports: list[tuple[str, str]] = []
        self.mode = DriveMode(
            bpy.context, lambda level, text: self.reports.append((min(level), text))
        )

    def event(
        self, kind: str, value: str = "PRESS", at: tuple[int, int] = (400, 300), shift: bool = False
    ) -> set[str]:
        """Send one; places in pixels of the region."""
        region = bpy.context.region
        sent = SimpleNamespace(
            type=kind, value=value, mouse_x=region.x + at[0], mouse_y=region.y + at[1], shift=shift
        )
        return self.mode.handle(bpy.context, sent)

    def run(self, seconds: float, each: Callable[[int], None] = lambda frame: None) -> set[str]:
        """Send timer events until that much motion is shown, or the drive ends or fails.

        Args:
            seconds: of the motion, however long the planner takes for it.
            each: called with every frame that is shown.
        """
        session = self.mode.session
        end = session.playback.frame + round(seconds * FPS)
        return self.run_until(lambda: session.playback.frame >= end or bool(session.failure), each)

    def run_until(
        self, is_done: Callable[[], bool], each: Callable[[int], None] = lambda frame: None
    ) -> set[str]:
        """Send timer events until a condition holds or the drive ends."""
        shown = self.mode.session.playback.frame
        answer = {"PASS_THROUGH"}
        while answer == {"PASS_THROUGH"} and not is_done():
            answer = self.event("TIMER", "NOTHING")
            if self.mode.session.playback.frame != shown:
                shown = self.mode.session.playback.frame
                each(shown)
            time.sleep(0.25 / FPS)
        return answer

    def push_until_felt(self, body_part: str, drag: tuple[float, float]) -> None:
        """Push, and let the motion run until the push is over."""
        session = self.mode.session
        session.push(body_part, np.array(drag), np.eye(3))
        assert self.run_until(lambda: not session._pending_pushes) == {"PASS_THROUGH"}
        self.run(0.4)

    def set_off(self) -> None:
        """Wait for the planner, press a key, wait for the first frame."""
        session = self.mode.session
        assert self.run_until(lambda: session.is_ready) == {"PASS_THROUGH"}
        assert self.event("UP_ARROW") == {"RUNNING_MODAL"}
        assert self.run_until(lambda: session.playback.frame >= 0) == {"PASS_THROUGH"}


@contextmanager
def in_view() -> Iterator[None]:
    """A 3D view from behind and above, as if the mouse were over it."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region):
        yield


def _matrices(armature: bpy.types.Object) -> dict[str, np.ndarray]:
    bpy.context.view_layer.update()
    return {bone.name: np.array(bone.matrix) for bone in armature.pose.bones}


def _channels(armature: bpy.types.Object) -> list[tuple[float, ...]]:
    return [
        tuple(getattr(bone, channel))
        for bone in armature.pose.bones
        for channel in ("location", "rotation_quaternion", "rotation_euler", "scale")
    ]


def _drift(motion: Motion) -> float:
    """Return the largest displacement of a resting contact between two frames [m]."""
    rests = motion.contact_active[1:] & motion.contact_active[:-1]
    return float((np.linalg.norm(np.diff(motion.contact_position, axis=0), axis=-1) * rests).max())


def test_keys_drive_and_enter_keeps_what_was_shown(
    scene: bpy.types.Scene, walker: bpy.types.Object
) -> None:
    shown: dict[int, dict[str, np.ndarray]] = {}
    with in_view():
        drive = Drive()
        drive.set_off()
        drive.run(1.2, lambda frame: shown.update({frame: _matrices(walker)}))
        drive.event("UP_ARROW", "RELEASE")
        drive.event("RIGHT_ARROW", shift=True)
        drive.run(2.5, lambda frame: shown.update({frame: _matrices(walker)}))
        last = drive.mode.session.playback.frame
        pid = drive.mode.session.pid
        assert scene.frame_current == 10
        assert drive.event("RET") == {"FINISHED"}
    assert not is_driving()
    assert not drive_process._running_processes
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    planned = read_played_plan(walker)
    assert planned is not None
    assert planned.first_frame == 10
    assert planned.motion.frames == last + 1
    for frame, before in shown.items():
        scene.frame_set(10 + frame)
        for name, matrix in _matrices(walker).items():
            np.testing.assert_allclose(
                matrix, before[name], atol=2e-4, err_msg=f"{name} in frame {frame}"
            )
    assert _drift(planned.motion) < 2e-3
    with pytest.raises(TaskError, match="driven live"):
        resolve_stretch(planned.task, planned.motion, Stretch(0.2, 2.0))
    driven = walker.animation_data.action
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert walker.animation_data.action != driven
    assert driven.name in bpy.data.actions


def test_esc_leaves_all_as_it_was(scene: bpy.types.Scene, walker: bpy.types.Object) -> None:
    action = bpy.data.actions.new("Mine")
    walker.animation_data_create().action = action
    walker.keyframe_insert('pose.bones["spine"].location', frame=10)
    bpy.context.view_layer.update()
    before = Snapshot.from_armature(walker)
    channels = _channels(walker)
    with in_view():
        drive = Drive()
        drive.set_off()
        drive.run(0.6)
        assert Snapshot.from_armature(walker).pose != before.pose
        assert drive.event("ESC") == {"CANCELLED"}
    assert Snapshot.from_armature(walker) == before
    assert _channels(walker) == channels
    assert scene.frame_current == 10
    assert drive.reports[-1][0] == "INFO"
    assert not drive_process._running_processes


def test_a_push_is_felt_and_the_stick_steers(
    scene: bpy.types.Scene, walker: bpy.types.Object
) -> None:
    with in_view():
        drive = Drive()
        drive.set_off()
        drive.event("UP_ARROW", "RELEASE")
        centre = tuple(int(x) for x in compute_stick_center(get_ui_scale(bpy.context)))
        drive.event("LEFTMOUSE", "PRESS", (centre[0], centre[1] + 20))
        drive.event("MOUSEMOVE", "NOTHING", (centre[0] + 400, centre[1]))
        assert drive.mode.session.drive_input.stick == StickDeflection(1.0, 0.0)
        drive.run(0.3)
        drive.event("LEFTMOUSE", "RELEASE")
        assert drive.mode.session.drive_input.stick is None
        drive.push_until_felt("chest", (80.0, 0.0))
        motion = drive.mode.session.assemble_motion()
        assert drive.event("ESC") == {"CANCELLED"}
    assert np.linalg.norm(motion.push_force, axis=1).max() > 0.7 * 80 * 0.035 * 60


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a kill that nothing can stop")
def test_a_planner_that_dies_leaves_the_scene_whole(
    scene: bpy.types.Scene, walker: bpy.types.Object
) -> None:
    before = Snapshot.from_armature(walker)
    with in_view():
        drive = Drive()
        os.kill(drive.mode.session.pid, signal.SIGKILL)
        assert drive.run(5.0) == {"CANCELLED"}
        assert "planning process ended" in drive.reports[-1][1]
        assert Snapshot.from_armature(walker) == before
        drive = Drive()
        drive.set_off()
        os.kill(drive.mode.session.pid, signal.SIGKILL)
        assert drive.run_until(lambda: bool(drive.mode.session.failure)) == {"PASS_THROUGH"}
        assert drive.event("TIMER", "NOTHING") == {"PASS_THROUGH"}
        assert "Enter keeps the drive" in drive.reports[-1][1]
        assert drive.event("RET") == {"FINISHED"}
    assert read_played_plan(walker) is not None


def test_whatever_happens_meanwhile_it_ends(
    scene: bpy.types.Scene, walker: bpy.types.Object
) -> None:
    with in_view():
        drive = Drive()
        drive.set_off()
        bpy.data.objects.remove(walker)
        assert drive.run(1.0) == {"CANCELLED"}
        assert not drive_process._running_processes
    armature = add_metarig()
    select(armature)
    before = Snapshot.from_armature(armature)
    with in_view():
        drive = Drive()
        drive.set_off()
        footfall.unregister()
    footfall.register()
    assert not drive_process._running_processes
    assert not is_driving()
    assert Snapshot.from_armature(armature) == before
    with in_view():
        drive = Drive()
        drive.set_off()
        drive.mode.end(bpy.context)  # what Blender calls when a file is opened
        drive.mode.end(bpy.context)
    assert Snapshot.from_armature(armature) == before


def test_it_begins_on_the_path_and_says_what_cannot_be_driven(
    scene: bpy.types.Scene, walker: bpy.types.Object
) -> None:
    scene.footfall_live.start = "PATH"
    scene.footfall.path = add_curve([(3, 2, 0), (3, 9, 0)])
    select(walker)
    with in_view():
        drive = Drive()
        drive.set_off()
        motion = drive.mode.session.assemble_motion()
        drive.event("ESC")
    np.testing.assert_allclose(motion.com[0, :2], (3, 2), atol=0.15)
    cat = add_metarig("cat")
    select(cat)
    with in_view(), pytest.raises(FootfallError, match="cannot be driven"):
        Drive()
    assert bpy.ops.footfall.drive.poll()
    scene.footfall.engine = "adaptive"
    assert bpy.ops.footfall.drive.poll()
    scene.footfall.path = None
    assert not bpy.ops.footfall.drive.poll()


def test_a_simulated_body_is_driven_too(scene: bpy.types.Scene, walker: bpy.types.Object) -> None:
    """It begins standing, is where the engine says, stops when let go,
    and what was driven is kept.
    """
    scene.footfall.engine = "preview"
    with in_view():
        drive = Drive()
        drive.set_off()
        drive.event("UP_ARROW", "RELEASE")
        drive.run(0.3)
        assert drive.mode.session.command.speed == 0.0
        drive.push_until_felt("chest", (60.0, 0.0))
        motion = drive.mode.session.assemble_motion()
        assert drive.event("RET") == {"FINISHED"}
    assert np.linalg.norm(motion.push_force, axis=1).max() > 0.7 * 60 * 0.035 * 60
    planned = read_played_plan(walker)
    assert planned is not None
    assert planned.task.engine == "preview"
    assert planned.motion.frames >= motion.frames > 8
    assert not any("fallen" in note for note in planned.motion.report.notes)


def test_a_control_rig_is_shown_as_a_figure_and_kept_on_its_controls(
    scene: bpy.types.Scene,
) -> None:
    rig = add_generated_rig()
    select(rig)
    before = Snapshot.from_armature(rig)
    with in_view():
        drive = Drive()
        drive.set_off()
        drive.run(0.8)
        assert Snapshot.from_armature(rig).pose == before.pose, "its controls wait for the bake"
        figure = drive.mode.session.compute_skeleton_lines(scene)
        body = drive.mode.session.find_position(scene)
        assert body is not None
        assert np.abs(figure - body).max() < 1.5
        assert drive.event("RET") == {"FINISHED"}
    planned = read_played_plan(rig)
    assert planned is not None
    scene.frame_set(planned.first_frame + planned.motion.frames - 1)
    hips = rig.matrix_world @ rig.pose.bones["DEF-spine"].head
    np.testing.assert_allclose(np.array(hips)[:2], planned.motion.link_origin[-1, 0, :2], atol=0.1)
