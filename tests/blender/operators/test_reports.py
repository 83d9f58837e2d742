"""Reports on characters: one line a problem, in frames, kept in the panel *Motion*."""

from __future__ import annotations

from dataclasses import replace

import bpy
import pytest
from blender_scene import add_curve, add_detected_metarig, add_metarig, select
from drawn import draw_panels
from footfall.addon.bake import character_report
from footfall.addon.bake.character_report import (
    CharacterReport,
    FrameRange,
    ReportLine,
    make_lines,
    read_report,
    show_report,
    store_report,
)
from footfall.addon.bake.history import bake_and_record
from footfall.addon.bake.report import make_bake_report
from footfall.addon.bake.stored_plan import read_played_plan
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.scene.rig import read_rig
from footfall.core.motion import ConstraintViolation
from footfall.panels.main import FOOTFALL_PT_motion

LONGEST_MESSAGE = 90  # characters that the status bar shows in a small window


@pytest.fixture(autouse=True)
def wide_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give panels a width without a window."""
    monkeypatch.setattr("footfall.panels.report.compute_text_width", lambda _: 9999.0)


@pytest.mark.parametrize(
    ("text", "expected", "frame"),
    [
        ("at 0.50 s a foot is 1.2 cm in the ground", "at frame 22 a foot is", 22),
        ("from 1.00 to 2.00 s a leg is too short", "from frame 34 to 58 a leg", 34),
        ("from 0.50 s on it runs", "from frame 22 on it runs", 22),
        ("The jump at 1 s takes off at 2.00 s", "at frame 34 takes off at frame 58", 34),
        ("a push for 0.30 s, at most 3 s", "a push for 0.30 s, at most 3 s", None),
    ],
)
def test_times_are_frames(text: str, expected: str, frame: int | None) -> None:
    (line,) = make_lines([text], "WARNING", FrameRange(10, 24.0))
    assert expected in line.text
    assert line.frame == frame
    assert make_lines([text]) == [ReportLine(text)]


def test_problems_stay_in_the_panel_one_a_line(
    scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = add_detected_metarig(scene)
    scene.frame_start, scene.frame_end = 11, 60
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    report = read_report(armature)
    assert report is not None
    assert "frames on" in report.summary
    assert not report.problem_count
    plan = read_played_plan(armature)
    assert plan is not None
    violations = tuple(ConstraintViolation(k + 0.5, k + 1.0, "reach") for k in range(2))
    motion = replace(plan.motion, report=replace(plan.motion.report, violations=violations))
    plan = replace(plan, motion=motion)
    rig = read_rig(armature, read_skeleton(armature, scene))
    recorded = bake_and_record(armature, plan, rig.binding, plan.options, replaces_last=True)
    notes = rig.character.notes
    store_report(armature, make_bake_report(recorded, plan, character_notes=notes))
    report = read_report(armature)
    assert report is not None
    assert [line.frame for line in report.lines] == [23, 47]
    text = draw_panels([FOOTFALL_PT_motion])
    assert text.count("a leg would have had to be longer") == 2
    assert "From frame 23 to 35" in text
    assert text.count("footfall.go_to_frame") == 2
    assert bpy.ops.footfall.go_to_frame(frame=47) == {"FINISHED"}
    assert scene.frame_current == 47
    # the status bar points to the panel
    monkeypatch.setattr(character_report, "_is_script", lambda: False)
    messages: list[tuple[set[str], str]] = []
    show_report(lambda level, message: messages.append((level, message)), report)
    message = f"{armature.name} natural: 2 problems are listed in the panel Motion"
    assert messages == [({"WARNING"}, message)]
    assert len(messages[0][1]) < LONGEST_MESSAGE
    assert bpy.ops.footfall.clear_report() == {"FINISHED"}
    assert "longer" not in draw_panels([FOOTFALL_PT_motion])


def test_failure_and_revert_change_the_report(scene: bpy.types.Scene) -> None:
    armature = add_detected_metarig(scene)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert read_report(armature) is None
    scene.footfall.jumps.add().frame = 300
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.footfall.generate()
    report = read_report(armature)
    if report is not None:  # refused by the planning process
        assert report.level == "ERROR"
        assert report.lines[0].text in str(caught.value)
    assert armature.animation_data.action is None


def test_each_character_keeps_a_report(scene: bpy.types.Scene) -> None:
    first = add_detected_metarig(scene)
    bpy.ops.footfall.own_settings()
    second = add_metarig()
    second.location = (3, 0, 0)
    select(second)
    bpy.ops.footfall.detect_character()
    bpy.ops.footfall.own_settings()
    scene.footfall_own[-1].path = add_curve([(3, 0, 0), (3, -9, 0)])
    assert bpy.ops.footfall.generate_all() == {"FINISHED"}
    reports = [read_report(armature) for armature in (first, second)]
    assert all(report is not None and "frames on" in report.summary for report in reports)
    store_report(first, CharacterReport("A", (ReportLine("the ice is thin"),)))
    store_report(second, CharacterReport("B", (ReportLine("the rope is short"),)))
    text = draw_panels([FOOTFALL_PT_motion])
    assert "The rope is short" in text
    assert "The ice is thin" not in text
    assert f"{first.name}: 1 problem" in text
    assert bpy.ops.footfall.select_character(name=first.name) == {"FINISHED"}
    assert "The ice is thin" in draw_panels([FOOTFALL_PT_motion])


def test_report_survives_saving_and_damage(scene: bpy.types.Scene, tmp_path: object) -> None:
    armature = add_detected_metarig(scene)
    report = CharacterReport("A", (ReportLine("at frame 3 it slips", "WARNING", 3),))
    store_report(armature, report)
    path = f"{tmp_path}/a.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["metarig"]
    assert read_report(armature) == report
    for damaged in ("{", "[]", '{"summary": 3}', '{"summary": "A", "lines": [{"words": ""}]}'):
        armature.footfall_baked.report = damaged
        assert read_report(armature) is None
        draw_panels([FOOTFALL_PT_motion])
