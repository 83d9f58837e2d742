"""Checks of variations of rigs: legs and facing are right or there is a message, and they walk."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
import rig_variations as rv
from blender_scene import add_curve, sample_skin_points, select
from footfall.addon.bake.character_report import read_report
from footfall.addon.rigs.armature import read_skeleton
from footfall.addon.rigs.questions import check_answers
from footfall.addon.scene.rig import read_rig
from footfall.core.character.recognition.anatomy import Anatomy
from footfall.core.character.recognition.parts import name_parts
from footfall.core.errors import FootfallError
from rig_variations import Variation


def make_variation(variation: Variation) -> bpy.types.Object:
    """Add a variation to the scene, select it and return it."""
    armature = rv.add_base(variation.base)
    variation.vary(armature)
    select(armature)
    bpy.context.view_layer.update()
    return armature


def check_recognition(armature: bpy.types.Object, message: str = "") -> None:
    """Check that legs and facing are right without a question, or that there is a message.

    Args:
        message: part of the message; empty if legs and facing are to be right.
    """
    if message:
        with pytest.raises(FootfallError, match=message):
            read_without_question(armature, is_interactive=True)
        return
    anatomy = read_without_question(armature)
    recognized = name_parts(anatomy, [bone.name for bone in armature.data.bones])
    true_parts = rv.read_true_parts(armature)
    assert {part: recognized.get(part) for part in true_parts} == true_parts
    assert float(np.array(anatomy.forward) @ rv.read_true_forward(armature)) > 0.97


def read_without_question(armature: bpy.types.Object, is_interactive: bool = False) -> Anatomy:
    """Return the anatomy of an armature that raises no question."""
    rig = read_rig(armature, read_skeleton(armature, bpy.context.scene))
    check_answers(armature.name, rig.anatomy, is_interactive)
    return rig.anatomy


def check_walk(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Check that a body walks forward in a baked motion, and its skin neither sinks nor tears."""
    forward = rv.read_true_forward(armature)
    at_rest = sample_skin_points(armature)
    height = float(np.ptp(at_rest[:, 2]))
    start = np.array(armature.matrix_world.translation)
    scene.footfall.path = add_curve([tuple(start), tuple(start + 5 * height * forward)])
    scene.frame_end = 25
    select(armature)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    edges = _list_edges()
    lengths = _measure_edges(at_rest, edges)
    moved = []
    for frame in range(1, 26, 4):
        scene.frame_set(frame)
        skin = sample_skin_points(armature)
        assert skin[:, 2].min() > -0.006 * height
        assert (_measure_edges(skin, edges) < 2 * lengths).all()
        moved.append(skin.mean(0))
    assert float((moved[-1] - moved[0]) @ forward) > 0.3 * height
    thighs = [armature.pose.bones[rv.read_true_parts(armature)[f"thigh.{s}"]] for s in "LR"]
    lateral = np.array(
        armature.matrix_world @ thighs[0].head - armature.matrix_world @ thighs[1].head
    )
    assert float(np.cross(lateral, [0.0, 0.0, 1.0]) @ forward) > 0.9 * np.linalg.norm(lateral)
    report = read_report(armature)
    assert report is not None
    problems = [line.text for line in report.lines if line.level != "INFO"]
    assert [text for text in problems if "may walk backward" not in text] == []


def _list_edges() -> np.ndarray:
    """Return the edges of the skin as pairs of vertices (n, 2)."""
    (body,) = (obj for obj in bpy.data.objects if obj.type == "MESH" and obj.modifiers)
    graph = bpy.context.evaluated_depsgraph_get()
    return np.array([edge.vertices[:] for edge in body.evaluated_get(graph).data.edges])


def _measure_edges(points: np.ndarray, edges: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1))
